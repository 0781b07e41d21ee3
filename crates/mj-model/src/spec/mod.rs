//! The editable form of a model: a tree of bodies with their elements, defaults and assets.
//!
//! Elements hold what was written, with the values of their default class filled in: angles in the
//! compiler's unit, orientations in the form given. The compiler resolves all that, and fills in the
//! values of default classes for elements that a program has made. Every element that was read knows
//! its place in the source text ([`crate::Loc`]).

mod actuation;
mod assets;
mod body;
mod classes;
mod deformable;
pub(crate) mod document;
mod edit;
mod geom;
mod globals;
mod namespace;
mod orientation;
mod places;
mod plugin;
mod scene;
mod shapes;
mod shortcuts;
mod skin;
mod values;

pub use actuation::*;
pub use assets::*;
pub use body::*;
pub use classes::ClassError;
pub use deformable::*;
pub use document::DefaultClass;
pub use edit::{AttachError, Part, SpecElement};
pub use geom::*;
pub use globals::*;
pub use namespace::*;
pub use orientation::{Orientation, unit, unit_quat};
pub use places::{Place, StateSizes, each_place};
pub use plugin::*;
pub use scene::*;
pub use shapes::*;
pub use shortcuts::*;
pub use skin::*;
pub use values::*;
