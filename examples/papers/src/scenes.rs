//! Four scenes under four formulations of contact, each drawn beside Coulomb's answer.

use crate::formulation::{NAMES, Simulation};
use crate::plot::{Curve, draw};
use crate::text::{Error, table};
use mj_engine::{Model, State, load_str};
use std::path::Path;

/// Acceleration of gravity of the models' default, m/s².
const G: f64 = 9.81;

/// The four scenes: where each curve ends.
pub fn section(folder: &Path) -> Result<String, Error> {
    let rows = [sliding(folder)?, rolling(folder)?, tipping(folder)?, tower(folder)?];
    let head: Vec<&str> = ["scene", "rigid, Coulomb"].into_iter().chain(NAMES).collect();
    Ok(table(&head, rows))
}

fn world(bodies: &str) -> Result<Model, Error> {
    Ok(load_str(&format!(
        r#"<mujoco><option timestep="0.002" cone="elliptic"/>
        <default><geom friction="0.4 0 0"/></default>
        <worldbody><geom type="plane" size="20 20 1"/>{bodies}</worldbody></mujoco>"#
    ))?)
}

/// Simulates under every formulation; `prepare` sets the state once the scene has settled, `act` before each step,
/// `look` is what is drawn.
fn run(
    m: &Model,
    seconds: f64,
    prepare: impl Fn(&mut State),
    act: impl Fn(f64, &mut State),
    look: impl Fn(&State) -> f64,
) -> Result<Vec<Curve>, Error> {
    let h = m.opt.timestep;
    NAMES
        .into_iter()
        .map(|name| {
            let mut s = Simulation::new(m, name)?;
            for _ in 0..(0.3 / h) as usize {
                s.step(m);
            }
            prepare(s.state());
            let mut points = vec![(0.0, look(s.state()))];
            for k in 0..(seconds / h) as usize {
                act(k as f64 * h, s.state());
                s.step(m);
                points.push(((k + 1) as f64 * h, look(s.state())));
            }
            Ok(Curve::new(name, points))
        })
        .collect()
}

/// A curve from a formula.
fn formula(name: &str, seconds: f64, f: impl Fn(f64) -> f64) -> Curve {
    Curve::new(name, (0..=200).map(|k| (k as f64 / 200.0 * seconds, f(k as f64 / 200.0 * seconds))).collect())
}

/// A row of the table: where each curve ends.
fn ends(title: &str, curves: &[Curve]) -> Vec<String> {
    let end = |c: &Curve| format!("{:.5}", c.points.last().map_or(f64::NAN, |p| p.1));
    std::iter::once(title.into()).chain(curves.iter().map(end)).collect()
}

/// A block pushed to 2 m/s: v = v₀ − μ g t.
fn sliding(folder: &Path) -> Result<Vec<String>, Error> {
    let m = world(r#"<body pos="0 0 0.1"><freejoint/><geom type="box" size="0.2 0.2 0.1"/></body>"#)?;
    let (v, mu, seconds) = (2.0, 0.4, 0.8);
    let push = |s: &mut State| {
        s.qpos[0] = 0.0;
        s.qvel[0] = v;
    };
    let stop = v / (mu * G);
    let mut curves = vec![formula("Coulomb", seconds, |t| {
        let t = t.min(stop);
        v * t - 0.5 * mu * G * t * t
    })];
    curves.extend(run(&m, seconds, push, |_, _| {}, |s| s.qpos[0])?);
    draw(&folder.join("sliding.svg"), "A block sliding to rest", ["time, s", "way, m"], 0.0..0.6, &curves)?;
    Ok(ends("block pushed to 2 m/s, way to rest, m", &curves))
}

/// A solid ball set down sliding: it rolls once v = 5/7 v₀.
fn rolling(folder: &Path) -> Result<Vec<String>, Error> {
    let m = world(r#"<body pos="0 0 0.1"><freejoint/><geom size="0.1"/></body>"#)?;
    let (v, mu, seconds) = (2.0, 0.4, 0.4);
    let push = |s: &mut State| s.qvel[0] = v;
    let rolls = 2.0 * v / (7.0 * mu * G);
    let mut curves = vec![formula("Coulomb", seconds, |t| v - mu * G * t.min(rolls))];
    curves.extend(run(&m, seconds, push, |_, _| {}, |s| s.qvel[0])?);
    draw(&folder.join("rolling.svg"), "A ball that slides, then rolls", ["time, s", "speed, m/s"], 1.3..2.05, &curves)?;
    Ok(ends("ball set down sliding at 2 m/s, speed, m/s", &curves))
}

/// A tall box whose top is pulled harder and harder: it tips once the pull's moment exceeds the weight's.
fn tipping(folder: &Path) -> Result<Vec<String>, Error> {
    let m = world(
        r#"<body pos="0 0 0.3"><freejoint/><geom type="box" size="0.05 0.05 0.3" mass="1" friction="1 0 0"/></body>"#,
    )?;
    let seconds = 1.0;
    // F 2b = m g a with half-width a and half-height b.
    let threshold = 1.0 * G * 0.05 / 0.6;
    let rate = 1.6 * threshold / seconds;
    let pull = |t: f64, s: &mut State| {
        let force = rate * t;
        // Applied at the top: a force and its moment about the centre.
        s.qfrc_applied[0] = force;
        s.qfrc_applied[4] = 0.3 * force;
    };
    let tilt = |s: &State| {
        let (w, y) = (s.qpos[3], s.qpos[5]);
        2.0 * y.atan2(w).to_degrees()
    };
    let start = threshold / rate;
    // Past the threshold: I θ̈ = (rate t − threshold) 2b about the edge, for small tilts.
    let inertia = 1.0 / 3.0 * (0.1 * 0.1 + 0.6 * 0.6);
    let mut curves = vec![formula("rigid body", seconds, |t| {
        let late = (t - start).max(0.0);
        (rate * 0.6 * late.powi(3) / (6.0 * inertia)).to_degrees()
    })];
    curves.extend(run(&m, seconds, |_| {}, pull, tilt)?);
    draw(&folder.join("tipping.svg"), "A box pulled at its top", ["time, s", "tilt, degrees"], 0.0..5.0, &curves)?;
    Ok(ends("box pulled at its top, tilt after 1 s, degrees", &curves))
}

/// Ten boxes: how far the highest sinks.
fn tower(folder: &Path) -> Result<Vec<String>, Error> {
    let boxes: String = (0..10)
        .map(|k| {
            format!(
                r#"<body pos="0 0 {}"><freejoint/><geom type="box" size="0.1 0.1 0.05"/></body>"#,
                0.05 + 0.1 * k as f64
            )
        })
        .collect();
    let m = world(&boxes)?;
    let seconds = 1.0;
    let mut curves = vec![formula("rigid bodies", seconds, |_| 0.0)];
    curves.extend(run(&m, seconds, |_| {}, |_, _| {}, |s| 1000.0 * (s.qpos[9 * 7 + 2] - 0.95))?);
    draw(
        &folder.join("tower.svg"),
        "The top of a tower of ten",
        ["time, s", "height above its place, mm"],
        -60.0..10.0,
        &curves,
    )?;
    Ok(ends("top of a tower of ten, height after 1 s, mm", &curves))
}
