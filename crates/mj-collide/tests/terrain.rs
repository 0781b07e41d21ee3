//! Contacts of a terrain with boxes and polyhedra against numbers recorded from the reference (`terrain.txt`).
//!
//! Without a margin its search for the depth of two polyhedra ends where a pair of corners comes again, and the corners of
//! a terrain have no numbers: it ends as soon as one of the body's comes again, and what it tells is at most the depth.

#[path = "common/recorded.rs"]
mod recorded;

use mj_collide::{CcdWorkspace, Colliders, Heights, Hull, Placed, Pose, PreContacts, Query, Shape};
use mj_math::{DVec3, quat};
use recorded::{alike, assert_same, numbers, vector};

#[test]
fn a_terrain_has_the_reference_s_contacts() {
    let mut lines = include_str!("terrain.txt").lines().filter(|line| !line.starts_with('#')).peekable();
    let field = numbers(lines.next().and_then(|line| line.strip_prefix("field ")).unwrap());
    let data: Vec<f32> = field[6..].iter().map(|&height| height as f32).collect();
    let size = [field[0], field[1], field[2], field[3]];
    let heights = Heights { size, nrow: field[4] as usize, ncol: field[5] as usize, data: &data };
    let terrain = Placed::new(Shape::hfield(heights), Pose::IDENTITY);
    let mut hull = None;
    let (table, mut ws, mut out) = (Colliders::new(), CcdWorkspace::default(), PreContacts::new());
    let (mut pairs, mut without_margin) = ([0, 0], [0, 0]);
    for line in lines {
        let mut parts = line.split('|');
        let words: Vec<&str> = parts.next().unwrap().split_whitespace().collect();
        let rest = numbers(&words[1..].join(" "));
        if words[0] == "mesh" && rest.len() != 11 {
            let points: Vec<DVec3> = rest.chunks(3).map(vector).collect();
            let (corners, triangles) = parry3d_f64::transformation::convex_hull(&points);
            hull = Some(Hull::new(&corners, &triangles.iter().map(|t| t.to_vec()).collect::<Vec<_>>()).unwrap());
            continue;
        }
        let orientation = quat::normalize_if_needed(quat::read(&rest[7..]));
        let pose = Pose { pos: vector(&rest[4..7]), mat: quat::to_mat(orientation) };
        let shape = match &hull {
            Some(hull) if words[0] == "mesh" => Shape::mesh(hull),
            _ => Shape::cuboid(vector(&rest[..3])),
        };
        pairs[usize::from(words[0] == "mesh")] += 1;

        table.collide(&terrain, &Placed::new(shape, pose), &Query::with_margin(rest[3]), &mut ws, &mut out);
        let wanted: Vec<Vec<f64>> = parts.map(numbers).collect();
        assert_eq!(out.len(), wanted.len(), "number of contacts: {line}\n{:?}", &*out);
        if rest[3] > 0.0 {
            assert_same(&out, &wanted, line);
            continue;
        }
        let [same, other] = &mut without_margin;
        for w in &wanted {
            *(if out.iter().any(|c| alike(c, w)) { &mut *same } else { &mut *other }) += 1;
        }
    }
    // Where a box stands upright, the last digit of its pose decides which of two corners comes first, and with it when
    // the search ends.
    let [same, other] = without_margin;
    assert!(other <= 2 && same >= 45, "{same} alike, {other} not");
    assert_eq!(pairs, [14, 14]);
}
