//! From elements to a spec of the engine.

use super::element::{AnyForm, Element};
use super::tables::*;
use mj_model::spec::*;
use mj_model::{Loc, Spec};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// An element with its frame, class, and the spec whose settings it was made under (0: the one that is built).
type Placed<'py> = (Bound<'py, Element>, i64, Option<String>, usize);
/// An element outside the tree with its class and spec.
type Listed<'py> = (Bound<'py, Element>, Option<String>, usize);

/// How many bodies may stand in one another: what goes through them takes memory for each.
const MAX_DEPTH: usize = 1000;

/// Puts a spec together.
pub struct Builder {
    /// The spec.
    pub spec: Spec,
    /// Settings of the specs that elements come from; the first are the spec's own.
    compilers: Vec<Compiler>,
    /// Owners of the elements with files: kind, row and number of the spec.
    pub owners: Vec<(&'static str, usize, usize)>,
}

/// Reads an item of a dictionary.
fn item<'py, T: for<'a> FromPyObject<'a, 'py>>(d: &Bound<'py, PyDict>, name: &str) -> PyResult<T> {
    let value = d.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("`{name}` is missing")))?;
    value.extract().map_err(|_| PyValueError::new_err(format!("`{name}` is not what it should be")))
}

/// Returns the form of one kind.
macro_rules! form {
    ($kind:ident, $element:expr) => {{
        match $element.get().current($element.py())? {
            AnyForm::$kind(form) => *form,
            other => return Err(PyValueError::new_err(format!("a {} is where another kind should be", other.kind()))),
        }
    }};
}

fn row(r: i64) -> Option<usize> {
    usize::try_from(r).ok()
}

/// Makes an element foreign: its place is in no source of the spec.
macro_rules! foreign {
    ($e:ident, $owner:expr) => {
        if $owner > 0 {
            $e.loc = Loc::NONE;
        }
    };
}

impl Builder {
    /// Begins with settings: those of the spec, then those of the specs that elements come from.
    ///
    /// # Errors
    /// If one of the elements isn't of the right kind.
    pub fn new(base: &Spec, compilers: &[Bound<'_, Element>], globals: &Bound<'_, Element>) -> PyResult<Self> {
        let mut all = Vec::new();
        for c in compilers {
            all.push(form!(Compiler, c).e);
        }
        let own = all.first().cloned().unwrap_or_default();
        let globals = form!(Globals, globals);
        let mut size = globals.e;
        size.memory = (globals.more.memory >= 0).then(|| f64::from(globals.more.memory));
        let spec = Spec {
            modelname: globals.more.modelname,
            sources: base.sources.clone(),
            option_locs: base.option_locs.clone(),
            compiler: Compiler { strippath: globals.more.strippath, ..own.clone() },
            size,
            ..Spec::default()
        };
        Ok(Self { spec, compilers: all, owners: Vec::new() })
    }

    /// Turns what was made under other settings into the spec's.
    fn adapted(&self, owner: usize, put: impl FnOnce(&mut Spec)) -> Option<Spec> {
        let theirs = self.compilers.get(owner).filter(|_| owner > 0)?;
        let mut alone = Spec { compiler: theirs.clone(), ..Spec::default() };
        put(&mut alone);
        alone.adapt_to(&self.spec.compiler);
        Some(alone)
    }

    /// Adds default classes: name, parent, prototypes.
    ///
    /// # Errors
    /// If one of the elements isn't of the right kind.
    pub fn classes(&mut self, list: &Bound<'_, PyList>) -> PyResult<()> {
        for class in list {
            let (name, parent, d): (String, i64, Bound<'_, PyDict>) = class.extract()?;
            let mut c = DefaultClass { name, parent: row(parent), ..DefaultClass::root() };
            macro_rules! prototypes {
                ($($name:literal $field:ident $kind:ident |$f:ident| $build:expr;)*) => {$(
                    let element: Bound<'_, Element> = item(&d, $name)?;
                    let $f = form!($kind, element);
                    c.$field = $build;
                    c.$field.name.clear();
                    c.$field.class_applied = true;
                    c.$field.class = None;
                )*};
            }
            prototypes! {
                "joint" joint Joint |f| f.e;
                "geom" geom Geom |f| f.build();
                "site" site Site |f| f.build();
                "camera" camera Camera |f| f.build();
                "light" light Light |f| f.e;
                "mesh" mesh Mesh |f| f.build();
                "texture" texture Texture |f| f.build();
                "material" material Material |f| f.e;
                "pair" pair Pair |f| f.build();
                "equality" equality Equality |f| f.build();
                "tendon" tendon Tendon |f| f.e;
                "actuator" actuator Actuator |f| f.build();
            }
            self.spec.defaults.push(c);
        }
        Ok(())
    }

    /// Adds bodies, depth first, the world first.
    ///
    /// # Errors
    /// If one of the elements isn't of the right kind.
    pub fn bodies(&mut self, list: &Bound<'_, PyList>) -> PyResult<()> {
        let mut rows: Vec<(Body, Option<usize>)> = Vec::with_capacity(list.len());
        let mut depths: Vec<usize> = Vec::with_capacity(list.len());
        for d in list {
            let d = d.cast::<PyDict>()?;
            let body = self.body(d)?;
            let parent = row(item::<i64>(d, "parent")?);
            let depth = parent.and_then(|p| depths.get(p)).map_or(0, |depth| depth + 1);
            if depth > MAX_DEPTH {
                let problem = format!("Error: body `{}` stands in more than {MAX_DEPTH} others", body.name);
                return Err(PyValueError::new_err(problem));
            }
            depths.push(depth);
            rows.push((body, parent));
        }
        // From the last on: each body goes to its parent, which stands before it.
        while let Some((mut body, parent)) = rows.pop() {
            body.bodies.reverse();
            match parent.and_then(|p| rows.get_mut(p)) {
                Some((parent, _)) => parent.bodies.push(body),
                None => self.spec.worldbody = body,
            }
        }
        Ok(())
    }

    fn body(&self, d: &Bound<'_, PyDict>) -> PyResult<Body> {
        let element: Bound<'_, Element> = item(d, "element")?;
        let owner: usize = item(d, "owner")?;
        let mut body = form!(Body, element).build();
        foreign!(body, owner);
        if let Some(mut spec) = self.adapted(owner, |s| s.worldbody.bodies.push(body.clone())) {
            body = spec.worldbody.bodies.pop().unwrap_or(body);
        }
        body.frame = row(item(d, "frame")?);
        for (element, parent, owner) in item::<Vec<(Bound<'_, Element>, i64, usize)>>(d, "frames")? {
            let mut frame = form!(Frame, element).build();
            foreign!(frame, owner);
            if let Some(mut spec) = self.adapted(owner, |s| s.worldbody.frames.push(frame.clone())) {
                frame = spec.worldbody.frames.pop().unwrap_or(frame);
            }
            frame.parent = row(parent);
            body.frames.push(frame);
        }
        body.flexcomps.iter_mut().for_each(|f| f.frame = f.frame.filter(|f| *f < body.frames.len()));
        macro_rules! list {
            ($($name:literal $list:ident $kind:ident |$f:ident| $build:expr;)*) => {$(
                for (element, frame, class, owner) in item::<Vec<Placed>>(d, $name)? {
                    let $f = form!($kind, element);
                    let mut e = $build;
                    foreign!(e, owner);
                    if let Some(mut spec) = self.adapted(owner, |s| s.worldbody.$list.push(e.clone())) {
                        e = spec.worldbody.$list.pop().unwrap_or(e);
                    }
                    (e.frame, e.class, e.class_applied) = (row(frame), class, true);
                    body.$list.push(e);
                }
            )*};
        }
        list! {
            "joints" joints Joint |f| f.e;
            "geoms" geoms Geom |f| f.build();
            "sites" sites Site |f| f.build();
            "cameras" cameras Camera |f| f.build();
            "lights" lights Light |f| f.e;
        }
        Ok(body)
    }

    /// Adds the lists of elements outside the tree, by kind.
    ///
    /// # Errors
    /// If one of the elements isn't of the right kind, or has properties that don't go together.
    pub fn lists(&mut self, d: &Bound<'_, PyDict>) -> PyResult<()> {
        macro_rules! list {
            ($($name:literal $list:ident $kind:ident |$f:ident, $class:ident| $build:expr;)*) => {$(
                for (element, class, owner) in item::<Vec<Listed>>(d, $name)? {
                    let $f = form!($kind, element);
                    let $class = class;
                    let mut e = $build;
                    foreign!(e, owner);
                    if let Some(mut spec) = self.adapted(owner, |s| s.$list.push(e.clone())) {
                        e = spec.$list.pop().unwrap_or(e);
                    }
                    self.owners.push(($name, self.spec.$list.len(), owner));
                    self.spec.$list.push(e);
                }
            )*};
        }
        macro_rules! classed {
            ($e:expr, $class:ident) => {{
                let mut e = $e;
                (e.class, e.class_applied) = ($class, true);
                e
            }};
        }
        let wrong = |e: String| PyValueError::new_err(format!("Error: {e}"));
        list! {
            "mesh" meshes Mesh |f, class| classed!(f.build(), class);
            "hfield" hfields Hfield |f, _class| f.e;
            "texture" textures Texture |f, class| {
                if !f.more.data.is_empty() {
                    check_pixels(&f).map_err(wrong)?;
                }
                classed!(f.build(), class)
            };
            "material" materials Material |f, class| classed!(f.e, class);
            "skin" skins Skin |f, _class| f.build().map_err(wrong)?;
            "flex" flexes Flex |f, _class| {
                f.check().map_err(wrong)?;
                f.build()
            };
            "pair" pairs Pair |f, class| classed!(f.build(), class);
            "exclude" excludes Exclude |f, _class| f.e;
            "equality" equalities Equality |f, class| classed!(f.build(), class);
            "tendon" tendons Tendon |f, class| classed!(f.e, class);
            "actuator" actuators Actuator |f, class| classed!(f.build(), class);
            "sensor" sensors Sensor |f, _class| f.build();
            "numeric" numerics Numeric |f, _class| f.build().map_err(wrong)?;
            "text" texts Text |f, _class| f.e;
            "tuple" tuples Tuple |f, _class| f.build().map_err(wrong)?;
            "key" keys Key |f, _class| f.e;
        }
        for (element, _, _) in item::<Vec<Listed>>(d, "plugin")? {
            let f = form!(Plugin, element).e;
            let instance = PluginInstance { name: f.name, config: f.config, loc: Loc::NONE };
            match self.spec.extensions.iter_mut().find(|x| x.plugin == f.plugin_name) {
                Some(extension) => extension.instances.push(instance),
                None => self.spec.extensions.push(Extension {
                    plugin: f.plugin_name,
                    instances: vec![instance],
                    loc: Loc::NONE,
                }),
            }
        }
        Ok(())
    }

    /// Declares plugins that have no instance with a name.
    pub fn declare(&mut self, plugins: Vec<String>) {
        for plugin in plugins {
            if !self.spec.extensions.iter().any(|x| x.plugin == plugin) {
                self.spec.extensions.push(Extension { plugin, instances: Vec::new(), loc: Loc::NONE });
            }
        }
    }

    /// Sets the paths of tendons: for each, kind, name, name of the side site, and number of each object.
    ///
    /// # Errors
    /// If a kind is none.
    pub fn paths(&mut self, paths: Vec<Vec<(String, String, String, f64)>>) -> PyResult<()> {
        for (tendon, path) in self.spec.tendons.iter_mut().zip(paths) {
            tendon.path.clear();
            for (kind, name, side, number) in path {
                let object = match kind.as_str() {
                    "joint" => WrapObject::Joint { joint: name, coef: number },
                    "site" => WrapObject::Site { site: name },
                    "geom" => WrapObject::Geom { geom: name, sidesite: side },
                    "pulley" => WrapObject::Pulley { divisor: number },
                    _ => return Err(PyValueError::new_err(format!("a path has no `{kind}`"))),
                };
                tendon.path.push(Wrap { object, loc: tendon.loc });
            }
            tendon.r#type = match tendon.path.first() {
                Some(Wrap { object: WrapObject::Joint { .. }, .. }) | None => mj_model::TendonType::Fixed,
                Some(_) => mj_model::TendonType::Spatial,
            };
        }
        Ok(())
    }
}

/// Checks that pixels fill a texture.
fn check_pixels(f: &TextureForm) -> Result<(), String> {
    let sides = [f.e.height, f.e.width, f.e.nchannel].map(|n| usize::try_from(n).unwrap_or(0));
    let wants = sides.iter().fold(1_usize, |n, side| n.saturating_mul(*side));
    if f.more.data.len() == wants {
        return Ok(());
    }
    Err(format!("texture `{}` has {} bytes of pixels, not {wants}", f.e.name, f.more.data.len()))
}
