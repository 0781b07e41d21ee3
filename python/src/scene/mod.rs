//! Scenes, pictures and recordings: what Python draws.
//!
//! Python holds the fields of a scene as columns, an array for each, which users read and write. Before a call they are
//! copied into the engine's scene, and afterwards back.

mod columns;
mod interact;
mod recording;
mod records;
mod renderer;
mod surfaces;
mod viewer;

use crate::args::{fixed, vector};
use crate::data::{Access, DataCore};
use crate::error;
use crate::model::ModelCore;
use mj_engine::{Data, Model};
use mj_scene::{Scene, SceneError, SceneOptions, Stereo};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A model as an argument.
type M<'a, 'py> = &'a Bound<'py, ModelCore>;
/// Data as an argument.
type D<'a, 'py> = &'a Bound<'py, DataCore>;
/// Any object as an argument.
type Any<'a, 'py> = &'a Bound<'py, PyAny>;

/// The engine's scene of an `MjvScene`.
#[pyclass(name = "Scene", module = "mj._core", frozen)]
pub struct SceneCore(Mutex<Scene>);

impl SceneCore {
    /// Returns the scene. Whoever holds it does not wait for the interpreter.
    pub fn look(&self) -> MutexGuard<'_, Scene> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills the scene from data, with the interpreter released.
    fn fill(
        &self,
        m: M,
        d: D,
        f: impl FnOnce(&Model, &Data, &mut Scene) -> Result<(), SceneError> + Send,
    ) -> PyResult<()> {
        DataCore::call(d, m, Access::Read, |m, d| f(m, d, &mut self.look()))?.map_err(error::value)
    }
}

/// Numbers in single precision.
fn singles<const N: usize>(record: Any, name: &str) -> PyResult<[f32; N]> {
    Ok(fixed::<N>(name, &record.getattr(name)?)?.map(|x| x as f32))
}

fn flag(record: Any, name: &str) -> PyResult<bool> {
    record.getattr(name)?.is_truthy()
}

#[pymethods]
impl SceneCore {
    #[new]
    fn new() -> Self {
        Self(Mutex::new(Scene::default()))
    }

    /// Returns a copy.
    fn _copy(&self) -> Self {
        Self(Mutex::new(self.look().clone()))
    }

    /// Takes over what users wrote: the fields of the record, and columns of cameras, lights and geoms.
    fn _set(
        &self,
        record: Any,
        cameras: &Bound<'_, PyDict>,
        lights: Option<&Bound<'_, PyDict>>,
        geoms: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let stereo: i32 = record.getattr("stereo")?.extract()?;
        let flags = vector::<u8>("flags", &record.getattr("flags")?, mj_scene::RndFlag::ALL.len())?;
        let (cameras, lights) = (columns::cameras(cameras)?, lights.map(columns::lights).transpose()?);
        let geoms = geoms.map(columns::geoms).transpose()?;
        let (translate, rotate) = (singles(record, "translate")?, singles(record, "rotate")?);
        let (scale, framergb) = (record.getattr("scale")?.extract()?, singles(record, "framergb")?);
        let framewidth = record.getattr("framewidth")?.extract()?;
        let stereo =
            Stereo::from_code(stereo).ok_or_else(|| records::unknown("`stereo`", stereo.into(), "mjtStereo"))?;
        let surfaces = ["flexvertopt", "flexedgeopt", "flexfaceopt", "flexskinopt"].map(|name| flag(record, name));
        let [vert, edge, face, skin] = surfaces;
        let (options, enabletransform) = ([vert?, edge?, face?, skin?], flag(record, "enabletransform")?);
        let mut scene = self.look();
        scene.flags.iter_mut().zip(flags).for_each(|(to, from)| *to = from != 0);
        (scene.stereo, scene.camera, scene.enabletransform) = (stereo, cameras, enabletransform);
        (scene.translate, scene.rotate, scene.scale) = (translate, rotate, scale);
        (scene.framewidth, scene.framergb) = (framewidth, framergb);
        [scene.flexvertopt, scene.flexedgeopt, scene.flexfaceopt, scene.flexskinopt] = options;
        if let Some(lights) = lights {
            scene.lights = lights;
        }
        if let Some(geoms) = geoms {
            scene.geoms = geoms;
        }
        Ok(())
    }

    /// Writes what calls change to the record, and returns columns of cameras, lights and geoms.
    fn _get<'py>(&self, record: Any<'_, 'py>) -> PyResult<[Bound<'py, PyDict>; 3]> {
        let scene = self.look().clone();
        let options = [
            ("enabletransform", i32::from(scene.enabletransform)),
            ("flexvertopt", scene.flexvertopt.into()),
            ("flexedgeopt", scene.flexedgeopt.into()),
            ("flexfaceopt", scene.flexfaceopt.into()),
            ("flexskinopt", scene.flexskinopt.into()),
            ("nflex", scene.flexes.len() as i32),
            ("nskin", scene.skins.len() as i32),
        ];
        for (name, value) in options {
            record.setattr(name, value)?;
        }
        record.setattr("translate", scene.translate)?;
        record.setattr("rotate", scene.rotate)?;
        record.setattr("scale", scene.scale)?;
        let all = [(); 3].map(|()| PyDict::new(record.py()));
        columns::put_cameras(&all[0], &scene.camera)?;
        columns::put_lights(&all[1], &scene.lights)?;
        columns::put_geoms(&all[2], &scene.geoms)?;
        Ok(all)
    }

    /// Returns vertices, edges and faces of flexes and skins, by the names of the fields that hold them.
    fn _surfaces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        surfaces::surfaces(py, &self.look())
    }

    /// Fills the scene with all that is shown of data.
    fn _update(&self, m: M, d: D, options: Any, perturb: Option<Any>, camera: Any, categories: i32) -> PyResult<()> {
        let options = records::options(options)?;
        let perturb = perturb.map(records::perturb).transpose()?;
        let mut seen = records::camera(camera)?;
        self.fill(m, d, |m, d, scene| {
            mj_scene::update_scene(m, d, &options, perturb.as_ref(), &mut seen, categories, scene)
        })?;
        camera.setattr("lookat", seen.lookat.to_array())
    }

    /// Appends the geoms of some categories.
    fn _add_geoms(&self, m: M, d: D, options: Any, perturb: Option<Any>, categories: i32) -> PyResult<()> {
        let options = records::options(options)?;
        let perturb = perturb.map(records::perturb).transpose()?;
        self.fill(m, d, |m, d, scene| mj_scene::add_geoms(m, d, &options, perturb.as_ref(), categories, scene))
    }

    /// Replaces the lights.
    fn _make_lights(&self, m: M, d: D) -> PyResult<()> {
        self.fill(m, d, mj_scene::make_lights)
    }

    /// Brings the cameras of both eyes up to date.
    fn _update_camera(&self, m: M, d: D, camera: Any) -> PyResult<()> {
        let mut seen = records::camera(camera)?;
        self.fill(m, d, |m, d, scene| mj_scene::update_camera(m, d, &mut seen, scene))?;
        camera.setattr("lookat", seen.lookat.to_array())
    }

    /// Brings the vertices of skins up to date.
    fn _update_skins(&self, m: M, d: D) -> PyResult<()> {
        self.fill(m, d, |m, d, scene| mj_scene::update_skins(m, d, &SceneOptions::default(), scene))
    }
}

/// Adds classes and functions to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SceneCore>()?;
    module.add_class::<renderer::RendererCore>()?;
    module.add_class::<recording::RecordingCore>()?;
    module.add_class::<viewer::ViewerCore>()?;
    module.add_function(wrap_pyfunction!(renderer::_adapters, module)?)?;
    interact::add(module)
}
