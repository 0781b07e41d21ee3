//! Actuators: transmission, ranges, and where their controls, forces and activations lie.

use crate::context::{Context, describe};
use mj_model::model::{ActuatorRow, ControlRow, Model, OutputRow};
use mj_model::spec::Actuator;
use mj_model::*;

/// Writes actuators and makes their names known.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Actuator, spec.actuators.iter().map(|a| (a.name.as_str(), a.loc)));
    for a in &spec.actuators {
        let what = describe("actuator", &a.name);
        refuse(cx, a, &what);
        check_muscle(cx, a, &what);
        let trnid = transmission(cx, a, &what);
        let added = a.damping != [0.0; 3] || a.armature != 0.0;
        if added && !matches!(a.trntype, TrnType::Joint | TrnType::JointInParent | TrnType::Tendon) {
            cx.error(a.loc, format!("{what}: only a joint or tendon can be given damping or armature"));
        }

        let mut ctrlrange = a.ctrlrange;
        let mut actrange = a.actrange;
        if let Some(range) = inherited_range(cx, a, trnid[0], &what, m) {
            let integrates = a.dyntype == DynType::Integrator;
            *(if integrates { &mut actrange } else { &mut ctrlrange }) = Some(range);
        }
        let (forcelimited, forcerange) = cx.limits(a.forcelimited, a.forcerange, a.loc, &what, "forcerange");
        let (ctrllimited, ctrlrange) = cx.limits(a.ctrllimited, ctrlrange, a.loc, &what, "ctrlrange");
        let (actlimited, actrange) = cx.limits(a.actlimited, actrange, a.loc, &what, "actrange");
        if actlimited && a.dyntype == DynType::None {
            cx.error(a.loc, format!("{what} has `actrange` but no activation dynamics"));
        }

        let actnum = activations(cx, a, &what);
        let row = ActuatorRow {
            trntype: a.trntype,
            dyntype: a.dyntype,
            gaintype: a.gaintype,
            biastype: a.biastype,
            ctrladr: m.control.len() as u32,
            ctrlnum: 1,
            ctrlspec: a.ctrlspec,
            outadr: m.output.len() as u32,
            outnum: 1,
            actadr: if actnum > 0 { m.na as i32 } else { -1 },
            actnum: actnum as u32,
            trnid,
            cranklength: a.cranklength,
            dynprm: a.dynprm,
            gainprm: a.gainprm,
            biasprm: a.biasprm,
            actlimited,
            actrange,
            actearly: a.actearly,
            history: [a.nsample, a.interp],
            historyadr: -1,
            delay: a.delay,
            damping: a.damping[0],
            dampingpoly: [a.damping[1], a.damping[2]],
            armature: a.armature,
            group: a.group,
            forcelimited,
            forcerange,
        };
        m.actuator.push(row);
        m.na += actnum;
        m.control.push(ControlRow { ctrllimited, ctrlrange });
        m.output.push(OutputRow { gear: a.gear, lengthrange: a.lengthrange, ..Default::default() });
    }
}

/// Refuses what the engine does not run yet.
fn refuse(cx: &mut Context, a: &Actuator, what: &str) {
    let mut not_yet = |condition: bool, feature: &str| {
        if condition {
            cx.unsupported(a.loc, format!("{what}: {feature}"));
        }
    };
    let muscle = a.gaintype == GainType::Muscle || a.biastype == BiasType::Muscle;
    not_yet(
        muscle && a.lengthrange[0] >= a.lengthrange[1],
        "finding the length range of a muscle (give it as `lengthrange`)",
    );
    not_yet(a.trntype == TrnType::Body, "adhesion");
    not_yet(
        a.dyntype == DynType::DcMotor || a.gaintype == GainType::DcMotor || a.biastype == BiasType::DcMotor,
        "DC motors",
    );
    not_yet(a.dyntype == DynType::Pid || a.gaintype == GainType::Pid, "PID control");
    not_yet(
        a.trntype == TrnType::So3 || a.gaintype == GainType::So3 || a.biastype == BiasType::So3,
        "orientation servos",
    );
    not_yet(
        a.dyntype == DynType::User || a.gaintype == GainType::User || a.biastype == BiasType::User,
        "user-defined actuators",
    );
    not_yet(a.nsample > 0 || a.delay > 0.0, "delays");
}

/// Checks the parameters of a muscle's gain and bias.
fn check_muscle(cx: &mut Context, a: &Actuator, what: &str) {
    let gain = (a.gaintype == GainType::Muscle).then_some(&a.gainprm);
    let bias = (a.biastype == BiasType::Muscle).then_some(&a.biasprm);
    for p in [gain, bias].into_iter().flatten() {
        let [low, high, _, scale, lmin, lmax, vmax, fpmax, fvmax, _] = *p;
        let wrong = if low.is_nan() || high.is_nan() || low >= high {
            "the lower end of `range` must be below the upper one"
        } else if !(lmin < 1.0 && lmax > 1.0) {
            "`lmin` must be below 1 and `lmax` above"
        } else if [scale, vmax, fpmax, fvmax].iter().any(|&x| x.is_nan() || x <= 0.0) {
            "`scale`, `vmax`, `fpmax` and `fvmax` must be positive"
        } else {
            continue;
        };
        cx.error(a.loc, format!("{what}: {wrong}"));
        return;
    }
}

/// Rows of the transmission's objects; −1: none.
fn transmission(cx: &mut Context, a: &Actuator, what: &str) -> [i32; 2] {
    if a.trntype == TrnType::Undefined {
        cx.error(a.loc, format!("{what} acts on nothing"))
            .help("name a joint, tendon, site or body, as in joint=\"...\"");
        return [-1; 2];
    }
    let kind = match a.trntype {
        TrnType::Joint | TrnType::JointInParent => ObjType::Joint,
        TrnType::Tendon => ObjType::Tendon,
        TrnType::Body => ObjType::Body,
        TrnType::SliderCrank | TrnType::Site | TrnType::So3 | TrnType::Undefined => ObjType::Site,
    };
    let mut find = |kind, name: &str, role: &str| {
        cx.find(kind, name, a.loc, &format!("{role} of {what}")).map_or(-1, |i| i as i32)
    };
    let target = find(kind, &a.target, "target");
    let second = match a.trntype {
        TrnType::SliderCrank => find(ObjType::Site, &a.slidersite, "slider site"),
        TrnType::Site if !a.refsite.is_empty() => find(ObjType::Site, &a.refsite, "reference site"),
        _ => -1,
    };
    if a.trntype == TrnType::SliderCrank && (a.cranklength.is_nan() || a.cranklength <= 0.0) {
        cx.error(a.loc, format!("{what}: the length of the crank must be positive"));
    }
    [target, second]
}

/// The range that a servo takes over from its target, scaled about its middle.
fn inherited_range(cx: &mut Context, a: &Actuator, target: i32, what: &str, m: &Model) -> Option<[f64; 2]> {
    let servo = a.gaintype == GainType::Fixed && a.biastype == BiasType::Affine && a.gainprm[0] == -a.biasprm[1];
    if a.inheritrange <= 0.0 || !servo {
        return None;
    }
    if !matches!(a.dyntype, DynType::None | DynType::FilterExact | DynType::Integrator) {
        cx.error(a.loc, format!("{what}: only position and integrated velocity servos inherit a range"));
        return None;
    }
    let i = usize::try_from(target).ok()?;
    let range = match a.trntype {
        TrnType::Joint => match m.jnt.r#type[JointId::new(i)] {
            JointType::Hinge | JointType::Slide => m.jnt.range[JointId::new(i)],
            _ => {
                cx.error(a.loc, format!("{what}: only hinges and slides have a range to inherit"));
                return None;
            }
        },
        TrnType::Tendon => m.tendon.range[TendonId::new(i)],
        _ => {
            cx.error(a.loc, format!("{what}: a range is inherited from a joint or a tendon"));
            return None;
        }
    };
    if range[0] == range[1] {
        cx.error(a.loc, format!("{what} inherits the range of `{}`, which has none", a.target));
        return None;
    }
    let (middle, half) = (0.5 * (range[0] + range[1]), 0.5 * (range[1] - range[0]) * a.inheritrange);
    Some([middle - half, middle + half])
}

/// Number of activations.
fn activations(cx: &mut Context, a: &Actuator, what: &str) -> usize {
    let stateful = a.dyntype != DynType::None;
    let fits = match a.actdim {
        n if n < 0 => true,
        0 => !stateful,
        1 => stateful,
        _ => false,
    };
    if !fits {
        let want = if stateful { "1" } else { "0" };
        cx.error(a.loc, format!("{what}: `actdim` is {}, but its dynamics have {want}", a.actdim));
    }
    usize::from(stateful)
}
