//! What stands stays: no drift above a millimetre in a minute of simulated time.

use mj_engine::{Data, Model, load_str, step};
use std::fmt::Write;

/// Time step, s; a coarse one, which is the harder test.
const STEP: f64 = 0.005;

/// Greatest displacement of a free body over a minute, after a second of settling, m.
fn drift(xml: &str) -> f64 {
    let mut m = load_str(xml).unwrap();
    m.opt.timestep = STEP;
    let mut d = Data::new(&m).unwrap();
    let settle = |d: &mut Data, seconds: f64| (0..(seconds / STEP) as usize).for_each(|_| step(&m, d).unwrap());
    settle(&mut d, 1.0);
    let start = positions(&m, &d);
    let mut worst = 0.0f64;
    for _ in 0..12 {
        settle(&mut d, 5.0);
        assert!(d.contacts.len() > 3, "something should stand");
        for (a, b) in positions(&m, &d).iter().zip(&start) {
            worst = worst.max((a - b).abs());
        }
    }
    worst
}

/// Coordinates of the free bodies' positions.
fn positions(m: &Model, d: &Data) -> Vec<f64> {
    (0..m.nq()).filter(|i| i % 7 < 3).map(|i| d.state.qpos[i]).collect()
}

fn world(assets: &str, bodies: &str) -> String {
    format!(
        r#"<mujoco><option cone="elliptic" impratio="1000"/><asset>{assets}</asset>
           <worldbody><geom type="plane" size="2 2 .1" friction="1"/>{bodies}</worldbody></mujoco>"#
    )
}

#[test]
fn ten_boxes() {
    let mut bodies = String::new();
    for i in 0..10 {
        let z = 0.05 + 0.1 * f64::from(i);
        let _ = write!(bodies, r#"<body pos="0 0 {z}"><freejoint/><geom type="box" size=".05 .05 .05"/></body>"#);
    }
    // Soft friction, as a model has it that says nothing.
    let xml = world("", &bodies).replace(r#"cone="elliptic" impratio="1000""#, "");
    let worst = drift(&xml);
    assert!(worst < 1e-3, "{worst} m");
}

/// Two leaning pairs, a card across, and a pair on top. Softness lets contacts creep under load; the
/// slope of the cards makes it show, and `impratio` holds it.
#[test]
fn card_house() {
    let (half, thick, tilt) = (0.09, 0.003, 0.3f64);
    let rise = half * tilt.cos() + thick * tilt.sin();
    let reach = half * tilt.sin() + thick * tilt.cos();
    let mut bodies = String::new();
    let mut pair = |x: f64, z: f64| {
        for side in [1.0, -1.0] {
            let (x, z, turn) = (x - side * (reach + 0.0002), z + rise, side * tilt.to_degrees());
            let _ = write!(
                bodies,
                r#"<body pos="{x} 0 {z}" euler="0 {turn} 0"><freejoint/>
                   <geom type="box" size="{thick} .06 {half}" density="300" friction="1"/></body>"#
            );
        }
    };
    let apart = 2.0 * reach + 0.01;
    pair(-apart, 0.0);
    pair(apart, 0.0);
    pair(0.0, 2.0 * (rise + thick));
    let (z, length) = (2.0 * rise + thick, 2.0 * apart - 0.02);
    let _ = write!(
        bodies,
        r#"<body pos="0 0 {z}"><freejoint/><geom type="box" size="{length} .06 {thick}" density="300" friction="1"/></body>"#
    );
    let worst = drift(&world("", &bodies));
    assert!(worst < 1e-3, "{worst} m");
}

/// A mug of convex meshes: a wall of twelve pieces, a floor, a handle of three.
#[test]
fn mug_on_a_table() {
    let (mut assets, mut geoms) = (String::new(), String::new());
    let mut piece = |points: Vec<[f64; 3]>| {
        let n = geoms.len();
        let _ = write!(assets, r#"<mesh name="p{n}" vertex=""#);
        for [x, y, z] in points {
            let _ = write!(assets, "{x} {y} {z} ");
        }
        assets.push_str(r#""/>"#);
        let _ = write!(geoms, r#"<geom type="mesh" mesh="p{n}" density="2000"/>"#);
    };
    let (inner, outer, height) = (0.035, 0.04, 0.1);
    let at = |r: f64, k: i32, z: f64| {
        let angle = std::f64::consts::TAU * f64::from(k) / 12.0;
        [r * angle.cos(), r * angle.sin(), z]
    };
    for k in 0..12 {
        let corners = [inner, outer].map(|r| [(r, k), (r, k + 1)]);
        piece(corners.as_flattened().iter().flat_map(|&(r, k)| [at(r, k, 0.0), at(r, k, height)]).collect());
    }
    piece((0..12).flat_map(|k| [at(outer, k, 0.0), at(outer, k, 0.006)]).collect());
    for (x, z) in [([0.038, 0.06], [0.02, 0.03]), ([0.055, 0.065], [0.02, 0.08]), ([0.038, 0.06], [0.07, 0.08])] {
        let corners = x.map(|x| [-0.005, 0.005].map(|y| z.map(|z| [x, y, z])));
        piece(corners.as_flattened().as_flattened().to_vec());
    }
    let bodies = format!(
        r#"<body pos="0 0 .7"><geom type="box" size=".4 .3 .02"/></body>
           <body pos=".1 .05 .7205"><freejoint/>{geoms}</body>"#
    );
    let worst = drift(&world(&assets, &bodies));
    assert!(worst < 1e-3, "{worst} m");
}
