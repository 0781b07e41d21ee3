//! Rays against flexes.

use crate::ray::{ray, surface_normal};
use crate::surface::ray_triangle;
use crate::{Placed, Pose, Shape};
use mj_math::{DMat3, DVec3};
use mj_model::{FlexId, Model};

/// Parts of a flex that a ray can meet, as they are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlexParts {
    /// Balls of the flex's radius around vertices.
    pub vertices: bool,
    /// Capsules of the flex's radius around edges. They hold the balls.
    pub edges: bool,
    /// Triangles, in the middle of the flex's thickness: of a solid those of the elements of one layer.
    pub faces: bool,
    /// The surface as a whole: capsules, and triangles of outer elements. Lines have none.
    pub skin: bool,
    /// The layer of a solid's elements, from the outside.
    pub layer: i32,
}

impl FlexParts {
    /// Everything that can be seen from outside.
    pub const ALL: Self = Self { vertices: true, edges: true, faces: true, skin: true, layer: 0 };
}

/// Where a ray meets a flex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlexHit {
    /// Distance along the ray, in units of the length of its direction.
    pub dist: f64,
    /// Unit normal of the surface there, world frame: of balls and capsules outward; of triangles to the side from which
    /// their corners are counter-clockwise.
    pub normal: DVec3,
    /// Vertex of the flex that is nearest to the place.
    pub vertex: usize,
}

/// Finds where a ray first meets parts of a flex, given the positions of all flexes' vertices (world frame). `None` where it
/// misses.
pub fn cast_ray_at_flex(
    m: &Model,
    vert_xpos: &[DVec3],
    flex: FlexId,
    origin: DVec3,
    direction: DVec3,
    parts: FlexParts,
) -> Option<FlexHit> {
    let (t, d) = (&m.flex, &m.flex_data);
    let (radius, corners) = (t.radius[flex], t.dim[flex] as usize + 1);
    let at = &vert_xpos[t.vertadr[flex] as usize..][..t.vertnum[flex] as usize];
    let mut search = Search { origin, direction, best: None };
    if !search.crosses_box(at, radius) {
        return None;
    }
    let skin = parts.skin && corners > 2;
    if parts.edges || skin {
        for &ends in &d.edge[t.edgeadr[flex] as usize..][..t.edgenum[flex] as usize] {
            let ends = ends.map(|v| v as usize);
            search.solid(&capsule(ends.map(|v| at[v]), radius), &ends, at);
        }
    } else if parts.vertices {
        for (v, &pos) in at.iter().enumerate() {
            search.solid(&Placed::new(Shape::sphere(radius), Pose { pos, mat: DMat3::IDENTITY }), &[v], at);
        }
    }
    if corners > 2 && (parts.faces || skin) {
        let layers = &d.elemlayer[t.elemadr[flex] as usize..][..t.elemnum[flex] as usize];
        let elements = d.elem[t.elemdataadr[flex] as usize..].chunks_exact(corners);
        for (e, &layer) in elements.zip(layers) {
            let hidden = if skin { layer > 0 } else { layer != parts.layer };
            if corners == 4 && hidden {
                continue;
            }
            let sides: &[[usize; 3]] = &[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
            for side in &sides[..if corners == 3 { 1 } else { 4 }] {
                let side = side.map(|k| e[k] as usize);
                let met = ray_triangle(side.map(|v| at[v]), origin, direction);
                search.take(met, &side, at);
            }
        }
    }
    search.best
}

/// A capsule around a segment.
fn capsule([a, b]: [DVec3; 2], radius: f64) -> Placed<'static> {
    let axis = (b - a).normalize_or(DVec3::Z);
    let (x, y) = axis.any_orthonormal_pair();
    let pose = Pose { pos: 0.5 * (a + b), mat: DMat3::from_cols(x, y, axis) };
    Placed::new(Shape::capsule(radius, 0.5 * (b - a).length()), pose)
}

/// The nearest hit so far.
struct Search {
    origin: DVec3,
    direction: DVec3,
    best: Option<FlexHit>,
}

impl Search {
    /// Whether the ray meets the box around points and balls of a radius about them.
    fn crosses_box(&self, points: &[DVec3], radius: f64) -> bool {
        let around = |[low, high]: [DVec3; 2], p: &DVec3| [low.min(*p), high.max(*p)];
        let [low, high] = points.iter().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], around);
        let half = 0.5 * (high - low) + DVec3::splat(radius);
        let pose = Pose { pos: 0.5 * (low + high), mat: DMat3::IDENTITY };
        // A box without a thickness is still met.
        let half = half.max(DVec3::splat(f64::MIN_POSITIVE)) * (1.0 + 1e-9);
        ray(&Placed::new(Shape::cuboid(half), pose), self.origin, self.direction).is_some()
    }

    /// A ball or capsule about some vertices.
    fn solid(&mut self, shape: &Placed, vertices: &[usize], at: &[DVec3]) {
        let met = ray(shape, self.origin, self.direction);
        let normal = |dist: f64| surface_normal(shape, self.origin + self.direction * dist);
        self.take(met.map(|dist| (dist, normal(dist))), vertices, at);
    }

    /// Takes a hit that is nearer than those before.
    fn take(&mut self, met: Option<(f64, DVec3)>, vertices: &[usize], at: &[DVec3]) {
        let Some((dist, normal)) = met else { return };
        if self.best.is_some_and(|best| best.dist <= dist) {
            return;
        }
        let place = self.origin + self.direction * dist;
        let nearer = |a: usize, b: usize| {
            let [x, y] = [a, b].map(|v| at[v].distance_squared(place));
            // Of two ends that are equally near, an edge takes the second; of corners, the first.
            if x < y || x == y && vertices.len() > 2 { a } else { b }
        };
        let vertex = vertices.iter().copied().reduce(nearer).unwrap_or(0);
        self.best = Some(FlexHit { dist, normal, vertex });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vec3(r: f64) -> impl Strategy<Value = DVec3> {
        (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    proptest! {
        /// A capsule between two points is met at the flex's radius from the segment.
        #[test]
        fn a_capsule_is_as_thick_as_the_flex(a in vec3(1.0), b in vec3(1.0), p in vec3(3.0), to in vec3(1.0)) {
            prop_assume!((p - to).length() > 0.1);
            let shape = capsule([a, b], 0.2);
            let mut search = Search { origin: p, direction: to - p, best: None };
            search.solid(&shape, &[0, 1], &[a, b]);
            if let Some(hit) = search.best {
                let at = p + (to - p) * hit.dist;
                let [u, v] = mj_math::closest::on_segment(at, [a, b]);
                let near = a * u + b * v;
                prop_assert!(((at - near).length() - 0.2).abs() < 1e-6);
                prop_assert!((hit.normal - (at - near) / 0.2).length() < 1e-6);
                prop_assert_eq!(hit.vertex, usize::from((at - b).length() <= (at - a).length()));
            }
        }
    }
}
