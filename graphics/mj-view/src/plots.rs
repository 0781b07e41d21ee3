//! Readings over time.

use mj_engine::{Data, StageTimer};
use mj_model::Model;
use mj_session::{Statistics, inputs};
use std::collections::VecDeque;

/// Most points of a curve.
const POINTS: usize = 600;
/// Most curves of sensors.
const SENSORS: usize = 64;

/// One plot: its title, its curves, and whether it is shown.
pub(crate) struct Plot {
    pub title: &'static str,
    pub names: Vec<String>,
    pub shown: bool,
    rows: VecDeque<Vec<f64>>,
}

/// Plots of the energies, the solver, the times of stages, and sensors.
pub(crate) struct Plots {
    times: VecDeque<f64>,
    pub all: [Plot; 4],
}

impl Plots {
    pub fn new(m: &Model) -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect();
        let plot = |title, names| Plot { title, names, shown: false, rows: VecDeque::new() };
        Self {
            times: VecDeque::new(),
            all: [
                plot("energy, J", names(&["potential", "kinetic", "total"])),
                plot("solver", names(&["iterations", "contacts", "rows"])),
                plot("time of a step, µs", names(&StageTimer::NAMES)),
                plot("sensors", inputs::readings(m, SENSORS)),
            ],
        }
    }

    /// Appends the readings of a snapshot; those before go where time goes back.
    pub fn push(&mut self, d: &Data, statistics: &Statistics) {
        let time = d.state.time;
        if self.times.back() == Some(&time) {
            return;
        }
        if self.times.back().is_some_and(|&last| last > time) {
            self.times.clear();
            self.all.iter_mut().for_each(|plot| plot.rows.clear());
        }
        let [potential, kinetic] = d.energy;
        let counts = [statistics.niter as usize, statistics.ncon, statistics.nefc];
        let rows = [
            vec![potential, kinetic, potential + kinetic],
            counts.map(|count| count as f64).to_vec(),
            statistics.stages.map(|stage| stage.as_secs_f64() * 1e6).to_vec(),
            d.sensordata.iter().copied().take(SENSORS).collect(),
        ];
        self.times.push_back(time);
        for (plot, row) in self.all.iter_mut().zip(rows) {
            plot.rows.push_back(row);
        }
        if self.times.len() > POINTS {
            self.times.pop_front();
            self.all.iter_mut().for_each(|plot| _ = plot.rows.pop_front());
        }
    }

    /// Returns the points of a plot's curve.
    pub fn curve(&self, plot: usize, curve: usize) -> Vec<[f64; 2]> {
        let rows = self.all[plot].rows.iter();
        let points = self.times.iter().zip(rows).map(|(&time, row)| [time, row.get(curve).copied().unwrap_or(0.0)]);
        points.filter(|[_, y]| y.is_finite()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mj_engine::Simulation;

    #[test]
    fn curves_hold_the_last_readings_and_begin_again_where_time_goes_back() {
        let xml = "<mujoco><worldbody><body><joint name='x' type='slide'/><geom size='.1'/></body></worldbody>
            <sensor><clock name='clock'/><jointpos joint='x'/></sensor></mujoco>";
        let mut sim = Simulation::from_xml(xml).expect("compiles");
        let mut plots = Plots::new(sim.model());
        assert_eq!(plots.all[3].names, ["clock", "sensor 1"]);
        for _ in 0..POINTS + 5 {
            sim.step().expect("runs");
            sim.forward().expect("runs");
            plots.push(sim.data(), &Statistics::default());
        }
        let clock = plots.curve(3, 0);
        assert_eq!(clock.len(), POINTS);
        assert!(clock.iter().all(|[x, y]| x == y));
        sim.reset();
        plots.push(sim.data(), &Statistics::default());
        assert_eq!(plots.curve(3, 0).len(), 1);
    }
}
