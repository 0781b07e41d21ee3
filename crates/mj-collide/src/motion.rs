//! How a contact moves when its shapes move: the derivative of the narrow phase.
//!
//! A contact of rounded shapes is one of two cores: a point (a sphere's centre, an end of a capsule, a corner of a
//! box), a line (a capsule's axis, an edge), or a plane. With q₁ and q₂ the nearest points of the cores,
//! w = q₂ − q₁ = L n, and the first shape held still, q₁ moves along its line by α e₁, q₂ with its shape and along
//! its line, u + β e₂, so that w stays orthogonal to the lines:
//!
//! ```text
//! ẇ = u + β e₂ − α e₁,   e₁·ẇ = 0,   e₂·ẇ + (ω × e₂)·w = 0,   ṅ = (ẇ − n (n·ẇ)) / L.
//! ```
//!
//! A plane keeps its normal, whatever the other core does. Other pairs are differentiated by differences.

use crate::frame::complete_frame;
use crate::{CcdWorkspace, Colliders, Placed, Pose, PreContacts, Query, ShapeKind};
use mj_math::spatial_map::{cross, outer};
use mj_math::{DMat3, DVec3, Spatial, SpatialMap, quat};

/// A linear map from a motion (angular velocity, velocity of the contact's point) to a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Linear {
    rot: DMat3,
    lin: DMat3,
}

impl Linear {
    const ZERO: Self = Self { rot: DMat3::ZERO, lin: DMat3::ZERO };

    /// By what it does to the six unit motions.
    fn of(map: impl Fn(Spatial) -> DVec3) -> Self {
        let rot = DVec3::AXES.map(|x| map(Spatial::new(x, DVec3::ZERO)));
        let lin = DVec3::AXES.map(|x| map(Spatial::new(DVec3::ZERO, x)));
        Self { rot: DMat3::from_cols(rot[0], rot[1], rot[2]), lin: DMat3::from_cols(lin[0], lin[1], lin[2]) }
    }
}

/// Direction that the first tangent of a contact's frame follows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tangent {
    /// A direction fixed in the world.
    World(DVec3),
    /// A direction that moves with the shapes, and how with the second if the first keeps still.
    Carried(DVec3, Linear),
}

/// How a contact moves with its shapes, to first order: the motion of its frame, angular velocity and velocity of its point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMotion {
    /// By the motion of the first shape, if the second keeps still relative to it.
    pub first: SpatialMap,
    /// By the motion of the second relative to the first.
    pub relative: SpatialMap,
    /// Change of the distance, by the motion of the second relative to the first. Between the nearest points it is the
    /// normal's velocity; where one face is cut by another, a point slides along faces that the normal isn't orthogonal to.
    pub dist: Spatial,
}

/// A contact as far as its motion needs to know it.
#[derive(Clone, Copy, Debug)]
pub struct Touching<'a> {
    /// The shapes.
    pub shapes: [&'a Placed<'a>; 2],
    /// Distance of the surfaces.
    pub dist: f64,
    /// The contact's point.
    pub pos: DVec3,
    /// Its frame: normal, tangents.
    pub frame: [DVec3; 3],
}

/// The core of a shape at a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Core {
    Point,
    Line(DVec3),
    Plane,
}

/// Relative to a shape's size, what counts as being on its edge.
const ON_EDGE: f64 = 1e-9;
/// Step of differences.
const STEP: f64 = 1e-6;
/// A contact that moves as far in one of these steps is another.
const JUMP: f64 = 1e3 * STEP;

impl ContactMotion {
    /// In closed form: of planes with spheres, capsules and boxes, of spheres with each other, with capsules and with
    /// boxes, and of capsules that are not parallel. `None` for other pairs, and where two cores meet.
    pub fn closed_form(c: &Touching<'_>) -> Option<Self> {
        use ShapeKind::{Box, Capsule, Plane, Sphere};
        let [a, b] = c.shapes;
        match (a.shape.kind, b.shape.kind) {
            (Plane, Sphere | Capsule | Box) | (Sphere, Sphere | Capsule | Box) | (Capsule, Capsule) => {}
            _ => return None,
        }
        let n = c.frame[0];
        let (core1, radius1) = core(a, c.pos - n * (0.5 * c.dist));
        let (mut core2, radius2) = core(b, c.pos + n * (0.5 * c.dist));
        if (a.shape.kind, b.shape.kind) == (Plane, Capsule) {
            // A plane touches ends, also the one that is farther away, whose nearest point lies beside the axis.
            core2 = Core::Point;
        }
        // From the contact's point to the nearest points of the cores.
        let (to1, to2) = (radius1 + 0.5 * c.dist, radius2 + 0.5 * c.dist);
        let moved = |rel: Spatial| -> Option<[DVec3; 2]> {
            let u = rel.lin + rel.rot.cross(n * to2);
            Some(match (core1, core2) {
                (Core::Plane, Core::Point) => [DVec3::ZERO, u - n * (0.5 * n.dot(u))],
                (Core::Point, Core::Plane) => {
                    let turn = rel.rot.cross(n);
                    [turn, turn * to1 + n * (0.5 * n.dot(rel.lin))]
                }
                (Core::Plane, _) | (_, Core::Plane) => return None,
                _ => {
                    let length = to1 + to2;
                    if length < ON_EDGE {
                        return None;
                    }
                    let (along1, along2) = sliding(core1, core2, u, rel.rot, n * length)?;
                    let dw = u + along2 - along1;
                    let dn = (dw - n * n.dot(dw)) / length;
                    [dn, along1 + dn * to1 + n * (0.5 * n.dot(dw))]
                }
            })
        };
        // Whether it can be said depends on the shapes, not on the motion.
        moved(Spatial::ZERO)?;
        let part = |k: usize| Linear::of(|rel| moved(rel).map_or(DVec3::ZERO, |x| x[k]));
        let tangent = match (a.shape.kind, b.shape.kind) {
            (Plane, Capsule) => Tangent::Carried(b.axis(), Linear::of(|rel| rel.rot.cross(b.axis()))),
            _ => Tangent::World(default_tangent(n)),
        };
        Some(Self::new(part(0), part(1), Spatial::new(DVec3::ZERO, n), tangent, c.frame))
    }

    /// By centered differences of the narrow phase, of any pair; `None` where a small motion makes the contact go.
    pub fn by_differences(
        c: &Touching<'_>,
        colliders: &Colliders,
        query: &Query,
        ws: &mut CcdWorkspace,
        found: &mut PreContacts,
    ) -> Option<Self> {
        let [a, b] = c.shapes;
        if !colliders.collides(a.shape.kind, b.shape.kind) {
            return None;
        }
        let mut at = |motion: Spatial| {
            let turn = quat::to_mat(quat::exp(motion.rot));
            let pos = c.pos + motion.lin + turn * (b.pose.pos - c.pos);
            let moved = Placed::new(b.shape, Pose { pos, mat: turn * b.pose.mat });
            found.clear();
            colliders.append(a, &moved, query, ws, found);
            let far = |x: &crate::PreContact| (x.pos - c.pos).length_squared();
            found.iter().min_by(|x, y| far(x).total_cmp(&far(y))).filter(|x| far(x) < JUMP * JUMP).copied()
        };
        let carried = at(Spatial::ZERO)?.tangent.length_squared() >= 0.25;
        let (mut normal, mut point, mut tangent) = (Linear::ZERO, Linear::ZERO, Linear::ZERO);
        let mut dist = [0.0; 6];
        for k in 0..6 {
            let mut unit = [0.0; 6];
            unit[k] = STEP;
            let motion = Spatial::from_slice(&unit);
            let (plus, minus) = (at(motion)?, at(-motion)?);
            let rate = |x: DVec3, y: DVec3| (x - y) / (2.0 * STEP);
            let put =
                |map: &mut Linear, x: DVec3| *(if k < 3 { map.rot.col_mut(k) } else { map.lin.col_mut(k - 3) }) = x;
            put(&mut normal, rate(plus.normal, minus.normal));
            put(&mut point, rate(plus.pos, minus.pos));
            dist[k] = (plus.dist - minus.dist) / (2.0 * STEP);
            let first = |x: &crate::PreContact| complete_frame(x.normal, x.tangent)[1];
            put(&mut tangent, rate(first(&plus), first(&minus)));
        }
        let tangent =
            if carried { Tangent::Carried(c.frame[1], tangent) } else { Tangent::World(default_tangent(c.frame[0])) };
        Some(Self::new(normal, point, Spatial::from_slice(&dist), tangent, c.frame))
    }

    /// From how the normal, the contact's point and the distance move with the second shape if the first keeps still.
    fn new(normal: Linear, point: Linear, dist: Spatial, tangent: Tangent, [n, _, t2]: [DVec3; 3]) -> Self {
        let (seed, turning, by) = match tangent {
            Tangent::World(seed) => (seed, DVec3::ZERO, Linear::ZERO),
            Tangent::Carried(seed, by) => (seed, seed.cross(t2), by),
        };
        // The first tangent is what the normal leaves of the seed; it turns about the normal, by the seed's change and by the
        // normal's.
        let along = n.dot(seed);
        let scale = (seed - n * along).length().recip();
        let spin = |change: DMat3, dn: DMat3| (change.transpose() * t2 - dn.transpose() * t2 * along) * scale;
        let by_first = (turning - n.cross(t2) * along) * scale;
        let about = cross(n);
        Self {
            first: SpatialMap {
                rot_rot: DMat3::IDENTITY + outer(n, by_first - n),
                lin_lin: DMat3::IDENTITY,
                ..SpatialMap::ZERO
            },
            relative: SpatialMap {
                rot_rot: about * normal.rot + outer(n, spin(by.rot, normal.rot)),
                rot_lin: about * normal.lin + outer(n, spin(by.lin, normal.lin)),
                lin_rot: point.rot,
                lin_lin: point.lin,
            },
            dist,
        }
    }

    /// Motion of the contact's frame when the first shape moves by `first` and the second by `relative` relative to it; all
    /// at the contact's point.
    pub fn twist(&self, first: Spatial, relative: Spatial) -> Spatial {
        self.first.mul(first) + self.relative.mul(relative)
    }
}

/// Returns the first tangent where the narrow phase gives none.
fn default_tangent(normal: DVec3) -> DVec3 {
    if normal.y.abs() < 0.5 { DVec3::Y } else { DVec3::Z }
}

/// The core of a shape whose surface touches at `surface`, and its radius.
fn core(s: &Placed<'_>, surface: DVec3) -> (Core, f64) {
    let size = s.shape.size;
    let local = s.pose.local_point(surface);
    match s.shape.kind {
        ShapeKind::Plane => (Core::Plane, 0.0),
        ShapeKind::Sphere => (Core::Point, size.x),
        // The surface's point lies beside its core, not beyond the end.
        ShapeKind::Capsule => {
            (if local.z.abs() < size.y * (1.0 - ON_EDGE) { Core::Line(s.axis()) } else { Core::Point }, size.x)
        }
        _ => {
            let inside = (0..3).filter(|&k| local[k].abs() < size[k] * (1.0 - ON_EDGE));
            let axis = inside.clone().next().unwrap_or(0);
            let core = match inside.count() {
                0 => Core::Point,
                1 => Core::Line(s.pose.mat.col(axis)),
                _ => Core::Plane,
            };
            (core, 0.0)
        }
    }
}

/// How the nearest points slide along their cores' lines: α e₁ and β e₂. `None` for parallel lines.
fn sliding(core1: Core, core2: Core, u: DVec3, rot: DVec3, w: DVec3) -> Option<(DVec3, DVec3)> {
    let line = |c: Core| if let Core::Line(e) = c { Some(e) } else { None };
    Some(match (line(core1), line(core2)) {
        (None, None) => (DVec3::ZERO, DVec3::ZERO),
        (Some(e1), None) => (e1 * e1.dot(u), DVec3::ZERO),
        (None, Some(e2)) => (DVec3::ZERO, e2 * -(e2.dot(u) + rot.cross(e2).dot(w))),
        (Some(e1), Some(e2)) => {
            // α − cβ = e₁·u,  cα − β = e₂·u + (ω × e₂)·w
            let c = e1.dot(e2);
            let (x, y) = (e1.dot(u), e2.dot(u) + rot.cross(e2).dot(w));
            let det = 1.0 - c * c;
            if det < 1e-8 {
                return None;
            }
            (e1 * ((x - c * y) / det), e2 * ((c * x - y) / det))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use proptest::prelude::*;

    fn vec3(r: f64) -> impl Strategy<Value = DVec3> {
        (-r..r, -r..r, -r..r).prop_map(DVec3::from)
    }

    fn placed(shape: Shape<'static>) -> impl Strategy<Value = Placed<'static>> {
        (vec3(0.6), vec3(2.0))
            .prop_map(move |(pos, turn)| Placed::new(shape, Pose { pos, mat: quat::to_mat(quat::exp(turn)) }))
    }

    fn pairs() -> impl Strategy<Value = (Placed<'static>, Placed<'static>)> {
        let (ball, rod, brick) =
            (Shape::sphere(0.4), Shape::capsule(0.2, 0.5), Shape::cuboid(DVec3::new(0.3, 0.4, 0.5)));
        let plane = Shape::plane();
        let pair = |a, b| (placed(a), placed(b));
        prop_oneof![
            pair(plane, ball),
            pair(plane, rod),
            pair(plane, brick),
            pair(ball, ball),
            pair(ball, rod),
            pair(ball, brick),
            pair(rod, rod),
            // Faces that cut each other.
            pair(brick, brick),
        ]
    }

    /// All contacts of a pair.
    fn contacts(a: &Placed, b: &Placed) -> Vec<(crate::PreContact, [DVec3; 3])> {
        let mut found = PreContacts::new();
        Colliders::new().collide(a, b, &Query::with_margin(0.1), &mut CcdWorkspace::default(), &mut found);
        found.iter().map(|c| (*c, complete_frame(c.normal, c.tangent))).collect()
    }

    fn carried(s: &Placed<'static>, about: DVec3, motion: Spatial, h: f64) -> Placed<'static> {
        let turn = quat::to_mat(quat::exp(motion.rot * h));
        let pos = about + motion.lin * h + turn * (s.pose.pos - about);
        Placed::new(s.shape, Pose { pos, mat: turn * s.pose.mat })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        /// Both ways agree with differences of the contact's frame and place as both shapes move.
        #[test]
        fn frames_and_points_move_as_said((a, b) in pairs(), v1 in (vec3(1.0), vec3(1.0)), v2 in (vec3(1.0), vec3(1.0))) {
            let (v1, v2) = (Spatial::new(v1.0, v1.1), Spatial::new(v2.0, v2.1));
            let now = contacts(&a, &b);
            for (i, (c, frame)) in now.iter().enumerate() {
                let h = 1e-6;
                let at = |h: f64| contacts(&carried(&a, c.pos, v1, h), &carried(&b, c.pos, v2, h));
                let (plus, minus) = (at(h), at(-h));
                prop_assume!(plus.len() == now.len() && minus.len() == now.len());
                let touching = Touching { shapes: [&a, &b], dist: c.dist, pos: c.pos, frame: *frame };
                let mut found = PreContacts::new();
                let numeric = ContactMotion::by_differences(
                    &touching, &Colliders::new(), &Query::with_margin(0.1), &mut CcdWorkspace::default(), &mut found);
                for motion in [ContactMotion::closed_form(&touching), numeric] {
                    let Some(motion) = motion else { continue };
                    let got = motion.twist(v1, v2 - v1);
                    let (p, m) = (&plus[i], &minus[i]);
                    let place = (p.0.pos - m.0.pos) / (2.0 * h);
                    // Near switches from one core to another differences see both.
                    let smooth = (p.0.pos - c.pos * 2.0 + m.0.pos).length() < 1e-9
                        && (p.1[1] - frame[1] * 2.0 + m.1[1]).length() < 1e-9;
                    prop_assume!(smooth);
                    prop_assert!((got.lin - place).length() < 1e-5, "{:?}: {} against {place}", b.shape.kind, got.lin);
                    for k in 0..3 {
                        let want = (p.1[k] - m.1[k]) / (2.0 * h);
                        let turned = got.rot.cross(frame[k]);
                        prop_assert!((turned - want).length() < 1e-4, "axis {k}: {turned} against {want}");
                    }
                    let rate = (p.0.dist - m.0.dist) / (2.0 * h);
                    prop_assert!((rate - motion.dist.dot(v2 - v1)).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn every_simple_pair_has_a_closed_form() {
        let at = |shape, z: f64| Placed::new(shape, Pose { pos: DVec3::new(0.01, 0.02, z), mat: DMat3::IDENTITY });
        let rod = Placed::new(
            Shape::capsule(0.2, 0.5),
            Pose { pos: DVec3::new(0.1, 0.0, 0.3), mat: quat::to_mat(quat::exp(DVec3::new(0.0, 1.2, 0.0))) },
        );
        let brick = Shape::cuboid(DVec3::new(0.3, 0.4, 0.5));
        let (floor, ball) = (at(Shape::plane(), 0.0), at(Shape::sphere(0.3), 0.1));
        for (a, b) in [
            (floor, ball),
            (floor, rod),
            (floor, at(brick, 0.4)),
            (ball, at(Shape::sphere(0.2), 0.4)),
            (ball, rod),
            (ball, at(brick, 0.85)),
            (at(Shape::capsule(0.2, 0.5), 0.0), rod),
        ] {
            let all = contacts(&a, &b);
            assert!(!all.is_empty());
            for (c, frame) in all {
                let touching = Touching { shapes: [&a, &b], dist: c.dist, pos: c.pos, frame };
                assert!(ContactMotion::closed_form(&touching).is_some(), "{:?} {:?}", a.shape.kind, b.shape.kind);
            }
        }
    }
}
