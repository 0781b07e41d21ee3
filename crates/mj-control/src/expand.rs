//! Expansion of the step and of its cost: A, B, and the gradient and Hessian of l(x, u).

use crate::cost::{Cost, Multipliers, Part};
use crate::error::ControlError;
use mj_engine::model::Stage;
use mj_engine::{
    Data, Model, State, StepDerivative, StepError, camlight, com_pos, com_vel, forward, integrate_pos, kinematics,
    make_m, sensor_pos, sensor_vel, step_derivative, tendon, transmission, transmission_velocity,
};
use std::fmt;
use std::sync::Arc;

/// Step of the differences by which residuals without a closed-form Jacobian are differentiated.
const EPS: f64 = 1e-6;

/// Jacobians of a step, and gradient and Gauss-Newton Hessian of its cost, row-major.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// ∂y/∂x, nx × nx.
    pub a: Vec<f64>,
    /// ∂y/∂u, nx × nu.
    pub b: Vec<f64>,
    /// Gradient by the state, nx.
    pub lx: Vec<f64>,
    /// Gradient by the controls, nu.
    pub lu: Vec<f64>,
    /// Hessian by the state, nx × nx.
    pub lxx: Vec<f64>,
    /// Hessian by controls and state, nu × nx.
    pub lux: Vec<f64>,
    /// Hessian by the controls, nu × nu.
    pub luu: Vec<f64>,
}

/// Function that writes the Jacobians A (nx × nx) and B (nx × nu) of the step from a state with its controls.
pub type Jacobians = dyn Fn(&Model, &State, [&mut Vec<f64>; 2]) -> Result<(), ControlError> + Send + Sync;

/// Memory of expansions.
#[derive(Clone, Default)]
pub struct Expander {
    /// Jacobians of the step in the place of those in closed form.
    pub(crate) jacobians: Option<Arc<Jacobians>>,
    derivative: StepDerivative,
    /// Rows of the residuals' Jacobian, nx + nu numbers each.
    jacobian: Vec<f64>,
    residuals: Vec<f64>,
    moved: Vec<f64>,
    scratch: Vec<f64>,
    gradient: Vec<f64>,
    curve: Vec<f64>,
    lambda: Vec<f64>,
}

impl fmt::Debug for Expander {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Expander").field("has_jacobians", &self.jacobians.is_some()).finish_non_exhaustive()
    }
}

impl Expander {
    /// Expands the step from a state with its controls, and the cost there.
    ///
    /// # Errors
    /// If the step has no derivative, or is refused.
    pub fn expand(
        &mut self,
        m: &Model,
        d: &mut Data,
        cost: &Cost,
        state: &State,
        out: &mut Expansion,
    ) -> Result<(), ControlError> {
        self.lambda.resize(cost.constraint_dim(), 0.0);
        let multipliers = Multipliers { weight: 1.0, lambda: std::mem::take(&mut self.lambda) };
        let result = self.expand_step(m, d, (cost, &multipliers), (state, 0, false), out);
        self.lambda = multipliers.lambda;
        result
    }

    /// Expands the step and the cost of step `n`; at the end, the cost alone.
    pub(crate) fn expand_step(
        &mut self,
        m: &Model,
        d: &mut Data,
        (cost, multipliers): (&Cost, &Multipliers),
        (state, n, is_last): (&State, usize, bool),
        out: &mut Expansion,
    ) -> Result<(), ControlError> {
        d.state.clone_from(state);
        if is_last {
            forward(m, d)?;
        } else if let Some(jacobians) = &self.jacobians {
            forward(m, d)?;
            jacobians(m, state, [&mut out.a, &mut out.b])?;
        } else {
            step_derivative(m, d, &mut self.derivative)?;
            out.a.clone_from(&self.derivative.a);
            out.b.clone_from(&self.derivative.b);
        }
        let (nx, nu) = (2 * m.nv() + m.na, m.control.len());
        for (array, len) in [
            (&mut out.lx, nx),
            (&mut out.lu, nu),
            (&mut out.lxx, nx * nx),
            (&mut out.lux, nu * nx),
            (&mut out.luu, nu * nu),
        ] {
            array.clear();
            array.resize(len, 0.0);
        }
        self.expand_residuals(m, d, (cost, multipliers), (state, n, is_last), |row, slope, curve| {
            out.add(row, nx, slope, curve);
        })
    }

    /// Calls `add` with rows by state and control along which the cost of step `n` has a slope and a curvature.
    pub(crate) fn expand_residuals(
        &mut self,
        m: &Model,
        d: &mut Data,
        (cost, multipliers): (&Cost, &Multipliers),
        (state, n, is_last): (&State, usize, bool),
        mut add: impl FnMut(&[f64], f64, f64),
    ) -> Result<(), ControlError> {
        self.differentiate_residuals(m, d, cost, state, is_last)?;
        let width = 2 * m.nv() + m.na + m.control.len();
        let nc = cost.constraint_dim();
        for (part, residual, at) in cost.parts(is_last) {
            let dim = residual.dim();
            let r = &self.residuals[at..at + dim];
            self.gradient.resize(dim, 0.0);
            self.curve.resize(dim, 0.0);
            let (weight, rank_one) = match part {
                Part::Term(t, weight) => (weight, t.norm.expand(r, &mut self.gradient, &mut self.curve)),
                Part::Constraint(c, row) => {
                    for (i, &r) in r.iter().enumerate() {
                        let (force, at_limit) = c.force(r, multipliers.lambda[n * nc + row + i], multipliers.weight);
                        (self.gradient[i], self.curve[i]) = (force, if at_limit { multipliers.weight } else { 0.0 });
                    }
                    (1.0, 0.0)
                }
            };
            let rows = self.jacobian[at * width..(at + dim) * width].chunks_exact(width);
            for ((row, g), c) in rows.clone().zip(&self.gradient).zip(&self.curve) {
                add(row, weight * g, weight * c);
            }
            if rank_one != 0.0 {
                let mut along = vec![0.0; width];
                rows.zip(r).for_each(|(row, r)| mj_math::dense::axpy(&mut along, *r, row));
                add(&along, 0.0, -weight * rank_one);
            }
        }
        Ok(())
    }

    /// Writes the Jacobian of all residuals at the state whose results `d` holds.
    fn differentiate_residuals(
        &mut self,
        m: &Model,
        d: &mut Data,
        cost: &Cost,
        state: &State,
        is_last: bool,
    ) -> Result<(), ControlError> {
        let (nv, na, nu) = (m.nv(), m.na, m.control.len());
        let (dim, width) = (cost.dim(), 2 * nv + na + nu);
        self.jacobian.clear();
        self.jacobian.resize(dim * width, 0.0);
        self.residuals.resize(dim, 0.0);
        self.moved.resize(dim, 0.0);
        self.scratch.resize(nv, 0.0);
        // Residuals that are read from results, and the latest stage of these.
        let (mut others, mut stage) = (Vec::new(), Stage::None);
        for (_, residual, at) in cost.parts(is_last) {
            let rows = &mut self.jacobian[at * width..(at + residual.dim()) * width];
            if !residual.jacobian(m, d, &mut self.scratch, rows) {
                others.push((residual, at));
                stage = if residual.stage().code() > stage.code() { residual.stage() } else { stage };
            }
        }
        if !others.is_empty() {
            evaluate(m, d, stage)?;
        }
        cost.residuals_of(m, d, &mut self.scratch, &mut self.residuals);
        if others.is_empty() {
            return Ok(());
        }
        let columns = match stage {
            Stage::None | Stage::Pos => nv,
            Stage::Vel => 2 * nv,
            Stage::Acc => width,
        };
        for column in 0..columns {
            let least = if column < nv {
                Stage::Pos
            } else if column < 2 * nv {
                Stage::Vel
            } else {
                Stage::Acc
            };
            match column {
                i if i < nv => {
                    let mut along = std::mem::take(&mut self.scratch);
                    along.fill(0.0);
                    along[i] = 1.0;
                    integrate_pos(m, &mut d.state.qpos, &along, EPS);
                    self.scratch = along;
                }
                i if i < 2 * nv => d.state.qvel[i - nv] += EPS,
                i if i < 2 * nv + na => d.state.act[i - 2 * nv] += EPS,
                i => d.state.ctrl[i - 2 * nv - na] += EPS,
            }
            if least == Stage::Vel && stage == Stage::Vel {
                evaluate_velocity(m, d)?;
            } else {
                evaluate(m, d, stage)?;
            }
            for &(residual, at) in others.iter().filter(|(r, _)| r.stage().code() >= least.code()) {
                let moved = &mut self.moved[at..at + residual.dim()];
                residual.evaluate(m, d, &mut self.scratch, moved);
                for (i, moved) in moved.iter().enumerate() {
                    self.jacobian[(at + i) * width + column] = (moved - self.residuals[at + i]) / EPS;
                }
            }
            d.state.clone_from(state);
            if column + 1 == nv && stage == Stage::Vel {
                evaluate(m, d, Stage::Pos)?;
            }
        }
        Ok(())
    }
}

/// Computes the results of the stages up to `stage`.
fn evaluate(m: &Model, d: &mut Data, stage: Stage) -> Result<(), StepError> {
    if stage == Stage::Acc {
        return forward(m, d);
    }
    kinematics(m, d)?;
    com_pos(m, d)?;
    camlight(m, d)?;
    tendon(m, d)?;
    transmission(m, d)?;
    sensor_pos(m, d)?;
    if stage == Stage::Vel {
        // Kinetic energy reads the inertia.
        make_m(m, d)?;
        evaluate_velocity(m, d)?;
    }
    Ok(())
}

fn evaluate_velocity(m: &Model, d: &mut Data) -> Result<(), StepError> {
    com_vel(m, d)?;
    transmission_velocity(m, d)?;
    sensor_vel(m, d)
}

impl Expansion {
    /// Adds the gradient g·row and the Hessian c·row·rowᵀ.
    fn add(&mut self, row: &[f64], nx: usize, g: f64, c: f64) {
        let (x, u) = row.split_at(nx);
        let nu = u.len();
        mj_math::dense::axpy(&mut self.lx, g, x);
        mj_math::dense::axpy(&mut self.lu, g, u);
        if c == 0.0 {
            return;
        }
        for (i, &s) in x.iter().enumerate().filter(|(_, s)| **s != 0.0) {
            mj_math::dense::axpy(&mut self.lxx[i * nx..(i + 1) * nx], c * s, x);
        }
        for (i, &s) in u.iter().enumerate().filter(|(_, s)| **s != 0.0) {
            mj_math::dense::axpy(&mut self.lux[i * nx..(i + 1) * nx], c * s, x);
            mj_math::dense::axpy(&mut self.luu[i * nu..(i + 1) * nu], c * s, u);
        }
    }
}
