//! The effective inertia of a discrete time step, in which constraints are solved.

use crate::free_body::free_block;
use crate::{Rates, advance};
use mj_dynamics::{
    Chains, Smooth, VelocityDerivative, actuator_slopes, damping_slope, joint_spring_slopes, tendon_slopes,
};
use mj_math::{BlockRows, SparseSymmetric, dense};
use mj_model::*;

/// Effective inertia of a time step h that is implicit in position and velocity,
///
/// M̂ = M + hD + h²K,
///
/// with D and K the slopes of the smooth forces by velocity and position, negated, as far as they
/// stabilize: springs and dampers of joints and tendons, actuators, the drag of fluids. With the
/// forces f at the beginning of the step, the acceleration over the step is
///
/// M̂ a = f − hKv + Jᵀ f_c,  v' = v + ha,  q' = q ⊕ hv'.
///
/// What lies in the pattern of M (springs and dampers of joints, drag) is one matrix in that pattern.
/// Tendons and actuators couple dofs of any bodies: each adds s·jᵀj with j its Jacobian. The stiffness of flexes is a
/// matrix of its own.
///
/// Manual: Computation, "Numerical integration", `discrete`.
#[derive(Clone, Debug, Default)]
pub struct EffectiveInertia {
    /// The matrix in the pattern of M: M, springs and dampers of joints, drag.
    pub M: Vec<f64>,
    /// Its factor LᵀDL, same pattern. With flexes, that of an approximation of M̂, which has their blocks of single points.
    pub qLD: Vec<f64>,
    /// 1/D, nv.
    pub qLDiagInv: Vec<f64>,
    /// Jacobians of tendons and actuators that couple dofs.
    pub coupling: BlockRows,
    /// Their weights: h times damping plus h² times stiffness.
    pub weight: Vec<f64>,
    /// Stiffness and damping of flexes, nv×nv; empty where no flex is elastic.
    pub flexes: SparseSymmetric,
    /// Sum of all that is added to the diagonal of M but by the vertices of flexes, nv.
    pub added: Vec<f64>,
    /// −hKv: how the smooth force changes over the step by the velocity at its beginning, nv.
    pub shift: Vec<f64>,
    derivative: VelocityDerivative,
    /// Bodies whose own block is solved with its gyroscopic derivative, by their first dofs.
    turning: Vec<DofId>,
    /// Stiffness of each dof's spring.
    stiffness: Vec<f64>,
    work: Vec<f64>,
}

impl EffectiveInertia {
    /// Memory for a model; none if its integrator needs none.
    pub fn new(m: &Model) -> Self {
        if m.opt.integrator != IntegratorType::Discrete {
            return Self::default();
        }
        let (nv, nnz) = (m.nv(), m.m_pattern.nnz());
        Self {
            M: vec![0.0; nnz],
            qLD: vec![0.0; nnz],
            qLDiagInv: vec![0.0; nv],
            added: vec![0.0; nv],
            shift: vec![0.0; nv],
            derivative: VelocityDerivative::new(m),
            stiffness: vec![0.0; nv],
            work: vec![0.0; nv],
            ..Self::default()
        }
    }

    /// Computes all of it at a state, of whose results `r` all smooth stages up to actuation must
    /// have run. Without `couplings`, tendons and actuators are left out: their forces are then those
    /// at the beginning of the step. `add_flexes` is called with the matrix of flexes, and with the values in the pattern of M,
    /// to add the flexes' blocks of single points, the sum `added`, and the shift. Returns the dof whose pivot was not positive and was lifted,
    /// if any.
    pub fn compute(
        &mut self,
        m: &Model,
        chains: &Chains,
        s: &State,
        r: &Smooth,
        couplings: bool,
        add_flexes: impl FnOnce(&mut SparseSymmetric, [&mut [f64]; 3]),
    ) -> Option<DofId> {
        if self.derivative.pattern.n() != m.nv() {
            *self = Self::new(m);
        }
        self.add_joints(m, s, r);
        self.add_drag(m, chains, s, r);
        self.coupling.clear(m.nv());
        self.weight.clear();
        if couplings {
            self.add_tendons(m, s, r);
            self.add_actuators(m, s, r);
        }
        self.qLD.copy_from_slice(&self.M);
        add_flexes(&mut self.flexes, [&mut self.qLD, &mut self.added, &mut self.shift]);
        m.m_pattern.factor(&mut self.qLD, &mut self.qLDiagInv).map(DofId::new)
    }

    /// M with the springs and dampers of joints; starts `added` and `shift`.
    fn add_joints(&mut self, m: &Model, s: &State, r: &Smooth) {
        let h = m.opt.timestep;
        self.M.copy_from_slice(&r.inertia.M);
        self.stiffness.fill(0.0);
        if !m.opt.disabled(disable::SPRING) {
            for j in m.jnt.ids().filter(|&j| m.jnt.stiffness[j] != 0.0 || m.jnt.stiffnesspoly[j] != [0.0; 2]) {
                joint_spring_slopes(m, s, j, &mut self.stiffness);
            }
        }
        let dampers = !m.opt.disabled(disable::DAMPER);
        for d in m.dof.ids() {
            let i = d.index();
            let stiffness = self.stiffness[i].max(0.0);
            let damping = if dampers { damping_slope(m, d, s.qvel[i]).max(0.0) } else { 0.0 };
            self.added[i] = h * damping + h * h * stiffness;
            self.shift[i] = -h * stiffness * s.qvel[i];
            self.M[m.m_pattern.diag(i)] += self.added[i];
        }
    }

    fn add_drag(&mut self, m: &Model, chains: &Chains, s: &State, r: &Smooth) {
        self.derivative.compute_drag(m, chains, s, r);
        let h = m.opt.timestep;
        for i in 0..m.nv() {
            let row = m.m_pattern.row(i);
            let end = self.derivative.pattern.row(i).end;
            let drag = &self.derivative.lower[end - row.len()..end];
            for (x, slope) in self.M[row].iter_mut().zip(drag) {
                *x -= h * slope;
            }
            self.added[i] -= h * self.derivative.lower[end - 1];
        }
    }

    fn add_tendons(&mut self, m: &Model, s: &State, r: &Smooth) {
        let awake = |t: &TendonId| s.awake.everything() || s.awake.tendon(m, *t) != SleepState::Asleep;
        for t in m.tendon.ids().filter(awake) {
            let slopes = tendon_slopes(m, s, &r.transmissions, &r.velocities, t);
            let row = r.transmissions.ten_J.row(t.index());
            let weight = self.couple(m.opt.timestep, slopes, row, r.velocities.ten_velocity[t]);
            self.count(weight, row);
        }
    }

    fn add_actuators(&mut self, m: &Model, s: &State, r: &Smooth) {
        let awake = |a: &ActuatorId| s.awake.everything() || s.awake.actuator(m, *a) != SleepState::Asleep;
        for a in m.actuator.ids().filter(awake) {
            let slopes = actuator_slopes(m, s, r, a).map(|x| -x);
            let first = m.actuator.outadr[a] as usize;
            for o in first..first + m.actuator.outnum[a] as usize {
                let velocity = r.velocities.actuator_velocity[OutputId::new(o)];
                let row = r.transmissions.actuator_moment.row(o);
                let weight = self.couple(m.opt.timestep, slopes, row, velocity);
                self.count(weight, row);
            }
        }
    }

    /// Adds a length with the Jacobian `row`, the given stiffness and damping, and velocity; returns its weight.
    fn couple(
        &mut self,
        h: f64,
        [stiffness, damping]: [f64; 2],
        (runs, vals): (&[mj_math::block::Run], &[f64]),
        velocity: f64,
    ) -> f64 {
        let (stiffness, damping) = (stiffness.max(0.0), damping.max(0.0));
        let weight = h * damping + h * h * stiffness;
        if weight == 0.0 {
            return 0.0;
        }
        self.coupling.push(1, runs).copy_from_slice(vals);
        self.weight.push(weight);
        for (d, j) in dofs_of(runs).zip(vals) {
            self.shift[d] -= h * stiffness * velocity * j;
        }
        weight
    }

    /// Counts a coupling on the diagonal.
    fn count(&mut self, weight: f64, (runs, vals): (&[mj_math::block::Run], &[f64])) {
        for (d, j) in dofs_of(runs).zip(vals) {
            self.added[d] += weight * j * j;
        }
    }

    /// Adds springs, by the derivatives of their lengths and their stiffness: passive contacts. They are couplings, but count
    /// for nothing on the diagonal.
    pub fn add_springs(&mut self, m: &Model, s: &State, lengths: &BlockRows, stiffness: &[f64]) {
        for (i, &k) in stiffness.iter().enumerate() {
            self.couple(m.opt.timestep, [k, 0.0], lengths.row(i), lengths.row_dot(i, &s.qvel));
        }
    }

    /// Factor of the matrix in the pattern of M to whose diagonal the couplings are added, into `ld`
    /// and `dinv`: an approximation of M̂ that has the pattern of M.
    pub fn factor_with_diagonal(&self, m: &Model, ld: &mut Vec<f64>, dinv: &mut Vec<f64>) {
        ld.clone_from(&self.M);
        dinv.clear();
        dinv.resize(m.nv(), 0.0);
        for (i, &w) in self.weight.iter().enumerate() {
            self.coupling.for_each_in_row(i, |d, j| ld[m.m_pattern.diag(d)] += w * j * j);
        }
        m.m_pattern.factor(ld, dinv);
    }

    /// Finds the free bodies that carry no joints and have neither a row of `rows` nor a coupling:
    /// their block is solved with the derivative of their gyroscopic force. `r` are the results that
    /// [`Self::compute`] got.
    pub fn find_turning(&mut self, m: &Model, s: &State, r: &Smooth, rows: &BlockRows) {
        self.turning.clear();
        if self.derivative.free.is_empty() {
            return;
        }
        self.work.fill(0.0);
        for rows in [rows, &self.coupling] {
            for b in rows.blocks() {
                for run in rows.runs(b) {
                    self.work[run.start as usize..(run.start + run.len) as usize].fill(1.0);
                }
            }
        }
        let held = &self.work;
        let alone =
            |d: &&DofId| s.awake.tree(m.dof.treeid[**d]) && held[d.index()..d.index() + 6].iter().all(|&x| x == 0.0);
        self.turning.extend(self.derivative.free.iter().filter(alone));
        if !self.turning.is_empty() {
            self.derivative.compute_gyroscopic(m, s, r);
        }
    }

    /// Solves the blocks of the bodies that [`Self::find_turning`] found, given all forces but
    /// constraints: replaces their entries of `qacc`.
    pub fn solve_turning(&self, m: &Model, qfrc_smooth: &[f64], qacc: &mut [f64]) {
        self.solve_turning_blocks(m, |d| qfrc_smooth[d] + self.shift[d], qacc);
    }

    /// Solves the blocks of turning bodies for any right-hand side, given by dof, and replaces their entries of `x`.
    pub fn solve_turning_blocks(&self, m: &Model, right: impl Fn(usize) -> f64, x: &mut [f64]) {
        for &first in &self.turning {
            let d = first.index();
            let mut own: [f64; 6] = std::array::from_fn(|k| right(d + k));
            // As in most columns of a derivative.
            if own == [0.0; 6] {
                x[d..d + 6].copy_from_slice(&own);
                continue;
            }
            if dense::lu_solve_fixed(&mut free_block(m, &self.M, &self.derivative, first), &mut own) {
                x[d..d + 6].copy_from_slice(&own);
            }
        }
    }

    /// First dofs of the bodies that [`Self::find_turning`] found.
    pub fn turning(&self) -> &[DofId] {
        &self.turning
    }

    /// The matrix of flexes; none where no flex is elastic.
    pub fn stiffness_of_flexes(&self) -> Option<&SparseSymmetric> {
        (self.flexes.n() > 0).then_some(&self.flexes)
    }

    /// Slope of each dof's spring, as the last [`Self::compute`] found it, whatever its sign.
    pub fn stiffness(&self) -> &[f64] {
        &self.stiffness
    }

    /// y = M̂ x, with the blocks of turning bodies as [`Self::solve_turning`] takes them.
    pub fn mul(&self, m: &Model, x: &[f64], y: &mut [f64]) {
        m.m_pattern.mul(&self.M, x, y);
        self.flexes.mul_add(x, y);
        for (i, &w) in self.weight.iter().enumerate() {
            let mut length = 0.0;
            self.coupling.for_each_in_row(i, |d, j| length += j * x[d]);
            self.coupling.for_each_in_row(i, |d, j| y[d] += w * length * j);
        }
        for &first in &self.turning {
            let dofs = first.index()..first.index() + 6;
            let block = free_block(m, &self.M, &self.derivative, first);
            for (y, row) in y[dofs.clone()].iter_mut().zip(&block) {
                *y = dense::dot(row, &x[dofs.clone()]);
            }
        }
    }
}

/// Dofs of the runs of a row.
fn dofs_of(runs: &[mj_math::block::Run]) -> impl Iterator<Item = usize> {
    runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize)
}

/// One step by the acceleration over the step: v' = v + h a,  q' = q ⊕ h v'.
pub fn discrete(m: &Model, s: &mut State, r: &Smooth, qacc: &[f64]) {
    advance(m, s, &r.transmissions, Rates { act_dot: &r.actuation.act_dot, qacc, qvel: None });
}
