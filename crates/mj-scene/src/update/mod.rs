//! From the state of a simulation to a scene.

mod actuators;
mod bodies;
mod cameras;
mod catenary;
mod constraints;
mod contacts;
mod elements;
mod islands;
mod joints;
mod lights;
mod painter;
mod perturbed;
mod sensors;
mod tendons;
mod volumes;

use crate::camera::Camera;
use crate::codes::{VisFlag, category};
use crate::error::SceneError;
use crate::interact::Perturb;
use crate::options::SceneOptions;
use crate::scene::Scene;
use crate::settings::VisualSettings;
use crate::surface;
use mj_engine::{Data, Model, check_data};
use painter::Painter;

/// Fills a scene with all that is shown of a simulation (`mjv_updateScene`): geoms, lights, cameras, and the surfaces of
/// flexes and skins. Results in the data must be up to date; after a step, they are those of the state from which it left.
///
/// Infinite planes are centred below the camera that the scene had before the call, as the reference's are.
///
/// # Errors
/// If the data are those of another model, or the camera names an element that isn't there.
pub fn update_scene(
    m: &Model,
    d: &Data,
    options: &SceneOptions,
    perturb: Option<&Perturb>,
    camera: &mut Camera,
    categories: i32,
    scene: &mut Scene,
) -> Result<(), SceneError> {
    check_data(m, d)?;
    let vis = VisualSettings::new(&m.vis);
    scene.geoms.clear();
    surface::update_flexes(m, d, options, scene);
    paint(m, d, &vis, options, perturb, categories, scene);
    update_camera(m, d, camera, scene)?;
    lights::make_lights(m, d, &vis, scene);
    if options.flag(VisFlag::Skin) {
        surface::update_skins(m, d, options, scene);
    }
    Ok(())
}

/// Appends the geoms of some categories to a scene (`mjv_addGeoms`).
///
/// # Errors
/// If the data are those of another model.
pub fn add_geoms(
    m: &Model,
    d: &Data,
    options: &SceneOptions,
    perturb: Option<&Perturb>,
    categories: i32,
    scene: &mut Scene,
) -> Result<(), SceneError> {
    check_data(m, d)?;
    paint(m, d, &VisualSettings::new(&m.vis), options, perturb, categories, scene);
    Ok(())
}

/// Brings the cameras of a scene up to date (`mjv_updateCamera`); a user's camera stays. A tracking camera's point is moved
/// to the centre of mass of the body's subtree.
///
/// # Errors
/// If the data are those of another model, or the camera names an element that isn't there.
pub fn update_camera(m: &Model, d: &Data, camera: &mut Camera, scene: &mut Scene) -> Result<(), SceneError> {
    check_data(m, d)?;
    if let Some(eyes) = camera.eyes(m, d)? {
        scene.camera = eyes;
        scene.enabletransform = false;
    }
    Ok(())
}

/// Replaces the lights of a scene (`mjv_makeLights`).
///
/// # Errors
/// If the data are those of another model.
pub fn make_lights(m: &Model, d: &Data, scene: &mut Scene) -> Result<(), SceneError> {
    check_data(m, d)?;
    lights::make_lights(m, d, &VisualSettings::new(&m.vis), scene);
    Ok(())
}

/// Brings the vertices of skins of shown groups up to date (`mjv_updateSkin`).
///
/// # Errors
/// If the data are those of another model.
pub fn update_skins(m: &Model, d: &Data, options: &SceneOptions, scene: &mut Scene) -> Result<(), SceneError> {
    check_data(m, d)?;
    surface::update_skins(m, d, options, scene);
    Ok(())
}

/// Appends geoms, kind by kind.
fn paint(
    m: &Model,
    d: &Data,
    vis: &VisualSettings,
    options: &SceneOptions,
    perturb: Option<&Perturb>,
    categories: i32,
    scene: &mut Scene,
) {
    let unperturbed = Perturb::default();
    let mask = if options.flag(VisFlag::Static) { categories } else { categories & !category::STATIC };
    let eye = (mj_math::DVec3::from(scene.camera[0].pos.map(f64::from))
        + mj_math::DVec3::from(scene.camera[1].pos.map(f64::from)))
        * 0.5;
    let mut p = Painter {
        m,
        d,
        vis,
        opt: options,
        pert: perturb.unwrap_or(&unperturbed),
        mask,
        eye,
        islands: islands::Islands::new(m, d, options),
        flexes: &scene.flexes,
        geoms: &mut scene.geoms,
    };
    elements::flexes(&mut p);
    elements::skins(&mut p);
    elements::geoms(&mut p);
    elements::sites(&mut p);
    tendons::spatial(&mut p);
    tendons::slider_cranks(&mut p);
    if categories & category::DECOR == 0 {
        return;
    }
    bodies::geom_and_site_frames(&mut p);
    volumes::boxes(&mut p, &mut scene.volumes);
    sensors::tactile(&mut p);
    bodies::inertias(&mut p);
    perturbed::selection(&mut p);
    bodies::frames(&mut p);
    perturbed::selected_point(&mut p);
    bodies::labels(&mut p);
    joints::joints(&mut p);
    actuators::actuators(&mut p);
    bodies::island_labels(&mut p);
    cameras::cameras(&mut p);
    cameras::lights(&mut p);
    bodies::centers_of_mass(&mut p);
    bodies::connections(&mut p);
    sensors::range(&mut p);
    perturbed::applied_forces(&mut p);
    constraints::equalities(&mut p);
    contacts::contacts(&mut p);
}
