//! Depth of two overlapping convex sets by refining a portal (Snethen 2008), the method of MuJoCo's earlier releases.
//!
//! The ray from a point inside A − B through the origin leaves A − B through some triangle of its surface. A triangle
//! of support points that the ray passes, the portal, is moved outward until it is on the surface. The depth is then
//! that along the ray's exit, near the least one but not always equal to it.

use std::cell::Cell;

use mj_math::DVec3;

use super::gjk::Vertex;
use super::simplex;
use crate::frame::TINY;
use crate::{CcdOptions, Placed, PreContact, ShapeKind};

/// No run takes more steps than this.
const MOST_STEPS: usize = 1000;

/// A shape whose surface is moved out by `inflate`.
struct Side<'a> {
    placed: &'a Placed<'a>,
    inflate: f64,
    last: Cell<Option<u32>>,
}

impl Side<'_> {
    /// The farthest point along a unit vector. Across a coordinate of which the direction has nothing, it is in the
    /// middle.
    fn support(&self, direction: DVec3) -> DVec3 {
        let Placed { shape, pose } = self.placed;
        let (size, d) = (shape.size, pose.local_vector(direction));
        let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
        let local = match (shape.kind, shape.hull) {
            (_, Some(hull)) => {
                let corner = hull.farthest_from(self.last.get(), d);
                self.last.set(Some(corner));
                hull.corners().get(corner as usize).copied().unwrap_or_default()
            }
            (ShapeKind::Sphere, _) => d * size.x,
            (ShapeKind::Capsule, _) => d * size.x + DVec3::Z * (sign(d.z) * size.y),
            (ShapeKind::Ellipsoid, _) => (d * size).try_normalize().unwrap_or(DVec3::X) * size,
            (ShapeKind::Cylinder, _) => {
                let around = d.truncate().length();
                let around = if around > TINY { d.truncate() / around * size.x } else { Default::default() };
                around.extend(sign(d.z) * size.y)
            }
            (ShapeKind::Box, _) => DVec3::new(sign(d.x), sign(d.y), sign(d.z)) * size,
            _ => DVec3::ZERO,
        };
        pose.point(local + d * self.inflate)
    }
}

/// Where the exit was found; on the stack for a moment.
#[allow(clippy::large_enum_variant)]
enum Exit {
    /// At a support point: there is no portal.
    Vertex(Vertex),
    /// Through the triangle of the last three, seen from the first, a point inside.
    Portal([Vertex; 4]),
}

/// The contact of two shapes within `margin`, if there is one.
pub(crate) fn portal_contact(a: &Placed, b: &Placed, margin: f64, options: &CcdOptions) -> Option<PreContact> {
    let [a, b] = [a, b].map(|placed| Side { placed, inflate: 0.5 * margin.max(0.0), last: Cell::new(None) });
    let support = |direction: DVec3| {
        let (a, b) = (a.support(direction), b.support(-direction));
        Vertex { w: a - b, a, b, corner: [0; 2] }
    };
    let (inside_a, inside_b) = (a.placed.pose.pos, b.placed.pose.pos);
    let mut inside = Vertex { w: inside_a - inside_b, a: inside_a, b: inside_b, corner: [0; 2] };
    if is_zero(inside.w.abs().max_element()) {
        inside.w.x += 10.0 * f64::EPSILON;
    }
    let (deepest, point) = match discover(inside, support)? {
        Exit::Vertex(v) => (v.w, 0.5 * (v.a + v.b)),
        Exit::Portal(portal) => refine(portal, support, options)?,
    };
    let depth = deepest.length();
    (!is_zero(depth)).then(|| PreContact {
        dist: margin - depth,
        pos: point,
        normal: deepest / depth,
        tangent: DVec3::ZERO,
    })
}

/// Finds a triangle of support points that the ray from `inside` through the origin passes; `None` where a support
/// plane has the origin outside.
fn discover(inside: Vertex, support: impl Fn(DVec3) -> Vertex) -> Option<Exit> {
    // The support point along a direction, if the origin is not beyond it.
    let reach = |direction: DVec3| {
        let v = support(direction);
        let far = v.w.dot(direction);
        (far > 0.0 && !is_zero(far)).then_some(v)
    };
    let mut v1 = reach(-inside.w.normalize_or_zero())?;
    let across = inside.w.cross(v1.w);
    if is_zero(across.length_squared()) {
        return Some(Exit::Vertex(v1));
    }
    let mut v2 = reach(across.normalize_or_zero())?;
    let plane = |v1: &Vertex, v2: &Vertex| (v1.w - inside.w).cross(v2.w - inside.w).normalize_or_zero();
    let mut outward = plane(&v1, &v2);
    if outward.dot(inside.w) > 0.0 {
        std::mem::swap(&mut v1, &mut v2);
        outward = -outward;
    }
    for _ in 0..MOST_STEPS {
        let v3 = reach(outward)?;
        // The ray passes beside the edge from v3 to one of the others: a new triangle on that side.
        let beside = |v: DVec3, w: DVec3| {
            let side = v.cross(w).dot(inside.w);
            side < 0.0 && !is_zero(side)
        };
        if beside(v1.w, v3.w) {
            v2 = v3;
        } else if beside(v3.w, v2.w) {
            v1 = v3;
        } else {
            return Some(Exit::Portal([inside, v1, v2, v3]));
        }
        outward = plane(&v1, &v2);
    }
    None
}

/// Moves the portal outward until it is on the surface: the point of it nearest to the origin, and the place of
/// contact. `None` where it gets there before it has passed the origin.
fn refine(mut portal: [Vertex; 4], support: impl Fn(DVec3) -> Vertex, options: &CcdOptions) -> Option<(DVec3, DVec3)> {
    let mut passed = false;
    let mut steps = 0;
    for _ in 0..MOST_STEPS {
        let [_, v1, v2, v3] = portal.map(|v| v.w);
        let outward = (v2 - v1).cross(v3 - v1).normalize_or_zero();
        let ahead = outward.dot(v1);
        passed |= ahead > 0.0 || is_zero(ahead);
        let next = support(outward);
        let far = next.w.dot(outward);
        let gained = [v1, v2, v3].iter().fold(f64::INFINITY, |least, v| least.min(far - v.dot(outward)));
        let arrived = gained <= options.tolerance;
        if passed && (arrived || steps > options.iterations) {
            let nearest = simplex::nearest(3, &[v1, v2, v3, DVec3::ZERO]).point;
            return Some((nearest, place(&portal, outward)));
        }
        if !passed && (arrived || (far < 0.0 && !is_zero(far))) {
            return None;
        }
        steps += usize::from(passed);
        expand(&mut portal, next);
    }
    None
}

/// Replaces the corner of the portal that the ray no longer needs.
fn expand(portal: &mut [Vertex; 4], next: Vertex) {
    let side = next.w.cross(portal[0].w);
    let replaced = if portal[1].w.dot(side) > 0.0 {
        if portal[2].w.dot(side) > 0.0 { 1 } else { 3 }
    } else if portal[3].w.dot(side) > 0.0 {
        2
    } else {
        1
    };
    portal[replaced] = next;
}

/// The place of contact: where the origin is in the tetrahedron, or its projection along `outward` in the portal, by
/// the same weights in both shapes.
fn place(portal: &[Vertex; 4], outward: DVec3) -> DVec3 {
    let [v0, v1, v2, v3] = portal.map(|v| v.w);
    let mut weights = [v1.cross(v2).dot(v3), v3.cross(v2).dot(v0), v0.cross(v1).dot(v3), v2.cross(v1).dot(v0)];
    let mut total: f64 = weights.iter().sum();
    if is_zero(total) || total < 0.0 {
        weights = [0.0, v2.cross(v3).dot(outward), v3.cross(v1).dot(outward), v1.cross(v2).dot(outward)];
        total = weights[1] + weights[2] + weights[3];
    }
    let sum = |part: fn(&Vertex) -> DVec3| portal.iter().zip(weights).map(|(v, w)| part(v) * w).sum::<DVec3>() / total;
    0.5 * (sum(|v| v.a) + sum(|v| v.b))
}

fn is_zero(x: f64) -> bool {
    x.abs() < f64::EPSILON
}
