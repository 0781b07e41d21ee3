//! Rigid bodies: kinematics, inertia, velocities, forces, Jacobians.

pub(crate) mod camlight;
pub(crate) mod chains;
pub(crate) mod com;
pub(crate) mod coordinates;
pub(crate) mod inertia;
pub(crate) mod jacobian;
pub(crate) mod kinematics;
pub(crate) mod object;
pub(crate) mod rne;
pub(crate) mod velocity;
