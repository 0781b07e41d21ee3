//! Gradients through a whole simulation: vector-Jacobian products backwards in time, with checkpoints.

use crate::error::{ControlError, check_length};
use mj_engine::model::model::ModelParameter;
use mj_engine::{Data, Model, State, StepDerivative, check_state, parameter_derivative, step};
use mj_math::dense;

/// Gradient of a function of a simulation's states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gradient {
    /// By the first state: position (tangent space), velocity, activation; nx.
    pub start: Vec<f64>,
    /// By the controls of each step, steps × nu.
    pub ctrl: Vec<f64>,
    /// By the parameters.
    pub parameters: Vec<f64>,
    /// Steps that were made: the states between two checkpoints are simulated again.
    pub steps: usize,
}

/// Computes the gradient of a function l(x₀, …, x_T) of the states of a simulation from its gradients `by_states` by each
/// state, (T + 1) × nx, by the adjoint recursion λ_T = ∂l/∂x_T, λ_n = ∂l/∂x_n + A_nᵀ λ_{n+1}; the gradient by the controls of
/// step n is B_nᵀ λ_{n+1}, that by the parameters Σ P_nᵀ λ_{n+1}.
///
/// `ctrl` has the controls of each step, steps × nu. States are in the tangent space: position (nv), velocity (nv), activation
/// (na). States are kept at every √T-th step, so that memory grows as √T, and the simulation is made twice. Each step's
/// Jacobians are those of [`mj_engine::parameter_derivative`]; no product of them is formed.
///
/// # Errors
/// If lengths differ, a step is refused, or has no derivative.
///
/// Source: Griewank and Walther, "Evaluating derivatives", 2008, chapters 3 and 12.
pub fn rollout_gradient(
    m: &Model,
    start: &State,
    ctrl: &[f64],
    by_states: &[f64],
    parameters: &[ModelParameter],
) -> Result<Gradient, ControlError> {
    check_state(m, start)?;
    let (nx, nu) = (2 * m.nv() + m.na, m.nu());
    let steps = (by_states.len() / nx.max(1)).saturating_sub(1);
    check_length("by_states", by_states.len(), (steps + 1) * nx)?;
    check_length("ctrl", ctrl.len(), steps * nu)?;
    let mut out =
        Gradient { ctrl: vec![0.0; steps * nu], parameters: vec![0.0; parameters.len()], ..Gradient::default() };
    let mut lambda = by_states[steps * nx..].to_vec();
    let (mut d, mut derivative) = (Data::new(m)?, StepDerivative::default());
    let stride = steps.isqrt().max(1);
    // States to begin a stretch with; the states along one stretch.
    let (mut checkpoints, mut stretch) = (vec![start.clone()], Vec::new());
    d.state.clone_from(start);
    let advance = |d: &mut Data, n: usize| {
        d.state.ctrl.copy_from_slice(&ctrl[n * nu..(n + 1) * nu]);
        step(m, d)
    };
    for n in 0..steps.saturating_sub(1) / stride * stride {
        advance(&mut d, n)?;
        out.steps += 1;
        if (n + 1) % stride == 0 {
            checkpoints.push(d.state.clone());
        }
    }
    let mut end = steps;
    while let Some(state) = checkpoints.pop() {
        let first = checkpoints.len() * stride;
        d.state.clone_from(&state);
        stretch.clear();
        stretch.push(state);
        for n in first..end.saturating_sub(1) {
            advance(&mut d, n)?;
            out.steps += 1;
            stretch.push(d.state.clone());
        }
        for n in (first..end).rev() {
            d.state.clone_from(&stretch[n - first]);
            d.state.ctrl.copy_from_slice(&ctrl[n * nu..(n + 1) * nu]);
            parameter_derivative(m, &mut d, parameters, &mut derivative)?;
            transpose_product(&derivative.b, &lambda, &mut out.ctrl[n * nu..(n + 1) * nu]);
            transpose_product(&derivative.p, &lambda, &mut out.parameters);
            let mut before = by_states[n * nx..(n + 1) * nx].to_vec();
            transpose_product(&derivative.a, &lambda, &mut before);
            lambda = before;
        }
        end = first;
    }
    out.start = lambda;
    Ok(out)
}

/// Adds Xᵀ λ to `out`.
fn transpose_product(x: &[f64], lambda: &[f64], out: &mut [f64]) {
    let width = out.len();
    if width > 0 {
        x.chunks_exact(width).zip(lambda).for_each(|(row, l)| dense::axpy(out, *l, row));
    }
}
