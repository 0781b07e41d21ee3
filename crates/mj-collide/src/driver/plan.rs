//! Data that collision detection derives from the structure and the assets of a model, once for all simulations of it.

use super::candidates::Rules;
use super::place::Hulls;
use super::ray::Trees;
use mj_model::Model;
use std::sync::Arc;

/// Hulls of meshes, trees over their triangles, excluded and explicit pairs. It holds no parameter of the model: models of
/// one structure share it.
#[derive(Debug)]
pub(super) struct Plan {
    pub rules: Rules,
    pub hulls: Hulls,
    pub trees: Trees,
}

impl Plan {
    /// Returns the plan that a model shares with its copies.
    pub fn of(m: &Model) -> Arc<Self> {
        m.plan(|m| Self { rules: Rules::new(m), hulls: Hulls::new(m), trees: Trees::new(m) })
    }
}
