//! Octrees of signed distances around meshes: fine where triangles are, with samples at the corners of all nodes.

use mj_collide::FaceTree;
use mj_math::DVec3;
use std::collections::HashMap;

/// Share of the mesh's box by which the root is larger.
const ROOM: f64 = 1.1;
/// Coordinates that differ by less are equal, m.
const EQUAL: f64 = 1e-9;
/// The most nodes of one octree.
const MOST: usize = 1 << 22;

/// A node: its box, its place in the tree, the samples at its corners.
#[derive(Clone, Debug)]
struct Node {
    low: DVec3,
    high: DVec3,
    level: i32,
    parent: Option<usize>,
    slot: usize,
    children: Option<usize>,
    corner: [usize; 8],
}

/// An octree as it is written into the model, node by node.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OctreeBuild {
    pub depth: Vec<i32>,
    pub child: Vec<[i32; 8]>,
    pub aabb: Vec<[f64; 6]>,
    pub coeff: Vec<[f64; 8]>,
}

/// Nodes with the points at their corners, each once.
#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    points: Vec<DVec3>,
    known: HashMap<[u64; 3], usize>,
}

/// Whether bit `k` of a corner's number is set: whether it is at the greater end of the axis.
fn bit(corner: usize, k: usize) -> bool {
    corner >> k & 1 == 1
}

/// The corner of a box.
fn corner_of(low: DVec3, high: DVec3, corner: usize) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|k| if bit(corner, k) { high[k] } else { low[k] }))
}

/// Builds the octree over triangles with this box, divided to a depth where there are triangles.
pub(crate) fn build(faces: Vec<[DVec3; 3]>, [low, high]: [DVec3; 2], depth: i32) -> Result<OctreeBuild, String> {
    let (centre, half) = ((low + high) / 2.0, (high - low) / 2.0);
    let mut b = Builder::default();
    b.add(centre - ROOM * half, centre + ROOM * half, 0, None, 0);
    let all: Vec<u32> = (0..faces.len() as u32).collect();
    let mut queue = std::collections::VecDeque::from([(0, std::rc::Rc::new(all))]);
    while let Some((node, near)) = queue.pop_front() {
        let (low, high) = (b.nodes[node].low, b.nodes[node].high);
        let touching: Vec<u32> = near.iter().copied().filter(|&f| touches(&faces[f as usize], low, high)).collect();
        if touching.is_empty() || b.nodes[node].level >= depth {
            continue;
        }
        let touching = std::rc::Rc::new(touching);
        let first = b.divide(node)?;
        queue.extend((first..first + 8).map(|child| (child, touching.clone())));
    }
    b.balance()?;
    let between = b.interpolated();
    let tree = FaceTree::new(faces);
    Ok(b.finish(&between, &tree))
}

impl Builder {
    fn add(&mut self, low: DVec3, high: DVec3, level: i32, parent: Option<usize>, slot: usize) {
        let corner = std::array::from_fn(|j| {
            let p = corner_of(low, high, j);
            // Adding zero makes one zero of both.
            *self.known.entry(p.to_array().map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                self.points.push(p);
                self.points.len() - 1
            })
        });
        self.nodes.push(Node { low, high, level, parent, slot, children: None, corner });
    }

    /// Adds the eight children of a node; returns the first.
    fn divide(&mut self, node: usize) -> Result<usize, String> {
        let first = self.nodes.len();
        if first > MOST {
            return Err("its octree has too many nodes: make `octree_maxdepth` less".into());
        }
        let Node { low, high, level, .. } = self.nodes[node];
        let middle = (high + low) / 2.0;
        for slot in 0..8 {
            self.add(corner_of(low, middle, slot), corner_of(middle, high, slot), level + 1, Some(node), slot);
        }
        self.nodes[node].children = Some(first);
        Ok(first)
    }

    /// The node beyond a side: the leaf at the middle of the side, or the ancestor's leaf that is there. Sides are two an axis,
    /// the lesser first.
    fn neighbour(&self, node: usize, side: usize) -> Option<usize> {
        let (axis, upper) = (side / 2, side % 2 == 1);
        let mut at = node;
        let mut found = loop {
            let Node { parent, slot, .. } = self.nodes[at];
            let parent = parent?;
            if bit(slot, axis) != upper {
                break self.nodes[parent].children? + (slot ^ 1 << axis);
            }
            at = parent;
        };
        let middle = |n: &Node| (n.low + n.high) / 2.0;
        let here = middle(&self.nodes[node]);
        while let Some(children) = self.nodes[found].children {
            let there = middle(&self.nodes[found]);
            let mut slot = (0..3).fold(0, |slot, k| slot | usize::from(here[k] > there[k]) << k);
            slot = slot & !(1 << axis) | usize::from(!upper) << axis;
            found = children + slot;
        }
        Some(found)
    }

    /// Divides leaves until neighbours differ by one level at most.
    fn balance(&mut self) -> Result<(), String> {
        loop {
            let mut coarse = Vec::new();
            for leaf in (0..self.nodes.len()).filter(|&n| self.nodes[n].children.is_none()) {
                for other in (0..6).filter_map(|side| self.neighbour(leaf, side)) {
                    let (own, level) = (self.nodes[leaf].level, self.nodes[other].level);
                    if level > own + 1 {
                        coarse.push(leaf);
                    }
                    if own > level + 1 {
                        coarse.push(other);
                    }
                }
            }
            if coarse.is_empty() {
                return Ok(());
            }
            for node in coarse {
                if self.nodes[node].children.is_none() {
                    self.divide(node)?;
                }
            }
        }
    }

    /// For each point that lies inside a side or an edge of a coarser leaf, the corners of that leaf between which it is: its
    /// sample follows from theirs, so that the field is continuous.
    fn interpolated(&self) -> Vec<Vec<usize>> {
        let mut between = vec![Vec::new(); self.points.len()];
        for leaf in self.nodes.iter().enumerate().filter(|(_, n)| n.children.is_none()).map(|(i, _)| i) {
            for side in 0..6 {
                let Some(other) = self.neighbour(leaf, side).map(|n| &self.nodes[n]) else { continue };
                if other.level >= self.nodes[leaf].level {
                    continue;
                }
                let (axis, upper) = (side / 2, side % 2);
                for i in 0..4 {
                    let corner = upper << axis | (i & 1) << ((axis + 1) % 3) | (i >> 1) << ((axis + 2) % 3);
                    let point = self.nodes[leaf].corner[corner];
                    if between[point].is_empty() {
                        between[point] = around(other, self.points[point]);
                    }
                }
            }
        }
        between
    }

    /// Samples the distance at all points and writes the nodes.
    fn finish(&self, between: &[Vec<usize>], tree: &FaceTree) -> OctreeBuild {
        let mut sample = vec![None; self.points.len()];
        // Parents come before their children here too, so that most corners of coarser leaves are known.
        for node in self.by_level() {
            for point in self.nodes[node].corner {
                if sample[point].is_some() {
                    continue;
                }
                let of = &between[point];
                sample[point] = Some(if of.is_empty() {
                    tree.signed_distance(self.points[point])
                } else {
                    of.iter().map(|&p| sample[p].unwrap_or(0.0)).sum::<f64>() / of.len() as f64
                });
            }
        }
        let mut out = OctreeBuild::default();
        for n in &self.nodes {
            let (centre, half) = ((n.low + n.high) / 2.0, (n.high - n.low) / 2.0);
            out.depth.push(n.level);
            out.child.push(n.children.map_or([-1; 8], |first| std::array::from_fn(|j| (first + j) as i32)));
            out.aabb.push([centre.x, centre.y, centre.z, half.x, half.y, half.z]);
            out.coeff.push(n.corner.map(|p| sample[p].unwrap_or(0.0)));
        }
        out
    }

    /// Nodes level by level.
    fn by_level(&self) -> Vec<usize> {
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            order.extend(self.nodes[node].children.into_iter().flat_map(|first| first..first + 8));
        }
        order
    }
}

/// The corners of a node's edge or side in which a point lies; none where it is at a corner.
fn around(node: &Node, p: DVec3) -> Vec<usize> {
    let at = |k: usize| [node.low, node.high].map(|end| (p[k] - end[k]).abs() < EQUAL);
    let free: Vec<usize> = (0..3).filter(|&k| at(k) == [false, false]).collect();
    let fixed = (0..3).fold(0, |corner, k| corner | usize::from(at(k)[1]) << k);
    match free[..] {
        [k] => [fixed, fixed | 1 << k].map(|c| node.corner[c]).to_vec(),
        [_, _] => {
            let axis = (0..3).find(|k| !free.contains(k)).unwrap_or(0);
            let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
            (0..4).map(|j| node.corner[fixed | (j & 1) << a | (j >> 1) << b]).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a triangle and a box have a point in common (Schwarz and Seidel 2010).
fn touches(t: &[DVec3; 3], low: DVec3, high: DVec3) -> bool {
    let (least, most) = (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]));
    if most.cmplt(low).any() || least.cmpgt(high).any() {
        return false;
    }
    let edge = [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let normal = edge[0].cross(edge[1]);
    let size = high - low;
    // The corners farthest along the normal and against it.
    let far = DVec3::select(normal.cmpgt(DVec3::ZERO), size, DVec3::ZERO);
    let height = |corner: DVec3| normal.dot(low) + normal.dot(corner - t[0]);
    if height(far) * height(size - far) > 0.0 {
        return false;
    }
    (0..3).all(|a| {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let sign = if normal[a] >= 0.0 { 1.0 } else { -1.0 };
        (0..3).all(|i| {
            let across = [-edge[i][c] * sign, edge[i][b] * sign];
            let offset = -(across[0] * t[i][b] + across[1] * t[i][c])
                + (size[b] * across[0]).max(0.0)
                + (size[c] * across[1]).max(0.0);
            across[0] * low[b] + across[1] * low[c] + offset >= 0.0
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triangles of a box.
    fn cuboid(half: DVec3) -> Vec<[DVec3; 3]> {
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let corner = |j: usize| corner_of(-half, half, j);
        quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).map(|f| f.map(corner)).collect()
    }

    #[test]
    fn neighbours_differ_by_one_level_and_samples_are_distances() {
        let half = DVec3::new(0.5, 0.3, 0.2);
        let tree = build(cuboid(half), [-half, half], 5).unwrap();
        assert_eq!(tree.depth.iter().max(), Some(&5));
        assert_eq!(tree.aabb[0][3], 0.55);
        let (mut exact, mut all) = (0, 0);
        for (b, c) in tree.aabb.iter().zip(&tree.coeff) {
            let (centre, size) = (DVec3::from_slice(b), DVec3::from_slice(&b[3..]));
            for (j, &d) in c.iter().enumerate() {
                let p = corner_of(centre - size, centre + size, j);
                let out = p.abs() - half;
                let want = out.max(DVec3::ZERO).length() + out.max_element().min(0.0);
                all += 1;
                exact += usize::from((d - want).abs() < 1e-9);
                assert!((d - want).abs() < 0.1, "{p} {d} {want}");
            }
        }
        assert!(exact * 10 > all * 8, "{exact} of {all}");
    }
}
