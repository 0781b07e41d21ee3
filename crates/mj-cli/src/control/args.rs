//! Arguments of `mj plan`, `mj control` and `mj identify`.

use std::path::PathBuf;

/// Optimizes the controls of a task from its start, and prints the cost of each iteration.
///
/// The archive holds time, qpos, qvel and ctrl along the trajectory, each of shape (steps, n).
#[derive(clap::Args)]
#[command(after_help = help("mj plan acrobot --out plan.npz"))]
pub struct PlanArgs {
    #[command(flatten)]
    pub task: TaskArgs,
}

/// Controls the simulation of a task to its end, and says whether it succeeds.
///
/// The archive holds time, qpos, qvel and ctrl of each step, each of shape (steps, n).
#[derive(clap::Args)]
#[command(after_help = help("mj control push --seed 3 --record push.html"))]
pub struct ControlArgs {
    #[command(flatten)]
    pub task: TaskArgs,
    /// Shows the simulation in a window while it is controlled, in real time where the controller is as fast; pull at it.
    #[arg(long)]
    pub view: bool,
    /// With --view: opens no window, but serves a page and prints its URL; Ctrl-C ends it.
    #[arg(long, requires = "view")]
    pub web: bool,
}

/// A task and what is written of it.
#[derive(clap::Args)]
pub struct TaskArgs {
    /// Task by name.
    pub task: String,
    /// Seed that the start and the noise of samples follow from.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Archive to write.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Page to write, an HTML file that plays the states.
    #[arg(long)]
    pub record: Option<PathBuf>,
}

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
pub struct IdentifyArgs {
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

#[cfg(feature = "control")]
fn help(example: &str) -> String {
    let tasks = mj_control::Task::all().iter().map(|t| format!("  {:16} {}\n", t.name, t.about));
    format!("Tasks:\n{}\nExample:\n  {example}", tasks.collect::<String>())
}

#[cfg(not(feature = "control"))]
fn help(example: &str) -> String {
    format!("This build has no tasks; build it with --features control.\n\nExample:\n  {example}")
}
