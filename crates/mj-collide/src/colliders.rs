//! Which function answers for which pair of shapes: a table that can be changed.

use crate::ccd::distance_within;
use crate::pairs::{
    box_box::box_box, capsule_box::capsule_box, capsule_capsule::capsule_capsule, convex::convex,
    hfield_convex::hfield_convex, plane_box::plane_box, plane_capsule::plane_capsule, plane_cylinder::plane_cylinder,
    plane_ellipsoid::plane_ellipsoid, plane_mesh::plane_mesh, plane_sphere::plane_sphere, sdf::mesh_sdf,
    sdf::shape_sdf, sphere_box::sphere_box, sphere_capsule::sphere_capsule, sphere_cylinder::sphere_cylinder,
    sphere_sphere::sphere_sphere,
};
use crate::{CcdWorkspace, Placed, PreContacts, Query, ShapeKind, Witness};
use std::fmt;
use std::sync::Arc;

/// Appends the contacts of two placed shapes, the first of no later kind than the second.
pub type Collider = fn(&Placed, &Placed, &Query, &mut CcdWorkspace, &mut PreContacts);

/// A function as [`Collider`] that captures state: it is shared by copies of the table, and may be called from
/// several threads.
pub type CustomCollider = dyn Fn(&Placed, &Placed, &Query, &mut CcdWorkspace, &mut PreContacts) + Send + Sync;

const N: usize = ShapeKind::COUNT;

/// The function for every pair of kinds; `None` where two kinds never collide.
#[derive(Clone)]
pub struct Colliders {
    functions: [[Option<Collider>; N]; N],
    /// Functions that capture state, each with the pair of kinds that it is for; mostly none.
    custom: Vec<([usize; 2], Arc<CustomCollider>)>,
}

impl fmt::Debug for Colliders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let custom: Vec<_> = self.custom.iter().map(|(kinds, _)| kinds).collect();
        f.debug_struct("Colliders").field("custom", &custom).finish_non_exhaustive()
    }
}

impl Colliders {
    /// The built-in functions.
    pub fn new() -> Self {
        use ShapeKind::*;
        let mut table = Self { functions: [[None; N]; N], custom: Vec::new() };
        let builtin: [(ShapeKind, ShapeKind, Collider); 41] = [
            (Plane, Sphere, plane_sphere),
            (Plane, Capsule, plane_capsule),
            (Plane, Ellipsoid, plane_ellipsoid),
            (Plane, Cylinder, plane_cylinder),
            (Plane, Box, plane_box),
            (Sphere, Sphere, sphere_sphere),
            (Sphere, Capsule, sphere_capsule),
            (Sphere, Ellipsoid, convex),
            (Sphere, Cylinder, sphere_cylinder),
            (Sphere, Box, sphere_box),
            (Capsule, Capsule, capsule_capsule),
            (Capsule, Ellipsoid, convex),
            (Capsule, Cylinder, convex),
            (Capsule, Box, capsule_box),
            (Ellipsoid, Ellipsoid, convex),
            (Ellipsoid, Cylinder, convex),
            (Ellipsoid, Box, convex),
            (Cylinder, Cylinder, convex),
            (Cylinder, Box, convex),
            (Box, Box, box_box),
            (Plane, Mesh, plane_mesh),
            (Sphere, Mesh, convex),
            (Capsule, Mesh, convex),
            (Ellipsoid, Mesh, convex),
            (Cylinder, Mesh, convex),
            (Box, Mesh, convex),
            (Mesh, Mesh, convex),
            (Hfield, Sphere, hfield_convex),
            (Hfield, Capsule, hfield_convex),
            (Hfield, Ellipsoid, hfield_convex),
            (Hfield, Cylinder, hfield_convex),
            (Hfield, Box, hfield_convex),
            (Hfield, Mesh, hfield_convex),
            (Plane, Sdf, plane_mesh),
            (Sphere, Sdf, shape_sdf),
            (Capsule, Sdf, shape_sdf),
            (Ellipsoid, Sdf, shape_sdf),
            (Cylinder, Sdf, shape_sdf),
            (Box, Sdf, shape_sdf),
            (Mesh, Sdf, mesh_sdf),
            (Sdf, Sdf, shape_sdf),
        ];
        for (first, second, function) in builtin {
            table.set(first, second, Some(function));
        }
        table
    }

    /// Tells whether there is a function for a pair of kinds, given in either order.
    pub fn collides(&self, first: ShapeKind, second: ShapeKind) -> bool {
        self.custom(first, second).is_some() || self.get(first, second).is_some()
    }

    #[inline]
    fn custom(&self, first: ShapeKind, second: ShapeKind) -> Option<&CustomCollider> {
        if self.custom.is_empty() {
            return None;
        }
        let (i, j) = order(first, second);
        self.custom.iter().find(|(kinds, _)| *kinds == [i, j]).map(|(_, function)| &**function)
    }

    /// Appends the contacts of two shapes, of which the first is of no later kind than the second; returns whether there
    /// is a function for them.
    #[inline]
    pub(crate) fn append(
        &self,
        first: &Placed,
        second: &Placed,
        query: &Query,
        ws: &mut CcdWorkspace,
        out: &mut PreContacts,
    ) -> bool {
        let kinds = (first.shape.kind, second.shape.kind);
        if let Some(function) = self.custom(kinds.0, kinds.1) {
            function(first, second, query, ws, out);
        } else if let Some(function) = self.get(kinds.0, kinds.1) {
            function(first, second, query, ws, out);
        } else {
            return false;
        }
        true
    }

    /// Replaces the function for a pair of kinds, given in either order, by one that may capture state. The function will
    /// get the shapes in the order of their kinds.
    pub fn set_custom(
        &mut self,
        first: ShapeKind,
        second: ShapeKind,
        function: impl Fn(&Placed, &Placed, &Query, &mut CcdWorkspace, &mut PreContacts) + Send + Sync + 'static,
    ) {
        self.set(first, second, None);
        let (i, j) = order(first, second);
        self.custom.push(([i, j], Arc::new(function)));
    }

    /// The function for a pair of kinds, given in either order; `None` too where it is one that captures state.
    pub fn get(&self, first: ShapeKind, second: ShapeKind) -> Option<Collider> {
        let (i, j) = order(first, second);
        self.functions[i][j]
    }

    /// Replaces the function for a pair of kinds, given in either order; `None` switches the pair off. The
    /// function will get the shapes in the order of their kinds.
    pub fn set(&mut self, first: ShapeKind, second: ShapeKind, function: Option<Collider>) {
        let (i, j) = order(first, second);
        self.functions[i][j] = function;
        self.custom.retain(|(kinds, _)| *kinds != [i, j]);
    }

    /// Signed distance of two shapes, in any order, with the points that realize it; `None` where they are at least the
    /// query's margin apart, or where the table has no function for the pair. Where the pair's contacts are in closed form,
    /// it is that of the deepest; `found` is memory for them.
    pub fn distance(
        &self,
        a: &Placed,
        b: &Placed,
        query: &Query,
        ws: &mut CcdWorkspace,
        found: &mut PreContacts,
    ) -> Option<Witness> {
        let (first, second) = (a.shape.kind.min(b.shape.kind), a.shape.kind.max(b.shape.kind));
        if !self.collides(first, second) {
            return None;
        }
        if !contacts_are_nearest(first, second) {
            return distance_within(a, b, query.margin, &query.ccd, ws);
        }
        self.collide(a, b, query, ws, found);
        let deepest = found
            .iter()
            .filter(|c| c.dist < query.margin)
            .reduce(|best, c| if c.dist < best.dist { c } else { best })?;
        let half = deepest.normal * (0.5 * deepest.dist);
        Some(Witness { dist: deepest.dist, normal: deepest.normal, points: [deepest.pos - half, deepest.pos + half] })
    }

    /// Fills `out` with the contacts of two shapes, in any order; normals point from `a` to `b`.
    pub fn collide(&self, a: &Placed, b: &Placed, query: &Query, ws: &mut CcdWorkspace, out: &mut PreContacts) {
        out.clear();
        let swapped = a.shape.kind > b.shape.kind;
        let (first, second) = if swapped { (b, a) } else { (a, b) };
        self.append(first, second, query, ws, out);
        if swapped {
            for contact in out.as_mut_slice() {
                contact.normal = -contact.normal;
            }
        }
    }
}

/// The function of two kinds, in order, that finds contacts in closed form just where the shapes overlap.
pub(crate) fn closed_form(first: ShapeKind, second: ShapeKind) -> Option<Collider> {
    use ShapeKind::*;
    Some(match (first, second) {
        (Sphere, Sphere) => sphere_sphere,
        (Sphere, Capsule) => sphere_capsule,
        (Sphere, Cylinder) => sphere_cylinder,
        (Sphere, Box) => sphere_box,
        (Capsule, Capsule) => capsule_capsule,
        (Capsule, Box) => capsule_box,
        (Box, Box) => box_box,
        _ => return None,
    })
}

/// Whether the nearest points of two kinds, in order, follow from their contacts in closed form.
fn contacts_are_nearest(first: ShapeKind, second: ShapeKind) -> bool {
    use ShapeKind::*;
    match first {
        _ if second == Sdf => true,
        Plane => true,
        Hfield => true,
        Sphere => !matches!(second, Ellipsoid | Mesh),
        Capsule => matches!(second, Capsule | Box),
        _ => false,
    }
}

impl Default for Colliders {
    fn default() -> Self {
        Self::new()
    }
}

fn order(first: ShapeKind, second: ShapeKind) -> (usize, usize) {
    let (i, j) = (first.index(), second.index());
    (i.min(j), i.max(j))
}
