//! Integrators implicit in velocity: `implicit` and `implicitfast`.

use crate::free_body::{free_block, solve_free};
use crate::{Rates, advance};
use mj_dynamics::{BiasOf, Chains, Smooth, VelocityDerivative};
use mj_math::{TreePattern, dense};
use mj_model::{DofId, IntegratorType, Model, State};
use std::ops::Range;

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
    /// The dofs between those of free bodies that carry no joints, and where their entries lie.
    coupled: Vec<Range<usize>>,
    stretches: Vec<Stretch>,
    /// Force, then acceleration.
    qacc: Vec<f64>,
}

/// Entries side by side in the pattern of M as in the derivative's.
#[derive(Clone, Debug, PartialEq)]
struct Stretch {
    inertia: Range<usize>,
    derivative: Range<usize>,
}

impl Stretch {
    /// All stretches of these rows.
    fn of(m: &Model, d: &VelocityDerivative, rows: &[Range<usize>]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for i in rows.iter().cloned().flatten() {
            // A row of M holds all ancestors of its dof, or only the diagonal.
            let (inertia, end) = (m.m_pattern.row(i), d.pattern.row(i).end);
            let derivative = end - inertia.len()..end;
            match all.last_mut() {
                Some(l) if (l.inertia.end, l.derivative.end) == (inertia.start, derivative.start) => {
                    (l.inertia.end, l.derivative.end) = (inertia.end, derivative.end);
                }
                _ => all.push(Self { inertia, derivative }),
            }
        }
        all
    }
}

impl ImplicitWorkspace {
    /// Memory for a model; none if its integrator needs none.
    pub fn new(m: &Model) -> Self {
        if !matches!(m.opt.integrator, IntegratorType::Implicit | IntegratorType::ImplicitFast) {
            return Self::default();
        }
        let derivative = VelocityDerivative::new(m);
        let mut coupled = Vec::new();
        let mut from = 0;
        for to in derivative.free.iter().map(|f| f.index()).chain([m.nv()]) {
            if from < to {
                coupled.push(from..to);
            }
            from = to + 6;
        }
        Self {
            stretches: Stretch::of(m, &derivative, &coupled),
            coupled,
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
        for &first in &self.derivative.free {
            if let Some(x) = x[first.index()..].first_chunk_mut::<6>() {
                solve_free(m, inertia, &self.derivative, first, x);
            }
        }
        for dofs in &self.coupled {
            m.m_pattern.solve_rows(dofs.clone(), &self.qH, &self.qHDiagInv, x);
        }
    }

    /// Borrows the derivative of the smooth forces by velocity as the last step had it: the pattern of [`velocity_lu`], the
    /// entries on and below the diagonal, and those above it.
    ///
    /// [`velocity_lu`]: Self::velocity_lu
    pub fn velocity_derivative(&self) -> (&TreePattern, &[f64], &[f64]) {
        (&self.derivative.pattern, &self.derivative.lower, &self.derivative.upper)
    }

    /// Borrows the factor U D L of M − h ∂f/∂v of the last step with the integrator `implicit`, as
    /// [`TreePattern::factor_lu`] leaves it.
    pub fn velocity_lu(&self) -> (&TreePattern, &[f64], &[f64]) {
        (&self.derivative.pattern, &self.lower, &self.upper)
    }

    /// Writes the factor LᵀDL of the symmetric part of M − h ∂f/∂v of the last step with the integrator `implicitfast`, in
    /// the pattern of M, and 1/D (nv), given the inertia M. Free bodies that carry no joints are solved by themselves, with
    /// the bias force too; their rows are factored here. Returns false, and writes nothing, if no step has
    /// made it.
    pub fn write_symmetric_factor(&self, m: &Model, inertia: &[f64], ld: &mut [f64], dinv: &mut [f64]) -> bool {
        // A step leaves an acceleration.
        if [self.qH.len(), self.qHDiagInv.len()] != [ld.len(), dinv.len()] || self.qacc.len() != dinv.len() {
            return false;
        }
        ld.copy_from_slice(&self.qH);
        dinv.copy_from_slice(&self.qHDiagInv);
        for first in &self.derivative.free {
            let dofs = first.index()..first.index() + 6;
            for i in dofs.clone() {
                let (row, end) = (m.m_pattern.row(i), self.derivative.pattern.row(i).end);
                let from = end - row.len();
                for (k, at) in row.enumerate() {
                    let slopes = self.derivative.lower[from + k] + self.derivative.upper[from + k];
                    ld[at] = inertia[at] - 0.5 * m.opt.timestep * slopes;
                }
            }
            m.m_pattern.factor_rows(dofs, ld, dinv);
        }
        true
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

/// Part of an earlier step's matrix that still holds.
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
    chains: &Chains,
    s: &mut State,
    r: &Smooth,
    qfrc_constraint: &[f64],
    reuse: Reuse,
    ws: &mut ImplicitWorkspace,
) -> Option<DofId> {
    ws.fit(m);
    let mut singular = None;
    if reuse != Reuse::Factor {
        singular = if m.opt.integrator == IntegratorType::Implicit {
            assemble(m, chains, s, r, ws);
            ws.derivative.pattern.factor_lu(&mut ws.lower, &mut ws.upper)
        } else {
            if reuse == Reuse::Nothing {
                ws.derivative.compute(m, chains, s, r, BiasOf::FreeBodies);
            }
            assemble_symmetric(m, r, ws);
            let ImplicitWorkspace { coupled, qH, qHDiagInv, .. } = ws;
            coupled.iter().rev().fold(None, |s, dofs| s.or(m.m_pattern.factor_rows(dofs.clone(), qH, qHDiagInv)))
        };
    }
    let mut qacc = std::mem::take(&mut ws.qacc);
    qacc.clear();
    qacc.extend(r.actuation.qfrc_smooth.iter().zip(qfrc_constraint).map(|(a, b)| a + b));
    ws.solve(m, &r.inertia.M, &mut qacc);
    ws.qacc = qacc;
    advance(m, s, &r.transmissions, Rates { act_dot: &r.actuation.act_dot, qacc: &ws.qacc, qvel: None });
    singular.map(DofId::new)
}

/// y = (M − h ∂f/∂v) x, with the matrix that [`implicit`] inverts: the force that gives the
/// acceleration x over a step.
pub fn mul_implicit(
    m: &Model,
    chains: &Chains,
    s: &State,
    r: &Smooth,
    x: &[f64],
    y: &mut [f64],
    ws: &mut ImplicitWorkspace,
) {
    ws.fit(m);
    if m.opt.integrator == IntegratorType::Implicit {
        assemble(m, chains, s, r, ws);
        ws.derivative.pattern.mul_unsymmetric(&ws.lower, &ws.upper, x, y);
        return;
    }
    ws.derivative.compute(m, chains, s, r, BiasOf::FreeBodies);
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
fn assemble(m: &Model, chains: &Chains, s: &State, r: &Smooth, ws: &mut ImplicitWorkspace) {
    let d = &mut ws.derivative;
    d.compute(m, chains, s, r, BiasOf::All);
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

/// Symmetric part of M − h ∂f/∂v in the pattern of M, but for free bodies.
fn assemble_symmetric(m: &Model, r: &Smooth, ws: &mut ImplicitWorkspace) {
    let half_h = 0.5 * m.opt.timestep;
    for s in &ws.stretches {
        let to = &mut ws.qH[s.inertia.clone()];
        let (lower, upper) = (&ws.derivative.lower[s.derivative.clone()], &ws.derivative.upper[s.derivative.clone()]);
        let slopes = lower.iter().zip(upper);
        for ((h, m), (l, u)) in to.iter_mut().zip(&r.inertia.M[s.inertia.clone()]).zip(slopes) {
            *h = m - half_h * (l + u);
        }
    }
}
