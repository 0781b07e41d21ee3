//! Damping that is given by a ratio: of joints' springs, of servos.

use crate::derived::reference::Reference;
use mj_math::{MINVAL, dense};
use mj_model::*;

/// Stiffness and damping of joints that give a time constant and a damping ratio instead: those of
/// an oscillator with the joint's inertia.
pub(crate) fn spring_dampers(m: &mut Model, given: impl Iterator<Item = [f64; 2]>) {
    for (j, [time, ratio]) in m.jnt.ids().zip(given) {
        if time <= 0.0 || ratio <= 0.0 {
            continue;
        }
        let first = m.jnt.dofadr[j].index();
        let dofs = first..first + m.jnt.r#type[j].sizes().1;
        let inverse: f64 = m.dof.invweight0.as_slice()[dofs.clone()].iter().sum();
        let inertia = dofs.len() as f64 / inverse.max(MINVAL);
        m.jnt.stiffness[j] = inertia / (time * time * ratio * ratio).max(MINVAL);
        m.dof.damping.as_mut_slice()[dofs].fill(2.0 * inertia / time.max(MINVAL));
    }
}

/// Damping of servos that give a damping ratio: ratio times 2√(kp·m), where m is the mass that the
/// actuator feels, (J M⁻¹ Jᵀ)⁻¹.
pub(crate) fn servo_damping(m: &mut Model, at: &Reference) {
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
            at.transmissions.actuator_moment.for_each_in_row(o, |d, v| moment[d] = v);
            acceleration.copy_from_slice(&moment);
            at.inertia.solve(m, &mut acceleration);
            inverse_mass += dense::dot(&moment, &acceleration) / n as f64;
        }
        let mass = if inverse_mass > MINVAL { 1.0 / inverse_mass } else { 0.0 };
        m.actuator.biasprm[a][2] = -bias[2] * 2.0 * (kp * mass).sqrt();
    }
}
