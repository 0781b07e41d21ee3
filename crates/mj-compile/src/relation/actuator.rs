//! Actuators: transmission, ranges, and where their controls, forces and activations lie.

use crate::context::Context;
use crate::messages::describe;
use crate::relation::servo;
use mj_model::Model;
use mj_model::history::Ring;
use mj_model::model::{ActuatorRow, ControlRow, OutputRow};
use mj_model::spec::Actuator;
use mj_model::*;

/// Writes actuators and makes their names known.
pub(crate) fn write(cx: &mut Context, m: &mut Model) {
    let spec = cx.spec;
    cx.register(ObjType::Actuator, spec.actuators.iter().map(|a| (a.name.as_str(), a.loc)));
    for a in &spec.actuators {
        let what = describe("actuator", &a.name);
        check_muscle(cx, a, &what);
        let sizes = servo::sizes(cx, a, &what);
        let trnid = transmission(cx, a, &what);
        let so3 = a.gaintype == GainType::So3;
        if so3 && a.trntype == TrnType::Joint && trnid[0] >= 0 {
            let j = JointId::new(trnid[0] as usize);
            if m.jnt.r#type[j] != JointType::Ball {
                cx.error(a.loc, format!("{what}: an orientation servo acts on ball joints only"));
            }
        }
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

        let history = history(cx, a, &what, sizes.controls);
        let row = ActuatorRow {
            trntype: if so3 { TrnType::So3 } else { a.trntype },
            dyntype: a.dyntype,
            plugin: a.plugin.as_ref().and_then(|p| cx.plugins.get(p)).map(|(id, _)| id),
            gaintype: a.gaintype,
            biastype: a.biastype,
            ctrladr: m.control.len() as u32,
            ctrlnum: sizes.controls as u32,
            ctrlspec: sizes.ctrlspec,
            outadr: m.output.len() as u32,
            outnum: sizes.outputs as u32,
            actadr: if sizes.activations > 0 { m.na as i32 } else { -1 },
            actnum: sizes.activations as u32,
            trnid,
            cranklength: a.cranklength,
            dynprm: a.dynprm,
            gainprm: a.gainprm,
            biasprm: a.biasprm,
            actlimited,
            actrange,
            actearly: a.actearly,
            history: [a.nsample, a.interp],
            historyadr: if history > 0 { m.nhistory as i32 } else { -1 },
            delay: a.delay,
            damping: a.damping[0],
            dampingpoly: [a.damping[1], a.damping[2]],
            armature: a.armature,
            group: a.group,
            forcelimited,
            forcerange,
        };
        m.actuator.push(row);
        m.na += sizes.activations;
        m.nhistory += history;
        for (ctrllimited, ctrlrange) in servo::control_ranges(a, &sizes, (ctrllimited, ctrlrange)) {
            m.control.push(ControlRow { ctrllimited, ctrlrange });
        }
        for _ in 0..sizes.outputs {
            m.output.push(OutputRow { gear: a.gear, lengthrange: a.lengthrange, ..Default::default() });
        }
    }
}

/// Checks an actuator's delay; returns the numbers that its history takes up.
fn history(cx: &mut Context, a: &Actuator, what: &str, controls: usize) -> usize {
    let nsample = usize::try_from(a.nsample).unwrap_or(0);
    if a.delay > 0.0 && nsample == 0 {
        cx.error(a.loc, format!("{what} has a `delay`, but no samples to delay"))
            .help("give `nsample`: as many as there are time steps in the delay, and one more");
    }
    if (a.delay > 0.0 || nsample > 0) && controls == 0 {
        cx.error(a.loc, format!("{what} has no control to delay"));
    }
    check_samples(cx, a.loc, what, nsample);
    if nsample > 0 { Ring::size(nsample, controls) } else { 0 }
}

/// Checks the number of samples in a history, and that there is a time step between them.
pub(crate) fn check_samples(cx: &mut Context, loc: Loc, what: &str, nsample: usize) {
    if nsample > 1 << 24 {
        cx.error(loc, format!("{what}: {nsample} samples are too many")).help("at most 2^24");
    }
    let step = cx.spec.option.timestep;
    if nsample > 0 && (step.is_nan() || step <= 0.0) {
        cx.error(loc, format!("{what}: a history needs a positive time step"));
    }
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
    let fixed = a.gaintype == GainType::Fixed && a.gainprm[0] == -a.biasprm[1];
    let servo = a.biastype == BiasType::Affine && (fixed || a.gaintype == GainType::Pid);
    if a.inheritrange <= 0.0 || !servo {
        return None;
    }
    if !matches!(a.dyntype, DynType::None | DynType::FilterExact | DynType::Integrator | DynType::Pid) {
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
