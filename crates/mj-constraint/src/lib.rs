//! Soft constraints: rows, impedance, reference acceleration, and the derivative of the constraint force.
//!
//! - [`make_rows`] turns a state's equalities, friction losses, limits and contacts into [`Rows`].
//! - [`reference()`] adds what depends on velocity.
//! - [`AugmentedContacts`] are contacts of thin flexes that are kept from overlapping, as rows of their own.
//! - [`derivative`] is how the constraint force changes with position and velocity.
//!
//! [`Rows::view`] gives the rows as [`mj_problem`] defines them, with their convex cost.
#![forbid(unsafe_code)]

mod augmented;
mod builder;
mod contact;
mod coupled;
mod custom;
pub mod derivative;
mod discretize;
mod equality;
mod flex;
mod friction;
mod inputs;
mod inverse;
mod limit;
mod make;
mod passive;
mod regularize;
pub mod rows;
mod softness;
mod strain;

pub use augmented::{AugmentedContacts, ContactMemory, Places, VertexMotion};
pub use builder::RowWorkspace;
pub use contact::{contact_force, contact_wrench};
pub use coupled::RowsWithCouplings;
pub use custom::{CustomEquality, CustomRows};
pub use discretize::{StepInertia, discretize_rows};
pub use equality::{Anchors, anchors, tendon_coupling};
pub use inputs::RowInputs;
pub use inverse::forces_at;
pub use make::{make_rows, reference};
pub use rows::penalty::{PASSIVE_CONTACT_FREQUENCY_SQUARED, PassiveContacts};
pub use rows::{ContactRows, Rows};
pub use softness::{RowKind, Softness};
