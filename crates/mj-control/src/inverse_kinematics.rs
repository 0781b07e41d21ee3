//! Inverse kinematics: positions of the joints at which frames are where they are wanted.

use crate::error::{ControlError, check_length};
use mj_engine::model::{BodyId, GeomId, JointType, SiteId};
use mj_engine::{
    DMat3, DQuat, DVec3, Data, ElementKey, Jacobian, Model, check_state, com_pos, differentiate_pos, find,
    integrate_pos, jac_point, kinematics, normalize_quaternions,
};
use mj_math::{BoxQp, box_qp, dense, inverse_dexp, quat};

/// Frame that inverse kinematics moves.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Frame {
    /// Frame of a body.
    Body(BodyId),
    /// Frame of a geom.
    Geom(GeomId),
    /// Frame of a site.
    Site(SiteId),
}

impl Frame {
    /// Finds a body by name or id.
    ///
    /// # Errors
    /// If there is none.
    pub fn body(m: &Model, key: impl ElementKey<BodyId>) -> Result<Self, ControlError> {
        Ok(Self::Body(find(m, key)?))
    }

    /// Finds a geom by name or id.
    ///
    /// # Errors
    /// If there is none.
    pub fn geom(m: &Model, key: impl ElementKey<GeomId>) -> Result<Self, ControlError> {
        Ok(Self::Geom(find(m, key)?))
    }

    /// Finds a site by name or id.
    ///
    /// # Errors
    /// If there is none.
    pub fn site(m: &Model, key: impl ElementKey<SiteId>) -> Result<Self, ControlError> {
        Ok(Self::Site(find(m, key)?))
    }

    /// Returns the body, the position and the orientation in the world.
    fn pose(self, m: &Model, d: &Data) -> (BodyId, DVec3, DMat3) {
        let p = &d.smooth.poses;
        match self {
            Self::Body(i) => (i, p.xpos[i], p.xmat[i]),
            Self::Geom(i) => (m.geom.bodyid[i], p.geom_xpos[i], p.geom_xmat[i]),
            Self::Site(i) => (m.site.bodyid[i], p.site_xpos[i], p.site_xmat[i]),
        }
    }
}

/// Pose that a frame is wanted to have, in part or whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Frame.
    pub frame: Frame,
    /// Position in the world, m, and the weight of its error.
    pub position: Option<(DVec3, f64)>,
    /// Orientation in the world, and the weight of its error, m/rad.
    pub rotation: Option<(DQuat, f64)>,
}

impl Target {
    /// Makes the target that a frame is at a position, with weight 1.
    pub fn position(frame: Frame, position: DVec3) -> Self {
        Self { frame, position: Some((position, 1.0)), rotation: None }
    }

    /// Adds an orientation, with a weight in m/rad.
    #[must_use]
    pub fn with_rotation(self, rotation: DQuat, weight: f64) -> Self {
        Self { rotation: Some((rotation, weight)), ..self }
    }
}

/// Settings of [`inverse_kinematics`].
#[derive(Clone, Debug, PartialEq)]
pub struct InverseKinematicsOptions {
    /// Most steps.
    pub iterations: usize,
    /// The search ends where a step changes no dof by more, m or rad.
    pub tolerance: f64,
    /// Weight of the difference from the first position, m/rad or 1: which of many solutions is found.
    pub rest: f64,
    /// Dofs that may move; all unless given.
    pub dofs: Option<Vec<usize>>,
}

impl Default for InverseKinematicsOptions {
    fn default() -> Self {
        Self { iterations: 100, tolerance: 1e-10, rest: 0.0, dofs: None }
    }
}

/// Outcome of [`inverse_kinematics`].
#[derive(Clone, Debug, PartialEq)]
pub struct InverseKinematics {
    /// Position, nq.
    pub qpos: Vec<f64>,
    /// Norm of the weighted errors of the targets, m.
    pub error: f64,
    /// Steps made.
    pub iterations: usize,
    /// Whether the last step was below the tolerance.
    pub converged: bool,
}

/// Finds the position nearest to the targets, from `qpos` (nq) on: least squares of the weighted errors by
/// Levenberg–Marquardt steps that keep limited hinges and slides within their ranges.
///
/// Joints that begin outside of their ranges are put into them. Ranges of balls, and equality constraints, are not regarded.
///
/// # Errors
/// If `qpos` has another length or bad numbers, or a weight is negative or not finite.
///
/// Source: Nocedal and Wright, "Numerical optimization", 2006, chapter 10; steps within bounds by [`mj_math::box_qp`].
pub fn inverse_kinematics(
    m: &Model,
    qpos: &[f64],
    targets: &[Target],
    options: &InverseKinematicsOptions,
) -> Result<InverseKinematics, ControlError> {
    check_length("qpos", qpos.len(), m.nq())?;
    check_weights(targets, options.rest)?;
    let mut search = Search::new(m, qpos, targets, options)?;
    let mut cost = search.evaluate()?;
    let (mut damping, mut iterations, mut converged) = (1e-6, 0, false);
    while iterations < options.iterations && !converged {
        iterations += 1;
        search.linearize()?;
        let mut moved = None;
        while moved.is_none() && damping < 1e12 {
            let Some(step) = search.step(damping) else {
                damping *= 10.0;
                continue;
            };
            let before = search.d.state.qpos.clone();
            integrate_pos(m, &mut search.d.state.qpos, &step, 1.0);
            search.put_within_ranges();
            let next = search.evaluate()?;
            if next <= cost {
                (cost, moved) = (next, Some(step.iter().fold(0.0, |x: f64, s| x.max(s.abs()))));
                damping = (damping * 0.1).max(1e-12);
            } else {
                search.d.state.qpos = before;
                damping *= 10.0;
            }
        }
        converged = moved.is_none_or(|x| x <= options.tolerance);
    }
    search.evaluate()?;
    let rest = if options.rest > 0.0 { m.nv() } else { 0 };
    let error = search.residual[rest..].iter().map(|r| r * r).sum::<f64>().sqrt();
    Ok(InverseKinematics { qpos: search.d.state.qpos, error, iterations, converged })
}

fn check_weights(targets: &[Target], rest: f64) -> Result<(), ControlError> {
    let of_targets = targets.iter().flat_map(|t| [t.position.map_or(0.0, |p| p.1), t.rotation.map_or(0.0, |r| r.1)]);
    match of_targets.chain([rest]).find(|w| !(*w >= 0.0 && w.is_finite())) {
        Some(value) => Err(ControlError::Setting { name: "weight", value, expected: "a finite number, not negative" }),
        None => Ok(()),
    }
}

/// State of the search.
struct Search<'a> {
    m: &'a Model,
    targets: &'a [Target],
    /// Position to stay near to, and the weight of this.
    rest: (&'a [f64], f64),
    moves: Vec<bool>,
    d: Data,
    residual: Vec<f64>,
    /// Rows of nv numbers.
    jacobian: Vec<f64>,
}

impl<'a> Search<'a> {
    fn new(
        m: &'a Model,
        qpos: &'a [f64],
        targets: &'a [Target],
        options: &InverseKinematicsOptions,
    ) -> Result<Self, ControlError> {
        let mut d = Data::new(m)?;
        d.state.qpos.copy_from_slice(qpos);
        check_state(m, &d.state)?;
        if let Some(value) = qpos.iter().copied().find(|q| !q.is_finite()) {
            return Err(ControlError::Setting { name: "qpos", value, expected: "finite numbers" });
        }
        normalize_quaternions(m, &mut d.state.qpos);
        let mut moves = vec![options.dofs.is_none(); m.nv()];
        for &i in options.dofs.iter().flatten() {
            let expected = "numbers of dofs";
            *moves.get_mut(i).ok_or(ControlError::Setting { name: "dofs", value: i as f64, expected })? = true;
        }
        let (residual, jacobian) = Default::default();
        let mut search = Self { m, targets, rest: (qpos, options.rest), moves, d, residual, jacobian };
        search.put_within_ranges();
        Ok(search)
    }

    fn put_within_ranges(&mut self) {
        for (dof, q, [lower, upper]) in limits(self.m) {
            if self.moves[dof] && lower <= upper {
                self.d.state.qpos[q] = self.d.state.qpos[q].clamp(lower, upper);
            }
        }
    }

    /// Computes poses and residuals; returns half the sum of squares.
    fn evaluate(&mut self) -> Result<f64, ControlError> {
        kinematics(self.m, &mut self.d)?;
        self.residual.clear();
        if self.rest.1 > 0.0 {
            self.residual.resize(self.m.nv(), 0.0);
            differentiate_pos(self.m, &mut self.residual, 1.0, self.rest.0, &self.d.state.qpos);
            self.residual.iter_mut().for_each(|r| *r *= self.rest.1);
        }
        for t in self.targets {
            let (_, pos, mat) = t.frame.pose(self.m, &self.d);
            if let Some((position, weight)) = t.position {
                self.residual.extend((weight * (pos - position)).to_array());
            }
            if let Some((rotation, weight)) = t.rotation {
                self.residual.extend((weight * turn(rotation, mat)).to_array());
            }
        }
        Ok(0.5 * dense::dot(&self.residual, &self.residual))
    }

    /// Computes the Jacobian of the residuals.
    fn linearize(&mut self) -> Result<(), ControlError> {
        com_pos(self.m, &mut self.d)?;
        let (m, d, nv) = (self.m, &self.d, self.m.nv());
        self.jacobian.clear();
        if self.rest.1 > 0.0 {
            self.jacobian.resize(nv * nv, 0.0);
            (0..nv).for_each(|i| self.jacobian[i * nv + i] = self.rest.1);
        }
        let mut jac = Jacobian::default();
        for t in self.targets {
            let (body, pos, mat) = t.frame.pose(m, d);
            jac_point(m, d, pos, body, &mut jac)?;
            if let Some((_, weight)) = t.position {
                self.jacobian.extend(jac.jacp.iter().map(|x| weight * x));
            }
            if let Some((rotation, weight)) = t.rotation {
                let first = self.jacobian.len();
                let error = turn(rotation, mat);
                self.jacobian.resize(first + 3 * nv, 0.0);
                for dof in 0..nv {
                    let own = mat.transpose() * jac.rotation(dof).unwrap_or_default();
                    let rate = weight * inverse_dexp(error, own);
                    (0..3).for_each(|k| self.jacobian[first + k * nv + dof] = rate[k]);
                }
            }
        }
        Ok(())
    }

    /// Damped Gauss-Newton step within the ranges; none where the damping is too small for the digits of a number.
    fn step(&self, damping: f64) -> Option<Vec<f64>> {
        let nv = self.m.nv();
        let (mut h, mut g) = (vec![0.0; nv * nv], vec![0.0; nv]);
        for (row, r) in self.jacobian.chunks_exact(nv.max(1)).zip(&self.residual) {
            dense::axpy(&mut g, *r, row);
            for (i, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                dense::axpy(&mut h[i * nv..(i + 1) * nv], *x, row);
            }
        }
        (0..nv).for_each(|i| h[i * nv + i] += damping);
        let free = |moves: &bool| if *moves { f64::INFINITY } else { 0.0 };
        let mut upper: Vec<f64> = self.moves.iter().map(free).collect();
        let mut lower: Vec<f64> = upper.iter().map(|x| -x).collect();
        for (dof, q, [least, most]) in limits(self.m).filter(|(dof, ..)| self.moves[*dof]) {
            let q = self.d.state.qpos[q];
            (lower[dof], upper[dof]) = ((least - q).min(0.0), (most - q).max(0.0));
        }
        let mut step = vec![0.0; nv];
        box_qp(&h, &g, &lower, &upper, &mut step, &mut BoxQp::default()).is_ok().then_some(step)
    }
}

/// Rotation of a frame from the one that is wanted, in the frame's own axes.
fn turn(wanted: DQuat, mat: DMat3) -> DVec3 {
    quat::log((wanted.normalize().conjugate() * DQuat::from_mat3(&mat)).normalize())
}

/// Dof, place of the position, and range of each limited hinge and slide.
fn limits(m: &Model) -> impl Iterator<Item = (usize, usize, [f64; 2])> {
    let single = |j| matches!(m.jnt.r#type[j], JointType::Hinge | JointType::Slide);
    let of_joint = |j| (m.jnt.dofadr[j].index(), m.jnt.qposadr[j] as usize, m.jnt.range[j]);
    m.jnt.ids().filter(move |&j| m.jnt.limited[j] && single(j)).map(of_joint)
}
