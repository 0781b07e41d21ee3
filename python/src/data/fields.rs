//! The fields of `MjData` whose sizes the model fixes: where the engine keeps each.

use super::matrices::{self, Paths};
use crate::kind::{HasKind, Kind};
use crate::memory::Block;
use crate::sparse;
use mj_engine::{Data, Model};
use mj_math::DQuat;
use mj_model::{BodyId, Cell, SleepState};

/// Whether users set a field or the engine computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// State and inputs: every call reads them.
    Input,
    /// Results: calls that compute them don't read them.
    Result,
    /// Results that few look at and that take long to compute: Python asks for them, and calls leave their arrays.
    Asked,
}

/// A field: its shape, and how its numbers get into a block and back.
pub struct Source {
    /// Name.
    pub name: &'static str,
    /// Type of its numbers.
    pub kind: Kind,
    /// Whether users set it.
    pub role: Role,
    /// Shape of its array.
    pub shape: fn(&Model, &Data) -> Vec<usize>,
    /// Copies the engine's numbers into a block.
    pub write: fn(&Model, &Data, &Block),
    /// Copies a block's numbers back to the engine.
    pub read: fn(&Model, &mut Data, &Block),
}

/// Shape of an array of cells.
fn shape_of<T: Cell>(cells: &[T]) -> Vec<usize> {
    let mut shape = vec![cells.len()];
    shape.extend(T::SHAPE);
    shape
}

const fn kind_of<T: Cell, S>(_: fn(&S) -> &[T]) -> Kind
where
    T::Number: HasKind,
{
    <T::Number as HasKind>::KIND
}

/// Fields that the engine keeps as a slice of cells.
macro_rules! kept {
    ($role:ident $name:ident = $($path:tt)+) => {
        Source {
            name: stringify!($name),
            kind: kind_of(|d: &Data| d.$($path)+.as_slice()),
            role: Role::$role,
            shape: |_, d| shape_of(d.$($path)+.as_slice()),
            write: |_, d, block| block.write(d.$($path)+.as_slice()),
            read: |_, d, block| block.read(d.$($path)+.as_mut_slice()),
        }
    };
}

/// Fields that the engine keeps as a slice of cells, and that nobody writes.
macro_rules! shown {
    ($name:ident: $t:ty = $f:expr) => {
        Source {
            name: stringify!($name),
            kind: <<$t as Cell>::Number as HasKind>::KIND,
            role: Role::Result,
            shape: |_, d| {
                let f: fn(&Data) -> &[$t] = $f;
                shape_of(f(d))
            },
            write: |_, d, block| {
                let f: fn(&Data) -> &[$t] = $f;
                block.write(f(d))
            },
            read: |_, _, _| {},
        }
    };
}

/// Fields that are computed from others when they are read.
macro_rules! computed {
    ($name:ident: $t:ty = $f:expr) => { computed!(Result $name: $t = $f) };
    ($role:ident $name:ident: $t:ty = $f:expr) => {
        Source {
            name: stringify!($name),
            kind: <<$t as Cell>::Number as HasKind>::KIND,
            role: Role::$role,
            shape: |m, d| {
                let f: fn(&Model, &Data) -> Vec<$t> = $f;
                shape_of(&f(m, d))
            },
            write: |m, d, block| {
                let f: fn(&Model, &Data) -> Vec<$t> = $f;
                block.write(&f(m, d))
            },
            read: |_, _, _| {},
        }
    };
}

/// Bodies that don't sleep.
pub fn awake_bodies<'a>(m: &Model, d: &'a Data) -> impl Iterator<Item = usize> + use<'a> {
    let bodies = (0..m.body.len()).map(BodyId::new);
    bodies.filter(|&b| d.state.awake.body(b) != SleepState::Asleep).map(|b| b.index())
}

/// Bodies whose parents don't sleep.
pub fn bodies_of_awake<'a>(m: &'a Model, d: &'a Data) -> impl Iterator<Item = usize> + 'a {
    let bodies = m.body.ids().skip(1);
    bodies.filter(|&b| d.state.awake.body(m.body.parentid[b]) != SleepState::Asleep).map(|b| b.index())
}

/// Indices, and zeros up to a size.
fn padded(indices: impl Iterator<Item = usize>, n: usize) -> Vec<i32> {
    indices.map(|i| i as i32).chain(std::iter::repeat(0)).take(n).collect()
}

/// All fields.
pub static FIELDS: &[Source] = &[
    kept!(Input qpos = state.qpos),
    kept!(Input qvel = state.qvel),
    kept!(Input act = state.act),
    kept!(Input history = state.history),
    kept!(Input plastic = state.plastic),
    kept!(Input qacc_warmstart = state.qacc_warmstart),
    kept!(Input ctrl = state.ctrl),
    kept!(Input qfrc_applied = state.qfrc_applied),
    kept!(Input xfrc_applied = state.xfrc_applied),
    kept!(Input eq_active = state.eq_active),
    kept!(Input mocap_pos = state.mocap_pos),
    kept!(Input mocap_quat = state.mocap_quat),
    kept!(Input userdata = state.userdata),
    kept!(Input plugin_state = state.plugin_state),
    // Not computed by every call that computes the rest: what users write to these is kept.
    kept!(Input qacc = qacc),
    kept!(Input sensordata = sensordata),
    kept!(Input energy = energy),
    kept!(Result act_dot = smooth.actuation.act_dot),
    kept!(Result flexvert_xpos = flexes.vert_xpos),
    kept!(Result flexelem_aabb = flexes.elem_aabb),
    kept!(Result flexedge_length = flexes.edge_length),
    kept!(Result flexedge_velocity = flexes.edge_velocity),
    kept!(Result flexvert_lambda = contact_memory.lambda),
    kept!(Result flexvert_conage = contact_memory.age),
    shown!(flexedge_J: f64 = |d| d.flexes.edge_J.all_values()),
    kept!(Result xpos = smooth.poses.xpos),
    kept!(Result xquat = smooth.poses.xquat),
    kept!(Result xmat = smooth.poses.xmat),
    kept!(Result xipos = smooth.poses.xipos),
    computed!(xiquat: DQuat = |m, d| m.body.ids().map(|b| d.smooth.poses.xquat[b] * m.body.iquat[b]).collect()),
    kept!(Result ximat = smooth.poses.ximat),
    kept!(Result xanchor = smooth.poses.xanchor),
    kept!(Result xaxis = smooth.poses.xaxis),
    kept!(Result geom_xpos = smooth.poses.geom_xpos),
    computed!(geom_xquat: DQuat = |m, d| {
        m.geom.ids().map(|g| d.smooth.poses.xquat[m.geom.bodyid[g]] * m.geom.quat[g]).collect()
    }),
    kept!(Result geom_xmat = smooth.poses.geom_xmat),
    kept!(Result site_xpos = smooth.poses.site_xpos),
    computed!(site_xquat: DQuat = |m, d| {
        m.site.ids().map(|s| d.smooth.poses.xquat[m.site.bodyid[s]] * m.site.quat[s]).collect()
    }),
    kept!(Result site_xmat = smooth.poses.site_xmat),
    kept!(Result cam_xpos = smooth.poses.cam_xpos),
    kept!(Result cam_xmat = smooth.poses.cam_xmat),
    kept!(Result light_xpos = smooth.poses.light_xpos),
    kept!(Result light_xdir = smooth.poses.light_xdir),
    kept!(Result subtree_com = smooth.poses.subtree_com),
    kept!(Result cdof = smooth.poses.cdof),
    kept!(Result cinert = smooth.poses.cinert),
    shown!(ten_J: f64 = |d| d.smooth.transmissions.ten_J.all_values()),
    computed!(Asked ten_wrapadr: i32 = |m, d| Paths::of(m, d).addresses()),
    computed!(Asked ten_wrapnum: i32 = |m, d| Paths::of(m, d).number),
    computed!(Asked wrap_obj: [i32; 2] = |m, d| Paths::of(m, d).objects(m)),
    computed!(Asked wrap_xpos: [f64; 6] = |m, d| Paths::of(m, d).positions(m)),
    computed!(Asked qH: f64 = matrices::factor),
    computed!(Asked qHDiagInv: f64 = matrices::factor_diagonal),
    computed!(Asked qDeriv: f64 = matrices::derivative),
    computed!(Asked qLU: f64 = matrices::derivative_factor),
    kept!(Result ten_length = smooth.transmissions.ten_length),
    kept!(Result actuator_length = smooth.transmissions.actuator_length),
    shown!(actuator_moment: f64 = |d| d.smooth.transmissions.actuator_moment.all_values()),
    computed!(Asked moment_rownnz: i32 = |_, d| sparse::rownnz(&d.smooth.transmissions.actuator_moment)),
    computed!(Asked moment_rowadr: i32 = |_, d| sparse::rowadr(&d.smooth.transmissions.actuator_moment)),
    computed!(Asked moment_colind: i32 = |_, d| sparse::colind(&d.smooth.transmissions.actuator_moment)),
    kept!(Result crb = smooth.inertia.crb),
    kept!(Result M = smooth.inertia.M),
    kept!(Result qLD = smooth.inertia.qLD),
    kept!(Result qLDiagInv = smooth.inertia.qLDiagInv),
    kept!(Result ten_velocity = smooth.velocities.ten_velocity),
    kept!(Result actuator_velocity = smooth.velocities.actuator_velocity),
    kept!(Result cvel = smooth.velocities.cvel),
    kept!(Result cdof_dot = smooth.velocities.cdof_dot),
    kept!(Result qfrc_bias = smooth.velocities.qfrc_bias),
    kept!(Result qfrc_spring = smooth.velocities.qfrc_spring),
    kept!(Result qfrc_damper = smooth.velocities.qfrc_damper),
    kept!(Result qfrc_gravcomp = smooth.velocities.qfrc_gravcomp),
    kept!(Result qfrc_fluid = smooth.velocities.qfrc_fluid),
    kept!(Result qfrc_adhesion = smooth.velocities.qfrc_adhesion),
    kept!(Result qfrc_passive = smooth.velocities.qfrc_passive),
    kept!(Result subtree_linvel = smooth.velocities.subtree_linvel),
    kept!(Result subtree_angmom = smooth.velocities.subtree_angmom),
    kept!(Result actuator_force = smooth.actuation.actuator_force),
    kept!(Result qfrc_actuator = smooth.actuation.qfrc_actuator),
    kept!(Result qfrc_smooth = smooth.actuation.qfrc_smooth),
    kept!(Result qacc_smooth = smooth.actuation.qacc_smooth),
    kept!(Result qfrc_constraint = solution.qfrc_constraint),
    kept!(Result qfrc_inverse = qfrc_inverse),
    kept!(Result cacc = body_forces.cacc),
    kept!(Result cfrc_int = body_forces.cfrc_int),
    kept!(Result cfrc_ext = body_forces.cfrc_ext),
    kept!(Result solver_fwdinv = solver_fwdinv),
    computed!(tree_awake: i32 = |m, d| m.tree.ids().map(|t| d.state.awake.tree(t).into()).collect()),
    computed!(body_awake: i32 = |m, d| m.body.ids().map(|b| d.state.awake.body(b).code()).collect()),
    computed!(Asked body_awake_ind: i32 = |m, d| padded(awake_bodies(m, d), m.body.len())),
    computed!(Asked parent_awake_ind: i32 = |m, d| padded(bodies_of_awake(m, d), m.body.len())),
    computed!(Asked dof_awake_ind: i32 = |m, d| padded(d.state.awake.dofs.iter().cloned().flatten(), m.nv())),
    // Cycles of sleeping trees, which the engine follows: shown alone.
    shown!(tree_asleep: i32 = |d| d.sleep.tree_asleep.as_slice()),
];
