//! Contacts that are about to happen: where two shapes that are apart now meet within the coming step if they go on
//! as they move, so that nothing passes through a thin thing between one step and the next.
//!
//! Over a step h, a geom at x with velocities v, ω moves by Δx = h v and turns by Δω = h ω about its origin: any point
//! of it travels at most s = |Δx| + |Δω| r, with r its bounding radius. At the fraction t of the step let the shapes
//! be d(t) apart beyond the margin, with n the direction between their nearest points. Along n they close at most at
//!
//! c = n·(Δx₁ − Δx₂) + |Δω₁| r₁ + |Δω₂| r₂,
//!
//! so that (d − d*)/c more of the step is safe for any clearance d* to be kept (conservative advancement). What the
//! contact then says is not its distance but the one at which the row's spring and damper take 1 − t of the closing
//! speed away, which brings the surfaces together at the end of the step.
//!
//! Manual: Computation, "Speculative contacts".

use mj_math::{DMat3, DVec3, MINVAL, Spatial};
use mj_model::{GeomId, GeomType, IntegratorType, Model, disable};

use super::params::Params;
use crate::ccd::{distance_within, facing_plane, manifold, touch};
use crate::{CcdWorkspace, Placed, Pose, PreContacts, Query, ShapeKind, Witness};

/// Clearance that the search goes for, as a part of the distance at first …
const CLEARANCE: f64 = 0.02;
/// … and the one at which it ends.
const NEAR: f64 = 0.03;

/// How a geom moves over the coming step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sweep {
    /// Displacement of the origin, metres.
    pub shift: DVec3,
    /// Rotation vector, radians.
    pub turn: DVec3,
    /// Bounding radius; of a plane, which doesn't end, zero.
    pub radius: f64,
}

impl Sweep {
    pub fn new(m: &Model, g: GeomId, velocity: Spatial) -> Self {
        let h = m.opt.timestep;
        // Turning doesn't move a ball.
        let turn = if m.geom.r#type[g] == GeomType::Sphere { DVec3::ZERO } else { velocity.rot * h };
        Self { shift: velocity.lin * h, turn, radius: m.geom.rbound[g] }
    }

    /// How far any point travels at most.
    pub fn travel(&self) -> f64 {
        self.shift.length() + self.turning()
    }

    /// How far any point travels by the rotation alone at most.
    pub fn turning(&self) -> f64 {
        self.turn.length() * self.radius
    }

    /// The pose after a fraction of the step.
    fn at(&self, pose: &Pose, t: f64) -> Pose {
        let turn = self.turn * t;
        let angle = turn.length();
        let mat = if angle > MINVAL { DMat3::from_axis_angle(turn / angle, angle) * pose.mat } else { pose.mat };
        Pose { pos: pose.pos + self.shift * t, mat }
    }
}

/// Whether two geoms move fast enough to pass through the thinner of them.
pub(super) fn fast(m: &Model, geom: [GeomId; 2], sweeps: [&Sweep; 2]) -> bool {
    let thickness = |g: GeomId, kind: ShapeKind| match kind {
        ShapeKind::Plane => f64::INFINITY,
        _ => {
            let [.., x, y, z] = m.geom.aabb[g];
            x.min(y).min(z)
        }
    };
    let kinds = geom.map(|g| super::filter::shape_kind(m.geom.r#type[g]).unwrap_or(ShapeKind::Hfield));
    !kinds.contains(&ShapeKind::Hfield)
        && !kinds.contains(&ShapeKind::Sdf)
        && sweeps[0].travel() + sweeps[1].travel() >= thickness(geom[0], kinds[0]).min(thickness(geom[1], kinds[1]))
}

/// Two shapes at the moment of impact.
struct Impact {
    /// Fraction of the step.
    t: f64,
    /// Mean speed of approach until then, in metres a step.
    closing: f64,
    /// How far apart they still are.
    dist: f64,
    /// The poses there.
    poses: [Pose; 2],
}

/// Advances two shapes until they nearly touch; `None` where they don't in this step.
fn impact(shapes: [&Placed; 2], sweeps: [&Sweep; 2], margin: f64, q: &Query, ws: &mut CcdWorkspace) -> Option<Impact> {
    let [s1, s2] = sweeps;
    let mut t = 0.0;
    let mut first = None;
    for _ in 0..q.ccd.iterations {
        let poses = [s1.at(&shapes[0].pose, t), s2.at(&shapes[1].pose, t)];
        let [a, b] = [0, 1].map(|i| Placed::new(shapes[i].shape, poses[i]));
        let found = distance_within(&a, &b, f64::INFINITY, &q.ccd, ws)?;
        let gap = found.dist - margin;
        let first = *first.get_or_insert(gap);
        if gap <= 0.0 || gap > (1.0 - t) * (s1.travel() + s2.travel()) {
            return None;
        }
        if t > 0.0 && gap <= NEAR * first {
            return Some(Impact { t, closing: (first - gap) / t, dist: found.dist, poses });
        }
        let closing = found.normal.dot(s1.shift - s2.shift) + s1.turning() + s2.turning();
        t += (gap - CLEARANCE * first) / closing;
        if !(closing > 0.0 && t < 1.0) {
            return None;
        }
    }
    None
}

/// A contact to come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coming {
    /// The points of both shapes that will touch, where they are now, world frame.
    pub points: [DVec3; 2],
    /// Between them, nearer to the one that moves less.
    pub pos: DVec3,
    /// From the first to the second shape at the moment of impact.
    pub normal: DVec3,
    /// Distance that the contact reports.
    pub dist: f64,
}

/// The contacts to come of two shapes that don't touch yet, at most four.
pub(super) fn predict(
    m: &Model,
    shapes: [&Placed; 2],
    sweeps: [&Sweep; 2],
    params: &Params,
    q: &Query,
    memory: (&mut CcdWorkspace, &mut PreContacts),
    mut give: impl FnMut(Coming),
) {
    let (ws, found) = memory;
    let Some(impact) = impact(shapes, sweeps, params.includemargin, q, ws) else { return };
    let placed = [0, 1].map(|i| Placed::new(shapes[i].shape, impact.poses[i]));
    // What may still close in the rest of the step.
    let reach = 2.0 * impact.dist + (1.0 - impact.t) * impact.closing + q.ccd.tolerance;
    let Some(normal) = facing_points(&placed, reach, q, ws, found) else { return };
    let travel = sweeps.map(Sweep::travel);
    let share = travel[0] / (travel[0] + travel[1]);
    let dist = effective_distance(m, params, impact.t, impact.closing);
    for contact in found.iter() {
        let half = contact.normal * (0.5 * contact.dist);
        let now = |i: usize, p: DVec3| shapes[i].pose.point(placed[i].pose.local_point(p));
        let points = [now(0, contact.pos - half), now(1, contact.pos + half)];
        give(Coming { points, pos: points[0] * share + points[1] * (1.0 - share), normal, dist });
    }
}

/// Fills `found` with the points at which two shapes up to `reach` apart will touch, joined; returns the direction from the
/// first shape to the second.
fn facing_points(
    placed: &[Placed; 2],
    reach: f64,
    q: &Query,
    ws: &mut CcdWorkspace,
    found: &mut PreContacts,
) -> Option<DVec3> {
    let [a, b] = placed;
    found.clear();
    if a.shape.kind == ShapeKind::Plane {
        let normal = a.axis();
        let (points, count) = facing_plane(b, normal, &mut ws.patches);
        for p in &points[..count] {
            let height = normal.dot(*p - a.pose.pos);
            found.add(height, *p - normal * (0.5 * height), normal);
        }
        return Some(normal);
    }
    let touch = touch(a, b, reach, &q.ccd, ws)?;
    let Witness { dist, normal, points: [p1, p2] } = touch.witness;
    if !q.ccd.multi_contact || !manifold(a, b, &touch, (reach, true), &mut ws.patches, found) {
        found.clear();
        found.add(dist, 0.5 * (p1 + p2), normal);
    }
    Some(normal)
}

/// The distance δ below the margin at which spring and damper (k₀ = h² k and b₀ = h b, with the impedance in both)
/// change the closing speed v by (1 − t) v in a step: b₀ v + k₀ δ/h = (1 − t) v. The integrator `discrete` evaluates
/// them at the end of the step, so that they are weaker by 1 + b₀ + k₀.
fn effective_distance(m: &Model, params: &Params, t: f64, closing: f64) -> f64 {
    let h = m.opt.timestep;
    let refsafe = !m.opt.disabled(disable::REFSAFE);
    let discrete = m.opt.integrator == IntegratorType::Discrete;
    let solref = params.solref;
    let [time, ratio] = if (solref[0] > 0.0) == (solref[1] > 0.0) { solref } else { [0.02, 1.0] };
    let (k, b) = if time <= 0.0 {
        (-time * h * h, -ratio * h)
    } else if discrete && refsafe && time * ratio < h {
        // The stiffest spring that the step resolves.
        let k = params.solimp[1];
        (k, 2.0 * ratio * k.sqrt())
    } else {
        let time = if refsafe && !discrete { time.max(2.0 * h) } else { time };
        (h * h / (time * ratio).powi(2), 2.0 * h / time)
    };
    let wanted = if discrete { 1.0 - t - t * (b + k) } else { 1.0 - t - b };
    // Without a spring, as deep as makes the impedance greatest.
    let depth = if k > MINVAL { wanted / k * closing } else { params.solimp[2] };
    params.includemargin - depth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    fn ball(x: f64, y: f64) -> Placed<'static> {
        Placed::new(Shape::sphere(0.03), Pose { pos: DVec3::new(x, y, 0.0), mat: DMat3::IDENTITY })
    }

    fn meets(from: DVec3, shift: DVec3) -> Option<Impact> {
        let sweeps = [Sweep { shift, turn: DVec3::ZERO, radius: 0.03 }, Sweep::default()];
        let shapes = [ball(from.x, from.y), ball(0.0, 0.0)];
        impact([&shapes[0], &shapes[1]], [&sweeps[0], &sweeps[1]], 0.0, &Query::default(), &mut CcdWorkspace::default())
    }

    #[test]
    fn head_on_the_search_ends_just_before_the_surfaces_meet() {
        // 0.24 apart, 0.4 a step: they meet at 0.6 of it, and a fiftieth of the distance is left.
        let found = meets(DVec3::new(-0.3, 0.0, 0.0), DVec3::X * 0.4).unwrap();
        assert!((found.t - 0.98 * 0.6).abs() < 1e-12 && (found.closing - 0.4).abs() < 1e-12);
        assert!((found.dist - 0.02 * 0.24).abs() < 1e-12);
    }

    #[test]
    fn a_tilted_face_is_met_beside_its_corners() {
        let (half, angle, gap, reach) = (DVec3::splat(0.03), 0.05f64, 0.001, 0.2);
        let tilt = DMat3::from_rotation_z(angle);
        // The lowest corners are `gap` from the wall's face.
        let depth = half.x * (angle.cos() + angle.sin());
        let wall = Placed::new(Shape::cuboid(DVec3::new(0.01, 1.0, 1.0)), Pose::IDENTITY);
        let pose = Pose { pos: DVec3::X * -(0.01 + gap + depth), mat: tilt };
        let placed = [wall, Placed::new(Shape::cuboid(half), pose)];
        let mut found = PreContacts::new();
        let normal = facing_points(&placed, reach, &Query::default(), &mut CcdWorkspace::default(), &mut found);
        assert!((normal.unwrap() + DVec3::X).length() < 1e-9);
        assert_eq!(found.len(), 4);
        let out = 0.5 * reach * (1.0 - angle.cos());
        for contact in found.iter() {
            let step = contact.normal * (0.5 * contact.dist);
            assert!((contact.pos - step).x + 0.01 < 1e-12);
            // How far out it is doesn't hang on the corner.
            assert!((pose.local_point(contact.pos + step).x - half.x - out).abs() < 1e-12);
        }
    }

    #[test]
    fn what_passes_by_or_falls_short_meets_nothing() {
        let from = DVec3::new(-0.3, 0.0, 0.0);
        assert!(meets(from, DVec3::X * 0.23).is_none());
        assert!(meets(from, DVec3::X * -0.4).is_none());
        assert!(meets(from.with_y(0.07), DVec3::X * 0.5).is_none());
        assert!(meets(from.with_y(0.05), DVec3::X * 0.5).is_some());
    }

    #[test]
    fn a_turning_rod_is_caught_before_its_end_is_through() {
        let rod = Placed::new(Shape::capsule(0.01, 0.25), Pose { pos: DVec3::X * -0.2, mat: DMat3::IDENTITY });
        let wall = Placed::new(Shape::cuboid(DVec3::new(0.01, 1.0, 1.0)), Pose::IDENTITY);
        let sweeps = [Sweep { shift: DVec3::ZERO, turn: DVec3::Y, radius: 0.26 }, Sweep::default()];
        let shapes = [&rod, &wall];
        let found = impact(shapes, [&sweeps[0], &sweeps[1]], 0.0, &Query::default(), &mut CcdWorkspace::default());
        // The end is at −0.2 + 0.25 sin t + 0.01 and meets the face at −0.01.
        let t = found.unwrap().t;
        assert!(t < (0.18f64 / 0.25).asin() && t > 0.95 * (0.18f64 / 0.25).asin(), "{t}");
    }
}
