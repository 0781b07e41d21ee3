//! Frames that resize what is in them: the spec as it is once they have.
//!
//! A frame's scale maps the points in it, p ↦ S p with S = diag(s), about its origin. Frames and bodies turned against
//! each other carry the map along: in what is turned by R it is Rᵀ S R, and a frame within multiplies its own. What
//! stands there keeps its orientation and goes to where the map takes it; shapes are stretched along their own axes by
//! how much the map lengthens these. Masses are multiplied by their own factor, by default det S.
//!
//! Under `similar` scaling a frame changes the units of length (by s) and mass (by m) of all in it: a quantity of
//! dimension Lᵃ Mᵇ Tᶜ is multiplied by sᵃ mᵇ. Under `geometry` scaling that holds only for shapes, places, masses and
//! coordinates; forces, stiffnesses and gains stay. (The manual's "frame/scale", and its table of attribute dimensions.)

mod actuation;
mod assets;
mod elements;
mod keys;
mod relations;
mod scales;
mod survey;

use assets::Instances;
use keys::States;
use mj_math::DMat3;
use mj_model::spec::Inertial;
use mj_model::{Diagnostics, Spec};
use relations::Tendons;
use std::collections::HashMap;
use survey::Survey;

/// A spec with every frame's scale done, and what is not said in it.
#[derive(Debug)]
pub(crate) struct Resized {
    /// Its frames have no scale any more. Keyframes are as written: see [`Resized::key`].
    pub spec: Spec,
    /// How the mesh of each row is stretched, after its own scale; none: not at all.
    pub maps: Vec<Option<DMat3>>,
    states: States,
}

/// Does every frame's scale. None if no frame has one, or if that cannot be done.
pub(crate) fn resized(spec: &Spec, diag: &mut Diagnostics) -> Option<Resized> {
    let survey = Survey::of(spec, diag)?;
    let mut out = spec.clone();
    let mut assets = Instances::of(spec);
    tree(&mut out, &survey, &mut assets, diag);
    let maps = assets.write(&mut out, diag);
    let mut states = States::of(spec, &survey);

    out.skins.iter_mut().for_each(|s| {
        // What is wrong with a skin's file is told when it is compiled.
        if let Ok(whole) = crate::skin_file::complete(s) {
            let mut whole = whole.into_owned();
            whole.file.clear();
            assets::skin(&mut whole, &survey, diag);
            *s = whole;
        }
    });
    out.pairs.iter_mut().for_each(|p| relations::pair(p, &survey));
    let mut tendons = Tendons::new();
    for t in &mut out.tendons {
        let changes = relations::tendon(t, &survey);
        states.tendons.push(changes.1.coordinate);
        tendons.insert(t.name.clone(), changes);
    }
    out.equalities.iter_mut().for_each(|e| relations::equality(e, &survey, &tendons));
    let mut drives = HashMap::new();
    for a in &mut out.actuators {
        let drive = actuation::actuator(a, &survey, &tendons, diag);
        states.drives.push(drive);
        drives.insert(a.name.clone(), drive);
    }
    out.sensors.iter_mut().for_each(|s| actuation::sensor(s, &survey, &tendons, &drives, diag));
    // With errors nothing is resized: what else is wrong is found in the spec as it is.
    (!diag.has_errors()).then_some(Resized { spec: out, maps, states })
}

/// Resizes the elements of bodies. Sites come after all geoms: so instances of meshes are met in the order in which they count.
fn tree(out: &mut Spec, survey: &Survey, assets: &mut Instances, diag: &mut Diagnostics) {
    let compiler = out.compiler.clone();
    let mut id = 0;
    out.worldbody.each_mut(&mut |b| {
        if id > 0 {
            b.pos = survey.containers[survey.holders[id]].scales.map.apply(b.pos);
        }
        let at = |frame: Option<usize>| survey.scales(id, frame);
        if let Some(i) = &mut b.inertial
            && !elements::inertial(i, at(None), &compiler)
        {
            let what = crate::messages::describe("body", &b.name);
            diag.error(i.loc, format!("{what}: no body has its inertia as the frame stretches it"))
                .help("the sum of any two principal moments must be greater than the third");
        }
        b.joints.iter_mut().for_each(|j| elements::joint(j, at(j.frame), diag));
        b.geoms.iter_mut().for_each(|g| elements::geom(g, at(g.frame), &compiler, assets, diag));
        b.cameras.iter_mut().for_each(|c| elements::camera(c, at(c.frame)));
        b.lights.iter_mut().for_each(|l| elements::light(l, at(l.frame)));
        id += 1;
    });
    let mut id = 0;
    out.worldbody.each_mut(&mut |b| {
        let at = |frame: Option<usize>| survey.scales(id, frame);
        b.sites.iter_mut().for_each(|s| elements::site(s, at(s.frame), &compiler, assets));
        for f in &mut b.frames {
            f.pos = at(f.parent).map.apply(f.pos);
            (f.scale, f.massscale) = (mj_math::DVec3::ONE, 0.0);
        }
        id += 1;
    });
}

/// Inertias of bodies, in depth-first order, as they are before frames resize them.
pub(crate) fn before(spec: &Spec, inertials: &mut [Inertial]) {
    let Some(survey) = Survey::of(spec, &mut Diagnostics::default()) else { return };
    for (i, &body) in inertials.iter_mut().zip(&survey.bodies) {
        elements::inertial(i, survey.containers[body].scales.inverse(), &spec.compiler);
    }
}
