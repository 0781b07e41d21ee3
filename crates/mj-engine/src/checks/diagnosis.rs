//! Descriptions of problems in a simulation: warnings by name, and why the constraint solver stopped
//! short of its tolerance.

use crate::data::{Data, WarningStat};
use mj_model::*;
use std::fmt;

/// A warning that was raised, as a sentence about the element that it is about.
///
/// Empty if it never was.
///
/// Example: [`explain`](crate::explain).
pub fn describe_warning(m: &Model, d: &Data, kind: Warning) -> String {
    let WarningStat { number, lastinfo } = d.warning(kind);
    if number == 0 {
        return String::new();
    }
    let times = if number == 1 { String::new() } else { format!(" ({number} times)") };
    let i = lastinfo as usize;
    let of_joint = |j: JointId, what: &str| {
        let body = m.names.describe(ObjType::Body, m.jnt.bodyid[j].index());
        format!("{body}: the {what} of {}", m.names.describe(ObjType::Joint, j.index()))
    };
    let of_dof = |what: &str| (i < m.nv()).then(|| of_joint(m.dof.jntid[DofId::new(i)], what));
    let wild = if m.opt.disabled(disable::AUTORESET) {
        "is not finite, or huge"
    } else {
        "is not finite, or huge: the simulation was reset"
    };
    let subject = match kind {
        Warning::Inertia => {
            let about = of_dof("inertia").unwrap_or_else(|| format!("the inertia of dof {i}"));
            return format!("{about} is nearly singular; give the body mass, or the joint armature{times}");
        }
        Warning::BadQpos => {
            let joint = m.jnt.ids().rev().find(|&j| m.jnt.qposadr[j] as usize <= i);
            joint.map(|j| of_joint(j, "position")).unwrap_or_else(|| format!("coordinate {i}"))
        }
        Warning::BadQvel => of_dof("velocity").unwrap_or_else(|| format!("the velocity of dof {i}")),
        Warning::BadQacc => of_dof("acceleration").unwrap_or_else(|| format!("the acceleration of dof {i}")),
        Warning::BadCtrl => {
            let owner = m.actuator.ids().rev().find(|&a| m.actuator.ctrladr[a] as usize <= i);
            let name = owner.map_or_else(|| format!("control {i}"), |a| m.names.describe(ObjType::Actuator, a.index()));
            return format!("{name}: the control is not finite, or huge; all controls were taken as zero{times}");
        }
        Warning::BadTimestep => {
            return format!("the time step is {}: a time step is positive and finite{times}", m.opt.timestep);
        }
        Warning::Incomplete => {
            return format!(
                "contacts of flexes (flag ipc) stopped a step before its end; a smaller time step, or thicker flexes{times}"
            );
        }
        Warning::ContactFull | Warning::CnstrFull => return format!("out of memory for constraints{times}"),
    };
    format!("{subject} {wild}{times}")
}

/// Count of steps at which the constraint solver stopped before it converged, and the worst of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Convergence {
    /// Steps seen.
    pub steps: u64,
    /// Steps in which an island was given up at the greatest number of iterations.
    pub short: u64,
    /// The island left with the largest gradient.
    pub worst: Option<Shortfall>,
}

/// A constraint problem that was given up.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortfall {
    /// Time of the step, seconds.
    pub time: f64,
    /// Numbers of dofs and of rows of the island.
    pub nv: u32,
    /// Rows.
    pub nefc: u32,
    /// Iterations.
    pub niter: u32,
    /// Norm of the gradient at the end, scaled as the tolerance is.
    pub gradient: f64,
    /// Decrease of the cost in the last iteration, scaled as the tolerance is.
    pub improvement: f64,
    /// Possible causes, each with a remedy.
    pub causes: Vec<String>,
}

impl Convergence {
    /// Takes account of the step whose results `d` holds. Free of allocation unless it is the worst
    /// yet.
    pub fn observe(&mut self, m: &Model, d: &Data) {
        self.steps += 1;
        let most = u32::try_from(m.opt.iterations).unwrap_or(0);
        let mut short = false;
        for island in d.solution.islands.iter().filter(|i| i.niter >= most && i.niter > 0) {
            let Some(last) = d.solution.stats.get((island.stat + island.niter) as usize - 1) else { continue };
            if last.improvement <= m.opt.tolerance || last.gradient <= m.opt.tolerance {
                continue;
            }
            short = true;
            if self.worst.as_ref().is_none_or(|w| last.gradient > w.gradient) {
                self.worst = Some(Shortfall {
                    time: d.state.time,
                    nv: island.nv,
                    nefc: island.nefc,
                    niter: island.niter,
                    gradient: last.gradient,
                    improvement: last.improvement,
                    causes: causes(m, d, *island),
                });
            }
        }
        self.short += u64::from(short);
    }
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, nv, nefc, niter, gradient, improvement, causes } = self;
        write!(
            f,
            "at t = {time:.4} s, {nefc} rows over {nv} dofs were left after {niter} iterations with gradient \
             {gradient:.1e}, still improving by {improvement:.1e}"
        )?;
        causes.iter().try_for_each(|cause| write!(f, "; {cause}"))
    }
}

/// Ratio of the stiffest row to the softest beyond which a problem is badly scaled.
const BADLY_SCALED: f64 = 1e8;

/// What may have kept the solver from converging.
fn causes(m: &Model, d: &Data, island: mj_problem::Island) -> Vec<String> {
    let mut causes = Vec::new();
    let rows = 0..d.rows.nefc();
    let by_stiffness = |a: &usize, b: &usize| d.rows.d[*a].total_cmp(&d.rows.d[*b]);
    if let (Some(soft), Some(stiff)) = (rows.clone().min_by(by_stiffness), rows.max_by(by_stiffness)) {
        let ratio = d.rows.d[stiff] / d.rows.d[soft];
        if ratio > BADLY_SCALED {
            causes.push(format!(
                "{} is {ratio:.0e} times as stiff as {}: bring their solimp, or the masses behind them, closer together",
                describe_row(m, d, stiff),
                describe_row(m, d, soft)
            ));
        }
    }
    if d.rows.ne as u32 > island.nv && island.nefc as usize >= d.rows.ne {
        causes
            .push(format!("{} equality rows on {} dofs say the same thing twice, or contradict", d.rows.ne, island.nv));
    }
    let stats = &d.solution.stats[island.stat as usize..(island.stat + island.niter) as usize];
    let cut = stats.iter().filter(|s| i64::from(s.neval) >= i64::from(m.opt.ls_iterations)).count();
    if 2 * cut > stats.len() {
        causes.push(format!("most line searches were cut off: raise ls_iterations above {}", m.opt.ls_iterations));
    }
    if m.opt.solver == SolverType::Newton {
        causes.push(format!("raise iterations above {}", m.opt.iterations));
    } else {
        causes.push("Newton's method needs fewer iterations: solver=\"Newton\"".to_string());
    }
    causes
}

/// Describes a constraint row: its kind, and the names of its elements.
///
/// Example: [`explain`](crate::explain).
pub fn describe_row(m: &Model, d: &Data, row: usize) -> String {
    let id = d.rows.id[row] as usize;
    let named = |what: &str, kind| format!("{what} of {}", m.names.describe(kind, id));
    match d.rows.r#type[row] {
        ConstraintType::Equality if id >= m.eq.len() => format!("equality {} of a hook", id - m.eq.len()),
        ConstraintType::Equality => m.names.describe(ObjType::Equality, id),
        ConstraintType::FrictionDof => {
            let joint = m.dof.jntid[DofId::new(id)];
            format!("friction loss of {}", m.names.describe(ObjType::Joint, joint.index()))
        }
        ConstraintType::FrictionTendon => named("friction loss", ObjType::Tendon),
        ConstraintType::LimitJoint => named("the limit", ObjType::Joint),
        ConstraintType::LimitTendon => named("the limit", ObjType::Tendon),
        ConstraintType::ContactFrictionless | ConstraintType::ContactPyramidal | ConstraintType::ContactElliptic => {
            let geoms = d.contacts.list.get(id).map(|c| [0, 1].map(|side| side_name(m, c, side)));
            geoms.map_or_else(|| format!("contact {id}"), |[a, b]| format!("the contact of {a} with {b}"))
        }
    }
}

/// The geom or flex of a contact's side by its name.
fn side_name(m: &Model, c: &mj_collide::Contact, side: usize) -> String {
    match (c.geom[side], c.flex[side]) {
        (Some(g), _) => m.names.describe(ObjType::Geom, g.index()),
        (None, Some(f)) => m.names.describe(ObjType::Flex, f.index()),
        (None, None) => "nothing".into(),
    }
}
