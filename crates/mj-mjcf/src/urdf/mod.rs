//! URDF: links and joints, each in a list, become a tree of bodies.
//!
//! The file may hold a `mujoco` element with `compiler`, `option` and `size`. What the format defines
//! and this does not use (transmissions, velocity limits, …) is passed over, as the reference does.

mod joint;
mod link;

use crate::limits;
use crate::reader::Reader;
use crate::reader::table::{Shape, Table};
use crate::syntax::tree::Node;
use mj_math::{DQuat, DVec3};
use mj_model::Loc;
use mj_model::spec::{Body, DefaultClass, Orientation};
use std::collections::{HashMap, HashSet};

/// A link on its way into the tree.
struct Link {
    body: Body,
    parent: Option<usize>,
    children: Vec<usize>,
}

/// State of reading a robot.
#[derive(Default)]
struct Robot {
    links: Vec<Link>,
    rows: HashMap<String, usize>,
    /// Colours of the materials that have one.
    colors: HashMap<String, [f32; 4]>,
    /// Scales of the meshes made of each file, by the file's name without directory and ending.
    meshes: HashMap<String, Vec<DVec3>>,
    geom_names: HashSet<String>,
    joint_names: HashSet<String>,
    mimics: Vec<joint::Mimic>,
}

/// The link of this name stands for the world.
const WORLD: &str = "world";

impl Reader<'_> {
    /// Reads a `robot` document.
    pub(crate) fn robot(&mut self, root: &Node) {
        self.spec.modelname = root.get("name").filter(|n| !n.is_empty()).unwrap_or("MuJoCo Model").to_string();
        self.spec.defaults.push(DefaultClass::root());
        self.settings(root);

        let mut robot = Robot::default();
        self.colors(root, &mut robot);
        for node in root.children.iter().filter(|n| n.name == "link") {
            self.start_link(node, &mut robot);
        }
        let joints: Vec<&Node> = root.children.iter().filter(|n| n.name == "joint").collect();
        let joined: Vec<Option<usize>> = joints.iter().map(|node| self.join(node, &mut robot)).collect();
        for node in root.children.iter().filter(|n| n.name == "link") {
            self.link(node, &mut robot);
        }
        for (node, child) in joints.into_iter().zip(joined) {
            if let Some(child) = child {
                self.robot_joint(node, child, &mut robot);
            }
        }
        self.mimics(&robot);
        self.assemble(robot);
    }

    /// Reads the settings in the `mujoco` element.
    fn settings(&mut self, root: &Node) {
        let c = &mut self.spec.compiler;
        (c.fusestatic, c.discardvisual, c.degree) = (true, true, false);
        if let Some(extension) = self.single(root, "mujoco") {
            // Attributes are not checked in URDF: those that are unknown have no effect.
            self.lenient = true;
            for section in &extension.children {
                match section.name.as_str() {
                    "compiler" => self.compiler(section),
                    "option" => self.option(section),
                    "size" => self.size(section),
                    other => {
                        self.warning(
                            section.loc,
                            format!("`{other}` in the `mujoco` element of a URDF file is ignored"),
                        )
                        .help("it takes: compiler, option, size");
                    }
                }
            }
            self.lenient = false;
        }
        // Angles in URDF are radians, whatever the settings say.
        self.spec.compiler.degree = false;
    }

    /// The only child of a name; tells if there are more.
    fn single<'n>(&mut self, node: &'n Node, name: &str) -> Option<&'n Node> {
        let mut found = node.children.iter().filter(|c| c.name == name);
        let first = found.next()?;
        if let Some(second) = found.next() {
            let place = self.report.sources.place(first.loc).unwrap_or_default();
            self.error(second.loc, format!("`{}` takes at most one `{name}`", node.name))
                .help(format!("the first is at {place}"));
        }
        Some(first)
    }

    /// The only child of a name; tells if there is none.
    fn needed<'n>(&mut self, node: &'n Node, name: &str) -> Option<&'n Node> {
        let found = self.single(node, name);
        if found.is_none() {
            self.error(node.loc, format!("`{}` needs a `{name}`", node.name));
        }
        found
    }

    /// The text of an attribute; tells if it is not there.
    fn named<'n>(&mut self, node: &'n Node, attribute: &str) -> Option<&'n str> {
        let text = node.get(attribute);
        if text.is_none() {
            self.error(node.loc, format!("`{}` needs the attribute `{attribute}`", node.name));
        }
        text
    }

    /// Reads the attributes of a table, and passes over others.
    fn known<T>(&mut self, node: &Node, table: &'static Table<T>, target: &mut T) {
        for form in table.forms(false) {
            match node.attribute(form.name) {
                Some(a) => {
                    let empty = form.shape != Shape::Text && crate::syntax::number::words(&a.value).next().is_none();
                    if empty && form.required {
                        self.error(a.value_loc, format!("`{}` is empty", a.name));
                    }
                    self.one_attribute(node, a, table, target);
                }
                None if form.required => {
                    self.error(node.loc, format!("`{}` needs the attribute `{}`", node.name, form.name));
                }
                None => {}
            }
        }
    }

    /// Position and orientation of an element's `origin`.
    fn origin(&mut self, node: &Node) -> (DVec3, DQuat) {
        const ORIGIN: Table<([f64; 3], [f64; 3])> = Table {
            groups: &[&[
                crate::reader::table::attr!(([f64; 3], [f64; 3]): "xyz" 0),
                crate::reader::table::attr!(([f64; 3], [f64; 3]): "rpy" 1),
            ]],
            rules: &[],
        };
        let mut origin = Default::default();
        if let Some(node) = self.single(node, "origin") {
            self.known(node, &ORIGIN, &mut origin);
        }
        // Roll, pitch and yaw turn about fixed axes.
        let q = Orientation::Euler(origin.1).resolve(false, *b"XYZ").unwrap_or_default();
        (DVec3::from_array(origin.0), q)
    }

    /// Notes a link's parent and child; the row of the child.
    fn join(&mut self, node: &Node, robot: &mut Robot) -> Option<usize> {
        let mut ends = [None; 2];
        for (row, which) in ends.iter_mut().zip(["parent", "child"]) {
            let Some(end) = self.needed(node, which) else { continue };
            let Some(name) = self.named(end, "link") else { continue };
            *row = robot.rows.get(name).copied();
            if row.is_none() {
                let near = crate::suggest::closest(name, robot.rows.keys().map(String::as_str));
                let help = near.map(|n| format!("did you mean `{n}`?"));
                self.error(end.value_loc("link"), format!("there is no link `{name}`")).help = help;
            }
        }
        let [Some(parent), Some(child)] = ends else { return None };
        if robot.links[child].parent.is_some() {
            let name = robot.links[child].body.name.clone();
            self.error(node.loc, format!("the link `{name}` is the child of another joint already"))
                .help("links form a tree: each is the child of at most one joint");
            return None;
        }
        robot.links[child].parent = Some(parent);
        robot.links[parent].children.push(child);
        Some(child)
    }

    /// Makes the tree of the links.
    fn assemble(&mut self, robot: Robot) {
        let Robot { mut links, .. } = robot;
        // Parents before children, siblings in order.
        let mut todo: Vec<(usize, usize)> =
            (0..links.len()).rev().filter(|&i| links[i].parent.is_none()).map(|i| (i, 1)).collect();
        let mut order = Vec::with_capacity(links.len());
        while let Some((i, depth)) = todo.pop() {
            if depth > limits::DEPTH {
                self.error(links[i].body.loc, format!("links are nested more than {} deep", limits::DEPTH));
                return;
            }
            order.push(i);
            todo.extend(links[i].children.iter().rev().map(|&c| (c, depth + 1)));
        }
        if order.len() < links.len() {
            let mut reached = vec![false; links.len()];
            order.iter().for_each(|&i| reached[i] = true);
            if let Some(link) = links.iter().zip(&reached).find(|(_, r)| !**r).map(|(l, _)| &l.body) {
                let (loc, name) = (link.loc, link.name.clone());
                self.error(loc, format!("the link `{name}` is part of a loop"))
                    .help("joints go from parents to children; following parents must end at a root");
            }
            return;
        }
        // Children are whole before their parents take them in.
        for &i in order.iter().rev() {
            let children = std::mem::take(&mut links[i].children);
            let bodies = children.into_iter().flat_map(|c| into_parent(std::mem::take(&mut links[c].body))).collect();
            links[i].body.bodies = bodies;
        }
        for &i in &order {
            if links[i].parent.is_none() {
                let body = std::mem::take(&mut links[i].body);
                if body.name == WORLD {
                    self.body.geoms.extend(body.geoms);
                    self.body.bodies.extend(body.bodies);
                } else {
                    self.body.bodies.push(body);
                }
            }
        }
        self.body.loc = Loc::NONE;
    }
}

/// A link as its parent's child. The world's children move up when it is a child itself.
fn into_parent(body: Body) -> Vec<Body> {
    if body.name == WORLD { body.bodies } else { vec![body] }
}
