//! Muscles four at a time: bodies that have any have tens or hundreds, all of the same law.

use super::{Curves, Dynamics};
use crate::actuator::state::is_driven;
use crate::buffers::{Actuation, Transmissions, Velocities};
use mj_math::simd::{F64x4, Kernel, Simd, dispatch};
use mj_model::*;
use std::array::from_fn;

/// F64x4 muscles, by their addresses. The last ones are filled up with one of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Muscles4 {
    actuator: [ActuatorId; 4],
    /// Addresses of control and activation.
    ctrl: [u32; 4],
    act: [u32; 4],
    output: [OutputId; 4],
}

/// Whether an actuator is a muscle in its activation and in both of its forces, of one control, activation and output.
fn is_muscle(m: &Model, a: ActuatorId) -> bool {
    let t = &m.actuator;
    let laws = (t.dyntype[a], t.gaintype[a], t.biastype[a]) == (DynType::Muscle, GainType::Muscle, BiasType::Muscle);
    laws && !t.actearly[a] && (t.ctrlnum[a], t.actnum[a], t.outnum[a]) == (1, 1, 1) && t.actadr[a] >= 0
}

impl Muscles4 {
    /// Takes the muscles out of a list.
    pub(crate) fn take(m: &Model, list: &mut Vec<ActuatorId>) -> Vec<Self> {
        let muscles: Vec<_> = list.extract_if(.., |a| is_muscle(m, *a)).collect();
        let of = |alike: &[ActuatorId]| {
            let actuator: [ActuatorId; 4] = from_fn(|l| *alike.get(l).unwrap_or(&alike[0]));
            Self {
                actuator,
                ctrl: actuator.map(|a| m.actuator.ctrladr[a]),
                act: actuator.map(|a| m.actuator.actadr[a] as u32),
                output: actuator.map(|a| OutputId::new(m.actuator.outadr[a] as usize)),
            }
        };
        muscles.chunks(4).map(of).collect()
    }

    /// The curves that one of the tables of parameters gives.
    #[inline(always)]
    fn curves<S: Simd>(&self, s: S, m: &Model, prm: &IdVec<ActuatorId, [f64; 10]>) -> Curves<F64x4<S>> {
        let rows = self.actuator.map(|a| &prm[a]);
        let range = self.output.map(|o| &m.output.lengthrange[o]);
        Curves::new(
            from_fn(|k| F64x4::new(s, &range.map(|r| r[k]))),
            F64x4::new(s, &self.output.map(|o| m.output.acc0[o])),
            from_fn(|k| F64x4::new(s, &rows.map(|p| p[k]))),
        )
    }
}

/// Computes rates of activation of all, and forces of those that are awake and in a group that is on.
pub(crate) fn forces(
    muscles: &[Muscles4],
    m: &Model,
    s: &State,
    trans: &Transmissions,
    vel: &Velocities,
    ctrl: &[f64],
    out: &mut Actuation,
) {
    if !muscles.is_empty() {
        dispatch(Forces { muscles, m, s, trans, vel, ctrl, out });
    }
}

struct Forces<'a> {
    muscles: &'a [Muscles4],
    m: &'a Model,
    s: &'a State,
    trans: &'a Transmissions,
    vel: &'a Velocities,
    ctrl: &'a [f64],
    out: &'a mut Actuation,
}

impl Kernel for Forces<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { muscles, m, trans, vel, ctrl, out, .. } = self;
        let (state, t) = (self.s, &m.actuator);
        let all = m.opt.disableactuator == 0 && state.awake.everything();
        for x in muscles {
            let u = F64x4::new(s, &from_fn(|l| ctrl[x.ctrl[l] as usize]));
            let act = F64x4::new(s, &from_fn(|l| state.act[x.act[l] as usize]));
            let length = F64x4::new(s, &from_fn(|l| trans.actuator_length[x.output[l]]));
            let velocity = F64x4::new(s, &from_fn(|l| vel.actuator_velocity[x.output[l]]));
            let dynprm = x.actuator.map(|a| &t.dynprm[a]);
            let rate = Dynamics::new(from_fn(|k| F64x4::new(s, &dynprm.map(|p| p[k])))).rate(u, act).get();
            let (gain, bias) = (x.curves(s, m, &t.gainprm), x.curves(s, m, &t.biasprm));
            let pull = (act * gain.gain(gain.normal(length), velocity) + bias.bias(bias.normal(length))).get();
            for l in 0..4 {
                out.act_dot[x.act[l] as usize] = rate[l];
                if all || is_driven(m, state, x.actuator[l]) {
                    out.actuator_force[x.output[l]] = pull[l];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::*;
    use mj_model::model::*;
    use mj_model::*;
    use mj_testkit::pendulum;
    use proptest::prelude::*;

    /// A pendulum with muscles at its hinge.
    fn with_muscles(muscles: &[[f64; 8]]) -> Model {
        let mut m = pendulum(1.0, 1.0);
        for (i, x) in muscles.iter().enumerate() {
            let [start, width, force, lmin, lmax, fpmax, fvmax, switch] = *x;
            let prm = [0.7, 0.7 + width, force, 300.0, lmin, lmax, 1.5, fpmax, fvmax, 0.0];
            let mut dynprm = [0.0; 10];
            dynprm[..3].copy_from_slice(&[0.01, 0.04, switch]);
            m.actuator.push(ActuatorRow {
                dyntype: DynType::Muscle,
                gaintype: GainType::Muscle,
                biastype: BiasType::Muscle,
                gainprm: prm,
                biasprm: prm,
                dynprm,
                ctrladr: i as u32,
                ctrlnum: 1,
                outadr: i as u32,
                outnum: 1,
                actadr: i as i32,
                actnum: 1,
                trnid: [0, -1],
                ..Default::default()
            });
            m.control.push(ControlRow::default());
            let lengthrange = [start, start + 0.4];
            m.output.push(OutputRow { gear: [1.0; 6], lengthrange, acc0: 2.0, ..Default::default() });
        }
        m.na = muscles.len();
        m
    }

    fn muscle() -> impl Strategy<Value = [f64; 8]> {
        let switch = prop_oneof![Just(0.0), 0.05..1.0f64];
        let range = (0.2..0.6f64, 0.4..0.9f64, 1.1..1.8f64);
        (range, prop_oneof![Just(-1.0), 10.0..500.0f64], -0.5..0.5f64, 0.0..2.0f64, 1.0..1.5f64, switch).prop_map(
            |((width, lmin, lmax), force, start, fp, fv, switch)| [start, width, force, lmin, lmax, fp, fv, switch],
        )
    }

    proptest! {
        /// F64x4 at a time or one by one, muscles pull alike; one that is off doesn't.
        #[test]
        fn fours_are_as_single_ones(
            muscles in prop::collection::vec(muscle(), 1..10),
            ctrl in prop::collection::vec(-0.5..1.5f64, 10),
            act in prop::collection::vec(-0.1..1.1f64, 10),
            (q, v, off) in (-1.0..1.0f64, -2.0..2.0f64, 0usize..10),
        ) {
            let mut m = with_muscles(&muscles);
            if let Some(group) = m.actuator.group.as_mut_slice().get_mut(off) {
                *group = 3;
            }
            m.opt.disableactuator = 1 << 3;
            let mut single = m.clone();
            // An activation that steps early without effect keeps them apart.
            single.actuator.actearly.edit().iter_mut().for_each(|early| *early = true);
            single.opt.timestep = 0.0;
            let mut s = State::new(&m);
            (s.qpos[0], s.qvel[0]) = (q, v);
            s.ctrl.copy_from_slice(&ctrl[..muscles.len()]);
            s.act.copy_from_slice(&act[..muscles.len()]);
            let (mut a, mut b) = (Dynamics::new(&m), Dynamics::new(&single));
            a.forward(&m, &s);
            b.forward(&single, &s);
            for (i, o) in m.output.ids().enumerate() {
                let (got, want) = (a.smooth.actuation.actuator_force[o], b.smooth.actuation.actuator_force[o]);
                prop_assert!((got - want).abs() <= 1e-12 * want.abs(), "{i}: {got} {want}");
                prop_assert!(i != off || got == 0.0);
                let (got, want) = (a.smooth.actuation.act_dot[i], b.smooth.actuation.act_dot[i]);
                prop_assert!((got - want).abs() <= 1e-12 * want.abs(), "{i}: {got} {want}");
            }
        }
    }
}
