//! Adhesion of contacts: actuators that pull on a body's contacts, and surfaces that stick.

use crate::actuator::transmission::row;
use crate::buffers::{Poses, Transmissions, Velocities};
use crate::rigid::chains::Chains;
use crate::rigid::jacobian::{BodyPoint, apply_ft};
use mj_math::{DVec3, Spatial};
use mj_model::*;

/// A contact as adhesion sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Bodies of the first and the second geom.
    pub body: [BodyId; 2],
    /// Point of contact.
    pub point: DVec3,
    /// Normal from the first geom to the second.
    pub normal: DVec3,
    /// Force with which the surfaces attract each other.
    pub adhesion: f64,
}

/// Moment arms of actuators on bodies: they pull along the mean normal of all contacts of the body.
pub fn adhesion_moments<I: Iterator<Item = Touch>>(
    m: &Model,
    chains: &Chains,
    poses: &Poses,
    touches: impl Fn() -> I,
    out: &mut Transmissions,
) {
    for a in m.actuator.ids().filter(|&a| m.actuator.trntype[a] == TrnType::Body) {
        let body = BodyId::new(m.actuator.trnid[a][0] as usize);
        let (runs, moment) = row(out, OutputId::new(m.actuator.outadr[a] as usize));
        moment.fill(0.0);
        let mut count = 0;
        for t in touches().filter(|t| t.body.contains(&body)) {
            count += 1;
            let pull = Spatial::new(DVec3::ZERO, t.normal);
            BodyPoint::new(m, chains, poses, t.body[0], t.point).project(runs, pull, moment);
            BodyPoint::new(m, chains, poses, t.body[1], t.point).project(runs, -pull, moment);
        }
        if count > 1 {
            moment.iter_mut().for_each(|x| *x /= f64::from(count));
        }
    }
}

/// Attraction of sticky surfaces along the normals of their contacts, into `qfrc_adhesion` and
/// `qfrc_passive`. Comes after the other passive forces, and like them is off where springs and
/// dampers both are.
pub fn apply_adhesion(
    m: &Model,
    chains: &Chains,
    poses: &Poses,
    touches: impl Iterator<Item = Touch>,
    vel: &mut Velocities,
) {
    vel.qfrc_adhesion.fill(0.0);
    if m.opt.disabled(disable::SPRING) && m.opt.disabled(disable::DAMPER) {
        return;
    }
    let mut any = false;
    for t in touches.filter(|t| t.adhesion != 0.0) {
        any = true;
        let [first, second] = t.body;
        let mut pull = |b, force| apply_ft(m, chains, poses, force, DVec3::ZERO, t.point, b, &mut vel.qfrc_adhesion);
        pull(first, t.normal * t.adhesion);
        pull(second, t.normal * -t.adhesion);
    }
    if any {
        vel.qfrc_passive.iter_mut().zip(&vel.qfrc_adhesion).for_each(|(p, a)| *p += a);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dynamics;
    use mj_testkit::pendulum;

    /// A pendulum that touches the world at its bob is pulled along the normal, with the bob's lever.
    #[test]
    fn surfaces_pull_along_the_normal() {
        let m = pendulum(1.0, 2.0);
        let s = State::new(&m);
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let b = BodyId::new(1);
        let axis = d.smooth.poses.xaxis[JointId::new(0)];
        let arm = d.smooth.poses.xipos[b] - d.smooth.poses.xanchor[JointId::new(0)];
        let normal = axis.cross(arm).normalize();
        let touch = Touch { body: [BodyId::WORLD, b], point: d.smooth.poses.xipos[b], normal, adhesion: 3.0 };
        apply_adhesion(&m, &d.plan.chains, &d.smooth.poses, std::iter::once(touch), &mut d.smooth.velocities);
        assert!((d.smooth.velocities.qfrc_adhesion[0] + 3.0 * arm.length()).abs() < 1e-12);
    }
}
