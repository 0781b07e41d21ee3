//! Bodies of a flexcomp: one for each point or node that is not pinned.

use mj_math::DVec3;
use mj_model::spec::{Body, Flexcomp, Inertial, Joint};
use mj_model::{FlexDof, JointType};

/// Makes the bodies of one flexcomp.
pub(super) struct Maker<'a> {
    pub f: &'a Flexcomp,
    /// Joint with the values of the root default class.
    pub joint: Joint,
}

impl Maker<'_> {
    /// Makes a body with the sliding joints of a flexcomp's degrees of freedom.
    pub fn body(&self, name: String, pos: DVec3, mass: f64) -> Body {
        let f = self.f;
        let axes = match f.dof {
            FlexDof::Radial => vec![pos.try_normalize().unwrap_or(DVec3::ZERO)],
            FlexDof::Planar => vec![DVec3::X, DVec3::Y],
            _ => vec![DVec3::X, DVec3::Y, DVec3::Z],
        };
        Body {
            name,
            frame: f.frame,
            pos,
            inertial: Some(self.inertial(mass)),
            joints: axes.into_iter().map(|axis| self.joint(JointType::Slide, axis)).collect(),
            plugin: f.plugin.clone(),
            loc: f.loc,
            ..Body::default()
        }
    }

    /// Mass and inertia of a box with sides of twice `inertiabox`.
    pub fn inertial(&self, mass: f64) -> Inertial {
        let moment = mass * (2.0 * self.f.inertiabox * self.f.inertiabox) / 3.0;
        Inertial { mass, diaginertia: Some([moment; 3]), loc: self.f.loc, ..Inertial::default() }
    }

    pub fn joint(&self, kind: JointType, axis: DVec3) -> Joint {
        let at = Joint { name: String::new(), r#type: kind, pos: DVec3::ZERO, axis, ..self.joint.clone() };
        Joint { class: None, class_applied: true, frame: None, loc: self.f.loc, ..at }
    }
}
