//! Passive forces of plugins.

use crate::buffers::{Poses, Velocities};
use crate::plan::Plan;
use crate::rigid::jacobian::apply_ft;
use mj_math::DVec3;
use mj_model::plugin::PassiveView;
use mj_model::*;

/// Adds the forces of plugins to `qfrc_passive`. `wrenches` is memory, grown at the first call.
#[inline]
pub fn plugin_forces(
    m: &Model,
    plan: &Plan,
    s: &State,
    poses: &Poses,
    vel: &mut Velocities,
    wrenches: &mut IdVec<BodyId, [f64; 6]>,
) {
    if plan.passive.is_empty() || m.opt.disabled(disable::SPRING) && m.opt.disabled(disable::DAMPER) {
        return;
    }
    wrenches.resize(m.body.len(), [0.0; 6]);
    for (plugin, bodies) in &plan.passive {
        let Some(law) = m.plugin_instance(*plugin).and_then(|i| i.passive.as_deref()) else { continue };
        wrenches.as_mut_slice().fill([0.0; 6]);
        let Velocities { cvel, qfrc_passive, .. } = vel;
        let centres = (&poses.xipos, &poses.subtree_com);
        let view = PassiveView::new(m, s, *plugin, bodies, (&poses.xpos, &poses.xmat), centres, cvel);
        law.forces(&view, qfrc_passive, wrenches);
        for b in m.body.ids().skip(1).filter(|&b| wrenches[b] != [0.0; 6]) {
            let (force, torque) = (DVec3::from_slice(&wrenches[b]), DVec3::from_slice(&wrenches[b][3..]));
            apply_ft(m, &plan.chains, poses, force, torque, poses.xipos[b], b, qfrc_passive);
        }
    }
}
