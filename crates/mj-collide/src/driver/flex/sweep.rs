//! Pairs of boxes that overlap, by sweeping along an axis.

/// Pairs of overlapping boxes, and memory to find them.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    /// Pairs, in the order in which they were found.
    pub pairs: Vec<[u32; 2]>,
    /// Ends of boxes along the axis: the place, the box, and whether it is the far end.
    ends: Vec<(f32, u32, bool)>,
    open: Vec<u32>,
    more_open: Vec<u32>,
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

fn overlap(a: &[f64; 6], b: &[f64; 6], k: usize, margin: f64) -> bool {
    a[k] - a[k + 3] <= b[k] + b[k + 3] + margin && b[k] - b[k + 3] <= a[k] + a[k + 3] + margin
}

impl Sweep {
    /// Finds pairs among active boxes, in the order in which the second of each begins along an axis.
    pub fn within(&mut self, boxes: &[[f64; 6]], axis: usize, active: impl Fn(usize) -> bool) {
        self.pairs.clear();
        self.open.clear();
        self.ends.clear();
        for (e, b) in boxes.iter().enumerate().filter(|(e, _)| active(*e)) {
            self.ends.push(((b[axis] - b[axis + 3]) as f32, e as u32, false));
            self.ends.push(((b[axis] + b[axis + 3]) as f32, e as u32, true));
        }
        self.ends.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let others = [(axis + 1) % 3, (axis + 2) % 3];
        for &(_, e, far) in &self.ends {
            if far {
                self.open.retain(|&o| o != e);
                continue;
            }
            let b = &boxes[e as usize];
            for &o in &self.open {
                if others.iter().all(|&k| overlap(&boxes[o as usize], b, k, 0.0)) {
                    self.pairs.push([o, e]);
                }
            }
            self.open.push(e);
        }
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
        let Self { pairs, ends, open, more_open } = self;
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
