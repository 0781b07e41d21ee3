//! How actuators act: lengths, and moment arms that map their forces to joint space.

use crate::actuator::plan::ActuatorPlan;
use crate::buffers::{Poses, Transmissions, Velocities};
use crate::rigid::chains::Chains;
use crate::rigid::jacobian::{BodyPoint, CommonRuns, chain_width};
use crate::workspace::Workspace;
use mj_math::block::Run;
use mj_math::{DQuat, DVec3, Spatial, quat};
use mj_model::*;

/// Computes lengths of actuators and their moment arms. Needs tendons.
pub fn transmission(
    m: &Model,
    plan: &ActuatorPlan,
    s: &State,
    chains: &Chains,
    poses: &Poses,
    out: &mut Transmissions,
) {
    let layout = &plan.layout;
    let asleep = |a| !s.awake.everything() && s.awake.actuator(m, a) == SleepState::Asleep;
    let gears = m.output.gear.as_slice();
    let Transmissions { ten_length, ten_J, actuator_length, actuator_moment, .. } = &mut *out;
    for on in layout.on_joints.iter().filter(|on| !asleep(on.actuator)) {
        let (o, gear) = (on.output as usize, gears[on.output as usize][0]);
        actuator_length.as_mut_slice()[o] = s.qpos[on.qpos as usize] * gear;
        let moment = *actuator_moment.block_of(o);
        actuator_moment.values_mut(&moment)[0] = gear;
    }
    for on in layout.on_tendons.iter().filter(|on| !asleep(on.actuator)) {
        let gear = m.output.gear[on.output][0];
        actuator_length[on.output] = ten_length[on.tendon] * gear;
        let moment = *actuator_moment.block_of(on.output.index());
        scale_into(actuator_moment.values_mut(&moment), ten_J.row(on.tendon.index()).1, gear);
    }
    for &a in layout.others.iter().filter(|&&a| !asleep(a)) {
        let o = OutputId::new(m.actuator.outadr[a] as usize);
        let [id, other] = m.actuator.trnid[a];
        let gear = &m.output.gear[o];
        match m.actuator.trntype[a] {
            TrnType::Joint | TrnType::JointInParent => {
                let j = JointId::new(id as usize);
                let q = &s.qpos[m.jnt.qposadr[j] as usize..];
                let in_parent = m.actuator.trntype[a] == TrnType::JointInParent;
                match m.jnt.r#type[j] {
                    // Done.
                    JointType::Slide | JointType::Hinge => {}
                    JointType::Ball => {
                        let rot = quat::normalize_if_needed(quat::read(q));
                        let axis = to_child(in_parent, rot, DVec3::from_slice(gear));
                        out.actuator_length[o] = quat::log(rot).dot(axis);
                        row(out, o).1.copy_from_slice(&axis.to_array());
                    }
                    JointType::Free => {
                        let rot = quat::normalize_if_needed(quat::read(&q[3..]));
                        let axis = to_child(in_parent, rot, DVec3::from_slice(&gear[3..]));
                        // A free joint has no meaningful length.
                        out.actuator_length[o] = 0.0;
                        let moment = row(out, o).1;
                        moment[..3].copy_from_slice(&gear[..3]);
                        moment[3..].copy_from_slice(&axis.to_array());
                    }
                }
            }
            TrnType::Site => {
                let site = SiteId::new(id as usize);
                let refsite = (other >= 0).then(|| SiteId::new(other as usize));
                out.actuator_length[o] = site_moment(m, chains, poses, site, refsite, gear, row(out, o));
            }
            TrnType::SliderCrank => {
                let (crank, slider) = (SiteId::new(id as usize), SiteId::new(other as usize));
                let rod = m.actuator.cranklength[a];
                let length = slider_crank(m, chains, poses, crank, slider, rod, gear[0], row(out, o));
                out.actuator_length[o] = length;
            }
            TrnType::So3 if other < 0 => {
                let q = m.jnt.qposadr[JointId::new(id as usize)] as usize;
                write_rotation(out, o, quat::normalize(quat::read(&s.qpos[q..])));
            }
            TrnType::So3 => {
                let sites = [id, other].map(|i| SiteId::new(i as usize));
                write_rotation(out, o, relative_rotation(m, poses, sites));
                rotation_moment(m, chains, poses, sites, row(out, o));
            }
            // Of contacts, which are known later: see `adhesion_moments`. They have no length.
            TrnType::Body => out.actuator_length[o] = 0.0,
            // Tendons are done.
            TrnType::Tendon | TrnType::Undefined => {}
        }
    }
}

/// Computes the velocities of tendon lengths, and of actuator lengths unless actuation is disabled.
pub fn transmission_velocities(
    m: &Model,
    plan: &ActuatorPlan,
    s: &State,
    trans: &Transmissions,
    work: &mut Workspace,
    out: &mut Velocities,
) {
    trans.ten_J.mul(&s.qvel, out.ten_velocity.as_mut_slice(), &mut work.dofs);
    if m.opt.disabled(disable::ACTUATION) {
        out.actuator_velocity.as_mut_slice().fill(0.0);
        return;
    }
    let velocities = out.actuator_velocity.as_mut_slice();
    for on in &plan.layout.on_dofs {
        velocities[on.output as usize] = s.qvel[on.dof as usize] * on.arm(m);
    }
    for on in &plan.layout.on_tendons {
        velocities[on.output.index()] = out.ten_velocity[on.tendon] * m.output.gear[on.output][0];
    }
    for &b in &plan.layout.tendonless {
        trans.actuator_moment.mul_block(b, &s.qvel, velocities);
    }
}

/// y = s·x of a few numbers: a call that copies them would cost more.
fn scale_into(y: &mut [f64], x: &[f64], s: f64) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = x * s);
}

/// Writes a rotation, and its rotation vector as three lengths.
fn write_rotation(out: &mut Transmissions, o: OutputId, rotation: DQuat) {
    let first = o.index();
    quat::log(rotation).write_to_slice(&mut out.actuator_length.as_mut_slice()[first..first + 3]);
    if let Some(r) = out.rotations.get_mut(first) {
        *r = rotation;
    }
}

/// Rotation of a site relative to another.
fn relative_rotation(m: &Model, poses: &Poses, sites: [SiteId; 2]) -> DQuat {
    let [rot, reference] = sites.map(|i| poses.xquat[m.site.bodyid[i]] * m.site.quat[i]);
    reference.conjugate() * rot
}

/// Moments about the axes of a site of its rotation relative to another: three rows, each of whose columns moves one of
/// the two.
fn rotation_moment(
    m: &Model,
    chains: &Chains,
    poses: &Poses,
    [site, refsite]: [SiteId; 2],
    (runs, moment): (&[Run], &mut [f64]),
) {
    let n = moment.len() / 3;
    let axes = poses.site_xmat[site].transpose();
    for (i, axes) in [(site, axes), (refsite, -axes)] {
        for (column, dofs) in CommonRuns::new(chains.of(m.site.bodyid[i]), runs) {
            for (k, motion) in poses.cdof.as_slice()[dofs].iter().enumerate() {
                let turn = axes * motion.rot;
                for (row, x) in turn.to_array().into_iter().enumerate() {
                    moment[row * n + column + k] = x;
                }
            }
        }
    }
}

/// Runs and values of the moment of an output, or of all in its block.
pub(crate) fn row(out: &mut Transmissions, o: OutputId) -> (&[Run], &mut [f64]) {
    let block = *out.actuator_moment.block_of(o.index());
    out.actuator_moment.runs_and_values_mut(&block)
}

/// A torque's axis in the child, where it is given in the parent.
fn to_child(in_parent: bool, rot: mj_math::DQuat, axis: DVec3) -> DVec3 {
    if in_parent { quat::rotate(rot.conjugate(), axis) } else { axis }
}

/// Moment of a wrench on a site; returns the length. The wrench is fixed in the site or, if there is
/// one, in the reference site, which it pushes back on.
fn site_moment(
    m: &Model,
    chains: &Chains,
    poses: &Poses,
    site: SiteId,
    refsite: Option<SiteId>,
    gear: &[f64; 6],
    (runs, moment): (&[Run], &mut [f64]),
) -> f64 {
    let (force, torque) = (DVec3::from_slice(gear), DVec3::from_slice(&gear[3..]));
    let mat = poses.site_xmat[refsite.unwrap_or(site)];
    let wrench = Spatial::new(mat * torque, mat * force);
    let at = |i: SiteId| BodyPoint::new(m, chains, poses, m.site.bodyid[i], poses.site_xpos[i]);
    moment.fill(0.0);
    at(site).project(runs, wrench, moment);
    let Some(r) = refsite else { return 0.0 };
    at(r).project(runs, -wrench, moment);

    let mut length = 0.0;
    if force != DVec3::ZERO {
        length += (mat.transpose() * (poses.site_xpos[site] - poses.site_xpos[r])).dot(force);
    }
    if torque != DVec3::ZERO {
        length += quat::log(relative_rotation(m, poses, [site, r])).dot(torque);
    }
    length
}

/// Moment of a slider-crank; returns the length.
///
/// A rod of length r joins the crank's pin with a slider that runs along the axis a of the slider's
/// site. With v from the slider's site to the pin, the slider is at
/// l = a·v − √((a·v)² + r² − v·v) along its axis.
#[allow(clippy::too_many_arguments)]
fn slider_crank(
    m: &Model,
    chains: &Chains,
    poses: &Poses,
    crank: SiteId,
    slider: SiteId,
    rod: f64,
    gear: f64,
    (runs, moment): (&[Run], &mut [f64]),
) -> f64 {
    let axis = poses.site_xmat[slider].z_axis;
    let v = poses.site_xpos[crank] - poses.site_xpos[slider];
    let av = axis.dot(v);
    let det = av * av + rod * rod - v.length_squared();
    // Out of reach: as if the rod were just long enough.
    let (length, by_v, by_axis) = if det <= 0.0 {
        (av, axis, v)
    } else {
        let root = det.sqrt();
        (av - root, axis * (1.0 - av / root) + v / root, v * (1.0 - av / root))
    };
    let at = |i: SiteId| BodyPoint::new(m, chains, poses, m.site.bodyid[i], poses.site_xpos[i]);
    debug_assert_eq!(moment.len(), chain_width(runs));
    moment.fill(0.0);
    at(crank).project(runs, Spatial::new(DVec3::ZERO, by_v * gear), moment);
    at(slider).project(runs, Spatial::new(axis.cross(by_axis) * gear, -by_v * gear), moment);
    length * gear
}

#[cfg(test)]
mod tests {
    use crate::*;
    use mj_math::{DVec3, quat};
    use mj_model::model::*;
    use mj_model::*;
    use mj_testkit::any_model;
    use proptest::prelude::*;

    /// Adds an actuator with this transmission and gear.
    fn add(m: &mut Model, trntype: TrnType, trnid: [usize; 2], gear: [f64; 6]) -> OutputId {
        let (a, o) = (m.actuator.len() as u32, m.output.len());
        let outnum = if trntype == TrnType::So3 { 3 } else { 1 };
        m.actuator.push(ActuatorRow {
            trntype,
            trnid: trnid.map(|id| i32::try_from(id).unwrap_or(-1)),
            cranklength: 5.0,
            actadr: -1,
            ctrladr: a,
            ctrlnum: 1,
            outadr: o as u32,
            outnum,
            ..Default::default()
        });
        m.control.push(ControlRow::default());
        (0..outnum).for_each(|_| _ = m.output.push(OutputRow { gear, ..Default::default() }));
        OutputId::new(o)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Where the length is a function of the position, the moment is its gradient: joints,
        /// tendons, slider-cranks.
        #[test]
        fn moments_are_gradients((mut m, mut s) in any_model()) {
            let gear = [1.5, -0.4, 0.7, 0.2, 0.3, -0.6];
            let last = m.site.len() - 1;
            for j in m.jnt.ids().filter(|&j| matches!(m.jnt.r#type[j], JointType::Hinge | JointType::Slide)).collect::<Vec<_>>() {
                add(&mut m, TrnType::Joint, [j.index(), usize::MAX], gear);
            }
            add(&mut m, TrnType::Tendon, [0, usize::MAX], gear);
            add(&mut m, TrnType::SliderCrank, [0, last], gear);
            s.ctrl.resize(m.nu(), 0.0);
            let (n, h) = (m.nv(), 1e-6);
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            let mut moment = vec![0.0; m.nout() * n];
            d.smooth.transmissions.actuator_moment.to_dense(&mut moment);
            for i in 0..n {
                let mut direction = vec![0.0; n];
                direction[i] = 1.0;
                let [plus, minus] = [h, -h].map(|h| {
                    let mut s = s.clone();
                    integrate_pos(&m, &mut s.qpos, &direction, h);
                    d.forward(&m, &s);
                    d.smooth.transmissions.actuator_length.clone()
                });
                for o in m.output.ids() {
                    let slope = (plus[o] - minus[o]) / (2.0 * h);
                    let got = moment[o.index() * n + i];
                    prop_assert!((got - slope).abs() < 1e-6 * (1.0 + slope.abs()), "{o:?} {i}: {got} {slope}");
                }
            }
        }

        /// The others are wrenches: their moments do the wrench's work on the relative motion.
        #[test]
        fn moments_do_the_work_of_their_wrench((mut m, mut s) in any_model()) {
            let gear = [1.5, -0.4, 0.7, 0.2, 0.3, -0.6];
            let (force, torque) = (DVec3::from_slice(&gear), DVec3::from_slice(&gear[3..]));
            let sites = [0, m.site.len() - 1];
            let [i, r] = sites.map(SiteId::new);
            let site = add(&mut m, TrnType::Site, [sites[0], usize::MAX], gear);
            // Between two sites, dofs that move both are left out: a torque on both is none on these.
            let relative = add(&mut m, TrnType::Site, sites, [0.0, 0.0, 0.0, gear[3], gear[4], gear[5]]);
            let turn = add(&mut m, TrnType::So3, sites, gear);
            let balls: Vec<_> = m.jnt.ids().filter(|&j| m.jnt.r#type[j] == JointType::Ball).collect();
            let balls: Vec<_> = balls.into_iter().map(|j| {
                let in_child = add(&mut m, TrnType::Joint, [j.index(), usize::MAX], gear);
                (j, in_child, add(&mut m, TrnType::JointInParent, [j.index(), usize::MAX], gear))
            }).collect();
            s.ctrl.resize(m.nu(), 0.0);
            let mut d = Dynamics::new(&m);
            d.forward(&m, &s);
            let v = [i, r].map(|i| body_velocity(&m, &d.smooth.poses, &d.smooth.velocities, m.site.bodyid[i], d.smooth.poses.site_xpos[i]));
            let [at_site, at_ref] = [i, r].map(|i| d.smooth.poses.site_xmat[i]);
            let got = &d.smooth.velocities.actuator_velocity;
            let work = (at_site * force).dot(v[0].lin) + (at_site * torque).dot(v[0].rot);
            prop_assert!((got[site] - work).abs() < 1e-9);
            prop_assert!((got[relative] - (at_ref * torque).dot(v[0].rot - v[1].rot)).abs() < 1e-9);
            for (k, axis) in [at_site.x_axis, at_site.y_axis, at_site.z_axis].into_iter().enumerate() {
                let rate = axis.dot(v[0].rot - v[1].rot);
                prop_assert!((got[OutputId::new(turn.index() + k)] - rate).abs() < 1e-9);
            }
            for (j, in_child, in_parent) in balls {
                let w = DVec3::from_slice(&s.qvel[m.jnt.dofadr[j].index()..]);
                let rot = quat::normalize(quat::read(&s.qpos[m.jnt.qposadr[j] as usize..]));
                prop_assert!((got[in_child] - force.dot(w)).abs() < 1e-9);
                prop_assert!((got[in_parent] - force.dot(quat::rotate(rot, w))).abs() < 1e-9);
            }
        }
    }
}
