//! Both engines on one model, in turn.

use super::reference::{Reference, Taken};
use crate::Result;
use crate::engine::{Engine, Run, Scratch};
use serde_json::Value;
use std::path::PathBuf;

/// A model and how it is run.
pub struct Case {
    /// Its name in tables.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// Steps before those that are timed; see [`Run::warmup`].
    pub warmup: Option<u64>,
    /// Steps that are timed; by default as many as fill [`Effort::seconds`].
    pub steps: Option<u64>,
    /// The reference's solvers by number; `None` is the model's own.
    pub solvers: Vec<Option<u8>>,
}

impl Case {
    /// A model as `mj bench` runs it by default.
    pub fn new(name: impl Into<String>, path: PathBuf) -> Self {
        Self { name: name.into(), path, warmup: None, steps: None, solvers: vec![None] }
    }
}

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Times that each engine runs.
    pub rounds: u32,
    /// About how long the first of them takes a round.
    pub seconds: f64,
}

/// Steps are counted in 20 chunks of whole blocks of ten.
const UNIT: u64 = 200;
/// Most steps, whatever they take.
const MOST: f64 = 200_000.0;
/// Seed of the control noise.
const SEED: u64 = 1;

/// Measurements of a model.
pub struct Measured {
    /// The model's name.
    pub name: String,
    /// Least time of a step, µs, one number a round.
    pub ours: Vec<f64>,
    /// The last report of `mj bench`.
    pub report: Value,
    /// Times of the reference, by solver as in [`Case::solvers`] and by round; empty without it.
    pub reference: Vec<(Option<u8>, Vec<Taken>)>,
}

impl Measured {
    /// Least time of a step of all rounds, µs.
    pub fn ours(&self) -> f64 {
        least(self.ours.iter().copied())
    }

    /// The reference's with one of its solvers.
    pub fn reference(&self, solver: Option<u8>) -> Option<f64> {
        let rounds = &self.reference.iter().find(|(s, _)| *s == solver)?.1;
        Some(least(rounds.iter().map(|t| t.micros)))
    }

    /// How many times as fast as the reference's fastest solver ours is: of all rounds, and the lowest and the highest
    /// of single rounds.
    pub fn ratio(&self) -> Option<[f64; 3]> {
        if self.reference.is_empty() {
            return None;
        }
        let best = |round: usize| least(self.reference.iter().map(|(_, rounds)| rounds[round].micros));
        let rounds = (0..self.ours.len()).map(|i| best(i) / self.ours[i]);
        let (low, high) = rounds.fold((f64::INFINITY, 0.0_f64), |(low, high), r| (low.min(r), high.max(r)));
        let all = least((0..self.ours.len()).map(best));
        Some([all / self.ours(), low, high])
    }

    /// A number of the report.
    pub fn mean(&self, key: &str) -> f64 {
        self.report[key].as_f64().unwrap_or(f64::NAN)
    }

    /// Mean time of a stage, µs a step.
    pub fn stage(&self, name: &str) -> f64 {
        self.report["stage_us"][name].as_f64().unwrap_or(f64::NAN)
    }
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}

/// Runs both engines, one after the other, as often as asked.
pub fn measure(
    engine: &Engine,
    mut reference: Option<&mut Reference>,
    case: &Case,
    effort: Effort,
) -> Result<Measured> {
    let scratch = Scratch::new("bench")?;
    let run = |steps| Run { steps, warmup: case.warmup, seed: SEED };
    let steps = match case.steps {
        Some(steps) => steps,
        None => {
            let short = Run { warmup: None, ..run(2 * UNIT) };
            let micros = match &mut reference {
                Some(r) => r.run(&case.path, short, None)?.micros,
                None => engine.bench(&scratch, &case.path, short)?["us_per_step_min"].as_f64().unwrap_or(1.0),
            };
            steps_of(effort.seconds, micros)
        }
    };
    let mut measured = Measured {
        name: case.name.clone(),
        ours: Vec::new(),
        report: Value::Null,
        reference: reference.iter().flat_map(|_| &case.solvers).map(|solver| (*solver, Vec::new())).collect(),
    };
    for _ in 0..effort.rounds {
        if let Some(r) = &mut reference {
            for (solver, rounds) in &mut measured.reference {
                rounds.push(r.run(&case.path, run(steps), *solver)?);
            }
        }
        measured.report = engine.bench(&scratch, &case.path, run(steps))?;
        measured.ours.push(measured.mean("us_per_step_min"));
    }
    Ok(measured)
}

/// Whole units of steps that take about so many seconds.
fn steps_of(seconds: f64, micros: f64) -> u64 {
    let steps = (seconds * 1e6 / micros.max(1e-3)).min(MOST) as u64;
    (steps / UNIT * UNIT).max(UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(micros: f64) -> Taken {
        Taken { micros, contacts: 0.0, bytes: [0; 2] }
    }

    #[test]
    fn ratios_are_to_the_faster_solver() {
        let mut m = Measured {
            name: "m".into(),
            ours: vec![2.0, 4.0],
            report: Value::Null,
            reference: vec![(Some(2), vec![taken(8.0), taken(9.0)]), (Some(1), vec![taken(7.0), taken(10.0)])],
        };
        assert_eq!(m.ratio(), Some([3.5, 2.25, 3.5]));
        assert_eq!((m.reference(Some(2)), m.reference(None)), (Some(8.0), None));
        m.reference.clear();
        assert_eq!((m.ratio(), m.reference(Some(2))), (None, None));
    }

    #[test]
    fn steps_come_in_whole_chunks() {
        assert_eq!(steps_of(0.5, 10.0), 50_000);
        assert_eq!(steps_of(0.5, 1e6), UNIT);
        assert_eq!(steps_of(1.0, 0.0), MOST as u64);
        assert_eq!(steps_of(1.0, 333.0) % UNIT, 0);
    }
}
