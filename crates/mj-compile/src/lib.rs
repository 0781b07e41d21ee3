//! Compiles a [`Spec`] into a [`Model`]: resolves frames, names and units, computes inertias, lays
//! out the tables that the engine runs on, and fills in what follows from the reference
//! configuration.
//!
//! ```
//! use mj_model::spec::{Body, Geom, Joint};
//! use mj_model::Spec;
//!
//! let mut spec = Spec::default();
//! spec.worldbody.bodies.push(Body {
//!     joints: vec![Joint::default()],
//!     geoms: vec![Geom { size: [0.1, 0.0, 0.0], ..Default::default() }],
//!     ..Default::default()
//! });
//! let (model, problems) = mj_compile::compile(&spec);
//! assert!(problems.list.is_empty());
//! assert_eq!(model.unwrap().nv(), 1);
//! ```
//!
//! It knows no XML: diagnostics reach the text through the places that a [`Spec`] holds.
#![forbid(unsafe_code)]

mod asset;
mod context;
mod decoded;
mod derived;
pub mod edit;
mod flex;
mod flexcomp;
mod frames;
mod inertia;
mod instances;
mod mesh;
mod messages;
mod plugins;
mod relation;
mod resize;
mod saved;
mod skin_file;
mod tree;

pub use asset::decompose;
pub use derived::set_const::{SetConstError, set_const};
pub use flexcomp::expand_flexcomps;
pub use saved::{SaveError, to_save, to_save_with};

use context::Context;
use mj_model::plugin::Registry;
use mj_model::{Diagnostics, Loc, Model, ObjType, Spec};
use std::time::{Duration, Instant};

/// The most numbers that one array of the state may hold: more is taken for a slip.
const MAX_NUMBERS: usize = 100_000_000;

/// Warns of a time step with which nothing can be simulated: a model has other uses.
fn check_timestep(cx: &mut Context) {
    let step = cx.spec.option.timestep;
    if !(step > 0.0 && step.is_finite()) {
        let given = cx.spec.option_locs.iter().rev().find(|(name, _)| name == "timestep");
        let loc = given.map_or(mj_model::Loc::NONE, |(_, loc)| *loc);
        cx.warning(loc, format!("the time step is {step}: no simulation of this model will be possible"))
            .help("a time step is positive and finite");
    }
}

/// Tells about trees that are to sleep though tendons couple them with others.
fn refuse_sleepers(cx: &mut Context, m: &Model) {
    for (tree, t) in derived::fixed::wrong_sleepers(m) {
        let body = cx.names.describe(ObjType::Body, m.tree.bodyadr[tree].index());
        let tendon = cx.names.describe(ObjType::Tendon, t.index());
        let loc = cx.spec.tendons.get(t.index()).map_or(Loc::NONE, |t| t.loc);
        cx.error(loc, format!("{body} may not sleep, because {tendon} couples its tree with others"));
    }
}

/// Time that parts of a compilation took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timings {
    /// Making textures.
    pub textures: Duration,
    /// Making meshes, with their hulls and inertias.
    pub meshes: Duration,
}

/// Compiles a model. Without errors there is a model; the diagnostics hold every problem found, not
/// only the first.
#[must_use]
pub fn compile(spec: &Spec) -> (Option<Model>, Diagnostics) {
    compile_timed(spec, &mut Timings::default())
}

/// Compiles a model as [`compile`] does, and tells how long parts of it took.
#[must_use]
pub fn compile_timed(spec: &Spec, timings: &mut Timings) -> (Option<Model>, Diagnostics) {
    compile_with(spec, &mj_plugins::builtin(), timings)
}

/// Compiles a model as [`compile`] does, with the plugins of a registry in the place of the built-in ones, and tells how
/// long parts of it took.
#[must_use]
pub fn compile_with(spec: &Spec, registry: &Registry, timings: &mut Timings) -> (Option<Model>, Diagnostics) {
    let mut diag = Diagnostics::default();
    let spec = &*spec.with_defaults(&mut diag);
    let expanded = expand_flexcomps(spec, registry, &mut diag);
    let spec = expanded.as_ref().unwrap_or(spec);
    let resized = resize::resized(spec, &mut diag);
    let mut cx = Context::of(spec, resized.as_ref(), registry);
    cx.diag = diag;
    let spec = cx.spec;
    let mut m = Model {
        modelname: spec.modelname.clone(),
        opt: spec.option.clone(),
        vis: spec.visual.clone(),
        nuserdata: spec.size.nuserdata,
        ..Default::default()
    };

    // What is seen only, unless it is to be dropped.
    if !spec.compiler.discardvisual {
        let start = Instant::now();
        asset::texture::write(&mut cx, &mut m);
        timings.textures = start.elapsed();
        asset::material::write(&mut cx, &mut m);
    }

    check_timestep(&mut cx);
    plugins::make_all(&mut cx);
    let start = Instant::now();
    asset::mesh::compile_all(&mut cx);
    timings.meshes = start.elapsed();
    asset::hfield::write(&mut cx, &mut m);

    plugins::write(&mut cx, &mut m);

    // The tree.
    let mut bodies = tree::body::compile_all(&mut cx);
    if spec.compiler.fusestatic {
        bodies = tree::simplify::fuse_static(&mut cx, bodies);
    }
    tree::body::check_free(&mut cx, &bodies);
    if spec.compiler.discardvisual {
        tree::simplify::discard_visual(&mut cx, &mut bodies);
        tree::simplify::discard_meshes(&mut cx, &mut bodies);
    }
    asset::mesh::write(&cx, &mut m);
    tree::body::check_moving_masses(&mut cx, &bodies);
    tree::tables::write_user_data(&mut cx, &bodies, &mut m);
    tree::tables::write(&mut cx, &bodies, &mut m);
    asset::skin::write(&mut cx, &mut m);
    flex::register(&mut cx);
    flex::write(&mut cx, &mut m);

    // What refers to the tree by name.
    relation::contact::write(&mut cx, &mut m);
    relation::tendon::write(&mut cx, &mut m);
    flex::place_plastic(&mut m);
    relation::equality::write(&mut cx, &mut m);
    relation::actuator::write(&mut cx, &mut m);
    relation::sensor::write(&mut cx, &mut m);
    relation::custom::write(&mut cx, &mut m);
    relation::custom::write_keys(&mut cx, &mut m);
    for (n, what) in [(m.nuserdata, "user data"), (m.nsensordata, "sensor data"), (m.nhistory, "history")] {
        if n > MAX_NUMBERS {
            cx.error(Loc::NONE, format!("{n} numbers of {what} are too many"));
        }
    }
    if cx.diag.has_errors() {
        return (None, cx.diag);
    }
    tree::tables::set_pattern(&mut m);

    // What follows from all that.
    if cx.compiler.settotalmass > 0.0 {
        derived::fixed::scale_mass(&mut m, cx.compiler.settotalmass);
    }
    relation::equality::complete(&mut m);
    derived::fixed::tendon_trees(&mut m);
    refuse_sleepers(&mut cx, &m);
    if cx.diag.has_errors() {
        return (None, cx.diag);
    }
    let at = derived::set_const::derive(&mut m);
    derived::damping::servo_damping(&mut m, &at);
    let dampers = bodies.iter().flat_map(|b| &b.joints).map(|j| j.src.springdamper);
    derived::damping::spring_dampers(&mut m, dampers);
    derived::statistics::set(&mut m, &at.poses, &at.inertia);
    at.set_spring_lengths(&mut m);
    relation::custom::complete_keys(&mut m);
    derived::statistics::replace(&mut m.stat, &spec.statistic);
    m.names = cx.names.into();
    m.seal();
    (Some(m), cx.diag)
}
