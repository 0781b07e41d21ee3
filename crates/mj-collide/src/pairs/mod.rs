//! Contacts of two shapes: one file for each pair that has a closed form, and one for all the others.
//!
//! Every function takes the two shapes in the order of their kinds and appends contacts whose normals point
//! from the first to the second.

pub(crate) mod box_box;
pub(crate) mod capsule_box;
pub(crate) mod capsule_capsule;
pub(crate) mod convex;
pub(crate) mod element;
pub(crate) mod hfield_convex;
pub(crate) mod plane_box;
pub(crate) mod plane_capsule;
pub(crate) mod plane_cylinder;
pub(crate) mod plane_ellipsoid;
pub(crate) mod plane_mesh;
pub(crate) mod plane_sphere;
pub(crate) mod sdf;
pub(crate) mod sphere_box;
pub(crate) mod sphere_capsule;
pub(crate) mod sphere_cylinder;
pub(crate) mod sphere_sphere;
