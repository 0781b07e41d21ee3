//! One step of a path: the force that it needs, its cost, and the rows of their derivative.

use super::path::{Path, Rotations};
use crate::cost::{Cost, Multipliers, force_of_limits};
use crate::error::ControlError;
use crate::expand::Expander;
use mj_engine::{Data, InverseDerivative, Model, State, inverse, inverse_derivative};

/// Weight and limits of the force at a dof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Weight of half the square of the force, N or N m.
    pub weight: f64,
    /// Least and greatest force; both 0 where nothing drives the dof.
    pub range: [f64; 2],
}

/// All that steps have in common.
#[derive(Clone, Copy)]
pub(super) struct Horizon<'a> {
    pub m: &'a Model,
    pub cost: &'a Cost,
    pub efforts: &'a [Effort],
    pub path: &'a Path,
    pub rotations: &'a Rotations,
    pub start: &'a State,
    /// Multipliers of the cost's constraints, and of the limits of forces (N × nv).
    pub multipliers: &'a Multipliers,
    pub limits: &'a Multipliers,
}

/// Memory of a thread.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    d: Data,
    expander: Expander,
    inverse: InverseDerivative,
    state: State,
    scratch: Vec<f64>,
}

/// Results of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub force: Vec<f64>,
    pub residuals: Vec<f64>,
    /// Cost with constraints and limits by their multipliers, and without.
    pub cost: f64,
    pub plain: f64,
    /// Rows by the positions before, at and after the step, 3 nv numbers each, with the cost's slope and curvature along
    /// each.
    pub rows: Vec<f64>,
    pub slopes: Vec<[f64; 2]>,
}

impl Effort {
    /// The force's multiplier that follows `lambda`, and whether it is at a limit.
    pub(super) fn limit(self, force: f64, lambda: f64, rho: f64) -> (f64, bool) {
        force_of_limits(self.range, force, lambda, rho)
    }

    /// By how much a force leaves its range.
    pub(super) fn violation(self, force: f64) -> f64 {
        (self.range[0] - force).max(force - self.range[1]).max(0.0)
    }
}

impl Worker {
    pub fn new(m: &Model) -> Result<Self, ControlError> {
        let d = Data::new(m)?;
        let state = d.state.clone();
        Ok(Self { d, expander: Expander::default(), inverse: Default::default(), state, scratch: vec![0.0; m.nv()] })
    }

    /// Puts the data at step `t`, with the acceleration there; at the end there is none.
    fn place(&mut self, of: Horizon<'_>, t: usize) {
        let (nq, nv) = (of.m.nq(), of.m.nv());
        self.state.clone_from(of.start);
        self.state.qpos.copy_from_slice(&of.path.qpos[t * nq..(t + 1) * nq]);
        self.state.qvel.copy_from_slice(&of.path.qvel[t * nv..(t + 1) * nv]);
        self.state.time += t as f64 * of.m.opt.timestep;
        self.d.state.clone_from(&self.state);
        match of.path.qacc.get(t * nv..(t + 1) * nv) {
            Some(qacc) => self.d.qacc.copy_from_slice(qacc),
            None => self.d.qacc.fill(0.0),
        }
    }

    /// Evaluates step `t`.
    pub fn evaluate(&mut self, of: Horizon<'_>, t: usize, out: &mut Node) -> Result<(), ControlError> {
        let is_last = t == of.path.steps(of.m);
        self.place(of, t);
        inverse(of.m, &mut self.d)?;
        out.residuals.resize(of.cost.dim(), 0.0);
        of.cost.residuals_of(of.m, &self.d, &mut self.scratch, &mut out.residuals);
        out.cost = of.cost.value(&out.residuals, t, is_last, of.multipliers);
        out.plain = of.cost.plain_value(&out.residuals, is_last);
        out.force.clear();
        if is_last {
            return Ok(());
        }
        out.force.extend_from_slice(&self.d.qfrc_inverse);
        let (nv, rho) = (of.m.nv(), of.limits.weight);
        for ((force, effort), lambda) in out.force.iter().zip(of.efforts).zip(&of.limits.lambda[t * nv..]) {
            let own = 0.5 * effort.weight * force * force;
            let (limit, _) = effort.limit(*force, *lambda, rho);
            out.plain += own;
            out.cost += own + (limit * limit - lambda * lambda) / (2.0 * rho);
        }
        Ok(())
    }

    /// Finds the rows of step `t`.
    pub fn expand(&mut self, of: Horizon<'_>, t: usize, out: &mut Node) -> Result<(), ControlError> {
        let (m, nv, h) = (of.m, of.m.nv(), of.m.opt.timestep);
        let is_last = t == of.path.steps(m);
        out.rows.clear();
        out.slopes.clear();
        let v = |t: usize| &of.path.qvel[t * nv..(t + 1) * nv];
        if t > 0 {
            self.place(of, t);
            let (d, state) = (&mut self.d, &self.state);
            let (rows, slopes) = (&mut out.rows, &mut out.slopes);
            self.expander.expand_residuals(
                m,
                d,
                (of.cost, of.multipliers),
                (state, t, is_last),
                |row, slope, curve| {
                    let at = rows.len();
                    rows.resize(at + 3 * nv, 0.0);
                    let (before, here) = rows[at..at + 2 * nv].split_at_mut(nv);
                    here.copy_from_slice(&row[..nv]);
                    of.rotations.add_through_velocity(h, v(t), &row[nv..2 * nv], here, Some(before));
                    slopes.push([slope, curve]);
                },
            )?;
        }
        if is_last {
            return Ok(());
        }
        self.place(of, t);
        inverse_derivative(m, &mut self.d, false, &[], &mut self.inverse)?;
        let InverseDerivative { f_q, f_v, f_a, .. } = &self.inverse;
        let rho = of.limits.weight;
        for (i, effort) in of.efforts.iter().enumerate() {
            let (force, lambda) = (out.force[i], of.limits.lambda[t * nv + i]);
            let (limit, at_limit) = effort.limit(force, lambda, rho);
            let slope = [effort.weight * force + limit, effort.weight + if at_limit { rho } else { 0.0 }];
            if slope == [0.0; 2] {
                continue;
            }
            let at = out.rows.len();
            out.rows.resize(at + 3 * nv, 0.0);
            let (before, rest) = out.rows[at..].split_at_mut(nv);
            let (here, after) = rest.split_at_mut(nv);
            let row = |f: &[f64], j: usize| f[i * nv + j];
            here.copy_from_slice(&f_q[i * nv..(i + 1) * nv]);
            // With v_t, and with the acceleration through v_t and v_{t+1}.
            self.scratch.iter_mut().enumerate().for_each(|(j, x)| *x = row(f_v, j) - row(f_a, j) / h);
            if t > 0 {
                of.rotations.add_through_velocity(h, v(t), &self.scratch, here, Some(before));
            }
            self.scratch.iter_mut().enumerate().for_each(|(j, x)| *x = row(f_a, j) / h);
            of.rotations.add_through_velocity(h, v(t + 1), &self.scratch, after, Some(here));
            out.slopes.push(slope);
        }
        Ok(())
    }
}
