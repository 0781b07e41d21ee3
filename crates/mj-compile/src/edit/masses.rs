//! Masses and inertias of bodies, written out.

use super::{EditError, inertials, prepared, with_bodies};
use crate::tree::body::mass_rules;
use mj_model::spec::{Body, Compiler, Inertial};
use mj_model::{InertiaFromGeom, Spec};

/// Writes the mass and inertia that a body has from its geoms as its own, so that later changes of its geoms don't change
/// them. The model stays what it was. Nothing is done to a body that has an inertia of its own.
///
/// ```
/// use mj_model::Spec;
/// use mj_model::spec::{Body, Geom};
///
/// let mut spec = Spec::default();
/// let geoms = vec![Geom { size: [0.1, 0.0, 0.0], mass: Some(2.0), ..Default::default() }];
/// spec.worldbody.bodies.push(Body { name: "ball".into(), geoms, ..Default::default() });
/// mj_compile::edit::adopt_inertial(&mut spec, "ball").unwrap();
/// let ball = spec.find_mut::<Body>("ball").unwrap();
/// assert_eq!(ball.inertial.as_ref().unwrap().mass, 2.0);
/// ball.geoms.clear();
/// assert_eq!(mj_compile::compile(&spec).0.unwrap().body.mass.as_slice()[1], 2.0);
/// ```
///
/// # Errors
/// If there is no such body, if the model has errors, or if masses follow from geoms whatever is written.
pub fn adopt_inertial(spec: &mut Spec, body: &str) -> Result<(), EditError> {
    let missing = || EditError::NoBody(body.to_string());
    let whole = prepared(spec)?;
    let found = whole.find::<Body>(body).filter(|_| body != "world" && !body.is_empty()).ok_or_else(missing)?;
    if mass_rules(&whole.compiler, found).inertiafromgeom == InertiaFromGeom::True {
        return Err(EditError::FromGeoms);
    }
    if found.inertial.is_some() {
        return Ok(());
    }
    let own = with_bodies(&whole, &mj_plugins::builtin(), |_, bodies| {
        let row = bodies.iter().skip(1).position(|b| b.src.name == body).ok_or_else(missing)?;
        Ok(inertials(&whole, bodies).swap_remove(row + 1))
    })?;
    if let Some(b) = spec.find_mut::<Body>(body) {
        b.inertial = Some(Inertial { loc: b.loc, ..own });
    }
    Ok(())
}

/// Scales the masses and inertias of all bodies to a total mass, kg, and writes them out. The spec then compiles to the model
/// that `settotalmass` gives. That setting is taken out, and so are bounds of mass and inertia, which have been applied.
///
/// ```
/// use mj_model::Spec;
/// use mj_model::spec::{Body, Geom};
///
/// let mut spec = Spec::default();
/// for mass in [1.0, 3.0] {
///     let geoms = vec![Geom { size: [0.1, 0.0, 0.0], mass: Some(mass), ..Default::default() }];
///     spec.worldbody.bodies.push(Body { geoms, ..Default::default() });
/// }
/// mj_compile::edit::set_total_mass(&mut spec, 8.0).unwrap();
/// assert_eq!(mj_compile::compile(&spec).0.unwrap().body.mass.as_slice(), [0.0, 2.0, 6.0]);
/// ```
///
/// # Errors
/// If the mass is not positive and finite, if no body has a mass, if the model has errors, or if masses follow from geoms
/// whatever is written.
pub fn set_total_mass(spec: &mut Spec, total: f64) -> Result<(), EditError> {
    if !(total.is_finite() && total > 0.0) {
        return Err(EditError::TotalMass(total));
    }
    let mut whole = prepared(spec)?;
    whole.compiler.settotalmass = Compiler::default().settotalmass;
    let (model, diag) = crate::compile(&whole);
    // Bodies that are fused with the world have no mass any more.
    let now: f64 = model.ok_or(EditError::Model(diag))?.body.mass.iter().sum();
    let scale = total / now;
    if !scale.is_finite() {
        return Err(EditError::TotalMass(total));
    }
    let all = with_bodies(&whole, &mj_plugins::builtin(), |_, bodies| {
        let from_geoms = |b| mass_rules(&whole.compiler, b).inertiafromgeom == InertiaFromGeom::True;
        if bodies.iter().skip(1).any(|b| from_geoms(b.src)) {
            return Err(EditError::FromGeoms);
        }
        Ok(inertials(&whole, bodies))
    })?;
    let mut all = all.into_iter();
    let mut is_world = true;
    whole.worldbody.each_mut(&mut |b| {
        let Some(own) = all.next() else { return };
        if !std::mem::take(&mut is_world) {
            let diaginertia = own.diaginertia.map(|d| d.map(|x| x * scale));
            b.inertial = Some(Inertial { loc: b.loc, mass: own.mass * scale, diaginertia, ..own });
        }
        b.mass_rules = None;
    });
    whole.compiler.set_mass_rules(Compiler::default().mass_rules());
    whole.compiler.inertiafromgeom = InertiaFromGeom::Auto;
    *spec = whole;
    Ok(())
}
