//! Controls tasks for some seeds and counts successes.
//!
//!     cargo run --release -p mj-control --example tasks [-- TASK [SEEDS]]

use mj_control::Task;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let tasks = match args.next() {
        Some(name) => std::slice::from_ref(Task::find(&name)?),
        None => Task::all(),
    };
    let seeds = args.next().map_or(Ok(3), |s| s.parse())?;
    for task in tasks {
        let m = task.model()?;
        let (mut good, mut hertz, begin) = (0, 0.0, std::time::Instant::now());
        for seed in 0..seeds {
            let mut problem = task.problem(&m, seed)?;
            let outcome = task.run(&m, &mut problem, |_, _| true)?;
            good += u64::from(outcome.success);
            hertz += outcome.rate.hertz() / seeds as f64;
            if std::env::var_os("SHOW").is_some() {
                println!(
                    "  {seed}: {} {:.3?} goal {:.3?}",
                    outcome.success,
                    outcome.states.last().map(|s| &s.qpos),
                    problem.goal
                );
            }
        }
        println!(
            "{}: {good} of {seeds} succeed, {hertz:.1} plans/s, {:.1} s",
            task.name,
            begin.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
