//! The reference's results: recording and reading them.

use super::statics::Held;
use crate::Result;
use mj_testkit::falling;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

const SCRIPT: &str = include_str!("record.py");

/// Records what the reference makes of the falling scenes and of the models that are held.
pub fn record(python: &Path, golden: &Path, held: &[&Held]) -> Result<()> {
    let scenes: Map<String, Value> = falling::SCENES.iter().map(|(name, xml)| (name.to_string(), json!(xml))).collect();
    let held: Vec<Value> =
        held.iter().map(|h| json!({"name": h.name, "xml": h.xml, "qpos": h.qpos, "load": h.load})).collect();
    let asked = json!({
        "falling": {
            "scenes": scenes,
            "integrators": falling::INTEGRATORS,
            "steps": falling::STEPS,
            "records": falling::RECORDS,
        },
        "chaotic": falling::FLAG,
        "starts": falling::STARTS,
        "held": held,
    });
    let mut child = Command::new(python)
        .args(["-c", SCRIPT])
        .arg(golden)
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{}: {e}", python.display()))?;
    if let Some(stdin) = child.stdin.take() {
        serde_json::to_writer(stdin, &asked)?;
    }
    let status = child.wait()?;
    if status.success() { Ok(()) } else { Err(format!("the recording script ended with {status}").into()) }
}

/// Numbers of the reference by name.
pub struct Recorded {
    numbers: HashMap<String, Vec<f64>>,
}

impl Recorded {
    /// Reads a file of lines with a name and numbers.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut numbers = HashMap::new();
        for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap_or_default().to_string();
            let row = words.map(str::parse).collect::<Result<Vec<f64>, _>>();
            numbers.insert(name, row.map_err(|e| format!("{}:{}: {e}", path.display(), i + 1))?);
        }
        Ok(Self { numbers })
    }

    /// The numbers of a name.
    pub fn of(&self, name: &str) -> Result<&[f64]> {
        let numbers = self.numbers.get(name).map(Vec::as_slice);
        numbers
            .ok_or_else(|| format!("nothing is recorded of `{name}`: `cargo xtask deformables --python PYTHON`").into())
    }

    /// How much of a load the reference's elastic forces leave.
    pub fn left(&self, held: &Held) -> Result<f64> {
        self.one(&format!("balance:{}", held.name))
    }

    /// The only number of a name.
    pub fn one(&self, name: &str) -> Result<f64> {
        self.of(name)?.first().copied().ok_or_else(|| format!("no number is recorded of `{name}`").into())
    }
}
