//! From a state and its controls to the velocity at the end of the step.

use crate::gauss_seidel::GaussSeidel;
use crate::options::{Integrator, Options, PostHoc, Stabilization};
use crate::penetration::Penalty;
use crate::reference::{couple, desired_velocity, mu_hat2, regularization};
use crate::supported::{self, Unsupported};
use mj_collide::{CollideWorkspace, Contacts};
use mj_constraint::{CustomEquality, CustomRows, RowInputs, RowWorkspace, Rows, make_rows};
use mj_contact_space::project::cone;
use mj_contact_space::{ContactSpace, Equality};
use mj_deformable::Flexes;
use mj_dynamics::{self as dynamics, Dynamics};
use mj_math::dense;
use mj_model::{Model, State};
use mj_problem::{Problem, RowView, Settings, Solution};
use std::sync::Arc;

/// Buffers and results of velocity stepping for one model.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Settings.
    pub options: Options,
    /// Equality constraints of the program's own, beside those of the model.
    pub custom: Option<Arc<dyn CustomEquality>>,
    /// Smooth dynamics: plan, results, scratch.
    pub dynamics: Dynamics,
    /// None: models with flexes are refused.
    flexes: Flexes,
    /// Contacts.
    pub contacts: Contacts,
    /// Constraint rows. Their `r` and `aref` are not used here.
    pub rows: Rows,
    /// R of the rows, nefc.
    pub r: Vec<f64>,
    /// Velocity that the rows are to have at the end of the step, nefc.
    pub target: Vec<f64>,
    /// Greatest impulse of dry friction in the step, h η; nefc.
    pub loss: Vec<f64>,
    /// Velocity at the end of the step, in `qacc`; impulses (N s) in `efc_force` and `qfrc_constraint`.
    pub solution: Solution,
    /// Gauss-Seidel sweeps of the last step.
    pub sweeps: u32,
    /// Control force that [`Self::inverse`] found, nv.
    pub qfrc_inverse: Vec<f64>,
    pub(crate) vel: Vec<f64>,
    pub(crate) work: Vec<f64>,
    pub(crate) acc: Vec<f64>,
    collide: CollideWorkspace,
    row_work: RowWorkspace,
    custom_rows: CustomRows,
    tree: Vec<u32>,
    ld: Vec<f64>,
    dinv: Vec<f64>,
    free: Vec<f64>,
    impulse: Vec<f64>,
    matrix: Vec<f64>,
    pub(crate) space: ContactSpace,
    solver: GaussSeidel,
}

/// The problem of velocities, whose parts are borrowed one by one.
macro_rules! problem {
    ($p:expr, $m:expr) => {
        Problem {
            pattern: &$m.m_pattern,
            m: &$p.dynamics.smooth.inertia.M,
            stiffness: None,
            ld: &$p.ld,
            dinv: &$p.dinv,
            tree: &$p.tree,
            qfrc_smooth: &$p.free,
            qacc_smooth: &$p.free,
            qacc_warmstart: &$p.free,
            rows: RowView { r: &$p.r, aref: &$p.target, frictionloss: &$p.loss, ..$p.rows.view() },
            settings: Settings::default(),
        }
    };
}

/// Force that moves the joints, without constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Forces {
    /// All of it.
    All,
    /// Without controls and applied forces.
    Uncontrolled,
}

impl Pipeline {
    /// Buffers for a model.
    ///
    /// # Errors
    /// If the model asks for something that this pipeline doesn't know.
    pub fn new(m: &Model, options: Options) -> Result<Self, Unsupported> {
        if let Some(fault) = supported::unsupported(m).into_iter().next() {
            return Err(fault);
        }
        Ok(Self {
            options,
            custom: None,
            custom_rows: CustomRows::default(),
            dynamics: Dynamics::new(m),
            flexes: Flexes::default(),
            contacts: Contacts::default(),
            rows: Rows::default(),
            r: Vec::new(),
            target: Vec::new(),
            loss: Vec::new(),
            solution: Solution::default(),
            sweeps: 0,
            qfrc_inverse: vec![0.0; m.nv()],
            vel: Vec::new(),
            work: vec![0.0; m.nv()],
            acc: vec![0.0; m.nv()],
            collide: CollideWorkspace::new(m),
            row_work: RowWorkspace::new(m),
            tree: m.dof.treeid.iter().map(|t| t.index() as u32).collect(),
            ld: vec![0.0; m.m_pattern.nnz()],
            dinv: vec![0.0; m.nv()],
            free: vec![0.0; m.nv()],
            impulse: Vec::new(),
            matrix: Vec::new(),
            space: ContactSpace::default(),
            solver: GaussSeidel::default(),
        })
    }

    /// Velocity at the end of the step that the impulses lead to: `solution.qacc` (nv).
    pub fn forward(&mut self, m: &Model, s: &State) {
        self.prepare(m, s);
        let post_hoc = self.options.post_hoc;
        self.free_velocity(m, s, if post_hoc.is_some() { Forces::Uncontrolled } else { Forces::All });
        self.impulses(m);
        if let Some(weights) = post_hoc {
            self.controls(m, s, weights);
        }
    }

    /// Everything up to the impulses.
    pub(crate) fn prepare(&mut self, m: &Model, s: &State) {
        self.geometry(m, s);
        self.inertia(m, s);
        self.forces(m, s);
        self.stabilize(m, s);
    }

    /// The impulses that act on bodies that would else have the velocity `free` (nv).
    pub(crate) fn impulses_from(&mut self, m: &Model, free: &[f64]) {
        self.free.copy_from_slice(free);
        self.impulses(m);
    }

    /// Everything that depends on the position only, but inertia: poses, contacts, rows.
    pub(crate) fn geometry(&mut self, m: &Model, s: &State) {
        let Dynamics { plan, smooth: d, work } = &mut self.dynamics;
        dynamics::kinematics(m, s, &mut d.poses);
        dynamics::com_pos(m, &s.awake, &mut d.poses);
        dynamics::cameras_and_lights(m, &mut d.poses);
        dynamics::tendons(m, &plan.tendons, s, &d.poses, work, &mut d.transmissions);
        dynamics::transmission(m, &plan.actuators, s, &plan.chains, &d.poses, &mut d.transmissions);
        let (xpos, xmat) = (&d.poses.geom_xpos, &d.poses.geom_xmat);
        mj_collide::collide(m, &s.awake, xpos, xmat, &mut self.collide, &mut self.contacts);
        self.custom_rows.start(m.nv());
        if let Some(custom) = &self.custom {
            custom.rows(m, s, &d.poses, &mut self.custom_rows);
        }
        let custom = Some(&self.custom_rows);
        let (flexes, contacts) = (&self.flexes, &self.contacts);
        let inputs = RowInputs { chains: &plan.chains, smooth: d, flexes, contacts, custom };
        make_rows(m, s, inputs, &mut self.row_work, &mut self.rows);
    }

    /// M with implicit damping where the integrator is one of Euler's, factored.
    pub(crate) fn inertia(&mut self, m: &Model, s: &State) {
        let d = &mut self.dynamics.smooth;
        dynamics::crb(m, &s.awake, &d.poses, &mut d.inertia);
        let h = if damps_implicitly(&self.options) { m.opt.timestep } else { 0.0 };
        dynamics::factor_damped(m, s, &d.inertia, h, &mut self.ld, &mut self.dinv);
    }

    /// Forces at the present velocity: passive, bias, actuators.
    pub(crate) fn forces(&mut self, m: &Model, s: &State) {
        let Dynamics { plan, smooth: d, work } = &mut self.dynamics;
        dynamics::transmission_velocities(m, &plan.actuators, s, &d.transmissions, work, &mut d.velocities);
        dynamics::com_vel(m, s, &d.poses, &mut d.velocities);
        dynamics::passive(m, s, &plan.chains, &d.poses, &d.transmissions, &mut d.velocities);
        dynamics::bias(m, s, &d.poses, &d.transmissions, &mut d.velocities, work);
        // A bad control counts as none, as in every pipeline.
        let _ =
            dynamics::actuation(m, &plan.actuators, s, &d.transmissions, &d.velocities, None, work, &mut d.actuation);
    }

    /// R and v* of the rows, and what dry friction can do in the step. Coupled stabilization needs the factored inertia.
    pub(crate) fn stabilize(&mut self, m: &Model, s: &State) {
        let h = m.opt.timestep;
        self.vel.resize(self.rows.nefc(), 0.0);
        self.rows.jac.mul(&s.qvel, &mut self.vel, &mut self.work);
        self.loss.clear();
        self.loss.extend(self.rows.frictionloss.iter().map(|eta| h * eta));
        regularization(&self.rows, &self.options, &mut self.r);
        desired_velocity(&self.rows, &self.vel, h, &self.options, &mut self.target);
        if self.options.stabilization == Stabilization::Coupled {
            self.inverse_inertia(m);
            couple(&self.rows, &self.vel, h, &self.options, &self.r, &self.matrix, &mut self.target);
        }
    }

    /// A = J M⁻¹ Jᵀ of all rows into `matrix` (nefc×nefc).
    fn inverse_inertia(&mut self, m: &Model) {
        let n = self.rows.nefc();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        let mut column = vec![0.0; m.nv()];
        let mut product = vec![0.0; n];
        for i in 0..n {
            column.fill(0.0);
            self.rows.jac.for_each_in_row(i, |c, x| column[c] = x);
            m.m_pattern.solve(&self.ld, &self.dinv, &mut column);
            self.rows.jac.mul(&column, &mut product, &mut self.work);
            self.matrix[i * n..(i + 1) * n].copy_from_slice(&product);
        }
    }

    /// Velocity at the end of the step without impulses, v + h M⁻¹ (p + u − c), into `free`.
    fn free_velocity(&mut self, m: &Model, s: &State, forces: Forces) {
        self.sum_forces(m, s, forces);
        m.m_pattern.solve(&self.ld, &self.dinv, &mut self.free);
        for (x, v) in self.free.iter_mut().zip(&s.qvel) {
            *x = v + m.opt.timestep * *x;
        }
    }

    /// p + u − c, or p − c, into `free`.
    fn sum_forces(&mut self, m: &Model, s: &State, forces: Forces) {
        let vel = &self.dynamics.smooth.velocities;
        for i in 0..m.nv() {
            self.free[i] = vel.qfrc_passive[i] - vel.qfrc_bias[i];
        }
        if forces == Forces::All {
            self.add_controls(m, s);
        }
    }

    /// Adds actuator and applied forces to `free`.
    fn add_controls(&mut self, m: &Model, s: &State) {
        let d = &self.dynamics.smooth;
        for i in 0..m.nv() {
            self.free[i] += d.actuation.qfrc_actuator[i] + s.qfrc_applied[i];
        }
        dynamics::add_applied_wrenches(m, s, &self.dynamics.plan.chains, &d.poses, &mut self.free);
    }

    /// Builds the contact-space problem; its offset is right for the velocity without impulses in `free`.
    pub(crate) fn build_space(&mut self, m: &Model) {
        let problem = problem!(self, m);
        self.space.build(&problem, self.options.equality);
    }

    /// Solves for the impulses, given the velocity without them in `free`.
    fn impulses(&mut self, m: &Model) {
        self.build_space(m);
        self.impulse.clear();
        self.impulse.resize(self.space.len(), 0.0);
        let (iterations, tolerance) = (self.options.iterations, self.options.tolerance);
        self.sweeps = self.solver.run(&self.space, iterations, tolerance, &mut self.impulse);
        if self.options.penetration > 0.0 {
            let penalty = Penalty::new(&self.space, self.options.penetration);
            self.sweeps += penalty.minimize(&self.space, &mut self.solver, iterations, tolerance, &mut self.impulse);
        }
        let problem = problem!(self, m);
        self.space.report(&problem, &self.impulse, &mut self.solution);
    }

    /// The inertia that control forces see in post-hoc mode, factored densely into `matrix`.
    fn heavier_inertia(&mut self, m: &Model, s: &State, weights: PostHoc) {
        let nv = m.nv();
        self.matrix.resize(nv * nv, 0.0);
        m.m_pattern.to_dense(&self.dynamics.smooth.inertia.M, &mut self.matrix);
        if damps_implicitly(&self.options) {
            for d in m.dof.ids() {
                let i = d.index();
                self.matrix[i * nv + i] += m.opt.timestep * dynamics::damping_slope(m, d, s.qvel[i]);
            }
        }
        for i in 0..self.rows.nefc() {
            let w = if i < self.rows.ne { weights.equality } else { weights.contact };
            self.rows.jac.for_each_in_row(i, |r, x| {
                self.rows.jac.for_each_in_row(i, |c, y| self.matrix[r * nv + c] += w * x * y);
            });
        }
        dense::cholesky(&mut self.matrix, nv);
    }

    /// Adds to the velocity what the control forces do on the heavier inertia.
    fn controls(&mut self, m: &Model, s: &State, weights: PostHoc) {
        self.heavier_inertia(m, s, weights);
        self.free.fill(0.0);
        self.add_controls(m, s);
        dense::cholesky_solve(&self.matrix, m.nv(), &mut self.free);
        dense::axpy(&mut self.solution.qacc, m.opt.timestep, &self.free);
    }

    /// Forces of a unit's rows at the velocity `vel` (nefc), into `efc_force`: 2014, Theorem 4.
    pub(crate) fn impulses_at(&mut self, vel: &[f64]) {
        let rows = &self.rows;
        let f = &mut self.solution.efc_force;
        f.clear();
        f.extend((0..rows.nefc()).map(|i| (self.target[i] - vel[i]) / self.r[i]));
        let (ne, nf) = (rows.ne, rows.nf);
        for i in ne..ne + nf {
            f[i] = f[i].clamp(-self.loss[i], self.loss[i]);
        }
        let mut i = ne + nf;
        let mut cones = rows.cones.iter().peekable();
        while i < rows.nefc() {
            if let Some(c) = cones.next_if(|c| c.row as usize == i) {
                let n = c.dim as usize;
                cone(&mut f[i..i + n], &c.friction[..n - 1], mu_hat2(c, &self.r));
                i += n;
            } else {
                f[i] = f[i].max(0.0);
                i += 1;
            }
        }
    }

    /// Force that the controls must have given for the state to go on with the velocity `next`, in
    /// post-hoc mode: what the impulses alone don't explain, seen by the heavier inertia.
    pub(crate) fn controls_behind(&mut self, m: &Model, s: &State, next: &[f64], weights: PostHoc) {
        self.inertia(m, s);
        self.free_velocity(m, s, Forces::Uncontrolled);
        self.impulses(m);
        self.heavier_inertia(m, s, weights);
        let nv = m.nv();
        // L Lᵀ (v' − v'₀)/h.
        for i in 0..nv {
            self.free[i] = (next[i] - self.solution.qacc[i]) / m.opt.timestep;
        }
        for i in 0..nv {
            self.work[i] = (i..nv).map(|k| self.matrix[k * nv + i] * self.free[k]).sum();
        }
        for i in 0..nv {
            self.qfrc_inverse[i] = dense::dot(&self.matrix[i * nv..i * nv + i + 1], &self.work[..=i]);
        }
    }

    /// Whether nothing regularizes the equality rows.
    pub(crate) fn hard_equalities(&self) -> bool {
        self.options.equality == Equality::Hard && self.rows.ne > 0
    }
}

/// Whether joint damping adds to the inertia, as it does for the integrators that step once.
pub(crate) fn damps_implicitly(o: &Options) -> bool {
    !matches!(o.integrator, Integrator::Rk4 | Integrator::Interleaved)
}
