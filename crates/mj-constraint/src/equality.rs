//! Equality constraints: connect, weld, joint and tendon couplings, edges of flexes.

use crate::builder::{Constraint, Row, RowWorkspace};
use crate::flex;
use crate::inputs::RowInputs;
use crate::rows::Rows;
use mj_dynamics::merge_chains;
use mj_dynamics::{BodyPoint, chain_width, for_each_common};
use mj_dynamics::{Chains, Poses, Transmissions, Velocities, body_velocity};
use mj_math::block::Run;
use mj_math::{DQuat, DVec3, quat};
use mj_model::*;

/// Appends the rows of all active equality constraints.
pub(crate) fn append(m: &Model, s: &State, inputs: RowInputs<'_>, ws: &mut RowWorkspace, rows: &mut Rows) {
    let RowInputs { chains, smooth, flexes, .. } = inputs;
    let (poses, trans) = (&smooth.poses, &smooth.transmissions);
    if m.opt.disabled(disable::EQUALITY) {
        return;
    }
    for e in m.eq.ids() {
        if s.eq_active[e] && s.awake.equality(m, e) {
            match m.eq.r#type[e] {
                EqType::Connect | EqType::Weld => bodies(m, chains, poses, e, ws, rows),
                EqType::Joint => joints(m, s, e, ws, rows),
                EqType::Tendon => tendons(m, trans, e, ws, rows),
                EqType::Flex => flex::edges(m, e, flexes, rows),
                EqType::FlexStrain => crate::strain::append(m, chains, poses, e, ws, rows),
                // The compiler refuses the others.
                _ => {}
            }
        }
    }
}

/// Two bodies with the anchors at which a connect or weld holds them together.
pub struct Anchors {
    /// Bodies.
    pub body: [BodyId; 2],
    /// Anchors, world frame.
    pub point: [DVec3; 2],
    /// For welds: the orientations that should be one.
    pub orientation: [DQuat; 2],
}

fn objects(m: &Model, e: EqualityId) -> [usize; 2] {
    [m.eq.obj1id[e], m.eq.obj2id[e]].map(|i| usize::try_from(i).unwrap_or(0))
}

/// Bodies that a connect or weld holds together.
pub(crate) fn anchored_bodies(m: &Model, e: EqualityId) -> [BodyId; 2] {
    let objects = objects(m, e);
    if m.eq.objtype[e] == ObjType::Site {
        objects.map(|s| m.site.bodyid[SiteId::new(s)])
    } else {
        objects.map(BodyId::new)
    }
}

/// Anchors of a connect or weld. Manual: XML reference, "equality/connect", "equality/weld".
pub fn anchors(m: &Model, poses: &Poses, e: EqualityId) -> Anchors {
    let body = anchored_bodies(m, e);
    if m.eq.objtype[e] == ObjType::Site {
        let sites = objects(m, e).map(SiteId::new);
        return Anchors {
            body,
            point: sites.map(|s| poses.site_xpos[s]),
            orientation: [0, 1].map(|k| poses.xquat[body[k]] * m.site.quat[sites[k]]),
        };
    }
    let data = &m.eq.data[e];
    // A connect has an anchor in each body. A weld has one in the second; in the first it is where
    // the relative pose puts it.
    let weld = m.eq.r#type[e] == EqType::Weld;
    let local = [&data[..3], &data[3..6]].map(DVec3::from_slice);
    let local = if weld { [local[1], local[0]] } else { local };
    let relative = if weld { quat::read(&data[6..]) } else { DQuat::IDENTITY };
    Anchors {
        body,
        point: [0, 1].map(|k| poses.xpos[body[k]] + poses.xmat[body[k]] * local[k]),
        orientation: [poses.xquat[body[0]] * relative, poses.xquat[body[1]]],
    }
}

impl Anchors {
    /// The vector part of q₁⁻¹ ω q₀ / 2: the rate of the orientation error when the first
    /// orientation turns at ω against the second (world frame).
    #[inline]
    fn error_rate(&self, w: DVec3) -> DVec3 {
        sandwich(self.orientation[1].conjugate(), w, self.orientation[0]) * 0.5
    }

    /// The torque that orientation-error forces `f` exert on the first body (world frame): the
    /// transpose of the error rate.
    pub fn torque(&self, f: DVec3) -> DVec3 {
        sandwich(self.orientation[1], f, self.orientation[0].conjugate()) * 0.5
    }
}

/// Vector part of a·v·b, with v as a pure quaternion.
#[inline]
fn sandwich(a: DQuat, v: DVec3, b: DQuat) -> DVec3 {
    vector(a * pure(v) * b)
}

/// A vector as a quaternion.
#[inline]
pub(crate) fn pure(v: DVec3) -> DQuat {
    DQuat::from_xyzw(v.x, v.y, v.z, 0.0)
}

/// Vector part of a quaternion.
#[inline]
pub(crate) fn vector(q: DQuat) -> DVec3 {
    DVec3::new(q.x, q.y, q.z)
}

/// Connect: the anchors coincide (3 rows). Weld: the orientations do as well (3 more rows, the
/// vector part of q₁⁻¹ q₀ scaled by torquescale).
fn bodies(m: &Model, chains: &Chains, poses: &Poses, e: EqualityId, ws: &mut RowWorkspace, rows: &mut Rows) {
    let weld = m.eq.r#type[e] == EqType::Weld;
    let a = anchors(m, poses, e);
    let points = [0, 1].map(|k| BodyPoint::new(m, chains, poses, a.body[k], a.point[k]));
    merge_chains(points[0].chain, points[1].chain, false, &mut ws.runs);
    let n = chain_width(&ws.runs);
    let size = if weld { 6 } else { 3 };
    ws.jac.clear();
    ws.jac.resize(size * n, 0.0);
    points[0].add_translation(&ws.runs, 1.0, &mut ws.jac);
    points[1].add_translation(&ws.runs, -1.0, &mut ws.jac);

    let mut pos = [0.0; 6];
    (a.point[0] - a.point[1]).write_to_slice(&mut pos);
    if weld {
        let scale = m.eq.data[e][10];
        let q = a.orientation[1].conjugate() * a.orientation[0];
        (vector(q) * scale).write_to_slice(&mut pos[3..]);
        let turn = &mut ws.jac[3 * n..];
        points[0].add_rotation(&ws.runs, 1.0, turn);
        points[1].add_rotation(&ws.runs, -1.0, turn);
        for c in 0..n {
            let rate = a.error_rate(DVec3::new(turn[c], turn[n + c], turn[2 * n + c])) * scale;
            (turn[c], turn[n + c], turn[2 * n + c]) = rate.into();
        }
    }

    let violation = pos[..size].iter().map(|x| x * x).sum::<f64>().sqrt();
    let weight = |k: usize| m.body.invweight0[a.body[0]][k] + m.body.invweight0[a.body[1]][k];
    let row = |i: usize| Row::positional(pos[i], weight(usize::from(i > 2)));
    let c = Constraint::equality(m, e, violation);
    if weld {
        rows.append::<6>(&c, &ws.runs, &ws.jac, std::array::from_fn(row));
    } else {
        rows.append::<3>(&c, &ws.runs, &ws.jac, std::array::from_fn(row));
    }
}

/// y − y₀ = polynomial in x − x₀; with one object, y − y₀ = its constant.
/// Returns the residual and the slope of the polynomial.
fn couple(data: &[f64; 12], y: f64, x: Option<f64>) -> (f64, f64) {
    let Some(x) = x else { return (y - data[0], 0.0) };
    let value = data[..5].iter().rev().fold(0.0, |sum, c| sum * x + c);
    let slope = (1..5).rev().fold(0.0, |sum, k| sum * x + k as f64 * data[k]);
    (y - value, slope)
}

/// Second derivative of the polynomial at x.
pub(crate) fn bend(data: &[f64; 12], x: f64) -> f64 {
    (2..5).rev().fold(0.0, |sum, k| sum * x + (k * (k - 1)) as f64 * data[k])
}

fn joints(m: &Model, s: &State, e: EqualityId, ws: &mut RowWorkspace, rows: &mut Rows) {
    let joint = |i: i32| usize::try_from(i).ok().map(JointId::new);
    let Some(first) = joint(m.eq.obj1id[e]) else { return };
    let second = joint(m.eq.obj2id[e]);
    let offset = |j: JointId| {
        let a = m.jnt.qposadr[j] as usize;
        s.qpos[a] - m.qpos0[a]
    };
    let (pos, slope) = couple(&m.eq.data[e], offset(first), second.map(offset));
    let dof = |j: JointId| m.jnt.dofadr[j];
    let mut columns = [(dof(first), 1.0), second.map_or((dof(first), 0.0), |j| (dof(j), -slope))];
    columns.sort_by_key(|c| c.0);
    ws.runs.clear();
    ws.jac.clear();
    for (d, x) in columns {
        match ws.runs.last_mut() {
            // The same joint twice, or none second.
            Some(r) if r.start as usize == d.index() => {
                if let Some(last) = ws.jac.last_mut() {
                    *last += x;
                }
            }
            _ => {
                ws.runs.push(Run { start: d.index() as u32, len: 1 });
                ws.jac.push(x);
            }
        }
    }
    let weight = |j: JointId| m.dof.invweight0[dof(j)];
    let diag = weight(first) + second.map_or(0.0, weight);
    rows.append(&Constraint::equality(m, e, pos), &ws.runs, &ws.jac, [Row::positional(pos, diag)]);
}

/// Tendons that an equality constraint couples, each with the derivative of the constraint's row by
/// its length.
pub fn tendon_coupling(m: &Model, trans: &Transmissions, e: EqualityId) -> [Option<(TendonId, f64)>; 2] {
    let tendon = |i: i32| usize::try_from(i).ok().map(TendonId::new);
    let offset = |t: TendonId| trans.ten_length[t] - m.tendon.length0[t];
    let (first, second) = (tendon(m.eq.obj1id[e]), tendon(m.eq.obj2id[e]));
    let (_, slope) = couple(&m.eq.data[e], first.map_or(0.0, offset), second.map(offset));
    [first.map(|t| (t, 1.0)), second.map(|t| (t, -slope))]
}

fn tendons(m: &Model, trans: &Transmissions, e: EqualityId, ws: &mut RowWorkspace, rows: &mut Rows) {
    let tendon = |i: i32| usize::try_from(i).ok().map(TendonId::new);
    let Some(first) = tendon(m.eq.obj1id[e]) else { return };
    let second = tendon(m.eq.obj2id[e]);
    let offset = |t: TendonId| trans.ten_length[t] - m.tendon.length0[t];
    let (pos, slope) = couple(&m.eq.data[e], offset(first), second.map(offset));
    let none: &[Run] = &[];
    let row = |t: TendonId| trans.ten_J.row(t.index());
    let other = second.map(row);
    merge_chains(row(first).0, other.map_or(none, |r| r.0), false, &mut ws.runs);
    ws.jac.clear();
    ws.jac.resize(chain_width(&ws.runs), 0.0);
    add_row(row(first), 1.0, &ws.runs, &mut ws.jac);
    if let Some(other) = other {
        add_row(other, -slope, &ws.runs, &mut ws.jac);
    }
    let diag = m.tendon.invweight0[first] + second.map_or(0.0, |t| m.tendon.invweight0[t]);
    rows.append(&Constraint::equality(m, e, pos), &ws.runs, &ws.jac, [Row::positional(pos, diag)]);
}

/// Adds a multiple of a sparse row to a row over the columns of `within`, which hold its own.
fn add_row((runs, vals): (&[Run], &[f64]), scale: f64, within: &[Run], out: &mut [f64]) {
    let mut vals = vals.iter();
    for_each_common(runs, within, |c, _| {
        if let Some(v) = vals.next() {
            out[c] += scale * v;
        }
    });
}

/// Subtracts from the reference acceleration of connects and welds what their rows accelerate by
/// without any acceleration of the joints: J̇ v (manual: Computation, "Dual problem").
pub(crate) fn subtract_bias(m: &Model, s: &State, chains: &Chains, poses: &Poses, vel: &Velocities, rows: &mut Rows) {
    let mut i = 0;
    while i < rows.ne {
        let e = EqualityId::new(rows.id[i] as usize);
        // Those of programs come last.
        if e.index() >= m.eq.len() {
            break;
        }
        let weld = match m.eq.r#type[e] {
            EqType::Connect => false,
            EqType::Weld => true,
            _ => {
                i += 1;
                continue;
            }
        };
        let a = anchors(m, poses, e);
        let at = [0, 1].map(|k| PointMotion::new(m, s, chains, poses, vel, a.body[k], a.point[k]));
        let bias = at[0].linear - at[1].linear;
        for k in 0..3 {
            rows.aref[i + k] -= bias[k];
        }
        if weld {
            // Error e = Im(p Q) with p = q₁⁻¹, Q = q₀: ë = Im(p̈Q + 2ṗQ̇ + pQ̈), where q̇ = ω q / 2 and
            // so ė = Im(p Δω Q)/2 and ë = Im(ṗ Δω Q + p Δω̇ Q + p Δω Q̇)/2.
            let dw = at[0].spin - at[1].spin;
            let (p, q) = (a.orientation[1].conjugate(), a.orientation[0]);
            let dp = p * pure(at[1].spin) * -0.5;
            let dq = pure(at[0].spin) * q * 0.5;
            let twist = dp * pure(dw) * q + p * pure(at[0].angular - at[1].angular) * q + p * pure(dw) * dq;
            let bias = vector(twist) * (0.5 * m.eq.data[e][10]);
            for k in 0..3 {
                rows.aref[i + 3 + k] -= bias[k];
            }
        }
        i += if weld { 6 } else { 3 };
    }
}

/// Motion of a body's point without acceleration of the joints.
struct PointMotion {
    /// Angular velocity.
    spin: DVec3,
    /// Angular acceleration.
    angular: DVec3,
    /// Acceleration of the point.
    linear: DVec3,
}

impl PointMotion {
    fn new(m: &Model, s: &State, chains: &Chains, poses: &Poses, vel: &Velocities, b: BodyId, point: DVec3) -> Self {
        let v = body_velocity(m, poses, vel, b, point);
        let mut a = mj_math::Spatial::ZERO;
        for r in chains.of(b) {
            for d in r.start as usize..(r.start + r.len) as usize {
                a += vel.cdof_dot.as_slice()[d] * s.qvel[d];
            }
        }
        let a = a.motion_at(point - poses.subtree_com[m.body.rootid[b]]);
        Self { spin: v.rot, angular: a.rot, linear: a.lin + v.rot.cross(v.lin) }
    }
}
