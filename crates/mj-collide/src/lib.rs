//! Convex collision: contacts between primitive shapes, in f64, with or without a model.
#![forbid(unsafe_code)]

mod ccd;
mod frame;
mod pairs;
mod precontact;
mod query;
mod ray;
mod shape;
mod table;

pub use ccd::{CcdWorkspace, SupportMap, Witness};
pub use frame::complete_frame;
pub use precontact::{MAX_CONTACTS, PreContact, PreContacts};
pub use query::{CcdOptions, Query};
pub use ray::ray;
pub use shape::{Placed, Pose, Shape, ShapeKind};
pub use table::{PairFn, PairTable};
