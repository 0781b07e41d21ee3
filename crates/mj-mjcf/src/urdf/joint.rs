//! Joints between links, and their coupling by `mimic`.

use super::{Robot, WORLD};
use crate::reader::Reader;
use crate::reader::table::{Attr, Slot, Table, attr};
use crate::syntax::tree::Node;
use mj_math::{DVec3, quat};
use mj_model::Loc;
use mj_model::spec::{Equality, Joint, Orientation, unit};
use mj_model::{EqType, JointType, ObjType, Tri};

/// The types of joints.
const TYPES: [&str; 7] = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"];

/// A joint's coordinate as a linear function of another's.
pub(super) struct Mimic {
    joint: String,
    /// Whether the joint has one coordinate.
    scalar: bool,
    target: String,
    multiplier: f64,
    offset: f64,
    loc: Loc,
}

const MIMIC: Table<Mimic> = Table {
    groups: &[&[
        attr!(Mimic: "joint" target).required(),
        attr!(Mimic: "multiplier" multiplier),
        attr!(Mimic: "offset" offset),
    ]],
    rules: &[],
};

const AXIS: Table<Joint> = Table { groups: &[&[attr!(Joint: "xyz" axis).required()]], rules: &[] };

const DYNAMICS: Table<Joint> = Table {
    groups: &[&[
        Attr::new("damping", f64::SHAPE, |j: &mut Joint, v| j.damping[0] = v.number()),
        attr!(Joint: "friction" frictionloss),
    ]],
    rules: &[],
};

/// Limits as written.
#[derive(Default)]
struct Limit {
    lower: Option<f64>,
    upper: Option<f64>,
    effort: f64,
}

const LIMIT: Table<Limit> = Table {
    groups: &[&[attr!(Limit: "lower" lower), attr!(Limit: "upper" upper), attr!(Limit: "effort" effort)]],
    rules: &[],
};

impl Reader<'_> {
    /// Reads a joint into the body of its child link.
    pub(super) fn robot_joint(&mut self, node: &Node, child: usize, robot: &mut Robot) {
        let (Some(kind), Some(name)) = (self.named(node, "type"), self.named(node, "name")) else { return };
        if !TYPES.contains(&kind) {
            let help = crate::suggest::help(kind, TYPES, "it takes one of:");
            self.error(node.value_loc("type"), format!("`{kind}` is not a type of joint")).help = help;
            return;
        }
        let (pos, turn) = self.origin(node);
        let mut joint = Joint { axis: DVec3::X, loc: node.loc, ..Default::default() };
        if let Some(axis) = self.single(node, "axis") {
            self.known(axis, &AXIS, &mut joint);
        }
        let body = &mut robot.links[child].body;
        (body.pos, body.orientation) = (pos, Orientation::Quat(turn));
        let world = body.name == WORLD;
        if kind == "fixed" {
            return;
        }
        if world {
            self.error(node.loc, "the link `world` stands for the world, which cannot move");
            return;
        }
        if let Some(dynamics) = self.single(node, "dynamics") {
            self.known(dynamics, &DYNAMICS, &mut joint);
        }
        let plain = joint.clone();
        joint.r#type = match kind {
            "prismatic" | "planar" => JointType::Slide,
            "floating" => JointType::Free,
            "spherical" => JointType::Ball,
            _ => JointType::Hinge,
        };
        if let Some(limit) = self.single(node, "limit") {
            let mut form = Limit::default();
            self.known(limit, &LIMIT, &mut form);
            set_limits(&mut joint, &form, kind == "continuous");
        }

        let mut joints = Vec::new();
        if kind == "planar" {
            // Two slides in the plane and a hinge about its normal; the limits are the first slide's.
            let turn = quat::to_mat_compiling(quat::z_to_compiling(unit(plain.axis).unwrap_or(DVec3::Z)));
            joints.push(("_TX", Joint { axis: turn.x_axis, ..joint }));
            joints.push(("_TY", Joint { r#type: JointType::Slide, axis: turn.y_axis, ..plain.clone() }));
            joints.push(("_RZ", plain));
        } else {
            joints.push(("", joint));
        }
        for (ending, mut joint) in joints {
            let name = format!("{name}{ending}");
            if robot.joint_names.insert(name.clone()) {
                self.declare("joint", &name, node.value_loc("name"));
                joint.name = name;
            } else {
                self.warning(node.value_loc("name"), format!("another joint is named `{name}`; this one gets no name"));
            }
            robot.links[child].body.joints.push(joint);
        }
        if let Some(mimic) = self.single(node, "mimic") {
            let scalar = matches!(kind, "revolute" | "continuous" | "prismatic");
            let mut form = Mimic {
                joint: name.into(),
                scalar,
                target: String::new(),
                multiplier: 1.0,
                offset: 0.0,
                loc: mimic.loc,
            };
            self.known(mimic, &MIMIC, &mut form);
            robot.mimics.push(form);
        }
    }

    /// Turns mimics into equality constraints, now that all joints are known.
    pub(super) fn mimics(&mut self, robot: &Robot) {
        let scalar = |j: &Joint| matches!(j.r#type, JointType::Hinge | JointType::Slide);
        let joints = robot.links.iter().filter(|l| l.body.joints.len() == 1).flat_map(|l| &l.body.joints);
        let names: std::collections::HashSet<&str> = joints.filter(|j| scalar(j)).map(|j| j.name.as_str()).collect();
        for m in robot.mimics.iter().filter(|m| !m.target.is_empty()) {
            if !m.scalar || !names.contains(m.target.as_str()) {
                self.warning(m.loc, format!("`mimic` of joint `{}` is ignored", m.joint))
                    .help("it couples revolute, continuous and prismatic joints");
                continue;
            }
            let mut equality = Equality {
                r#type: EqType::Joint,
                objtype: ObjType::Joint,
                name1: m.joint.clone(),
                name2: m.target.clone(),
                loc: m.loc,
                ..Default::default()
            };
            (equality.data[0], equality.data[1]) = (m.offset, m.multiplier);
            self.spec.equalities.push(equality);
        }
    }
}

/// Sets limits of motion and of effort. A range with one end only, or upside down, limits nothing.
fn set_limits(joint: &mut Joint, limit: &Limit, continuous: bool) {
    if !continuous && (limit.lower.is_some() || limit.upper.is_some()) {
        let range = [limit.lower.unwrap_or(0.0), limit.upper.unwrap_or(0.0)];
        joint.range = Some(range);
        if limit.lower.is_some() != limit.upper.is_some() || range[0] > range[1] {
            joint.limited = Tri::False;
        }
    }
    let effort = limit.effort.abs();
    if effort > 0.0 {
        joint.actfrcrange = Some([-effort, effort]);
    }
}
