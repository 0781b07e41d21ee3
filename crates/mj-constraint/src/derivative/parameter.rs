//! How constraint forces change with friction coefficients, `solref` and `solimp`.
//!
//! At a given motion, f = −∇s(jar) changes by df = −H djar + f d ln D (as in the parent module), where now
//!
//! ```text
//! djar = dJ a + db Jv + b dJ v + (dk d + k dd) x,   d ln D = dd/(d (1 − d)).
//! ```
//!
//! A pyramid's edges n ± μ t turn with μ, and D with it; an elliptic cone has edges of another slope. In its middle zone, with
//! T = |(μⱼ xⱼ)|, the force is P (T − x₀, (x₀ − T) μⱼ² xⱼ/T), P = D₀/(1 + μ²).

use super::block::{MAXROWS, columns, hessian, push};
use super::softness::Numbers;
use super::{At, ForceDerivative};
use crate::softness::RowKind;
use mj_collide::{ContactSlopes, contact_slopes};
use mj_math::block::Block;
use mj_model::model::ModelParameter;
use mj_model::*;
use mj_problem::ConstraintState;

/// Constraints whose softness or friction a parameter sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Contact,
    Rows(ConstraintType),
}

/// Finds the constraints that a parameter acts on; none of a parameter of another kind.
fn owner(p: &ModelParameter) -> Option<Owner> {
    use ConstraintType::*;
    Some(match p.field.as_str() {
        "geom_friction" | "geom_solref" | "geom_solimp" => Owner::Contact,
        "pair_friction" | "pair_solref" | "pair_solreffriction" | "pair_solimp" => Owner::Contact,
        "jnt_solref" | "jnt_solimp" => Owner::Rows(LimitJoint),
        "dof_solref" | "dof_solimp" => Owner::Rows(FrictionDof),
        "eq_solref" | "eq_solimp" => Owner::Rows(Equality),
        "tendon_solref_lim" | "tendon_solimp_lim" => Owner::Rows(LimitTendon),
        "tendon_solref_fri" | "tendon_solimp_fri" => Owner::Rows(FrictionTendon),
        _ => return None,
    })
}

/// Changes of the rows of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// Change of jar.
    jar: [f64; MAXROWS],
    /// Change of ln D.
    growth: [f64; MAXROWS],
    /// Change of the force at given jar and D.
    force: [f64; MAXROWS],
    /// Weights of the Jacobian's rows whose sum is the force that a change of the Jacobian adds.
    weights: [f64; MAXROWS],
}

impl ForceDerivative {
    /// Adds to −Jᵀf, nv numbers, the derivative by a parameter, after [`Self::find_residuals`]. Returns whether it has a closed
    /// form: friction, `solref` and `solimp` of rigid geoms and pairs that don't stick, of limits, friction losses and equalities
    /// but those of flexes. Not with the integrator `discrete` or the flag `diagexact`.
    pub fn add_by_parameter(&mut self, m: &Model, at: At<'_>, p: &ModelParameter, out: &mut [f64]) -> bool {
        let Some(owner) = owner(p) else { return false };
        let concerned = |b: &&Block| owner == owner_of(at.rows.r#type[b.row as usize]);
        let blocks = || at.rows.jac.blocks().iter().filter(concerned);
        let closed = m.opt.integrator != IntegratorType::Discrete && !m.opt.enabled(enable::DIAGEXACT);
        if !closed || !blocks().all(|b| is_simple(m, at, b.row as usize)) {
            return false;
        }
        for block in blocks() {
            let (first, n, w) = (block.row as usize, block.nrow as usize, block.ncol as usize);
            let Some(hessian) = hessian(at, &self.jar, first, n) else { continue };
            let id = at.rows.id[first] as usize;
            let change = match owner {
                Owner::Contact => of_contact(m, at, &self.jar, (first, n), id, p),
                Owner::Rows(_) if id == p.row => Some(of_rows(m, at, (first, n), id, p)),
                Owner::Rows(_) => None,
            };
            let Some(change) = change else { continue };
            let mut total = [0.0; MAXROWS];
            for r in 0..n {
                let by_jar: f64 = (0..n).map(|s| hessian[r * n + s] * change.jar[s]).sum();
                let grows = matches!(at.state[first + r], ConstraintState::Quadratic | ConstraintState::Cone);
                let growth = if grows { at.force[first + r] * change.growth[r] } else { 0.0 };
                total[r] = growth - by_jar + change.force[r] + change.weights[r];
            }
            columns(&at.rows.jac, block, &mut self.columns);
            push(at.rows.jac.values(block), w, &total, 0..n, &mut self.push);
            self.columns.iter().zip(&self.push).for_each(|(&d, x)| out[d] -= x);
        }
        true
    }
}

/// Whether the rows that begin at `first` are those of a contact of two geoms without adhesion, or of no flex.
fn is_simple(m: &Model, at: At<'_>, first: usize) -> bool {
    let id = at.rows.id[first] as usize;
    match owner_of(at.rows.r#type[first]) {
        Owner::Contact => at.contacts.list[id].geoms().is_some() && at.contacts.list[id].adhesion == 0.0,
        Owner::Rows(ConstraintType::Equality) => {
            let kind = m.eq.r#type[EqualityId::new(id)];
            matches!(kind, EqType::Connect | EqType::Weld | EqType::Joint | EqType::Tendon)
        }
        Owner::Rows(_) => true,
    }
}

fn owner_of(kind: ConstraintType) -> Owner {
    use ConstraintType::*;
    match kind {
        ContactFrictionless | ContactPyramidal | ContactElliptic => Owner::Contact,
        other => Owner::Rows(other),
    }
}

/// Change of limits, friction losses and equalities.
fn of_rows(m: &Model, at: At<'_>, (first, n): (usize, usize), id: usize, p: &ModelParameter) -> Change {
    let (solref, solimp) = match at.rows.r#type[first] {
        ConstraintType::LimitJoint => (m.jnt.solref[JointId::new(id)], m.jnt.solimp[JointId::new(id)]),
        ConstraintType::FrictionDof => (m.dof.solref[DofId::new(id)], m.dof.solimp[DofId::new(id)]),
        ConstraintType::LimitTendon => (m.tendon.solref_lim[TendonId::new(id)], m.tendon.solimp_lim[TendonId::new(id)]),
        ConstraintType::FrictionTendon => {
            (m.tendon.solref_fri[TendonId::new(id)], m.tendon.solimp_fri[TendonId::new(id)])
        }
        _ => (m.eq.solref[EqualityId::new(id)], m.eq.solimp[EqualityId::new(id)]),
    };
    let numbers = Numbers { solref, solimp, ..Numbers::default() };
    let mut along = Numbers::default();
    if p.field.contains("_solref") {
        along.solref[p.component] = 1.0
    } else {
        along.solimp[p.component] = 1.0
    }
    let mut change = Change::default();
    soften(m, at, (first, n), &numbers, &along, &mut change);
    change
}

/// Adds what a change of softness does to the rows of a constraint.
fn soften(m: &Model, at: At<'_>, (first, n): (usize, usize), numbers: &Numbers, along: &Numbers, out: &mut Change) {
    let rows = at.rows;
    let violation = match rows.r#type[first] {
        ConstraintType::Equality => rows.pos[first..first + n].iter().map(|x| x * x).sum::<f64>().sqrt(),
        _ => rows.pos[first] - rows.margin[first],
    };
    for r in 0..n {
        let i = first + r;
        let kind = match rows.r#type[first] {
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => RowKind::Dissipative,
            ConstraintType::ContactElliptic if r > 0 => RowKind::ContactFriction,
            _ => RowKind::Positional,
        };
        let [k, _, d, _] = rows.kbip[i];
        let slopes = numbers.slopes(m, along, kind, violation);
        let x = rows.pos[i] - rows.margin[i];
        out.jar[r] += slopes.damping * rows.vel[i] + (slopes.stiffness * d + k * slopes.impedance) * x;
        out.growth[r] += slopes.impedance / (d * (1.0 - d));
    }
}

/// Change of a contact; none if the parameter is not one of its geoms or pair.
fn of_contact(
    m: &Model,
    at: At<'_>,
    jar: &[f64],
    (first, n): (usize, usize),
    id: usize,
    p: &ModelParameter,
) -> Option<Change> {
    let c = &at.contacts.list[id];
    let slopes = contact_slopes(m, c.geoms()?, p);
    if slopes == ContactSlopes::default() {
        return None;
    }
    let mut change = Change::default();
    if slopes.friction == [0.0; 5] {
        let numbers = Numbers { solref: c.solref, solreffriction: c.solreffriction, solimp: c.solimp };
        let ContactSlopes { solref, solreffriction, solimp, .. } = slopes;
        soften(m, at, (first, n), &numbers, &Numbers { solref, solreffriction, solimp }, &mut change);
        return Some(change);
    }
    match at.rows.r#type[first] {
        ConstraintType::ContactPyramidal => {
            widen_pyramid(at, jar, (first, n), (&c.friction, &slopes.friction), &mut change)
        }
        ConstraintType::ContactElliptic => {
            let mu = at.rows.contacts[id].mu;
            let jar = &jar[first..first + n];
            widen_cone(at, jar, first, mu, (&c.friction, &slopes.friction), &mut change);
        }
        _ => return None,
    }
    Some(change)
}

/// Adds what a change of friction does to edges n ± μ t.
fn widen_pyramid(
    at: At<'_>,
    jar: &[f64],
    (first, n): (usize, usize),
    (friction, along): (&[f64; 5], &[f64; 5]),
    out: &mut Change,
) {
    let rows = at.rows;
    for r in (0..n).step_by(2) {
        let (i, j) = (first + r, first + r + 1);
        // t is half the difference of the edges over μ.
        let part = along[r / 2] / (2.0 * friction[r / 2]);
        let by_acceleration = jar[i] + rows.aref[i] - jar[j] - rows.aref[j];
        for (row, sign) in [(r, part), (r + 1, -part)] {
            let damping = rows.kbip[first + row][1];
            out.jar[row] = sign * (by_acceleration + damping * (rows.vel[i] - rows.vel[j]));
            out.weights[row] = sign * (at.force[i] - at.force[j]);
        }
    }
    // R = 2 μ₁² R₀, where R₀ is in proportion to 1 + μ₁².
    let (mu, slope) = (friction[0], along[0]);
    out.growth[..n].fill(-slope * (2.0 / mu + 2.0 * mu / (1.0 + mu * mu)));
}

/// Adds what a change of friction does to the force of a cone at given accelerations.
fn widen_cone(
    at: At<'_>,
    jar: &[f64],
    first: usize,
    mu: f64,
    (friction, along): (&[f64; 5], &[f64; 5]),
    out: &mut Change,
) {
    if at.state[first] != ConstraintState::Cone {
        // Rⱼ μⱼ² is one number.
        for r in 1..jar.len() {
            out.growth[r] = 2.0 * (along[r - 1] / friction[r - 1] - along[0] / friction[0]);
        }
        return;
    }
    let tangents = || jar[1..].iter().zip(friction).zip(along);
    let t = tangents().map(|((x, f), _)| (f * x).powi(2)).sum::<f64>().sqrt();
    let by_t = tangents().map(|((x, f), slope)| f * slope * x * x).sum::<f64>() / t;
    let p = at.rows.d[first] / (1.0 + mu * mu);
    let by_p = -p * 2.0 * mu * mu * along[0] / (friction[0] * (1.0 + mu * mu));
    let depth = jar[0] - t;
    let change = by_p * depth - p * by_t;
    out.force[0] = -change;
    for (r, ((x, f), slope)) in tangents().enumerate() {
        let along_t = f * f * x / t;
        out.force[r + 1] = change * along_t + p * depth * (2.0 * f * slope * x / t - along_t * by_t / t);
    }
}
