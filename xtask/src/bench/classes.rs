//! The models of a corpus by class, and how fast each class is.

use super::measure::{Case, Measured};
use super::speed::{Results, digits, manifest, moves, rigid, short_name};
use crate::Result;
use crate::page::table;
use mj_engine::StageTimer;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// A kind of model: its name, and whether a manifest's entry is of it.
type Class = (&'static str, fn(&Value) -> bool);

/// The classes; a model may be of several, or of none.
const CLASSES: [Class; 9] = [
    ("contacts of meshes", |e| touches(e, "mesh")),
    ("height fields", |e| touches(e, "hfield")),
    ("PGS", |e| e["solver"] == "pgs"),
    ("elliptic cones", |e| e["cone"] == "elliptic" && number(e, "max_ncon") > 0),
    ("100 rows and more", |e| number(e, "max_nefc") >= 100),
    ("3 dofs and fewer", |e| number(e, "nv") <= 3),
    ("tendons", |e| number(e, "ntendon") > 0),
    ("8 trees and more", |e| number(e, "ntree") >= 8),
    ("20 dofs and more, up to 30 rows", |e| number(e, "nv") >= 20 && number(e, "max_nefc") <= 30),
];

/// The rigid and stable models of a corpus, with the classes of each by its name.
pub struct Classified {
    /// The models.
    pub cases: Vec<Case>,
    classes: HashMap<String, Vec<&'static str>>,
}

impl Classified {
    /// Reads a corpus's manifest.
    ///
    /// # Errors
    /// If there is none, or it isn't a list of objects.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut entries = manifest(folder)?;
        entries.retain(|e| moves(e) && rigid(e));
        let (mut cases, mut classes) = (Vec::new(), HashMap::new());
        for entry in &entries {
            let file = entry["path"].as_str().unwrap_or_default();
            // Some names are those of several models.
            let mut name = short_name(file);
            if classes.contains_key(&name) {
                name = file.to_string();
            }
            classes.insert(name.clone(), CLASSES.iter().filter(|(_, of)| of(entry)).map(|(class, _)| *class).collect());
            cases.push(Case::new(name, folder.join(file)));
        }
        Ok(Self { cases, classes })
    }

    /// The table: one row a class.
    pub fn table(&self, results: &Results) -> String {
        let mut head: Vec<String> = ["class", "models", "mean ratio", "least", "of"].map(String::from).to_vec();
        head.extend(StageTimer::NAMES.map(|stage| format!("{stage}, %")));
        let every = std::iter::once(("all", results.measured.iter().collect::<Vec<_>>()));
        let of = |class| results.measured.iter().filter(move |m| self.classes[&m.name].contains(&class)).collect();
        let rows: Vec<Vec<String>> = every
            .chain(CLASSES.iter().map(|(class, _)| (*class, of(class))))
            .filter(|(_, measured)| !measured.is_empty())
            .map(|(class, measured)| row(class, &measured))
            .collect();
        table(&head, &rows)
    }

    /// The slowest models beside the reference, with their classes and the stage that takes longest.
    pub fn slowest(&self, results: &Results, count: usize) -> String {
        let mut ranked: Vec<(f64, &Measured)> =
            results.measured.iter().filter_map(|m| Some((m.ratio()?[0], m))).collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        ranked.truncate(count);
        let head = ["model", "ratio", "ours, µs", "contacts", "longest stage", "classes"].map(String::from);
        let row = |(ratio, m): &(f64, &Measured)| {
            let stage = StageTimer::NAMES.into_iter().max_by(|a, b| m.stage(a).total_cmp(&m.stage(b)));
            let contacts = format!("{:.1}", m.mean("ncon_mean"));
            let classes = self.classes[&m.name].join(", ");
            let stage = stage.unwrap_or_default().to_string();
            vec![m.name.clone(), format!("{ratio:.2}"), digits(m.ours()), contacts, stage, classes]
        };
        table(&head, &ranked.iter().map(row).collect::<Vec<_>>())
    }
}

/// The geometric mean of ratios, the least, and the mean share of every stage.
fn row(class: &str, measured: &[&Measured]) -> Vec<String> {
    let ratios: Vec<(f64, &str)> = measured.iter().filter_map(|m| Some((m.ratio()?[0], m.name.as_str()))).collect();
    let mean = (ratios.iter().map(|r| r.0.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let mut row = vec![class.to_string(), measured.len().to_string()];
    row.extend(match ratios.iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((least, name)) => [format!("{mean:.2}"), format!("{least:.2}"), (*name).to_string()],
        None => ["–"; 3].map(String::from),
    });
    let share = |m: &Measured, stage: &str| m.stage(stage) / StageTimer::NAMES.iter().map(|s| m.stage(s)).sum::<f64>();
    row.extend(StageTimer::NAMES.iter().map(|stage| {
        let mean = measured.iter().map(|m| share(m, stage)).sum::<f64>() / measured.len() as f64;
        format!("{:.0}", 100.0 * mean)
    }));
    row
}

fn number(entry: &Value, key: &str) -> u64 {
    entry[key].as_u64().unwrap_or(0)
}

/// Whether the reference found a contact with a shape of this kind.
fn touches(entry: &Value, kind: &str) -> bool {
    let pair = |f: &str| f.strip_prefix("collide:").is_some_and(|kinds| kinds.split('-').any(|k| k == kind));
    entry["features"].as_array().is_some_and(|all| all.iter().filter_map(Value::as_str).any(pair))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::reference::Taken;
    use serde_json::json;

    fn measured(name: &str, ours: f64, reference: f64) -> Measured {
        let stages: serde_json::Map<_, _> = StageTimer::NAMES.iter().map(|s| ((*s).to_string(), json!(1.0))).collect();
        let taken = Taken { micros: reference, contacts: 0.0, bytes: [0; 2] };
        Measured {
            name: name.into(),
            ours: vec![ours],
            report: json!({"ncon_mean": 1.0, "stage_us": stages}),
            reference: vec![(None, vec![taken])],
        }
    }

    #[test]
    fn classes_follow_from_the_manifest() {
        let pair = json!({"features": ["collide:box-mesh"], "solver": "pgs", "nv": 3, "max_nefc": 120});
        let of: Vec<&str> = CLASSES.iter().filter(|(_, of)| of(&pair)).map(|c| c.0).collect();
        assert_eq!(of, ["contacts of meshes", "PGS", "100 rows and more", "3 dofs and fewer"]);
        assert!(!touches(&json!({"features": ["geom:collidable:mesh", "asset:mesh"]}), "mesh"));
    }

    #[test]
    fn a_class_has_its_mean_and_its_least() {
        let classes = HashMap::from([("a".to_string(), vec!["PGS"]), ("b".to_string(), vec!["PGS", "tendons"])]);
        let of = Classified { cases: Vec::new(), classes };
        let results = Results { measured: vec![measured("a", 1.0, 8.0), measured("b", 1.0, 2.0)], failed: Vec::new() };
        let text = of.table(&results);
        assert!(text.contains("| PGS | 2 | 4.00 | 2.00 | b | 10 |"), "{text}");
        assert!(text.contains("| tendons | 1 | 2.00 | 2.00 | b |"), "{text}");
        assert!(!text.contains("height fields"), "{text}");
        assert_eq!(of.slowest(&results, 1).lines().count(), 3);
    }
}
