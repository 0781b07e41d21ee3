//! A tree of bounding boxes over things that don't move against each other, for rays.

use mj_math::DVec3;

/// A box with at most this many things isn't divided.
const LEAF: usize = 4;
/// Boxes are this much larger than what they hold, relative to the whole: a hit must not be lost to rounding.
const SLACK: f64 = 1e-12;
/// Deepest tree: every level halves the number of things.
const DEPTH: usize = 64;

/// A tree of boxes; things are known by number.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    items: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    min: DVec3,
    max: DVec3,
    /// Of a leaf the first of its things; of others the first of both children, which are next to each other.
    first: u32,
    /// How many things a leaf has; zero for others.
    count: u32,
}

/// A part of the things, to be divided.
struct Task {
    node: usize,
    from: usize,
    to: usize,
}

impl Tree {
    /// Over things with these boxes, each from its least to its greatest corner. Where it isn't to be `divided`, it is a
    /// single leaf, quick to make.
    pub fn new(boxes: &[[DVec3; 2]], divided: bool) -> Self {
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        let size = boxes.iter().fold(0.0f64, |size, [a, b]| size.max(a.abs().max(b.abs()).max_element()));
        let around = |items: &[u32]| {
            let hull = items.iter().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |hull, &i| {
                let [a, b] = boxes[i as usize];
                [hull[0].min(a), hull[1].max(b)]
            });
            [hull[0] - DVec3::splat(SLACK * size), hull[1] + DVec3::splat(SLACK * size)]
        };
        let [min, max] = around(&items);
        let mut nodes = vec![Node { min, max, first: 0, count: items.len() as u32 }];
        let mut tasks = vec![Task { node: 0, from: 0, to: items.len() }];
        while let Some(Task { node, from, to }) = tasks.pop() {
            if !divided || to - from <= LEAF {
                (nodes[node].first, nodes[node].count) = (from as u32, (to - from) as u32);
                continue;
            }
            // Halves by the middles along the longest side.
            let side = nodes[node].max - nodes[node].min;
            let axis = if side.x >= side.y && side.x >= side.z { 0 } else { 1 + usize::from(side.z > side.y) };
            let middle = |i: &u32| boxes[*i as usize][0][axis] + boxes[*i as usize][1][axis];
            let half = (to - from) / 2;
            items[from..to].select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)));
            let children = nodes.len();
            (nodes[node].first, nodes[node].count) = (children as u32, 0);
            for (k, (from, to)) in [(from, from + half), (from + half, to)].into_iter().enumerate() {
                let [min, max] = around(&items[from..to]);
                nodes.push(Node { min, max, first: 0, count: 0 });
                tasks.push(Task { node: children + k, from, to });
            }
        }
        Self { nodes, items }
    }

    /// The first thing along the ray from `p` in direction `v`, where `hit` gives how far along the ray a thing is met,
    /// with whatever else; of several at the same distance, the one of the least number.
    pub fn first_hit<T>(&self, p: DVec3, v: DVec3, mut hit: impl FnMut(usize) -> Option<(f64, T)>) -> Option<(f64, T)> {
        let inverse = 1.0 / v;
        let mut best: Option<(f64, u32, T)> = None;
        // Boxes that are still to be visited, and where the ray enters them.
        let mut stack = [(0.0, 0); DEPTH];
        stack[0].0 = self.nodes.first()?.entry(p, inverse);
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (entry, i) = stack[depth];
            if entry > best.as_ref().map_or(f64::MAX, |b| b.0) {
                continue;
            }
            let node = &self.nodes[i as usize];
            if node.count > 0 || self.nodes.len() == 1 {
                for &item in &self.items[node.first as usize..(node.first + node.count) as usize] {
                    if let Some((dist, other)) = hit(item as usize)
                        && best.as_ref().is_none_or(|b| (dist, item) < (b.0, b.1))
                    {
                        best = Some((dist, item, other));
                    }
                }
                continue;
            }
            // The nearer child first: it is the last on the stack.
            let [a, b] = [node.first, node.first + 1].map(|i| (self.nodes[i as usize].entry(p, inverse), i));
            let order = if a.0 <= b.0 { [b, a] } else { [a, b] };
            for child in order {
                // A box that the ray misses has no end to its entry.
                if child.0 < f64::INFINITY && depth < DEPTH {
                    stack[depth] = child;
                    depth += 1;
                }
            }
        }
        best.map(|(dist, _, other)| (dist, other))
    }
}

impl Node {
    /// How far along a ray the box begins; infinite where the ray misses it.
    fn entry(&self, p: DVec3, inverse: DVec3) -> f64 {
        let (mut enter, mut leave) = (0.0f64, f64::INFINITY);
        for k in 0..3 {
            // A ray along a side gives no number where it starts on the side; `min` and `max` pass over it.
            let (a, b) = ((self.min[k] - p[k]) * inverse[k], (self.max[k] - p[k]) * inverse[k]);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        if enter <= leave { enter } else { f64::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vec3(r: f64) -> impl Strategy<Value = DVec3> {
        (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    proptest! {
        /// Balls: a tree and a single leaf give the same answer.
        #[test]
        fn the_tree_finds_what_a_search_through_all_finds(
            balls in proptest::collection::vec((vec3(2.0), 0.01..0.3f64), 1..200),
            p in vec3(3.0),
            v in vec3(1.0),
            flat in 0..4usize,
        ) {
            let mut v = v;
            if flat < 3 {
                v[flat] = 0.0;
            }
            prop_assume!(v.length() > 0.1);
            let boxes: Vec<_> =
                balls.iter().map(|&(c, r)| [c - DVec3::splat(r), c + DVec3::splat(r)]).collect();
            let hit = |i: usize| {
                let (c, r) = balls[i];
                let (a, b, q) = (v.length_squared(), v.dot(p - c), (p - c).length_squared() - r * r);
                let root = b * b - a * q;
                let t = (-b - root.max(0.0).sqrt()) / a;
                (root >= 0.0 && t >= 0.0).then_some((t, i))
            };
            let [one, other] = [true, false].map(|divided| Tree::new(&boxes, divided).first_hit(p, v, hit));
            prop_assert_eq!(one, other);
        }
    }

    /// A ray past most of what there is asks about few things, though it hits nothing.
    #[test]
    fn a_ray_that_misses_visits_few_boxes() {
        let boxes: Vec<_> =
            (0..1000).map(|i| [DVec3::X * f64::from(i), DVec3::splat(0.5) + DVec3::X * f64::from(i)]).collect();
        let tree = Tree::new(&boxes, true);
        for (p, most) in [(DVec3::new(500.2, 0.2, -1.0), LEAF), (DVec3::new(500.2, 2.0, -1.0), 0)] {
            let mut asked = 0;
            let hit = tree.first_hit(p, DVec3::Z, |_| {
                asked += 1;
                None::<(f64, ())>
            });
            assert!(hit.is_none() && asked <= most, "{asked}");
        }
    }

    #[test]
    fn nothing_is_hit_where_there_is_nothing() {
        assert_eq!(Tree::new(&[], true).first_hit(DVec3::ZERO, DVec3::X, |_| Some((0.0, ()))), None);
    }
}
