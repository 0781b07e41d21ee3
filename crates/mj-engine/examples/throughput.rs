//! What rollouts on several threads cost: processor time a step, against that on one thread, in turn within short intervals.
//!
//!     cargo run --release -p mj-engine --example throughput -- 2 models/humanoid.xml
//!
//! Processor time, from Linux's account of each thread, doesn't tell how often others had the processor, and the least of many
//! intervals little of what they did to its caches. So it holds on a busy machine, where time by the clock tells nothing. What it
//! leaves out is that threads wait for the last simulation; the last column, by the clock, has that too: the throughput of all
//! threads over that of one times their number, which only holds where nothing else runs.

use mj_engine::{Data, Model, RolloutArrays, RolloutPlan, State, load, rollout_into, step};
use mj_model::KeyId;

/// Simulations a thread and interval, their steps, and how often.
const SIMULATIONS: usize = 40;
const STEPS: usize = 100;
const ROUNDS: usize = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let threads: usize = args.next().ok_or("first the number of threads, then models")?.parse()?;
    let pools = [1, threads].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build());
    println!(
        "{:28} {:>10} {:>10} {:>7} {:>9} {:>9}  µs of processor time a step",
        "model", "one", "all", "ratio", "by median", "by clock"
    );
    for path in args {
        let m = load(&path)?;
        let starts = starts(&m, SIMULATIONS * threads)?;
        let (mut times, mut clock) = ([Vec::new(), Vec::new()], [f64::INFINITY; 2]);
        for _ in 0..ROUNDS {
            for (k, (pool, times)) in pools.iter().zip(&mut times).enumerate() {
                let pool = pool.as_ref().map_err(|e| e.to_string())?;
                let batch = if k == 0 { &starts[..SIMULATIONS] } else { &starts };
                let started = std::time::Instant::now();
                times.push(interval(&m, batch, pool)?);
                clock[k] = clock[k].min(started.elapsed().as_secs_f64());
            }
        }
        times.iter_mut().for_each(|t| t.sort_by(f64::total_cmp));
        let [one, all] = &times;
        let (least, median) = (all[0] / one[0], all[ROUNDS / 2] / one[ROUNDS / 2]);
        let throughput = clock[0] / clock[1];
        println!("{path:28} {:10.2} {:10.2} {least:7.3} {median:9.3} {throughput:9.3}", one[0], all[0]);
    }
    Ok(())
}

/// States in motion, each a little later than the one before.
fn starts(m: &Model, n: usize) -> Result<Vec<State>, Box<dyn std::error::Error>> {
    let mut d = Data::new(m)?;
    if !m.key.is_empty() {
        d.state.set_key(m, KeyId::new(0));
    }
    // Both batches are of like states: every thread's worth goes over the same time.
    let mut list = Vec::new();
    for _ in 0..SIMULATIONS {
        (0..10).for_each(|_| step(m, &mut d).unwrap());
        list.push(d.state.clone());
    }
    Ok((0..n).map(|i| list[i % SIMULATIONS].clone()).collect())
}

/// Processor time a step of a batch, µs.
fn interval(m: &Model, starts: &[State], pool: &rayon::ThreadPool) -> Result<f64, Box<dyn std::error::Error>> {
    let rows = starts.len() * STEPS;
    let (mut qpos, mut qvel) = (vec![0.0; rows * m.nq()], vec![0.0; rows * m.nv()]);
    let mut out = RolloutArrays { qpos: &mut qpos, qvel: &mut qvel, ..Default::default() };
    let plan = RolloutPlan::new(STEPS, &|_, _, _| {});
    let before = processor_time()?;
    pool.install(|| rollout_into(m, starts, plan, &mut out))?;
    Ok((processor_time()? - before) * 1e6 / rows as f64)
}

/// Processor time of all threads of the process, seconds.
fn processor_time() -> Result<f64, Box<dyn std::error::Error>> {
    let mut sum = 0.0;
    for task in std::fs::read_dir("/proc/self/task")? {
        let text = std::fs::read_to_string(task?.path().join("schedstat"))?;
        sum += text.split(' ').next().unwrap_or_default().parse::<f64>()? * 1e-9;
    }
    Ok(sum)
}
