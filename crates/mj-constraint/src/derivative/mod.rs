//! Derivative of the constraint force in joint space, Jᵀf(Ja − a_ref), at a given acceleration.
//!
//! With H the Hessian of the cost at jar = Ja − a_ref, and the rows' reference
//! a_ref = −b Jv − k d (pos − margin), the force f = −∇s changes by
//!
//! ```text
//! df = −H djar + f dD/D,   dD/D = d'/(d (1 − d)) dpos,
//! djar = dJ a + b (dJ v + J dv) + k (d + d' (pos − margin)) dpos,
//! ```
//!
//! for D is in proportion to d/(1 − d), all rows of a contact alike, and the cost to D. With the integrator `discrete` both
//! depend on the time step, too (`law`), and D on the inertia (`hardening`).
//!
//! A contact's rows are combinations of the motion U of the second body against the first along the contact's
//! frame. With V₁, V₂ the motions of the bodies at the contact, Σ the motion of the contact's frame when dof k
//! moves, and w that of what dof k hangs from, U changes along the frame by
//!
//! ```text
//! S_k × (V₂ − w) if k moves the second body, −S_k × (V₁ − w) if it moves the first, −Σ × (V₂ − V₁),
//! ```
//!
//! and the contact's wrench F on the second body, fixed to its frame, by Σ ×* F. That the dofs' own motions
//! change under the wrench belongs to inverse dynamics, which gets the wrenches as forces from outside.
//!
//! Connects and welds are of the same kind (`connect_weld`). Of tendons, limits of ball joints and couplings the rows' own
//! derivative dJ, one matrix a row, is found instead.

mod block;
mod connect_weld;
mod contact;
mod hardening;
mod law;
mod parameter;
mod product;
mod rows;
mod softness;
mod weights;

use crate::rows::Rows;
use mj_collide::{Contact, ContactMotion, Contacts};
use mj_dynamics::{ArmDerivative, ChainMotion, Chains, Poses, Transmissions};
use mj_math::{Spatial, dense};
use mj_model::*;
use mj_problem::ConstraintState;

use block::{columns, dofs, hessian, push};
pub use contact::WhatMoves;
use hardening::Hardening;
pub use hardening::StepDiagonals;
use law::RowLaw;
use product::{BEHIND, Product};
use rows::is_connect_or_weld;
pub use weights::{InverseWeights, follow_inverse_weights};

/// Derivative of −Jᵀf at a given acceleration, each matrix nv×nv and by rows, with a few numbers behind.
#[derive(Clone, Debug, Default)]
pub struct ForceDerivative {
    /// By the velocity: one row a dof that moves, one column a force.
    pub by_velocity: Vec<f64>,
    /// By the position, the same, but for how forces from outside act on dofs that turn.
    pub by_position: Vec<f64>,
    /// Wrench of contacts, connects and welds on each body, about the centre of mass of its tree.
    pub wrenches: IdVec<BodyId, Spatial>,
    /// Motions of bodies by acceleration and by velocity.
    by_qacc: ChainMotion,
    by_qvel: ChainMotion,
    /// Accelerations of bodies, with what velocities add.
    acceleration: ChainMotion,
    /// What velocities alone add.
    drift: ChainMotion,
    arms: ArmDerivative,
    /// Derivative of a row by position: a row of numbers a dof that moves.
    curve: Vec<f64>,
    jar: Vec<f64>,
    work: Vec<f64>,
    /// Columns of the block at hand.
    columns: Vec<usize>,
    /// Product of its Hessian with its Jacobian, whose rows have weights.
    weighted: Vec<f64>,
    /// The block's contribution.
    product: Product,
    moving: contact::Moving,
    hardening: Hardening,
    /// Motions of bodies by the derivative of a row's inertia.
    by_row: ChainMotion,
    /// Jᵀf of rows that harden together.
    push: Vec<f64>,
}

/// Where the derivative is taken: rows and their forces at an acceleration.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// Chains of dofs.
    pub chains: &'a Chains,
    /// State.
    pub state_vector: &'a State,
    /// Poses.
    pub poses: &'a Poses,
    /// Tendons.
    pub trans: &'a Transmissions,
    /// Contacts that the rows are of.
    pub contacts: &'a Contacts,
    /// Rows with their reference.
    pub rows: &'a Rows,
    /// Force and state of each row.
    pub force: &'a [f64],
    /// State of each row.
    pub state: &'a [ConstraintState],
    /// Acceleration.
    pub qacc: &'a [f64],
    /// Velocity.
    pub qvel: &'a [f64],
    /// With the integrator `discrete`: the diagonals that the rows' regularization stands to.
    pub step: Option<StepDiagonals<'a>>,
}

impl ForceDerivative {
    /// Buffers for a model.
    pub fn new(m: &Model) -> Self {
        let [by_qacc, by_qvel, acceleration, drift, by_row] = [0; 5].map(|_| ChainMotion::new(m));
        let arms = ArmDerivative::new(m);
        let mut d = Self { by_qacc, by_qvel, acceleration, drift, by_row, arms, ..Self::default() };
        d.wrenches.resize(m.body.len(), Spatial::ZERO);
        d
    }

    /// Finds jar = Ja − a_ref.
    pub fn find_residuals(&mut self, m: &Model, at: At<'_>) {
        self.jar.resize(at.rows.nefc(), 0.0);
        self.work.resize(m.nv(), 0.0);
        at.rows.jac.mul(at.qacc, &mut self.jar, &mut self.work);
        self.jar.iter_mut().zip(&at.rows.aref).for_each(|(x, a)| *x -= a);
    }

    /// By velocity, after [`Self::find_residuals`]; what [`Self::by_position`] needs, too.
    pub fn by_motion(&mut self, m: &Model, at: At<'_>) {
        let nv = m.nv();
        self.by_velocity.clear();
        self.by_velocity.resize(nv * nv + BEHIND, 0.0);
        if at.rows.nefc() > 0 {
            self.by_qacc.compute(m, at.poses, at.qacc);
            self.by_qvel.compute(m, at.poses, at.qvel);
        }
        self.held_by_velocity(m, at);
        let mut out = std::mem::take(&mut self.by_velocity);
        self.add_weighted(nv, at, |row| RowLaw::new(m, at.rows, row).damping, &mut out);
        self.by_velocity = out;
    }

    /// By the acceleration, after [`Self::by_motion`]: JᵀHJ, nv×nv, with a few numbers behind.
    pub fn by_acceleration(&mut self, m: &Model, at: At<'_>, out: &mut Vec<f64>) {
        out.clear();
        out.resize(m.nv() * m.nv() + BEHIND, 0.0);
        self.add_weighted(m.nv(), at, |_| 1.0, out);
    }

    /// Adds JᵀHWJ, with W a weight for each row.
    fn add_weighted(&mut self, nv: usize, at: At<'_>, weight: impl Fn(usize) -> f64, out: &mut [f64]) {
        for block in at.rows.jac.blocks() {
            let (first, n) = (block.row as usize, block.nrow as usize);
            let Some(hessian) = hessian(at, &self.jar, first, n) else { continue };
            let w = block.ncol as usize;
            let jac = at.rows.jac.values(block);
            self.weighted.clear();
            self.weighted.resize(n * w, 0.0);
            for r in 0..n {
                for s in 0..n {
                    let h = hessian[r * n + s];
                    if h != 0.0 {
                        let row = &mut self.weighted[r * w..(r + 1) * w];
                        dense::axpy(row, h * weight(first + s), &jac[s * w..(s + 1) * w]);
                    }
                }
            }
            self.product.start(at.rows.jac.runs(block), n);
            self.product.set_rows(jac);
            for (k, d) in dofs(at.rows.jac.runs(block)).enumerate() {
                self.product.push_row(d, (0..n).map(|r| self.weighted[r * w + k]));
            }
            self.product.add_to(nv, out);
        }
    }

    /// By position, after [`Self::by_motion`]; `motion` says how a contact moves with its shapes.
    ///
    /// # Errors
    /// With a word for what it can't differentiate: rows whose Jacobian changes in other ways than a contact's.
    pub fn by_position(
        &mut self,
        m: &Model,
        at: At<'_>,
        mut motion: impl FnMut(&Contact) -> Option<ContactMotion>,
    ) -> Result<(), &'static str> {
        let nv = m.nv();
        self.by_position.clear();
        self.by_position.resize(nv * nv + BEHIND, 0.0);
        self.wrenches.as_mut_slice().fill(Spatial::ZERO);
        if at.rows.nefc() == 0 {
            return Ok(());
        }
        for block in at.rows.jac.blocks() {
            let (first, n) = (block.row as usize, block.nrow as usize);
            let id = at.rows.id[first] as usize;
            columns(&at.rows.jac, block, &mut self.columns);
            let step = at.step.filter(|_| hessian(at, &self.jar, first, n).is_some());
            match at.rows.r#type[first] {
                ConstraintType::FrictionDof => self.harden_alone(at, block),
                ConstraintType::Equality if is_connect_or_weld(m, EqualityId::new(id)) => {
                    self.held_by_position(m, at, block, EqualityId::new(id));
                }
                kind @ (ConstraintType::Equality
                | ConstraintType::LimitJoint
                | ConstraintType::LimitTendon
                | ConstraintType::FrictionTendon) => self.row_by_position(m, at, block, kind, id)?,
                _ => {
                    let Some(hessian) = hessian(at, &self.jar, first, n) else { continue };
                    let c = &at.contacts.list[id];
                    if c.adhesion != 0.0 {
                        return Err("adhesion of contacts");
                    }
                    let moves = motion(c).ok_or("a contact that a small motion ends")?;
                    let what = WhatMoves { at, id, moves, hessian: &hessian, first, n };
                    let (w, jac) = (block.ncol as usize, at.rows.jac.values(block));
                    let hard = &mut self.hardening;
                    if let Some(step) = step {
                        hard.find(step, &self.columns, &jac[..w]);
                        self.by_row.compute(m, at.poses, &hard.by_row);
                    }
                    let motions = [&self.by_qacc, &self.by_qvel];
                    let hardens = step.map(|_| (&self.by_row, &mut hard.through_row[..]));
                    let wrenches = &mut self.wrenches;
                    let runs = at.rows.jac.runs(block);
                    self.moving.add(m, what, motions, hardens, runs, &mut self.by_position, wrenches);
                    if let Some(step) = step {
                        push(jac, w, &at.force[first..first + n], 0..n, &mut self.push);
                        hard.add(step, &self.columns, &self.push, &mut self.by_position);
                    }
                }
            }
        }
        Ok(())
    }
}
