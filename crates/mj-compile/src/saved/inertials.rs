//! Masses and inertias that MJCF has no rules for, written out.

use crate::edit;
use mj_model::plugin::Registry;
use mj_model::spec::{Compiler, Inertial};
use mj_model::{InertiaFromGeom, Spec};

/// Returns the spec with all that MJCF needs to say of its inertias: where `saveinertial` asks for it, each body has its mass
/// and inertia written out; and where attached bodies keep rules of their own for these, too, and no rules are left that
/// could change them.
pub(super) fn written_out(spec: &Spec, registry: &Registry) -> Spec {
    let mut saved = spec.clone();
    let mut has_rules = false;
    saved.worldbody.each_mut(&mut |b| has_rules |= b.mass_rules.take().is_some());
    if !has_rules && !spec.compiler.saveinertial {
        return saved;
    }
    let inertials = edit::with_bodies(spec, registry, |_, bodies| Ok(edit::inertials(spec, bodies)));
    let Ok(inertials) = inertials else { return spec.clone() };
    // All go depth-first. The world has no mass.
    let mut inertials = inertials.into_iter();
    let mut is_world = true;
    saved.worldbody.each_mut(&mut |b| {
        let Some(own) = inertials.next() else { return };
        if !std::mem::take(&mut is_world) {
            b.inertial = Some(Inertial { loc: b.inertial.as_ref().map_or(b.loc, |i| i.loc), ..own });
        }
    });
    if has_rules {
        saved.compiler.set_mass_rules(Compiler::default().mass_rules());
        saved.compiler.inertiafromgeom = InertiaFromGeom::Auto;
    }
    saved
}
