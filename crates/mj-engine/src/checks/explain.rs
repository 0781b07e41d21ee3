//! A state in words: what went wrong in it, and what is unusual.

use crate::checks::diagnosis::{Convergence, describe_row, describe_warning};
use crate::data::Data;
use mj_model::*;

/// A contact is deep beyond this share of the size of the smaller geom.
const DEEP: f64 = 0.1;
/// A limit is exceeded beyond this share of its range.
const EXCEEDED: f64 = 0.05;
/// A body turns fast beyond this angle in a step, rad: the step's tangent is no guide to the motion any more.
const FAST: f64 = 0.5;
/// A body goes far beyond this share of the model's extent in a step: it passes through things without touching them.
const FAR: f64 = 0.5;
/// Sentences of one kind, the worst first; more are counted.
const MOST: usize = 3;

/// Describes what went wrong in the state that `d` holds and what is unusual, a sentence each, the gravest first: warnings,
/// numbers that are not finite, a solver that stopped short, deep contacts, exceeded limits, motions too fast for the
/// time step, controls outside of their ranges.
///
/// Contacts, limits and the solver are those of the last step or `forward`. Empty if there is nothing to tell.
///
/// ```
/// use mj_engine::model::Warning;
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
///     <body pos="0 0 .05"><freejoint name="root"/><geom name="ball" size=".1"/></body></worldbody></mujoco>"#,
/// )?;
/// assert!(unsupported_options(&m).is_empty());
/// let mut d = Data::new(&m)?;
/// forward(&m, &mut d)?;
/// assert!(describe_row(&m, &d, 0).contains("ball"));
/// // The ball is 5 cm deep in the floor.
/// assert!(explain(&m, &d)[0].contains("floor"));
///
/// // A strict step stops at the first bad number; the usual one resets, and counts a warning.
/// d.state.qvel[0] = f64::NAN;
/// assert!(step_strict(&m, &mut d).is_err() && d.state.qvel[0].is_nan());
/// step(&m, &mut d)?;
/// assert!(!d.state.qvel[0].is_nan());
/// assert!(describe_warning(&m, &d, Warning::BadQvel).contains("root"));
///
/// // Every result by name, for comparisons.
/// let mut names = Vec::new();
/// visit_data(&m, &d, &mut |field| names.push(field.name));
/// assert!(names.iter().any(|name| name == "qacc"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(m: &Model, d: &Data) -> Vec<String> {
    let mut told: Vec<String> =
        Warning::KEYWORDS.iter().map(|(_, kind)| describe_warning(m, d, *kind)).filter(|s| !s.is_empty()).collect();
    told.extend(not_finite(m, d));
    let mut convergence = Convergence::default();
    convergence.observe(m, d);
    told.extend(convergence.worst.map(|worst| format!("the constraint solver stopped short: {worst}")));
    told.extend(worst(deep_contacts(m, d)));
    told.extend(worst(exceeded_limits(m, d)));
    told.extend(worst(fast_rotations(m, d)));
    told.extend(worst(far_steps(m, d)));
    told.extend(clamped_controls(m, d));
    told
}

/// The worst of sentences, with a number that says how bad each is.
fn worst(mut list: Vec<(f64, String)>) -> Vec<String> {
    list.sort_by(|a, b| b.0.total_cmp(&a.0));
    let more = list.len().saturating_sub(MOST);
    let mut told: Vec<String> = list.into_iter().take(MOST).map(|(_, s)| s).collect();
    if let Some(last) = told.last_mut().filter(|_| more > 0) {
        last.push_str(&format!(" (and {more} more)"));
    }
    told
}

/// A number with three digits.
fn short(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

/// The owner of a coordinate: a joint and its body.
fn of_joint(m: &Model, j: JointId) -> String {
    let joint = m.names.describe(ObjType::Joint, j.index());
    format!("{joint} of {}", m.names.describe(ObjType::Body, m.jnt.bodyid[j].index()))
}

/// One sentence for each field of the state with a number that is not finite.
fn not_finite(m: &Model, d: &Data) -> Vec<String> {
    let mut told = Vec::new();
    let mut look = |name: &str, numbers: &[f64], owner: &dyn Fn(usize) -> String| {
        let bad: Vec<usize> = (0..numbers.len()).filter(|&i| !numbers[i].is_finite()).collect();
        if let Some(&i) = bad.first() {
            let more = if bad.len() > 1 { format!(" (and {} more)", bad.len() - 1) } else { String::new() };
            told.push(format!("{name}[{i}] is {}: {}{more}", numbers[i], owner(i)));
        }
    };
    let by_dof = |i: usize| of_joint(m, m.dof.jntid[DofId::new(i)]);
    let by_coordinate = |i: usize| {
        let joint = m.jnt.ids().rev().find(|&j| m.jnt.qposadr[j] as usize <= i);
        joint.map_or_else(|| "no joint".into(), |j| of_joint(m, j))
    };
    let by_control = |i: usize| {
        let owner = m.actuator.ids().rev().find(|&a| m.actuator.ctrladr[a] as usize <= i);
        owner.map_or_else(|| "no actuator".into(), |a| m.names.describe(ObjType::Actuator, a.index()))
    };
    look("qpos", &d.state.qpos, &by_coordinate);
    look("qvel", &d.state.qvel, &by_dof);
    look("act", &d.state.act, &|i| format!("activation {i}"));
    look("ctrl", &d.state.ctrl, &by_control);
    look("qfrc_applied", &d.state.qfrc_applied, &by_dof);
    let wrenches = d.state.xfrc_applied.as_slice().as_flattened();
    look("xfrc_applied", wrenches, &|i| m.names.describe(ObjType::Body, i / 6));
    look("qacc", &d.qacc, &by_dof);
    told
}

/// Contacts of geoms that are far inside of each other.
fn deep_contacts(m: &Model, d: &Data) -> Vec<(f64, String)> {
    // Planes and height fields have no radius: the other geom counts.
    let size = |g: GeomId| Some(m.geom.rbound[g]).filter(|r| *r > 0.0).unwrap_or(f64::INFINITY);
    let mut list = Vec::new();
    for c in &d.contacts.list {
        let Some(geoms) = c.geoms() else { continue };
        let smaller = geoms.map(size).into_iter().fold(f64::INFINITY, f64::min);
        let share = -c.dist / smaller;
        if share > DEEP {
            let [a, b] = geoms.map(|g| m.names.describe(ObjType::Geom, g.index()));
            let depth = short(-c.dist);
            list.push((
                share,
                format!(
                    "{a} and {b} are {depth} m inside of each other, {:.0}% of the smaller one's radius: the state \
                     begins so, the contact is too soft, or the time step too long",
                    100.0 * share
                ),
            ));
        }
    }
    list
}

/// Limits of joints and tendons that are exceeded by far.
fn exceeded_limits(m: &Model, d: &Data) -> Vec<(f64, String)> {
    let mut list = Vec::new();
    for row in 0..d.rows.nefc() {
        let id = d.rows.id[row] as usize;
        let [low, high] = match d.rows.r#type[row] {
            ConstraintType::LimitJoint => m.jnt.range[JointId::new(id)],
            ConstraintType::LimitTendon => m.tendon.range[TendonId::new(id)],
            _ => continue,
        };
        let share = -d.rows.pos[row] / (high - low);
        if share > EXCEEDED {
            let [by, low, high] = [-d.rows.pos[row], low, high].map(short);
            list.push((
                share,
                format!("{} is exceeded by {by}, its range is {low} to {high}", describe_row(m, d, row)),
            ));
        }
    }
    list
}

/// Joints that turn far in one step.
fn fast_rotations(m: &Model, d: &Data) -> Vec<(f64, String)> {
    let mut list = Vec::new();
    for j in m.jnt.ids() {
        let first = m.jnt.dofadr[j].index();
        let turning = match m.jnt.r#type[j] {
            JointType::Hinge => first..first + 1,
            JointType::Ball => first..first + 3,
            JointType::Free => first + 3..first + 6,
            JointType::Slide => continue,
        };
        let speed = mj_math::dense::norm(&d.state.qvel[turning]);
        let angle = speed * m.opt.timestep;
        if angle > FAST && angle.is_finite() {
            let (joint, speed) = (of_joint(m, j), short(speed));
            list.push((
                angle,
                format!(
                    "{joint} turns by {angle:.2} rad in one step ({speed} rad/s): the time step is too long for that"
                ),
            ));
        }
    }
    list
}

/// Joints along which bodies go far in a step.
fn far_steps(m: &Model, d: &Data) -> Vec<(f64, String)> {
    let mut list = Vec::new();
    for j in m.jnt.ids() {
        let first = m.jnt.dofadr[j].index();
        let along = match m.jnt.r#type[j] {
            JointType::Slide => first..first + 1,
            JointType::Free => first..first + 3,
            JointType::Hinge | JointType::Ball => continue,
        };
        let speed = mj_math::dense::norm(&d.state.qvel[along]);
        let way = speed * m.opt.timestep;
        if way > FAR * m.stat.extent && way.is_finite() {
            let (joint, way, speed) = (of_joint(m, j), short(way), short(speed));
            let extent = short(m.stat.extent);
            list.push((
                way,
                format!(
                    "{joint} moves by {way} m in one step ({speed} m/s), where the model's extent is {extent} m: the time step \
                     is too long for that"
                ),
            ));
        }
    }
    list
}

/// Controls that are outside of their ranges, where these hold.
fn clamped_controls(m: &Model, d: &Data) -> Vec<String> {
    if m.opt.disabled(disable::CLAMPCTRL) {
        return Vec::new();
    }
    let mut list = Vec::new();
    for a in m.actuator.ids() {
        for k in 0..m.actuator.ctrlnum[a] as usize {
            let c = ControlId::new(m.actuator.ctrladr[a] as usize + k);
            let ([low, high], value) = (m.control.ctrlrange[c], d.state.ctrl[c.index()]);
            if m.control.ctrllimited[c] && (value < low || value > high) {
                let name = m.names.describe(ObjType::Actuator, a.index());
                let by = (low - value).max(value - high);
                let [value, low, high] = [value, low, high].map(short);
                list.push((by, format!("the control {value} of {name} counts as one within {low} to {high}")));
            }
        }
    }
    worst(list)
}
