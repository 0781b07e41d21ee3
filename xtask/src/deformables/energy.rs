//! Energy of undamped flexes that fall and swing, beside the reference's.

use super::recorded::Recorded;
use super::statics::loaded;
use crate::plot::{self, Axis, Labels, Series};
use crate::{Result, page};
use mj_deformable::elastic_energy;
use mj_engine::{forward, step};
use mj_testkit::falling;
use plotters::prelude::SeriesLabelPosition;
use rayon::prelude::*;
use std::path::Path;

/// A scene under an integrator.
pub struct Swing {
    scene: &'static str,
    integrator: &'static str,
    /// Seconds between two records.
    interval: f64,
    /// Energies of gravity, motion and elements, record by record: ours and the reference's.
    energies: [Vec<[f64; 3]>; 2],
}

/// Energies of gravity, motion and elements, record by record.
fn simulated(xml: &str, integrator: &str, start: Option<usize>) -> Result<(Vec<[f64; 3]>, f64)> {
    let (mut m, mut d) = loaded(xml)?;
    m.opt.set("integrator", integrator)?;
    if let Some(number) = start {
        falling::start(number, &mut d.state.qpos);
    }
    let mut out = Vec::new();
    for k in 0..=falling::RECORDS {
        if k > 0 {
            (0..falling::STEPS).try_for_each(|_| step(&m, &mut d))?;
        }
        forward(&m, &mut d)?;
        out.push([d.energy[0], d.energy[1], elastic_energy(&m, &d.state, &d.flexes)]);
    }
    Ok((out, m.opt.timestep * falling::STEPS as f64))
}

/// Simulates every scene under every integrator.
pub fn all(recorded: &Recorded) -> Result<Vec<Swing>> {
    let mut out = Vec::new();
    for (scene, xml) in falling::SCENES {
        for integrator in falling::INTEGRATORS {
            let (ours, interval) = simulated(xml, integrator, None)?;
            let theirs = recorded.of(&format!("{scene}:{integrator}"))?.as_chunks::<3>().0.to_vec();
            out.push(Swing { scene, integrator, interval, energies: [ours, theirs] });
        }
    }
    Ok(out)
}

/// The chaotic scene under an integrator: of each start the greatest change of the total energy and the mean one in the last
/// third, relative to the greatest kinetic energy; ours and the reference's.
pub struct Starts {
    integrator: &'static str,
    changes: [Vec<[f64; 2]>; 2],
}

/// Simulates the chaotic scene from all starts.
pub fn starts(recorded: &Recorded) -> Result<Vec<Starts>> {
    let of = |integrator: &'static str| -> Result<Starts> {
        let one = |number: usize| -> Result<[f64; 2]> {
            let (ours, interval) = simulated(falling::FLAG, integrator, Some(number))?;
            let swing = Swing { scene: "flag", integrator, interval, energies: [ours.clone(), ours] };
            Ok([swing.strayed(0).last().copied().unwrap_or(f64::NAN), swing.drift(0)])
        };
        let ours = (0..falling::STARTS).into_par_iter().map(one).collect::<Result<_>>()?;
        let theirs = recorded.of(&format!("starts:{integrator}"))?.as_chunks::<3>().0;
        let relative = |&[scale, greatest, mean]: &[f64; 3]| [greatest / scale, mean / scale];
        Ok(Starts { integrator, changes: [ours, theirs.iter().map(relative).collect()] })
    };
    falling::INTEGRATORS.into_iter().map(of).collect()
}

/// The table of the chaotic scene.
pub fn starts_table(starts: &[Starts]) -> String {
    let spread = |changes: &[[f64; 2]], i: usize| {
        let n = changes.len() as f64;
        let mean = changes.iter().map(|c| c[i]).sum::<f64>() / n;
        let square = changes.iter().map(|c| (c[i] - mean).powi(2)).sum::<f64>() / (n - 1.0);
        format!("{:.3} ± {:.3} %", 100.0 * mean, 100.0 * square.sqrt())
    };
    let row = |s: &Starts| {
        let [ours, theirs] = &s.changes;
        let numbers = [(ours, 0), (theirs, 0), (ours, 1), (theirs, 1)].map(|(changes, i)| spread(changes, i));
        [vec![s.integrator.to_string()], numbers.to_vec()].concat()
    };
    let head =
        ["integrator", "greatest change, ours", "reference", "mean change in the last second, ours", "reference"];
    page::table(&head.map(String::from), &starts.iter().map(row).collect::<Vec<_>>())
}

impl Swing {
    /// The most kinetic energy, of the reference.
    fn scale(&self) -> f64 {
        self.energies[1].iter().fold(0.0, |most, e| most.max(e[1]))
    }

    /// Greatest change of the total energy up to each record, relative to the scale.
    fn strayed(&self, engine: usize) -> Vec<f64> {
        let total = |e: &[f64; 3]| e.iter().sum::<f64>();
        let start = self.energies[engine].first().map_or(0.0, total);
        let mut most = 0.0f64;
        let mut up_to = |e: &[f64; 3]| {
            most = most.max((total(e) - start).abs() / self.scale());
            most
        };
        self.energies[engine].iter().map(&mut up_to).collect()
    }

    /// Mean change of the total energy in the last third, relative to the scale.
    fn drift(&self, engine: usize) -> f64 {
        let all = &self.energies[engine];
        let last = &all[all.len() * 2 / 3..];
        let mean = last.iter().flatten().sum::<f64>() / last.len() as f64;
        (mean - all.first().map_or(0.0, |e| e.iter().sum())) / self.scale()
    }

    /// When a part of the energy is farther from the reference's than a thousandth of the scale, if ever; and the greatest
    /// difference before, relative to the scale.
    fn apart(&self) -> (Option<f64>, f64) {
        let mut greatest = 0.0f64;
        for (k, (a, b)) in self.energies[0].iter().zip(&self.energies[1]).enumerate() {
            let now = (0..3).fold(0.0f64, |most, i| most.max((a[i] - b[i]).abs())) / self.scale();
            if now > 1e-3 {
                return (Some(k as f64 * self.interval), greatest);
            }
            greatest = greatest.max(now);
        }
        (None, greatest)
    }
}

/// The table.
pub fn table(swings: &[Swing]) -> String {
    let percent = |x: f64| format!("{:.4} %", 100.0 * x);
    let last = |s: &Swing, engine: usize| s.strayed(engine).last().copied().unwrap_or(f64::NAN);
    let row = |s: &Swing| {
        let (when, difference) = s.apart();
        let together = match when {
            Some(t) => format!("{t:.2} s, {difference:.0e}"),
            None => format!("all along, {difference:.0e}"),
        };
        vec![
            s.scene.to_string(),
            s.integrator.to_string(),
            format!("{:.4} J", s.scale()),
            percent(last(s, 0)),
            percent(last(s, 1)),
            percent(s.drift(0)),
            percent(s.drift(1)),
            together,
        ]
    };
    let head = [
        "scene",
        "integrator",
        "scale",
        "greatest change, ours",
        "reference",
        "mean change in the last second, ours",
        "reference",
        "together",
    ];
    page::table(&head.map(String::from), &swings.iter().map(row).collect::<Vec<_>>())
}

/// Draws a figure for each scene.
pub fn draw(swings: &[Swing], folder: &Path) -> Result<()> {
    for (scene, _) in falling::SCENES {
        let mut series = Vec::new();
        for (color, s) in swings.iter().filter(|s| s.scene == scene).enumerate() {
            for (engine, name) in ["", ", reference"].iter().enumerate() {
                let points = s.strayed(engine).into_iter().enumerate().skip(1);
                // Points of the reference are fewer, so that the line is seen.
                let shown = points.filter(|(k, _)| engine == 0 || k % 5 == 0);
                let points = shown.map(|(k, x)| (k as f64 * s.interval, x.clamp(1e-9, 1.0))).collect();
                let name = format!("{}{name}", s.integrator);
                series.push(Series { name, points, color: color + 1, line: engine == 0 });
            }
        }
        let labels = Labels {
            title: &format!("Energy of an undamped {scene}"),
            axes: ["time, s", "greatest change so far / most kinetic energy"],
            legend: SeriesLabelPosition::LowerRight,
        };
        let time = Axis { range: 0.0..3.0, base: None };
        let change = Axis { range: 1e-9..1.0, base: Some(10.0) };
        plot::draw(&folder.join(format!("deformables-energy-{scene}.svg")), &labels, [time, change], &series)?;
    }
    Ok(())
}
