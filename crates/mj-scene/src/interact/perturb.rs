//! Selection of a body, and what the mouse does to it.

use super::camera::ORTHOGRAPHIC_FACTOR;
use super::movement;
use crate::codes::MouseAction;
use crate::scene::Scene;
use mj_engine::{Data, Jacobian, Model, jac_point, solve_m};
use mj_math::{DQuat, DVec3, MINVAL, quat};
use mj_model::{BodyId, FlexId};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Selection and perturbation of a body (`mjvPerturb`).
#[derive(Clone, Debug, PartialEq)]
pub struct Perturb {
    /// Selected body; 0 or less: none.
    pub select: i32,
    /// Selected flex; −1: none.
    pub flexselect: i32,
    /// Selected skin; −1: none.
    pub skinselect: i32,
    /// Active perturbations, bits of [`pert`](crate::pert).
    pub active: i32,
    /// Perturbations by a second mouse.
    pub active2: i32,
    /// Position to which the body's centre of mass is pulled, m.
    pub refpos: DVec3,
    /// Orientation to which its inertia is turned.
    pub refquat: DQuat,
    /// Position to which the selected point is pulled, m.
    pub refselpos: DVec3,
    /// Selected point in the body, m.
    pub localpos: DVec3,
    /// Apparent mass at the selected point, kg.
    pub localmass: f64,
    /// Way in the world for a way of the mouse over the picture's height, m.
    pub scale: f64,
}

impl Default for Perturb {
    /// Returns no selection (`mjv_defaultPerturb`).
    fn default() -> Self {
        Self {
            select: 0,
            flexselect: -1,
            skinselect: -1,
            active: 0,
            active2: 0,
            refpos: DVec3::ZERO,
            refquat: DQuat::IDENTITY,
            refselpos: DVec3::ZERO,
            localpos: DVec3::ZERO,
            localmass: 0.0,
            scale: 1.0,
        }
    }
}

impl Perturb {
    /// Returns the selected body, if it is one of the model's and not the world.
    pub(super) fn body(&self, m: &Model) -> Option<BodyId> {
        let id = usize::try_from(self.select).ok()?;
        (id > 0 && id < m.body.len()).then(|| BodyId::new(id))
    }

    /// Returns the selected point in the world, m.
    pub(super) fn point(&self, d: &Data, body: BodyId) -> DVec3 {
        d.smooth.poses.xpos[body] + d.smooth.poses.xmat[body] * self.localpos
    }

    /// Starts to perturb the selected body (`mjv_initPerturb`): takes its pose as the reference, finds the apparent mass at the
    /// selected point, and how far a way of the mouse is there.
    pub fn start(&mut self, m: &Model, d: &Data, scene: &Scene) {
        let Some(body) = self.body(m) else { return };
        let point = self.point(d, body);
        self.localmass = apparent_mass(m, d, body, point);
        if let Some(f) = usize::try_from(self.flexselect).ok().filter(|&f| f < m.flex.len()).map(FlexId::new)
            && !m.flex.rigid[f]
        {
            self.localmass *= 2.0 * f64::from(m.flex.edgenum[f]) / f64::from(m.flex.vertnum[f].max(1));
        }
        self.refpos = d.smooth.poses.xipos[body];
        self.refquat = d.smooth.poses.xquat[body] * m.body.iquat[body];
        self.refselpos = point;
        let camera = scene.camera_in_model();
        let factor = if scene.camera[0].orthographic { ORTHOGRAPHIC_FACTOR } else { 1.0 };
        self.scale = factor * scene.frustum_height() * (point - camera.pos).dot(camera.forward);
    }

    /// Moves the reference with the mouse (`mjv_movePerturb`): `[dx, dy]` is its way, to the right and down, in heights of the
    /// picture. The orientation stays within a right angle of the body's.
    pub fn move_by(&mut self, m: &Model, d: &Data, action: MouseAction, [dx, dy]: [f64; 2], scene: &Scene) {
        let forward = scene.camera_in_model().forward;
        let Some(way) = movement(action, [dx, dy], forward) else { return };
        let body = BodyId::new(self.select.max(0) as usize);
        if body.index() >= m.body.len() || !way.is_finite() {
            return;
        }
        let shift = match action {
            MouseAction::MoveV | MouseAction::MoveH => way,
            MouseAction::MoveVRel | MouseAction::MoveHRel => {
                let axes = d.smooth.poses.xmat[body];
                let along = if action == MouseAction::MoveHRel { axes.x_axis } else { axes.z_axis };
                along * dy + axes.y_axis * dx
            }
            _ => return self.turn(m, d, body, way),
        };
        self.refpos += shift * self.scale;
        self.refselpos += shift * self.scale;
    }

    fn turn(&mut self, m: &Model, d: &Data, body: BodyId, way: DVec3) {
        self.refquat = quat::normalize(quat::exp(way * TAU) * self.refquat);
        if body != BodyId::WORLD {
            let own = d.smooth.poses.xquat[body] * m.body.iquat[body];
            let between = quat::velocity(own.conjugate() * self.refquat, 1.0);
            let angle = between.length();
            if angle > FRAC_PI_2 {
                self.refquat = own * quat::exp(between * (FRAC_PI_2 / angle));
            }
        }
    }
}

/// Returns the mass that a point of a body seems to have, kg: three over the trace of J M⁻¹ Jᵀ.
fn apparent_mass(m: &Model, d: &Data, body: BodyId, point: DVec3) -> f64 {
    let mut jac = Jacobian::default();
    if jac_point(m, d, point, body, &mut jac).is_err() {
        return 1.0;
    }
    let mut inverse = 0.0_f64;
    for row in jac.jacp.chunks_exact(m.nv().max(1)) {
        let mut x = row.to_vec();
        if solve_m(m, d, &mut x).is_ok() {
            inverse += row.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>();
        }
    }
    if inverse == 0.0 { 1.0 } else { 3.0 / inverse.max(MINVAL) }
}
