//! Jacobians of points, bodies and subtrees, their rates of change, and the momentum matrix.
//!
//! All are dense, row-major and in the world frame; column k belongs to dof k.

use crate::data::Data;
use crate::entry::check_data;
use crate::errors::element::{ElementKey, find};
use crate::errors::query::{QueryError, check_length};
use mj_dynamics::{body_velocity, point_jacobian};
use mj_math::block::Run;
use mj_math::{DVec3, MINVAL, Spatial};
use mj_model::*;

/// A Jacobian of the motion of a point and of the body that it is fixed to. Reuse it: it keeps its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jacobian {
    /// Velocity of the point by the velocities of the dofs, 3×nv, row-major.
    pub jacp: Vec<f64>,
    /// Angular velocity of the body by the velocities of the dofs, 3×nv, row-major.
    pub jacr: Vec<f64>,
}

impl Jacobian {
    /// Returns the number of dofs.
    pub fn nv(&self) -> usize {
        self.jacp.len() / 3
    }

    /// Returns the velocity of the point at unit velocity of one dof; `None` beyond the last dof.
    pub fn translation(&self, dof: usize) -> Option<DVec3> {
        column(&self.jacp, dof)
    }

    /// Returns the angular velocity of the body at unit velocity of one dof; `None` beyond the last dof.
    pub fn rotation(&self, dof: usize) -> Option<DVec3> {
        column(&self.jacr, dof)
    }

    /// Multiplies with velocities of the dofs (nv): angular velocity of the body, and velocity of the point. Missing
    /// velocities count as zero.
    pub fn mul(&self, qvel: &[f64]) -> Spatial {
        Spatial::new(product(&self.jacr, qvel), product(&self.jacp, qvel))
    }

    /// Adds the generalized force of a force at the point and a torque on the body, Jᵀ(f, τ), to `qfrc` (nv).
    pub fn add_force(&self, force: DVec3, torque: DVec3, qfrc: &mut [f64]) {
        for (dof, q) in qfrc.iter_mut().enumerate().take(self.nv()) {
            let (p, r) = (column(&self.jacp, dof), column(&self.jacr, dof));
            *q += p.map_or(0.0, |p| p.dot(force)) + r.map_or(0.0, |r| r.dot(torque));
        }
    }

    fn reset(&mut self, nv: usize) {
        for rows in [&mut self.jacp, &mut self.jacr] {
            rows.clear();
            rows.resize(3 * nv, 0.0);
        }
    }
}

fn column(rows: &[f64], dof: usize) -> Option<DVec3> {
    let nv = rows.len() / 3;
    (dof < nv).then(|| DVec3::new(rows[dof], rows[nv + dof], rows[2 * nv + dof]))
}

fn product(rows: &[f64], x: &[f64]) -> DVec3 {
    let nv = rows.len() / 3;
    let row = |k: usize| rows[k * nv..(k + 1) * nv].iter().zip(x).map(|(a, b)| a * b).sum();
    DVec3::new(row(0), row(1), row(2))
}

fn put(rows: &mut [f64], dof: usize, v: DVec3) {
    let nv = rows.len() / 3;
    [rows[dof], rows[nv + dof], rows[2 * nv + dof]] = v.to_array();
}

/// Computes the Jacobian of a point of a body, given where the point is now in the world (`mj_jac`).
///
/// ```
/// use mj_engine::model::ObjType;
/// use mj_engine::*;
///
/// let m = load_str(
///     r#"<mujoco><worldbody><body name="arm"><joint axis="0 1 0"/><site name="tip" pos="1 0 0"/>
///     <geom name="rod" type="capsule" size=".05" fromto="0 0 0 1 0 0"/></body></worldbody></mujoco>"#,
/// )?;
/// let mut d = Data::new(&m)?;
/// d.state.qvel[0] = 2.0;
/// forward(&m, &mut d)?;
/// let is = |v: Option<DVec3>, x: f64, y: f64, z: f64| v.unwrap().abs_diff_eq(DVec3::new(x, y, z), 1e-12);
///
/// // The tip is one metre along x from a hinge about y: it moves down. The rod's middle moves half as fast.
/// let mut j = Jacobian::default();
/// jac_point(&m, &d, DVec3::X, "arm", &mut j)?;
/// assert!(is(j.translation(0), 0.0, 0.0, -1.0) && is(j.rotation(0), 0.0, 1.0, 0.0));
/// jac_site(&m, &d, "tip", &mut j)?;
/// assert!(is(j.translation(0), 0.0, 0.0, -1.0));
/// jac_geom(&m, &d, "rod", &mut j)?;
/// assert!(is(j.translation(0), 0.0, 0.0, -0.5));
/// jac_body_com(&m, &d, "arm", &mut j)?;
/// assert!(is(j.translation(0), 0.0, 0.0, -0.5));
/// jac_body(&m, &d, "arm", &mut j)?;
/// assert!(is(j.translation(0), 0.0, 0.0, 0.0));
/// jac_point_axis(&m, &d, DVec3::X, DVec3::X, "arm", &mut j)?;
/// assert!(is(j.rotation(0), 0.0, 0.0, -1.0));
///
/// // J q̇ is the velocity; J̇ q̇ the acceleration towards the hinge, ω² r.
/// let v = object_velocity(&m, &d, ObjType::Site, 0, false)?;
/// assert!(is(Some(v.lin), 0.0, 0.0, -2.0));
/// jac_dot(&m, &d, DVec3::X, "arm", &mut j)?;
/// assert!(is(j.translation(0).map(|column| 2.0 * column), -4.0, 0.0, 0.0));
/// rne_post_constraint(&m, &mut d)?;
/// let a = object_acceleration(&m, &d, ObjType::Site, 0, false)?;
/// assert!(is(Some(a.lin), -4.0, 0.0, 9.81 - d.qacc[0]));
///
/// // Of the whole arm: its centre of mass, and its angular momentum about that.
/// let (mut com, mut momentum) = ([0.0; 3], [0.0; 3]);
/// jac_subtree_com(&m, &d, "arm", &mut com)?;
/// angmom_mat(&m, &d, "arm", &mut momentum)?;
/// assert!((com[2] + 0.5).abs() < 1e-12 && momentum[1] > 0.0);
///
/// // A force of 3 N downwards at the tip is a torque of 3 N m.
/// let mut torque = [0.0];
/// apply_ft(&m, &d, DVec3::NEG_Z * 3.0, DVec3::ZERO, DVec3::X, "arm", &mut torque)?;
/// assert!((torque[0] - 3.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no such body, or data and model don't fit together.
pub fn jac_point(
    m: &Model,
    d: &Data,
    point: DVec3,
    body: impl ElementKey<BodyId>,
    out: &mut Jacobian,
) -> Result<(), QueryError> {
    check_data(m, d)?;
    let body = find(m, body)?;
    out.reset(m.nv());
    point_jacobian(m, &d.plan.dynamics.chains, &d.smooth.poses, body, point, Some(&mut out.jacp), Some(&mut out.jacr));
    Ok(())
}

/// Computes the Jacobian of the origin of a body's frame (`mj_jacBody`).
///
/// Example: [`jac_point`].
///
/// # Errors
/// As [`jac_point`].
pub fn jac_body(m: &Model, d: &Data, body: impl ElementKey<BodyId>, out: &mut Jacobian) -> Result<(), QueryError> {
    check_data(m, d)?;
    let body = find(m, body)?;
    jac_point(m, d, d.smooth.poses.xpos[body], body, out)
}

/// Computes the Jacobian of a body's centre of mass (`mj_jacBodyCom`).
///
/// Example: [`jac_point`].
///
/// # Errors
/// As [`jac_point`].
pub fn jac_body_com(m: &Model, d: &Data, body: impl ElementKey<BodyId>, out: &mut Jacobian) -> Result<(), QueryError> {
    check_data(m, d)?;
    let body = find(m, body)?;
    jac_point(m, d, d.smooth.poses.xipos[body], body, out)
}

/// Computes the Jacobian of a geom's centre (`mj_jacGeom`).
///
/// Example: [`jac_point`].
///
/// # Errors
/// As [`jac_point`].
pub fn jac_geom(m: &Model, d: &Data, geom: impl ElementKey<GeomId>, out: &mut Jacobian) -> Result<(), QueryError> {
    check_data(m, d)?;
    let geom = find(m, geom)?;
    jac_point(m, d, d.smooth.poses.geom_xpos[geom], m.geom.bodyid[geom], out)
}

/// Computes the Jacobian of a site's origin (`mj_jacSite`).
///
/// Example: [`jac_point`].
///
/// # Errors
/// As [`jac_point`].
pub fn jac_site(m: &Model, d: &Data, site: impl ElementKey<SiteId>, out: &mut Jacobian) -> Result<(), QueryError> {
    check_data(m, d)?;
    let site = find(m, site)?;
    jac_point(m, d, d.smooth.poses.site_xpos[site], m.site.bodyid[site], out)
}

/// Computes the Jacobian of a point of a body, in `jacp`, and of the direction of an axis fixed in it, in `jacr`
/// (`mj_jacPointAxis`): the axis turns with ω × axis. Point and axis are given as they are now in the world.
///
/// Example: [`jac_point`].
///
/// # Errors
/// As [`jac_point`].
pub fn jac_point_axis(
    m: &Model,
    d: &Data,
    point: DVec3,
    axis: DVec3,
    body: impl ElementKey<BodyId>,
    out: &mut Jacobian,
) -> Result<(), QueryError> {
    jac_point(m, d, point, body, out)?;
    for dof in 0..m.nv() {
        if let Some(rotation) = out.rotation(dof) {
            put(&mut out.jacr, dof, rotation.cross(axis));
        }
    }
    Ok(())
}

/// Computes the Jacobian of the centre of mass of a body's subtree into `jacp` (3×nv, row-major, world frame;
/// `mj_jacSubtreeCom`).
///
/// Example: [`jac_point`].
///
/// # Errors
/// As [`jac_point`], or if `jacp` has another length.
pub fn jac_subtree_com(m: &Model, d: &Data, body: impl ElementKey<BodyId>, jacp: &mut [f64]) -> Result<(), QueryError> {
    let body = prepare(m, d, body, "jacp", jacp)?;
    let total = m.body.subtreemass[body].max(MINVAL);
    for_each_moved(m, d, body, |dof, moved| {
        let share = m.body.subtreemass[moved] / total;
        put(jacp, dof.index(), motion(m, d, dof, d.smooth.poses.subtree_com[moved]).lin * share);
    });
    Ok(())
}

/// Computes the matrix that takes the velocities of the dofs to the angular momentum of a body's subtree about the
/// subtree's centre of mass, into `mat` (3×nv, row-major, world frame; `mj_angmomMat`).
///
/// Example: [`jac_point`].
///
/// # Errors
/// As [`jac_point`], or if `mat` has another length.
pub fn angmom_mat(m: &Model, d: &Data, body: impl ElementKey<BodyId>, mat: &mut [f64]) -> Result<(), QueryError> {
    let body = prepare(m, d, body, "mat", mat)?;
    let com = d.smooth.poses.subtree_com[body];
    for_each_moved(m, d, body, |dof, moved| {
        let tree_com = d.smooth.poses.subtree_com[m.body.rootid[moved]];
        let momentum = d.smooth.inertia.crb[moved].mul(d.smooth.poses.cdof[dof]);
        put(mat, dof.index(), momentum.force_at(com - tree_com).rot);
    });
    Ok(())
}

fn prepare(
    m: &Model,
    d: &Data,
    body: impl ElementKey<BodyId>,
    name: &'static str,
    out: &mut [f64],
) -> Result<BodyId, QueryError> {
    check_data(m, d)?;
    let body = find(m, body)?;
    check_length(name, out.len(), 3 * m.nv())?;
    out.fill(0.0);
    Ok(body)
}

/// Motion of a body of a dof's subtree at unit velocity of the dof, with the velocity of its point now at `point`.
fn motion(m: &Model, d: &Data, dof: DofId, point: DVec3) -> Spatial {
    d.smooth.poses.cdof[dof].motion_at(point - d.smooth.poses.subtree_com[m.body.rootid[m.dof.bodyid[dof]]])
}

/// Calls `f` with each dof that moves a part of a body's subtree, and the body at the root of that part: the dof's own
/// body within the subtree, and the subtree's root where the dof is above it.
fn for_each_moved(m: &Model, d: &Data, body: BodyId, mut f: impl FnMut(DofId, BodyId)) {
    dofs_of(d.plan.dynamics.chains.of(body)).for_each(|dof| f(dof, body));
    for dof in (0..m.nv()).map(DofId::new) {
        let own = m.dof.bodyid[dof];
        if own > body && m.in_subtree(own, body) {
            f(dof, own);
        }
    }
}

fn dofs_of(runs: &[Run]) -> impl Iterator<Item = DofId> {
    runs.iter().flat_map(|r| r.start as usize..(r.start + r.len) as usize).map(DofId::new)
}

/// Computes the rate of change of the Jacobian of a point of a body at the present velocity (`mj_jacDot`). The point is
/// fixed in the body and given where it is now in the world.
///
/// Example: [`jac_point`].
///
/// # Errors
/// As [`jac_point`].
pub fn jac_dot(
    m: &Model,
    d: &Data,
    point: DVec3,
    body: impl ElementKey<BodyId>,
    out: &mut Jacobian,
) -> Result<(), QueryError> {
    check_data(m, d)?;
    let body = find(m, body)?;
    out.reset(m.nv());
    let arm = point - d.smooth.poses.subtree_com[m.body.rootid[body]];
    let velocity = body_velocity(m, &d.smooth.poses, &d.smooth.velocities, body, point).lin;
    for dof in dofs_of(d.plan.dynamics.chains.of(body)) {
        let rate = motion_rate(m, d, dof);
        // The motion is about a fixed point of space; the point of the body moves.
        let lin = rate.motion_at(arm).lin + d.smooth.poses.cdof[dof].rot.cross(velocity);
        put(&mut out.jacp, dof.index(), lin);
        put(&mut out.jacr, dof.index(), rate.rot);
    }
    Ok(())
}

/// Rate of change of a dof's motion, about the point of space that is now the centre of mass of the tree. The axes of the
/// rotations of ball and free joints turn with their own body; those of other joints are fixed in the body before.
fn motion_rate(m: &Model, d: &Data, dof: DofId) -> Spatial {
    let joint = m.dof.jntid[dof];
    let first = match m.jnt.r#type[joint] {
        JointType::Ball => 0,
        JointType::Free => 3,
        _ => return d.smooth.velocities.cdof_dot[dof],
    };
    if dof.index() - m.jnt.dofadr[joint].index() < first {
        return Spatial::ZERO;
    }
    let body = m.dof.bodyid[dof];
    d.smooth.velocities.cvel[body].cross_motion(d.smooth.poses.cdof[dof])
}
