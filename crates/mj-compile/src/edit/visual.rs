//! Leaving out what is only seen.

use super::{EditError, inertials, prepared, with_bodies};
use crate::tree::body::mass_rules;
use crate::tree::simplify::{stays, used_geoms};
use mj_model::spec::Inertial;
use mj_model::{InertiaFromGeom, ObjType, Spec};
use std::collections::HashSet;

/// Removes what is only seen: materials, textures, geoms that neither collide nor drag in a fluid and that nothing refers to,
/// and meshes that are then not used. Returns how many elements are gone. A body that had mass from a removed geom keeps it,
/// as an inertia of its own, so that the motion is what it was; the model is the one that `discardvisual` gives.
///
/// ```
/// use mj_model::Spec;
/// use mj_model::spec::{Body, Geom, Joint};
///
/// let mut spec = Spec::default();
/// let shown = Geom { size: [0.1, 0.0, 0.0], contype: 0, conaffinity: 0, mass: Some(2.0), ..Default::default() };
/// spec.worldbody.bodies.push(Body { joints: vec![Joint::default()], geoms: vec![shown], ..Default::default() });
/// assert_eq!(mj_compile::edit::discard_visual(&mut spec), Ok(1));
/// let model = mj_compile::compile(&spec).0.unwrap();
/// assert_eq!((model.geom.len(), model.body.mass.as_slice()[1]), (0, 2.0));
/// ```
///
/// # Errors
/// If the model has errors, or if a removed geom has mass though masses follow from geoms whatever is written.
pub fn discard_visual(spec: &mut Spec) -> Result<usize, EditError> {
    let mut whole = prepared(spec)?;
    let plan = with_bodies(&whole, &mj_plugins::builtin(), |_, bodies| {
        let used = used_geoms(&whole);
        let all = inertials(&whole, bodies);
        let of = |(b, own): (&crate::tree::body::BodyBuild<'_>, Inertial)| {
            let kept: Vec<bool> = b.geoms.iter().map(|g| stays(g, &used)).collect();
            let heavy = b.geoms.iter().zip(&kept).any(|(g, kept)| !kept && g.mass > 0.0);
            if heavy && mass_rules(&whole.compiler, b.src).inertiafromgeom == InertiaFromGeom::True {
                return Err(EditError::FromGeoms);
            }
            Ok((kept, heavy.then_some(own)))
        };
        bodies.iter().zip(all).map(of).collect::<Result<Vec<_>, _>>()
    })?;
    let mut gone = whole.materials.len() + whole.textures.len();
    let mut plan = plan.into_iter();
    let mut shapes: HashSet<String> = HashSet::new();
    whole.worldbody.each_mut(&mut |b| {
        let Some((kept, own)) = plan.next() else { return };
        if let Some(own) = own {
            b.inertial = Some(Inertial { loc: b.loc, ..own });
        }
        gone += kept.iter().filter(|kept| !**kept).count();
        let mut kept = kept.into_iter();
        b.geoms.retain(|_| kept.next().unwrap_or(true));
        for g in &mut b.geoms {
            g.material.clear();
            shapes.insert(g.mesh.clone());
        }
        for s in &mut b.sites {
            s.material.clear();
            shapes.insert(s.mesh.clone());
        }
        b.lights.iter_mut().for_each(|l| l.texture.clear());
    });
    (whole.materials, whole.textures) = Default::default();
    for c in &mut whole.defaults {
        for material in [&mut c.geom.material, &mut c.site.material, &mut c.mesh.material, &mut c.tendon.material] {
            material.clear();
        }
        c.light.texture.clear();
        c.material.textures = Default::default();
    }
    whole.tendons.iter_mut().for_each(|x| x.material.clear());
    whole.skins.iter_mut().for_each(|x| x.material.clear());
    whole.flexes.iter_mut().for_each(|x| x.material.clear());
    whole.meshes.iter_mut().for_each(|x| x.material.clear());
    let sensed = whole.sensors.iter().filter(|s| s.objtype == ObjType::Mesh).map(|s| s.objname.clone());
    shapes.extend(
        sensed.chain(whole.tuples.iter().flat_map(|t| &t.items).filter(|i| i.0 == ObjType::Mesh).map(|i| i.1.clone())),
    );
    let before = whole.meshes.len();
    whole.meshes.retain(|m| shapes.contains(&m.name));
    gone += before - whole.meshes.len();
    if gone > 0 {
        *spec = whole;
    }
    Ok(gone)
}
