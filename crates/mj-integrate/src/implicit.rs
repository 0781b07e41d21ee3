//! Integrators implicit in velocity: `implicit` and `implicitfast`.

use crate::free_body::free_block;
use crate::{Rates, advance};
use mj_dynamics::{BiasOf, SmoothResults, VelocityDerivative};
use mj_math::dense;
use mj_model::{DofId, IntegratorType, Model, State};

/// Memory of [`implicit`] and [`mul_implicit`]: the matrix M − h ∂f/∂v, its factor, a right side.
#[derive(Clone, Debug, Default)]
pub struct ImplicitWorkspace {
    derivative: VelocityDerivative,
    /// Entries of M − h ∂f/∂v in the derivative's pattern, or its factors: `implicit`.
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// Symmetric part in the pattern of M, or its factor: `implicitfast`.
    qH: Vec<f64>,
    qHDiagInv: Vec<f64>,
    /// Force, then acceleration.
    qacc: Vec<f64>,
}

impl ImplicitWorkspace {
    /// Memory for a model; none if its integrator needs none.
    pub fn new(m: &Model) -> Self {
        if !matches!(m.opt.integrator, IntegratorType::Implicit | IntegratorType::ImplicitFast) {
            return Self::default();
        }
        let derivative = VelocityDerivative::new(m);
        Self {
            lower: vec![0.0; derivative.pattern.nnz()],
            upper: vec![0.0; derivative.pattern.nnz()],
            qH: vec![0.0; m.m_pattern.nnz()],
            qHDiagInv: vec![0.0; m.nv()],
            qacc: Vec::with_capacity(m.nv()),
            derivative,
        }
    }

    /// Solves (M − h ∂f/∂v) x = b in place with the factor of the last step, given the inertia M in its
    /// pattern.
    pub fn solve(&self, m: &Model, inertia: &[f64], x: &mut [f64]) {
        if m.opt.integrator == IntegratorType::Implicit {
            return self.derivative.pattern.solve_lu(&self.lower, &self.upper, x);
        }
        // The blocks of free bodies are coupled to nothing else: solved as they are, they replace what
        // the symmetric solution makes of them.
        let free = |first: &DofId| first.index()..first.index() + 6;
        for first in &self.derivative.free {
            let part = &mut x[free(first)];
            let Ok(mut own) = <[f64; 6]>::try_from(&*part) else { continue };
            let mut block = free_block(m, inertia, &self.derivative, *first);
            if dense::lu_solve_fixed(&mut block, &mut own) {
                part.copy_from_slice(&own);
            } else {
                let dofs = free(first);
                m.m_pattern.solve_rows(dofs, &self.qH, &self.qHDiagInv, x);
            }
        }
        let mut from = 0;
        for dofs in self.derivative.free.iter().map(free).chain(std::iter::once(m.nv()..m.nv())) {
            m.m_pattern.solve_rows(from..dofs.start, &self.qH, &self.qHDiagInv, x);
            from = dofs.end;
        }
    }

    /// Takes over the matrix and its factor from the memory of another step of the same model.
    pub fn copy_matrix(&mut self, from: &Self) {
        for (to, from) in [
            (&mut self.derivative.lower, &from.derivative.lower),
            (&mut self.derivative.upper, &from.derivative.upper),
            (&mut self.lower, &from.lower),
            (&mut self.upper, &from.upper),
            (&mut self.qH, &from.qH),
            (&mut self.qHDiagInv, &from.qHDiagInv),
        ] {
            to.clone_from(from);
        }
    }

    fn fit(&mut self, m: &Model) {
        if self.derivative.pattern.n() != m.nv() {
            *self = Self::new(m);
        }
    }
}

/// What of a matrix that was made before still holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reuse {
    /// Nothing.
    #[default]
    Nothing,
    /// The derivative of the forces by velocity, as far as the matrix has it.
    Derivative,
    /// The matrix and its factor.
    Factor,
}

/// One step that is implicit in velocity to first order:
///
/// v' = v + h (M − h ∂f/∂v)⁻¹ (f + f_c),  q' = q ⊕ h v',
///
/// with f the smooth forces and f_c those of constraints, whose derivative is left out. With
/// `integrator="implicit"`, ∂f/∂v is whole (but for coupling between branches of a tree); with
/// `implicitfast` it is without the bias force and made symmetric, except in the 6×6 blocks of free
/// bodies that carry no joints, which are solved as they are.
///
/// What `reuse` says is used again as the workspace holds it from the last call. Returns the dof whose pivot vanished and was lifted, if any.
///
/// Manual: Computation, "Numerical integration".
pub fn implicit(
    m: &Model,
    s: &mut State,
    r: SmoothResults<'_>,
    qfrc_constraint: &[f64],
    reuse: Reuse,
    ws: &mut ImplicitWorkspace,
) -> Option<DofId> {
    ws.fit(m);
    let mut singular = None;
    if reuse != Reuse::Factor {
        singular = if m.opt.integrator == IntegratorType::Implicit {
            assemble(m, s, r, ws);
            ws.derivative.pattern.factor_lu(&mut ws.lower, &mut ws.upper)
        } else {
            if reuse == Reuse::Nothing {
                ws.derivative.compute(m, s, r, BiasOf::FreeBodies);
            }
            assemble_symmetric(m, r, ws);
            m.m_pattern.factor(&mut ws.qH, &mut ws.qHDiagInv)
        };
    }
    let mut qacc = std::mem::take(&mut ws.qacc);
    qacc.clear();
    qacc.extend(r.act.qfrc_smooth.iter().zip(qfrc_constraint).map(|(a, b)| a + b));
    ws.solve(m, &r.inertia.M, &mut qacc);
    ws.qacc = qacc;
    advance(m, s, r.trans, Rates { act_dot: &r.act.act_dot, qacc: &ws.qacc, qvel: None });
    singular.map(DofId::new)
}

/// y = (M − h ∂f/∂v) x, with the matrix that [`implicit`] inverts: the force that gives the
/// acceleration x over a step.
pub fn mul_implicit(m: &Model, s: &State, r: SmoothResults<'_>, x: &[f64], y: &mut [f64], ws: &mut ImplicitWorkspace) {
    ws.fit(m);
    if m.opt.integrator == IntegratorType::Implicit {
        assemble(m, s, r, ws);
        ws.derivative.pattern.mul_unsymmetric(&ws.lower, &ws.upper, x, y);
        return;
    }
    ws.derivative.compute(m, s, r, BiasOf::FreeBodies);
    assemble_symmetric(m, r, ws);
    m.m_pattern.mul(&ws.qH, x, y);
    for &first in &ws.derivative.free {
        let a = free_block(m, &r.inertia.M, &ws.derivative, first);
        let dofs = first.index()..first.index() + 6;
        for (y, row) in y[dofs.clone()].iter_mut().zip(&a) {
            *y = dense::dot(row, &x[dofs.clone()]);
        }
    }
}

/// M − h ∂f/∂v in the derivative's pattern.
fn assemble(m: &Model, s: &State, r: SmoothResults<'_>, ws: &mut ImplicitWorkspace) {
    let d = &mut ws.derivative;
    d.compute(m, s, r, BiasOf::All);
    let h = m.opt.timestep;
    for ((x, y), (l, u)) in ws.lower.iter_mut().zip(&mut ws.upper).zip(d.lower.iter().zip(&d.upper)) {
        (*x, *y) = (-h * l, -h * u);
    }
    // A row of M holds all ancestors of its dof, or only the diagonal.
    for i in 0..m.nv() {
        let row = m.m_pattern.row(i);
        let to = d.pattern.row(i).end - row.len();
        for (k, a) in row.enumerate() {
            ws.lower[to + k] += r.inertia.M[a];
            ws.upper[to + k] += r.inertia.M[a];
        }
    }
}

/// Symmetric part of M − h ∂f/∂v in the pattern of M; M alone in the blocks of free bodies.
fn assemble_symmetric(m: &Model, r: SmoothResults<'_>, ws: &mut ImplicitWorkspace) {
    let d = &ws.derivative;
    let half_h = 0.5 * m.opt.timestep;
    for i in 0..m.nv() {
        let row = m.m_pattern.row(i);
        let end = d.pattern.diag(i);
        let from = end + 1 - row.len()..end;
        // The diagonal is in the lower part alone.
        let last = row.end - 1;
        ws.qH[last] = r.inertia.M[last] - 2.0 * half_h * d.lower[end];
        let row = row.start..last;
        let slopes = d.lower[from.clone()].iter().zip(&d.upper[from]);
        for ((h, m), (l, u)) in ws.qH[row.clone()].iter_mut().zip(&r.inertia.M[row]).zip(slopes) {
            *h = m - half_h * (l + u);
        }
    }
    for f in &d.free {
        let rows = m.m_pattern.row(f.index()).start..m.m_pattern.row(f.index() + 5).end;
        ws.qH[rows.clone()].copy_from_slice(&r.inertia.M[rows]);
    }
}
