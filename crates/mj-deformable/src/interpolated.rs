//! Passive forces of interpolated flexes, from their nodes to the joints.

use crate::buffers::Flexes;
use crate::cells::corotational::{self, Nodes};
use crate::cells::grid::Grid;
use crate::cells::shell_bending;
use crate::elastic::plastic_ranges;
use mj_dynamics::{BodyPoint, Chains, Poses, Velocities, apply_ft, body_velocity};
use mj_math::DVec3;
use mj_model::*;
use std::ops::Range;

fn nodes(m: &Model, f: FlexId) -> Range<usize> {
    m.flex.nodeadr[f] as usize..(m.flex.nodeadr[f] + m.flex.nodenum[f]) as usize
}

/// Whether anything acts between the nodes of a flex.
fn acts(m: &Model, f: FlexId) -> bool {
    corotational::is_elastic(m, f) || (m.flex.interp[f] < 0 && m.flex.bendingadr[f] >= 0)
}

/// Position of node `i` of all flexes, world frame.
pub fn node_position(m: &Model, poses: &Poses, i: usize) -> DVec3 {
    let (b, local) = (m.flex_data.nodebodyid[i], m.flex_shape.node[i]);
    if local == DVec3::ZERO { poses.xpos[b] } else { poses.xpos[b] + poses.xmat[b] * local }
}

/// Adds the generalized force of a force on node `i`. That on a body with dofs of its own, whose origin the node is, acts on
/// these alone, as in the reference: joints further up move all nodes together.
fn apply(m: &Model, chains: &Chains, poses: &Poses, i: usize, at: DVec3, force: DVec3, qfrc: &mut [f64]) {
    let b = m.flex_data.nodebodyid[i];
    let Some(first) = m.body.dofadr[b].filter(|_| m.flex_shape.node[i] == DVec3::ZERO) else {
        return apply_ft(m, chains, poses, force, DVec3::ZERO, at, b, qfrc);
    };
    let point = BodyPoint::new(m, chains, poses, b, at);
    for d in first.index()..first.index() + m.body.dofnum[b] as usize {
        qfrc[d] += point.motion(d).lin.dot(force);
    }
}

/// Adds the forces of elasticity, its damping and bending of interpolated flexes to `qfrc_spring`, `qfrc_damper` and their
/// sum `qfrc_passive`.
pub fn add_interpolated_forces(
    m: &Model,
    s: &State,
    chains: &Chains,
    poses: &Poses,
    flexes: &mut Flexes,
    vel: &mut Velocities,
) {
    let (springs, dampers) = (!m.opt.disabled(disable::SPRING), !m.opt.disabled(disable::DAMPER));
    for f in m.flex.ids().filter(|&f| acts(m, f)) {
        let Some(grid) = Grid::of(m, f) else { continue };
        let of = nodes(m, f);
        let damped = dampers && m.flex.damping[f] != 0.0;
        if damped {
            for i in of.clone() {
                let b = m.flex_data.nodebodyid[i];
                flexes.node_velocity[i] = body_velocity(m, poses, vel, b, flexes.node_xpos[i]).lin;
            }
        }
        let (spring, rate) = (&mut flexes.node_spring[of.clone()], &mut flexes.node_rate[of.clone()]);
        spring.fill(DVec3::ZERO);
        rate.fill(DVec3::ZERO);
        let state = Nodes {
            position: &flexes.node_xpos[of.clone()],
            velocity: &flexes.node_velocity[of.clone()],
            reference: &m.flex_data.node0[of.clone()],
        };
        let [plastic, _] = plastic_ranges(m, f);
        corotational::add_forces(m, f, grid, state, &s.plastic[plastic], spring, damped.then_some(&mut *rate));
        shell_bending::add_forces(m, f, grid, state, spring);
        for i in of {
            let mut add = |force: DVec3, qfrc: &mut [f64]| {
                apply(m, chains, poses, i, flexes.node_xpos[i], force, qfrc);
                apply(m, chains, poses, i, flexes.node_xpos[i], force, &mut vel.qfrc_passive);
            };
            if springs {
                add(flexes.node_spring[i], &mut vel.qfrc_spring);
            }
            if damped {
                add(flexes.node_rate[i] * m.flex.damping[f], &mut vel.qfrc_damper);
            }
        }
    }
}
