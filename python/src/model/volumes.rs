//! Fields of the trees of bounding volumes (`bvh_*`): those of bodies, then those of meshes.

use mj_engine::Model;
use mj_model::{Column, Field};
use mj_scene::{BoundingVolumes, Trees};

/// Returns the boxes of bodies' volumes alone, which come first.
pub fn of_bodies(m: &Model) -> Field {
    boxes(&[&Trees::of_bodies(m)])
}

fn boxes(trees: &[&Trees]) -> Field {
    let aabb: Vec<[f64; 6]> = trees.iter().flat_map(|t| &t.aabb).copied().collect();
    Field { name: "bvh_aabb".into(), shape: vec![aabb.len(), 6], data: Column::F64(aabb.into_flattened()) }
}

/// Returns a field of bounding volumes; none if there is no such field.
pub fn field(m: &Model, name: &str) -> Option<Field> {
    if !name.contains("bvh") {
        return None;
    }
    let BoundingVolumes { bodies, meshes } = BoundingVolumes::new(m);
    let all = [&bodies, &meshes];
    let before = bodies.depth.len() as i32;
    let adr = |t: &Trees, first: i32| t.roots.iter().map(|r| if r[0] < 0 { -1 } else { r[0] + first }).collect();
    let num = |t: &Trees| t.roots.iter().map(|r| r[1]).collect();
    let numbers: Vec<i32> = match name {
        "bvh_aabb" => return Some(boxes(&all)),
        "bvh_child" => all.iter().flat_map(|t| t.child.as_flattened()).copied().collect(),
        "bvh_depth" => all.iter().flat_map(|t| &t.depth).copied().collect(),
        "bvh_nodeid" => all.iter().flat_map(|t| &t.nodeid).copied().collect(),
        "body_bvhadr" => adr(&bodies, 0),
        "body_bvhnum" => num(&bodies),
        "mesh_bvhadr" => adr(&meshes, before),
        "mesh_bvhnum" => num(&meshes),
        _ => return None,
    };
    let shape = if name == "bvh_child" { vec![numbers.len() / 2, 2] } else { vec![numbers.len()] };
    Some(Field { name: name.into(), shape, data: Column::I32(numbers) })
}
