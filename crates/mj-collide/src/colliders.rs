//! Which function answers for which pair of shapes: a table that can be changed.

use crate::pairs::{
    box_box::box_box, capsule_box::capsule_box, capsule_capsule::capsule_capsule, convex::convex, plane_box::plane_box,
    plane_capsule::plane_capsule, plane_cylinder::plane_cylinder, plane_ellipsoid::plane_ellipsoid,
    plane_sphere::plane_sphere, sphere_box::sphere_box, sphere_capsule::sphere_capsule,
    sphere_cylinder::sphere_cylinder, sphere_sphere::sphere_sphere,
};
use crate::{CcdWorkspace, Placed, PreContacts, Query, ShapeKind};

/// Appends the contacts of two placed shapes, the first of no later kind than the second.
pub type Collider = fn(&Placed, &Placed, &Query, &mut CcdWorkspace, &mut PreContacts);

const N: usize = ShapeKind::COUNT;

/// The function for every pair of kinds; `None` where two kinds never collide.
#[derive(Clone, Debug)]
pub struct Colliders {
    functions: [[Option<Collider>; N]; N],
}

impl Colliders {
    /// The built-in functions.
    pub fn new() -> Self {
        use ShapeKind::*;
        let mut table = Self { functions: [[None; N]; N] };
        let builtin: [(ShapeKind, ShapeKind, Collider); 20] = [
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
        ];
        for (first, second, function) in builtin {
            table.set(first, second, Some(function));
        }
        table
    }

    /// The function for a pair of kinds, given in either order.
    pub fn get(&self, first: ShapeKind, second: ShapeKind) -> Option<Collider> {
        let (i, j) = order(first, second);
        self.functions[i][j]
    }

    /// Replaces the function for a pair of kinds, given in either order; `None` switches the pair off. The
    /// function will get the shapes in the order of their kinds.
    pub fn set(&mut self, first: ShapeKind, second: ShapeKind, function: Option<Collider>) {
        let (i, j) = order(first, second);
        self.functions[i][j] = function;
    }

    /// Fills `out` with the contacts of two shapes, in any order; normals point from `a` to `b`.
    pub fn collide(&self, a: &Placed, b: &Placed, query: &Query, ws: &mut CcdWorkspace, out: &mut PreContacts) {
        out.clear();
        let swapped = a.shape.kind > b.shape.kind;
        let (first, second) = if swapped { (b, a) } else { (a, b) };
        if let Some(function) = self.get(first.shape.kind, second.shape.kind) {
            function(first, second, query, ws, out);
        }
        if swapped {
            for contact in out.as_mut_slice() {
                contact.normal = -contact.normal;
            }
        }
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
