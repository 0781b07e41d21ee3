//! Passive contacts of flexes: springs along the normal, outside of the constraint problem.

use mj_collide::Contact;
use mj_math::BlockRows;
use mj_model::*;

/// Square of the natural frequency of the spring of a passive contact on the least mass that takes part, 1/s².
pub const PASSIVE_CONTACT_FREQUENCY_SQUARED: f64 = 5e7;

/// Passive contacts of a state: springs that push along the normal where surfaces overlap.
///
/// Row i of the Jacobian J gives the velocity of the distance, its spring the force fᵢ = −kᵢ min(dᵢ, 0) along it. The
/// stiffness holds on both sides of d = 0 for integrators that take it implicitly: a contact that is near slows down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassiveContacts {
    /// Derivatives of the distances by the positions of dofs, a row for each, by nv.
    pub jac: BlockRows,
    /// Stiffness k, N/m.
    pub stiffness: Vec<f64>,
    /// Force f along the normal, N.
    pub force: Vec<f64>,
    /// Numbers of the contacts.
    pub contact: Vec<u32>,
}

impl PassiveContacts {
    pub(crate) fn clear(&mut self, nv: usize) {
        self.jac.clear(nv);
        self.stiffness.clear();
        self.force.clear();
        self.contact.clear();
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.contact.is_empty()
    }

    /// Adds Jᵀf to generalized forces.
    pub fn add_forces(&self, qfrc: &mut [f64]) {
        for (i, f) in self.force.iter().enumerate() {
            self.jac.for_each_in_row(i, |dof, j| qfrc[dof] += f * j);
        }
    }
}

/// Whether a contact is passive: one of a flex that asks for it with any flex, or with a geom that is fixed to the world.
pub(crate) fn is_passive(m: &Model, c: &Contact) -> bool {
    let fixed = |g: &GeomId| m.body.weldid[m.geom.bodyid[*g]] == BodyId::WORLD;
    c.flex.iter().flatten().any(|&f| m.flex_is_passive(f)) && c.geom.iter().flatten().all(fixed)
}
