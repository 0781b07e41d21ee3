//! Signed distances sampled at the corners of an octree's nodes, trilinear in between.

use mj_math::DVec3;
use mj_model::{MeshId, Model};

/// Distance by which a point is brought into the root's box, beyond its side, m.
const INSET: f64 = 1e-6;
/// Step of the differences that stand for the gradient outside, m.
const STEP: f64 = 1e-8;

/// A node of an octree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OctreeNode {
    /// Centre of its box.
    pub centre: DVec3,
    /// Half sizes of its box.
    pub half: DVec3,
    /// Children by number, x fastest, then y; none for a leaf.
    pub children: Option<[u32; 8]>,
    /// Distances at the corners, in the order of the children.
    pub corners: [f64; 8],
}

/// Signed distance field of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Octree {
    nodes: Vec<Node>,
    centre: DVec3,
    half: DVec3,
}

/// A node by the ends of its box.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    low: DVec3,
    high: DVec3,
    children: Option<[u32; 8]>,
    corners: [f64; 8],
}

/// Weights of both ends at a fraction of the way.
#[inline]
fn ends(t: f64) -> [f64; 2] {
    [1.0 - t, t]
}

impl Octree {
    /// Makes an octree of its nodes, the root first; none without a root, or where children are no later nodes.
    pub fn new(nodes: Vec<OctreeNode>) -> Option<Self> {
        let root = nodes.first()?;
        let later = |(i, n): (usize, &OctreeNode)| {
            n.children.is_none_or(|c| c.iter().all(|&c| c as usize > i && (c as usize) < nodes.len()))
        };
        if !nodes.iter().enumerate().all(later) {
            return None;
        }
        let (centre, half) = (root.centre, root.half);
        let ends = |n: OctreeNode| Node {
            low: n.centre - n.half,
            high: n.centre + n.half,
            children: n.children,
            corners: n.corners,
        };
        Some(Self { nodes: nodes.into_iter().map(ends).collect(), centre, half })
    }

    /// Returns the octree of a model's mesh, if it has one.
    pub fn of_mesh(m: &Model, mesh: MeshId) -> Option<Self> {
        let first = usize::try_from(m.mesh.octadr[mesh]).ok()?;
        let rows = first..first + m.mesh.octnum[mesh] as usize;
        let d = &m.mesh_data;
        let (child, aabb, coeff) =
            (d.oct_child.get(rows.clone())?, d.oct_aabb.get(rows.clone())?, d.oct_coeff.get(rows)?);
        let node = |((child, aabb), coeff): ((&[i32; 8], &[f64; 6]), &[f64; 8])| OctreeNode {
            centre: DVec3::from_slice(aabb),
            half: DVec3::from_slice(&aabb[3..]),
            children: (child[0] >= 0).then(|| child.map(|c| c as u32)),
            corners: *coeff,
        };
        Self::new(child.iter().zip(aabb).zip(coeff).map(node).collect())
    }

    /// Brings a point into the root's box; returns how far it was outside, or, negative, how deep inside.
    #[inline]
    fn enter(&self, p: &mut DVec3) -> f64 {
        let r = *p - self.centre;
        let out = r.abs() - self.half;
        if out.max_element() <= 0.0 {
            return out.max_element();
        }
        let mut square = 0.0;
        for k in 0..3 {
            if out[k] >= 0.0 {
                square += out[k] * out[k];
                let inwards = out[k] + INSET;
                p[k] -= if r[k] > 0.0 { inwards } else { -inwards };
            }
        }
        square.sqrt()
    }

    /// Returns the leaf around a point, and the point's coordinates in it, between 0 and 1.
    #[inline]
    fn leaf(&self, p: DVec3) -> (&Node, DVec3) {
        let mut node = &self.nodes[0];
        loop {
            let at = (p - node.low) / (node.high - node.low);
            let Some(children) = &node.children else { return (node, at) };
            let upper = |k: usize| usize::from(at[k] >= 0.5) << k;
            node = &self.nodes[children[upper(0) | upper(1) | upper(2)] as usize];
        }
    }

    /// Computes the signed distance of a point; outside of the root's box, that of the nearest point of the box and the
    /// way to it.
    pub fn distance(&self, p: DVec3) -> f64 {
        let mut inside = p;
        let out = self.enter(&mut inside);
        let (node, at) = self.leaf(inside);
        let (x, y, z) = (ends(at.x), ends(at.y), ends(at.z));
        let mut sum = 0.0;
        for (j, c) in node.corners.iter().enumerate() {
            sum += x[j & 1] * y[j >> 1 & 1] * z[j >> 2] * c;
        }
        if out > 0.0 { sum + out } else { sum }
    }

    /// Computes the signed distance of a point and its gradient.
    pub fn distance_gradient(&self, p: DVec3) -> (f64, DVec3) {
        let mut inside = p;
        if self.enter(&mut inside) > 0.0 {
            let here = self.distance(p);
            let slope = |step: DVec3| (self.distance(p + step) - here) / STEP;
            return (here, DVec3::new(slope(DVec3::X * STEP), slope(DVec3::Y * STEP), slope(DVec3::Z * STEP)));
        }
        let (node, at) = self.leaf(p);
        let (x, y, z) = (ends(at.x), ends(at.y), ends(at.z));
        let (sign, per_length) = ([-1.0, 1.0], 1.0 / (node.high - node.low));
        let (mut sum, mut gradient) = (0.0, DVec3::ZERO);
        for (j, c) in node.corners.iter().enumerate() {
            let (i, k, l) = (j & 1, j >> 1 & 1, j >> 2);
            sum += x[i] * y[k] * z[l] * c;
            let slope = DVec3::new(sign[i] * y[k] * z[l], x[i] * sign[k] * z[l], x[i] * y[k] * sign[l]);
            gradient += slope * per_length * *c;
        }
        (sum, gradient)
    }
}
