//! `cargo xtask control`: successes of the tasks of control over many seeds, into docs/control.md.

use crate::{Result, page};
use mj_control::Task;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Arguments of `cargo xtask control`.
#[derive(clap::Args)]
pub struct Args {
    /// Seeds of each task.
    #[arg(long, default_value_t = 20)]
    seeds: u64,
    /// Seeds of each task that is reported as it is, which takes long.
    #[arg(long, default_value_t = 5)]
    open_seeds: u64,
    /// Compares the planner's derivatives with those of the reference in this Python, on tasks of MuJoCo MPC, instead.
    #[arg(long, requires = "corpus")]
    python: Option<PathBuf>,
    /// Folder of the corpus that has these tasks.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Measures these tasks alone, and writes nothing.
    #[arg(long)]
    task: Vec<String>,
}

/// Controls every task for every seed, and writes the table.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    if let (Some(python), Some(corpus)) = (&args.python, &args.corpus) {
        return super::planner::run(root, python, corpus);
    }
    let head = ["task", "method", "success", "condition", "plans/s", "s a run"].map(String::from);
    let mut rows = Vec::new();
    let chosen = |name: &str| args.task.is_empty() || args.task.iter().any(|t| t == name);
    for task in Task::all().iter().filter(|t| chosen(t.name)) {
        let (m, begin) = (task.model()?, Instant::now());
        let (mut good, mut plans, mut planning) = (0, 0, 0.0);
        let seeds = if task.is_open { args.open_seeds } else { args.seeds };
        for seed in 0..seeds {
            let mut problem = task.problem(&m, seed)?;
            let outcome = task.run(&m, &mut problem, |_, _| true)?;
            good += u64::from(outcome.success);
            plans += outcome.rate.plans;
            planning += outcome.rate.seconds;
        }
        let rate = if plans > 0 { format!("{:.1}", plans as f64 / planning) } else { "–".into() };
        rows.push(row([task.name, task.method, task.success], [good, seeds], rate, begin));
    }
    for task in mj_identify::task::Task::all().iter().filter(|t| chosen(t.name)) {
        let (m, begin) = (task.model()?, Instant::now());
        let mut good = 0;
        for seed in 0..args.seeds {
            good += u64::from(task.run(&m, seed)?.success);
        }
        let method = "Gauss-Newton, multiple shooting";
        rows.push(row([task.name, method, mj_identify::task::SUCCESS], [good, args.seeds], "–".into(), begin));
    }
    if !args.task.is_empty() {
        return Ok(());
    }
    let path = root.join("docs/control.md");
    let text = page::replaced(&std::fs::read_to_string(&path)?, "tasks", "control", &page::table(&head, &rows))?;
    std::fs::write(path, text)?;
    Ok(())
}

fn row([name, method, success]: [&str; 3], [good, seeds]: [u64; 2], rate: String, begin: Instant) -> [String; 6] {
    let seconds = begin.elapsed().as_secs_f64() / seeds.max(1) as f64;
    eprintln!("{name}: {good} of {seeds}, {seconds:.1} s each, {rate} plans/s");
    let count = format!("{good} of {seeds}");
    [format!("`{name}`"), method.into(), count, success.into(), rate, format!("{seconds:.2}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page has a row for every task.
    #[test]
    fn the_page_is_complete() {
        let text = std::fs::read_to_string(crate::root().join("docs/control.md")).unwrap();
        let part = page::part(&text, "tasks", "control").unwrap();
        let names = Task::all().iter().map(|t| t.name).chain(mj_identify::task::Task::all().iter().map(|t| t.name));
        names.for_each(|name| assert!(part.contains(&format!("| `{name}` |")), "{name}"));
    }
}
