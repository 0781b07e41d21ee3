//! Boxes of bounding-volume trees and octrees, and grids of interpolated flexes.

use super::painter::{Painter, decoration, solid};
use crate::codes::{SceneShape, VisFlag};
use crate::options::shown;
use crate::volumes::{Trees, VolumeCache};
use mj_engine::Model;
use mj_math::{DMat3, DVec3};
use mj_model::{BodyId, FlexId, GeomId, GeomType, MeshId, ObjType};

/// Width of lines, pixels.
const LINE_WIDTH: f64 = 3.0;

/// Returns the box around the geoms of a body that may collide, in the frame of its inertia.
pub(super) fn box_of_body(m: &Model, body: BodyId) -> Option<[f64; 6]> {
    let trees = Trees::of_bodies(m);
    trees.aabb.get(trees.nodes(body.index())).and_then(|nodes| nodes.first()).copied()
}

/// Appends the boxes of the chosen depth.
pub(super) fn boxes(p: &mut Painter, cache: &mut VolumeCache) {
    let (bodies, meshes) = (p.flag(VisFlag::BodyBvh), p.flag(VisFlag::MeshBvh));
    if bodies || meshes {
        let volumes = cache.of(p.m);
        if bodies {
            of_bodies(p, &volumes.bodies);
        }
        if meshes {
            let before = volumes.bodies.depth.len();
            of_flexes(p, before + volumes.meshes.depth.len());
            of_meshes(p, &volumes.meshes, before);
            of_octrees(p);
        }
    }
}

/// Appends a box; `local` is its centre and half sizes in a frame.
fn add(p: &mut Painter, id: usize, [x, y, z, a, b, c]: [f64; 6], pos: DVec3, mat: DMat3) {
    let mut geom = decoration((ObjType::Unknown, id));
    solid(&mut geom, SceneShape::LineBox, [a, b, c], pos + mat * DVec3::new(x, y, z), mat);
    geom.rgba = p.vis.rgba.bv;
    p.push(geom);
}

/// Returns whether a node is shown: of the chosen depth, or a leaf above it.
fn shows_node(p: &Painter, depth: i32, leaf: bool) -> bool {
    depth == p.opt.bvh_depth || (leaf && depth < p.opt.bvh_depth)
}

fn of_bodies(p: &mut Painter, trees: &Trees) {
    let (m, poses) = (p.m, &p.d.smooth.poses);
    for body in m.body.ids() {
        for node in trees.nodes(body.index()) {
            let leaf = usize::try_from(trees.nodeid[node]).ok();
            if !shows_node(p, trees.depth[node], leaf.is_some()) {
                continue;
            }
            match leaf.map(GeomId::new) {
                Some(g) => add(p, node, m.geom.aabb[g], poses.geom_xpos[g], poses.geom_xmat[g]),
                None => add(p, node, trees.aabb[node], poses.xipos[body], poses.ximat[body]),
            }
        }
    }
}

/// Returns the mesh of a geom that is drawn by one.
fn mesh_of(m: &Model, g: GeomId) -> Option<MeshId> {
    let id = usize::try_from(m.geom.dataid[g]).ok()?;
    let of_mesh = m.geom.r#type[g] != GeomType::Hfield && id < m.mesh.len();
    of_mesh.then(|| MeshId::new(id))
}

fn of_meshes(p: &mut Painter, trees: &Trees, before: usize) {
    let m = p.m;
    for g in m.geom.ids().filter(|&g| m.geom.r#type[g] != GeomType::Sdf) {
        let Some(mesh) = mesh_of(m, g).filter(|&mesh| m.mesh.octadr[mesh] < 0) else { continue };
        // Active volumes alone are shown where these have a colour, and none are told apart here.
        if p.vis.global.bvactive {
            continue;
        }
        for node in trees.nodes(mesh.index()) {
            if shows_node(p, trees.depth[node], trees.nodeid[node] >= 0) {
                let poses = &p.d.smooth.poses;
                add(p, before + node, trees.aabb[node], poses.geom_xpos[g], poses.geom_xmat[g]);
            }
        }
    }
}

fn of_octrees(p: &mut Painter) {
    let m = p.m;
    for g in m.geom.ids() {
        let Some(mesh) = mesh_of(m, g) else { continue };
        let Ok(first) = usize::try_from(m.mesh.octadr[mesh]) else { continue };
        for node in first..first + m.mesh.octnum[mesh] as usize {
            if m.mesh_data.oct_depth[node] == p.opt.bvh_depth {
                let poses = &p.d.smooth.poses;
                add(p, node, m.mesh_data.oct_aabb[node], poses.geom_xpos[g], poses.geom_xmat[g]);
            }
        }
    }
}

/// Appends boxes over the elements of flexes, and the grids of those that are interpolated.
fn of_flexes(p: &mut Painter, before: usize) {
    let (m, d) = (p.m, p.d);
    for f in m.flex.ids() {
        let first = m.flex.bvhadr[f] as usize;
        let count = m.flex.bvhnum[f] as usize;
        if count > 0 && shown(&p.opt.flexgroup, m.flex.group[f]) {
            let child = &m.flex_data.bvh_child[first..first + count];
            let leaf = &m.flex_data.bvh_nodeid[first..first + count];
            let elements = d.flexes.elem_aabb.get(m.flex.elemadr[f] as usize..).unwrap_or_default();
            let mut depth = vec![0; count];
            let mut sides = vec![[DVec3::INFINITY, DVec3::NEG_INFINITY]; count];
            for (i, pair) in child.iter().enumerate() {
                pair.iter().filter_map(|&c| usize::try_from(c).ok()).for_each(|c| depth[c] = depth[i] + 1);
            }
            // Children come after their parents.
            for i in (0..count).rev() {
                sides[i] = match usize::try_from(leaf[i]) {
                    Ok(e) => elements.get(e).map_or(sides[i], |&[x, y, z, a, b, c]| {
                        let (centre, half) = (DVec3::new(x, y, z), DVec3::new(a, b, c));
                        [centre - half, centre + half]
                    }),
                    Err(_) => {
                        let [a, b] = child[i].map(|c| sides[c.max(0) as usize]);
                        [a[0].min(b[0]), a[1].max(b[1])]
                    }
                };
            }
            for i in 0..count {
                if shows_node(p, depth[i], leaf[i] >= 0) {
                    let [low, high] = sides[i];
                    let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
                    let numbers = [centre.x, centre.y, centre.z, half.x, half.y, half.z];
                    add(p, before + first + i, numbers, DVec3::ZERO, DMat3::IDENTITY);
                }
            }
        }
        if m.flex.interp[f] != 0 {
            grid(p, f);
        }
    }
}

/// Appends lines between neighbouring nodes of a grid that move; of shells between those of its outside alone.
fn grid(p: &mut Painter, f: FlexId) {
    let m = p.m;
    let first = m.flex.nodeadr[f] as usize;
    let bodies = &m.flex_data.nodebodyid[first..first + m.flex.nodenum[f] as usize];
    let order = m.flex.interp[f].unsigned_abs() as usize;
    let count = m.flex.cellnum[f].map(|n| n.max(0) as usize * order + 1);
    let node = |at: [usize; 3]| (at[0] * count[1] + at[1]) * count[2] + at[2];
    let moves = |at: [usize; 3]| {
        let outside = (0..3).any(|k| at[k] == 0 || at[k] + 1 == count[k]);
        bodies.get(node(at)).is_some_and(|&b| m.body.jntnum[b] > 0) && (m.flex.interp[f] > 0 || outside)
    };
    let place = |at: [usize; 3]| {
        let body = bodies[node(at)];
        let local = if m.flex.centered[f] { DVec3::ZERO } else { m.flex_shape.node[first + node(at)] };
        p.d.smooth.poses.xpos[body] + p.d.smooth.poses.xmat[body] * local
    };
    let mut lines = Vec::new();
    for (i, j, k) in (0..count[0]).flat_map(|i| (0..count[1]).flat_map(move |j| (0..count[2]).map(move |k| (i, j, k))))
    {
        let at = [i, j, k];
        for axis in (0..3).filter(|&axis| at[axis] + 1 < count[axis]) {
            let mut next = at;
            next[axis] += 1;
            if moves(at) && moves(next) {
                lines.push((i, [place(at), place(next)]));
            }
        }
    }
    for (i, ends) in lines {
        p.connect(SceneShape::Line, LINE_WIDTH, ends, [0.5, 0.5, 0.5, 1.0], (ObjType::Unknown, i));
    }
}
