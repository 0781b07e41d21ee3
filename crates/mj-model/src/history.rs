//! Histories of controls and sensor readings: rings of timed samples in `State::history`.
//!
//! A ring of n samples of d numbers each lies there as a mark (for a sensor with an interval, when
//! it was last read), the place of the newest sample, n times, and n·d values. Times ascend from the
//! sample after the newest around to the newest.

use crate::Model;
use crate::ids::*;

/// Times nearer to each other than this are one.
const SAME_TIME: f64 = mj_math::MINVAL;

/// Where a ring lies and how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Address in `State::history`.
    pub adr: usize,
    /// Number of samples.
    pub nsample: usize,
    /// Numbers a sample.
    pub dim: usize,
}

impl Ring {
    /// Numbers that a ring takes up.
    pub const fn size(nsample: usize, dim: usize) -> usize {
        2 + nsample * (1 + dim)
    }

    /// Ring of an actuator's controls.
    #[inline]
    pub fn of_actuator(m: &Model, a: ActuatorId) -> Option<Self> {
        Self::new(m.actuator.historyadr[a], m.actuator.history[a][0], m.actuator.ctrlnum[a] as usize)
    }

    /// Ring of a sensor.
    #[inline]
    pub fn of_sensor(m: &Model, s: SensorId) -> Option<Self> {
        Self::new(m.sensor.historyadr[s], m.sensor.history[s][0], m.sensor.dim[s] as usize)
    }

    #[inline]
    fn new(adr: i32, nsample: i32, dim: usize) -> Option<Self> {
        let (adr, nsample) = (usize::try_from(adr).ok()?, usize::try_from(nsample).ok()?);
        (nsample > 0).then_some(Self { adr, nsample, dim })
    }

    /// Fills the ring with zeros at `time(0)`, `time(1)`, …, which must ascend.
    pub fn reset(self, history: &mut [f64], mark: f64, time: impl Fn(usize) -> f64) {
        let ring = &mut history[self.adr..self.adr + Self::size(self.nsample, self.dim)];
        ring.fill(0.0);
        ring[0] = mark;
        ring[1] = (self.nsample - 1) as f64;
        for (i, t) in ring[2..2 + self.nsample].iter_mut().enumerate() {
            *t = time(i);
        }
    }

    /// Fills the ring with samples, the oldest first, at the given times or those that it has; and sets the mark if one is
    /// given. Missing numbers count as zero.
    pub fn fill(self, history: &mut [f64], mark: Option<f64>, times: Option<&[f64]>, samples: &[f64]) {
        let order = self.order(history);
        let kept: Vec<f64> = (0..self.nsample).map(|i| history[order.time(i)]).collect();
        let times = times.unwrap_or(&kept);
        let ring = &mut history[self.adr..self.adr + Self::size(self.nsample, self.dim)];
        ring[0] = mark.unwrap_or(ring[0]);
        ring[1] = (self.nsample - 1) as f64;
        let numbers = times.iter().chain(samples).copied().chain(std::iter::repeat(0.0));
        ring[2..].iter_mut().zip(numbers).for_each(|(to, from)| *to = from);
    }

    /// The mark.
    #[inline]
    pub fn mark(self, history: &mut [f64]) -> &mut f64 {
        &mut history[self.adr]
    }

    /// Value at time `t`: the last sample at or before it (`interp` 0), on the line between its
    /// neighbours (1), or on a cubic through them with Catmull-Rom slopes (2). Outside the samples,
    /// the nearest.
    pub fn read(self, history: &[f64], t: f64, interp: i32, out: &mut [f64]) {
        self.read_from(0, history, t, interp, out);
    }

    /// Values at time `t` of the numbers `first`, `first` + 1, … of a sample, as many as `out` holds, as [`read`](Self::read)
    /// finds them.
    pub fn read_from(self, first: usize, history: &[f64], t: f64, interp: i32, out: &mut [f64]) {
        let n = self.nsample;
        let order = self.order(history);
        let len = out.len();
        let sample = |i: usize| {
            let at = order.values(i) + first;
            &history[at..at + len]
        };
        let time = |i: usize| history[order.time(i)];
        // Times that are not numbers, as a bad time step makes them, count as outside.
        let (after_first, before_last) = (t > time(0) + SAME_TIME, t < time(n - 1) - SAME_TIME);
        if !after_first {
            return out.copy_from_slice(sample(0));
        }
        if !before_last {
            return out.copy_from_slice(sample(n - 1));
        }
        let hi = order.first_at_or_after(history, t);
        if (t - time(hi)).abs() < SAME_TIME {
            return out.copy_from_slice(sample(hi));
        }
        let lo = hi - 1;
        if interp == 0 {
            return out.copy_from_slice(sample(lo));
        }
        let width = time(hi) - time(lo);
        let x = (t - time(lo)) / width;
        let (low, high) = (sample(lo), sample(hi));
        if interp == 1 {
            for ((y, a), b) in out.iter_mut().zip(low).zip(high) {
                *y = a + x * (b - a);
            }
            return;
        }
        // Slopes at both ends; the history goes on flat beyond its ends.
        let before = (lo > 0).then(|| (sample(lo - 1), time(hi) - time(lo - 1)));
        let after = (hi + 1 < n).then(|| (sample(hi + 1), time(hi + 1) - time(lo)));
        let (x2, x3) = (x * x, x * x * x);
        for (k, y) in out.iter_mut().enumerate() {
            let (a, b) = (low[k], high[k]);
            let start = before.map_or(0.0, |(first, span)| (b - first[k]) / span * width);
            let end = after.map_or(0.0, |(last, span)| (last[k] - a) / span * width);
            *y = (2.0 * x3 - 3.0 * x2 + 1.0) * a
                + (x3 - 2.0 * x2 + x) * start
                + (3.0 * x2 - 2.0 * x3) * b
                + (x3 - x2) * end;
        }
    }

    /// Where to write the sample of time `t`: that of the same time if there is one, else one that
    /// takes the oldest's place.
    pub fn slot(self, history: &mut [f64], t: f64) -> &mut [f64] {
        let n = self.nsample;
        let mut order = self.order(history);
        let i = if t > history[order.time(n - 1)] { n } else { order.first_at_or_after(history, t) };
        let same = i < n && (t - history[order.time(i)]).abs() < SAME_TIME;
        let place = if same {
            i
        } else {
            if i == n {
                // The oldest becomes the newest.
                history[self.adr + 1] = order.oldest as f64;
                order.oldest = order.place(1);
            } else {
                // Older ones move down by one, over the oldest.
                for j in 1..i {
                    history[order.time(j - 1)] = history[order.time(j)];
                    let (from, to) = (order.values(j), order.values(j - 1));
                    history.copy_within(from..from + self.dim, to);
                }
            }
            let place = i.saturating_sub(1);
            history[order.time(place)] = t;
            place
        };
        let at = order.values(place);
        &mut history[at..at + self.dim]
    }

    /// The order of its samples. A cursor that is out of range, as a state from elsewhere may hold, is taken around
    /// the ring.
    #[inline]
    fn order(self, history: &[f64]) -> Order {
        let newest = history[self.adr + 1] as usize;
        let newest = if newest < self.nsample { newest } else { newest % self.nsample };
        Order { ring: self, oldest: if newest + 1 < self.nsample { newest + 1 } else { 0 } }
    }
}

/// A ring and the place of its oldest sample: samples are counted from there.
#[derive(Clone, Copy)]
struct Order {
    ring: Ring,
    oldest: usize,
}

impl Order {
    /// First sample whose time is at least `t`; the last if there is none.
    #[inline]
    fn first_at_or_after(self, history: &[f64], t: f64) -> usize {
        let (mut lo, mut hi) = (0, self.ring.nsample - 1);
        while lo < hi {
            let mid = (lo + hi) / 2;
            if history[self.time(mid)] < t {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        lo
    }

    /// Place in the ring of sample `i`, up to the ring's size.
    #[inline]
    fn place(self, i: usize) -> usize {
        let place = self.oldest + i;
        if place < self.ring.nsample { place } else { place - self.ring.nsample }
    }

    #[inline]
    fn time(self, i: usize) -> usize {
        self.ring.adr + 2 + self.place(i)
    }

    #[inline]
    fn values(self, i: usize) -> usize {
        self.ring.adr + 2 + self.ring.nsample + self.place(i) * self.ring.dim
    }
}

/// Makes all histories empty: zeros at the time steps before the start or, for sensors with an
/// interval, at the times at which these would have been read.
pub fn reset(m: &Model, history: &mut [f64]) {
    let h = m.opt.timestep;
    for a in m.actuator.ids() {
        if let Some(ring) = Ring::of_actuator(m, a) {
            ring.reset(history, 0.0, |i| -((ring.nsample - i) as f64) * h);
        }
    }
    for s in m.sensor.ids() {
        let Some(ring) = Ring::of_sensor(m, s) else { continue };
        let n = ring.nsample;
        let [period, phase] = m.sensor.interval[s];
        if period > 0.0 {
            let last = if phase == 0.0 { -period } else { phase };
            // Readings happen at the first time step after they are due.
            ring.reset(history, last, |i| ((last - (n - 1 - i) as f64 * period) / h).ceil() * h);
        } else {
            ring.reset(history, -h, |i| -((n - i) as f64) * h);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RING: Ring = Ring { adr: 3, nsample: 4, dim: 2 };

    /// A ring with samples of f(t) = (t, 10 + t) at 0, 1, 2, 3.
    fn filled() -> Vec<f64> {
        let mut h = vec![0.0; 3 + Ring::size(4, 2)];
        RING.reset(&mut h, -1.0, |i| i as f64 - 4.0);
        for t in 0..4 {
            RING.slot(&mut h, f64::from(t)).copy_from_slice(&[f64::from(t), 10.0 + f64::from(t)]);
        }
        h
    }

    fn read(h: &[f64], t: f64, interp: i32) -> [f64; 2] {
        let mut out = [0.0; 2];
        RING.read(h, t, interp, &mut out);
        out
    }

    #[test]
    fn samples_come_back_and_between_them_interpolation() {
        let h = filled();
        assert_eq!(read(&h, 1.0, 2), [1.0, 11.0]);
        assert_eq!(read(&h, 1.7, 0), [1.0, 11.0]);
        assert_eq!(read(&h, 1.5, 1), [1.5, 11.5]);
        // A cubic with Catmull-Rom slopes is exact on lines.
        assert!((read(&h, 1.3, 2)[0] - 1.3).abs() < 1e-12);
        assert_eq!(read(&h, -9.0, 1), [0.0, 10.0]);
        assert_eq!(read(&h, 9.0, 1), [3.0, 13.0]);
    }

    #[test]
    fn a_sample_replaces_that_of_its_time_or_the_oldest() {
        let mut h = filled();
        RING.slot(&mut h, 2.0).fill(7.0);
        assert_eq!(read(&h, 2.0, 0), [7.0; 2]);
        assert_eq!(read(&h, 0.0, 0), [0.0, 10.0]);
        RING.slot(&mut h, 1.5).fill(8.0);
        assert_eq!(read(&h, 0.0, 0), [1.0, 11.0]);
        assert_eq!(read(&h, 1.6, 0), [8.0; 2]);
        // Older than all: takes the oldest's place.
        RING.slot(&mut h, -5.0).fill(9.0);
        assert_eq!(read(&h, -6.0, 0), [9.0; 2]);
        assert_eq!(h[..3], [0.0; 3]);
    }

    proptest! {
        /// A state from elsewhere may hold any numbers.
        #[test]
        fn any_numbers_can_be_read_and_written(
            mut h in prop::collection::vec(prop::num::f64::ANY, 3 + Ring::size(4, 2)),
            t in prop::num::f64::ANY,
            interp in 0..3,
        ) {
            let mut out = [0.0; 2];
            for t in [t, h[6]] {
                RING.read(&h, t, interp, &mut out);
                prop_assert_eq!(RING.slot(&mut h, t).len(), 2);
            }
        }

        /// Whatever the order in which they come, the newest stay, in order of time.
        #[test]
        fn the_newest_stay(times in prop::collection::vec(0u32..1000, 1..30)) {
            let mut h = filled();
            let mut kept: Vec<f64> = vec![0.0, 1.0, 2.0, 3.0];
            for t in times {
                let t = 10.0 + f64::from(t);
                RING.slot(&mut h, t).fill(t);
                if !kept.contains(&t) {
                    // One that is older than all takes the oldest's place too.
                    kept[0] = t;
                    kept.sort_by(f64::total_cmp);
                }
            }
            for (i, t) in kept.iter().enumerate() {
                prop_assert_eq!(h[RING.order(&h).time(i)], *t);
            }
        }
    }
}
