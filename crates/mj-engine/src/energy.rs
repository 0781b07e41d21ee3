//! Energy of a state.

use crate::data::Data;
use mj_dynamics as dynamics;
use mj_model::{Model, disable};

/// Computes the potential energy of bodies, springs and flexes.
pub(crate) fn potential_energy(m: &Model, d: &Data) -> f64 {
    let bodies = dynamics::potential_energy(m, &d.state, &d.smooth.poses, &d.smooth.transmissions);
    let elastic = !m.flex.is_empty() && !m.opt.disabled(disable::SPRING);
    bodies + if elastic { mj_deformable::edge_energy(m, &d.flexes) } else { 0.0 }
}
