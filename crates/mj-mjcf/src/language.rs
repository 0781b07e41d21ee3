//! The language as data: every element with its attributes and children, from the tables that the
//! reader and the writer run on. References and schemas for editors are made of it.

use crate::reader::table::{Child, Form, Given, Shape, Table};
use crate::{
    elements::actuators, elements::assets, elements::bodies, elements::custom, elements::defaults,
    elements::deformable, elements::frames, elements::globals, elements::plugins, macros::attach,
};
use crate::{elements::relations, elements::sensors, elements::shapes, elements::skins, macros::replicate, sections};
use mj_model::EqType;

/// An element of MJCF in one of the places where it may stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Unique among elements: `geom`, `default/geom`, …
    pub id: String,
    /// Name in the text.
    pub name: String,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Children.
    pub children: Vec<ChildElement>,
}

/// A child that an element may have.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildElement {
    /// Name in the text.
    pub name: String,
    /// [`Element::id`]; none: part of the language, but not read yet.
    pub id: Option<String>,
    /// Whether there may be at most one.
    pub single: bool,
}

/// An attribute of an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Name.
    pub name: String,
    /// Values that it takes.
    pub takes: Takes,
    /// Whether it must be given.
    pub required: bool,
    /// Bound on its numbers, and whether the bound itself is refused.
    pub low: Option<(f64, bool)>,
    /// Its value where it is not given, as text; empty: none.
    pub default: String,
    /// Whether saved models have it. Other attributes are older forms, or stand for what a model has
    /// become when it has been read.
    pub saved: bool,
}

/// Values that an attribute takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Takes {
    /// Any text.
    Text,
    /// Integers, from a least to a greatest number of them.
    Integers(usize, usize),
    /// Numbers, from a least to a greatest number of them.
    Numbers(usize, usize),
    /// One of some words.
    Keyword(Vec<String>),
    /// Some of some words.
    Keywords(Vec<String>),
}

/// Every element, the root first.
///
/// ```
/// let elements = mj_mjcf::language::elements();
/// assert_eq!(elements[0].name, "mujoco");
/// let geom = elements.iter().find(|e| e.id == "geom").unwrap();
/// assert!(geom.attributes.iter().any(|a| a.name == "size"));
/// ```
pub fn elements() -> Vec<Element> {
    let mut list = List(Vec::new());
    visit(&mut list);
    list.0
}

/// Someone who is shown every table.
pub(crate) trait Visitor {
    /// An element's table, and its children with their ids.
    fn table<T: Default>(&mut self, id: &str, table: &'static Table<T>, in_default: bool, children: Vec<ChildElement>);
}

/// Children whose ids are their names, after a prefix.
fn children(prefix: &str, list: &[Child]) -> Vec<ChildElement> {
    let id = |c: &Child| Some(format!("{prefix}{}", c.name));
    list.iter().map(|c| ChildElement { name: c.name.into(), id: id(c), single: c.single }).collect()
}

const NOTHING: &Table<()> = &Table::EMPTY;

/// Shows every table.
pub(crate) fn visit(v: &mut impl Visitor) {
    v.table("mujoco", &sections::ROOT, false, children("", sections::CHILDREN));

    v.table("compiler", &globals::COMPILER, false, children("compiler/", &[Child::single("lengthrange")]));
    v.table("compiler/lengthrange", &globals::LENGTHRANGE, false, Vec::new());
    v.table("option", &globals::OPTION, false, children("option/", &[Child::single("flag")]));
    v.table("option/flag", &globals::FLAGS, false, Vec::new());
    v.table("size", &globals::SIZE, false, Vec::new());
    v.table("statistic", &globals::STATISTIC, false, Vec::new());
    v.table("visual", NOTHING, false, children("visual/", globals::VISUAL_CHILDREN));
    for (name, table) in globals::VISUAL {
        v.table(&format!("visual/{name}"), table, false, Vec::new());
    }

    let mut in_class = children("default/", defaults::CHILDREN);
    in_class.iter_mut().filter(|c| c.name == "default").for_each(|c| c.id = Some("default".into()));
    v.table("default", &defaults::CLASS, false, in_class);
    kinds(v, "default/", true);

    v.table("extension", NOTHING, false, children("extension/", plugins::PLUGIN_CHILD));
    v.table("extension/plugin", &plugins::EXTENSION, false, children("extension/", &[Child::many("instance")]));
    v.table("extension/instance", &plugins::INSTANCE, false, children("", &[Child::many("config")]));
    v.table("config", &plugins::CONFIG, false, Vec::new());
    v.table("plugin", &plugins::PLUGIN, false, children("", &[Child::many("config")]));

    v.table("custom", NOTHING, false, children("custom/", custom::CHILDREN));
    v.table("custom/numeric", &custom::NUMERIC, false, Vec::new());
    v.table("custom/text", &custom::TEXT, false, Vec::new());
    v.table("custom/tuple", &custom::TUPLE, false, children("custom/", &[Child::many("element")]));
    v.table("custom/element", &custom::TUPLE_ELEMENT, false, Vec::new());

    v.table("asset", NOTHING, false, children("", assets::CHILDREN));
    v.table("model", &attach::MODEL, false, Vec::new());
    v.table("hfield", &shapes::HFIELD, false, Vec::new());

    v.table("worldbody", NOTHING, false, children("", bodies::CONTENTS));
    v.table("body", &bodies::BODY, false, children("", bodies::CONTENTS));
    v.table("frame", &frames::FRAME, false, children("", bodies::CONTENTS));
    v.table("replicate", &replicate::REPLICATE, false, children("", bodies::CONTENTS));
    v.table("attach", &attach::ATTACH, false, Vec::new());
    v.table("inertial", &bodies::INERTIAL, false, Vec::new());
    v.table("freejoint", &bodies::FREEJOINT, false, Vec::new());
    kinds(v, "", false);
    v.table("flexcomp", &deformable::FLEXCOMP, false, of_flex("flexcomp/", deformable::FLEXCOMP_CHILDREN));
    v.table("flexcomp/edge", &deformable::FLEXCOMP_EDGE, false, Vec::new());
    v.table("flexcomp/pin", &deformable::PIN, false, Vec::new());

    v.table("deformable", NOTHING, false, children("deformable/", deformable::DEFORMABLE));
    v.table("deformable/flex", &deformable::FLEX, false, of_flex("deformable/", deformable::FLEX_CHILDREN));
    for id in ["skin", "deformable/skin"] {
        v.table(id, &skins::SKIN, false, children("skin/", &[Child::many("bone")]));
    }
    v.table("skin/bone", &skins::BONE, false, Vec::new());
    v.table("deformable/edge", &deformable::FLEX_EDGE, false, Vec::new());
    v.table("flex/contact", &deformable::FLEX_CONTACT, false, Vec::new());
    v.table("flex/elasticity", &deformable::ELASTICITY, false, Vec::new());

    v.table("contact", NOTHING, false, children("contact/", relations::CONTACT_CHILDREN));
    v.table("contact/pair", &relations::PAIR, false, Vec::new());
    v.table("contact/exclude", &relations::EXCLUDE, false, Vec::new());
    v.table("equality", NOTHING, false, children("equality/", relations::EQUALITY_CHILDREN));
    for child in relations::EQUALITY_CHILDREN {
        let kind = EqType::from_keyword(child.name).unwrap_or_default();
        v.table(&format!("equality/{}", child.name), relations::equality_table(kind), false, Vec::new());
    }
    v.table("tendon", NOTHING, false, children("tendon/", relations::TENDON_CHILDREN));
    v.table("tendon/fixed", &relations::FIXED, false, children("fixed/", relations::FIXED_CHILDREN));
    v.table("tendon/spatial", &relations::TENDON, false, children("spatial/", relations::SPATIAL_CHILDREN));
    v.table("fixed/joint", &relations::PATH_JOINT, false, Vec::new());
    v.table("spatial/site", &relations::PATH_SITE, false, Vec::new());
    v.table("spatial/geom", &relations::PATH_GEOM, false, Vec::new());
    v.table("spatial/pulley", &relations::PATH_PULLEY, false, Vec::new());

    v.table("actuator", NOTHING, false, children("actuator/", actuators::CHILDREN));
    v.table("actuator/plugin", &actuators::ACTUATOR_PLUGIN, false, children("", &[Child::many("config")]));
    for tag in actuators::TAGS {
        v.table(&format!("actuator/{tag}"), actuators::table(tag), false, Vec::new());
    }
    v.table("sensor", NOTHING, false, children("sensor/", sensors::CHILDREN));
    for (kind, table) in sensors::SENSORS {
        let name = kind.keyword();
        let config = [Child::many("config")];
        v.table(&format!("sensor/{name}"), table, false, children("", if name == "plugin" { &config } else { &[] }));
    }
    v.table("keyframe", NOTHING, false, children("keyframe/", &[Child::many("key")]));
    v.table("keyframe/key", &custom::KEY, false, Vec::new());
}

/// The kinds of elements that default classes have prototypes of, on their own or in a class.
fn kinds(v: &mut impl Visitor, prefix: &str, in_default: bool) {
    let id = |name: &str| format!("{prefix}{name}");
    let plugin = || if in_default { Vec::new() } else { children("", plugins::PLUGIN_CHILD) };
    v.table(&id("mesh"), &shapes::MESH, in_default, children("", plugins::PLUGIN_CHILD));
    v.table(&id("texture"), &assets::TEXTURE, in_default, Vec::new());
    v.table(&id("material"), &assets::MATERIAL, in_default, children(prefix, &[Child::many("layer")]));
    v.table(&id("layer"), &assets::LAYER, false, Vec::new());
    v.table(&id("joint"), &bodies::JOINT, in_default, Vec::new());
    v.table(&id("geom"), &bodies::GEOM, in_default, plugin());
    v.table(&id("site"), &bodies::SITE, in_default, Vec::new());
    v.table(&id("camera"), &bodies::CAMERA, in_default, Vec::new());
    v.table(&id("light"), &bodies::LIGHT, in_default, Vec::new());
    if in_default {
        v.table(&id("pair"), &relations::PAIR, true, Vec::new());
        v.table(&id("equality"), &relations::EQUALITY_COMMON, true, Vec::new());
        v.table(&id("tendon"), &relations::TENDON, true, Vec::new());
        for tag in actuators::TAGS {
            v.table(&id(tag), actuators::table(tag), true, Vec::new());
        }
    }
}

/// Children of flexes: contact and elasticity are the same for both kinds.
fn of_flex(prefix: &str, list: &[Child]) -> Vec<ChildElement> {
    let mut children = children(prefix, list);
    for c in &mut children {
        match c.name.as_str() {
            "contact" | "elasticity" => c.id = Some(format!("flex/{}", c.name)),
            "plugin" => c.id = Some("plugin".into()),
            _ => {}
        }
    }
    children
}

struct List(Vec<Element>);

impl Visitor for List {
    fn table<T: Default>(&mut self, id: &str, table: &'static Table<T>, in_default: bool, children: Vec<ChildElement>) {
        let usual = T::default();
        let mut attributes = Vec::new();
        table.each(in_default, &mut |a| attributes.push(attribute(&a.form, a.give.map(|give| give(&usual)))));
        let name = id.rsplit('/').next().unwrap_or(id);
        self.0.push(Element { id: id.into(), name: name.into(), attributes, children });
    }
}

fn attribute(form: &Form, usual: Option<Given>) -> Attribute {
    let words = |list: &[&str]| list.iter().map(|w| w.to_string()).collect();
    let takes = match form.shape {
        Shape::Text => Takes::Text,
        Shape::Integers { min, max } => Takes::Integers(min, max),
        Shape::Numbers { min, max, .. } => Takes::Numbers(min, max),
        Shape::Keyword(list) => Takes::Keyword(words(list)),
        Shape::Keywords(list) => Takes::Keywords(words(list)),
    };
    let default = match &usual {
        Some(Given::Text(text)) => text.clone(),
        Some(Given::Words(words)) if !words.iter().any(|w| w == "NaN") => words.join(" "),
        _ => String::new(),
    };
    Attribute { name: form.name.into(), takes, required: form.required, low: form.low, default, saved: usual.is_some() }
}

#[cfg(test)]
mod tests;
