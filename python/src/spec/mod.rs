//! `MjSpec`: models as elements that Python edits, read, compiled and written.

mod build;
mod cell;
mod element;
mod files;
mod flexes;
mod shortcuts;
mod tables;
mod take;
mod value;

use crate::error;
use crate::model::ModelCore;
use crate::model::load::{Files, add_text};
use build::Builder;
use element::Element;
use files::{Places, TextFiles};
use mj_engine::{LoadError, Timings};
use mj_math::DVec3;
use mj_model::spec::{Body, StatisticOverride};
use mj_model::{Diagnostics, Spec, VisualAttribute};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use take::Taker;

/// Options of rendering that are given: element, attribute, numbers.
type Visual = Vec<(String, String, Vec<f64>)>;

/// A spec as the engine has it.
#[pyclass(name = "SpecCore", module = "mj._core", frozen)]
pub struct SpecCore {
    spec: Arc<Spec>,
    owners: Vec<(&'static str, usize, usize)>,
}

impl SpecCore {
    fn taker<'a, 'py>(&'a self, py: Python<'py>) -> Taker<'a, 'py> {
        Taker { spec: &self.spec, py }
    }
}

/// Reads the model at a path among files.
fn read(path: &Path, files: &Files) -> Result<SpecCore, LoadError> {
    let (spec, report) = mj_mjcf::read(path, &TextFiles(files));
    let spec = spec.ok_or(LoadError(report))?;
    let base = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let places = Places {
        base,
        meshdir: spec.compiler.meshdir.clone(),
        texturedir: spec.compiler.texturedir.clone(),
        strippath: spec.compiler.strippath,
    };
    let spec = flexes::expand(spec, files, &places)?;
    Ok(SpecCore { spec: Arc::new(spec), owners: Vec::new() })
}

/// Why a spec did not compile.
enum Refused {
    /// A file could not be read.
    File(String),
    /// The model has errors.
    Model(LoadError),
}

#[pymethods]
impl SpecCore {
    /// Makes an empty spec.
    #[new]
    fn new() -> Self {
        let spec = Spec { modelname: "MuJoCo Model".into(), ..Spec::default() };
        Self { spec: Arc::new(spec), owners: Vec::new() }
    }

    /// Reads MJCF or URDF text.
    #[staticmethod]
    fn _text(py: Python, xml: String, mut assets: HashMap<String, Vec<u8>>) -> PyResult<Self> {
        let path = add_text(&mut assets, xml);
        let files = Files::new(assets)?;
        py.detach(|| read(&path, &files)).map_err(|e| error::load(py, &e))
    }

    /// Reads an MJCF or URDF file.
    #[staticmethod]
    fn _path(py: Python, path: PathBuf, assets: HashMap<String, Vec<u8>>) -> PyResult<Self> {
        let files = Files::new(assets)?;
        py.detach(|| read(&path, &files)).map_err(|e| error::load(py, &e))
    }

    /// Returns the specification of the model that was loaded last, files included; none if none was.
    #[staticmethod]
    fn _last() -> Option<Self> {
        // It was compiled, so its flexcomps are good.
        let expanded = |spec: Spec| {
            mj_compile::expand_flexcomps(&spec, &mj_engine::builtin_plugins(), &mut Diagnostics::default())
                .unwrap_or(spec)
        };
        crate::model::load::last().map(|spec| Self { spec: Arc::new(expanded(spec)), owners: Vec::new() })
    }

    /// Returns the bodies, depth first, with what each holds.
    fn _bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.taker(py).bodies()
    }

    /// Returns the elements outside the tree, by kind.
    fn _lists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.taker(py).lists()
    }

    /// Returns the paths of tendons.
    fn _paths(&self, py: Python) -> Vec<Vec<(&'static str, String, String, f64)>> {
        self.taker(py).paths()
    }

    /// Returns the default classes.
    fn _classes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.taker(py).classes()
    }

    /// Returns compiler settings, and sizes with texts.
    fn _settings(&self, py: Python) -> PyResult<(Py<Element>, Py<Element>)> {
        Ok((self.taker(py).compiler()?, self.taker(py).globals()?))
    }

    /// Returns the plugins that the spec declares.
    fn _plugins(&self) -> Vec<String> {
        self.spec.extensions.iter().map(|x| x.plugin.clone()).collect()
    }

    /// Returns options of physics: names and numbers.
    fn _option(&self) -> Vec<(String, Vec<f64>)> {
        let mut out = Vec::new();
        self.spec.option.visit(&mut |name, _, column| out.push((name.to_string(), numbers(&column))));
        out
    }

    /// Returns the names of the options and flags that a text gave.
    fn _option_names(&self) -> Vec<String> {
        self.spec.option_locs.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Returns options of rendering that are given.
    fn _visual(&self) -> Visual {
        let all = &self.spec.visual.attributes;
        all.iter().map(|a| (a.element.clone(), a.name.clone(), a.value.clone())).collect()
    }

    /// Returns statistics: names and numbers; NaN: not given.
    fn _stat(&self) -> Vec<(&'static str, Vec<f64>)> {
        let s = &self.spec.statistic;
        let one = |x: Option<f64>| vec![x.unwrap_or(f64::NAN)];
        vec![
            ("meaninertia", one(s.meaninertia)),
            ("meanmass", one(s.meanmass)),
            ("meansize", one(s.meansize)),
            ("extent", one(s.extent)),
            ("center", s.center.map_or(vec![f64::NAN, 0.0, 0.0], |c| c.to_array().to_vec())),
        ]
    }

    /// Puts a spec together from elements.
    #[staticmethod]
    fn _build(base: &Self, parts: &Bound<'_, PyDict>) -> PyResult<Self> {
        let part =
            |name: &str| parts.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("`{name}` is missing")));
        let compilers: Vec<Bound<'_, Element>> = part("compilers")?.extract()?;
        let globals: Bound<'_, Element> = part("globals")?.extract()?;
        let mut b = Builder::new(&base.spec, &compilers, &globals)?;
        b.classes(part("classes")?.cast::<PyList>()?)?;
        b.bodies(part("bodies")?.cast::<PyList>()?)?;
        b.lists(part("lists")?.cast::<PyDict>()?)?;
        b.paths(part("paths")?.extract()?)?;
        b.declare(part("plugins")?.extract()?);
        for (name, numbers) in part("option")?.extract::<Vec<(String, Vec<f64>)>>()? {
            let text = numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(" ");
            b.spec.option.set(&name, &text).map_err(error::value)?;
        }
        let visual: Visual = part("visual")?.extract()?;
        b.spec.visual.attributes =
            visual.into_iter().map(|(element, name, value)| VisualAttribute { element, name, value }).collect();
        b.spec.statistic = statistic(part("stat")?.extract()?);
        Ok(Self { spec: Arc::new(b.spec), owners: b.owners })
    }

    /// Returns a spec of what a flexcomp makes: bodies in the world's first child, which has the parent's name, a flex and
    /// equality constraints. `place` has the directories of the model and of meshes, and whether names lose theirs.
    fn _make_flex(
        &self,
        py: Python,
        parent: &str,
        given: &Bound<'_, PyDict>,
        assets: HashMap<String, Vec<u8>>,
        place: (PathBuf, String, bool),
    ) -> PyResult<Self> {
        let files = Files::new(assets)?;
        let (base, meshdir, strippath) = place;
        let places = Places { base, meshdir, strippath, ..Places::default() };
        let spec = flexes::alone(&self.spec, parent, flexes::flexcomp(given)?);
        let made = py.detach(|| flexes::expand(spec, &files, &places)).map_err(|e| flexes::told(&e))?;
        Ok(Self { spec: Arc::new(made), owners: Vec::new() })
    }

    /// Compiles the spec: the model, warnings, and the seconds that reading files, textures, meshes and all took. `places` are directories, by the
    /// specs that elements come from: the model's, those of meshes and textures, and whether names lose theirs.
    fn _compile(
        &self,
        py: Python,
        assets: HashMap<String, Vec<u8>>,
        places: Vec<(PathBuf, String, String, bool)>,
        pixels: Vec<(usize, Vec<u8>)>,
    ) -> PyResult<(ModelCore, Vec<String>, [f64; 4])> {
        let files = Files::new(assets)?;
        let places: Vec<Places> = places
            .into_iter()
            .map(|(base, meshdir, texturedir, strippath)| Places { base, meshdir, texturedir, strippath })
            .collect();
        let (spec, owners) = (self.spec.clone(), self.owners.clone());
        let compiled = py.detach(move || {
            let start = Instant::now();
            let mut spec = Arc::unwrap_or_clone(spec);
            for (row, bytes) in pixels {
                if let Some(t) = spec.textures.get_mut(row) {
                    let side = |n: i32| u32::try_from(n).unwrap_or(0);
                    let image = files::png(side(t.width), side(t.height), t.nchannel, &bytes);
                    let image = image.map_err(|e| Refused::File(format!("Error: texture '{}': {e}", t.name)))?;
                    t.contents = Arc::new(image);
                    (t.file, t.content_type) = ("pixels.png".into(), "image/png".into());
                }
            }
            files::fetch(&mut spec, &files, &places, &owners).map_err(Refused::File)?;
            let read = start.elapsed();
            let mut parts = Timings::default();
            let (model, report) = mj_engine::compile_timed(&spec, &mut parts).map_err(Refused::Model)?;
            let warnings = report.diagnostics.list.iter().map(|d| report.sources.render(d)).collect::<Vec<_>>();
            let times = [read, parts.textures, parts.meshes, start.elapsed()].map(|t| t.as_secs_f64());
            Ok::<_, Refused>((model, warnings, times))
        });
        let (model, warnings, times) = compiled.map_err(|refused| match refused {
            Refused::File(text) => error::value(text),
            Refused::Model(e) => error::load(py, &e),
        })?;
        Ok((ModelCore::wrap(py, model)?, warnings, times))
    }

    /// Writes the spec as MJCF text.
    fn _write(&self, py: Python) -> PyResult<String> {
        let spec = self.spec.clone();
        let written = py.detach(move || {
            let mut saved = mj_compile::to_save(&spec)?;
            shorten(&mut saved);
            // Sections are apart by a line, as the reference writes them.
            Ok::<_, mj_compile::SaveError>(mj_mjcf::write(&saved).replacen(">\n\n", ">\n", 1))
        });
        written.map_err(|e| error::fatal(py, format!("XML Error: {e}")))
    }
}

/// Takes out what the elements of Python say though it holds without: whole sizes stay where a class has them.
fn shorten(spec: &mut Spec) {
    let zeros = |size: &mut [f64; 3]| {
        if size.iter().any(|x| !x.is_nan()) {
            size.iter_mut().for_each(|x| *x = if x.is_nan() { 0.0 } else { *x });
        }
    };
    spec.defaults.iter_mut().for_each(|d| zeros(&mut d.geom.size));
    let classes: HashMap<String, [f64; 3]> = spec.defaults.iter().map(|d| (d.name.clone(), d.geom.size)).collect();
    let root = spec.defaults.first().map_or([f64::NAN; 3], |d| d.geom.size);
    let mut nuser = [0_usize; 5];
    spec.worldbody.each_mut(&mut |b| {
        nuser[0] = nuser[0].max(b.user.len());
        b.joints.iter().for_each(|x| nuser[1] = nuser[1].max(x.user.len()));
        b.sites.iter().for_each(|x| nuser[3] = nuser[3].max(x.user.len()));
        b.cameras.iter().for_each(|x| nuser[4] = nuser[4].max(x.user.len()));
        for g in &mut b.geoms {
            nuser[2] = nuser[2].max(g.user.len());
            let class = g.class.as_ref().and_then(|c| classes.get(c)).unwrap_or(&root);
            let mut whole = g.size;
            zeros(&mut whole);
            if whole == *class {
                g.size = whole;
            }
        }
    });
    let root = spec.defaults.first().map(|d| d.name.clone()).unwrap_or_default();
    shorten_classes(&mut spec.worldbody, &root, &root);
    let most = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let size = &mut spec.size;
    for (given, found) in [
        (&mut size.nuser_body, nuser[0]),
        (&mut size.nuser_jnt, nuser[1]),
        (&mut size.nuser_geom, nuser[2]),
        (&mut size.nuser_site, nuser[3]),
        (&mut size.nuser_cam, nuser[4]),
        (&mut size.nuser_tendon, most(&mut spec.tendons.iter().map(|x| x.user.len()))),
        (&mut size.nuser_actuator, most(&mut spec.actuators.iter().map(|x| x.user.len()))),
        (&mut size.nuser_sensor, most(&mut spec.sensors.iter().map(|x| x.user.len()))),
    ] {
        if given.is_none() && found > 0 {
            *given = Some(found);
        }
    }
}

/// Leaves out the classes of bodies that hold around them anyway.
fn shorten_classes(body: &mut Body, around: &str, root: &str) {
    let own = body.childclass.clone().unwrap_or_else(|| around.to_string());
    let frames: Vec<(Option<usize>, Option<String>)> =
        body.frames.iter().map(|f| (f.parent, f.childclass.clone())).collect();
    for child in &mut body.bodies {
        let mut held = None;
        let mut frame = child.frame;
        while let Some((parent, class)) = frame.and_then(|f| frames.get(f)) {
            if class.is_some() {
                held.clone_from(class);
                break;
            }
            frame = *parent;
        }
        let held = held.unwrap_or_else(|| own.clone());
        let class = child.childclass.take().unwrap_or_else(|| root.to_string());
        if class != held {
            child.childclass = Some(class);
        }
        shorten_classes(child, &held, root);
    }
}

/// Numbers of a column.
fn numbers(column: &mj_model::Column) -> Vec<f64> {
    match column {
        mj_model::Column::F64(v) => v.clone(),
        mj_model::Column::F32(v) => v.iter().map(|x| f64::from(*x)).collect(),
        mj_model::Column::I32(v) => v.iter().map(|x| f64::from(*x)).collect(),
        mj_model::Column::U8(v) => v.iter().map(|x| f64::from(*x)).collect(),
        mj_model::Column::Bool(v) => v.iter().map(|x| f64::from(u8::from(*x))).collect(),
    }
}

/// Statistics from names and numbers; NaN: not given.
fn statistic(given: Vec<(String, Vec<f64>)>) -> StatisticOverride {
    let mut s = StatisticOverride::default();
    for (name, numbers) in given {
        let first = numbers.first().copied().filter(|x| !x.is_nan());
        match (name.as_str(), numbers.as_slice()) {
            ("meaninertia", _) => s.meaninertia = first,
            ("meanmass", _) => s.meanmass = first,
            ("meansize", _) => s.meansize = first,
            ("extent", _) => s.extent = first,
            ("center", &[x, y, z]) => s.center = first.map(|_| DVec3::new(x, y, z)),
            _ => {}
        }
    }
    s
}

/// Adds the classes and functions of this folder.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SpecCore>()?;
    module.add_class::<Element>()?;
    module.add_function(wrap_pyfunction!(element::_spec_fields, module)?)?;
    module.add_function(wrap_pyfunction!(shortcuts::_spec_set_to, module)?)?;
    module.add_function(wrap_pyfunction!(shortcuts::_spec_quat, module)?)
}
