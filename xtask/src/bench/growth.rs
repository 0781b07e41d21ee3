//! How the cost of a step grows with what is in the model: chains, crowds, heaps.

use super::measure::{Case, Effort, Measured};
use super::reference::Reference;
use super::speed::{self, digits};
use crate::Result;
use crate::engine::{Engine, Scratch};
use crate::page::table;
use crate::plot::{self, Axis, Labels, Series};
use crate::random::Random;
use plotters::prelude::SeriesLabelPosition;
use std::fmt::Write;
use std::path::Path;

/// A family of models of growing size.
struct Family {
    /// Description.
    title: &'static str,
    /// Counted element.
    unit: &'static str,
    sizes: &'static [usize],
    /// Steps until it has come to what is to be measured.
    warmup: u64,
    /// The reference's solver, by its number; the model's own unless given.
    solver: Option<u8>,
    /// The text of the model of a size.
    scene: fn(usize) -> String,
}

const FAMILIES: [Family; 3] = [
    Family {
        title: "Hanging chains, their hinges about two axes in turn (a file may hold some 490 bodies one in another, \
                for either engine)",
        unit: "links",
        sizes: &[10, 30, 100, 300, 490],
        warmup: 100,
        solver: None,
        scene: chain,
    },
    Family {
        title: "Humanoids, lying on the floor after 300 steps",
        unit: "humanoids",
        sizes: &[1, 3, 10, 30, 100, 300, 1000],
        warmup: 300,
        solver: None,
        scene: crowd,
    },
    Family {
        title: "Heaps of boxes between walls, five deep (the reference with its solver CG, which suits large ones better)",
        unit: "boxes",
        sizes: &[10, 30, 100, 300, 1000],
        warmup: 500,
        solver: Some(1),
        scene: heap,
    },
];

/// The figure of the section.
const FIGURE: &str = "docs/figures/growth.svg";

/// Stages that have a column.
const STAGES: [&str; 7] = ["kinematics", "inertia", "collision", "constraint", "velocity", "solver", "integrate"];

/// The part of the page; draws its figure if asked.
pub fn section(
    engine: &Engine,
    mut reference: Option<&mut Reference>,
    root: &Path,
    effort: Effort,
    draws: bool,
) -> Result<String> {
    let (mut text, mut curves) = (String::new(), Vec::new());
    for family in &FAMILIES {
        let scratch = Scratch::new("growth")?;
        std::fs::write(scratch.file(HUMANOID), humanoid(root)?)?;
        let mut cases = Vec::new();
        for &size in family.sizes {
            let path = scratch.file(&format!("{}{size}.xml", family.unit));
            std::fs::write(&path, (family.scene)(size))?;
            let case = Case::new(format!("{size} {}", family.unit), path);
            cases.push(Case { warmup: Some(family.warmup), solvers: vec![family.solver], ..case });
        }
        let results = speed::all(engine, reference.as_deref_mut(), &cases, effort);
        if let Some(failure) = results.failed.first() {
            return Err(failure.clone().into());
        }
        let _ = write!(text, "{}:\n\n{}\n", family.title, family_table(family, &results.measured));
        add_curves(&mut curves, family, &results.measured);
    }
    if draws {
        let labels = Labels {
            title: "Time of a step by what is in it",
            axes: ["links, humanoids or boxes", "µs for each of them"],
            legend: SeriesLabelPosition::LowerRight,
        };
        let logarithmic = |range| Axis { range, base: Some(10.0) };
        plot::draw(&root.join(FIGURE), &labels, [logarithmic(1.0..1000.0), logarithmic(0.1..100.0)], &curves)?;
    }
    Ok(text)
}

/// Adds a line for us, and points for the reference.
fn add_curves(curves: &mut Vec<Series>, family: &Family, results: &[Measured]) {
    let color = 1 + curves.len() / 2;
    let each = |time: &dyn Fn(&Measured) -> Option<f64>| {
        let of = |(&size, m): (&usize, &Measured)| Some((size as f64, time(m)? / size as f64));
        family.sizes.iter().zip(results).filter_map(of).collect::<Vec<_>>()
    };
    let [ours, theirs] = [each(&|m| Some(m.ours())), each(&|m| m.reference(family.solver))];
    curves.push(Series { name: family.unit.into(), points: ours, color, line: true });
    curves.push(Series { name: format!("{}, reference", family.unit), points: theirs, color, line: false });
}

/// Calls a function with the file of a crowd of humanoids.
pub fn with_crowd<T>(root: &Path, count: usize, then: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let scratch = Scratch::new("crowd")?;
    std::fs::write(scratch.file(HUMANOID), humanoid(root)?)?;
    let path = scratch.file("crowd.xml");
    std::fs::write(&path, crowd(count))?;
    then(&path)
}

/// Times by size, and the exponents of their growth below.
fn family_table(family: &Family, results: &[Measured]) -> String {
    let sizes: Vec<f64> = family.sizes.iter().map(|&n| n as f64).collect();
    let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
    if results.iter().all(|m| m.reference(family.solver).is_some()) {
        columns.push(("reference, µs".into(), results.iter().filter_map(|m| m.reference(family.solver)).collect()));
    }
    columns.push(("ours, µs".into(), results.iter().map(Measured::ours).collect()));
    for stage in STAGES {
        columns.push((stage.into(), results.iter().map(|m| m.stage(stage)).collect()));
    }
    let mut head = vec![family.unit.to_string(), "contacts".into()];
    head.extend(columns.iter().map(|c| c.0.clone()));
    let mut rows = Vec::new();
    for (i, (size, m)) in family.sizes.iter().zip(results).enumerate() {
        let mut row = vec![size.to_string(), format!("{:.0}", m.mean("ncon_mean"))];
        row.extend(columns.iter().map(|c| digits(c.1[i])));
        rows.push(row);
    }
    let last = sizes.iter().position(|&n| n >= 100.0).unwrap_or(0);
    for (from, what) in [(0, "exponent"), (last, "exponent from 100 on")] {
        let mut row = vec![what.to_string(), String::new()];
        row.extend(columns.iter().map(|c| format!("{:.2}", exponent(&sizes[from..], &c.1[from..]))));
        rows.push(row);
    }
    table(&head, &rows)
}

/// The slope of the line through (ln x, ln y) with the least squares.
fn exponent(x: &[f64], y: &[f64]) -> f64 {
    let points = || x.iter().zip(y).map(|(x, y)| (x.ln(), y.max(1e-9).ln()));
    let n = x.len() as f64;
    let (mx, my) = points().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (xx, xy) = points().fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx).powi(2), b + (x - mx) * (y - my)));
    xy / xx
}

/// A chain that hangs from the ceiling, a little bent, so that it swings.
fn chain(links: usize) -> String {
    let mut text = String::from(
        r#"<mujoco>
  <option timestep="0.001"><flag contact="disable"/></option>
  <default>
    <joint damping="1e-4"/>
    <geom type="capsule" size=".012" fromto="0 0 0 0 0 -.1"/>
  </default>
  <worldbody>
"#,
    );
    for i in 0..links {
        let place = if i == 0 { "0 0 0" } else { "0 0 -.1" };
        let axis = if i % 2 == 0 { "0 1 0" } else { "1 0 0" };
        let turn = if i < 10 { 6 } else { 0 };
        let _ = writeln!(text, r#"<body pos="{place}" euler="{turn} 0 0"><joint axis="{axis}"/><geom/>"#);
    }
    text + &"</body>".repeat(links) + "\n  </worldbody>\n</mujoco>\n"
}

/// Humanoids on a grid, each looking elsewhere.
fn crowd(count: usize) -> String {
    let mut text = format!(
        r#"<mujoco>
  <option timestep="0.005"/>
  <size memory="1G"/>
  <asset><model name="humanoid" file="{HUMANOID}"/></asset>
  <worldbody>
    <geom type="plane" size="50 50 .1"/>
"#
    );
    let side = (count as f64).sqrt().ceil() as usize;
    for i in 0..count {
        let (x, y, turn) = (2 * (i % side), 2 * (i / side), 137 * i % 360);
        let _ = writeln!(
            text,
            r#"<frame pos="{x} {y} 0" euler="0 0 {turn}"><attach model="humanoid" body="pelvis" prefix="{i}_"/></frame>"#
        );
    }
    text + "  </worldbody>\n</mujoco>\n"
}

/// A heap that is five deep whatever its size: boxes above each other, turned at random, fall in between walls.
fn heap(boxes: usize) -> String {
    const CELL: f64 = 0.17;
    const DEPTH: f64 = 5.0;
    let side = (boxes as f64 / DEPTH).sqrt().ceil() as usize;
    let half = CELL * side as f64 / 2.0;
    let mut text = String::from(
        r#"<mujoco>
  <option timestep="0.002"/>
  <size memory="1G"/>
  <default><geom type="box" friction=".6"/></default>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
"#,
    );
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0_f64)] {
        let out = half + 0.05;
        let [a, b] = [x, y].map(|along: f64| if along == 0.0 { half + 0.1 } else { 0.05 });
        let _ = writeln!(text, r#"<geom pos="{:.3} {:.3} .3" size="{a:.3} {b:.3} .3"/>"#, x * out, y * out);
    }
    let mut random = Random::default();
    for i in 0..boxes {
        let place = |cell: usize| CELL * (cell as f64 + 0.5) - half;
        let [x, y] = [place(i % side), place(i / side % side)];
        let z = 0.1 + 0.16 * (i / (side * side)) as f64;
        let [a, b, c] = [(); 3].map(|()| 60.0 * random.uniform() - 30.0);
        let [l, w, h] = [(); 3].map(|()| 0.05 + 0.015 * random.uniform());
        let _ = writeln!(
            text,
            r#"<body pos="{x:.4} {y:.4} {z:.4}" euler="{a:.1} {b:.1} {c:.1}"><freejoint/><geom size="{l:.4} {w:.4} {h:.4}"/></body>"#
        );
    }
    text + "  </worldbody>\n</mujoco>\n"
}

/// The file beside a crowd's that holds one of it.
const HUMANOID: &str = "humanoid.xml";

/// The humanoid of `models/` without what a crowd would hold once for each of its members (keyframes) or not at all.
fn humanoid(root: &Path) -> Result<String> {
    let path = root.join("models").join(HUMANOID);
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(["keyframe", "visual"].iter().fold(text, |text, element| without(&text, element)))
}

/// A model's text without the first element of a name.
fn without(text: &str, element: &str) -> String {
    match (text.split_once(&format!("<{element}>")), text.split_once(&format!("</{element}>"))) {
        (Some((before, _)), Some((_, after))) => before.to_string() + after,
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_slopes() {
        let x = [10.0, 30.0, 100.0];
        let y = x.map(|x: f64| 3.0 * x.powf(1.5));
        assert!((exponent(&x, &y) - 1.5).abs() < 1e-12);
    }

    /// Every family has as many bodies as it says, and nothing in it is refused.
    #[test]
    fn scenes_are_what_they_say() {
        let scratch = Scratch::new("growth").unwrap();
        std::fs::write(scratch.file(HUMANOID), humanoid(&crate::root()).unwrap()).unwrap();
        for (family, dofs) in FAMILIES.iter().zip([1, 27, 6]) {
            for size in [1, 10] {
                let path = scratch.file("scene.xml");
                std::fs::write(&path, (family.scene)(size)).unwrap();
                let m = mj_engine::load(&path).unwrap();
                assert_eq!((m.nv(), m.key.len()), (size * dofs, 0), "{}", family.title);
            }
        }
    }
}
