//! Results that constraint rows are made from.

use crate::custom::CustomRows;
use mj_collide::Contacts;
use mj_deformable::Flexes;
use mj_dynamics::{Chains, Smooth};

/// Results of the stages before, which constraint rows are made from.
#[derive(Clone, Copy)]
pub struct RowInputs<'a> {
    /// Chains of dofs of the bodies.
    pub chains: &'a Chains,
    /// Results of the smooth stages: poses, tendons, inertia, and velocities for the reference.
    pub smooth: &'a Smooth,
    /// Vertices and edges of flexes.
    pub flexes: &'a Flexes,
    /// Contacts.
    pub contacts: &'a Contacts,
    /// Equality constraints of a program's own.
    pub custom: Option<&'a CustomRows>,
}
