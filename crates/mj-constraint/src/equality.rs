//! Equality constraints: connect, weld, joint and tendon couplings (manual, "Computation:
//! Constraint model", equality).

use crate::make::{Builder, Configuration, Params};
use mj_dynamics::chains::merge;
use mj_dynamics::jacobian::{BodyPoint, for_each_common, width};
use mj_math::block::Run;
use mj_math::{BlockRows, DQuat, DVec3, quat};
use mj_model::*;

/// Both sides of a connect or weld: bodies, and the points that should coincide.
pub(crate) struct Anchors {
    pub body: [BodyId; 2],
    pub point: [DVec3; 2],
}

impl Anchors {
    /// Anchors of equality `e`, defined by bodies or by sites.
    pub fn new(c: &Configuration, e: EqualityId) -> Self {
        let (m, poses) = (c.m, c.poses);
        let (a, b) = (m.eq.obj1id[e], m.eq.obj2id[e]);
        if m.eq.objtype[e] == ObjType::Site {
            let site = [a, b].map(|s| SiteId::new(s as usize));
            return Self { body: site.map(|s| m.site.bodyid[s]), point: site.map(|s| poses.site_xpos[s]) };
        }
        // A connect keeps the first body's anchor first, a weld the second's.
        let body = [a, b].map(|b| BodyId::new(b.max(0) as usize));
        let data = &m.eq.data[e];
        let (first, second) = if m.eq.r#type[e] == EqType::Connect { (0, 3) } else { (3, 0) };
        let local = [DVec3::from_slice(&data[first..]), DVec3::from_slice(&data[second..])];
        Self { body, point: std::array::from_fn(|k| poses.xpos[body[k]] + poses.xmat[body[k]] * local[k]) }
    }
}

/// Orientations that a weld wants equal: the first side's with the relative pose, and the second's.
pub(crate) fn orientations(c: &Configuration, e: EqualityId, body: [BodyId; 2]) -> [DQuat; 2] {
    let (m, poses) = (c.m, c.poses);
    let [q0, q1] = body.map(|b| poses.xquat[b]);
    if m.eq.objtype[e] == ObjType::Site {
        let site = |id: i32| m.site.quat[SiteId::new(id as usize)];
        [q0 * site(m.eq.obj1id[e]), q1 * site(m.eq.obj2id[e])]
    } else {
        [q0 * quat::read(&m.eq.data[e][6..]), q1]
    }
}

/// Rotation error of a weld is `scale` times the vector part of q₁⁻¹ q₀.
pub(crate) fn torquescale(m: &Model, e: EqualityId) -> f64 {
    m.eq.data[e][10]
}

/// The vector part of a quaternion.
pub(crate) fn vector(q: DQuat) -> DVec3 {
    DVec3::new(q.x, q.y, q.z)
}

/// The quaternion with vector part `v` and no scalar.
pub(crate) fn pure(v: DVec3) -> DQuat {
    DQuat::from_xyzw(v.x, v.y, v.z, 0.0)
}

/// Adds all active equality constraints.
pub(crate) fn add(b: &mut Builder) {
    for e in b.c.m.eq.ids() {
        if !b.c.s.eq_active[e] {
            continue;
        }
        match b.c.m.eq.r#type[e] {
            EqType::Connect => connect(b, e),
            EqType::Weld => weld(b, e),
            EqType::Joint => joint(b, e),
            EqType::Tendon => tendon(b, e),
            // The compiler refuses the rest.
            EqType::Flex | EqType::FlexVert | EqType::FlexStrain | EqType::Distance => {}
        }
    }
}

fn params(m: &Model, e: EqualityId, violation: f64) -> Params {
    Params {
        r#type: ConstraintType::Equality,
        id: e.index(),
        solref: m.eq.solref[e],
        solimp: m.eq.solimp[e],
        violation,
        margin: 0.0,
        frictionloss: 0.0,
    }
}

/// Two points coincide: residual p₀ − p₁, three rows.
fn connect(b: &mut Builder, e: EqualityId) {
    let c = b.c;
    let a = Anchors::new(&c, e);
    merge(c.chains.of(a.body[0]), c.chains.of(a.body[1]), false, b.runs);
    if b.runs.is_empty() {
        return;
    }
    let jac = b.rows.jac.push(3, b.runs);
    for (k, sign) in [(0, 1.0), (1, -1.0)] {
        BodyPoint::new(c.m, c.chains, c.poses, a.body[k], a.point[k]).add_translation(b.runs, sign, jac);
    }
    let residual = a.point[0] - a.point[1];
    let diag: f64 = a.body.iter().map(|&x| c.m.body.invweight0[x][0]).sum();
    b.push(&params(c.m, e, residual.length()), residual.to_array().map(|r| (r, diag)));
}

/// Two frames coincide: six rows, the last three the vector part of q₁⁻¹ q₀ times `torquescale`.
/// With ω the relative angular velocity its rate is ½ vec(q₁⁻¹ (0, ω) q₀).
fn weld(b: &mut Builder, e: EqualityId) {
    let c = b.c;
    let a = Anchors::new(&c, e);
    merge(c.chains.of(a.body[0]), c.chains.of(a.body[1]), false, b.runs);
    if b.runs.is_empty() {
        return;
    }
    let scale = torquescale(c.m, e);
    let [q0, q1] = orientations(&c, e, a.body);
    let inverse = q1.conjugate();
    let n = width(b.runs);
    let (translation, rotation) = b.rows.jac.push(6, b.runs).split_at_mut(3 * n);
    for (k, sign) in [(0, 1.0), (1, -1.0)] {
        let p = BodyPoint::new(c.m, c.chains, c.poses, a.body[k], a.point[k]);
        p.add_translation(b.runs, sign, translation);
        p.add_rotation(b.runs, sign, rotation);
    }
    for i in 0..n {
        let axis = DVec3::new(rotation[i], rotation[n + i], rotation[2 * n + i]);
        let v = vector(inverse * pure(axis) * q0) * (0.5 * scale);
        (rotation[i], rotation[n + i], rotation[2 * n + i]) = (v.x, v.y, v.z);
    }
    let (dp, dq) = (a.point[0] - a.point[1], vector(inverse * q0) * scale);
    let diag: [f64; 2] = std::array::from_fn(|k| a.body.iter().map(|&x| c.m.body.invweight0[x][k]).sum());
    let violation = (dp.length_squared() + dq.length_squared()).sqrt();
    let rows = [dp.x, dp.y, dp.z, dq.x, dq.y, dq.z];
    b.push(&params(c.m, e, violation), rows.into_iter().enumerate().map(|(i, r)| (r, diag[i / 3])));
}

/// Value and slope of the quartic that couples the first object to the second's displacement.
fn quartic(a: &[f64; 12], x: f64) -> (f64, f64) {
    let value = a[0] + x * (a[1] + x * (a[2] + x * (a[3] + x * a[4])));
    let slope = a[1] + x * (2.0 * a[2] + x * (3.0 * a[3] + x * 4.0 * a[4]));
    (value, slope)
}

/// One joint's displacement is a quartic of another's, or constant.
fn joint(b: &mut Builder, e: EqualityId) {
    let (m, s) = (b.c.m, b.c.s);
    let get = |id: i32| {
        let j = JointId::new(id as usize);
        let adr = m.jnt.qposadr[j] as usize;
        let dof = m.jnt.dofadr[j];
        (s.qpos[adr] - m.qpos0[adr], Run { start: dof.index() as u32, len: 1 }, m.dof.invweight0[dof])
    };
    let (x0, run0, mut diag) = get(m.eq.obj1id[e]);
    let mut residual = x0 - m.eq.data[e][0];
    if m.eq.obj2id[e] < 0 {
        b.rows.jac.push(1, &[run0])[0] = 1.0;
    } else {
        let (x1, run1, d1) = get(m.eq.obj2id[e]);
        let (value, slope) = quartic(&m.eq.data[e], x1);
        residual = x0 - value;
        diag += d1;
        couple(b, (&[run0], &[1.0]), (&[run1], &[1.0]), -slope);
    }
    b.push(&params(m, e, residual), [(residual, diag)]);
}

/// One tendon's displacement is a quartic of another's, or constant.
fn tendon(b: &mut Builder, e: EqualityId) {
    let (m, trans) = (b.c.m, b.c.trans);
    let get = |id: i32| {
        let t = TendonId::new(id as usize);
        (trans.ten_length[t] - m.tendon.length0[t], trans.ten_J.row(t.index()), m.tendon.invweight0[t])
    };
    let (x0, row0, mut diag) = get(m.eq.obj1id[e]);
    let mut residual = x0 - m.eq.data[e][0];
    if m.eq.obj2id[e] < 0 {
        if row0.0.is_empty() {
            return;
        }
        b.rows.jac.push(1, row0.0).copy_from_slice(row0.1);
    } else {
        let (x1, row1, d1) = get(m.eq.obj2id[e]);
        if row0.0.is_empty() && row1.0.is_empty() {
            return;
        }
        let (value, slope) = quartic(&m.eq.data[e], x1);
        residual = x0 - value;
        diag += d1;
        couple(b, row0, row1, -slope);
    }
    b.push(&params(m, e, residual), [(residual, diag)]);
}

/// Appends the row a + scale·b.
fn couple(b: &mut Builder, first: (&[Run], &[f64]), second: (&[Run], &[f64]), scale: f64) {
    merge(first.0, second.0, false, b.runs);
    let row = b.rows.jac.push(1, b.runs);
    add_row(b.runs, first, 1.0, row);
    add_row(b.runs, second, scale, row);
}

fn add_row(within: &[Run], (runs, values): (&[Run], &[f64]), scale: f64, row: &mut [f64]) {
    let mut values = values.iter();
    for_each_common(runs, within, |c, _| row[c] += scale * values.next().copied().unwrap_or(0.0));
}

/// Appends `scale` times row `i` of `from`.
pub(crate) fn push_scaled(jac: &mut BlockRows, from: &BlockRows, i: usize, scale: f64) {
    let (runs, values) = from.row(i);
    for (out, v) in jac.push(1, runs).iter_mut().zip(values) {
        *out = scale * v;
    }
}
