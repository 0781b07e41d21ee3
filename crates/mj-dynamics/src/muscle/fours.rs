//! Muscles four at a time: bodies that have any have tens or hundreds, all of the same law.

use super::{Curves, Dynamics};
use crate::actuation::is_driven;
use crate::buffers::{Actuation, Transmissions, Velocities};
use mj_math::lanes::{Four, FourKernel, Lanes, four};
use mj_model::*;
use std::array::from_fn;

/// The muscles of a model that are nothing else, by fours, and its other actuators.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Muscles {
    fours: Vec<Muscles4>,
    pub(crate) others: Vec<ActuatorId>,
}

/// Four muscles. The last ones are filled up with one of them.
#[derive(Clone, Debug, PartialEq)]
struct Muscles4 {
    curves: Curves<[f64; 4]>,
    dynamics: Dynamics<[f64; 4]>,
    actuator: [ActuatorId; 4],
    /// Addresses of control and activation.
    ctrl: [u32; 4],
    act: [u32; 4],
    output: [OutputId; 4],
}

/// Four of a kind side by side, and these as vectors.
macro_rules! side_by_side {
    ($kind:ident: $($number:ident)*; $($array:ident)*) => {
        impl $kind<[f64; 4]> {
            fn of(x: &[$kind<f64>; 4]) -> Self {
                Self {
                    $($number: from_fn(|l| x[l].$number),)*
                    $($array: from_fn(|k| from_fn(|l| x[l].$array[k])),)*
                }
            }

            #[inline(always)]
            fn lanes<S: Lanes>(&self, s: S) -> $kind<Four<S>> {
                $kind {
                    $($number: Four::new(s, &self.$number),)*
                    $($array: from_fn(|k| Four::new(s, &self.$array[k])),)*
                }
            }
        }
    };
}

side_by_side!(Curves: first at_first per_unit peak per_speed lmin lmax fpmax fvmax per_excess; per_width);
side_by_side!(Dynamics: rise fall per_width;);

/// Whether an actuator is a muscle in its activation and in both of its forces, with the same parameters.
fn is_muscle(m: &Model, a: ActuatorId) -> bool {
    let t = &m.actuator;
    let laws = (t.dyntype[a], t.gaintype[a], t.biastype[a]) == (DynType::Muscle, GainType::Muscle, BiasType::Muscle);
    laws && t.gainprm[a] == t.biasprm[a]
        && !t.actearly[a]
        && (t.ctrlnum[a], t.actnum[a], t.outnum[a]) == (1, 1, 1)
        && t.actadr[a] >= 0
}

impl Muscles {
    pub(crate) fn new(m: &Model) -> Self {
        let (muscles, others): (Vec<_>, Vec<_>) = m.actuator.ids().partition(|&a| is_muscle(m, a));
        let fours = muscles.chunks(4).map(|alike| {
            let actuator: [ActuatorId; 4] = from_fn(|l| *alike.get(l).unwrap_or(&alike[0]));
            let output = actuator.map(|a| OutputId::new(m.actuator.outadr[a] as usize));
            let curves: [_; 4] = from_fn(|l| {
                let o = output[l];
                Curves::new(m.output.lengthrange[o], m.output.acc0[o], &m.actuator.gainprm[actuator[l]])
            });
            let dynamics = actuator.map(|a| Dynamics::new(&m.actuator.dynprm[a]));
            Muscles4 {
                curves: Curves::of(&curves),
                dynamics: Dynamics::of(&dynamics),
                actuator,
                ctrl: actuator.map(|a| m.actuator.ctrladr[a]),
                act: actuator.map(|a| m.actuator.actadr[a] as u32),
                output,
            }
        });
        Self { fours: fours.collect(), others }
    }

    /// Rates of activation of all, and forces of those that are awake and in a group that is on.
    pub(crate) fn forces(
        &self,
        m: &Model,
        s: &State,
        trans: &Transmissions,
        vel: &Velocities,
        ctrl: &[f64],
        out: &mut Actuation,
    ) {
        if !self.fours.is_empty() {
            four(Forces { fours: &self.fours, m, s, trans, vel, ctrl, out });
        }
    }
}

struct Forces<'a> {
    fours: &'a [Muscles4],
    m: &'a Model,
    s: &'a State,
    trans: &'a Transmissions,
    vel: &'a Velocities,
    ctrl: &'a [f64],
    out: &'a mut Actuation,
}

impl FourKernel for Forces<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) {
        let Self { fours, m, trans, vel, ctrl, out, .. } = self;
        let state = self.s;
        let all = m.opt.disableactuator == 0 && state.awake.everything();
        for x in fours {
            let u = Four::new(s, &from_fn(|l| ctrl[x.ctrl[l] as usize]));
            let act = Four::new(s, &from_fn(|l| state.act[x.act[l] as usize]));
            let length = Four::new(s, &from_fn(|l| trans.actuator_length[x.output[l]]));
            let velocity = Four::new(s, &from_fn(|l| vel.actuator_velocity[x.output[l]]));
            let rate = x.dynamics.lanes(s).rate(u, act).get();
            let curves = x.curves.lanes(s);
            let l = curves.normal(length);
            let pull = (act * curves.gain(l, velocity) + curves.bias(l)).get();
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
    use crate::testmodel::pendulum;
    use crate::*;
    use mj_model::model::*;
    use mj_model::*;
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
        /// Four at a time or one by one, muscles pull alike; one that is off doesn't.
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
            // A parameter of no meaning keeps them apart.
            single.actuator.biasprm.iter_mut().for_each(|p| p[9] = 1.0);
            let mut s = State::new(&m);
            (s.qpos[0], s.qvel[0]) = (q, v);
            s.ctrl.copy_from_slice(&ctrl[..muscles.len()]);
            s.act.copy_from_slice(&act[..muscles.len()]);
            let (mut a, mut b) = (Smooth::new(&m), Smooth::new(&single));
            forward_smooth(&m, &s, &mut a);
            forward_smooth(&single, &s, &mut b);
            for (i, o) in m.output.ids().enumerate() {
                let (got, want) = (a.act.actuator_force[o], b.act.actuator_force[o]);
                prop_assert!((got - want).abs() <= 1e-12 * want.abs(), "{i}: {got} {want}");
                prop_assert!(i != off || got == 0.0);
                let (got, want) = (a.act.act_dot[i], b.act.act_dot[i]);
                prop_assert!((got - want).abs() <= 1e-12 * want.abs(), "{i}: {got} {want}");
            }
        }
    }
}
