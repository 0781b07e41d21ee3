//! Edits of specs that need what the compiler computes: masses and inertias, bodies that can't move, geoms that are only seen.
//!
//! Each leaves the spec as it is where it fails. Where it changes something, the values of default classes are written to
//! all elements, and flexcomps are bodies and flexes.

mod copy_back;
mod fuse;
mod masses;
mod visual;

use crate::asset::{hfield, mesh};
use crate::context::Context;
use crate::tree::body::{self, BodyBuild};
use crate::{expand_flexcomps, inertia::Mass, plugins, resize};
pub use copy_back::copy_back;
pub use fuse::fuse_static;
pub use masses::{adopt_inertial, set_total_mass};
use mj_model::plugin::Registry;
use mj_model::spec::{Inertial, Orientation};
use mj_model::{Diagnostics, Model, ObjType, Severity, Spec};
pub use visual::discard_visual;

/// Why a spec can't be edited.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// There is no body of this name below the world.
    #[error("there is no body `{0}` below the world")]
    NoBody(String),
    /// Masses follow from geoms whatever is written (`inertiafromgeom="true"`), but would have to be written.
    #[error(
        "masses and inertias follow from geoms, because `inertiafromgeom` is true; they can be written if it is auto"
    )]
    FromGeoms,
    /// Frames resize what is in them, but a mass would have to be written in one.
    #[error("frames with a `scale` hold bodies that would be merged; apply the scale first")]
    Resizes,
    /// A total mass is not positive and finite, or the bodies have none.
    #[error("a total mass of {0} can't be had: it must be positive, and bodies need mass")]
    TotalMass(f64),
    /// The model has another structure than the one that the spec compiles to.
    #[error("the model was not compiled from this spec as it is structured now")]
    Structure,
    /// Numbers of this array were changed so that no spec compiles to them.
    #[error("`{0}` was changed in the model in a way that the spec can't express")]
    Inexpressible(String),
    /// The model has errors.
    #[error("{}", first_error(.0))]
    Model(Diagnostics),
}

fn first_error(diag: &Diagnostics) -> &str {
    let first = diag.list.iter().find(|d| d.severity == Severity::Error);
    first.map_or("the model has errors", |d| &d.message)
}

/// Returns a spec with the values of default classes in all elements, and without flexcomps.
fn prepared(spec: &Spec) -> Result<Spec, EditError> {
    let mut diag = Diagnostics::default();
    let filled = spec.with_defaults(&mut diag).into_owned();
    let expanded = expand_flexcomps(&filled, &mj_plugins::builtin(), &mut diag);
    if diag.has_errors() { Err(EditError::Model(diag)) } else { Ok(expanded.unwrap_or(filled)) }
}

/// Does something with the compiled bodies of a spec that was prepared, depth first.
pub(crate) fn with_bodies<T>(
    spec: &Spec,
    registry: &Registry,
    f: impl FnOnce(&mut Context<'_>, &[BodyBuild<'_>]) -> Result<T, EditError>,
) -> Result<T, EditError> {
    let resized = resize::resized(spec, &mut Diagnostics::default());
    let mut cx = Context::of(spec, resized.as_ref(), registry);
    plugins::make_all(&mut cx);
    cx.register(ObjType::Texture, cx.spec.textures.iter().map(|t| (t.name.as_str(), t.loc)));
    cx.register(ObjType::Material, cx.spec.materials.iter().map(|t| (t.name.as_str(), t.loc)));
    mesh::compile_all(&mut cx);
    hfield::write(&mut cx, &mut Model::default());
    let bodies = body::compile_all(&mut cx);
    let done = f(&mut cx, &bodies)?;
    if cx.diag.has_errors() { Err(EditError::Model(cx.diag)) } else { Ok(done) }
}

/// Returns a mass as an element.
fn written(own: Mass) -> Inertial {
    Inertial {
        pos: own.pose.pos,
        orientation: Orientation::Quat(own.pose.quat),
        mass: own.mass,
        diaginertia: Some(own.inertia.to_array()),
        ..Default::default()
    }
}

/// Returns the inertials that bodies compile to, depth first, as they are before frames resize them.
pub(crate) fn inertials(spec: &Spec, bodies: &[BodyBuild<'_>]) -> Vec<Inertial> {
    let mut all: Vec<Inertial> = bodies.iter().map(|b| written(b.own)).collect();
    resize::before(spec, &mut all);
    all
}
