//! Pairs of boxes that overlap, by sweeping along an axis; elements that are surely apart.

use mj_math::DVec3;

/// Pairs of overlapping boxes, and memory to find them.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    /// Pairs, in the order in which they were found.
    pub pairs: Vec<[u32; 2]>,
    /// Ends of boxes along the axis: the place, the box, and whether it is the far end.
    ends: Vec<(f32, u32, bool)>,
    open: Vec<u32>,
    more_open: Vec<u32>,
    /// For boxes of one list: ends in their order, the place of each box's far end, and boxes passed and not ended.
    keys: Vec<u64>,
    last: Vec<u32>,
    passed: Vec<Passed>,
}

/// A box that the sweep has passed the near end of.
#[derive(Clone, Copy, Debug, Default)]
struct Passed {
    /// Ends along the two other axes.
    low: [f64; 2],
    high: [f64; 2],
    /// Place of its far end among all ends.
    last: u32,
    number: u32,
}

/// A number's bits, in the order of numbers.
fn ordered(x: f32) -> u32 {
    let bits = x.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Axis along which the active boxes together are longest.
pub(super) fn axis_of(boxes: &[[f64; 6]], active: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for (_, b) in boxes.iter().enumerate().filter(|(e, _)| active(*e)) {
        for k in 0..3 {
            low[k] = low[k].min(b[k] - b[k + 3]);
            high[k] = high[k].max(b[k] + b[k + 3]);
        }
    }
    let size = [0, 1, 2].map(|k| high[k] - low[k]);
    if size[0] > size[1] && size[0] > size[2] {
        0
    } else if size[1] > size[2] {
        1
    } else {
        2
    }
}

/// Most directions along which [`separated`] looks.
const DIRECTIONS: usize = 4;

/// Whether the hulls of points are farther apart than a distance, along one of few directions that turn towards that of
/// the nearest points (Gilbert, "An iterative procedure for computing the minimum of a quadratic form on a convex set",
/// 1966). If not, it is not known.
pub(super) fn separated(a: &[DVec3; 4], b: &[DVec3; 4], distance: f64) -> bool {
    let mut between = 0.25 * (b[0] + b[1] + b[2] + b[3] - (a[0] + a[1] + a[2] + a[3]));
    for _ in 0..DIRECTIONS {
        let (high, last) = farthest(a, between);
        let (low, first) = farthest(b, -between);
        if -low - high > distance * between.length() {
            return true;
        }
        let step = first - last - between;
        between += step * (-between.dot(step) / step.length_squared()).clamp(0.0, 1.0);
    }
    false
}

/// The farthest of points along a direction, and how far it is.
#[inline(always)]
fn farthest(points: &[DVec3; 4], direction: DVec3) -> (f64, DVec3) {
    let mut best = (points[0].dot(direction), 0);
    for i in 1..4 {
        let far = points[i].dot(direction);
        best = if far > best.0 { (far, i) } else { best };
    }
    (best.0, points[best.1])
}

fn overlap(a: &[f64; 6], b: &[f64; 6], k: usize, margin: f64) -> bool {
    a[k] - a[k + 3] <= b[k] + b[k + 3] + margin && b[k] - b[k + 3] <= a[k] + a[k + 3] + margin
}

impl Sweep {
    /// Finds pairs among active boxes, in the order in which the second of each begins along an axis.
    pub fn within(&mut self, boxes: &[[f64; 6]], axis: usize, active: impl Fn(usize) -> bool) {
        let Self { pairs, keys, last, passed, .. } = self;
        keys.clear();
        for (e, b) in boxes.iter().enumerate().filter(|(e, _)| active(*e)) {
            for (at, far) in [(b[axis] - b[axis + 3], 0), (b[axis] + b[axis + 3], 1)] {
                keys.push(u64::from(ordered(at as f32)) << 32 | (e as u64) << 1 | far);
            }
        }
        keys.sort_unstable();
        let end = |key: u64| ((key as u32 >> 1) as usize, key & 1 == 1);
        last.resize(boxes.len(), 0);
        for (place, &key) in keys.iter().enumerate() {
            // The far end, which comes after the near one or beside it.
            let (e, far) = end(key);
            if far {
                last[e] = place as u32;
            }
        }
        let others = [(axis + 1) % 3, (axis + 2) % 3];
        let (mut open, mut found) = (0, 0);
        for (place, &key) in keys.iter().enumerate() {
            let (e, far) = end(key);
            if far {
                continue;
            }
            let b = &boxes[e];
            let own = Passed {
                low: others.map(|k| b[k] - b[k + 3]),
                high: others.map(|k| b[k] + b[k + 3]),
                last: last[e],
                number: e as u32,
            };
            if passed.len() <= open {
                passed.resize(open + 1, own);
            }
            if pairs.len() < found + open {
                pairs.resize(found + open, [0; 2]);
            }
            // Nothing branches on which boxes overlap: it can't be predicted.
            let mut kept = 0;
            for i in 0..open {
                let o = passed[i];
                passed[kept] = o;
                let lasts = o.last > place as u32;
                kept += usize::from(lasts);
                let along = |k: usize| (o.low[k] <= own.high[k]) & (own.low[k] <= o.high[k]);
                pairs[found] = [o.number, own.number];
                found += usize::from(lasts & along(0) & along(1));
            }
            passed[kept] = own;
            open = kept + 1;
        }
        pairs.truncate(found);
    }

    /// Finds pairs among active boxes, in their order.
    pub fn all(&mut self, boxes: &[[f64; 6]], active: impl Fn(usize) -> bool) {
        self.pairs.clear();
        for a in (0..boxes.len()).filter(|&e| active(e)) {
            let near = |b: &usize| active(*b) && (0..3).all(|k| overlap(&boxes[a], &boxes[*b], k, 0.0));
            self.pairs.extend((a + 1..boxes.len()).filter(near).map(|b| [a as u32, b as u32]));
        }
    }

    /// Finds pairs of active boxes of two lists within a margin, in the order of the first list, then the second.
    pub fn between(
        &mut self,
        first: &[[f64; 6]],
        second: &[[f64; 6]],
        margin: f64,
        active1: impl Fn(usize) -> bool,
        active2: impl Fn(usize) -> bool,
    ) {
        self.pairs.clear();
        self.ends.clear();
        self.open.clear();
        self.more_open.clear();
        let axis = axis_of(first, &active1);
        let n = first.len() as u32;
        let slack = 0.5 * margin;
        let lists = first.iter().enumerate().filter(|(e, _)| active1(*e)).map(|(e, b)| (e as u32, b));
        let more = second.iter().enumerate().filter(|(e, _)| active2(*e)).map(|(e, b)| (n + e as u32, b));
        for (e, b) in lists.chain(more) {
            // Outwards, so that rounding loses none.
            let ends = [b[axis] - b[axis + 3] - slack, b[axis] + b[axis + 3] + slack];
            self.ends.push(((ends[0] as f32).next_down(), e, false));
            self.ends.push(((ends[1] as f32).next_up(), e, true));
        }
        self.ends.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        let Self { pairs, ends, open, more_open, .. } = self;
        for &(_, e, far) in &*ends {
            let (own, others) = if e < n { (&mut *open, &*more_open) } else { (&mut *more_open, &*open) };
            if far {
                own.retain(|&o| o != e);
                continue;
            }
            for &o in others {
                let (a, b) = (e.min(o), e.max(o) - n);
                let (x, y) = (&first[a as usize], &second[b as usize]);
                if (0..3).all(|k| overlap(x, y, k, margin)) {
                    pairs.push([a, b]);
                }
            }
            own.push(e);
        }
        self.pairs.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_math::closest::{on_triangle, point};
    use proptest::prelude::*;

    fn vec3(range: f64) -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-range..range).prop_map(DVec3::from_array)
    }

    proptest! {
        /// The sweep finds what a look at all pairs finds, in the order in which the second of each begins.
        #[test]
        fn the_sweep_finds_all_pairs(places in prop::collection::vec(vec3(1.0), 0..40), size in 0.05..0.6f64, axis in 0..3usize) {
            // Single precision has these ends exactly.
            let round = |x: f64| (x * 64.0).round() / 64.0;
            let size = round(size);
            let boxes: Vec<_> = places.iter().map(|p| [round(p.x), round(p.y), round(p.z), size, size, 2.0 * size]).collect();
            let active = |e: usize| e % 7 != 3;
            let (mut swept, mut all) = (Sweep::default(), Sweep::default());
            swept.within(&boxes, axis, active);
            all.all(&boxes, active);
            // Boxes that touch alone along the axis may be passed over.
            let near = |[a, b]: [u32; 2]| boxes[a as usize][axis] - boxes[b as usize][axis];
            all.pairs.retain(|&p| near(p).abs() < 2.0 * boxes[0][axis + 3]);
            let begin = |e: u32| boxes[e as usize][axis];
            let order = |p: &[u32; 2]| (begin(p[1]), p[1], begin(p[0]), p[0]);
            prop_assert!(swept.pairs.windows(2).all(|w| order(&w[0]) <= order(&w[1])));
            let mut found = swept.pairs.clone();
            found.iter_mut().for_each(|p| p.sort_unstable());
            found.retain(|&p| near(p).abs() < 2.0 * boxes[0][axis + 3]);
            found.sort_unstable();
            prop_assert_eq!(found, all.pairs);
        }

        /// A distance that was proved is less than that of a point from a triangle; a large one is seen.
        #[test]
        fn separation_is_proved(p in vec3(1.0), t in [vec3(1.0), vec3(1.0), vec3(1.0)], shift in 0.0..3.0f64) {
            let p = p + DVec3::X * shift;
            let dist = (point(&on_triangle(p, t), &t) - p).length();
            let [point, triangle] = [[p; 4], [t[0], t[1], t[2], t[0]]];
            prop_assert!(!separated(&point, &triangle, dist * (1.0 + 1e-9)));
            prop_assert!(!separated(&triangle, &point, dist * (1.0 + 1e-9)));
            prop_assert!(dist < 0.1 || separated(&point, &triangle, 0.2 * dist));
        }
    }
}
