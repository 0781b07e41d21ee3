//! `cargo xtask control`: successes of the tasks of control over many seeds, into docs/control.md.

use crate::{Result, page};
use mj_control::Task;
use std::path::Path;
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
}

/// Controls every task for every seed, and writes the table.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let head = ["task", "method", "success", "condition", "plans/s", "s a run"].map(String::from);
    let mut rows = Vec::new();
    for task in Task::all() {
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
        let seconds = begin.elapsed().as_secs_f64() / seeds.max(1) as f64;
        eprintln!("{}: {good} of {seeds}, {seconds:.1} s each", task.name);
        let rate = if plans > 0 { format!("{:.1}", plans as f64 / planning) } else { "–".into() };
        let row = [
            format!("`{}`", task.name),
            task.method.into(),
            format!("{good} of {seeds}"),
            task.success.into(),
            rate,
            format!("{seconds:.2}"),
        ];
        rows.push(row);
    }
    let path = root.join("docs/control.md");
    let text = page::replaced(&std::fs::read_to_string(&path)?, "tasks", "control", &page::table(&head, &rows))?;
    std::fs::write(path, text)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page has a row for every task.
    #[test]
    fn the_page_is_complete() {
        let text = std::fs::read_to_string(crate::root().join("docs/control.md")).unwrap();
        let part = page::part(&text, "tasks", "control").unwrap();
        Task::all().iter().for_each(|t| assert!(part.contains(&format!("| `{}` |", t.name)), "{}", t.name));
    }
}
