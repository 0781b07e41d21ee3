//! Every solver on problems recorded from the models of a corpus, by `mj problem` and `mj solve`.

use crate::Result;
use crate::engine::{Engine, Scratch};
use rayon::prelude::*;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Steps after which a problem is recorded.
const STEPS: [u32; 2] = [50, 300];
/// Greatest number of rows: the dual solvers hold a dense matrix of that size squared.
const MOST_ROWS: u64 = 400;
/// Residual up to which a problem counts as solved exactly.
const EXACT: f64 = 1e-10;

/// Names of the measures, as `mj solve --json` gives them.
const MEASURES: [&str; 7] = ["stationarity", "feasibility", "complementarity", "laws", "slip", "into", "microseconds"];

/// Results of one solver on all problems.
#[derive(Default)]
struct Column {
    name: String,
    /// Cost above the least of any solver's, relative to it.
    above: Vec<f64>,
    measures: [Vec<f64>; MEASURES.len()],
    iterations: Vec<f64>,
}

/// The section of docs/papers.md.
pub fn section(engine: &Engine, corpus: &Path, most: usize) -> Result<String> {
    let mut models = models(corpus)?;
    let all = models.len();
    let every = all.div_ceil(most.clamp(1, all.max(1)));
    models = models.into_iter().step_by(every).collect();
    let problems: Vec<Value> = models
        .par_iter()
        .flat_map_iter(|model| [0, 1].into_iter().flat_map(move |cone| STEPS.map(|steps| (model, cone, steps))))
        .filter_map(|(model, cone, steps)| engine.laboratory(model, cone, steps, MOST_ROWS).ok().flatten())
        .collect();
    let mut text = format!(
        "Problems of {} models of a corpus of models in use ({} of its {all} files), recorded after {} and {} steps from the reset \
         with either kind of friction cones (`mj problem MODEL --steps N --set opt.cone=C`), of at most {MOST_ROWS} rows, \
         and solved from no force at all (`mj solve P.npz`), at the models' own tolerances and iterations. Medians, and \
         in brackets the 95th percentile. Cost: of the convex model, above the least of all solvers, relative to it; \
         complementarity: distance from the convex model's forces; laws: distance from the exact laws of contact, 0 \
         where a problem is solved exactly; slip and into: accelerations along and into contacts that bear a force, in \
         m/s². Convex solvers are meant to have no complementarity residual, the complementarity solver no law \
         residual, the diagonal ones neither. A problem is contradictory if it is proven that no force obeys the exact \
         laws: most are of contacts between bodies that can't move apart, and of joints beyond both limits. \
         \"solvable\" is the share solved exactly of all others. The models share the cores, so that times are \
         upper bounds.\n",
        problems.iter().filter_map(|p| p["model"].as_str()).collect::<std::collections::BTreeSet<_>>().len(),
        models.len(),
        STEPS[0],
        STEPS[1],
    );
    for (elliptic, kind) in [(true, "elliptic"), (false, "pyramidal")] {
        let chosen: Vec<&Value> = problems.iter().filter(|p| p["elliptic"] == elliptic).collect();
        let contradictory = chosen.iter().filter(|p| p["contradictory"] == true).count();
        let _ = write!(
            text,
            "\n### {} problems with {kind} cones, {contradictory} of them contradictory\n\n{}",
            chosen.len(),
            table(&columns(&chosen), chosen.len() - contradictory)
        );
    }
    Ok(text)
}

/// All MJCF files below a folder.
fn models(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = super::kkt::models(folder)?;
    found.retain(|path| !path.components().any(|c| c.as_os_str() == "malformed"));
    Ok(found)
}

fn columns(problems: &[&Value]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for p in problems {
        let Some(solvers) = p["solvers"].as_array() else { continue };
        let number = |s: &Value, key: &str| s[key].as_f64().unwrap_or(f64::NAN);
        let least = solvers.iter().fold(f64::INFINITY, |a, s| a.min(number(s, "cost")));
        for s in solvers {
            let name = s["solver"].as_str().unwrap_or_default();
            let at = columns.iter().position(|c| c.name == name).unwrap_or_else(|| {
                columns.push(Column { name: name.into(), ..Column::default() });
                columns.len() - 1
            });
            let c = &mut columns[at];
            c.above.push((number(s, "cost") - least) / least.abs().max(1e-12));
            c.iterations.push(number(s, "iterations"));
            MEASURES.iter().zip(&mut c.measures).for_each(|(m, v)| v.push(number(s, m)));
        }
    }
    columns
}

/// The table, given the number of problems that may have a solution.
fn table(columns: &[Column], solvable: usize) -> String {
    let mut s = String::from(
        "| solver | cost above | stationarity | infeasibility | complementarity | laws | slip | into | iterations | µs | exact | solvable |\n",
    );
    s += &format!("|{}\n", " --- |".repeat(12));
    for c in columns {
        let [stationarity, feasibility, complementarity, laws, slip, into, time] = &c.measures;
        let exact = laws.iter().filter(|&&l| l <= EXACT).count();
        let _ = write!(s, "| {} ", c.name);
        for v in [&c.above, stationarity, feasibility, complementarity, laws, slip, into] {
            let _ = write!(s, "| {} ({}) ", short(quantile(v, 0.5)), short(quantile(v, 0.95)));
        }
        let _ = write!(s, "| {:.0} ({:.0}) ", quantile(&c.iterations, 0.5), quantile(&c.iterations, 0.95));
        let _ = write!(s, "| {:.0} ({:.0}) ", quantile(time, 0.5), quantile(time, 0.95));
        let share = |n: usize| 100.0 * exact as f64 / n.max(1) as f64;
        let _ = writeln!(s, "| {:.1} % | {:.1} % |", share(laws.len()), share(solvable));
    }
    s
}

/// A number in few characters.
fn short(x: f64) -> String {
    if x == 0.0 { "0".into() } else { format!("{x:.0e}") }
}

fn quantile(values: &[f64], share: f64) -> f64 {
    let mut v: Vec<f64> = values.to_vec();
    v.sort_by(f64::total_cmp);
    let at = (share * v.len().saturating_sub(1) as f64).round() as usize;
    v.get(at).copied().unwrap_or(f64::NAN)
}

impl Engine {
    /// Solves the problem of a model after some steps with every solver; none if it has no rows or too many.
    fn laboratory(&self, model: &Path, cone: u32, steps: u32, most: u64) -> Result<Option<Value>> {
        let scratch = Scratch::new("laboratory")?;
        let out = scratch.file("problem.npz");
        self.record(&scratch, model, &[format!("opt.cone={cone}")], steps, &out)?;
        let mut solved = self.solve(&scratch, &out, most)?;
        if let Some(v) = &mut solved {
            v["model"] = model.display().to_string().into();
        }
        Ok(solved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_sum_up_problems() {
        let solver = |name: &str, cost: f64, laws: f64| {
            json!({"solver": name, "cost": cost, "laws": laws, "iterations": 3, "microseconds": 1.5,
                "stationarity": 0.0, "feasibility": 0.0, "complementarity": 0.5, "slip": 1.0, "into": 2.0})
        };
        let problems = [
            json!({"elliptic": true, "solvers": [solver("newton", 2.0, 0.1), solver("exact", 3.0, 0.0)]}),
            json!({"elliptic": true, "solvers": [solver("newton", 4.0, 0.1), solver("exact", 4.0, 1e-12)]}),
        ];
        let columns = columns(&problems.iter().collect::<Vec<_>>());
        assert_eq!(columns[1].above, [0.5, 0.0]);
        let text = table(&columns, 4);
        assert!(text.contains("| newton | 0 (0) "), "{text}");
        assert!(text.lines().last().is_some_and(|l| l.ends_with("| 100.0 % | 50.0 % |")), "{text}");
    }

    #[test]
    fn quantiles_are_values() {
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 0.5), 2.0);
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 1.0), 3.0);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
