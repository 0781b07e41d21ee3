//! Default classes.

use crate::elements::actuators;
use crate::elements::bodies::{CAMERA, GEOM, JOINT, LIGHT, SITE};
use crate::elements::relations::{EQUALITY_COMMON, PAIR, TENDON};
use crate::reader::Reader;
use crate::reader::table::{Attr, Child, Shape, Table};
use crate::syntax::tree::Node;
use mj_model::Loc;
use mj_model::spec::*;

pub(crate) const CLASS: Table<()> = Table { groups: &[&[Attr::new("class", Shape::Text, |_, _| {})]], rules: &[] };

/// Elements in a default class besides actuators.
const ELEMENTS: [&str; 11] =
    ["mesh", "texture", "material", "joint", "geom", "site", "camera", "light", "pair", "equality", "tendon"];

pub(crate) const CHILDREN: &[Child] = &{
    let mut children = [Child::single(""); ELEMENTS.len() + actuators::TAGS.len() + 1];
    let mut i = 0;
    while i < children.len() {
        children[i] = if i < ELEMENTS.len() {
            Child::single(ELEMENTS[i])
        } else if i < ELEMENTS.len() + actuators::TAGS.len() {
            Child::single(actuators::TAGS[i - ELEMENTS.len()])
        } else {
            Child::many("default")
        };
        i += 1;
    }
    children
};

impl Reader<'_> {
    /// Makes the root class.
    pub(crate) fn root_class(&mut self) {
        self.spec.defaults.push(DefaultClass::root());
        self.classes.insert("main".into(), 0);
        self.class_bytes.push(0);
        self.class_actuators.push("general");
    }

    /// Reads a `default` section of the root element: it changes the root class.
    pub(crate) fn top_default(&mut self, section: &Node) {
        self.class_attribute(section);
        if let Some(name) = section.get("class")
            && !name.is_empty()
            && name != "main"
        {
            self.error(section.value_loc("class"), "the root default class is always `main`")
                .help("leave `class` out, or nest this `default` in another");
        }
        if self.spec.defaults[0].loc == Loc::NONE {
            self.spec.defaults[0].loc = section.loc;
        }
        self.class_contents(section, 0);
    }

    /// Tells about any attribute of `default` but `class`.
    fn class_attribute(&mut self, section: &Node) {
        self.attributes(section, &CLASS, &mut ());
    }

    /// Reads the prototypes of a class, then the classes in it, which start from its values.
    fn class_contents(&mut self, section: &Node, class: usize) {
        let children = self.children(section, CHILDREN);
        for child in children.iter().filter(|c| c.name != "default") {
            self.prototype(child, class);
        }
        self.class_bytes[class] = bytes(&self.spec.defaults[class]);
        for child in children.iter().filter(|c| c.name == "default") {
            if let Some(class) = self.nested_class(child, class) {
                self.class_contents(child, class);
            }
        }
    }

    #[inline(never)]
    fn nested_class(&mut self, node: &Node, parent: usize) -> Option<usize> {
        self.class_attribute(node);
        let name = node.get("class").unwrap_or("");
        if name.is_empty() {
            self.error(node.value_loc("class"), "a nested `default` needs a `class`");
            return None;
        }
        if let Some(&first) = self.classes.get(name) {
            let first = self.report.sources.place(self.spec.defaults[first].loc);
            let help = match first {
                Some(place) => format!("the first is at {place}"),
                None => format!("`{name}` is the name of the root class"),
            };
            self.error(node.value_loc("class"), format!("the default class `{name}` is defined already")).help(help);
            return None;
        }
        self.inherit(parent, node.loc);
        let row = self.spec.defaults.len();
        self.classes.insert(name.to_string(), row);
        let class = DefaultClass {
            name: name.to_string(),
            parent: Some(parent),
            loc: node.loc,
            ..self.spec.defaults[parent].clone()
        };
        self.spec.defaults.push(class);
        self.class_bytes.push(self.class_bytes[parent]);
        self.class_actuators.push(self.class_actuators[parent]);
        Some(row)
    }

    #[inline(never)]
    fn prototype(&mut self, node: &Node, class: usize) {
        self.in_default = true;
        if let Some(tag) = actuators::TAGS.into_iter().find(|t| *t == node.name) {
            let before = self.spec.defaults[class].actuator.clone();
            self.spec.defaults[class].actuator = self.actuator_from(node, class, before);
            self.class_actuators[class] = tag;
        } else {
            let mut c = std::mem::take(&mut self.spec.defaults[class]);
            self.element_into(node, &mut c);
            self.spec.defaults[class] = c;
        }
        if !matches!(node.name.as_str(), "material" | "texture" | "mesh") {
            self.no_children(node);
        }
        if matches!(node.name.as_str(), "geom" | "site" | "camera") {
            self.check_quat(node);
        }
        self.in_default = false;
    }

    /// Reads the prototype of any other element.
    fn element_into(&mut self, node: &Node, c: &mut DefaultClass) {
        match node.name.as_str() {
            "mesh" => self.mesh_into(node, &mut c.mesh),
            "texture" => self.texture_into(node, &mut c.texture),
            "material" => self.material_into(node, &mut c.material),
            "joint" => self.attributes(node, &JOINT, &mut c.joint),
            "geom" => self.attributes(node, &GEOM, &mut c.geom),
            "site" => self.attributes(node, &SITE, &mut c.site),
            "camera" => self.attributes(node, &CAMERA, &mut c.camera),
            "light" => self.attributes(node, &LIGHT, &mut c.light),
            "pair" => self.attributes(node, &PAIR, &mut c.pair),
            "equality" => self.attributes(node, &EQUALITY_COMMON, &mut c.equality),
            _ => self.attributes(node, &TENDON, &mut c.tendon),
        }
    }
}

/// Bytes of text and user data in a class's prototypes.
pub(crate) fn bytes(c: &DefaultClass) -> usize {
    let texts = [&c.geom.material, &c.geom.mesh, &c.geom.hfield, &c.site.material, &c.site.mesh, &c.tendon.material];
    let users = [&c.joint.user, &c.geom.user, &c.site.user, &c.camera.user, &c.tendon.user, &c.actuator.user];
    texts.into_iter().chain(&c.material.textures).map(String::len).sum::<usize>()
        + users.into_iter().map(|u| 8 * u.len()).sum::<usize>()
        + c.texture.gridlayout.len()
}
