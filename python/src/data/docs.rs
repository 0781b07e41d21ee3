//! First lines about the fields of data, from the declarations of the engine's results.

use mj_dynamics::{Actuation, BodyForces, JointInertia, Poses, Velocities};
use mj_model::State;
use pyo3::prelude::*;

/// Fields that no declaration of a stage's results holds.
const BESIDE: &[(&str, &str)] = &[
    ("xiquat", "Orientation of each body's principal axes."),
    ("geom_xquat", "Orientation of each geom."),
    ("site_xquat", "Orientation of each site."),
    ("qacc", "Acceleration."),
    ("sensordata", "Readings of the sensors."),
    ("energy", "Potential and kinetic energy."),
    ("flexvert_xpos", "Position of each vertex of flexes."),
    ("flexvert_lambda", "Greatest multiplier of the contacts of each vertex of flexes, under the flag `ipc`."),
    (
        "flexvert_conage",
        "Rounds since a contact last pushed each vertex of flexes, under the flag `ipc`; negative if one did before.",
    ),
    ("flexelem_aabb", "Box of each element of flexes along the world's axes: centre and half sizes."),
    ("flexedge_length", "Length of each edge of flexes."),
    ("flexedge_velocity", "Velocity of the length of each edge of flexes."),
    ("flexedge_J", "Jacobian of the lengths of the edges of flexes: entries of its sparse form."),
    ("ten_J", "Jacobian of the tendons' lengths: entries of its sparse form."),
    ("ten_length", "Length of each tendon."),
    ("actuator_length", "Length of each output of an actuator."),
    ("actuator_moment", "Moment arms of the outputs of actuators: entries of their sparse form."),
    ("moment_rownnz", "Number of entries in each row of `actuator_moment`."),
    ("moment_rowadr", "First entry of each row of `actuator_moment`."),
    ("moment_colind", "Dof of each entry of `actuator_moment`."),
    ("qfrc_constraint", "Force of the constraints."),
    ("qfrc_inverse", "Force that inverse dynamics finds."),
    ("solver_fwdinv", "Difference of forward and inverse dynamics: constraint force, and applied force."),
    ("ten_wrapadr", "First point of the path of each tendon in `wrap_xpos`."),
    ("ten_wrapnum", "Number of points of the path of each tendon."),
    ("wrap_obj", "Object at each point of a path: a geom, -1 for a site, -2 for a pulley."),
    ("wrap_xpos", "Positions of the points of paths, two a row."),
    ("qH", "Factor of the inertia with implicit forces, as `qLD`."),
    ("qHDiagInv", "Inverse diagonal of the factor of the inertia with implicit forces."),
    ("qDeriv", "Derivative of smooth forces by velocity: entries of its sparse form."),
    ("qLU", "Factors of the inertia less the time step times `qDeriv`."),
    ("tree_awake", "Whether each kinematic tree is awake."),
    ("tree_asleep", "Cycle of the sleeping trees; negative for those that are awake."),
    ("body_awake", "Sleep state of each body, by mjtSleepState."),
    ("body_awake_ind", "Bodies that are awake, then zeros."),
    ("parent_awake_ind", "Bodies whose parents are awake, then zeros."),
    ("dof_awake_ind", "Dofs that are awake, then zeros."),
];

/// Returns the names of fields of data, with one line about each.
#[pyfunction]
pub fn _data_docs() -> Vec<(&'static str, &'static str)> {
    let results = [Poses::FIELDS, JointInertia::FIELDS, Velocities::FIELDS, Actuation::FIELDS, BodyForces::FIELDS];
    let declared = [State::FIELDS].into_iter().chain(results).flatten();
    declared.map(|info| (info.name, info.doc.trim())).chain(BESIDE.iter().copied()).collect()
}
