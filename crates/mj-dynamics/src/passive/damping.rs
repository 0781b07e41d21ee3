//! Dampers of dofs, and how an integrator treats them implicitly.

use crate::buffers::JointInertia;
use crate::passive::poly;
use crate::rigid::inertia::{added, entries, factor_rows, joint_targets, solve_rows};
use mj_math::{MultiRhs, PaddedFactor};
use mj_model::model::AddedBy;
use mj_model::*;

/// Returns the damping of dof `d`, with that added by actuators: linear and higher coefficients.
#[inline(always)]
pub(crate) fn dof_damping(m: &Model, d: DofId) -> (f64, [f64; 2]) {
    let j = m.dof.jntid[d];
    let (b, p, by) = (m.dof.damping[d], m.dof.dampingpoly[d], m.jnt.actuatorid[j]);
    if by.is_none() {
        return (b, p);
    }
    let [more, more0, more1] = damping_of_actuators(m, by, joint_targets(j));
    (b + more, [p[0] + more0, p[1] + more1])
}

/// Returns the coefficients that actuators add to the damping of a joint or a tendon.
#[inline]
pub(crate) fn damping_of_actuators(m: &Model, by: AddedBy, target: impl Fn(TrnType, i32) -> bool) -> [f64; 3] {
    if let AddedBy::One(a) = by
        && (m.actuator.damping[a], m.actuator.dampingpoly[a]) == (0.0, [0.0; 2])
    {
        return [0.0; 3];
    }
    let poly = |k: usize| added(m, by, &target, |a| m.actuator.dampingpoly[a][k]);
    [added(m, by, &target, |a| m.actuator.damping[a]), poly(0), poly(1)]
}

/// Writes the forces of the dampers of all dofs that are awake.
pub(crate) fn dampers(m: &Model, s: &State, qfrc: &mut [f64]) {
    let (linear, higher) = (m.dof.damping.as_slice(), m.dof.dampingpoly.as_slice());
    let own_alone = !is_added_by_actuators(m);
    for dofs in &s.awake.dofs {
        let moving = qfrc[dofs.clone()].iter_mut().zip(&s.qvel[dofs.clone()]);
        if own_alone {
            let coefficients = linear[dofs.clone()].iter().zip(&higher[dofs.clone()]);
            moving.zip(coefficients).for_each(|((f, v), (b, p))| *f = -v * poly::damping(*b, *p, *v));
        } else {
            for ((f, v), d) in moving.zip(dofs.clone()) {
                let (b, p) = dof_damping(m, DofId::new(d));
                *f = -v * poly::damping(b, p, *v);
            }
        }
    }
}

/// Returns whether any actuator adds to the damping of a joint.
#[inline]
fn is_added_by_actuators(m: &Model) -> bool {
    m.jnt.actuatorid.iter().any(AddedBy::is_some)
}

/// Calls `f` with each dof that is awake, and the derivative −∂`qfrc_damper`/∂`qvel` of its own damper.
#[inline(always)]
pub(crate) fn for_each_slope(m: &Model, s: &State, mut f: impl FnMut(usize, f64)) {
    for d in s.awake.dofs.iter().cloned().flatten() {
        f(d, damping_slope(m, DofId::new(d), s.qvel[d]));
    }
}

/// Returns whether Euler's rule has damping to integrate implicitly: any damped dof, neither dampers nor
/// implicit damping disabled.
#[inline]
pub fn has_implicit_damping(m: &Model) -> bool {
    if m.opt.disabled(disable::EULERDAMP) || m.opt.disabled(disable::DAMPER) {
        return false;
    }
    let damped = |(b, p): (f64, [f64; 2])| b > 0.0 || p != [0.0; 2];
    if is_added_by_actuators(m) {
        return m.dof.ids().any(|d| damped(dof_damping(m, d)));
    }
    m.dof.damping.iter().zip(m.dof.dampingpoly.iter()).any(|(b, p)| damped((*b, *p)))
}

/// Returns the derivative −∂`qfrc_damper`/∂`qvel` of a dof's own damper at the velocity `v`. Dampers of tendons
/// are not among these: Euler's rule leaves them explicit.
#[inline(always)]
pub fn damping_slope(m: &Model, d: DofId, v: f64) -> f64 {
    let (b, p) = dof_damping(m, d);
    poly::damping_slope(b, p, v)
}

/// Factors M + h·D, D the damping's diagonal at the state's velocity, for the awake dofs into `ld` and `dinv` (the pattern of M).
/// Returns the dof whose pivot was not positive and was lifted, if any.
pub fn factor_damped(
    m: &Model,
    s: &State,
    inertia: &JointInertia,
    h: f64,
    ld: &mut [f64],
    dinv: &mut [f64],
) -> Option<DofId> {
    for dofs in &s.awake.dofs {
        let entries = entries(m, dofs);
        ld[entries.clone()].copy_from_slice(&inertia.M[entries]);
    }
    for_each_slope(m, s, |d, slope| ld[m.m_pattern.diag(d)] += h * slope);
    factor_rows(m, &s.awake, ld, dinv)
}

/// Factor of M + h·D, D the damping's diagonal at a state's velocity.
#[derive(Clone, Debug, Default)]
pub struct DampedFactor {
    ld: Vec<f64>,
    dinv: Vec<f64>,
    /// The factor in rows of fixed length, where those are faster: the others are not in use then.
    padded: PaddedFactor,
}

impl DampedFactor {
    /// Factors the matrix at a state, for the awake dofs. Returns the dof whose pivot was not positive and was lifted, if
    /// any.
    pub fn factor(&mut self, m: &Model, s: &State, inertia: &JointInertia, h: f64) -> Option<DofId> {
        if s.awake.everything() && PaddedFactor::suits(&m.m_pattern) {
            self.padded.fit(&inertia.padded);
            let slope = |d: usize| h * damping_slope(m, DofId::new(d), s.qvel[d]);
            return self.padded.factor(&m.m_pattern, &inertia.M, slope).map(DofId::new);
        }
        self.padded.forget();
        self.ld.resize(m.m_pattern.nnz(), 0.0);
        self.dinv.resize(m.nv(), 0.0);
        factor_damped(m, s, inertia, h, &mut self.ld, &mut self.dinv)
    }

    /// Solves (M + hD) x = b in place for the awake dofs, and leaves the others.
    pub fn solve(&self, m: &Model, awake: &Awake, x: &mut [f64]) {
        if self.padded.is_known() {
            return self.padded.solve(x);
        }
        solve_rows(m, awake, &self.ld, &self.dinv, x);
    }

    /// Exports the factor for many right-hand sides at once. It must have been computed.
    pub fn export(&self, m: &Model, out: &mut MultiRhs) {
        if self.padded.is_known() {
            self.padded.export_factor(m.nv(), out);
        } else {
            m.m_pattern.export_factor(&self.ld, &self.dinv, out);
        }
    }

    /// Writes L with D on the diagonal, in the pattern of M, and 1/D (nv). Returns false, and writes nothing, if the factor
    /// was never computed for a model of this size.
    pub fn write(&self, m: &Model, ld: &mut [f64], dinv: &mut [f64]) -> bool {
        if self.padded.is_known() {
            self.padded.write(&m.m_pattern, ld, dinv);
        } else if self.ld.len() == ld.len() && self.dinv.len() == dinv.len() {
            ld.copy_from_slice(&self.ld);
            dinv.copy_from_slice(&self.dinv);
        } else {
            return false;
        }
        true
    }
}
