//! The warning that a mesh collides as something it is not.

use mj_compile::decompose::Surface;
use mj_math::DVec3;
use mj_model::spec::*;
use mj_model::*;

/// A frame: a square block with a square hole of the relative size `hole` through it, closed all around.
fn frame(hole: f64) -> Mesh {
    let ring = |half: f64, z: f64| {
        [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| DVec3::new(x * half, y * half, z))
    };
    let vert = [ring(1.0, 0.0), ring(1.0, 0.2), ring(hole, 0.0), ring(hole, 0.2)].concat();
    let mut face = Vec::new();
    let mut quad = |a: u32, b: u32, c: u32, d: u32| face.extend([[a, b, c], [a, c, d]]);
    for i in 0..4 {
        let j = (i + 1) % 4;
        quad(i, j, 4 + j, 4 + i);
        quad(8 + j, 8 + i, 12 + i, 12 + j);
        quad(4 + i, 4 + j, 12 + j, 12 + i);
        quad(j, i, 8 + i, 8 + j);
    }
    let surface = Surface { vert, face };
    assert!(surface.is_closed() && (surface.volume() - 0.8 * (1.0 - hole * hole)).abs() < 1e-12);
    let contents = surface.to_obj("a frame").into_bytes().into();
    Mesh { name: "frame".into(), file: "frame.obj".into(), contents, ..Mesh::default() }
}

/// Warnings of a model with this mesh as a geom.
fn warnings(mesh: Mesh, geom: Geom) -> Vec<String> {
    let geom = Geom { r#type: GeomType::Mesh, mesh: mesh.name.clone(), ..geom };
    let mut spec = Spec::default();
    spec.meshes.push(mesh);
    spec.worldbody.geoms.push(geom);
    let (model, problems) = mj_compile::compile(&spec);
    assert!(model.is_some());
    problems.list.iter().map(|p| p.message.clone()).collect()
}

#[test]
fn a_frame_that_collides_is_warned_of() {
    let told = warnings(frame(0.8), Geom::default());
    assert_eq!(told, ["mesh `frame` collides as its convex hull, which has 2.8 times its volume"]);
}

#[test]
fn what_is_nearly_its_hull_or_only_seen_is_not() {
    assert!(warnings(frame(0.6), Geom::default()).is_empty());
    assert!(warnings(frame(0.8), Geom { contype: 0, conaffinity: 0, ..Geom::default() }).is_empty());
    let mut open = frame(0.8);
    let text = String::from_utf8(open.contents.to_vec()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    open.contents = lines[..lines.len() - 1].join("\n").into_bytes().into();
    assert!(warnings(open, Geom::default()).is_empty());
}

#[test]
fn where_nothing_collides_nothing_is_said() {
    let mut spec = Spec::default();
    spec.meshes.push(frame(0.8));
    spec.worldbody.geoms.push(Geom { r#type: GeomType::Mesh, mesh: "frame".into(), ..Geom::default() });
    spec.option.disableflags |= disable::CONTACT;
    assert!(mj_compile::compile(&spec).1.list.is_empty());
}
