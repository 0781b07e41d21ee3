//! A tree of boxes over the triangles of a mesh, down to single triangles.

use mj_math::DVec3;

/// Lengths that differ by less are taken as equal, m.
const EQUAL: f64 = 1e-14;
/// Levels that a search looks at.
const DEPTH: usize = 64;

/// A box of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    centre: DVec3,
    half: DVec3,
    /// The first child of a box; the second is `other`. Of a leaf, its triangle.
    first: u32,
    /// The second child; 0 marks a leaf.
    other: u32,
}

/// Bounding-volume hierarchy over triangles: each box is divided at the median of the centres of the triangles' circumscribed
/// circles along its longest side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaceTree {
    nodes: Vec<Node>,
    faces: Vec<[DVec3; 3]>,
}

impl FaceTree {
    /// Makes the tree over these triangles.
    pub fn new(faces: Vec<[DVec3; 3]>) -> Self {
        let centres: Vec<DVec3> = faces.iter().map(circumcentre).collect();
        let mut tree = Self { nodes: Vec::with_capacity(2 * faces.len()), faces };
        let mut items: Vec<u32> = (0..tree.faces.len() as u32).collect();
        if !items.is_empty() {
            tree.divide(&mut items, &centres);
        }
        tree
    }

    /// Makes the node of these triangles; returns its number.
    fn divide(&mut self, items: &mut [u32], centres: &[DVec3]) -> u32 {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for corner in items.iter().flat_map(|&i| self.faces[i as usize]) {
            (low, high) = (low.min(corner), high.max(corner));
        }
        let flat = (high - low).abs().cmplt(DVec3::splat(EQUAL));
        (low, high) = (DVec3::select(flat, low - EQUAL, low), DVec3::select(flat, high + EQUAL, high));
        let number = self.nodes.len();
        let leaf = Node { centre: (high + low) / 2.0, half: (high - low) / 2.0, first: items[0], other: 0 };
        self.nodes.push(leaf);
        if items.len() == 1 {
            return number as u32;
        }
        let side = high - low;
        let mut axis = usize::from(side.y >= side.x + EQUAL);
        if side.z >= side[axis] + EQUAL {
            axis = 2;
        }
        let half = items.len() / 2;
        let at = |i: u32| centres[i as usize][axis];
        items.sort_unstable_by(|&a, &b| at(a).total_cmp(&at(b)).then(a.cmp(&b)));
        // Those that are equal but for rounding are in the order of their numbers.
        items.chunk_by_mut(|&a, &b| at(b) - at(a) <= EQUAL).for_each(<[u32]>::sort_unstable);
        let (left, right) = items.split_at_mut(half);
        let first = self.divide(left, centres);
        let other = self.divide(right, centres);
        (self.nodes[number].first, self.nodes[number].other) = (first, other);
        number as u32
    }

    /// Returns the triangles.
    pub fn faces(&self) -> &[[DVec3; 3]] {
        &self.faces
    }

    /// Calls `visit` with the triangles in boxes that are not refused by `near`, which is given their centres and half
    /// sizes; the second part of a box comes first. Stops when `visit` returns false.
    pub(crate) fn search(&self, near: impl Fn(DVec3, DVec3) -> bool, mut visit: impl FnMut(&[DVec3; 3]) -> bool) {
        let mut stack = [0u32; DEPTH];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let node = &self.nodes[stack[depth] as usize];
            if !near(node.centre, node.half) {
                continue;
            }
            if node.other == 0 {
                if !visit(&self.faces[node.first as usize]) {
                    return;
                }
                continue;
            }
            for child in [node.first, node.other] {
                if depth < DEPTH {
                    stack[depth] = child;
                    depth += 1;
                }
            }
        }
    }

    /// Computes the signed distance of a point from the triangles: that of the nearest point of any, negative where it lies
    /// behind the triangle. Triangles are counter-clockwise from outside.
    pub fn signed_distance(&self, p: DVec3) -> f64 {
        let mut best = (f64::INFINITY, 0, DVec3::ZERO);
        if self.nodes.is_empty() {
            return 0.0;
        }
        self.nearest(0, p, &mut best);
        let (square, face, at) = best;
        let dist = square.sqrt();
        let [a, b, c] = self.faces[face];
        let normal = (b - a).cross(c - a);
        if (p - at).dot(normal) > 1e-12 * normal.length() * dist { dist } else { -dist }
    }

    /// Improves the nearest point by those in a node.
    fn nearest(&self, node: u32, p: DVec3, best: &mut (f64, usize, DVec3)) {
        let Node { centre, half, first, other } = self.nodes[node as usize];
        let out = ((p - centre).abs() - half).max(DVec3::ZERO);
        if out.length_squared() >= best.0 {
            return;
        }
        if other == 0 {
            let at = nearest_point(p, &self.faces[first as usize]);
            let square = (p - at).length_squared();
            if square < best.0 {
                *best = (square, first as usize, at);
            }
            return;
        }
        self.nearest(first, p, best);
        self.nearest(other, p, best);
    }
}

/// Centre of the circle through a triangle's corners; no number for a triangle without area.
fn circumcentre(&[p, q, r]: &[DVec3; 3]) -> DVec3 {
    let (a, b) = (p - r, q - r);
    let normal = a.cross(b);
    let area = normal.length();
    (b * a.dot(a) - a * b.dot(b)).cross(normal) / (2.0 * area * area) + r
}

/// The point of a triangle that is nearest to a point, by the Voronoi regions of its corners and sides (Ericson 2005, 5.1.5).
fn nearest_point(p: DVec3, &[a, b, c]: &[DVec3; 3]) -> DVec3 {
    let (ab, ac) = (b - a, c - a);
    let (ap, bp, cp) = (p - a, p - b, p - c);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let denominator = 1.0 / (va + vb + vc);
    a + ab * (vb * denominator) + ac * (vc * denominator)
}
