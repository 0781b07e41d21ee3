//! Trees of bounding volumes (`bvh_*`) of bodies and meshes, for those who see or read them: the engine has its own.

use mj_engine::Model;
use mj_math::{DMat3, DVec3};
use mj_model::{BodyId, GeomId, MeshId, id_range};

/// Lengths that differ by less count as equal.
const EPS: f64 = 1e-14;

/// Volumes that are made when they are first shown, with the signature of their model's structure.
#[derive(Clone, Debug, Default)]
pub(crate) struct VolumeCache(Option<(u64, BoundingVolumes)>);

impl VolumeCache {
    /// Returns the volumes of a model. Those of bodies are made anew at each call, since geoms may be edited.
    pub fn of(&mut self, m: &Model) -> &BoundingVolumes {
        let signature = m.structure.signature();
        let kept = self.0.take().filter(|(of, _)| *of == signature).map(|(_, volumes)| volumes.meshes);
        let meshes = kept.unwrap_or_else(|| Trees::of_meshes(m));
        &self.0.insert((signature, BoundingVolumes { bodies: Trees::of_bodies(m), meshes })).1
    }
}

/// Caches don't tell scenes apart.
impl PartialEq for VolumeCache {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Trees of a model's bodies and meshes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundingVolumes {
    /// Trees over the geoms of bodies that may collide, in the frames of their inertia.
    pub bodies: Trees,
    /// Trees over the faces of meshes, in the meshes' frames.
    pub meshes: Trees,
}

impl BoundingVolumes {
    /// Makes the trees of a model.
    pub fn new(m: &Model) -> Self {
        Self { bodies: Trees::of_bodies(m), meshes: Trees::of_meshes(m) }
    }
}

/// Nodes of some trees, each before its children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trees {
    /// Depth of each node in its tree.
    pub depth: Vec<i32>,
    /// Children of each node, counted from the root of its tree; −1: it is a leaf.
    pub child: Vec<[i32; 2]>,
    /// Geom or face of each leaf; −1 in other nodes.
    pub nodeid: Vec<i32>,
    /// Centre and half sizes of each node.
    pub aabb: Vec<[f64; 6]>,
    /// Root and number of nodes of each tree; −1 and 0: it is empty.
    pub roots: Vec<[i32; 2]>,
}

/// Box of a geom or face, the place by which it is sorted, and its number.
struct Leaf {
    low: DVec3,
    high: DVec3,
    place: DVec3,
    id: i32,
}

impl Trees {
    /// Makes the trees of bodies, of all geoms that may collide.
    pub fn of_bodies(m: &Model) -> Self {
        let mut all = Self::default();
        for body in m.body.ids() {
            let geoms = id_range(m.body.geomadr[body], m.body.geomnum[body]);
            let collide = geoms.filter(|&g| m.geom.contype[g] | m.geom.conaffinity[g] != 0);
            all.add(collide.map(|g| leaf_of_geom(m, g)).collect());
        }
        all
    }

    /// Makes the trees of meshes.
    pub fn of_meshes(m: &Model) -> Self {
        let mut all = Self::default();
        for mesh in m.mesh.ids() {
            all.add(leaves_of_mesh(m, mesh));
        }
        all
    }

    /// Returns the nodes of a tree.
    pub fn nodes(&self, tree: usize) -> std::ops::Range<usize> {
        match self.roots.get(tree) {
            Some(&[root, count]) if root >= 0 => root as usize..(root + count) as usize,
            _ => 0..0,
        }
    }

    /// Appends a tree.
    fn add(&mut self, leaves: Vec<Leaf>) {
        let root = self.depth.len();
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        if leaves.is_empty() {
            self.roots.push([-1, 0]);
            return;
        }
        self.divide(&leaves, &mut order, root, 0);
        self.roots.push([root as i32, (self.depth.len() - root) as i32]);
    }

    /// Appends a node and all below it: half of its leaves each, along the longest side of its box. Returns its place in its tree.
    fn divide(&mut self, leaves: &[Leaf], order: &mut [usize], root: usize, depth: i32) -> i32 {
        let at = self.depth.len();
        let mut low = order.iter().fold(DVec3::INFINITY, |a, &i| a.min(leaves[i].low));
        let mut high = order.iter().fold(DVec3::NEG_INFINITY, |a, &i| a.max(leaves[i].high));
        for k in 0..3 {
            if (high[k] - low[k]).abs() < EPS {
                low[k] -= EPS;
                high[k] += EPS;
            }
        }
        let (centre, size) = ((high + low) * 0.5, high - low);
        let half = size * 0.5;
        self.depth.push(depth);
        self.aabb.push([centre.x, centre.y, centre.z, half.x, half.y, half.z]);
        self.child.push([-1; 2]);
        self.nodeid.push(-1);
        if let [one] = *order {
            self.nodeid[at] = leaves[one].id;
            return (at - root) as i32;
        }
        let mut axis = usize::from(size.y >= size.x + EPS);
        if size.z >= size[axis] + EPS {
            axis = 2;
        }
        let middle = order.len() / 2;
        let place = |i: usize| leaves[i].place[axis];
        order.select_nth_unstable_by(middle, |&a, &b| {
            let differ = (place(a) - place(b)).abs() > EPS;
            if differ { place(a).total_cmp(&place(b)) } else { a.cmp(&b) }
        });
        let (first, second) = order.split_at_mut(middle);
        self.child[at] = [self.divide(leaves, first, root, depth + 1), self.divide(leaves, second, root, depth + 1)];
        (at - root) as i32
    }
}

/// Returns the box of a geom in the frame of its body's inertia.
fn leaf_of_geom(m: &Model, g: GeomId) -> Leaf {
    let body: BodyId = m.geom.bodyid[g];
    let back = m.body.iquat[body].inverse();
    let turn = DMat3::from_quat(back * m.geom.quat[g]);
    let [x, y, z, half_x, half_y, half_z] = m.geom.aabb[g];
    let place = back * (m.geom.pos[g] - m.body.ipos[body]);
    let centre = place + turn * DVec3::new(x, y, z);
    let half = turn.x_axis.abs() * half_x + turn.y_axis.abs() * half_y + turn.z_axis.abs() * half_z;
    Leaf { low: centre - half, high: centre + half, place, id: g.index() as i32 }
}

/// Returns the boxes of a mesh's faces, sorted by their circumcentres.
fn leaves_of_mesh(m: &Model, mesh: MeshId) -> Vec<Leaf> {
    let vertices = m.mesh_data.vert.get(m.mesh.vertadr[mesh] as usize..).unwrap_or_default();
    let faces = m.mesh_data.face.iter().skip(m.mesh.faceadr[mesh] as usize).take(m.mesh.facenum[mesh] as usize);
    let vertex = |i: i32| DVec3::from_array(vertices[i as usize].map(f64::from));
    let leaf = |(i, face): (usize, &[i32; 3])| {
        let [a, b, c] = face.map(vertex);
        let (u, v) = (a - c, b - c);
        let normal = u.cross(v);
        let across = (u.length_squared() * v - v.length_squared() * u).cross(normal);
        let place = across / (2.0 * normal.length_squared()) + c;
        Leaf { low: a.min(b).min(c), high: a.max(b).max(c), place, id: i as i32 }
    };
    faces.enumerate().map(leaf).collect()
}
