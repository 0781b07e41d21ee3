//! Forces of flexes on the joints.

use crate::buffers::Flexes;
use crate::edges::edge_forces;
use crate::elastic::{Inputs, elastic_forces};
use crate::plan::FlexPlan;
use crate::rod::rod_forces;
use mj_dynamics::{Chains, Poses, Velocities};
use mj_model::{Model, State};

/// Adds the forces of flexes to `qfrc_spring`, `qfrc_damper` and their sum `qfrc_passive`.
pub fn add_forces(
    m: &Model,
    s: &State,
    plan: &FlexPlan,
    chains: &Chains,
    poses: &Poses,
    flexes: &mut Flexes,
    vel: &mut Velocities,
) {
    let (mut spring, mut damper) = (std::mem::take(&mut flexes.spring), std::mem::take(&mut flexes.damper));
    spring.fill(0.0);
    damper.fill(0.0);
    let inputs = Inputs { m, s, chains, poses, vel };
    elastic_forces(inputs, flexes, &mut spring, &mut damper);
    rod_forces(inputs, plan, flexes, &mut spring, &mut damper);
    edge_forces(m, flexes, &mut spring, &mut damper);
    for i in 0..spring.len() {
        vel.qfrc_spring[i] += spring[i];
        vel.qfrc_damper[i] += damper[i];
        vel.qfrc_passive[i] += spring[i] + damper[i];
    }
    (flexes.spring, flexes.damper) = (spring, damper);
}
