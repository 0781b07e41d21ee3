//! Stepping that stops at the first number that went bad, and says what went wrong and why it may
//! have.

use crate::data::{Data, WarningStat};
use crate::entry;
use crate::errors::step::StepError;
use crate::pipeline::finite::{first_bad, is_time_step};
use crate::pipeline::forward::{Known, evaluate};
use crate::pipeline::step::finish;
use mj_math::block::Run;
use mj_model::*;
use std::fmt;

/// A simulation that went bad: what first, where, and what may have caused it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct Divergence {
    /// Warning of the number that went bad: `badctrl`, `badqpos`, `badqvel`, `badqacc`, or `inertia` for an inertia matrix
    /// that is singular.
    pub kind: Warning,
    /// Simulation time, seconds.
    pub time: f64,
    /// Row of the control, coordinate or dof.
    pub index: usize,
    /// The joint or actuator that it belongs to, with its body.
    pub element: String,
    /// The bad number; a pivot of the inertia matrix that was not positive is given as 0.
    pub value: f64,
    /// Possible causes, the likeliest first; empty if nothing stands out.
    pub causes: Vec<String>,
}

/// A strict step was refused, or went bad.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StrictError {
    /// Data and model don't fit together, or the step was called from inside a hook.
    #[error(transparent)]
    Refused(#[from] StepError),
    /// A number went bad.
    #[error(transparent)]
    Diverged(#[from] Box<Divergence>),
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            Warning::BadCtrl => "control",
            Warning::BadTimestep => "time step",
            Warning::BadQpos => "position",
            Warning::BadQvel => "velocity",
            Warning::BadQacc => "acceleration",
            _ => "inertia",
        };
        write!(f, "at t = {:.6} s the {what} of {} is {:e}", self.time, self.element, self.value)?;
        for cause in &self.causes {
            write!(f, "\n  likely cause: {cause}")?;
        }
        Ok(())
    }
}

/// One time step as [`step`](crate::step) makes it, but without automatic reset: where a number goes
/// bad (not finite, or above 1e10), the step stops and the data stays as it is then. A singular
/// inertia matrix and a time step that is not positive and finite stop it too.
///
/// Example: [`explain`](crate::explain).
///
/// # Errors
/// What went bad first, where, its value, and what may have caused it; or as [`step`](crate::step).
pub fn step_strict(m: &Model, d: &mut Data) -> Result<(), StrictError> {
    entry::admit(m, d, "step_strict")?;
    let before = d.warnings;
    if !is_time_step(m.opt.timestep) {
        return Err(divergence(m, d, Warning::BadTimestep, 0, m.opt.timestep).into());
    }
    if let Some(i) = first_bad(&d.state.ctrl) {
        return Err(divergence(m, d, Warning::BadCtrl, i, d.state.ctrl[i]).into());
    }
    if let Some(i) = first_bad(&d.state.qpos) {
        return Err(divergence(m, d, Warning::BadQpos, i, d.state.qpos[i]).into());
    }
    if let Some(i) = first_bad(&d.state.qvel) {
        return Err(divergence(m, d, Warning::BadQvel, i, d.state.qvel[i]).into());
    }
    evaluate(m, d, Known::Nothing, true);
    entry::take_error(d)?;
    let raised = |kind: Warning, now: &[WarningStat; 9]| {
        let k = kind.code() as usize;
        (now[k].number > before[k].number).then_some(now[k].lastinfo as usize)
    };
    if let Some(i) = raised(Warning::Inertia, &d.warnings) {
        return Err(divergence(m, d, Warning::Inertia, i, 0.0).into());
    }
    if first_bad(&d.qacc).is_some() {
        let i = worst(&d.qacc);
        return Err(divergence(m, d, Warning::BadQacc, i, d.qacc[i]).into());
    }
    finish(m, d, false);
    Ok(())
}

/// The entry that is the farthest from good: the first that is not a number, else the greatest.
fn worst(v: &[f64]) -> usize {
    let size = |x: f64| if x.is_nan() { f64::INFINITY } else { x.abs() };
    (0..v.len()).reduce(|a, b| if size(v[b]) > size(v[a]) { b } else { a }).unwrap_or(0)
}

fn divergence(m: &Model, d: &Data, kind: Warning, index: usize, value: f64) -> Box<Divergence> {
    let element = match kind {
        Warning::BadTimestep => "the options".to_string(),
        Warning::BadCtrl => actuator_of(m, index).map_or(format!("control {index}"), |a| actuator(m, a)),
        Warning::BadQpos => joint_of(m, index).map_or(format!("coordinate {index}"), |j| joint(m, j)),
        _ => joint(m, m.dof.jntid[DofId::new(index)]),
    };
    let mut causes = bad_inputs(m, d);
    if !matches!(kind, Warning::BadCtrl | Warning::BadTimestep) {
        causes.extend(stiffest_spring(m, d));
        causes.extend(lightest_dof(m, d));
        causes.extend(mass_ratio(m, d));
    }
    Box::new(Divergence { kind, time: d.state.time, index, element, value, causes })
}

fn joint(m: &Model, j: JointId) -> String {
    let body = m.jnt.bodyid[j].index();
    format!("{} of {}", m.names.describe(ObjType::Joint, j.index()), m.names.describe(ObjType::Body, body))
}

fn actuator(m: &Model, a: ActuatorId) -> String {
    m.names.describe(ObjType::Actuator, a.index())
}

fn actuator_of(m: &Model, control: usize) -> Option<ActuatorId> {
    m.actuator.ids().find(|&a| {
        let first = m.actuator.ctrladr[a] as usize;
        (first..first + m.actuator.ctrlnum[a] as usize).contains(&control)
    })
}

fn joint_of(m: &Model, coordinate: usize) -> Option<JointId> {
    m.jnt.ids().rev().find(|&j| m.jnt.qposadr[j] as usize <= coordinate)
}

/// Inputs that are bad themselves.
fn bad_inputs(m: &Model, d: &Data) -> Vec<String> {
    let s = &d.state;
    let mut causes = Vec::new();
    if let Some(i) = first_bad(&s.qfrc_applied) {
        let j = joint(m, m.dof.jntid[DofId::new(i)]);
        causes.push(format!("the applied force on {j} is {:e} (qfrc_applied[{i}])", s.qfrc_applied[i]));
    }
    for (b, x) in s.xfrc_applied.iter_ids() {
        if let Some(k) = first_bad(x) {
            let body = m.names.describe(ObjType::Body, b.index());
            causes.push(format!("the applied wrench on {body} is {:e} (xfrc_applied[{}][{k}])", x[k], b.index()));
            break;
        }
    }
    if let Some(i) = first_bad(&s.act) {
        let of =
            m.actuator.ids().find(|&a| mj_dynamics::activation_range(m, a).is_some_and(|states| states.contains(&i)));
        let name = of.map_or(format!("number {i}"), |a| format!("of {}", actuator(m, a)));
        causes.push(format!("the activation {name} is {:e}", s.act[i]));
    }
    causes
}

/// Something that pulls back with a stiffness.
struct Spring {
    name: String,
    stiffness: f64,
    /// Inertia that it moves.
    inertia: f64,
}

impl Spring {
    /// The longest time step at which it is stable where its force is that of the step's beginning.
    fn longest_step(&self) -> f64 {
        2.0 * (self.inertia / self.stiffness).sqrt()
    }
}

/// The spring or servo with the shortest period, if the time step is too long for it.
fn stiffest_spring(m: &Model, d: &Data) -> Option<String> {
    // Constraints included, only this integrator takes positions at the end of the step.
    if m.opt.integrator == IntegratorType::Discrete {
        return None;
    }
    let mass = |dof: usize| d.smooth.inertia.M[m.m_pattern.diag(dof)];
    // The inertia against which a length with this Jacobian moves: 1/Σ j²/M.
    let along = |runs: &[Run], vals: &[f64]| {
        let dofs = runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize);
        1.0 / dofs.zip(vals).map(|(i, j)| j * j / mass(i)).sum::<f64>()
    };
    let mut springs = Vec::new();
    if !m.opt.disabled(disable::SPRING) {
        for j in m.jnt.ids() {
            let dof = m.jnt.dofadr[j].index();
            springs.push(Spring { name: joint(m, j), stiffness: m.jnt.stiffness[j], inertia: mass(dof) });
        }
        for t in m.tendon.ids() {
            let (runs, vals) = d.smooth.transmissions.ten_J.row(t.index());
            let name = m.names.describe(ObjType::Tendon, t.index());
            springs.push(Spring { name, stiffness: m.tendon.stiffness[t], inertia: along(runs, vals) });
        }
    }
    if !m.opt.disabled(disable::ACTUATION) {
        for a in m.actuator.ids().filter(|&a| m.actuator.biastype[a] == BiasType::Affine) {
            let (runs, vals) = d.smooth.transmissions.actuator_moment.row(m.actuator.outadr[a] as usize);
            let stiffness = -m.actuator.biasprm[a][1];
            springs.push(Spring { name: actuator(m, a), stiffness, inertia: along(runs, vals) });
        }
    }
    let h = m.opt.timestep;
    let worst = springs
        .into_iter()
        .filter(|s| s.stiffness > 0.0 && s.inertia.is_finite() && s.longest_step() < h)
        .min_by(|a, b| a.longest_step().total_cmp(&b.longest_step()))?;
    Some(format!(
        "the time step {h} s is too long for the spring of {}: stiffness {:.3e} against inertia {:.3e} is stable below {:.2e} s; \
         shorten the time step, add armature, or choose integrator=\"discrete\"",
        worst.name,
        worst.stiffness,
        worst.inertia,
        worst.longest_step()
    ))
}

/// The dof with the least inertia against that of the others of its kind, if it is next to nothing.
fn lightest_dof(m: &Model, d: &Data) -> Option<String> {
    /// Part of the median inertia below which a dof is suspicious.
    const LIGHT: f64 = 1e-6;
    let mut masses: Vec<(f64, usize)> = (0..m.nv()).map(|i| (d.smooth.inertia.M[m.m_pattern.diag(i)], i)).collect();
    masses.sort_by(|a, b| a.0.total_cmp(&b.0));
    let &(least, i) = masses.first()?;
    let median = masses[masses.len() / 2].0;
    let (dof, light) = (DofId::new(i), least < LIGHT * median || least < mj_math::MINVAL);
    (light && m.dof.armature[dof] == 0.0).then(|| {
        format!(
            "{} has next to no inertia ({least:.1e} about its dof, the median is {median:.1e}) and no armature; \
             add armature or mass",
            joint(m, m.dof.jntid[dof])
        )
    })
}

/// The greatest ratio of masses of two bodies in contact, if it is extreme.
fn mass_ratio(m: &Model, d: &Data) -> Option<String> {
    /// Ratio above which solvers struggle.
    const EXTREME: f64 = 1e4;
    let pairs = d.contacts.list.iter().map(|c| c.bodies(m));
    let ratio = |[a, b]: [BodyId; 2]| {
        let (x, y) = (m.body.subtreemass[a], m.body.subtreemass[b]);
        if m.body.weldid[a].index() == 0 || m.body.weldid[b].index() == 0 || x.min(y) <= 0.0 {
            0.0
        } else {
            x.max(y) / x.min(y)
        }
    };
    let pair = pairs.max_by(|a, b| ratio(*a).total_cmp(&ratio(*b)))?;
    let (names, r) = (pair.map(|b| m.names.describe(ObjType::Body, b.index())), ratio(pair));
    (r > EXTREME).then(|| format!("{} and {} are in contact and one is {r:.0} times heavier", names[0], names[1]))
}
