//! Residuals: vectors that a cost wants to be small, or a constraint within limits.

use crate::error::{ControlError, check_length};
use mj_engine::model::{JointType, SensorId, Stage};
use mj_engine::{Data, ElementKey, Model, differentiate_pos, find};
use mj_math::{DVec3, inverse_dexp};
use std::fmt;
use std::sync::Arc;

/// Function that writes a residual of the present state and results.
pub type ResidualFn = dyn Fn(&Model, &Data, &mut [f64]) + Send + Sync;

/// Vector of the state, the controls and what follows from them.
#[derive(Clone)]
#[non_exhaustive]
pub enum Residual {
    /// Difference of the position from a target, of some dofs, in the tangent space.
    Position {
        /// Position that is wanted, nq.
        target: Vec<f64>,
        /// Dofs that count.
        dofs: Vec<usize>,
    },
    /// Velocity of some dofs.
    Velocity {
        /// Dofs that count.
        dofs: Vec<usize>,
    },
    /// Difference of the controls from those that are wanted, nu. No part of a cost at the end.
    Control {
        /// Controls that are wanted, nu.
        target: Vec<f64>,
    },
    /// Difference of a sensor's reading from a target.
    Sensor {
        /// Its numbers' place in `sensordata`.
        adr: usize,
        /// Reading that is wanted.
        target: Vec<f64>,
        /// Stage at which it is read.
        stage: Stage,
    },
    /// Function of model and data.
    Function {
        /// Numbers that it writes.
        dim: usize,
        /// Latest stage whose results it reads: `Pos` for poses, `Vel` for velocities and their sensors, `Acc` for all.
        stage: Stage,
        /// Function.
        function: Arc<ResidualFn>,
    },
}

impl Residual {
    /// Makes the difference of the position of all dofs from `target`, nq.
    pub fn position(m: &Model, target: &[f64]) -> Result<Self, ControlError> {
        check_length("target", target.len(), m.nq())?;
        Ok(Self::Position { target: target.to_vec(), dofs: (0..m.nv()).collect() })
    }

    /// Makes the velocity of all dofs.
    pub fn velocity(m: &Model) -> Self {
        Self::Velocity { dofs: (0..m.nv()).collect() }
    }

    /// Makes the vector of controls.
    pub fn control(m: &Model) -> Self {
        Self::Control { target: vec![0.0; m.control.len()] }
    }

    /// Makes the difference of a sensor's reading from `target`; the sensor is named or given by its id.
    ///
    /// # Errors
    /// If there is no such sensor, or it has another number of readings.
    pub fn sensor(m: &Model, sensor: impl ElementKey<SensorId>, target: &[f64]) -> Result<Self, ControlError> {
        let id = find(m, sensor)?;
        check_length("target", target.len(), m.sensor.dim[id] as usize)?;
        Ok(Self::Sensor { adr: m.sensor.adr[id] as usize, target: target.to_vec(), stage: m.sensor.needstage[id] })
    }

    /// Makes a function of `dim` numbers that reads no results later than those of `stage`.
    pub fn function(
        dim: usize,
        stage: Stage,
        function: impl Fn(&Model, &Data, &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self::Function { dim, stage, function: Arc::new(function) }
    }

    /// Returns the number of entries.
    pub fn dim(&self) -> usize {
        match self {
            Self::Position { dofs, .. } | Self::Velocity { dofs } => dofs.len(),
            Self::Control { target } | Self::Sensor { target, .. } => target.len(),
            Self::Function { dim, .. } => *dim,
        }
    }

    /// Returns the latest stage whose results it reads; none if it reads the state alone.
    pub fn stage(&self) -> Stage {
        match self {
            Self::Sensor { stage, .. } | Self::Function { stage, .. } => *stage,
            _ => Stage::None,
        }
    }

    /// Checks the sizes against a model.
    pub(crate) fn check(&self, m: &Model) -> Result<(), ControlError> {
        let dofs = |dofs: &[usize]| match dofs.iter().find(|&&i| i >= m.nv()) {
            Some(&i) => Err(ControlError::Setting { name: "dofs", value: i as f64, expected: "rows of dofs" }),
            None => Ok(()),
        };
        match self {
            Self::Position { target, dofs: list } => {
                check_length("target", target.len(), m.nq())?;
                dofs(list)
            }
            Self::Velocity { dofs: list } => dofs(list),
            Self::Control { target } => check_length("target", target.len(), m.control.len()),
            Self::Sensor { adr, target, .. } if adr + target.len() > m.nsensordata => {
                Err(ControlError::Length { array: "sensordata", got: m.nsensordata, expected: adr + target.len() })
            }
            _ => Ok(()),
        }
    }

    /// Writes the residual of the present state and results; `scratch` is nv numbers.
    pub(crate) fn evaluate(&self, m: &Model, d: &Data, scratch: &mut [f64], out: &mut [f64]) {
        match self {
            Self::Position { target, dofs } => {
                differentiate_pos(m, scratch, 1.0, target, &d.state.qpos);
                out.iter_mut().zip(dofs).for_each(|(r, &i)| *r = scratch[i]);
            }
            Self::Velocity { dofs } => out.iter_mut().zip(dofs).for_each(|(r, &i)| *r = d.state.qvel[i]),
            Self::Control { target } => subtract(&d.state.ctrl, target, out),
            Self::Sensor { adr, target, .. } => subtract(&d.sensordata[*adr..][..target.len()], target, out),
            Self::Function { function, .. } => function(m, d, out),
        }
    }

    /// Writes the Jacobian of a residual of the state alone, a row of nx + nu numbers an entry; returns whether it is one.
    pub(crate) fn jacobian(&self, m: &Model, d: &Data, scratch: &mut [f64], rows: &mut [f64]) -> bool {
        let (nv, width) = (m.nv(), 2 * m.nv() + m.na + m.control.len());
        match self {
            Self::Position { target, dofs } => {
                differentiate_pos(m, scratch, 1.0, target, &d.state.qpos);
                for (row, &i) in rows.chunks_exact_mut(width).zip(dofs) {
                    row[i] = 1.0;
                }
                rotations(m, |first| {
                    let u = DVec3::from_slice(&scratch[first..]);
                    for (row, &i) in
                        rows.chunks_exact_mut(width).zip(dofs).filter(|(_, i)| (first..first + 3).contains(*i))
                    {
                        for j in 0..3 {
                            row[first + j] = inverse_dexp(u, DVec3::AXES[j])[i - first];
                        }
                    }
                });
            }
            Self::Velocity { dofs } => {
                rows.chunks_exact_mut(width).zip(dofs).for_each(|(row, &i)| row[nv + i] = 1.0);
            }
            Self::Control { .. } => {
                let first = 2 * nv + m.na;
                rows.chunks_exact_mut(width).enumerate().for_each(|(i, row)| row[first + i] = 1.0);
            }
            _ => return false,
        }
        true
    }
}

/// Calls `f` with the first dof of every rotation.
fn rotations(m: &Model, mut f: impl FnMut(usize)) {
    for j in m.jnt.ids() {
        let first = m.jnt.dofadr[j].index();
        match m.jnt.r#type[j] {
            JointType::Free => f(first + 3),
            JointType::Ball => f(first),
            _ => {}
        }
    }
}

fn subtract(a: &[f64], b: &[f64], out: &mut [f64]) {
    out.iter_mut().zip(a.iter().zip(b)).for_each(|(r, (a, b))| *r = a - b);
}

impl fmt::Debug for Residual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Position { .. } => "Position",
            Self::Velocity { .. } => "Velocity",
            Self::Control { .. } => "Control",
            Self::Sensor { .. } => "Sensor",
            Self::Function { .. } => "Function",
        };
        write!(f, "{name}({})", self.dim())
    }
}
