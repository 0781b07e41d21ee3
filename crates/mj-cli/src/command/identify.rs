//! `mj identify`: parameters of a model from a log.

#[cfg(not(feature = "control"))]
use crate::failure::Failure;
use std::path::PathBuf;

#[cfg(feature = "control")]
pub use crate::control::identify as run;

/// Finds parameters of a model from a log of controls and measurements.
///
/// A log is CSV, whose first line names the columns (`time`, `ctrl[motor]`, `qpos[hinge]`, `qvel[hinge]`, `sensor[name]`; a number
/// after a comma where an element has several), or an npz archive with arrays of these names: time (n), ctrl (n, nu), qpos
/// (n, nq), qvel (n, nv), sensordata (n, nsensordata). Numbers that were not measured are empty or NaN. Sensors are those of
/// the state and the controls of their row.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  mj identify arm.xml log.csv --find 'dof_damping[elbow]' --find 'body_mass[fore]=0.1:3' --window 100 --report fit.html"
)]
pub struct Args {
    /// Model.
    pub model: PathBuf,
    /// Log, .csv or .npz.
    pub log: PathBuf,
    /// Parameter to be found, as `body_mass[torso]` or `geom_friction[floor,0]`, with bounds if wanted: =LOWER:UPPER. Without
    /// a number in the row, all of it: `body_ipos[torso]`, or `body_logcholesky[torso]` for an inertia that a body can have.
    #[arg(long = "find", required = true)]
    pub find: Vec<String>,
    /// Samples of a window, each of which begins from a state of its own; 0: the whole log.
    #[arg(long, default_value_t = 0)]
    pub window: usize,
    /// Page to write, with plots.
    #[arg(long)]
    pub report: Option<PathBuf>,
    /// Prints the fit as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Says how to get a build that identifies.
#[cfg(not(feature = "control"))]
pub fn run(_: &Args) -> Result<(), Failure> {
    Err(Failure::Missing { what: "identification", feature: "control" })
}
