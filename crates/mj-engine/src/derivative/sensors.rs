//! Jacobians of sensors, along the closed-form derivative of the acceleration.
//!
//! A reading is s(q, v, u, a). Where an input moves by ε, the acceleration moves by ε ∂a, which is known; what a sensor then
//! reads needs no solver: the constraint forces at a given acceleration are those of inverse dynamics.

use super::differences::{Block, nudge_input};
use super::parameters::nudge;
use super::{Nominal, StepDerivative, parameter_derivative};
use crate::data::Data;
use crate::differences::TransitionError;
use crate::pipeline::forward::{self, Known, actuation};
use crate::pipeline::{discrete, inverse};
use crate::sensor;
use mj_model::model::ModelParameter;
use mj_model::{IntegratorType, Model};

/// Computes the Jacobians of [`step`](crate::step) as [`parameter_derivative`] does, and those of the sensors that it reads before
/// it moves on, in [`StepDerivative::c`], [`StepDerivative::d`] and [`StepDerivative::s`]: ds = C dx + D du + S dp.
///
/// Sensors' columns are centered differences of the readings along the closed-form derivative of the acceleration; no solver runs.
/// Kinetic energy counts as that of the present velocity.
///
/// Example: [`transition_fd`](crate::transition_fd).
///
/// # Errors
/// As [`parameter_derivative`].
pub fn sensor_derivative(
    m: &Model,
    d: &mut Data,
    parameters: &[ModelParameter],
    out: &mut StepDerivative,
) -> Result<(), TransitionError> {
    parameter_derivative(m, d, parameters, out)?;
    let (nv, na, nu, ns) = (m.nv(), m.na, m.nu(), m.nsensordata);
    out.s.resize(ns * parameters.len(), 0.0);
    if out.differences.step.is_some() {
        out.c.clone_from(&out.transition.c);
        out.d.clone_from(&out.transition.d);
        let start = d.state.clone();
        let mut sides = [Vec::new(), Vec::new()];
        for (i, parameter) in parameters.iter().enumerate() {
            let width = nudge(parameter, m, |m, side| {
                forward::evaluate(m, d, Known::Nothing, true);
                sides[side].clone_from(&d.sensordata);
                d.state.clone_from(&start);
            });
            write_column(&sides, width, i, &mut out.s);
        }
        return Ok(());
    }
    let nx = 2 * nv + na;
    out.c.resize(ns * nx, 0.0);
    out.d.resize(ns * nu, 0.0);
    let (n, mut sides) = (&out.nominal, [Vec::new(), Vec::new()]);
    let Some(parts) = &mut out.parts else { return Ok(()) };
    // What is not nudged must be that of the present state.
    d.qacc.copy_from_slice(&n.qacc);
    read(m, d, Known::Nothing);
    out.solution.find_accelerations(nv, &out.columns, &mut parts.hessian);
    // A sensor of kinetic energy is read with the positions.
    let velocities = if d.plan.sensors.kinetic { Known::Nothing } else { Known::Position };
    // Each leaves alone the results that the next one uses.
    for (block, first, count, known) in [
        (Block::Control, nx, nu, Known::Velocity),
        (Block::Activation, 2 * nv, na, Known::Velocity),
        (Block::Velocity, nv, nv, velocities),
        (Block::Position, 0, nv, Known::Nothing),
    ] {
        for i in 0..count {
            let mut steps = [0.0; 2];
            for (side, readings) in sides.iter_mut().enumerate() {
                steps[side] = nudge_input(m, d, n, block, i, side);
                out.solution.add_acceleration(first + i, steps[side], &mut d.qacc);
                read(m, d, known);
                readings.clone_from(&d.sensordata);
                restore(d, n);
            }
            let (to, column) = if block == Block::Control { (&mut out.d, i) } else { (&mut out.c, first + i) };
            write_column(&sides, steps[0] - steps[1], column, to);
        }
    }
    out.parameters.find_accelerations(nv, &mut parts.hessian);
    for (i, parameter) in parameters.iter().enumerate() {
        let value = parameter.value(m).unwrap_or_default();
        let width = nudge(parameter, m, |m, side| {
            let by = parameter.value(m).unwrap_or_default() - value;
            out.parameters.add_acceleration(i, by, &mut d.qacc);
            read(m, d, Known::Nothing);
            sides[side].clone_from(&d.sensordata);
            restore(d, n);
        });
        write_column(&sides, width, i, &mut out.s);
    }
    // Results are those of the present state again.
    read(m, d, Known::Nothing);
    Ok(())
}

/// Reads all sensors that what is not known changes, at the acceleration `d.qacc`.
fn read(m: &Model, d: &mut Data, known: Known) {
    if known < Known::Position {
        forward::position(m, d);
        d.ws.kinetic_known = false;
        sensor::position(m, d);
    }
    if known < Known::Velocity {
        forward::velocity(m, d);
        sensor::velocity(m, d);
    }
    actuation(m, d);
    if m.opt.integrator == IntegratorType::Discrete {
        discrete::prepare_inverse(m, d);
    }
    inverse::constraint_forces(d);
    sensor::acceleration(m, d);
}

fn restore(d: &mut Data, n: &Nominal) {
    d.state.clone_from(&n.state);
    d.qacc.copy_from_slice(&n.qacc);
}

/// Writes (plus − minus)/width to a column; zeros where there is no width.
fn write_column([plus, minus]: &[Vec<f64>; 2], width: f64, column: usize, to: &mut [f64]) {
    let Some(count) = to.len().checked_div(plus.len()) else { return };
    for ((row, a), b) in to.chunks_exact_mut(count.max(1)).zip(plus).zip(minus) {
        row[column] = if width > 0.0 { (a - b) / width } else { 0.0 };
    }
}
