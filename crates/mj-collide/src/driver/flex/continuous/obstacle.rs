//! Static geoms as obstacles: distances from their surfaces, their corners and edges.

use crate::driver::CollideWorkspace;
use crate::driver::filter::collidable;
use crate::driver::plan::Plan;
use crate::{Hull, Placed, Pose, Shape, ShapeKind};
use mj_math::closest::{on_triangle, point};
use mj_math::{DMat3, DVec3};
use mj_model::*;
use std::sync::Arc;

/// Returns whether contacts of two flexes are resolved by continuous collision: both are surfaces whose vertices move with bodies.
pub fn resolves_flexes(m: &Model, [f1, f2]: [FlexId; 2]) -> bool {
    [f1, f2].iter().all(|&f| m.flex.dim[f] == 2 && m.flex.interp[f] == 0)
}

/// Returns whether contacts of a flex with a geom are resolved by continuous collision: the geom is static and a plane, a
/// ball, a capsule, a box or a mesh.
pub fn resolves_flex_geom(m: &Model, f: FlexId, g: GeomId) -> bool {
    let kinds = [GeomType::Plane, GeomType::Sphere, GeomType::Capsule, GeomType::Box, GeomType::Mesh];
    resolves_flexes(m, [f, f]) && m.body.weldid[m.geom.bodyid[g]] == BodyId::WORLD && kinds.contains(&m.geom.r#type[g])
}

/// A static geom.
#[derive(Clone, Copy, Debug)]
struct Obstacle {
    geom: GeomId,
    kind: ShapeKind,
    size: DVec3,
    pose: Pose,
    mesh: Option<MeshId>,
}

/// The static geoms that flexes may touch, with their corners and edges.
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    /// Has the hulls of meshes.
    plan: Option<Arc<Plan>>,
    geom: Vec<Obstacle>,
    /// Corners, and the places of their geoms in the list.
    pub(super) corner: Vec<(DVec3, u32)>,
    /// Ends of edges, and the places of their geoms in the list.
    pub(super) edge: Vec<([DVec3; 2], u32)>,
}

impl Obstacles {
    /// Collects the obstacles at the geoms' poses.
    pub fn collect(
        &mut self,
        m: &Model,
        ws: &CollideWorkspace,
        xpos: &IdVec<GeomId, DVec3>,
        xmat: &IdVec<GeomId, DMat3>,
    ) {
        self.geom.clear();
        self.corner.clear();
        self.edge.clear();
        for g in m.geom.ids().filter(|&g| collidable(m, g) && m.flex.ids().any(|f| resolves_flex_geom(m, f, g))) {
            let Placed { shape, pose } = ws.place(m, xpos, xmat, g);
            let mesh = usize::try_from(m.geom.dataid[g]).ok().map(MeshId::new);
            if shape.kind != ShapeKind::Mesh || shape.hull.is_some() {
                self.geom.push(Obstacle { geom: g, kind: shape.kind, size: shape.size, pose, mesh });
                self.add_features(&shape, &pose);
            }
        }
        self.plan = Some(ws.plan.clone());
    }

    /// Adds the corners and edges of the last obstacle.
    fn add_features(&mut self, shape: &Shape<'_>, pose: &Pose) {
        let size = shape.size;
        let end = DVec3::Z * size.y;
        match (shape.kind, shape.hull) {
            (ShapeKind::Sphere, _) => self.add_polyhedron(pose, &[DVec3::ZERO], |_| &[]),
            (ShapeKind::Capsule, _) => self.add_polyhedron(pose, &[-end, end], |c| &[[1], [0]][c]),
            (ShapeKind::Box, _) => {
                // Corner c lies on the side that bit k of c tells along axis k; an edge changes one bit.
                let sign = |c: usize, k: usize| if c >> k & 1 == 1 { size[k] } else { -size[k] };
                let corners: [DVec3; 8] = std::array::from_fn(|c| DVec3::new(sign(c, 0), sign(c, 1), sign(c, 2)));
                let next: [[u32; 3]; 8] = std::array::from_fn(|c| [c as u32 ^ 1, c as u32 ^ 2, c as u32 ^ 4]);
                self.add_polyhedron(pose, &corners, |c| &next[c]);
            }
            (ShapeKind::Mesh, Some(hull)) => {
                self.add_polyhedron(pose, hull.corners(), |c| hull.neighbours(c as u32));
            }
            _ => {}
        }
    }

    /// Adds corners, and the edges from each to its neighbours.
    fn add_polyhedron<'n>(&mut self, pose: &Pose, corners: &[DVec3], neighbours: impl Fn(usize) -> &'n [u32]) {
        let last = self.geom.len() as u32 - 1;
        let at = |c: usize| pose.pos + pose.mat * corners[c];
        for a in 0..corners.len() {
            self.corner.push((at(a), last));
            for b in neighbours(a).iter().map(|&b| b as usize).filter(|&b| a < b) {
                self.edge.push(([at(a), at(b)], last));
            }
        }
    }

    /// The geoms, in order.
    pub(super) fn geoms(&self) -> impl Iterator<Item = GeomId> {
        self.geom.iter().map(|o| o.geom)
    }

    /// The geom at a place in the list.
    pub(super) fn geom(&self, i: u32) -> GeomId {
        self.geom[i as usize].geom
    }

    /// Radius of what lies around the corners and edges of a geom.
    pub(super) fn rounding(&self, i: u32) -> f64 {
        let o = &self.geom[i as usize];
        if matches!(o.kind, ShapeKind::Sphere | ShapeKind::Capsule) { o.size.x } else { 0.0 }
    }

    /// Distance of a point from the surface of a geom, negative inside, and the direction outwards; world frame.
    pub(super) fn surface(&self, i: u32, p: DVec3) -> (f64, DVec3) {
        let Obstacle { kind, size, pose, mesh, .. } = self.geom[i as usize];
        let hull = self.plan.as_ref().zip(mesh).and_then(|(plan, mesh)| plan.hulls.0[mesh].as_ref());
        let shape = Shape { hull, ..Shape::primitive(kind, size) };
        let (distance, out) = outwards(&shape, pose.mat.transpose() * (p - pose.pos));
        (distance, pose.mat * out)
    }
}

/// Distance and direction of a point from the nearest one of what it is outside of; where they coincide, `fallback`.
fn away(p: DVec3, nearest: DVec3, fallback: DVec3) -> (f64, DVec3) {
    let out = p - nearest;
    let distance = out.length();
    (distance, if distance < 1e-12 { fallback } else { out / distance })
}

/// Signed distance of a point from the surface of a convex shape, and the direction outwards; inside, those of the side that
/// is left first. The frame is the shape's.
fn outwards(shape: &Shape, p: DVec3) -> (f64, DVec3) {
    let size = shape.size;
    match (shape.kind, shape.hull) {
        (ShapeKind::Plane, _) => (p.z, DVec3::Z),
        (ShapeKind::Sphere, _) => {
            let (distance, out) = away(p, DVec3::ZERO, DVec3::Z);
            (distance - size.x, out)
        }
        (ShapeKind::Capsule, _) => {
            let (distance, out) = away(p, DVec3::Z * p.z.clamp(-size.y, size.y), DVec3::X);
            (distance - size.x, out)
        }
        (ShapeKind::Box, _) => {
            let nearest = p.clamp(-size, size);
            if nearest != p {
                return away(p, nearest, DVec3::Z);
            }
            let depth = size - p.abs();
            let axis = (0..3).fold(0, |least, k| if depth[k] < depth[least] { k } else { least });
            (-depth[axis], DVec3::AXES[axis] * if p[axis] >= 0.0 { 1.0 } else { -1.0 })
        }
        (_, Some(hull)) => of_hull(hull, p),
        _ => (f64::INFINITY, DVec3::Z),
    }
}

fn of_hull(hull: &Hull, p: DVec3) -> (f64, DVec3) {
    let mut highest = (f64::NEG_INFINITY, DVec3::Z);
    let mut nearest = (f64::INFINITY, DVec3::ZERO);
    for side in 0..hull.side_count() {
        let [first, rest @ ..] = hull.side(side) else { continue };
        let at = |c: &u32| hull.corners()[*c as usize];
        let height = hull.normal(side).dot(p - at(first));
        if height > highest.0 {
            highest = (height, hull.normal(side));
        }
        // The nearest point is on a side that the point is above.
        for pair in rest.windows(2).filter(|_| height > 0.0) {
            let triangle = [at(first), at(&pair[0]), at(&pair[1])];
            let x = point(&on_triangle(p, triangle), &triangle);
            let square = (p - x).length_squared();
            if square < nearest.0 {
                nearest = (square, x);
            }
        }
    }
    if highest.0 <= 0.0 { highest } else { away(p, nearest.1, highest.1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_point() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(-2.0..2.0f64).prop_map(DVec3::from_array)
    }

    proptest! {
        /// A box and the polyhedron of its corners are one; the direction is the slope of the distance.
        #[test]
        fn distances_of_a_box_and_its_hull_agree(p in any_point(), size in prop::array::uniform3(0.2..1.0f64)) {
            let size = DVec3::from_array(size);
            let corners: Vec<DVec3> = (0..8)
                .map(|c| DVec3::from_array(std::array::from_fn(|k| if c >> k & 1 == 1 { size[k] } else { -size[k] })))
                .collect();
            let hull = Hull::from_points(&corners).unwrap();
            let shapes = [Shape::primitive(ShapeKind::Box, size), Shape::mesh(&hull)];
            let [a, b] = shapes.each_ref().map(|s| outwards(s, p));
            prop_assert!((a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).length() < 1e-6, "{a:?} {b:?}");
            let step = 1e-6;
            let slope = (outwards(&shapes[1], p + a.1 * step).0 - a.0) / step;
            prop_assert!((slope - 1.0).abs() < 1e-5, "{slope}");
        }
    }
}
