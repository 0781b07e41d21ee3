//! The reference engine, timed by a Python process that answers one request a line.

use crate::Result;
use crate::engine::Run;
use crate::interpreter::Interpreter;
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::path::Path;

const SCRIPT: &str = include_str!("reference.py");

/// Times of the reference.
pub struct Taken {
    /// Least time of a step over the chunks, µs.
    pub micros: f64,
    /// Mean number of contacts at the ends of the chunks.
    pub contacts: f64,
    /// Bytes of its `mjData`: those of fixed size and the most that its arena held at once.
    pub bytes: [u64; 2],
}

/// A running interpreter with the reference in it.
pub struct Reference {
    interpreter: Interpreter,
    /// The reference's version.
    pub version: String,
    /// Today.
    pub date: String,
}

impl Reference {
    /// Starts the interpreter.
    ///
    /// # Errors
    /// If it doesn't start, or can't import `mujoco` and `numpy`.
    pub fn start(python: &Path) -> Result<Self> {
        let said = |e: &dyn std::fmt::Display| format!("{}: {e}", python.display());
        let interpreter = Interpreter::start(python, SCRIPT, &[])?;
        let mut reference = Self { interpreter, version: String::new(), date: String::new() };
        let hello = reference.answer().map_err(|e| said(&e))?;
        let word = |key: &str| hello[key].as_str().unwrap_or_default().to_string();
        (reference.version, reference.date) = (word("version"), word("date"));
        Ok(reference)
    }

    /// Runs a model, with a solver by its number or the model's own.
    pub fn run(&mut self, model: &Path, run: Run, solver: Option<u8>) -> Result<Taken> {
        self.ask(model, run, Some(run.seed), solver)
    }

    /// Runs a model so many steps without controls.
    pub fn undriven(&mut self, model: &Path, steps: u64) -> Result<Taken> {
        self.ask(model, Run { steps, warmup: Some(0), seed: 0 }, None, None)
    }

    fn ask(&mut self, model: &Path, run: Run, seed: Option<u64>, solver: Option<u8>) -> Result<Taken> {
        let model = model.canonicalize().map_err(|e| format!("{}: {e}", model.display()))?;
        let request = json!({"model": model, "steps": run.steps, "warmup": run.warmup, "seed": seed, "solver": solver});
        writeln!(self.interpreter.requests, "{request}")?;
        self.interpreter.requests.flush()?;
        let answer = self.answer()?;
        let number = |key: &str| answer[key].as_f64().ok_or_else(|| format!("the reference answered {answer}"));
        let bytes = |key: &str| answer[key].as_u64().unwrap_or(0);
        let (micros, contacts) = (number("us")?, number("contacts")?);
        Ok(Taken { micros, contacts, bytes: [bytes("buffer"), bytes("arena")] })
    }

    fn answer(&mut self) -> Result<Value> {
        let mut line = String::new();
        if self.interpreter.answers.read_line(&mut line)? == 0 {
            return Err("it ended without an answer".into());
        }
        let answer: Value = serde_json::from_str(&line)?;
        match answer["error"].as_str() {
            Some(error) => Err(format!("the reference: {}", error.lines().next().unwrap_or_default()).into()),
            None => Ok(answer),
        }
    }
}
