//! `mj plan` and `mj control`: tasks of control by name.

#[cfg(not(feature = "control"))]
use crate::failure::Failure;
use std::path::PathBuf;

#[cfg(feature = "control")]
pub use crate::control::{control, plan};

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

/// Says how to get a build that plans.
#[cfg(not(feature = "control"))]
pub fn plan(_: &PlanArgs) -> Result<(), Failure> {
    Err(Failure::Missing { what: "control", feature: "control" })
}

/// Says how to get a build that controls.
#[cfg(not(feature = "control"))]
pub fn control(_: &ControlArgs) -> Result<(), Failure> {
    Err(Failure::Missing { what: "control", feature: "control" })
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
