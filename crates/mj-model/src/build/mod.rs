//! Models made body by body, without a spec or a compiler.
//!
//! [`ModelBuilder`] fills the tables of the kinematic tree: bodies with their inertias, joints and
//! sites. The addresses, trees, masses of subtrees and the sparsity pattern of the joint-space inertia
//! follow from these. That is enough for kinematics and smooth dynamics. Geoms, tendons, actuators and
//! what else a model can hold, and the constants at the reference configuration (`invweight0`, `M0`,
//! `length`), are the compiler's.

mod derived;

pub use derived::{same_frame, set_pattern, set_simple, set_subtree_masses, set_trees};

use crate::enums::*;
use crate::ids::*;
use crate::model::{BodyRow, DofRow, JointRow, Model, SiteRow};
use crate::spec::unit;
use mj_math::{DQuat, DVec3, quat};

/// A body or a joint that can't be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// The parent is not there, or not above the body that was added last.
    #[error("body {parent} cannot be a parent here: it is neither the last body, {last}, nor above that")]
    Parent {
        /// Row of the parent.
        parent: usize,
        /// Row of the body that was added last.
        last: usize,
    },
    /// A free joint on a body that is not a child of the world, or beside other joints.
    #[error("a free joint is the only joint of its body, which is a child of the world")]
    Free,
    /// An axis without length, or not finite.
    #[error("the axis of joint {0} has no direction")]
    Axis(usize),
    /// A site of a body that is not there.
    #[error("there is no body {0}")]
    Body(usize),
    /// A mass or a moment of inertia that is negative or not finite.
    #[error(transparent)]
    Parameter(#[from] crate::ParameterError),
}

/// A joint to be built: its rows, and its coordinates.
///
/// What follows from its place in the tree (addresses, body, tree) is filled in.
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
    /// A joint of a type, about or along an axis of the body, through the body's origin.
    pub fn new(kind: JointType, axis: DVec3) -> Self {
        Self { joint: JointRow { r#type: kind, axis, ..Default::default() }, ..Default::default() }
    }

    /// A hinge about an axis of the body, of any length.
    pub fn hinge(axis: DVec3) -> Self {
        Self::new(JointType::Hinge, axis)
    }

    /// A slide along an axis of the body, of any length.
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

    /// Moves the anchor.
    pub fn at(mut self, pos: DVec3) -> Self {
        self.joint.pos = pos;
        self
    }
}

/// Builds a model's kinematic tree.
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
    /// Begins a model with nothing but the world.
    pub fn new() -> Self {
        let mut model = Model::default();
        model.body.push(BodyRow { sameframe: SameFrame::Body, ..Default::default() });
        Self { model }
    }

    /// Adds a body with its joints, the last of them nearest to the body.
    ///
    /// `body` says position and orientation in the parent (`pos`, `quat`), the inertial frame in the body
    /// (`ipos`, `iquat`), mass, principal moments and `gravcomp`; what else a row holds is found out. Bodies
    /// come depth first: the parent is the body that was added last, or one above it.
    ///
    /// # Errors
    /// If the parent is another one, or the joints are impossible; then nothing is added.
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
        if joints.iter().any(is_free) && (joints.len() > 1 || parent != BodyId::WORLD) {
            return Err(BuildError::Free);
        }
        let mut joints = joints.to_vec();
        for (i, j) in joints.iter_mut().enumerate() {
            let scalar = matches!(j.joint.r#type, JointType::Slide | JointType::Hinge);
            let axis = if scalar { unit(j.joint.axis) } else { Some(DVec3::Z) };
            j.joint.axis = axis.ok_or(BuildError::Axis(m.jnt.len() + i))?;
            if is_free(j) {
                j.joint.pos = DVec3::ZERO;
            }
        }
        let none = BodyRow::default();
        let body = BodyRow { mocapid: none.mocapid, geomnum: none.geomnum, geomadr: none.geomadr, ..body };
        Ok(push_body(m, parent, body, &joints))
    }

    /// Adds a site to a body: position, orientation and size in the body.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn add_site(&mut self, body: BodyId, site: SiteRow) -> Result<SiteId, BuildError> {
        let m = &mut self.model;
        if body.index() >= m.body.len() {
            return Err(BuildError::Body(body.index()));
        }
        let sameframe = same_frame((site.pos, site.quat), (m.body.ipos[body], m.body.iquat[body]));
        Ok(m.site.push(SiteRow { bodyid: body, sameframe, ..site }))
    }

    /// Completes the model: trees, masses of subtrees, the pattern of the joint-space inertia.
    ///
    /// # Errors
    /// If a mass or a moment of inertia is negative or not finite.
    pub fn finish(self) -> Result<Model, BuildError> {
        let mut m = self.model;
        m.check_parameters()?;
        set_simple(&mut m, |_| true);
        set_trees(&mut m);
        m.tree.sleep_policy.as_mut_slice().fill(SleepPolicy::AutoAllowed);
        set_subtree_masses(&mut m);
        set_pattern(&mut m);
        Ok(m)
    }
}

/// Appends a body and its joints to the tables: their coordinates, degrees of freedom and links. The row says
/// whether it is a mocap body, and which geoms it has; bodies before it must be whole.
pub fn push_body(m: &mut Model, parent: BodyId, body: BodyRow, joints: &[JointDef]) -> BodyId {
    let id = BodyId::new(m.body.len());
    let world = id == BodyId::WORLD;
    let moves = !joints.is_empty() || body.mocapid.is_some();
    let (jnt, dof) = (m.jnt.len(), m.dof.len());
    // The degrees of freedom above are those of the body that the parent is fixed to.
    let mut last = (!world)
        .then(|| m.body.weldid[parent])
        .and_then(|b| m.body.dofadr[b].map(|d| DofId::new(d.index() + m.body.dofnum[b] as usize - 1)));
    for j in joints {
        push_joint(m, id, (body.pos, body.quat), j, &mut last);
    }
    m.body.push(BodyRow {
        parentid: parent,
        rootid: if world || parent == BodyId::WORLD { id } else { m.body.rootid[parent] },
        weldid: if world || moves { id } else { m.body.weldid[parent] },
        jntnum: joints.len() as u32,
        jntadr: (!joints.is_empty()).then(|| JointId::new(jnt)),
        dofnum: (m.dof.len() - dof) as u32,
        dofadr: (m.dof.len() > dof).then(|| DofId::new(dof)),
        sameframe: match same_frame((body.ipos, body.iquat), (DVec3::ZERO, DQuat::IDENTITY)) {
            same @ (SameFrame::Body | SameFrame::BodyRot) => same,
            _ => SameFrame::None,
        },
        ..body
    })
}

/// Appends a joint with its coordinates and degrees of freedom.
fn push_joint(m: &mut Model, body: BodyId, (pos, rot): (DVec3, DQuat), j: &JointDef, last: &mut Option<DofId>) {
    let kind = j.joint.r#type;
    let yields = j.joint.springyield > 0.0;
    let jnt = m.jnt.push(JointRow {
        bodyid: body,
        qposadr: m.qpos0.len() as u32,
        dofadr: DofId::new(m.dof.len()),
        plasticadr: if yields { m.nplastic as i32 } else { -1 },
        ..j.joint.clone()
    });
    if yields {
        m.nplastic += if kind == JointType::Ball { 4 } else { 1 };
    }
    match kind {
        JointType::Free => {
            m.qpos0.extend(pos.to_array());
            m.qpos0.extend(quat::to_wxyz(rot));
        }
        JointType::Ball => m.qpos0.extend([1.0, 0.0, 0.0, 0.0]),
        JointType::Slide | JointType::Hinge => m.qpos0.push(j.reference),
    }
    match kind {
        JointType::Slide | JointType::Hinge => m.qpos_spring.push(j.spring),
        _ => m.qpos_spring.extend_from_slice(&m.qpos0[m.qpos_spring.len()..]),
    }
    for _ in 0..kind.sizes().1 {
        *last = Some(m.dof.push(DofRow { bodyid: body, jntid: jnt, parentid: *last, ..j.dof.clone() }));
    }
}
