//! Actuators with several controls, outputs or activations: how many of each they have, and what
//! their parameters must be.

use crate::context::Context;
use mj_model::control::input::*;
use mj_model::spec::{Actuator, Plugin};
use mj_model::*;

/// Meaning of an actuator's controls, and its numbers of controls, outputs and activations.
pub(crate) struct Sizes {
    pub ctrlspec: i32,
    pub controls: usize,
    pub outputs: usize,
    pub activations: usize,
}

impl Sizes {
    /// Sizes that follow from an actuator's types and parameters, its inputs known.
    fn of(a: &Actuator, ctrlspec: i32) -> Self {
        let n = control::Sizes::of(a.gaintype, a.dyntype, ctrlspec, &a.gainprm, &a.dynprm);
        let chosen = usize::try_from(a.actdim).unwrap_or(1).max(1);
        Self { ctrlspec, controls: n.controls, outputs: n.outputs, activations: n.activations.unwrap_or(chosen) }
    }
}

/// Finds an actuator's sizes and checks what its type asks of its parameters.
pub(crate) fn sizes(cx: &mut Context, a: &Actuator, what: &str) -> Sizes {
    if let Some(plugin) = &a.plugin {
        return by_plugin(cx, a, plugin, what);
    }
    let (so3_gain, so3_bias) = (a.gaintype == GainType::So3, a.biastype == BiasType::So3);
    if so3_gain || so3_bias {
        if !(so3_gain && so3_bias) {
            cx.error(a.loc, format!("{what}: gain and bias of an orientation servo are both `so3`"));
        }
        return orientation(cx, a, what);
    }
    let motor = [a.dyntype == DynType::DcMotor, a.gaintype == GainType::DcMotor, a.biastype == BiasType::DcMotor];
    if motor.contains(&true) && motor.contains(&false) {
        cx.error(a.loc, format!("{what}: dynamics, gain and bias of a DC motor are all `dcmotor`"));
    }
    if a.dyntype == DynType::Pid && a.gaintype != GainType::Pid {
        cx.error(a.loc, format!("{what}: `pid` dynamics need a `pid` gain"));
    }
    match a.gaintype {
        GainType::Pid => pid(cx, a, what),
        GainType::DcMotor => dcmotor(cx, a, what),
        _ => single(cx, a, what),
    }
}

/// Sizes of an actuator that a plugin drives: one control, one output, and the activations that both want.
fn by_plugin(cx: &mut Context, a: &Actuator, plugin: &Plugin, what: &str) -> Sizes {
    let wanted = cx.plugins.get(plugin).and_then(|(_, i)| i.actuator.as_ref()?.activations(a.dyntype));
    let activations = usize::try_from(a.actdim).unwrap_or_else(|_| usize::from(a.dyntype != DynType::None));
    if let Some(wanted) = wanted.filter(|&n| n != activations) {
        cx.error(a.loc, format!("{what} has {activations} activations, but its plugin needs {wanted}"))
            .help(format!("set actdim=\"{wanted}\""));
    }
    if activations == 0 && a.dyntype != DynType::None {
        cx.error(a.loc, format!("{what}: `actdim` is 0, but its dynamics have an activation"));
    }
    if !matches!(
        a.dyntype,
        DynType::None | DynType::Integrator | DynType::Filter | DynType::FilterExact | DynType::Muscle | DynType::User
    ) {
        cx.error(a.loc, format!("{what}: a plugin's actuator has no dynamics of type `{}`", a.dyntype.keyword()));
    }
    Sizes { ctrlspec: a.ctrlspec, controls: 1, outputs: 1, activations }
}

fn single(cx: &mut Context, a: &Actuator, what: &str) -> Sizes {
    let declared = matches!(a.gaintype, GainType::Fixed | GainType::Affine);
    if a.ctrlspec != 0 && !(declared && matches!(a.ctrlspec, POS | VEL | PRESSURE)) {
        cx.error(a.loc, format!("{what} does not have such an `input`"))
            .help("the one control of fixed and affine gains can be pos, vel or pressure");
    }
    let stateful = a.dyntype != DynType::None;
    let user = a.dyntype == DynType::User;
    let fits = match a.actdim {
        n if n < 0 => true,
        0 => !stateful,
        1 => stateful,
        _ => user,
    };
    if !fits {
        let want = if stateful { "1" } else { "0" };
        cx.error(a.loc, format!("{what}: `actdim` is {}, but its dynamics have {want}", a.actdim));
    }
    Sizes::of(a, a.ctrlspec)
}

fn orientation(cx: &mut Context, a: &Actuator, what: &str) -> Sizes {
    let integrates = a.dyntype == DynType::Integrator;
    let mut wrong = |condition: bool, message: &str| {
        if condition {
            cx.error(a.loc, format!("{what}: {message}"));
        }
    };
    wrong(
        !matches!(a.dyntype, DynType::None | DynType::Integrator),
        "an orientation servo has no dynamics but an integrator",
    );
    wrong(a.gainprm[0] != -a.biasprm[1], "an orientation servo needs gainprm[0] = -biasprm[1]");
    wrong(
        !matches!(a.trntype, TrnType::Joint | TrnType::Site | TrnType::Undefined),
        "an orientation servo acts on a ball joint or a site",
    );
    wrong(
        a.trntype == TrnType::Site && a.refsite.is_empty(),
        "an orientation servo on a site needs a reference site (`refsite`)",
    );
    wrong(integrates && a.actdim > 0 && a.actdim != 3, "an orientation has 3 activations");
    wrong(!integrates && a.actdim > 0, "an orientation servo without integrator has no activation");
    let ctrlspec = if a.ctrlspec == 0 { EXPMAP } else { a.ctrlspec };
    wrong(!matches!(ctrlspec, EXPMAP | QUAT), "the `input` of an orientation servo is expmap or quat");
    wrong(ctrlspec == QUAT && integrates, "an integrator takes no quaternion");
    let limited = a.forcelimited != Tri::False;
    wrong(
        limited && a.forcerange.is_some_and(|r| r[0] != 0.0),
        "`forcerange` limits the norm of the torque, so its lower end must be 0",
    );
    Sizes::of(a, ctrlspec)
}

fn pid(cx: &mut Context, a: &Actuator, what: &str) -> Sizes {
    let stateful = a.dyntype == DynType::Pid;
    let mut wrong = |condition: bool, message: &str| {
        if condition {
            cx.error(a.loc, format!("{what}: {message}"));
        }
    };
    wrong(a.biastype != BiasType::Affine, "a PID servo has an affine bias");
    wrong(!matches!(a.dyntype, DynType::None | DynType::Pid), "a PID servo has no dynamics but `pid`");
    wrong(!stateful && a.gainprm[0] != 0.0, "an integral gain (gainprm[0]) needs `pid` dynamics");
    wrong(a.trntype == TrnType::Body, "a PID servo cannot act on a body's contacts");
    wrong(stateful && a.dynprm[0] < 0.0, "`imax` must not be negative");
    wrong(stateful && a.dynprm[1] < 0.0, "`slewmax` must not be negative");
    let ctrlspec = if a.ctrlspec == 0 { POS | VEL } else { a.ctrlspec };
    wrong(ctrlspec & !CONTROLLER != 0, "the inputs of a PID servo are among pos, vel and ff");
    wrong(stateful && ctrlspec & POS == 0, "an integral or a limited rate of a PID servo needs the pos input");
    let sizes = Sizes::of(a, ctrlspec);
    wrong(stateful && sizes.activations == 0, "`pid` dynamics without states: give a positive `ki` or `slewmax`");
    wrong(a.actdim > 0 && a.actdim as usize != sizes.activations, "`actdim` does not fit the states");
    sizes
}

fn dcmotor(cx: &mut Context, a: &Actuator, what: &str) -> Sizes {
    let mut wrong = |condition: bool, message: &str| {
        if condition {
            cx.error(a.loc, format!("{what}: {message}"));
        }
    };
    let ctrlspec = if a.ctrlspec == 0 { VOLTAGE } else { a.ctrlspec };
    wrong(
        ctrlspec != NONE && ctrlspec & !(CONTROLLER | VOLTAGE) != 0,
        "the inputs of a motor are among pos, vel, ff and voltage, or none",
    );
    let spec = if ctrlspec == NONE { 0 } else { ctrlspec };
    let controller = spec & CONTROLLER != 0;
    let [_, k, _, _, kp, ki, kd, ..] = a.gainprm;
    wrong(controller && k <= 0.0, "a motor's controller needs a positive motor constant");
    wrong(
        !controller && [kp, ki, kd].iter().any(|&g| g != 0.0),
        "the gains of a motor's controller need one of the inputs pos, vel and ff",
    );
    wrong(ki > 0.0 && spec & POS == 0, "the integral gain of a motor's controller needs the pos input");
    wrong(!controller && a.dynprm[7] > 0.0, "a limited rate of a motor's setpoint needs one of pos, vel and ff");
    wrong(!a.actearly, "a motor's activations step before the force: `actearly` cannot be false");
    let sizes = Sizes::of(a, ctrlspec);
    wrong(a.actdim >= 0 && a.actdim as usize != sizes.activations, "`actdim` does not fit the states of the motor");
    sizes
}

/// Limits of each control: the range given, but a PID servo's velocity and feedforward have theirs.
pub(crate) fn control_ranges(a: &Actuator, sizes: &Sizes, first: (bool, [f64; 2])) -> Vec<(bool, [f64; 2])> {
    let mut ranges = vec![first; sizes.controls];
    if a.gaintype == GainType::Pid {
        let own = |r: [f64; 2]| (r[0] < r[1], r);
        let mut at = usize::from(sizes.ctrlspec & POS != 0);
        for (bit, range) in [(VEL, a.velrange), (FF, a.ffrange)] {
            if sizes.ctrlspec & bit != 0
                && let Some(slot) = ranges.get_mut(at)
            {
                *slot = own(range);
                at += 1;
            }
        }
    }
    ranges
}
