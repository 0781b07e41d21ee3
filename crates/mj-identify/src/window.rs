//! Simulation of a window of a log: residuals, and their Jacobian by the window's initial state and the parameters.

use crate::error::IdentifyError;
use crate::log::Log;
use mj_engine::model::model::ModelParameter;
use mj_engine::{
    Data, Model, State, StepDerivative, differentiate_pos, forward, integrate_pos, parameter_derivative, step,
};
use mj_math::dense;

/// Step of the differences by which sensors are differentiated.
const EPS: f64 = 1e-6;

/// Greatest residual and sensitivity, over the noise.
const GREATEST: f64 = 1e12;

/// Part of a log with an initial state of its own.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// First sample.
    pub first: usize,
    /// Samples.
    pub count: usize,
    /// State at the first sample.
    pub start: State,
}

impl Window {
    /// Moves the initial state by a change of position and of velocity (nv each).
    pub fn shift(&mut self, m: &Model, dx: &[f64]) {
        integrate_pos(m, &mut self.start.qpos, &dx[..m.nv()], 1.0);
        self.start.qvel.iter_mut().zip(&dx[m.nv()..]).for_each(|(v, dv)| *v += dv);
    }
}

/// Residuals of a window over the noise of their channels, and their Jacobian.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// Channel of each residual.
    pub channel: Vec<usize>,
    /// Residuals.
    pub residual: Vec<f64>,
    /// Jacobian, a row a residual: by the initial position and velocity (2 nv), then by the parameters. Empty unless asked for.
    pub jacobian: Vec<f64>,
    /// Simulated positions, velocities and sensors of each sample.
    pub simulated: [Vec<f64>; 3],
    /// Whether the simulation left the finite numbers. There is nothing else then.
    pub diverged: bool,
}

/// Memory of one simulation.
#[derive(Debug)]
pub(crate) struct Simulator {
    d: Data,
    derivative: StepDerivative,
    /// ∂state/∂(initial state, parameters), nx rows.
    sensitivity: Vec<f64>,
    next: Vec<f64>,
    moved: Vec<f64>,
    filled: Vec<f64>,
}

/// Model with what is to be differentiated, and how exact measurements are.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub m: &'a Model,
    pub log: &'a Log,
    pub parameters: &'a [ModelParameter],
    /// Standard deviation of each channel: positions and velocities (nv each), sensors.
    pub noise: &'a [f64],
    /// Models with each parameter a little greater, and by how much; for sensors.
    pub nudged: &'a [(Model, f64)],
}

impl Simulator {
    pub fn new(m: &Model) -> Result<Self, IdentifyError> {
        let (sensitivity, next, moved, filled) = Default::default();
        Ok(Self { d: Data::new(m)?, derivative: StepDerivative::default(), sensitivity, next, moved, filled })
    }

    /// Simulates a window.
    pub fn run(&mut self, p: Problem<'_>, w: &Window, with_jacobian: bool) -> Result<Rows, IdentifyError> {
        let mut rows = Rows::default();
        if !self.simulate(p, w, with_jacobian, &mut rows)? {
            rows = Rows { diverged: true, ..Rows::default() };
        }
        Ok(rows)
    }

    /// Returns false where the simulation leaves the finite numbers.
    fn simulate(
        &mut self,
        p: Problem<'_>,
        w: &Window,
        with_jacobian: bool,
        out: &mut Rows,
    ) -> Result<bool, IdentifyError> {
        let (m, log) = (p.m, p.log);
        let (nv, nx) = (m.nv(), 2 * m.nv() + m.na);
        let width = 2 * nv + p.parameters.len();
        self.d.state.clone_from(&w.start);
        if with_jacobian {
            self.sensitivity.clear();
            self.sensitivity.resize(nx * width, 0.0);
            (0..2 * nv).for_each(|i| self.sensitivity[i * width + i] = 1.0);
        }
        for k in w.first..w.first + w.count {
            self.d.state.ctrl.copy_from_slice(&log.ctrl[k * m.nu()..(k + 1) * m.nu()]);
            self.observe(p, k, with_jacobian, out)?;
            if k + 1 == w.first + w.count {
                break;
            }
            for _ in 0..log.substeps {
                if with_jacobian {
                    parameter_derivative(m, &mut self.d, p.parameters, &mut self.derivative)?;
                    self.advance_sensitivity(nx, width, 2 * nv);
                }
                step(m, &mut self.d)?;
            }
            let s = &self.d.state;
            if !s.qpos.iter().chain(&s.qvel).all(|x| x.is_finite() && x.abs() < 1e10) {
                return Ok(false);
            }
        }
        // A greater sensitivity is that of an unstable motion, which says nothing.
        Ok(out.residual.iter().chain(&out.jacobian).all(|x| x.abs() < GREATEST))
    }

    /// S ← A S + (0, P).
    fn advance_sensitivity(&mut self, nx: usize, width: usize, first: usize) {
        self.next.clear();
        self.next.resize(nx * width, 0.0);
        let np = width - first;
        for (i, row) in self.next.chunks_exact_mut(width).enumerate() {
            for (a, s) in self.derivative.a[i * nx..(i + 1) * nx].iter().zip(self.sensitivity.chunks_exact(width)) {
                if *a != 0.0 {
                    dense::axpy(row, *a, s);
                }
            }
            dense::axpy(&mut row[first..], 1.0, &self.derivative.p[i * np..(i + 1) * np]);
        }
        std::mem::swap(&mut self.sensitivity, &mut self.next);
    }

    /// Appends the residuals of sample `k`.
    fn observe(&mut self, p: Problem<'_>, k: usize, with_jacobian: bool, out: &mut Rows) -> Result<(), IdentifyError> {
        let (m, log) = (p.m, p.log);
        let (nq, nv, ns) = (m.nq(), m.nv(), m.nsensordata);
        let width = 2 * nv + p.parameters.len();
        let s = &self.d.state;
        out.simulated[0].extend_from_slice(&s.qpos);
        out.simulated[1].extend_from_slice(&s.qvel);

        let measured = &log.qpos[k * nq..(k + 1) * nq];
        self.filled.clear();
        self.filled.extend(measured.iter().zip(&s.qpos).map(|(x, q)| if x.is_finite() { *x } else { *q }));
        self.moved.clear();
        self.moved.resize(nv, 0.0);
        differentiate_pos(m, &mut self.moved, 1.0, &self.filled, &s.qpos);
        for d in m.dof.ids() {
            let (j, i) = (m.dof.jntid[d], d.index());
            let first = m.jnt.qposadr[j] as usize;
            let last = m.jnt.ids().nth(j.index() + 1).map_or(nq, |next| m.jnt.qposadr[next] as usize);
            if measured[first..last].iter().all(|x| x.is_finite()) {
                out.push(i, self.moved[i] / p.noise[i]);
                if with_jacobian {
                    let row = &self.sensitivity[i * width..(i + 1) * width];
                    out.jacobian.extend(row.iter().map(|x| x / p.noise[i]));
                }
            }
        }
        for i in 0..nv {
            let measured = log.qvel[k * nv + i];
            if measured.is_finite() {
                out.push(nv + i, (s.qvel[i] - measured) / p.noise[nv + i]);
                if with_jacobian {
                    let row = &self.sensitivity[(nv + i) * width..(nv + i + 1) * width];
                    out.jacobian.extend(row.iter().map(|x| x / p.noise[nv + i]));
                }
            }
        }
        let measured = &log.sensordata[k * ns..(k + 1) * ns];
        if measured.iter().any(|x| x.is_finite()) {
            self.observe_sensors(p, measured, with_jacobian, out)?;
        }
        Ok(())
    }

    fn observe_sensors(
        &mut self,
        p: Problem<'_>,
        measured: &[f64],
        with_jacobian: bool,
        out: &mut Rows,
    ) -> Result<(), IdentifyError> {
        let (m, nv) = (p.m, p.m.nv());
        let width = 2 * nv + p.parameters.len();
        forward(m, &mut self.d)?;
        let nominal = self.d.sensordata.clone();
        out.simulated[2].extend_from_slice(&nominal);
        let first = out.jacobian.len();
        let of = |i: &usize| measured[*i].is_finite();
        let rows: Vec<usize> = (0..measured.len()).filter(of).collect();
        for &i in &rows {
            out.push(2 * nv + i, (nominal[i] - measured[i]) / p.noise[2 * nv + i]);
        }
        if !with_jacobian {
            return Ok(());
        }
        out.jacobian.resize(first + rows.len() * width, 0.0);
        let state = self.d.state.clone();
        for column in 0..width {
            // Along the change of the state by this input, and for a parameter its own effect.
            let along: Vec<f64> = self.sensitivity.chunks_exact(width).map(|row| row[column]).collect();
            let (nudged, own) = match column.checked_sub(2 * nv) {
                Some(i) => (&p.nudged[i].0, p.nudged[i].1),
                None => (m, EPS),
            };
            integrate_pos(m, &mut self.d.state.qpos, &along[..nv], own);
            dense::axpy(&mut self.d.state.qvel, own, &along[nv..2 * nv]);
            dense::axpy(&mut self.d.state.act, own, &along[2 * nv..]);
            forward(nudged, &mut self.d)?;
            for (r, &i) in rows.iter().enumerate() {
                out.jacobian[first + r * width + column] =
                    (self.d.sensordata[i] - nominal[i]) / own / p.noise[2 * nv + i];
            }
            self.d.state.clone_from(&state);
        }
        Ok(())
    }
}

impl Rows {
    /// Returns the sum of squares; infinity where the simulation diverged.
    pub fn square(&self) -> f64 {
        if self.diverged { f64::INFINITY } else { self.residual.iter().map(|r| r * r).sum() }
    }

    fn push(&mut self, channel: usize, residual: f64) {
        self.channel.push(channel);
        self.residual.push(residual);
    }
}
