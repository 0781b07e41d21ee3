//! From ∂r and ∂g to the Jacobians of the step, for all columns at once.
//!
//! With Y = −H⁻¹ ∂r, H = M + JᵀHJ, the acceleration over the step changes by M̂⁻¹(M Y + ∂g). Euler's M̂ is M + hD with a diagonal
//! D, so that this is Y + M̂⁻¹(∂g − hD Y).

use super::discrete::has_one_acceleration;
use super::{Columns, Nominal};
use crate::data::Data;
use mj_dynamics::{TangentStep, damping_slope};
use mj_math::many::PADDING;
use mj_math::{MultiRhs, dense};
use mj_model::{IntegratorType, Model};
use mj_solver::CostHessian;

/// ∂a', and what it takes to find it.
#[derive(Clone, Debug, Default)]
pub(super) struct Solution {
    /// ∂a': a row a dof, a number an input, padded.
    over_step: Vec<f64>,
    width: usize,
    /// Right sides for Euler's matrix, the same way; its factor.
    damped: Vec<f64>,
    sides: MultiRhs,
    /// One column, and another.
    column: Vec<f64>,
    work: Vec<f64>,
    tangent: TangentStep,
}

impl Solution {
    /// Solves for all columns.
    pub fn find(&mut self, m: &Model, d: &Data, n: &Nominal, c: &Columns, hessian: &mut CostHessian) {
        let nv = m.nv();
        if nv == 0 {
            return;
        }
        self.find_accelerations(nv, c, hessian);
        match m.opt.integrator {
            IntegratorType::Discrete => self.turning(m, d, c),
            _ if has_one_acceleration(m) => {}
            IntegratorType::Euler => self.euler(m, d, n, c),
            _ => self.implicit(m, d, c),
        }
    }

    /// Finds Y, how the acceleration moves, for all columns.
    pub fn find_accelerations(&mut self, nv: usize, c: &Columns, hessian: &mut CostHessian) {
        if c.force.is_empty() {
            self.over_step.clear();
            return;
        }
        self.width = (c.force.len() / nv).next_multiple_of(PADDING);
        transpose(&c.force, nv, self.width, -1.0, &mut self.over_step);
        hessian.solve_many(nv, &mut self.over_step, self.width);
    }

    /// Adds a multiple of a column, after [`Self::find_accelerations`].
    pub fn add_acceleration(&self, column: usize, scale: f64, qacc: &mut [f64]) {
        let rows = self.over_step.chunks_exact(self.width.max(1));
        qacc.iter_mut().zip(rows).for_each(|(a, row)| *a += scale * row[column]);
    }

    /// From Y to ∂a', with Euler's matrix.
    fn euler(&mut self, m: &Model, d: &Data, n: &Nominal, c: &Columns) {
        let (width, h) = (self.width, m.opt.timestep);
        transpose(&c.step, m.nv(), width, 1.0, &mut self.damped);
        let rows = self.damped.chunks_exact_mut(width).zip(self.over_step.chunks_exact(width));
        for ((i, v), (right, y)) in m.dof.ids().zip(&n.state.qvel).zip(rows) {
            dense::axpy(right, -h * damping_slope(m, i, *v), y);
        }
        d.ws.euler.factor.export(m, &mut self.sides);
        self.sides.solve(&mut self.damped, width);
        dense::axpy(&mut self.over_step, 1.0, &self.damped);
    }

    /// The same with the matrices of `implicit` and `implicitfast`, column by column.
    fn implicit(&mut self, m: &Model, d: &Data, c: &Columns) {
        let nv = m.nv();
        self.work.resize(nv, 0.0);
        for (i, g) in c.step.chunks_exact(nv).enumerate() {
            self.read_column(i);
            d.smooth.inertia.mul(m, &self.column, &mut self.work);
            dense::axpy(&mut self.work, 1.0, g);
            d.ws.implicit.solve(m, &d.smooth.inertia.M, &mut self.work);
            std::mem::swap(&mut self.column, &mut self.work);
            self.write_column(i);
        }
    }

    /// With `discrete` bodies that turn have matrices of their own.
    fn turning(&mut self, m: &Model, d: &Data, c: &Columns) {
        let inertia = d.ws.discrete.inertia();
        if inertia.turning().is_empty() {
            return;
        }
        for (i, r) in c.force.chunks_exact(m.nv()).enumerate() {
            self.read_column(i);
            inertia.solve_turning_blocks(m, |k| -r[k], &mut self.column);
            self.write_column(i);
        }
    }

    fn read_column(&mut self, i: usize) {
        self.column.clear();
        self.column.extend(self.over_step.chunks_exact(self.width).map(|row| row[i]));
    }

    fn write_column(&mut self, i: usize) {
        self.over_step.chunks_exact_mut(self.width).zip(&self.column).for_each(|(row, x)| row[i] = *x);
    }

    /// From ∂a' to the next state: ∂y/∂p for `count` parameters p, a row a coordinate of the state.
    pub fn write_parameters(&mut self, m: &Model, n: &Nominal, c: &Columns, count: usize, p: &mut Vec<f64>) {
        let (nv, na, h) = (m.nv(), m.na, m.opt.timestep);
        p.clear();
        p.resize((2 * nv + na) * count, 0.0);
        let (position, rest) = p.split_at_mut(nv * count);
        let (velocity, activation) = rest.split_at_mut(nv * count);
        let rows = self.over_step.chunks_exact(self.width.max(1));
        velocity.chunks_exact_mut(count.max(1)).zip(rows).for_each(|(to, row)| dense::scale_into(to, h, &row[..count]));
        self.tangent.set(m, &n.qvel, h);
        self.tangent.by_velocity(velocity, position, count);
        for (i, act) in c.act.chunks_exact(na.max(1)).enumerate().take(count) {
            act.iter().enumerate().for_each(|(k, x)| activation[k * count + i] = *x);
        }
    }

    /// From ∂a' to the next state: ∂y/∂x and ∂y/∂u.
    pub fn write(&mut self, m: &Model, n: &Nominal, c: &Columns, [a, b]: [&mut Vec<f64>; 2]) {
        let (nv, na, nu) = (m.nv(), m.na, m.nu());
        let (nx, h) = (2 * nv + na, m.opt.timestep);
        a.resize(nx * nx, 0.0);
        b.resize(nx * nu, 0.0);
        self.tangent.set(m, &n.qvel, h);
        for (i, row) in self.over_step.chunks_exact(self.width.max(1)).take(nv).enumerate() {
            let a = &mut a[(nv + i) * nx..(nv + i + 1) * nx];
            dense::scale_into(a, h, row);
            a[nv + i] += 1.0;
            dense::scale_into(&mut b[(nv + i) * nu..(nv + i + 1) * nu], h, &row[nx..]);
        }
        let (position, rest) = a.split_at_mut(nv * nx);
        self.tangent.by_velocity(&rest[..nv * nx], position, nx);
        self.tangent.add_before(position, nx);
        let (position, rest) = b.split_at_mut(nv * nu);
        self.tangent.by_velocity(&rest[..nv * nu], position, nu);
        for (i, act) in c.act.chunks_exact(na.max(1)).enumerate() {
            for (k, x) in act.iter().enumerate() {
                let to = if i < nx { &mut a[(2 * nv + k) * nx + i] } else { &mut b[(2 * nv + k) * nu + i - nx] };
                *to = *x;
            }
        }
    }
}

/// A row of `nv` numbers an input becomes a column, scaled; rows are padded with zeros.
fn transpose(from: &[f64], nv: usize, width: usize, scale: f64, to: &mut Vec<f64>) {
    to.resize(nv * width, 0.0);
    let fours = from.chunks_exact(4 * nv);
    let rest = fours.remainder();
    for (i, rows) in fours.enumerate() {
        let (ab, cd) = rows.split_at(2 * nv);
        let ((a, b), (c, d)) = (ab.split_at(nv), cd.split_at(nv));
        for (k, to) in to.chunks_exact_mut(width).enumerate() {
            let to: &mut [f64; 4] = to[4 * i..].first_chunk_mut().expect("as many columns as rows");
            *to = [a[k], b[k], c[k], d[k]].map(|x| scale * x);
        }
    }
    let first = (from.len() / nv) & !3;
    for (k, to) in to.chunks_exact_mut(width).enumerate() {
        let to = &mut to[first..];
        to.fill(0.0);
        to.iter_mut().zip(rest.chunks_exact(nv)).for_each(|(to, row)| *to = scale * row[k]);
    }
}
