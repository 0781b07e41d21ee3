//! Tables of times side by side, and of stages.

use super::measure::{Case, Effort, Measured, measure};
use super::reference::Reference;
use crate::Result;
use crate::engine::Engine;
use crate::page::table;
use mj_engine::StageTimer;
use std::path::{Path, PathBuf};

/// Measurements of some models, and what went wrong with others.
#[derive(Default)]
pub struct Results {
    /// Measured models, in order.
    pub measured: Vec<Measured>,
    /// Names of the others, with reasons.
    pub failed: Vec<String>,
}

/// The reference's column where it runs with the model's own solver.
pub const OWN: (Option<u8>, &str) = (None, "");

/// Measures models one after the other; tells how far it is.
pub fn all(engine: &Engine, mut reference: Option<&mut Reference>, cases: &[Case], effort: Effort) -> Results {
    let mut results = Results::default();
    for (i, case) in cases.iter().enumerate() {
        eprint!("[{}/{}] {} ", i + 1, cases.len(), case.name);
        match measure(engine, reference.as_deref_mut(), case, effort) {
            Ok(m) => {
                let ratio = m.ratio().map_or(String::new(), |[r, _, _]| format!(", {r:.2} times as fast"));
                eprintln!("{:.2} µs{ratio}", m.ours());
                results.measured.push(m);
            }
            Err(e) => {
                eprintln!("{e}");
                results.failed.push(format!("{}: {e}", case.name));
            }
        }
    }
    results
}

/// Times beside those of the reference, with each of some of its solvers: their numbers, and how a column's head names
/// them.
pub fn side_by_side(results: &[Measured], solvers: &[(Option<u8>, &str)]) -> String {
    let compared = results.iter().any(|m| m.ratio().is_some());
    let solvers = if compared { solvers } else { &[] };
    let mut head: Vec<String> = ["model", "contacts", "iterations"].map(String::from).to_vec();
    head.extend(solvers.iter().map(|(_, name)| format!("reference{name}, µs")));
    head.push("ours, µs".into());
    if compared {
        head.extend(["ratio", "of single rounds"].map(String::from));
    }
    let row = |m: &Measured| {
        let mut row = vec![m.name.clone(), contacts(m), format!("{:.1}", m.mean("niter_mean"))];
        row.extend(solvers.iter().map(|(solver, _)| m.reference(*solver).map_or("–".into(), digits)));
        row.push(digits(m.ours()));
        if let Some([ratio, low, high]) = m.ratio() {
            row.extend([format!("{ratio:.2}"), format!("{low:.2}–{high:.2}")]);
        }
        row
    };
    table(&head, &results.iter().map(row).collect::<Vec<_>>())
}

/// The mean number of contacts; the reference's too where it is another, and the engines do other work.
fn contacts(m: &Measured) -> String {
    let ours = m.mean("ncon_mean");
    let theirs = m.reference.first().and_then(|(_, rounds)| rounds.last()).map(|t| t.contacts);
    match theirs.filter(|theirs| (theirs - ours).abs() > 0.2 * theirs + 1.0) {
        Some(theirs) => format!("{ours:.1} (reference {theirs:.1})"),
        None => format!("{ours:.1}"),
    }
}

/// Mean microseconds of each stage.
pub fn stages(results: &[Measured]) -> String {
    let head: Vec<String> = std::iter::once("model").chain(StageTimer::NAMES).map(String::from).collect();
    let row = |m: &Measured| {
        let times = StageTimer::NAMES.iter().map(|stage| digits(m.stage(stage)));
        std::iter::once(m.name.clone()).chain(times).collect::<Vec<_>>()
    };
    table(&head, &results.iter().map(row).collect::<Vec<_>>())
}

/// Geometric mean and losses in a sentence; nothing without a reference.
pub fn summary(results: &Results) -> String {
    let mut text = String::new();
    let mut ratios: Vec<(f64, &str)> =
        results.measured.iter().filter_map(|m| Some((m.ratio()?[0], m.name.as_str()))).collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some(&(least, slowest)) = ratios.first() {
        let mean = (ratios.iter().map(|r| r.0.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let below: Vec<&str> = ratios.iter().filter(|r| r.0 < 1.0).map(|r| r.1).collect();
        let below = if below.is_empty() { "none".to_string() } else { below.join(", ") };
        text = format!(
            "Geometric mean of {} models: **{mean:.2}**; least {least:.2} ({slowest}); below 1.0: {below}.\n",
            ratios.len()
        );
    }
    for failure in &results.failed {
        text += &format!("\nNot measured: {failure}.\n");
    }
    text
}

/// Three digits or more of a time.
pub fn digits(micros: f64) -> String {
    let decimals = if micros < 10.0 { 2 } else { usize::from(micros < 100.0) };
    format!("{micros:.decimals$}")
}

/// The models of a folder.
pub fn folder(folder: &Path) -> Result<Vec<Case>> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|x| x == "xml"));
    paths.sort();
    let name = |p: &PathBuf| p.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(paths.into_iter().map(|p| Case::new(name(&p), p)).collect())
}

/// The entries of a corpus's manifest, in the order of their paths.
pub fn manifest(folder: &Path) -> Result<Vec<serde_json::Value>> {
    let path = folder.join("manifest.json");
    let said = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|e| said(&e))?;
    let mut entries: Vec<serde_json::Value> = serde_json::from_str(&text).map_err(|e| said(&e))?;
    entries.retain(|e| e["path"].is_string());
    entries.sort_by(|a, b| a["path"].as_str().cmp(&b["path"].as_str()));
    Ok(entries)
}

/// The models of a corpus that are rigid, need core features alone, and are stable in the reference.
pub fn corpus(folder: &Path) -> Result<Vec<Case>> {
    let entries = manifest(folder)?;
    let names = entries.iter().filter(|e| wanted(e)).filter_map(|e| e["path"].as_str());
    Ok(names.map(|name| Case::new(short_name(name), folder.join(name))).collect())
}

/// The name of a model's collection and its own, of its path in the corpus.
pub fn short_name(path: &str) -> String {
    let name = path.trim_end_matches(".xml").trim_end_matches(".urdf");
    let (collection, model) = (name.split('/').next(), name.rsplit('/').next());
    format!("{}: {}", collection.unwrap_or_default(), model.unwrap_or_default())
}

fn wanted(entry: &serde_json::Value) -> bool {
    moves(entry) && rigid(entry) && entry["core"] == true
}

/// Whether a model of the manifest has something to simulate, and stays stable in the reference.
pub fn moves(entry: &serde_json::Value) -> bool {
    entry["nv"] != 0 && entry["finite"] == true && entry["stable"] == true && entry["twin_in_shared"] != true
}

/// Whether a model of the manifest has no flex, no plugin and no signed distance field.
pub fn rigid(entry: &serde_json::Value) -> bool {
    let distance_fields = entry["features"].as_array().is_some_and(|all| {
        all.iter().filter_map(|f| f.as_str()).any(|f| f.starts_with("sdf") || f.starts_with("geom:sdf"))
    });
    entry["nflex"] == 0 && entry["nplugin"] == 0 && !distance_fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::reference::Taken;
    use serde_json::json;

    fn measured(name: &str, ours: f64, reference: f64) -> Measured {
        Measured {
            name: name.into(),
            ours: vec![ours],
            report: json!({"ncon_mean": 4.0, "niter_mean": 1.5, "stage_us": {"solver": 1.25}}),
            reference: vec![(None, vec![Taken { micros: reference, contacts: 9.0, bytes: [0; 2] }])],
        }
    }

    #[test]
    fn losses_are_named() {
        let results = Results {
            measured: vec![measured("a", 2.0, 8.0), measured("b", 2.0, 1.0)],
            failed: vec!["c: refused".into()],
        };
        let text = summary(&results);
        assert!(text.contains("2 models: **1.41**; least 0.50 (b); below 1.0: b."), "{text}");
        assert!(text.contains("Not measured: c: refused."));
        let text = side_by_side(&results.measured, &[OWN]);
        assert!(text.contains("| a | 4.0 (reference 9.0) | 1.5 | 8.00 | 2.00 | 4.00 | 4.00–4.00 |"), "{text}");
    }

    #[test]
    fn without_a_reference_there_are_only_our_figures() {
        let mut m = measured("a", 123.4, 8.0);
        m.reference.clear();
        assert_eq!(side_by_side(&[m], &[OWN]).lines().last(), Some("| a | 4.0 | 1.5 | 123 |"));
        assert_eq!(summary(&Results::default()), "");
    }

    #[test]
    fn rigid_core_stable_models_are_chosen() {
        let entry = json!({"nv": 3, "finite": true, "nflex": 0, "nplugin": 0, "features": ["joint:free"], "core": true,
            "stable": true});
        assert!(wanted(&entry));
        for (key, value) in
            [("nv", json!(0)), ("nflex", json!(1)), ("features", json!(["geom:sdf"])), ("core", json!(false))]
        {
            let mut other = entry.clone();
            other[key] = value;
            assert!(!wanted(&other), "{key}");
        }
    }
}
