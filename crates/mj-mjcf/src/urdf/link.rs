//! Links: inertia, and the geoms of `visual` and `collision`.

use super::{Link, Robot, WORLD};
use crate::elements::assets::stem;
use crate::reader::Reader;
use crate::reader::table::{Attr, Slot, Table, attr};
use crate::syntax::tree::Node;
use mj_math::{DMat3, DVec3, eig3};
use mj_model::spec::{Body, Geom, Inertial, Mesh, Orientation};
use mj_model::{GeomType, Loc, Tri};

const MASS: Table<Inertial> = Table { groups: &[&[attr!(Inertial: "value" mass).required()]], rules: &[] };

/// One entry of the matrix: xx, yy, zz, xy, xz, yz.
macro_rules! entries {
    ($($name:literal $i:literal)*) => {
        &[$(Attr::<[f64; 6]>::new($name, f64::SHAPE, |m, v| m[$i] = v.number()).required(),)*]
    };
}

const INERTIA: Table<[f64; 6]> =
    Table { groups: &[entries!("ixx" 0 "iyy" 1 "izz" 2 "ixy" 3 "ixz" 4 "iyz" 5)], rules: &[] };

const COLOR: Table<[f32; 4]> =
    Table { groups: &[&[Attr::new("rgba", <[f32; 4]>::SHAPE, |c: &mut [f32; 4], v| c.put(v)).required()]], rules: &[] };

/// Lengths in URDF are whole, sizes of geoms are half.
const BOX: Table<Geom> = Table {
    groups: &[&[Attr::new("size", <[f64; 3]>::SHAPE, |g: &mut Geom, v| {
        g.size.put(v);
        g.size = g.size.map(|x| x / 2.0);
    })
    .required()]],
    rules: &[],
};
const RADIUS: Attr<Geom> = Attr::new("radius", f64::SHAPE, |g: &mut Geom, v| g.size[0] = v.number()).required();
const LENGTH: Attr<Geom> = Attr::new("length", f64::SHAPE, |g: &mut Geom, v| g.size[1] = v.number() / 2.0).required();
const BALL: Table<Geom> = Table { groups: &[&[RADIUS]], rules: &[] };
const ROD: Table<Geom> = Table { groups: &[&[RADIUS, LENGTH]], rules: &[] };

/// The file of a mesh.
const FILE: Table<Mesh> =
    Table { groups: &[&[attr!(Mesh: "filename" file).required(), attr!(Mesh: "scale" scale)]], rules: &[] };

/// Shapes, in the order in which they are looked for.
const SHAPES: [(&str, GeomType, &Table<Geom>); 4] = [
    ("box", GeomType::Box, &BOX),
    ("cylinder", GeomType::Cylinder, &ROD),
    ("sphere", GeomType::Sphere, &BALL),
    ("capsule", GeomType::Capsule, &ROD),
];

impl Reader<'_> {
    /// Adds a link without its contents.
    pub(super) fn start_link(&mut self, node: &Node, robot: &mut Robot) {
        let Some(name) = self.named(node, "name") else { return };
        if let Some(&first) = robot.rows.get(name) {
            let place = self.report.sources.place(robot.links[first].body.loc).unwrap_or_default();
            self.error(node.value_loc("name"), format!("another link is named `{name}` already"))
                .help(format!("the first is at {place}"));
            return;
        }
        robot.rows.insert(name.to_string(), robot.links.len());
        robot.links.push(Link { body: blank(name, node.loc), parent: None, children: Vec::new() });
        if name != WORLD {
            self.declare("body", name, node.value_loc("name"));
        }
    }

    /// Notes the colours of all materials, wherever they stand; the first of a name counts.
    pub(super) fn colors(&mut self, node: &Node, robot: &mut Robot) {
        if node.name == "material"
            && let Some(name) = node.get("name")
            && !robot.colors.contains_key(name)
            && let Some(color) = self.single(node, "color")
        {
            let mut rgba = [0.0; 4];
            self.known(color, &COLOR, &mut rgba);
            robot.colors.insert(name.to_string(), rgba);
        }
        for child in &node.children {
            self.colors(child, robot);
        }
    }

    /// Reads what is in a link.
    pub(super) fn link(&mut self, node: &Node, robot: &mut Robot) {
        let Some(&row) = node.get("name").and_then(|n| robot.rows.get(n)) else { return };
        if robot.links[row].body.loc != node.loc {
            return;
        }
        if let Some(inertial) = self.single(node, "inertial") {
            robot.links[row].body.inertial = self.link_inertial(inertial);
        }
        // The colour of a visual is that of what follows, too.
        let mut rgba = None;
        for child in &node.children {
            let geom = match child.name.as_str() {
                "visual" => {
                    if let Some(material) = self.single(child, "material") {
                        rgba = self.material_color(material, robot).or(rgba);
                    }
                    if self.spec.compiler.discardvisual { None } else { self.link_geom(child, robot, false) }
                }
                "collision" => self.link_geom(child, robot, true),
                _ => continue,
            };
            let Some(mut geom) = geom else { continue };
            geom.rgba = rgba.unwrap_or(geom.rgba);
            if let Some(a) = child.attribute("name").filter(|a| !a.value.is_empty()) {
                if robot.geom_names.insert(a.value.clone()) {
                    geom.name.clone_from(&a.value);
                    self.declare("geom", &a.value, a.value_loc);
                } else {
                    self.warning(a.value_loc, format!("another geom is named `{}`; this one gets no name", a.value));
                }
            }
            robot.links[row].body.geoms.push(geom);
        }
    }

    fn material_color(&mut self, material: &Node, robot: &Robot) -> Option<[f32; 4]> {
        if let Some(color) = self.single(material, "color") {
            let mut rgba = [0.0; 4];
            self.known(color, &COLOR, &mut rgba);
            return (rgba[0] >= 0.0).then_some(rgba);
        }
        let name = self.named(material, "name")?;
        robot.colors.get(name).copied().filter(|c| c[0] >= 0.0)
    }

    fn link_inertial(&mut self, node: &Node) -> Option<Inertial> {
        let (pos, turn) = self.origin(node);
        let mut inertial = Inertial { pos, loc: node.loc, ..Default::default() };
        let mass = self.needed(node, "mass")?;
        self.known(mass, &MASS, &mut inertial);
        let inertia = self.needed(node, "inertia")?;
        let mut m = [0.0; 6];
        self.known(inertia, &INERTIA, &mut m);
        let full =
            DMat3::from_cols(DVec3::new(m[0], m[3], m[4]), DVec3::new(m[3], m[1], m[5]), DVec3::new(m[4], m[5], m[2]));
        // Links without inertia are common; `boundinertia` may give them some.
        let (moments, axes) = if m == [0.0; 6] { (DVec3::ZERO, Default::default()) } else { eig3::symmetric(full) };
        if m != [0.0; 6] && !self.spec.compiler.mass_rules().allow(moments.to_array()) {
            let DVec3 { x, y, z } = moments;
            let message =
                format!("the inertia matrix is not positive definite: its moments are {x:.3e} {y:.3e} {z:.3e}");
            self.error(inertia.loc, message).help("its principal moments must be greater than 0, or all of it 0");
        }
        inertial.diaginertia = Some(moments.to_array());
        inertial.orientation = Orientation::Quat(turn * axes);
        Some(inertial)
    }

    fn link_geom(&mut self, node: &Node, robot: &mut Robot, collision: bool) -> Option<Geom> {
        let (pos, turn) = self.origin(node);
        let geometry = self.needed(node, "geometry")?;
        let mut geom = Geom { pos, orientation: Orientation::Quat(turn), loc: node.loc, ..Default::default() };
        if !collision {
            (geom.contype, geom.conaffinity, geom.group, geom.density) = (0, 0, 1, 0.0);
        }
        for (name, kind, table) in SHAPES {
            if let Some(shape) = self.single(geometry, name) {
                geom.r#type = kind;
                self.known(shape, table, &mut geom);
                return Some(geom);
            }
        }
        if let Some(mesh) = self.single(geometry, "mesh") {
            geom.r#type = GeomType::Mesh;
            geom.mesh = self.link_mesh(mesh, robot);
            return Some(geom);
        }
        self.error(geometry.loc, "`geometry` needs a shape: box, cylinder, sphere, capsule or mesh");
        None
    }

    /// The name of a mesh asset of a file at a scale, which is made if there is none yet.
    fn link_mesh(&mut self, node: &Node, robot: &mut Robot) -> String {
        let mut mesh = Mesh { loc: node.loc, ..Default::default() };
        self.known(node, &FILE, &mut mesh);
        let stem = stem(&mesh.file);
        let scales = robot.meshes.entry(stem.clone()).or_default();
        let row = scales.iter().position(|s| *s == mesh.scale).unwrap_or_else(|| {
            scales.push(mesh.scale);
            scales.len() - 1
        });
        // The first has the file's name, the others a number after it.
        mesh.name = if row == 0 { stem } else { format!("{stem}{row}") };
        let name = mesh.name.clone();
        if !self.spec.meshes.iter().any(|m| m.name == name) {
            self.fetch(node, "filename", &mut mesh.file, &mut mesh.contents);
            self.declare("mesh", &name, node.value_loc("filename"));
            self.spec.meshes.push(mesh);
        }
        name
    }
}

/// A body with the settings that a body has when nothing is said.
fn blank(name: &str, loc: Loc) -> Body {
    Body { name: name.to_string(), simple: Tri::Auto, fuse: Tri::Auto, loc, ..Default::default() }
}
