//! Normal equations of windows that share parameters: each window's initial state is eliminated.

use crate::window::Rows;
use mj_math::dense;

/// Normal equations of a window, [A B; Bᵀ C] with the gradient (a, c): initial state, then parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Normal {
    states: usize,
    parameters: usize,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    gradient_state: Vec<f64>,
    gradient_parameters: Vec<f64>,
    /// Factor of the damped A, A⁻¹B (a row a parameter) and A⁻¹a.
    factor: Vec<f64>,
    solved: Vec<f64>,
    own: Vec<f64>,
}

impl Normal {
    /// Sums the rows of a window with `states` numbers of initial state, of which none is unknown unless `free`.
    pub fn new(rows: &Rows, states: usize, parameters: usize, free: bool) -> Self {
        let width = states + parameters;
        let mut n = Self { states: if free { states } else { 0 }, parameters, ..Self::default() };
        let ns = n.states;
        n.a.resize(ns * ns, 0.0);
        n.b.resize(parameters * ns, 0.0);
        n.c.resize(parameters * parameters, 0.0);
        n.gradient_state.resize(ns, 0.0);
        n.gradient_parameters.resize(parameters, 0.0);
        for (row, r) in rows.jacobian.chunks_exact(width.max(1)).zip(&rows.residual) {
            let (x, p) = (&row[..ns], &row[states..]);
            for (i, xi) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                dense::axpy(&mut n.a[i * ns..(i + 1) * ns], *xi, x);
            }
            for (i, pi) in p.iter().enumerate().filter(|(_, p)| **p != 0.0) {
                dense::axpy(&mut n.b[i * ns..(i + 1) * ns], *pi, x);
                dense::axpy(&mut n.c[i * parameters..(i + 1) * parameters], *pi, p);
            }
            dense::axpy(&mut n.gradient_state, *r, x);
            dense::axpy(&mut n.gradient_parameters, *r, p);
        }
        n
    }

    /// Adds the window's part of the parameters' normal equations, H = C − Bᵀ(A + λ diag A)⁻¹B and the gradient, to `h` and
    /// `g`.
    pub fn eliminate(&mut self, damping: f64, h: &mut [f64], g: &mut [f64]) {
        let (ns, np) = (self.states, self.parameters);
        dense::axpy(h, 1.0, &self.c);
        dense::axpy(g, 1.0, &self.gradient_parameters);
        if ns == 0 {
            return;
        }
        self.factor.clone_from(&self.a);
        let greatest = (0..ns).fold(0.0, |x: f64, i| x.max(self.a[i * ns + i]));
        for i in 0..ns {
            // Numbers of the state that nothing measures stay.
            self.factor[i * ns + i] += damping * self.a[i * ns + i] + greatest.max(1e-300) * 1e-14;
        }
        dense::cholesky(&mut self.factor, ns);
        self.own.clone_from(&self.gradient_state);
        dense::cholesky_solve(&self.factor, ns, &mut self.own);
        self.solved.clone_from(&self.b);
        for (i, solved) in self.solved.chunks_exact_mut(ns).enumerate() {
            dense::cholesky_solve(&self.factor, ns, solved);
            for j in 0..np {
                h[i * np + j] -= dense::dot(solved, &self.b[j * ns..(j + 1) * ns]);
            }
            g[i] -= dense::dot(&self.b[i * ns..(i + 1) * ns], &self.own);
        }
    }

    /// Returns the step of the initial state after a step of the parameters: −A⁻¹(a + B δp).
    pub fn step(&self, parameters: &[f64]) -> Vec<f64> {
        let mut step: Vec<f64> = self.own.iter().map(|x| -x).collect();
        for (solved, p) in self.solved.chunks_exact(self.states.max(1)).zip(parameters) {
            dense::axpy(&mut step, -p, solved);
        }
        step
    }
}
