//! Finds parameters of a model from a log.

use super::IdentifyArgs;
use crate::failure::Failure;
use crate::{npz, output};
use mj_engine::{Model, load};
use mj_identify::{Estimate, Fit, Identification, IdentifyError, Log, LogBuilder, Options, Unknown, report};
use serde_json::json;
use std::io::Write as _;
use std::path::Path;

/// Runs `mj identify`.
pub fn identify(args: &IdentifyArgs) -> Result<(), Failure> {
    args.report.as_deref().map(output::check).transpose()?;
    let m = load(&args.model)?;
    let failed = |reason| Failure::Identify { model: args.model.display().to_string(), reason };
    let unknowns = args.find.iter().map(|text| unknowns(&m, text)).collect::<Result<Vec<_>, _>>()?.concat();
    let log = read(&m, &args.log)?;
    let options = Options { window: args.window, ..Options::default() };
    let problem = Identification { model: m, start: None, unknowns, options };
    let mut out = std::io::stdout();
    if !args.json {
        writeln!(out, "{:>9} {:>16} {:>12}", "iteration", "cost", "change")?;
    }
    let mut count = 0;
    let watch = |i: &mj_identify::Iteration| {
        count += 1;
        args.json || writeln!(out, "{count:9} {:16.6} {:12.3e}", i.cost, i.change).is_ok()
    };
    let fit = problem.fit(&log, watch).map_err(failed)?;
    if args.json {
        print_json(&fit)?
    } else {
        print(&fit)?
    }
    if let Some(path) = &args.report {
        std::fs::write(path, report(&fit, &log)).map_err(|source| Failure::Write { path: path.clone(), source })?;
    }
    Ok(())
}

/// Reads `FIELD[ROW]=LOWER:UPPER`.
fn unknowns(m: &Model, text: &str) -> Result<Vec<Unknown>, Failure> {
    let usage = |e: &dyn std::fmt::Display| Failure::Usage(format!("--find {text}: {e}"));
    let (name, bounds) = text.split_once('=').map_or((text, None), |(name, bounds)| (name, Some(bounds)));
    let mut unknowns = Unknown::parse_row(m, name).map_err(|e| usage(&e))?;
    if let Some(bounds) = bounds {
        let numbers = bounds.split_once(':').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let (lower, upper) = numbers.ok_or_else(|| usage(&"bounds are two numbers, as =0.1:2"))?;
        unknowns.iter_mut().for_each(|u| (u.lower, u.upper) = (lower, upper));
    }
    Ok(unknowns)
}

fn read(m: &Model, path: &Path) -> Result<Log, Failure> {
    let input = |e: IdentifyError| Failure::Input { path: path.into(), message: e.to_string() };
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("npz")) {
        let mut arrays = npz::read(path)?;
        let mut take = |name: &str| arrays.remove(name).map(|a| a.data).filter(|a| !a.is_empty());
        let log = LogBuilder {
            time: take("time"),
            ctrl: take("ctrl"),
            qpos: take("qpos"),
            qvel: take("qvel"),
            sensordata: take("sensordata"),
        };
        return log.build(m).map_err(input);
    }
    let text =
        std::fs::read_to_string(path).map_err(|e| Failure::Input { path: path.into(), message: e.to_string() })?;
    Log::from_csv(m, &text).map_err(input)
}

fn print(fit: &Fit) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    let all = || fit.estimates.iter().chain(&fit.inertias);
    let width = all().map(|e| e.name.len()).max().unwrap_or(0).max(9);
    writeln!(out, "\n{:width$} {:>12} {:>12} {:>10}", "parameter", "start", "estimate", "std")?;
    for e in all() {
        let note = if e.is_at_bound() { "  at its bound" } else { "" };
        writeln!(out, "{:width$} {:12.6} {:12.6} {:10.2e}{note}", e.name, e.start, e.value, e.std)?;
    }
    for c in &fit.combinations {
        let part = |(i, x): &(usize, f64)| format!("{x:+.2} {}", fit.estimates[*i].name);
        let parts: Vec<String> = c.parts.iter().map(part).collect();
        writeln!(out, "not told by the log: {} (relative std {:.1e})", parts.join(" "), c.std)?;
    }
    Ok(())
}

fn print_json(fit: &Fit) -> Result<(), Failure> {
    let estimate = |e: &Estimate| {
        let at_bound = e.is_at_bound();
        json!({"name": e.name, "start": e.start, "value": e.value, "std": e.std, "at_bound": at_bound})
    };
    let combinations = fit.combinations.iter().map(|c| {
        let parts = c.parts.iter().map(|(i, x)| json!([fit.estimates[*i].name, x])).collect::<Vec<_>>();
        json!({"std": c.std, "parts": parts})
    });
    let all = json!({
        "estimates": fit.estimates.iter().map(estimate).collect::<Vec<_>>(),
        "inertias": fit.inertias.iter().map(estimate).collect::<Vec<_>>(),
        "combinations": combinations.collect::<Vec<_>>(),
        "correlation": fit.correlation,
        "iterations": fit.iterations.len(),
        "cost": fit.iterations.last().map(|i| i.cost),
    });
    writeln!(std::io::stdout(), "{all}")?;
    Ok(())
}
