//! Constants at the reference configuration: inverse weights, anchors, offsets of cameras and
//! lights, lengths and servo damping.

use mj_dynamics::{JointInertia, Plan, Poses, Transmissions, Workspace, constants};
use mj_math::{DVec3, MINVAL, dense, quat};
use mj_model::*;

/// Fills in the constants. `dampers` are the joints' time constants and damping ratios.
pub(crate) fn set(m: &mut Model, dampers: impl Iterator<Item = [f64; 2]>) {
    let plan = Plan::new(m);
    let mut state = State::new(m);
    let mut work = Workspace::new(m, &plan);
    let mut poses = Poses::new(m);
    let mut inertia = JointInertia::new(m);
    let mut trans = Transmissions::new(m, &plan);

    mj_dynamics::kinematics(m, &state, &mut poses);
    mj_dynamics::com_pos(m, &state.awake, &mut poses);
    views(m, &mut poses);
    anchors(m, &poses);
    mj_dynamics::tendons(m, &plan, &state, &poses, &mut work, &mut trans);
    mj_dynamics::transmission(m, &plan, &state, &poses, &mut trans);
    m.tendon.length0 = trans.ten_length.clone();
    m.output.length0 = trans.actuator_length.clone();

    m.dof.M0 = constants::dof_M0(m, &poses);
    mj_dynamics::crb(m, &state.awake, &poses, &mut inertia);
    mj_dynamics::add_tendon_armature(m, &state.awake, &trans, &mut inertia);
    mj_dynamics::factor(m, &state.awake, &mut inertia);
    m.body.invweight0 = constants::body_invweight0(m, &plan.chains, &poses, &inertia);
    m.dof.invweight0 = constants::dof_invweight0(m, &inertia);
    m.tendon.invweight0 = constants::tendon_invweight0(m, &trans, &inertia);
    m.output.acc0 = constants::actuator_acc0(m, &trans, &inertia);
    servo_damping(m, &trans, &inertia);
    spring_dampers(m, dampers);
    crate::statistics::set(m, &poses, &inertia);

    // Springs of tendons rest at the length that they have where the joints' springs rest.
    state.qpos.clone_from(&m.qpos_spring);
    mj_dynamics::kinematics(m, &state, &mut poses);
    mj_dynamics::com_pos(m, &state.awake, &mut poses);
    mj_dynamics::tendons(m, &plan, &state, &poses, &mut work, &mut trans);
    for (spring, &length) in m.tendon.lengthspring.iter_mut().zip(trans.ten_length.iter()) {
        if *spring == [-1.0; 2] {
            *spring = [length; 2];
        }
    }
}

/// Offsets and orientations of cameras and lights, which those that track keep.
fn views(m: &mut Model, poses: &mut Poses) {
    let modes = (m.cam.mode.clone(), m.light.mode.clone());
    m.cam.mode.edit().as_mut_slice().fill(CamLight::Fixed);
    m.light.mode.edit().as_mut_slice().fill(CamLight::Fixed);
    mj_dynamics::cameras_and_lights(m, poses);
    (m.cam.mode, m.light.mode) = modes;
    for c in m.cam.ids() {
        let (b, x) = (m.cam.bodyid[c], poses.cam_xpos[c]);
        m.cam.pos0[c] = x - poses.xpos[b];
        m.cam.poscom0[c] = x - poses.subtree_com[m.cam.targetbodyid[c].unwrap_or(b)];
        m.cam.mat0[c] = poses.cam_xmat[c];
    }
    for l in m.light.ids() {
        let (b, x) = (m.light.bodyid[l], poses.light_xpos[l]);
        m.light.pos0[l] = x - poses.xpos[b];
        m.light.poscom0[l] = x - poses.subtree_com[m.light.targetbodyid[l].unwrap_or(b)];
        m.light.dir0[l] = poses.light_xdir[l];
    }
}

/// Anchors and relative poses of constraints between bodies, where they follow from how the bodies
/// stand.
fn anchors(m: &mut Model, poses: &Poses) {
    for e in m.eq.ids() {
        if !matches!(m.eq.r#type[e], EqType::Connect | EqType::Weld) {
            continue;
        }
        let connect = m.eq.r#type[e] == EqType::Connect;
        let data = &mut m.eq.data[e];
        if m.eq.objtype[e] != ObjType::Body {
            // The sites say it all; what remains of a weld's numbers are defaults that nothing reads.
            let torquescale = data[10];
            *data = [0.0; 12];
            if !connect {
                (data[1], data[10]) = (1.0, torquescale);
            }
            continue;
        }
        let [a, b] = [m.eq.obj1id[e], m.eq.obj2id[e]].map(|i| BodyId::new(i.max(0) as usize));
        let anchor = DVec3::from_slice(&data[..3]);
        // A connect's anchor is given in the first body, a weld's in the second; the other follows.
        let (from, to) = if connect { (a, b) } else { (b, a) };
        let world = poses.xpos[from] + poses.xmat[from] * anchor;
        let other = poses.xmat[to].transpose() * (world - poses.xpos[to]);
        if connect {
            data[3..6].copy_from_slice(&other.to_array());
        } else if data[6..10] == [0.0; 4] {
            data[3..6].copy_from_slice(&other.to_array());
            quat::write(poses.xquat[a].conjugate() * poses.xquat[b], &mut data[6..10]);
            // Marks a relative pose that was not given.
            data[11] = 1.0;
        } else {
            let q = quat::normalize(quat::read(&data[6..10]));
            quat::write(q, &mut data[6..10]);
        }
    }
}

/// Stiffness and damping of joints that give a time constant and a damping ratio instead: those of
/// an oscillator with the joint's inertia.
fn spring_dampers(m: &mut Model, given: impl Iterator<Item = [f64; 2]>) {
    for (j, [time, ratio]) in m.jnt.ids().zip(given) {
        if time <= 0.0 || ratio <= 0.0 {
            continue;
        }
        let first = m.jnt.dofadr[j].index();
        let dofs = first..first + crate::joint::nv(m.jnt.r#type[j]);
        let inverse: f64 = m.dof.invweight0.as_slice()[dofs.clone()].iter().sum();
        let inertia = dofs.len() as f64 / inverse.max(MINVAL);
        m.jnt.stiffness[j] = inertia / (time * time * ratio * ratio).max(MINVAL);
        m.dof.damping.as_mut_slice()[dofs].fill(2.0 * inertia / time.max(MINVAL));
    }
}

/// Damping of servos that give a damping ratio: ratio times 2√(kp·m), where m is the mass that the
/// actuator feels, (J M⁻¹ Jᵀ)⁻¹.
fn servo_damping(m: &mut Model, trans: &Transmissions, inertia: &JointInertia) {
    let (mut moment, mut acceleration) = (vec![0.0; m.nv()], vec![0.0; m.nv()]);
    for a in m.actuator.ids() {
        let bias = m.actuator.biasprm[a];
        let kp = if m.actuator.gaintype[a] == GainType::Pid { -bias[1] } else { m.actuator.gainprm[a][0] };
        // A servo's third bias parameter is damping if negative, a damping ratio if positive. Motors
        // have other parameters there.
        if kp != -bias[1] || bias[2] <= 0.0 || m.actuator.biastype[a] == BiasType::DcMotor {
            continue;
        }
        // The mean over the outputs.
        let (first, n) = (m.actuator.outadr[a] as usize, m.actuator.outnum[a] as usize);
        let mut inverse_mass = 0.0;
        for o in first..first + n {
            moment.fill(0.0);
            trans.actuator_moment.for_each_in_row(o, |d, v| moment[d] = v);
            acceleration.copy_from_slice(&moment);
            mj_dynamics::solve_m(m, inertia, &mut acceleration);
            inverse_mass += dense::dot(&moment, &acceleration) / n as f64;
        }
        let mass = if inverse_mass > MINVAL { 1.0 / inverse_mass } else { 0.0 };
        m.actuator.biasprm[a][2] = -bias[2] * 2.0 * (kp * mass).sqrt();
    }
}
