//! Kinematic trees that have come to rest are left out of the pipeline until something disturbs them.
//!
//! Trees fall asleep together with all that constraints tie them to, after [`MIN_AWAKE`] steps below
//! the velocity `sleep_tolerance`, and wake together. While they sleep, everything that was computed
//! of them stays as it was, so that they go on as if they had been awake.
//!
//! Manual: Computation, "Sleeping islands"; Simulation, "Sleeping islands".

mod fall;
mod restore;
mod wake;

pub(crate) use fall::fall_asleep;
pub use restore::set_asleep;
pub(crate) use wake::{by_contacts, by_equalities, by_tendons, by_touch};

use crate::data::Data;
use mj_math::{DQuat, DVec3};
use mj_model::*;

/// Tells the stages which trees are awake.
pub(crate) fn publish(m: &Model, d: &mut Data) {
    let asleep = &d.sleep.tree_asleep;
    d.state.awake.set(m, |t| asleep[t] < 0);
}

/// Pose of the mocap body that carries a tree, if one does.
fn carrier(m: &Model, s: &State, t: TreeId) -> Option<(DVec3, DQuat)> {
    let mocap = m.body.mocapid[m.body.rootid[m.tree.bodyadr[t]]]?;
    Some((s.mocap_pos[mocap], s.mocap_quat[mocap]))
}

/// Whether nothing keeps a tree from sleeping at the velocity `tolerance`: its policy, applied
/// forces, its velocity. Zero is tested by its bits, so that a negative zero disturbs too.
fn can_sleep(m: &Model, s: &State, t: TreeId, tolerance: f64) -> bool {
    let still = |x: &f64| x.to_bits() == 0;
    let first = m.tree.bodyadr[t].index();
    let dofs = m.tree.dofadr[t].index()..m.tree.dofadr[t].index() + m.tree.dofnum[t] as usize;
    let bodies = first..first + m.tree.bodynum[t] as usize;
    if matches!(m.tree.sleep_policy[t], SleepPolicy::Never | SleepPolicy::AutoNever)
        || !s.xfrc_applied.as_slice()[bodies].as_flattened().iter().all(still)
        || !s.qfrc_applied[dofs.clone()].iter().all(still)
    {
        return false;
    }
    let qvel = &s.qvel[dofs.clone()];
    if tolerance == 0.0 {
        qvel.iter().all(still)
    } else {
        qvel.iter().zip(&m.dof.length.as_slice()[dofs]).all(|(v, length)| length * v.abs() < tolerance)
    }
}
