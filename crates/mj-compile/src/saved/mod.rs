//! Specs as MJCF can say them: what a saved model needs in addition to its source, or in its place.

mod canonical;
mod inertials;

use crate::expand_flexcomps;
use mj_model::plugin::Registry;
use mj_model::spec::Compiler;
use mj_model::{Diagnostics, Elastic3d, Severity, Spec};

/// Why a spec can't be saved as MJCF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The material of a flex has no attribute.
    #[error(
        "flex `{0}` is neo-Hookean (`elastic3d`), which has no attribute in MJCF: save the compiled model in binary form"
    )]
    NeoHookean(String),
    /// Texture coordinates of the corners of a mesh's triangles have no attribute.
    #[error(
        "mesh `{0}` has texture coordinates of the corners of its triangles (`facetexcoord`), which have no attribute in \
         MJCF: give it one pair for each vertex, or save the compiled model in binary form"
    )]
    FaceTexcoord(String),
    /// A flexcomp that is to be saved as bodies and a flex is wrong.
    #[error("{0}")]
    Flexcomp(String),
}

/// Returns the spec as MuJoCo saves it, for `mj_mjcf::write`. It compiles to the model of the original.
///
/// - Flexcomps are bodies, flexes and equality constraints.
/// - Where `compiler.savecompiled` or `compiler.savecanonical` is true, as both are by default, angles are radians,
///   orientations are quaternions, `fromto` is position, orientation and size, and `fullinertia` is principal moments.
///   Where both are false, these stay in the notation in which they were written.
/// - Where `compiler.saveinertial` asks for it, each body has its mass and inertia written out. So it is where attached
///   bodies keep rules of their own for these, which MJCF has no words for.
///
/// Numbers from which the compiler computes others, for example the mesh that a primitive is fitted to, stay as they are:
/// the compiler computes from them what it computed before. The three settings are not saved themselves.
///
/// ```
/// use mj_model::Spec;
/// use mj_model::spec::{Body, Orientation};
///
/// let mut spec = Spec::default();
/// let turned = Orientation::Euler([0.0, 0.0, 90.0]);
/// spec.worldbody.bodies.push(Body { orientation: turned.clone(), ..Default::default() });
/// let saved = mj_compile::to_save(&spec).unwrap();
/// assert!(!saved.compiler.degree);
/// assert!(matches!(saved.worldbody.bodies[0].orientation, Orientation::Quat(_)));
///
/// (spec.compiler.savecompiled, spec.compiler.savecanonical) = (false, false);
/// assert_eq!(mj_compile::to_save(&spec).unwrap().worldbody.bodies[0].orientation, turned);
/// ```
///
/// # Errors
/// If MJCF has no words for a part of the spec, or a flexcomp is wrong.
pub fn to_save(spec: &Spec) -> Result<Spec, SaveError> {
    to_save_with(spec, &mj_plugins::builtin())
}

/// Returns the spec as [`to_save`] does, for a model that is loaded with the decoders of a registry.
///
/// # Errors
/// If MJCF has no words for a part of the spec, or a flexcomp is wrong.
pub fn to_save_with(spec: &Spec, registry: &Registry) -> Result<Spec, SaveError> {
    if let Some(f) = spec.flexes.iter().find(|f| f.elasticity.elastic3d != Elastic3d::SaintVenantKirchhoff) {
        return Err(SaveError::NeoHookean(f.name.clone()));
    }
    if let Some(m) = spec.meshes.iter().find(|m| !m.facetexcoord.is_empty()) {
        return Err(SaveError::FaceTexcoord(m.name.clone()));
    }
    let mut diag = Diagnostics::default();
    let filled = spec.with_defaults(&mut Diagnostics::default());
    let expanded = expand_flexcomps(&filled, registry, &mut diag);
    if let Some(wrong) = diag.list.iter().find(|d| d.severity == Severity::Error) {
        return Err(SaveError::Flexcomp(wrong.message.clone()));
    }
    let mut saved = inertials::written_out(expanded.as_ref().unwrap_or(&filled), registry);
    if spec.compiler.savecompiled || spec.compiler.savecanonical {
        canonical::make(&mut saved);
    }
    let Compiler { saveinertial, savecompiled, savecanonical, .. } = Compiler::default();
    saved.compiler = Compiler { saveinertial, savecompiled, savecanonical, ..saved.compiler };
    Ok(saved)
}
