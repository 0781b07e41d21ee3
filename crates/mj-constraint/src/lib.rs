//! Soft constraints: rows, impedance, reference acceleration, and the derivative of the constraint force.
//!
//! - [`make_rows`] turns a state's equalities, friction losses, limits and contacts into [`Rows`].
//! - [`reference()`] adds what depends on velocity.
//! - [`AugmentedContacts`] are contacts of thin flexes that are kept from overlapping, as rows of their own.
//! - [`derivative`] is how the constraint force changes with position and velocity.
//!
//! [`Rows::view`] gives the rows as [`mj_problem`] defines them, with their convex cost.
//!
//! It knows no shapes, no text and no time stepping.
//!
//! # Example
//!
//! ```
//! use mj_constraint::Softness;
//! use mj_model::Model;
//!
//! // MJCF's defaults: a time constant of 20 ms, critical damping, an impedance of 0.9 to 0.95 over a millimetre.
//! let softness = Softness::new(&Model::default(), [0.02, 1.0], [0.0; 2], [0.9, 0.95, 0.001, 0.5, 2.0]);
//! let (impedance, _) = softness.impedance(-0.0005);
//! assert!((impedance - 0.925).abs() < 1e-12);
//! ```
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
