//! The last step of compiling, which programs repeat after they have edited a model.

use crate::derived::reference::Reference;
use crate::{derived::fixed, tree::bounds};
use mj_model::build::{inertial_sameframe, set_sameframes};
use mj_model::{BodyId, Model, ObjType, ParameterError, SameFrame, TendonId, TreeId};

/// Parameters of a model contradict its structure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SetConstError {
    /// The time step, a mass or an inertia is of no use.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The inertia of a body was compiled as diagonal, which it no longer is.
    #[error("the centre of mass and principal axes of {} are no longer those of its frame: compile it with simple=\"false\", or change it in the spec", .name)]
    OffCentre {
        /// Row of the body.
        body: BodyId,
        /// The body by its name.
        name: String,
    },
    /// A tree may sleep by the author's word, though a tendon couples it with others.
    #[error("{} may not sleep, because {} couples its tree with others", .body, .by)]
    CoupledSleeper {
        /// Row of the tree.
        tree: TreeId,
        /// Row of the tendon.
        tendon: TendonId,
        /// The first body of the tree by its name.
        body: String,
        /// The tendon by its name.
        by: String,
    },
}

/// Computes what a model derives from its parameters, after they were edited (`mj_setConst`): masses of subtrees, inertia
/// and inverse weights of bodies, dofs and tendons at `qpos0`, lengths of tendons and actuators there, acceleration by unit
/// force of actuators, offsets of cameras and lights that track, second anchors of connects and poses of marked welds
/// between bodies (`eq_data[11]` not 0), sizes of height fields' geoms, bounds and added mass of geoms, contact filters and
/// margins of bodies, coinciding frames, who adds damping and armature to joints and tendons, which trees may sleep.
///
/// It leaves what the compiler derives from conventions of the spec: damping by `dampratio`, stiffness and damping by
/// `springdamper`, spring lengths of tendons, statistics. Copies of the model keep their values, and all share its plans.
/// State and results in a [`Data`](https://docs.rs/mj-engine) are not touched: the next step uses the new constants.
///
/// ```
/// use mj_model::spec::{Body, Geom, Joint};
/// use mj_model::{BodyId, Spec};
///
/// let mut spec = Spec::default();
/// let geoms = vec![Geom { size: [0.1, 0.0, 0.0], ..Default::default() }];
/// spec.worldbody.bodies.push(Body { joints: vec![Joint::default()], geoms, ..Default::default() });
/// let mut m = mj_compile::compile(&spec).0.unwrap();
/// let (ball, before) = (BodyId::new(1), m.body.subtreemass[BodyId::WORLD]);
/// m.body.mass[ball] *= 2.0;
/// mj_compile::set_const(&mut m)?;
/// assert_eq!(m.body.subtreemass[BodyId::WORLD], 2.0 * before);
/// # Ok::<(), mj_compile::SetConstError>(())
/// ```
///
/// # Errors
/// If the time step, a mass or an inertia is of no use, or parameters contradict the structure of the model. The model is
/// left as it was then.
pub fn set_const(m: &mut Model) -> Result<(), SetConstError> {
    m.check_parameters()?;
    if let Some(body) = off_centre(m) {
        return Err(SetConstError::OffCentre { body, name: m.names.describe(ObjType::Body, body.index()) });
    }
    if let Some((tree, tendon)) = fixed::wrong_sleepers(m).next() {
        let body = m.names.describe(ObjType::Body, m.tree.bodyadr[tree].index());
        let by = m.names.describe(ObjType::Tendon, tendon.index());
        return Err(SetConstError::CoupledSleeper { tree, tendon, body, by });
    }
    derive(m);
    Ok(())
}

/// Finds a body whose block of the inertia matrix was compiled as diagonal, though its inertial frame no longer is its
/// own.
fn off_centre(m: &Model) -> Option<BodyId> {
    m.body.ids().skip(1).find(|&b| m.body.simple[b] > 0 && inertial_sameframe(m, b) != SameFrame::Body)
}

/// Fills in what [`set_const`] computes, and returns what is known at `qpos0`.
pub(crate) fn derive(m: &mut Model) -> Reference {
    set_sameframes(m);
    bounds::set(m);
    fixed::set(m);
    Reference::set(m)
}
