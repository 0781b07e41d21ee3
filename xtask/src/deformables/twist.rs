//! Rods that a torque twists.

use super::recorded::Recorded;
use super::statics::{Held, balanced};
use crate::plot::{self, Axis, Labels, Series};
use crate::{Result, page};
use mj_testkit::cantilevers::{self, LENGTH, Section, YOUNG, torsional_constant};
use plotters::prelude::SeriesLabelPosition;
use std::f64::consts::PI;
use std::path::Path;

const EDGES: usize = 12;
/// Angle of the first rod's end by theory, rad.
const ANGLE: f64 = 1.0;

/// A twisted rod.
pub struct Twisted {
    section: String,
    elasticity: String,
    /// The torque on the end.
    torque: f64,
    /// T L/(G J).
    theory: f64,
    /// Distance from the middle of the fixed edge to that of each other, and their angles.
    angles: Vec<(f64, f64)>,
    pub held: Held,
}

fn twisted(name: &str, section: Section, elasticity: &str, shear: f64, torque: f64) -> Result<Twisted> {
    let (text, j) = match section {
        Section::Circle(r) => (format!("circle, r = {r} m"), PI * r.powi(4) / 2.0),
        Section::Box(a, b) => (format!("box, {a} × {b} m"), torsional_constant(a, b)),
    };
    let c = cantilevers::rod(EDGES, section, elasticity);
    let held = balanced(format!("twist,{name}"), c.xml.clone(), c.band, |m| {
        let mut load = vec![0.0; m.nv()];
        load.iter_mut().rev().take(1).for_each(|f| *f = torque);
        load
    })?;
    let spacing = LENGTH / (EDGES as f64 + 0.5);
    let first = held.qpos.len() - EDGES;
    let angles = held.qpos[first..].iter().enumerate().map(|(i, q)| (spacing * (i + 1) as f64, *q)).collect();
    let theory = torque * spacing * EDGES as f64 / (shear * j);
    Ok(Twisted { section: text, elasticity: elasticity.replace('"', ""), torque, theory, angles, held })
}

/// Twists rods of several sections by one torque.
pub fn all() -> Result<Vec<Twisted>> {
    let radius = cantilevers::RADIUS;
    let shear = YOUNG / 2.6;
    let length = LENGTH * EDGES as f64 / (EDGES as f64 + 0.5);
    let torque = ANGLE * shear * PI * radius.powi(4) / 2.0 / length;
    let poisson = r#"poisson="0.3""#;
    let given = 2e5;
    Ok(vec![
        twisted("circle", Section::Circle(radius), poisson, shear, torque)?,
        twisted("shear", Section::Circle(radius), &format!(r#"shear="{given}""#), given, torque)?,
        twisted("thick", Section::Circle(2.0 * radius), poisson, shear, torque)?,
        twisted("box1", Section::Box(radius, radius), poisson, shear, torque)?,
        twisted("box2", Section::Box(2.0 * radius, radius), poisson, shear, torque)?,
        twisted("box4", Section::Box(4.0 * radius, radius), poisson, shear, torque)?,
        twisted("thin", Section::Box(2.0 * radius, 0.5 * radius), poisson, shear, torque)?,
    ])
}

/// The table.
pub fn table(all: &[Twisted], recorded: &Recorded) -> Result<String> {
    let head = [
        "section",
        "elasticity",
        "torque, N m",
        "T L/(G J), rad",
        "angle, rad",
        "ratio",
        "left of the load in the reference",
    ];
    let row = |t: &Twisted| -> Result<Vec<String>> {
        let angle = t.angles.last().map_or(f64::NAN, |a| a.1);
        Ok(vec![
            t.section.clone(),
            t.elasticity.clone(),
            format!("{:.4e}", t.torque),
            format!("{:.6}", t.theory),
            format!("{angle:.6}"),
            format!("{:.6}", angle / t.theory),
            format!("{:.0e}", recorded.left(&t.held)?),
        ])
    };
    Ok(page::table(&head.map(String::from), &all.iter().map(row).collect::<Result<Vec<_>>>()?))
}

/// Draws the angles along the rods, and the lines of theory.
pub fn draw(all: &[Twisted], folder: &Path) -> Result<()> {
    let mut series = Vec::new();
    for (color, t) in all.iter().enumerate() {
        let length = t.angles.last().map_or(0.0, |a| a.0);
        series.push(Series { name: String::new(), points: vec![(0.0, 0.0), (length, t.theory)], color, line: true });
        let name = format!("{}, {}", t.section, t.elasticity);
        series.push(Series { name, points: t.angles.clone(), color, line: false });
    }
    let most = all.iter().fold(0.0f64, |most, t| most.max(t.theory));
    let labels = Labels {
        title: "Twist of rods by one torque: edges, and lines of T x/(G J)",
        axes: ["distance x from the middle of the fixed edge, m", "angle, rad"],
        legend: SeriesLabelPosition::UpperLeft,
    };
    let axes = [0.0..LENGTH, 0.0..1.1 * most].map(|range| Axis { range, base: None });
    plot::draw(&folder.join("deformables-twist.svg"), &labels, axes, &series)
}
