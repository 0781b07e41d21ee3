//! Models built body by body, without a spec or a compiler.
//!
//! [`ModelBuilder`] fills the tables of the kinematic tree: bodies with their inertias, joints and sites. Addresses, trees,
//! masses of subtrees and the sparsity pattern of the joint-space inertia follow from these. That is enough for
//! kinematics and smooth dynamics. The compiler adds geoms, tendons, actuators and all other elements, and the constants
//! at the reference configuration (`invweight0`, `M0`, `length`). It fills the tables of the tree by the functions here.

mod derived;
mod rows;

pub use derived::{inertial_sameframe, set_pattern, set_sameframes, set_simple, set_subtree_masses, set_trees};
pub use rows::push_body;

use crate::Model;
use crate::enums::*;
use crate::ids::*;
use crate::model::{AddedBy, BodyRow, DofRow, JointRow, SiteRow};
use crate::spec::{unit, unit_quat};
use mj_math::{DQuat, DVec3};

/// A body, joint or site that can't be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The parent is not there, or not above the body that was added last.
    #[error("body {parent} cannot be a parent here: it is neither the last body, {last}, nor above that")]
    Parent {
        /// Row of the parent.
        parent: usize,
        /// Row of the body that was added last.
        last: usize,
    },
    /// A free joint on a body that is not a child of the world, or beside other joints, or with a spring that yields.
    #[error("a free joint is the only joint of its body, which is a child of the world, and has no spring that yields")]
    Free,
    /// An axis without length, or not finite.
    #[error("the axis of joint {0} has no direction")]
    Axis(usize),
    /// A quaternion without length, or not finite.
    #[error("the quaternion of {of} of body {body} has no direction")]
    Orientation {
        /// The frame: of the body, its inertia or a site.
        of: &'static str,
        /// Row of the body.
        body: usize,
    },
    /// A site of a body that is not there.
    #[error("there is no body {0}")]
    Body(usize),
    /// A mass or a moment of inertia that is negative or not finite.
    #[error(transparent)]
    Parameter(#[from] crate::ParameterError),
}

/// A joint to be built: its rows, and its coordinates.
///
/// The builder fills in addresses, body and tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointDef {
    /// Type, anchor and axis in the body, spring, limits.
    pub joint: JointRow,
    /// Armature, damping and friction loss, of each of its degrees of freedom.
    pub dof: DofRow,
    /// Coordinate of a hinge (radians) or slide (length) in the reference configuration.
    pub reference: f64,
    /// Coordinate of a hinge or slide at which its spring rests.
    pub spring: f64,
}

impl JointDef {
    /// A joint of a type, about or along an axis in the body, of any length, through the body's origin.
    pub fn new(kind: JointType, axis: DVec3) -> Self {
        Self { joint: JointRow { r#type: kind, axis, ..Default::default() }, ..Default::default() }
    }

    /// A hinge about an axis in the body, of any length.
    pub fn hinge(axis: DVec3) -> Self {
        Self::new(JointType::Hinge, axis)
    }

    /// A slide along an axis in the body, of any length.
    pub fn slide(axis: DVec3) -> Self {
        Self::new(JointType::Slide, axis)
    }

    /// A ball joint.
    pub fn ball() -> Self {
        Self::new(JointType::Ball, DVec3::Z)
    }

    /// A free joint, for a child of the world.
    pub fn free() -> Self {
        Self::new(JointType::Free, DVec3::Z)
    }

    /// Moves the anchor to a position in the body.
    #[must_use]
    pub fn at(mut self, pos: DVec3) -> Self {
        self.joint.pos = pos;
        self
    }
}

/// Builds a model of bodies, joints and sites.
///
/// ```
/// use mj_model::build::{JointDef, ModelBuilder};
/// use mj_model::model::BodyRow;
/// use mj_math::DVec3;
///
/// // A rod of 1 kg and 1 m that hinges about y at its upper end.
/// let inertia = DVec3::new(1.0 / 12.0, 1.0 / 12.0, 0.0);
/// let rod = BodyRow { mass: 1.0, ipos: DVec3::NEG_Z * 0.5, inertia, ..Default::default() };
/// let mut builder = ModelBuilder::new();
/// builder.add_body(mj_model::BodyId::WORLD, rod, &[JointDef::hinge(DVec3::Y)])?;
/// let model = builder.finish()?;
/// assert_eq!((model.nq(), model.nv(), model.tree.len()), (1, 1, 1));
/// assert_eq!(model.body.subtreemass[mj_model::BodyId::WORLD], 1.0);
/// # Ok::<(), mj_model::build::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    model: Model,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// Begins a model that has only the world.
    pub fn new() -> Self {
        let mut model = Model::default();
        push_body(&mut model, BodyId::WORLD, BodyRow::default(), &[]);
        Self { model }
    }

    /// Adds a body with its joints, the last of them nearest to the body.
    ///
    /// From `body` are taken position and orientation in the parent (`pos`, `quat`), the inertial frame in the body
    /// (`ipos`, `iquat`), mass, principal moments and `gravcomp`; the other fields are computed. Axes and quaternions
    /// may have any length. Bodies come depth first: the parent is the body that was added last, or one above it.
    ///
    /// # Errors
    /// If the parent is another body, the joints are impossible, or an axis or a quaternion has no direction; then nothing
    /// is added.
    pub fn add_body(&mut self, parent: BodyId, body: BodyRow, joints: &[JointDef]) -> Result<BodyId, BuildError> {
        let m = &mut self.model;
        let last = BodyId::new(m.body.len() - 1);
        let mut above = last;
        while above != parent {
            if above == BodyId::WORLD {
                return Err(BuildError::Parent { parent: parent.index(), last: last.index() });
            }
            above = m.body.parentid[above];
        }
        let is_free = |j: &JointDef| j.joint.r#type == JointType::Free;
        let goes_with = |j: &JointDef| joints.len() == 1 && parent == BodyId::WORLD && j.joint.springyield == 0.0;
        if joints.iter().any(|j| is_free(j) && !goes_with(j)) {
            return Err(BuildError::Free);
        }
        let mut joints = joints.to_vec();
        for (i, j) in joints.iter_mut().enumerate() {
            let scalar = matches!(j.joint.r#type, JointType::Slide | JointType::Hinge);
            let axis = if scalar { unit(j.joint.axis) } else { Some(DVec3::Z) };
            j.joint.axis = axis.filter(|a| a.is_finite()).ok_or(BuildError::Axis(m.jnt.len() + i))?;
            j.joint.actuatorid = AddedBy::None;
            if is_free(j) {
                j.joint.pos = DVec3::ZERO;
            }
        }
        let id = BodyId::new(m.body.len());
        let row = BodyRow {
            pos: body.pos,
            quat: direction(body.quat, "the frame", id)?,
            ipos: body.ipos,
            iquat: direction(body.iquat, "the inertial frame", id)?,
            mass: body.mass,
            inertia: body.inertia,
            gravcomp: body.gravcomp,
            ..Default::default()
        };
        Ok(push_body(m, parent, row, &joints))
    }

    /// Adds a site to a body: position and orientation in the body, size, shape, group and colour.
    ///
    /// # Errors
    /// If there is no such body, or the quaternion has no direction.
    pub fn add_site(&mut self, body: BodyId, site: SiteRow) -> Result<SiteId, BuildError> {
        if body.index() >= self.model.body.len() {
            return Err(BuildError::Body(body.index()));
        }
        let quat = direction(site.quat, "a site", body)?;
        Ok(self.model.site.push(SiteRow { bodyid: body, quat, dataid: None, matid: None, ..site }))
    }

    /// Completes and seals the model: trees, masses of subtrees, coinciding frames, the pattern of the joint-space inertia.
    ///
    /// # Errors
    /// If a mass or a moment of inertia is negative or not finite.
    pub fn finish(self) -> Result<Model, BuildError> {
        let mut m = self.model;
        m.check_parameters()?;
        set_sameframes(&mut m);
        set_simple(&mut m, |_| true);
        set_trees(&mut m);
        m.tree.sleep_policy.as_mut_slice().fill(SleepPolicy::AutoAllowed);
        set_subtree_masses(&mut m);
        set_pattern(&mut m);
        m.seal();
        Ok(m)
    }
}

/// Returns a quaternion at unit length.
fn direction(quat: DQuat, of: &'static str, body: BodyId) -> Result<DQuat, BuildError> {
    let error = BuildError::Orientation { of, body: body.index() };
    unit_quat(quat).filter(|q| q.is_finite()).ok_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unit_mass() -> BodyRow {
        BodyRow { mass: 1.0, inertia: DVec3::ONE, ..Default::default() }
    }

    #[test]
    fn addresses_trees_and_sparsity_follow_from_bodies_and_joints() {
        let mut b = ModelBuilder::new();
        // A free body that carries a fixed one, on which a ball joint turns another; and a slider beside them.
        let free = b.add_body(BodyId::WORLD, BodyRow { pos: DVec3::X, ..unit_mass() }, &[JointDef::free()]).unwrap();
        let fixed = b.add_body(free, unit_mass(), &[]).unwrap();
        let ball = b.add_body(fixed, unit_mass(), &[JointDef::ball().at(DVec3::Y)]).unwrap();
        let slide = JointDef { reference: 0.5, spring: 0.25, ..JointDef::slide(DVec3::Z * 3.0) };
        let slider = b
            .add_body(BodyId::WORLD, BodyRow { quat: DQuat::from_xyzw(0.0, 0.0, 2.0, 0.0), ..unit_mass() }, &[slide])
            .unwrap();
        let site = b.add_site(fixed, SiteRow { pos: DVec3::X, ..Default::default() }).unwrap();
        let m = b.finish().unwrap();

        assert_eq!(m.validate(), Ok(()));
        assert_eq!(m.structure.signature(), m.structure_signature());
        assert_eq!((m.nq(), m.nv(), m.tree.len()), (12, 10, 2));
        assert_eq!(m.qpos0, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5]);
        assert_eq!((m.qpos_spring[11], &m.qpos_spring[..11]), (0.25, &m.qpos0[..11]));
        assert_eq!([free, fixed, ball, slider].map(|b| m.body.subtreemass[b]), [3.0, 2.0, 1.0, 1.0]);
        assert_eq!([free, fixed, ball, slider].map(|b| m.body.weldid[b]), [free, free, ball, slider]);
        assert_eq!([free, fixed, ball, slider].map(|b| m.body.simple[b]), [0, 0, 0, 2]);
        // The ball joint's dofs couple with the free joint's six, the slider's with no other.
        assert_eq!(*m.m_pattern.rownnz, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]);
        assert_eq!(
            (m.body.quat[slider], m.jnt.axis[JointId::new(2)]),
            (DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0), DVec3::Z)
        );
        assert_eq!((m.site.bodyid[site], m.site.sameframe[site]), (fixed, SameFrame::BodyRot));
    }

    #[test]
    fn impossible_bodies_are_refused() {
        let mut b = ModelBuilder::new();
        let first = b.add_body(BodyId::WORLD, unit_mass(), &[JointDef::hinge(DVec3::Y)]).unwrap();
        let second = b.add_body(first, unit_mass(), &[]).unwrap();
        b.add_body(first, unit_mass(), &[]).unwrap();
        let before = b.model.clone();
        let told = b.add_body(second, unit_mass(), &[]).unwrap_err().to_string();
        assert_eq!(told, "body 2 cannot be a parent here: it is neither the last body, 3, nor above that");
        assert_eq!(b.add_body(first, unit_mass(), &[JointDef::free()]), Err(BuildError::Free));
        let two = [JointDef::free(), JointDef::ball()];
        assert_eq!(b.add_body(BodyId::WORLD, unit_mass(), &two), Err(BuildError::Free));
        let mut yielding = JointDef::free();
        yielding.joint.springyield = 1.0;
        assert_eq!(b.add_body(BodyId::WORLD, unit_mass(), &[yielding]), Err(BuildError::Free));
        for axis in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY] {
            assert_eq!(b.add_body(BodyId::WORLD, unit_mass(), &[JointDef::slide(axis)]), Err(BuildError::Axis(1)));
        }
        let none = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let told = b.add_body(first, BodyRow { iquat: none, ..unit_mass() }, &[]).unwrap_err().to_string();
        assert_eq!(told, "the quaternion of the inertial frame of body 4 has no direction");
        let site = SiteRow { quat: DQuat::NAN, ..Default::default() };
        assert_eq!(b.add_site(first, site), Err(BuildError::Orientation { of: "a site", body: 1 }));
        assert_eq!(b.add_site(BodyId::new(9), SiteRow::default()), Err(BuildError::Body(9)));
        assert_eq!(b.model, before);
        b.add_body(BodyId::WORLD, BodyRow { mass: -1.0, ..unit_mass() }, &[]).unwrap();
        assert_eq!(b.finish().unwrap_err().to_string(), "body_mass[4] is -1: a mass is finite and not negative");
    }

    proptest! {
        #[test]
        fn any_bodies_make_a_valid_model_or_an_error(
            list in prop::collection::vec((0..9usize, prop::collection::vec((0..4usize, 0..4u8), 0..4), 0..6u8), 0..9),
        ) {
            let mut b = ModelBuilder::new();
            let mut added = 1;
            for (parent, kinds, number) in list {
                let number = [0.0, 1.0, -1.0, 1e300, f64::NAN, f64::INFINITY][number as usize];
                let kind = |k| [JointType::Free, JointType::Ball, JointType::Slide, JointType::Hinge][k];
                let joints: Vec<JointDef> = kinds
                    .iter()
                    .map(|&(k, x)| {
                        let mut j = JointDef::new(kind(k), DVec3::splat([1.0, 0.0, number, f64::NAN][x as usize]));
                        j.joint.springyield = number;
                        j
                    })
                    .collect();
                let quat = DQuat::from_xyzw(number, 0.0, 0.0, 1.0);
                // Fields that are not taken from the row have no influence.
                let row = BodyRow { quat, jntnum: 9, geomnum: 3, mocapid: Some(MocapId::new(4)), ..unit_mass() };
                added += usize::from(b.add_body(BodyId::new(parent), row, &joints).is_ok());
            }
            let m = b.finish().unwrap();
            prop_assert_eq!(m.validate(), Ok(()));
            prop_assert_eq!(m.body.len(), added);
        }
    }
}
