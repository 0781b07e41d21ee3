//! Contacts of a terrain with boxes and polyhedra against numbers recorded from the reference (`terrain.txt`).
//!
//! With a margin they are the same. Without, the reference's search for the depth of two polyhedra ends where a pair of
//! corners comes again, and to it the corners of a terrain have no numbers: it ends as soon as one of the body's comes
//! again, and what it tells is at most the depth.

#[path = "common/recorded.rs"]
mod recorded;

use mj_collide::{CcdWorkspace, Colliders, Heights, Hull, Placed, Pose, PreContacts, Query, Shape};
use mj_math::{DMat3, DQuat, DVec3};
use recorded::{assert_same, numbers, vector};

#[test]
fn a_terrain_has_the_reference_s_contacts() {
    let mut lines = include_str!("terrain.txt").lines().filter(|line| !line.starts_with('#')).peekable();
    let field = numbers(lines.next().and_then(|line| line.strip_prefix("field ")).unwrap());
    let data: Vec<f32> = field[6..].iter().map(|&height| height as f32).collect();
    let size = [field[0], field[1], field[2], field[3]];
    let heights = Heights { size, nrow: field[4] as usize, ncol: field[5] as usize, data: &data };
    let terrain = Placed::new(Shape::hfield(heights), Pose::IDENTITY);
    let mut hull = Hull::default();
    let (table, mut ws, mut out) = (Colliders::new(), CcdWorkspace::default(), PreContacts::new());
    let mut pairs = [0, 0];
    for line in lines {
        let mut parts = line.split('|');
        let words: Vec<&str> = parts.next().unwrap().split_whitespace().collect();
        let rest = numbers(&words[1..].join(" "));
        if words[0] == "mesh" && rest.len() != 11 {
            let points: Vec<DVec3> = rest.chunks(3).map(vector).collect();
            let (corners, triangles) = parry3d_f64::transformation::convex_hull(&points);
            hull = Hull::new(&corners, &triangles.iter().map(|t| t.to_vec()).collect::<Vec<_>>());
            continue;
        }
        let orientation = DQuat::from_xyzw(rest[8], rest[9], rest[10], rest[7]).normalize();
        let pose = Pose { pos: vector(&rest[4..7]), mat: DMat3::from_quat(orientation) };
        let shape = if words[0] == "mesh" { Shape::mesh(&hull) } else { Shape::cuboid(vector(&rest[..3])) };
        pairs[usize::from(words[0] == "mesh")] += 1;

        table.collide(&terrain, &Placed::new(shape, pose), &Query::with_margin(rest[3]), &mut ws, &mut out);
        let wanted: Vec<Vec<f64>> = parts.map(numbers).collect();
        assert_eq!(out.len(), wanted.len(), "number of contacts: {line}\n{:?}", &*out);
        if rest[3] == 0.0 {
            let (mine, theirs) = (out.iter().map(|c| c.dist), wanted.iter().map(|w| w[0]));
            assert!(mine.zip(theirs).all(|(mine, theirs)| mine < theirs + 1e-6), "{line}\n{:?}", &*out);
            continue;
        }
        assert_same(&out, &wanted, line);
    }
    assert_eq!(pairs, [14, 14]);
}
