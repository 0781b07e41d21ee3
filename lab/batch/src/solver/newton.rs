//! Newton's method on as many problems as a lane has.

use super::factor::{Columns, add_scaled, add_squares, factor, fill_in, product, solve, triangle};
use super::problem::interval;
use super::slots::Slots;
use super::{Bits, Compact, Pattern};
use crate::lane::Lane;
use mj_problem::RowView;

/// Settings of the solver.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Greatest number of iterations.
    pub iterations: u32,
    /// Greatest improvement that the quadratic model may still predict, times 1/trace(M).
    pub tolerance: f64,
    /// Greatest number of evaluations of one line search.
    pub ls_iterations: u32,
    /// Slope at which a line search ends, by the slope at its start.
    pub ls_tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { iterations: 100, tolerance: 1e-8, ls_iterations: 20, ls_tolerance: 0.01 }
    }
}

/// The problems of one group of worlds, with the solver's vectors.
#[derive(Clone, Debug)]
pub struct Newton<L: Lane> {
    isa: L::Isa,
    n: usize,
    pattern: Pattern,
    slots: Slots,
    /// Classes in use, as bits, their columns, and where their places end in `order`.
    classes: Vec<Bits>,
    ranges: Vec<(Columns, usize)>,
    /// Places in use.
    order: Vec<usize>,
    columns: Vec<Columns>,
    m: Vec<L>,
    qfrc: Vec<L>,
    start: [Vec<L>; 2],
    jac: Vec<L>,
    d: Vec<L>,
    aref: Vec<L>,
    low: Vec<L>,
    high: Vec<L>,
    scale: L,
    /// 1 where a world is at its start, and where it is not finished.
    fresh: L,
    alive: L,
    q: Vec<L>,
    mq: Vec<L>,
    x: Vec<L>,
    step: Vec<L>,
    mstep: Vec<L>,
    jstep: Vec<L>,
    other: Vec<L>,
    h: Vec<L>,
    dinv: Vec<L>,
}

impl<L: Lane> Newton<L> {
    /// Makes memory for problems of one pattern.
    pub fn new(isa: L::Isa, pattern: &Pattern) -> Self {
        let n = pattern.nv;
        let zero = L::splat(isa, 0.0);
        let zeros = |n| vec![zero; n];
        let mut new = Self {
            isa,
            n,
            pattern: pattern.clone(),
            slots: Slots::new(L::WIDTH),
            classes: Vec::new(),
            ranges: Vec::new(),
            order: Vec::new(),
            columns: Vec::new(),
            m: zeros(pattern.colind.len()),
            qfrc: zeros(n),
            start: [zeros(n), zeros(n)],
            jac: Vec::new(),
            d: Vec::new(),
            aref: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
            scale: zero,
            fresh: zero,
            alive: zero,
            q: zeros(n),
            mq: zeros(n),
            x: Vec::new(),
            step: zeros(n),
            mstep: zeros(n),
            jstep: Vec::new(),
            other: Vec::new(),
            h: zeros(n * (n + 1) / 2),
            dinv: zeros(n),
        };
        // A lane without a world solves the problem of unit inertia and no force.
        for i in 0..n {
            new.m[pattern.rowadr[i + 1] - 1] = L::splat(isa, 1.0);
        }
        new
    }

    /// Makes room for a number of rows.
    pub fn reserve(&mut self, rows: usize) {
        let zero = L::splat(self.isa, 0.0);
        if rows > self.d.len() {
            let rows = rows.next_multiple_of(8);
            self.jac.resize(rows * self.n, zero);
            let wide = [
                &mut self.d,
                &mut self.aref,
                &mut self.low,
                &mut self.high,
                &mut self.x,
                &mut self.jstep,
                &mut self.other,
            ];
            for v in wide {
                v.resize(rows, zero);
            }
        }
    }

    /// Loads a problem into lane `i`. Call [`Self::update_pattern`] after the last.
    #[inline(always)]
    pub fn load(&mut self, i: usize, p: &Compact) {
        let [warm, smooth] = &mut self.start;
        for (to, from) in
            [(&mut self.m, &p.m), (&mut self.qfrc, &p.qfrc_smooth), (warm, &p.qacc_warmstart), (smooth, &p.qacc_smooth)]
        {
            for (t, f) in to.iter_mut().zip(from) {
                t.set(i, *f);
            }
        }
        self.clear(i);
        for r in 0..p.nefc() {
            let mut bits = p.columns[r];
            let slot = self.slots.push(i, bits);
            self.reserve(self.slots.len());
            while bits != 0 {
                let c = bits.trailing_zeros() as usize;
                self.jac[slot * self.n + c].set(i, p.jac[r * self.n + c]);
                bits &= bits - 1;
            }
            self.set_row(i, slot, [p.d[r], p.aref[r], p.interval[r][0], p.interval[r][1]]);
        }
        self.scale.set(i, p.scale);
        self.fresh.set(i, 1.0);
        self.alive.set(i, 1.0);
    }

    /// Returns the number of rows that there is room for.
    pub fn capacity(&self) -> usize {
        self.d.len()
    }

    /// Loads the rows of a problem without cones into lane `i`. Returns whether there was room; without, they are counted,
    /// and the worlds of the group must be loaded again after [`Self::make_room`].
    #[inline(always)]
    pub fn load_rows(&mut self, i: usize, rows: &RowView) -> bool {
        self.clear(i);
        let mut fits = true;
        for r in 0..rows.nefc() {
            let (runs, values) = rows.jac.row(r);
            let mut bits = 0;
            for run in runs {
                bits |= (Bits::MAX >> (Bits::BITS - run.len)) << run.start;
            }
            let slot = self.slots.push(i, bits);
            if slot >= self.capacity() {
                fits = false;
                continue;
            }
            let mut at = 0;
            for run in runs {
                for c in run.start as usize..(run.start + run.len) as usize {
                    self.jac[slot * self.n + c].set(i, values[at]);
                    at += 1;
                }
            }
            let [low, high] = interval(rows, r);
            self.set_row(i, slot, [rows.d[r], rows.aref[r], low, high]);
        }
        fits
    }

    /// Makes room for all rows that were counted.
    pub fn make_room(&mut self) {
        self.reserve(self.slots.len());
    }

    /// Loads inertia, forces and accelerations of all worlds, whose rows are loaded.
    #[inline(always)]
    pub fn load_smooth(&mut self, m: &[L], qfrc: &[L], smooth: &[L], warm: &[L]) {
        self.m.copy_from_slice(m);
        self.qfrc.copy_from_slice(qfrc);
        self.start[0].copy_from_slice(warm);
        self.start[1].copy_from_slice(smooth);
        let one = L::splat(self.isa, 1.0);
        let mut trace = L::splat(self.isa, 0.0);
        for i in 0..self.n {
            trace = trace + m[self.pattern.rowadr[i + 1] - 1];
        }
        self.scale = one / trace;
        self.fresh = one;
        self.alive = one;
    }

    /// Returns whether any world is not finished.
    #[inline(always)]
    pub fn any_alive(&self) -> bool {
        let half = L::splat(self.isa, 0.5);
        half.any(half.lt(self.alive))
    }

    /// Writes accelerations and constraint forces (nv) of all worlds.
    #[inline(always)]
    pub fn finish(&self, qacc: &mut [L], constraint: &mut [L]) {
        qacc.copy_from_slice(&self.q);
        constraint.fill(L::splat(self.isa, 0.0));
        let mut at = 0;
        for (columns, end) in &self.ranges {
            for &r in &self.order[at..*end] {
                let force = -(self.d[r] * self.x[r].max(self.low[r]).min(self.high[r]));
                add_scaled(columns.get(), force, &self.jac[r * self.n..][..self.n], constraint);
            }
            at = *end;
        }
    }

    /// Sets the numbers of a row beside its Jacobian.
    #[inline(always)]
    fn set_row(&mut self, i: usize, r: usize, [d, aref, low, high]: [f64; 4]) {
        self.d[r].set(i, d);
        self.aref[r].set(i, aref);
        self.low[r].set(i, low);
        self.high[r].set(i, high);
    }

    /// Clears the rows of lane `i`: no stiffness, no force.
    #[inline(always)]
    fn clear(&mut self, i: usize) {
        let room = self.capacity();
        for k in 0..self.slots.of(i).len() {
            let slot = self.slots.of(i)[k];
            if slot >= room {
                continue;
            }
            let mut bits = self.slots.bits(slot);
            while bits != 0 {
                self.jac[slot * self.n + bits.trailing_zeros() as usize].set(i, 0.0);
                bits &= bits - 1;
            }
            self.set_row(i, slot, [0.0; 4]);
        }
        self.slots.clear(i);
    }

    /// Ends the problem of lane `i`.
    #[inline(always)]
    pub fn retire(&mut self, i: usize) {
        self.alive.set(i, 0.0);
    }

    /// Returns whether lane `i` is not finished.
    #[inline(always)]
    pub fn is_alive(&self, i: usize) -> bool {
        self.alive.get(i) > 0.5
    }

    /// Finds the places in use, and the pattern of the factor.
    pub fn update_pattern(&mut self) {
        let old = std::mem::take(&mut self.classes);
        self.order.clear();
        self.ranges.clear();
        let (classes, ranges, order) = (&mut self.classes, &mut self.ranges, &mut self.order);
        self.slots.for_each(|class, slots| {
            classes.push(class.bits);
            order.extend_from_slice(slots);
            ranges.push((class.columns, order.len()));
        });
        if *classes != old || self.columns.is_empty() {
            self.columns = fill_in(&self.pattern, classes);
        }
    }

    /// Writes acceleration and row forces of lane `i`.
    #[inline(always)]
    pub fn read(&self, i: usize, nefc: usize, qacc: &mut Vec<f64>, force: &mut Vec<f64>) {
        qacc.clear();
        force.clear();
        for q in &self.q {
            qacc.push(q.get(i));
        }
        for &r in &self.slots.of(i)[..nefc] {
            let c = self.x[r].get(i).max(self.low[r].get(i)).min(self.high[r].get(i));
            force.push(-self.d[r].get(i) * c);
        }
    }

    /// Starts fresh worlds from the better of warm start and smooth acceleration.
    #[inline(always)]
    fn begin(&mut self) {
        let half = L::splat(self.isa, 0.5);
        if !half.any(half.lt(self.fresh)) {
            return;
        }
        let zero = L::splat(self.isa, 0.0);
        let (mut warm, mut smooth) = (zero, zero);
        multiply(&self.pattern, &self.m, &self.start[0], &mut self.mstep);
        for i in 0..self.n {
            warm = warm.plus(half * (self.mstep[i] - self.qfrc[i]), self.start[0][i] - self.start[1][i]);
        }
        let mut range = 0;
        for at in 0..self.order.len() {
            range += usize::from(at == self.ranges[range].1);
            let r = self.order[at];
            let (row, columns) = (&self.jac[r * self.n..][..self.n], &self.ranges[range].0);
            let (low, high, d) = (self.low[r], self.high[r], self.d[r]);
            let x = row_dot(row, columns, &self.start[0]) - self.aref[r];
            let y = row_dot(row, columns, &self.start[1]) - self.aref[r];
            let (c, e) = (x.max(low).min(high), y.max(low).min(high));
            warm = warm.plus(d * c, x.minus(half, c));
            smooth = smooth.plus(d * e, y.minus(half, e));
            self.jstep[r] = x;
            self.other[r] = y;
        }
        let better = warm.lt(smooth);
        let fresh = half.lt(self.fresh);
        for i in 0..self.n {
            let (q, mq) =
                (self.start[0][i].select(better, self.start[1][i]), self.mstep[i].select(better, self.qfrc[i]));
            self.q[i] = q.select(fresh, self.q[i]);
            self.mq[i] = mq.select(fresh, self.mq[i]);
        }
        for &r in &self.order {
            self.x[r] = self.jstep[r].select(better, self.other[r]).select(fresh, self.x[r]);
        }
        self.fresh = zero;
    }

    /// Makes one iteration of all worlds that aren't finished. Those that are finished stay as they are.
    #[inline(always)]
    pub fn iterate(&mut self, settings: &Settings) {
        self.begin();
        let (n, isa) = (self.n, self.isa);
        let (zero, half, one) = (L::splat(isa, 0.0), L::splat(isa, 0.5), L::splat(isa, 1.0));
        // Gradient, negated, and Hessian.
        self.h.fill(zero);
        for i in 0..n {
            self.step[i] = self.qfrc[i] - self.mq[i];
            for k in self.pattern.rowadr[i]..self.pattern.rowadr[i + 1] {
                self.h[triangle(i) + self.pattern.colind[k]] = self.m[k];
            }
        }
        let mut at = 0;
        for (columns, end) in &self.ranges {
            let runs = columns.get();
            while at < *end {
                // Four rows with equal columns are added at once, in their order.
                let count = if at + 4 <= *end { 4 } else { 1 };
                let mut curvature = [zero; 4];
                let mut rows = [&self.jac[..0]; 4];
                let mut any = zero;
                for k in 0..count {
                    let r = self.order[at + k];
                    let (x, low, high) = (self.x[r], self.low[r], self.high[r]);
                    let force = -(self.d[r] * x.max(low).min(high));
                    let curved = x.and(low.lt(x), x.lt(high));
                    curvature[k] = self.d[r].select(curved, zero);
                    any = any + curvature[k];
                    rows[k] = &self.jac[r * n..][..n];
                    add_scaled(runs, force, rows[k], &mut self.step);
                }
                if zero.any(zero.lt(any)) {
                    if count == 4 {
                        add_squares(runs, curvature, rows, &mut self.h);
                    } else {
                        add_squares(runs, [curvature[0]], [rows[0]], &mut self.h);
                    }
                }
                at += count;
            }
        }
        self.mstep.copy_from_slice(&self.step);
        factor(n, &self.columns, &mut self.h, &mut self.dinv);
        solve(n, &self.columns, &self.h, &self.dinv, &mut self.step);
        let mut decrement = zero;
        for i in 0..n {
            decrement = decrement.plus(self.mstep[i], self.step[i]);
        }
        let tolerance = L::splat(isa, settings.tolerance);
        let unfinished = zero.and(half.lt(self.alive), tolerance.lt(half * decrement * self.scale));
        self.alive = one.select(unfinished, zero);
        if !zero.any(unfinished) {
            return;
        }
        let alpha = self.search(settings, decrement, unfinished);
        for i in 0..n {
            self.q[i] = self.q[i].plus(alpha, self.step[i]);
            self.mq[i] = self.mq[i].plus(alpha, self.mstep[i]);
        }
        // A whole step within one piece of the cost, which is quadratic, ends at the minimum.
        let mut changed = (alpha - one).abs();
        for &r in &self.order {
            let (old, low, high) = (self.x[r], self.low[r], self.high[r]);
            let new = old.plus(alpha, self.jstep[r]);
            let (before, after) = (one.select(low.lt(old), zero), one.select(low.lt(new), zero));
            changed = changed + (before - after).abs();
            let (before, after) = (one.select(old.lt(high), zero), one.select(new.lt(high), zero));
            changed = changed + (before - after).abs();
            self.x[r] = new;
        }
        self.alive = self.alive.select(zero.lt(changed), zero);
    }

    /// Returns the step length along the step, by Newton's method on the slope within a bracket; 0 where a world is finished.
    #[inline(always)]
    fn search(&mut self, settings: &Settings, decrement: L, unfinished: L::Mask) -> L {
        let (n, isa) = (self.n, self.isa);
        let (zero, half, one) = (L::splat(isa, 0.0), L::splat(isa, 0.5), L::splat(isa, 1.0));
        multiply(&self.pattern, &self.m, &self.step, &mut self.mstep);
        let mut at = 0;
        for (columns, end) in &self.ranges {
            for &r in &self.order[at..*end] {
                self.jstep[r] = row_dot(&self.jac[r * n..][..n], columns, &self.step);
            }
            at = *end;
        }
        // Slope of the part without rows at 0, and its curvature.
        let (mut slope, mut curvature) = (zero, zero);
        for i in 0..n {
            slope = slope.plus(self.step[i], self.mq[i] - self.qfrc[i]);
            curvature = curvature.plus(self.step[i], self.mstep[i]);
        }
        let enough = decrement * L::splat(isa, settings.ls_tolerance);
        let mut searching = one.select(unfinished, zero);
        let mut alpha = searching;
        let (mut lower, mut upper) = (zero, L::splat(isa, 1e9));
        for _ in 0..settings.ls_iterations {
            let (mut d1, mut d2) = (slope.plus(alpha, curvature), curvature);
            for &r in &self.order {
                let (js, low, high) = (self.jstep[r], self.low[r], self.high[r]);
                let x = self.x[r].plus(alpha, js);
                let djs = self.d[r] * js;
                d1 = d1.plus(djs, x.max(low).min(high));
                let curved = x.and(low.lt(x), x.lt(high));
                d2 = d2.plus(djs.select(curved, zero), js);
            }
            let on = zero.and(half.lt(searching), enough.lt(d1.abs()));
            searching = one.select(on, zero);
            if !zero.any(on) {
                break;
            }
            let rising = zero.lt(d1);
            upper = alpha.select(rising, upper);
            lower = lower.select(rising, alpha);
            let next = alpha - d1 / d2;
            let inside = zero.and(lower.lt(next), next.lt(upper));
            let next = next.select(inside, half * (lower + upper));
            alpha = next.select(on, alpha);
        }
        alpha
    }
}

/// Returns the product of a row and a vector.
#[inline(always)]
fn row_dot<L: Lane>(row: &[L], columns: &Columns, x: &[L]) -> L {
    product(columns.get(), row[0].like(0.0), row, x)
}

/// Computes y = M x.
#[inline(always)]
fn multiply<L: Lane>(p: &Pattern, m: &[L], x: &[L], y: &mut [L]) {
    for i in 0..p.nv {
        let (start, end) = (p.rowadr[i], p.rowadr[i + 1]);
        let xi = x[i];
        let mut yi = m[end - 1] * xi;
        for (c, v) in p.colind[start..end - 1].iter().zip(&m[start..end - 1]) {
            yi = yi.plus(*v, x[*c]);
            y[*c] = y[*c].plus(*v, xi);
        }
        y[i] = yi;
    }
}
