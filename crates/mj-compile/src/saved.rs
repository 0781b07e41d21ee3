//! Elements that a saved model needs in addition to its source.

use crate::context::Context;
use crate::inertia::Mass;
use crate::tree::body;
use crate::{asset::mesh, resize};
use mj_model::spec::{Compiler, Inertial, Orientation};
use mj_model::{Diagnostics, InertiaFromGeom, Spec};

/// The spec with all that MJCF needs to say of its inertias: where `saveinertial` asks for it, each body has its mass and
/// inertia written out; and where attached bodies keep rules of their own for these, which MJCF has no words for, too,
/// and no rules are left that could change them.
pub fn to_save(spec: &Spec) -> Spec {
    let mut saved = spec.clone();
    let mut has_rules = false;
    saved.worldbody.each_mut(&mut |b| has_rules |= b.mass_rules.take().is_some());
    if !has_rules && !spec.compiler.saveinertial {
        return saved;
    }
    let resized = resize::resized(spec, &mut Diagnostics::default());
    let mut cx = Context::of(spec, resized.as_ref());
    mesh::compile_all(&mut cx);
    let masses = body::compile_all(&mut cx);
    let written = |own: Mass| Inertial {
        pos: own.pose.pos,
        orientation: Orientation::Quat(own.pose.quat),
        mass: own.mass,
        diaginertia: Some(own.inertia.to_array()),
        ..Default::default()
    };
    let mut inertials: Vec<Inertial> = masses.iter().map(|b| written(b.own)).collect();
    // Frames will resize them once more when the model is loaded.
    resize::before(spec, &mut inertials);
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
