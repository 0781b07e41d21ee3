//! Convex collision: contacts between primitive shapes, polyhedra and height fields, in f64, with or without a model.
//!
//! The narrow phase knows shapes and poses only: [`Colliders`] is a table with a function for every pair of
//! shapes. The driver, [`collide`], finds the pairs of a model's geoms that may touch and adds the parameters.
//!
//! It knows nothing of constraint rows, dynamics or files.
//!
//! # Example
//!
//! ```
//! use mj_collide::{CcdWorkspace, Colliders, Placed, Pose, PreContacts, Query, Shape};
//! use mj_math::{DMat3, DVec3};
//!
//! let ball = Placed::new(Shape::sphere(0.1), Pose { pos: DVec3::new(0.0, 0.0, 0.09), mat: DMat3::IDENTITY });
//! let floor = Placed::new(Shape::plane(), Pose::IDENTITY);
//! let mut contacts = PreContacts::new();
//! Colliders::new().collide(&floor, &ball, &Query::default(), &mut CcdWorkspace::default(), &mut contacts);
//! assert!((contacts[0].dist + 0.01).abs() < 1e-15);
//! ```
#![forbid(unsafe_code)]

mod bounding_box;
mod ccd;
mod colliders;
mod convex_hull;
mod driver;
mod frame;
mod heights;
mod hull;
mod motion;
mod overlap;
mod pairs;
mod polygon;
mod precontact;
mod query;
mod ray;
mod sdf;
mod shape;
mod shape_distance;
mod surface;
mod tree;

pub use ccd::{CcdWorkspace, SupportMap, Witness, distance, protrusion, signed_distance};
pub use colliders::{Collider, Colliders, CustomCollider};
pub use convex_hull::{convex_hull, unite};
pub use driver::continuous;
pub use driver::{
    CollideWorkspace, Contact, ContactFilter, ContactSlopes, Contacts, FlexHit, FlexParts, FlexPoses, PreviousContacts,
    RayFilter, RayHit, cast_ray, cast_ray_at, cast_ray_at_flex, cast_rays, ccd_options, collide, collide_ahead,
    collide_flexes, collide_incremental, contact_between, contact_slopes, detection_margin, geom_distance,
    max_contacts, overlapping_geoms, sdf_options, shape_kind,
};
pub use frame::complete_frame;
pub use heights::Heights;
pub use hull::{Hull, HullError};
pub use motion::{ContactMotion, Touching};
pub use overlap::{overlap, overlapping};
pub use precontact::{MAX_CONTACTS, PreContact, PreContacts};
pub use query::{CcdAlgorithm, CcdOptions, Query, SdfOptions};
pub use ray::{ray, surface_normal};
pub use sdf::{FaceTree, Octree, OctreeNode, SignedField};
pub use shape::{Placed, Pose, Shape, ShapeKind, Simplex, Solid};
pub use shape_distance::{shape_distance, shape_distance_gradient};
pub use surface::ray_triangle;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
