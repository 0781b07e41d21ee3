//! Positions live on a manifold: how velocities move them, and which velocity joins two of them.

use mj_math::{DMat3, DVec3, dense, quat, real};
use mj_model::*;
use std::ops::Range;

/// Moves `qpos` along `qvel` for time `dt`, in place: quaternions turn by the exponential map of the
/// local angular velocity.
///
/// ```
/// use mj_dynamics::{differentiate_pos, integrate_pos, normalize_quaternions};
/// use mj_model::build::{JointDef, ModelBuilder};
/// use mj_model::{BodyId, State, model::BodyRow};
///
/// let mut builder = ModelBuilder::new();
/// let inertia = [1.0; 3].into();
/// builder.add_body(BodyId::WORLD, BodyRow { mass: 1.0, inertia, ..BodyRow::default() }, &[JointDef::ball()])?;
/// let m = builder.finish()?;
/// let from = State::new(&m).qpos;
/// // A quarter turn about z in two seconds, whose quaternion has half the angle.
/// let (quarter, half) = (std::f64::consts::FRAC_PI_4, std::f64::consts::FRAC_1_SQRT_2);
/// let mut to = from.clone();
/// integrate_pos(&m, &mut to, &[0.0, 0.0, quarter], 2.0);
/// assert!((to[0] - half).abs() < 1e-12 && (to[3] - half).abs() < 1e-12);
/// let mut velocity = [0.0; 3];
/// differentiate_pos(&m, &mut velocity, 2.0, &from, &to);
/// assert!((velocity[2] - quarter).abs() < 1e-12);
/// let mut long: Vec<f64> = to.iter().map(|x| 3.0 * x).collect();
/// normalize_quaternions(&m, &mut long);
/// assert!((long[0] - to[0]).abs() < 1e-12);
/// # Ok::<(), mj_model::build::BuildError>(())
/// ```
pub fn integrate_pos(m: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    integrate_joints(m, 0..m.jnt.len(), qpos, qvel, dt);
}

/// Moves the coordinates of some joints, as [`integrate_pos`] moves those of all.
pub fn integrate_joints(m: &Model, joints: Range<usize>, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    for_each_part(m, joints, |part, q, v| match part {
        Part::Scalar(n) => {
            for (x, v) in qpos[q..q + n].iter_mut().zip(&qvel[v..v + n]) {
                *x += dt * v;
            }
        }
        Part::Rotation => {
            let w = DVec3::from_slice(&qvel[v..]);
            quat::write(quat::integrate(quat::read(&qpos[q..]), w, dt), &mut qpos[q..]);
        }
    });
}

/// Derivative of [`integrate_pos`] at a velocity, by the position and by the velocity.
///
/// A rotation u = dt·ω with angle θ takes a small turn δ before it to exp(−u) δ after it, and a change of u
/// to the turn J du, J = I − (1 − cos θ)/θ² \[u\] + (θ − sin θ)/θ³ \[u\]², the exponential map's right
/// differential (Iserles, Munthe-Kaas, Nørsett, Zanna, "Lie-group methods", Acta Numerica 2000).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TangentStep {
    dt: f64,
    /// First dof of each rotation, and its two matrices.
    rotations: Vec<(usize, DMat3, DMat3)>,
}

impl TangentStep {
    /// Makes it that of a step over `dt` at the velocity `qvel`.
    pub fn set(&mut self, m: &Model, qvel: &[f64], dt: f64) {
        self.dt = dt;
        self.rotations.clear();
        for_each_part(m, 0..m.jnt.len(), |part, _, v| {
            if let Part::Rotation = part {
                let u = DVec3::from_slice(&qvel[v..]) * dt;
                let theta2 = u.length_squared();
                // Closed forms cancel at small angles.
                let (b, c) = if theta2 < 1e-4 {
                    let c = 1.0 / 6.0 - theta2 / 120.0 + theta2 * theta2 / 5040.0;
                    (0.5 - theta2 / 24.0 + theta2 * theta2 / 720.0, c)
                } else {
                    let theta = theta2.sqrt();
                    ((1.0 - real::cos(theta)) / theta2, (theta - real::sin(theta)) / (theta2 * theta))
                };
                let turned = |du: DVec3| du - u.cross(du) * b + u.cross(u.cross(du)) * c;
                let [x, y, z] = DVec3::AXES.map(turned);
                self.rotations.push((v, quat::to_mat(quat::exp(-u)), DMat3::from_cols(x, y, z)));
            }
        });
    }

    /// Computes the derivative of the position after the step (in the tangent space) from that of the velocity:
    /// a row of `width` numbers a dof each. To be added is what [`Self::add_before`] says of inputs that are positions.
    pub fn by_velocity(&self, velocity: &[f64], position: &mut [f64], width: usize) {
        if width == 0 {
            return;
        }
        let mut rotations = self.rotations.iter().peekable();
        let mut v = 0;
        while v * width < velocity.len() {
            let at = v * width;
            let Some((_, _, by_velocity)) = rotations.next_if(|(first, ..)| *first == v) else {
                dense::scale_into(&mut position[at..at + width], self.dt, &velocity[at..at + width]);
                v += 1;
                continue;
            };
            let (x, rest) = velocity[at..at + 3 * width].split_at(width);
            let (y, z) = rest.split_at(width);
            for (i, to) in position[at..at + 3 * width].chunks_exact_mut(width).enumerate() {
                let [a, b, c] = by_velocity.row(i).to_array().map(|x| x * self.dt);
                dense::scale_into(to, a, x);
                dense::axpy2(to, b, y, c, z);
            }
            v += 3;
        }
    }

    /// Adds how the position after the step changes with that before it, which are the first columns.
    pub fn add_before(&self, position: &mut [f64], width: usize) {
        let mut rotations = self.rotations.iter().peekable();
        let mut v = 0;
        while v * width < position.len() {
            let Some((_, turn, _)) = rotations.next_if(|(first, ..)| *first == v) else {
                position[v * width + v] += 1.0;
                v += 1;
                continue;
            };
            for i in 0..3 {
                for j in 0..3 {
                    position[(v + i) * width + v + j] += turn.col(j)[i];
                }
            }
            v += 3;
        }
    }
}

/// Velocity that moves `from` to `to` in time `dt`, into `qvel`.
///
/// Example: [`integrate_pos`].
pub fn differentiate_pos(m: &Model, qvel: &mut [f64], dt: f64, from: &[f64], to: &[f64]) {
    for_each_part(m, 0..m.jnt.len(), |part, q, v| match part {
        Part::Scalar(n) => {
            for k in 0..n {
                qvel[v + k] = (to[q + k] - from[q + k]) / dt;
            }
        }
        Part::Rotation => {
            let w = quat::sub(quat::read(&to[q..]), quat::read(&from[q..])) / dt;
            qvel[v..v + 3].copy_from_slice(&w.to_array());
        }
    });
}

/// Scales every quaternion in `qpos` to unit length.
///
/// Example: [`integrate_pos`].
pub fn normalize_quaternions(m: &Model, qpos: &mut [f64]) {
    for_each_part(m, 0..m.jnt.len(), |part, q, _| {
        if let Part::Rotation = part {
            quat::write(quat::normalize_if_needed(quat::read(&qpos[q..])), &mut qpos[q..]);
        }
    });
}

/// A piece of a joint's coordinates.
enum Part {
    /// So many numbers that add.
    Scalar(usize),
    /// A unit quaternion.
    Rotation,
}

/// Calls `f` with each piece of the joints' coordinates and its place in qpos and qvel.
fn for_each_part(m: &Model, joints: Range<usize>, mut f: impl FnMut(Part, usize, usize)) {
    for j in joints.map(JointId::new) {
        let (q, v) = (m.jnt.qposadr[j] as usize, m.jnt.dofadr[j].index());
        match m.jnt.r#type[j] {
            JointType::Free => {
                f(Part::Scalar(3), q, v);
                f(Part::Rotation, q + 3, v + 3);
            }
            JointType::Ball => f(Part::Rotation, q, v),
            JointType::Slide | JointType::Hinge => f(Part::Scalar(1), q, v),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::*;
    use mj_testkit::any_model;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn differentiating_undoes_integrating((m, s) in any_model(), dt in 0.01..1.0f64) {
            let v: Vec<f64> = s.qvel.iter().map(|v| 0.9 * v).collect();
            let mut to = s.qpos.clone();
            integrate_pos(&m, &mut to, &v, dt);
            let mut got = vec![0.0; m.nv()];
            differentiate_pos(&m, &mut got, dt, &s.qpos, &to);
            for (a, b) in got.iter().zip(&v) {
                prop_assert!((a - b).abs() < 1e-9 / dt);
            }
        }
    }
}
