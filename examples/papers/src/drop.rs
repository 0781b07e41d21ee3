//! Figure 2 of 2012: a ball is dropped on a contact that acts from a distance. The impulse is smooth, and there is no
//! penetration.

use crate::plot::{Curve, draw};
use crate::text::{Error, table};
use mj_engine::{Model, State, load_str};
use mj_impulse::{Options, Pipeline};
use std::path::Path;

/// Radius of the ball and the height of its lowest point at the start, m.
const RADIUS: f64 = 0.1;
const HEIGHT: f64 = 0.3;
/// Distance from which the soft contact acts, m.
const REACH: f64 = 0.08;

fn scene(margin: f64) -> Result<Model, Error> {
    Ok(load_str(&format!(
        "<mujoco><option timestep='0.005' cone='elliptic'/><worldbody>\
         <geom type='plane' size='1 1 1' margin='{margin}'/>\
         <body pos='0 0 {}'><freejoint/><geom size='{RADIUS}' mass='1'/></body></worldbody></mujoco>",
        RADIUS + HEIGHT
    ))?)
}

/// A fall: height of the lowest point (mm) and impulse of the contact (N s) over time.
struct Fall {
    height: Vec<(f64, f64)>,
    impulse: Vec<(f64, f64)>,
}

impl Fall {
    fn of(margin: f64, options: Options) -> Result<Self, Error> {
        let m = scene(margin)?;
        let mut s = State::new(&m);
        let mut p = Pipeline::new(&m, options)?;
        let mut fall = Self { height: Vec::new(), impulse: Vec::new() };
        for _ in 0..160 {
            fall.height.push((s.time, 1000.0 * (s.qpos[2] - RADIUS)));
            let at = s.time;
            p.step(&m, &mut s);
            fall.impulse.push((at, p.solution.efc_force.first().copied().unwrap_or(0.0)));
        }
        Ok(fall)
    }

    fn lowest(&self) -> f64 {
        self.height.iter().fold(f64::INFINITY, |a, p| a.min(p.1))
    }

    fn greatest(&self) -> f64 {
        self.impulse.iter().fold(0.0, |a, p| a.max(p.1))
    }

    /// Time over which the impulse takes off nine tenths of the ball's momentum at the impact, s.
    fn spread(&self) -> f64 {
        let momentum = (2.0 * 9.81 * 1e-3 * HEIGHT * 1e3).sqrt();
        let begins = self.impulse.iter().find(|p| p.1 > 0.0).map_or(0.0, |p| p.0);
        let mut sum = 0.0;
        for (t, f) in &self.impulse {
            sum += f;
            if sum >= 0.9 * momentum {
                return t - begins + 0.005;
            }
        }
        f64::NAN
    }
}

/// The hard contact, and the one that acts from a distance.
fn falls() -> Result<[(&'static str, Fall); 2], Error> {
    let hard = Options { epsilon: 1e-3, kappa: 0.01, iterations: 500, ..Options::default() };
    let soft = Options { epsilon: 0.1, kappa: 0.06, iterations: 500, ..Options::default() };
    Ok([("hard contact", Fall::of(0.0, hard)?), ("from a distance", Fall::of(REACH, soft)?)])
}

/// The table and both curves.
pub fn section(folder: &Path) -> Result<String, Error> {
    let falls = falls()?;
    let rows = falls.iter().map(|(name, f)| {
        vec![
            (*name).to_string(),
            format!("{:.2}", f.greatest()),
            format!("{:.0}", 1000.0 * f.spread()),
            format!("{:+.2}", f.lowest()),
        ]
    });
    let head = ["contact", "greatest impulse of a step, N s", "nine tenths of it within, ms", "lowest point, mm"];
    let text = table(&head, rows);
    let curves = |of: fn(&Fall) -> &Vec<(f64, f64)>| {
        falls.iter().map(|(n, f)| Curve::new(*n, of(f).clone())).collect::<Vec<_>>()
    };
    let labels = ["time, s", "height of the lowest point, mm"];
    draw(&folder.join("drop-height.svg"), "A dropped ball", labels, -20.0..310.0, &curves(|f| &f.height))?;
    let labels = ["time, s", "impulse of a step, N s"];
    draw(&folder.join("drop-impulse.svg"), "The impulse of its contact", labels, 0.0..2.5, &curves(|f| &f.impulse))?;
    Ok(format!(
        "A ball of 1 kg falls from 30 cm under velocity stepping (steps of 5 ms). The hard contact has ε = 0.001 and \
         κ = 10 ms; the other acts from {:.0} cm away (`margin`) with ε = 0.1 and κ = 60 ms: its impulse is smooth, and \
         the ball comes to rest above the floor, never in it. The paper gives no numbers.\n\n{text}\n\
         ![Height of a dropped ball](figures/drop-height.svg)\n\n![Impulse of its contact](figures/drop-impulse.svg)\n",
        100.0 * REACH
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_from_a_distance_is_smooth_and_without_penetration() {
        let [(_, hard), (_, soft)] = falls().unwrap();
        assert!(soft.lowest() > 0.0, "{}", soft.lowest());
        assert!(soft.greatest() < 0.35 * hard.greatest(), "{} {}", soft.greatest(), hard.greatest());
        assert!(soft.spread() > 4.0 * hard.spread(), "{} {}", soft.spread(), hard.spread());
        // Both stop the ball.
        for f in [hard, soft] {
            let n = f.height.len();
            assert!((f.height[n - 1].1 - f.height[n - 2].1).abs() < 0.05);
        }
    }
}
