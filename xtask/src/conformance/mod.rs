//! Runs `mj dump` on the states that the oracle recorded and compares field by field.

mod compare;
mod golden;
mod report;
mod scene;
mod transition;

use crate::Result;
use crate::engine::{self, Engine};
use compare::Outcome;
use golden::Golden;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where the table of verdicts stands.
pub const PAGE: &str = "docs/conformance.md";

/// Arguments of `cargo xtask conformance`.
#[derive(clap::Args)]
pub struct Args {
    /// Only verifies: doesn't write docs/conformance.md, but fails if it says something else.
    #[arg(long)]
    check: bool,
    /// Folder of golden files [default: tests/golden].
    #[arg(long)]
    golden: Option<PathBuf>,
    /// Folder of the models; its tree mirrors that of the golden files [default: models].
    #[arg(long)]
    models: Option<PathBuf>,
    /// A built `mj` [default: builds one in the release profile].
    #[arg(long)]
    mj: Option<PathBuf>,
    /// Prints the worst error of every group of every model.
    #[arg(long)]
    verbose: bool,
}

/// Outcome for one model, per compared group.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Path without extension, from the golden folder.
    pub name: String,
    /// Group → outcome; a group that was never compared is absent.
    pub groups: BTreeMap<&'static str, Outcome>,
    /// States, contacts and constraint rows that were compared.
    pub compared: [usize; 3],
}

impl Verdict {
    /// Whether every compared group agrees.
    pub fn ok(&self) -> bool {
        self.groups.values().all(|o| o.ok)
    }

    fn put(&mut self, group: &'static str, ok: bool, worst: f64, why: impl Into<String>) {
        self.groups.entry(group).or_default().note(ok, worst, why.into());
    }
}

/// Compares everything and reports.
pub fn run(root: &Path, args: &Args) -> Result<()> {
    let own = args.golden.is_none() && args.models.is_none();
    let golden = args.golden.clone().unwrap_or_else(|| root.join("tests/golden"));
    let models = args.models.clone().unwrap_or_else(|| root.join("models"));
    let files = golden::files(&golden)?;
    if files.is_empty() {
        return Err(format!("no golden files in {}", golden.display()).into());
    }
    let engine = match &args.mj {
        Some(path) => Engine::at(path.clone()),
        None => Engine::build(root)?,
    };
    let verdicts: Vec<Verdict> = files
        .par_iter()
        .map(|name| {
            let mut v = Verdict { name: name.clone(), ..Verdict::default() };
            let model = models.join(format!("{name}.xml"));
            let outcome = Golden::of(&golden, name).and_then(|g| judge(&engine, &model, &g, &mut v));
            if let Err(e) = outcome {
                v.put("model", false, f64::INFINITY, e.to_string());
            }
            v
        })
        .collect();

    print!("{}", report::table(&verdicts, args.verbose));
    if own {
        settle_page(root, &report::page(&verdicts), args.check)?;
    }
    let failed = verdicts.iter().filter(|v| !v.ok()).count();
    if failed == 0 {
        Ok(())
    } else {
        Err(format!("{failed} of {} models differ from the reference", verdicts.len()).into())
    }
}

/// Writes the page, or complains if it says something else.
fn settle_page(root: &Path, text: &str, check: bool) -> Result<()> {
    let path = root.join(PAGE);
    if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if check {
        return Err(format!("{PAGE} is stale; run `cargo xtask conformance`").into());
    }
    std::fs::write(&path, text)?;
    println!("wrote {PAGE}");
    Ok(())
}

/// Compares one model, stage by stage.
fn judge(engine: &Engine, model: &Path, golden: &Golden, v: &mut Verdict) -> Result<()> {
    let scratch = engine::Scratch::new(&v.name)?;
    match engine.dump(&scratch, model, "model", None, false) {
        Ok(got) => compare::model(&golden.model, &got, v),
        Err(e) => v.put("model", false, f64::INFINITY, e.to_string()),
    }
    for case in &golden.forward {
        match engine.dump(&scratch, model, "forward", Some(&case.input), true) {
            Ok(got) => compare::forward(&golden.model, &case.output, &got, v),
            Err(e) => {
                // No result: every group that it would have been judged by fails.
                for group in compare::forward_groups() {
                    v.put(group, false, f64::INFINITY, e.to_string());
                }
                break;
            }
        }
    }
    for case in &golden.inverse {
        match engine.dump(&scratch, model, "inverse", Some(&case.input), true) {
            Ok(got) => compare::inverse(&case.output, &got, v),
            Err(e) => v.put("inverse", false, f64::INFINITY, e.to_string()),
        }
    }
    for case in &golden.step {
        match engine.dump(&scratch, model, "step:20", Some(&case.input), false) {
            Ok(got) => compare::step(&case.output, &got, v),
            Err(e) => v.put("step", false, f64::INFINITY, e.to_string()),
        }
    }
    if let Err(e) = transition::judge(model, &golden.transition, v) {
        v.put("transition", false, f64::INFINITY, e.to_string());
    }
    if let Err(e) = scene::judge(model, &golden.scene, v) {
        v.put("scene", false, f64::INFINITY, e.to_string());
    }
    Ok(())
}
