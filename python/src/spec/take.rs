//! From a spec of the engine to elements.

use super::element::{AnyForm, Element};
use super::tables::*;
use mj_model::spec::*;
use mj_model::{Loc, Spec};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Takes a spec apart: elements with what ties them together.
pub struct Taker<'a, 'py> {
    /// The spec.
    pub spec: &'a Spec,
    /// The interpreter.
    pub py: Python<'py>,
}

/// Puts a form into its kind.
macro_rules! any {
    ($kind:ident, $form:expr) => {
        AnyForm::$kind(Box::new($form))
    };
}

/// Row of a frame or a class; −1: none.
fn row(r: Option<usize>) -> i64 {
    r.map_or(-1, |r| i64::try_from(r).unwrap_or(-1))
}

/// A form of what needs no turning.
fn plain<E>(e: E) -> Form<E> {
    Form { e, more: (), info: String::new() }
}

impl<'py> Taker<'_, 'py> {
    /// Says in which line of the source an element stands.
    fn line(&self, loc: Loc) -> String {
        loc.get().map_or_else(String::new, |(file, range)| {
            format!("line {}", self.spec.sources.line_column(file, range.start).0)
        })
    }

    fn element(&self, mut form: AnyForm, loc: Loc) -> PyResult<Py<Element>> {
        let line = self.line(loc);
        if let Some(row) = form.row("info").filter(|_| !line.is_empty()) {
            let _ = form.put(row, super::value::Value::Text(line));
        }
        Element::wrap(self.py, form)
    }

    /// Returns the bodies, depth first: element, parent, frame, and lists of what each holds.
    ///
    /// # Errors
    /// If Python has no memory for it.
    pub fn bodies(&self) -> PyResult<Bound<'py, PyList>> {
        let out = PyList::empty(self.py);
        let mut todo = vec![(&self.spec.worldbody, -1)];
        while let Some((body, parent)) = todo.pop() {
            let at = i64::try_from(out.len()).unwrap_or(-1);
            out.append(self.body(body, parent)?)?;
            todo.extend(body.bodies.iter().rev().map(|b| (b, at)));
        }
        Ok(out)
    }

    fn body(&self, b: &Body, parent: i64) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(self.py);
        let own =
            Body { name: b.name.clone(), childclass: b.childclass.clone(), user: b.user.clone(), ..Body::default() };
        // All but what it holds.
        let own = Body {
            pos: b.pos,
            orientation: b.orientation,
            inertial: b.inertial.clone(),
            mass_rules: b.mass_rules,
            mocap: b.mocap,
            gravcomp: b.gravcomp,
            sleep: b.sleep,
            simple: b.simple,
            fuse: b.fuse,
            flexcomps: b.flexcomps.clone(),
            plugin: b.plugin.clone(),
            loc: b.loc,
            ..own
        };
        out.set_item("element", self.element(any!(Body, BodyForm::of(own)), b.loc)?)?;
        out.set_item("parent", parent)?;
        out.set_item("frame", row(b.frame))?;
        let frames: PyResult<Vec<_>> = b
            .frames
            .iter()
            .map(|f| Ok((self.element(any!(Frame, FrameForm::of(f.clone())), f.loc)?, row(f.parent))))
            .collect();
        out.set_item("frames", frames?)?;
        macro_rules! list {
            ($($name:literal $list:ident $kind:ident |$e:ident| $form:expr;)*) => {$(
                let list: PyResult<Vec<_>> = b.$list.iter().map(|e| {
                    let $e = e.clone();
                    Ok((self.element(any!($kind, $form), e.loc)?, row(e.frame), e.class.clone()))
                }).collect();
                out.set_item($name, list?)?;
            )*};
        }
        list! {
            "joints" joints Joint |e| plain(e);
            "geoms" geoms Geom |e| GeomForm::of(e);
            "sites" sites Site |e| SiteForm::of(e);
            "cameras" cameras Camera |e| CameraForm::of(e);
            "lights" lights Light |e| plain(e);
        }
        Ok(out)
    }

    /// Returns the lists of elements outside the tree: each with its class.
    ///
    /// # Errors
    /// If Python has no memory for it.
    pub fn lists(&self) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(self.py);
        macro_rules! list {
            ($($name:literal $list:ident $kind:ident |$e:ident| $form:expr, $class:expr;)*) => {$(
                let list: PyResult<Vec<_>> = self.spec.$list.iter().map(|e| {
                    let $e = e.clone();
                    let class: Option<String> = $class;
                    Ok((self.element(any!($kind, $form), e.loc)?, class))
                }).collect();
                out.set_item($name, list?)?;
            )*};
        }
        list! {
            "mesh" meshes Mesh |e| MeshForm::of(e), e.class.clone();
            "hfield" hfields Hfield |e| plain(e), None;
            "texture" textures Texture |e| TextureForm::of(e), e.class.clone();
            "material" materials Material |e| plain(e), e.class.clone();
            "skin" skins Skin |e| SkinForm::of(e), None;
            "flex" flexes Flex |e| FlexForm::of(e), None;
            "pair" pairs Pair |e| PairForm::of(e), e.class.clone();
            "exclude" excludes Exclude |e| plain(e), None;
            "equality" equalities Equality |e| EqualityForm::of(e), e.class.clone();
            "tendon" tendons Tendon |e| plain(e), e.class.clone();
            "actuator" actuators Actuator |e| ActuatorForm::of(e), e.class.clone();
            "sensor" sensors Sensor |e| SensorForm::of(e), None;
            "numeric" numerics Numeric |e| NumericForm::of(e), None;
            "text" texts Text |e| plain(e), None;
            "tuple" tuples Tuple |e| TupleForm::of(e), None;
            "key" keys Key |e| plain(e), None;
        }
        let mut plugins = Vec::new();
        for x in &self.spec.extensions {
            for i in &x.instances {
                let e = PluginMore {
                    name: i.name.clone(),
                    plugin_name: x.plugin.clone(),
                    active: true,
                    info: String::new(),
                    config: i.config.clone(),
                };
                plugins.push((self.element(any!(Plugin, plain(e)), i.loc)?, None::<String>));
            }
        }
        out.set_item("plugin", plugins)?;
        Ok(out)
    }

    /// Returns the paths of tendons: for each, kind, name, name of the side site, and number of each object.
    pub fn paths(&self) -> Vec<Vec<(&'static str, String, String, f64)>> {
        let wrap = |w: &Wrap| match &w.object {
            WrapObject::Joint { joint, coef } => ("joint", joint.clone(), String::new(), *coef),
            WrapObject::Site { site } => ("site", site.clone(), String::new(), 0.0),
            WrapObject::Geom { geom, sidesite } => ("geom", geom.clone(), sidesite.clone(), 0.0),
            WrapObject::Pulley { divisor } => ("pulley", String::new(), String::new(), *divisor),
        };
        self.spec.tendons.iter().map(|t| t.path.iter().map(wrap).collect()).collect()
    }

    /// Returns the default classes: name, parent, and prototypes by kind.
    ///
    /// # Errors
    /// If Python has no memory for it.
    pub fn classes(&self) -> PyResult<Bound<'py, PyList>> {
        let out = PyList::empty(self.py);
        let root = [DefaultClass::root()];
        let all = if self.spec.defaults.is_empty() { &root[..] } else { &self.spec.defaults[..] };
        for c in all {
            let d = PyDict::new(self.py);
            macro_rules! prototypes {
                ($($name:literal $field:ident $kind:ident |$e:ident| $form:expr;)*) => {$(
                    let $e = c.$field.clone();
                    d.set_item($name, Element::wrap(self.py, any!($kind, $form))?)?;
                )*};
            }
            prototypes! {
                "joint" joint Joint |e| plain(e);
                "geom" geom Geom |e| GeomForm::of(e);
                "site" site Site |e| SiteForm::of(e);
                "camera" camera Camera |e| CameraForm::of(e);
                "light" light Light |e| plain(e);
                "mesh" mesh Mesh |e| MeshForm::of(e);
                "texture" texture Texture |e| TextureForm::of(e);
                "material" material Material |e| plain(e);
                "pair" pair Pair |e| PairForm::of(e);
                "equality" equality Equality |e| EqualityForm { more: EqualityMore::default(), ..EqualityForm::of(e) };
                "tendon" tendon Tendon |e| plain(e);
                "actuator" actuator Actuator |e| ActuatorForm::of(e);
            }
            d.set_item("flex", Element::wrap(self.py, any!(Flex, FlexForm::default()))?)?;
            out.append((c.name.clone(), row(c.parent), d))?;
        }
        Ok(out)
    }

    /// Returns compiler settings.
    ///
    /// # Errors
    /// If Python has no memory for it.
    pub fn compiler(&self) -> PyResult<Py<Element>> {
        let e = self.spec.compiler.clone();
        let form = CompilerForm { e, more: CompilerMore::default(), info: String::new() };
        Element::wrap(self.py, any!(Compiler, form))
    }

    /// Returns sizes and texts.
    ///
    /// # Errors
    /// If Python has no memory for it.
    pub fn globals(&self) -> PyResult<Py<Element>> {
        let size = &self.spec.size;
        let memory = size.memory.map_or(-1, |m| m as i32);
        let more = Globals {
            modelname: self.spec.modelname.clone(),
            memory,
            strippath: self.spec.compiler.strippath,
            ..Globals::default()
        };
        let form = GlobalsForm { e: size.clone(), more, info: String::new() };
        Element::wrap(self.py, any!(Globals, form))
    }
}
