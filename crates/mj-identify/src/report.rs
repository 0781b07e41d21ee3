//! The outcome of a fit as a page.

use crate::fit::Fit;
use crate::log::Log;
use mj_engine::Model;
use plotters::prelude::*;
use std::fmt::Write as _;

/// Channels that are drawn at most.
const MOST: usize = 24;

/// Writes a fit as an HTML page that needs nothing else: estimates with their standard deviations, the cost of each step,
/// combinations that the data can't tell, correlations, and measured against simulated positions, velocities and sensors.
pub fn report(fit: &Fit, log: &Log) -> String {
    let mut out = String::from(
        "<!doctype html><meta charset=\"utf-8\"><title>Identification</title><style>body{font:15px sans-serif;max-width:62em;\
         margin:2em auto}table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid \
         #ddd}td:first-child{text-align:left}figure{display:inline-block;margin:0}</style><h1>Identification</h1>",
    );
    out += "<h2>Parameters</h2><table><tr><th>parameter<th>start<th>estimate<th>standard deviation<th></tr>";
    for e in fit.estimates.iter().chain(&fit.inertias) {
        let note = if e.is_at_bound() { "at its bound" } else { "" };
        let name = escaped(&e.name);
        let _ = write!(out, "<tr><td>{name}<td>{:.6}<td>{:.6}<td>{:.2e}<td>{note}</tr>", e.start, e.value, e.std);
    }
    out += "</table>";
    if !fit.combinations.is_empty() {
        out += "<h2>Combinations that the data can't tell</h2><p>Along each of these directions, relative to the sizes of the \
                parameters, the log does not show a change.</p><ul>";
        for c in &fit.combinations {
            let part = |(i, x): &(usize, f64)| format!("{x:+.2} {}", escaped(&fit.estimates[*i].name));
            let parts: Vec<String> = c.parts.iter().map(part).collect();
            let _ = write!(out, "<li>{} (relative standard deviation {:.2e})", parts.join(" "), c.std);
        }
        out += "</ul>";
    }
    out += "<h2>Correlations</h2><table><tr><th>";
    let n = fit.estimates.len();
    (0..n).for_each(|i| _ = write!(out, "<th>{}", i + 1));
    for (i, e) in fit.estimates.iter().enumerate() {
        let _ = write!(out, "</tr><tr><td>{}. {}", i + 1, escaped(&e.name));
        (0..n).for_each(|j| _ = write!(out, "<td>{:.2}", fit.correlation[i * n + j]));
    }
    out += "</tr></table><h2>Cost</h2>";
    let cost = fit.iterations.iter().enumerate().map(|(i, x)| (i as f64, x.cost.max(1e-300).log10())).collect();
    out += &figure("log10 of the cost by step", &[(cost, BLUE, true)]);
    out += "<h2>Measured (points) and simulated</h2>";
    for (title, measured, simulated) in channels(&fit.model, fit, log) {
        out += &figure(&title, &[(measured, RED, false), (simulated, BLUE, true)]);
    }
    out
}

type Points = Vec<(f64, f64)>;

/// Channels that were measured: title, measured and simulated points.
fn channels(m: &Model, fit: &Fit, log: &Log) -> Vec<(String, Points, Points)> {
    let arrays =
        [("qpos", &log.qpos, m.nq()), ("qvel", &log.qvel, m.nv()), ("sensordata", &log.sensordata, m.nsensordata)];
    let gap = m.opt.timestep * log.substeps as f64;
    // Samples of the windows, one after the other; neighbours share one.
    let ends = fit.windows.iter().skip(1).copied().chain([log.samples - 1]);
    let samples: Vec<usize> = fit.windows.iter().zip(ends).flat_map(|(a, b)| *a..=b).collect();
    let mut out = Vec::new();
    for ((name, measured, width), simulated) in arrays.into_iter().zip(&fit.simulated) {
        for i in 0..width {
            let column = measured.iter().skip(i).step_by(width).enumerate();
            let points: Points = column.filter(|(_, x)| x.is_finite()).map(|(k, x)| (k as f64 * gap, *x)).collect();
            if points.is_empty() || out.len() == MOST {
                continue;
            }
            let line = samples.iter().zip(simulated.iter().skip(i).step_by(width));
            out.push((format!("{name}[{i}]"), points, line.map(|(k, x)| (*k as f64 * gap, *x)).collect()));
        }
    }
    out
}

/// Draws series as SVG; an empty text where there is nothing to draw.
fn figure(title: &str, series: &[(Points, RGBColor, bool)]) -> String {
    let all = || series.iter().flat_map(|s| &s.0).filter(|p| p.1.is_finite());
    let range = |of: fn(&(f64, f64)) -> f64| {
        let (low, high) = all().map(of).fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        let pad = 0.05 * (high - low).max(1e-12 * (1.0 + high.abs()));
        low - pad..high + pad
    };
    if all().next().is_none() {
        return String::new();
    }
    let mut svg = String::new();
    let drawn = draw(&mut svg, title, (range(|p| p.0), range(|p| p.1)), series);
    if drawn.is_ok() { format!("<figure>{svg}</figure>") } else { String::new() }
}

type Range = std::ops::Range<f64>;

fn draw(
    svg: &mut String,
    title: &str,
    (x, y): (Range, Range),
    series: &[(Points, RGBColor, bool)],
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, (440, 260)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 15))
        .margin(8)
        .x_label_area_size(24)
        .y_label_area_size(52)
        .build_cartesian_2d(x, y)?;
    chart.configure_mesh().x_labels(6).y_labels(5).light_line_style(WHITE).draw()?;
    for (points, color, line) in series {
        if *line {
            chart.draw_series(LineSeries::new(points.iter().copied(), color))?;
        } else {
            chart.draw_series(points.iter().map(|p| Circle::new(*p, 1, color.filled())))?;
        }
    }
    root.present()?;
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
