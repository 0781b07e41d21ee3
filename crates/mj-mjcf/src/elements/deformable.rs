//! Flexes, given in full or to be made.

use crate::elements::bodies::Inside;
use crate::elements::orientation::{ONE_ORIENTATION, orientation};
use crate::reader::Reader;
use crate::reader::table::{Attr, Child, Given, Slot, Table, attr};
use crate::syntax::tree::Node;
use mj_model::FlexcompType;
use mj_model::spec::*;

pub(crate) const FLEX: Table<Flex> = Table {
    groups: &[&[
        attr!(Flex: "name" name),
        attr!(Flex: "group" group),
        attr!(Flex: "dim" dim),
        attr!(Flex: "radius" radius),
        attr!(Flex: "material" material),
        attr!(Flex: "rgba" rgba),
        attr!(Flex: "flatskin" flatskin),
        attr!(Flex: "body" body).required(),
        attr!(Flex: "vertex" vertex),
        attr!(Flex: "element" element).required(),
        attr!(Flex: "texcoord" texcoord),
        attr!(Flex: "elemtexcoord" elemtexcoord),
        attr!(Flex: "node" node),
        attr!(Flex: "nodecoord" nodecoord),
        attr!(Flex: "cellcount" cellcount),
        Attr::new("dof", mj_model::FlexDof::SHAPE, |f: &mut Flex, v| f.dof.get_or_insert_default().put(v))
            .give(|f| f.dof.map_or(Given::Nothing, |d| d.give())),
    ]],
    rules: &[],
};

pub(crate) const FLEX_EDGE: Table<FlexEdge> =
    Table { groups: &[&[attr!(FlexEdge: "stiffness" stiffness), attr!(FlexEdge: "damping" damping)]], rules: &[] };

pub(crate) const FLEXCOMP_EDGE: Table<FlexEdge> = Table {
    groups: &[&[
        attr!(FlexEdge: "equality" equality),
        attr!(FlexEdge: "solref" solref).from(1),
        attr!(FlexEdge: "solimp" solimp).from(1),
        attr!(FlexEdge: "stiffness" stiffness),
        attr!(FlexEdge: "damping" damping),
    ]],
    rules: &[],
};

pub(crate) const ELASTICITY: Table<Elasticity> = Table {
    groups: &[&[
        attr!(Elasticity: "young" young),
        attr!(Elasticity: "poisson" poisson),
        attr!(Elasticity: "shear" shear),
        attr!(Elasticity: "damping" damping),
        attr!(Elasticity: "thickness" thickness),
        Attr::new("yield", <[f64; 2]>::SHAPE.at_least(1), |e: &mut Elasticity, v| e.yields.put(v))
            .give(|e| e.yields.give())
            .whole(),
        attr!(Elasticity: "elastic2d" elastic2d),
        attr!(Elasticity: "section" section),
        attr!(Elasticity: "sectionsize" sectionsize),
    ]],
    rules: &[],
};

pub(crate) const FLEX_CONTACT: Table<FlexContact> = Table {
    groups: &[&[
        attr!(FlexContact: "contype" contype),
        attr!(FlexContact: "conaffinity" conaffinity),
        attr!(FlexContact: "condim" condim),
        attr!(FlexContact: "priority" priority),
        attr!(FlexContact: "friction" friction).from(1),
        attr!(FlexContact: "solmix" solmix),
        attr!(FlexContact: "solref" solref).from(1),
        attr!(FlexContact: "solimp" solimp).from(1),
        attr!(FlexContact: "margin" margin),
        attr!(FlexContact: "gap" gap),
        attr!(FlexContact: "selfcollide" selfcollide),
        attr!(FlexContact: "activelayers" activelayers),
        attr!(FlexContact: "passive" passive),
    ]],
    rules: &[],
};

pub(crate) const FLEXCOMP: Table<Flexcomp> = Table {
    groups: &[
        &[
            attr!(Flexcomp: "name" name).required(),
            attr!(Flexcomp: "type" r#type),
            attr!(Flexcomp: "group" group),
            attr!(Flexcomp: "dim" dim),
            attr!(Flexcomp: "dof" dof),
            attr!(Flexcomp: "count" count),
            attr!(Flexcomp: "cellcount" cellcount),
            attr!(Flexcomp: "spacing" spacing),
            attr!(Flexcomp: "radius" radius),
            attr!(Flexcomp: "rigid" rigid),
            attr!(Flexcomp: "mass" mass),
            attr!(Flexcomp: "inertiabox" inertiabox),
            attr!(Flexcomp: "scale" scale),
            attr!(Flexcomp: "file" file),
            attr!(Flexcomp: "mesh" mesh),
            attr!(Flexcomp: "point" point),
            attr!(Flexcomp: "element" element),
            attr!(Flexcomp: "texcoord" texcoord),
            attr!(Flexcomp: "material" material),
            attr!(Flexcomp: "rgba" rgba),
            attr!(Flexcomp: "flatskin" flatskin),
            attr!(Flexcomp: "pos" pos),
            attr!(Flexcomp: "origin" origin),
        ],
        orientation!(Flexcomp),
    ],
    rules: &[ONE_ORIENTATION],
};

pub(crate) const PIN: Table<Pin> = Table {
    groups: &[&[
        attr!(Pin: "id" id),
        attr!(Pin: "range" range),
        attr!(Pin: "grid" grid),
        attr!(Pin: "gridrange" gridrange),
    ]],
    rules: &[],
};

pub(crate) const FLEX_CHILDREN: &[Child] =
    &[Child::single("contact"), Child::single("edge"), Child::single("elasticity")];

pub(crate) const FLEXCOMP_CHILDREN: &[Child] = &[
    Child::single("contact"),
    Child::single("edge"),
    Child::single("elasticity"),
    Child::many("pin"),
    Child::many("plugin"),
];

pub(crate) const DEFORMABLE: &[Child] = &[Child::many("flex"), Child::many("skin")];

impl Reader<'_> {
    pub(crate) fn deformable(&mut self, section: &Node) {
        self.attributes(section, &Table::<()>::EMPTY, &mut ());
        for child in self.children(section, DEFORMABLE) {
            if child.name == "skin" {
                self.skin(child);
                continue;
            }
            let mut flex = Flex { loc: child.loc, ..Default::default() };
            self.attributes(child, &FLEX, &mut flex);
            self.declare_node("flex", child);
            for part in self.children(child, FLEX_CHILDREN) {
                match part.name.as_str() {
                    "contact" => self.attributes(part, &FLEX_CONTACT, &mut flex.contact),
                    "edge" => self.attributes(part, &FLEX_EDGE, &mut flex.edge),
                    _ => self.attributes(part, &ELASTICITY, &mut flex.elasticity),
                }
                self.no_children(part);
            }
            self.spec.flexes.push(flex);
        }
    }

    pub(crate) fn flexcomp(&mut self, node: &Node, inside: Inside) {
        let after = After {
            bodies: self.body.bodies.len(),
            flexes: self.spec.flexes.len(),
            equalities: self.spec.equalities.len(),
        };
        let mut flexcomp = Flexcomp { frame: inside.frame, after, loc: node.loc, ..Default::default() };
        self.attributes(node, &FLEXCOMP, &mut flexcomp);
        self.fetch(node, "file", &mut flexcomp.file, &mut flexcomp.contents);
        if !flexcomp.mesh.is_empty() && node.attribute("type").is_none() {
            flexcomp.r#type = FlexcompType::Mesh;
        }
        self.check_quat(node);
        self.declare_node("flex", node);
        for part in self.children(node, FLEXCOMP_CHILDREN) {
            match part.name.as_str() {
                "contact" => self.attributes(part, &FLEX_CONTACT, &mut flexcomp.contact),
                "edge" => self.attributes(part, &FLEXCOMP_EDGE, &mut flexcomp.edge),
                "elasticity" => self.attributes(part, &ELASTICITY, &mut flexcomp.elasticity),
                "pin" => {
                    let mut pin = Pin::default();
                    self.attributes(part, &PIN, &mut pin);
                    flexcomp.pins.push(pin);
                }
                _ => {
                    flexcomp.plugin = Some(self.plugin(part));
                    continue;
                }
            }
            self.no_children(part);
        }
        self.body.flexcomps.push(flexcomp);
    }
}
