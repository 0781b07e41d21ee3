//! Trees of bounding volumes (`bvh_*`) of bodies and meshes, for those who read them: the engine has its own.
//!
//! A tree's root holds all leaves: the geoms of a body that may collide, in the frame of its inertia, or the faces of a mesh
//! in the mesh's. Leaves are sorted along the longest side of their box, and each half is a child. Nodes lie depth first.

use mj_engine::{DMat3, DVec3, Model};
use mj_model::{Column, Field, GeomId};

/// An axis-aligned box.
#[derive(Clone, Copy)]
struct Aabb {
    low: DVec3,
    high: DVec3,
}

impl Aabb {
    fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn center(&self) -> DVec3 {
        (self.low + self.high) * 0.5
    }

    /// Index of the longest side, the first of equal ones.
    fn longest(&self) -> usize {
        let size = self.high - self.low;
        (1..3).fold(0, |longest, axis| if size[axis] > size[longest] { axis } else { longest })
    }

    /// Centre and half sizes.
    fn numbers(&self) -> [f64; 6] {
        let (center, half) = (self.center(), (self.high - self.low) * 0.5);
        [center.x, center.y, center.z, half.x, half.y, half.z]
    }
}

/// A leaf: the box of a geom or face, and its number.
type Leaf = (Aabb, i32);

/// All trees of a model, bodies' first.
#[derive(Default)]
pub struct Volumes {
    /// Depth of each node in its tree.
    depth: Vec<i32>,
    /// Children of each node, counted from the root of its tree; -1: it is a leaf.
    child: Vec<[i32; 2]>,
    /// Geom or face of each leaf; -1: it is none.
    nodeid: Vec<i32>,
    /// Centre and half sizes.
    aabb: Vec<[f64; 6]>,
    /// Root and number of nodes of each body's tree; -1 and 0: it has none.
    bodies: Vec<[i32; 2]>,
    /// Root and number of nodes of each mesh's tree.
    meshes: Vec<[i32; 2]>,
}

/// Returns the box of a geom in the frame of its body's inertia.
fn box_of_geom(m: &Model, g: GeomId) -> Aabb {
    let b = m.geom.bodyid[g];
    let back = m.body.iquat[b].inverse();
    let turn = DMat3::from_quat(back * m.geom.quat[g]);
    let [x, y, z, half_x, half_y, half_z] = m.geom.aabb[g];
    let center = back * (m.geom.pos[g] - m.body.ipos[b]) + turn * DVec3::new(x, y, z);
    let half = turn.x_axis.abs() * half_x + turn.y_axis.abs() * half_y + turn.z_axis.abs() * half_z;
    Aabb { low: center - half, high: center + half }
}

impl Volumes {
    /// Makes the trees of bodies.
    fn of_bodies(m: &Model) -> Self {
        let mut all = Self::default();
        let mut leaves: Vec<Vec<Leaf>> = vec![Vec::new(); m.body.len()];
        for g in m.geom.ids().filter(|&g| m.geom.contype[g] | m.geom.conaffinity[g] != 0) {
            leaves[m.geom.bodyid[g].index()].push((box_of_geom(m, g), g.index() as i32));
        }
        all.bodies = leaves.into_iter().map(|leaves| all.add(leaves)).collect();
        all
    }

    /// Makes the trees of bodies and meshes.
    fn of(m: &Model) -> Self {
        let mut all = Self::of_bodies(m);
        for mesh in m.mesh.ids() {
            let (first, first_face) = (m.mesh.vertadr[mesh] as usize, m.mesh.faceadr[mesh] as usize);
            let faces = m.mesh_data.face.iter().skip(first_face).take(m.mesh.facenum[mesh] as usize);
            // Faces of a compiled model have vertices that are there.
            let vertices = m.mesh_data.vert.get(first..).unwrap_or_default();
            let vertex = |i: i32| DVec3::from_array(vertices[i as usize].map(f64::from));
            let leaf = |(i, face): (usize, &[i32; 3])| {
                let [a, b, c] = face.map(vertex);
                (Aabb { low: a.min(b).min(c), high: a.max(b).max(c) }, i as i32)
            };
            let leaves = faces.enumerate().map(leaf).collect();
            let tree = all.add(leaves);
            all.meshes.push(tree);
        }
        all
    }

    /// Appends a tree; returns its root and number of nodes.
    fn add(&mut self, mut leaves: Vec<Leaf>) -> [i32; 2] {
        if leaves.is_empty() {
            return [-1, 0];
        }
        let root = self.depth.len();
        self.node(&mut leaves, root, 0);
        [root as i32, (self.depth.len() - root) as i32]
    }

    /// Appends a node and all below it; returns its place, counted from the root of its tree.
    fn node(&mut self, leaves: &mut [Leaf], root: usize, depth: i32) -> i32 {
        let at = self.depth.len();
        let whole = leaves.iter().map(|l| l.0).reduce(Aabb::union);
        self.depth.push(depth);
        self.aabb.push(whole.map_or([0.0; 6], |b| b.numbers()));
        self.child.push([-1; 2]);
        self.nodeid.push(if let [(_, id)] = *leaves { id } else { -1 });
        if let Some(whole) = whole.filter(|_| leaves.len() > 1) {
            let axis = whole.longest();
            leaves.sort_by(|a, b| a.0.center()[axis].total_cmp(&b.0.center()[axis]));
            let (low, high) = leaves.split_at_mut(leaves.len() / 2);
            self.child[at] = [self.node(low, root, depth + 1), self.node(high, root, depth + 1)];
        }
        (at - root) as i32
    }
}

/// Returns the boxes of bodies' volumes alone, which come first.
pub fn of_bodies(m: &Model) -> Field {
    boxes(Volumes::of_bodies(m).aabb)
}

fn boxes(aabb: Vec<[f64; 6]>) -> Field {
    Field { name: "bvh_aabb".into(), shape: vec![aabb.len(), 6], data: Column::F64(aabb.into_flattened()) }
}

/// Returns a field of bounding volumes; none if there is no such field.
pub fn field(m: &Model, name: &str) -> Option<Field> {
    if !name.contains("bvh") {
        return None;
    }
    let all = Volumes::of(m);
    let part = |of: &[[i32; 2]], k: usize| of.iter().map(|tree| tree[k]).collect::<Vec<i32>>();
    let (shape, numbers) = match name {
        "bvh_aabb" => return Some(boxes(all.aabb)),
        "bvh_child" => (vec![all.child.len(), 2], all.child.into_flattened()),
        "bvh_depth" => (vec![all.depth.len()], all.depth),
        "bvh_nodeid" => (vec![all.nodeid.len()], all.nodeid),
        "body_bvhadr" => (vec![m.body.len()], part(&all.bodies, 0)),
        "body_bvhnum" => (vec![m.body.len()], part(&all.bodies, 1)),
        "mesh_bvhadr" => (vec![m.mesh.len()], part(&all.meshes, 0)),
        "mesh_bvhnum" => (vec![m.mesh.len()], part(&all.meshes, 1)),
        _ => return None,
    };
    Some(Field { name: name.into(), shape, data: Column::I32(numbers) })
}
