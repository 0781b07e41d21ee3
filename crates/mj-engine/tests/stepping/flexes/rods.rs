//! Elastic rods against the theory of beams and shafts, and their stiffness against differences of their forces.

use mj_deformable::{FlexPlan, rod_stiffness};
use mj_engine::{Data, Model, forward, load_str, step};
use std::f64::consts::PI;

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.25;
const RADIUS: f64 = 0.01;

fn load(xml: &str) -> (Model, Data) {
    let m = load_str(xml).unwrap_or_else(|e| panic!("{e}"));
    let d = Data::new(&m).unwrap();
    (m, d)
}

/// A rod of `count` points along x, whose first edge is fixed to the world.
fn cantilever(count: usize, spacing: f64) -> (Model, Data) {
    load(&format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody>
          <flexcomp name="r" type="grid" dim="1" count="{count} 1 1" spacing="{spacing} 1 1" mass="1" radius="{RADIUS}">
            <contact selfcollide="none"/><elasticity young="{YOUNG}" poisson="{POISSON}"/><pin id="0 1"/>
          </flexcomp></worldbody></mujoco>"#
    ))
}

/// Derivative of the elastic forces by positions, by columns, where rotations are hinges.
fn stiffness(m: &Model, d: &mut Data) -> Vec<Vec<f64>> {
    let small = 1e-6;
    let at = d.state.qpos.clone();
    let mut columns = Vec::new();
    for i in 0..m.nv() {
        let mut forces = |by: f64| {
            d.state.qpos.clone_from(&at);
            d.state.qpos[i] += by;
            forward(m, d).unwrap();
            d.smooth.velocities.qfrc_spring.clone()
        };
        let (more, less) = (forces(small), forces(-small));
        columns.push(more.iter().zip(&less).map(|(a, b)| (b - a) / (2.0 * small)).collect());
    }
    d.state.qpos.clone_from(&at);
    forward(m, d).unwrap();
    columns
}

/// Solves a x = b with a positive definite matrix, by columns.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        for r in i + 1..n {
            let factor = a[i][r] / a[i][i];
            for column in &mut a {
                column[r] -= factor * column[i];
            }
            b[r] -= factor * b[i];
        }
    }
    for i in (0..n).rev() {
        for c in i + 1..n {
            b[i] -= a[c][i] * b[c];
        }
        b[i] /= a[i][i];
    }
    b
}

/// The end of a cantilever under a transverse force sinks by F L³/(3 E I).
#[test]
fn a_cantilever_bends_as_a_beam() {
    let (count, spacing) = (42, 0.02);
    let (m, mut d) = cantilever(count, spacing);
    let k = stiffness(&m, &mut d);
    // Vertical dofs of the free points.
    let z: Vec<usize> = (0..count - 2).map(|i| 3 * i + 2).collect();
    let a = z.iter().map(|&c| z.iter().map(|&r| k[c][r]).collect()).collect();
    let mut force = vec![0.0; z.len()];
    force[z.len() - 1] = 1e-3;
    let deflection = solve(a, force);
    // Curvature at a point stands for half an edge on either side, so that the beam begins half an edge before it.
    let length = (count - 2) as f64 * spacing;
    let rigidity = YOUNG * PI * RADIUS.powi(4) / 4.0;
    let expected = 1e-3 * length.powi(3) / (3.0 * rigidity);
    let found = deflection[deflection.len() - 1];
    assert!((found / expected - 1.0).abs() < 0.05, "{found} {expected}");
}

/// The end of a shaft turns by T L/(G J).
#[test]
fn a_rod_twists_as_a_shaft() {
    let (count, spacing) = (12, 0.05);
    let (m, mut d) = cantilever(count, spacing);
    let twist = m.nv() - (count - 2);
    let rigidity = YOUNG / (2.0 * (1.0 + POISSON)) * PI * RADIUS.powi(4) / 2.0;
    let torque = 1e-3;
    for i in 0..count - 2 {
        d.state.qpos[twist + i] = torque * spacing * (i + 1) as f64 / rigidity;
    }
    forward(&m, &mut d).unwrap();
    let force = &d.smooth.velocities.qfrc_spring;
    let (last, inner) = force.split_last().unwrap();
    assert!((last + torque).abs() < 1e-12, "{last}");
    assert!(inner.iter().all(|f| f.abs() < 1e-12));
}

const CURVED: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody>
  <flexcomp name="r" type="direct" dim="1" mass="1" point="0 0 0 .1 0 0 .2 .03 0 .28 .08 .02 .38 .08 .07"
    element="0 1 1 2 2 3 3 4"><contact selfcollide="none"/>
    <elasticity young="1e6" poisson="0.2" damping="0.01" section="box" sectionsize=".01 .02"/></flexcomp>
  </worldbody></mujoco>"#;

const RING: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody>
  <flexcomp name="r" type="circle" dim="1" count="9 1 1" spacing=".1 1 1" mass="1" radius="0.01">
    <contact selfcollide="none"/><elasticity young="1e6" poisson="0.2" damping="0.01"/></flexcomp>
  </worldbody></mujoco>"#;

/// At rest nothing is left out of the stiffness, but that positions and twist are apart.
#[test]
fn the_stiffness_at_rest_is_the_derivative_of_the_forces() {
    for xml in [CURVED, RING] {
        let (m, mut d) = load(xml);
        // A step at rest leaves the frames from which all others are carried.
        step(&m, &mut d).unwrap();
        let expected = stiffness(&m, &mut d);
        let positions = 3 * m.flex_data.vertbodyid.len();
        let mut found = vec![vec![0.0; m.nv()]; m.nv()];
        rod_stiffness(&m, &FlexPlan::of(&m), &d.flexes, |s| {
            for row in s.rows() {
                let entry = |i: usize| (3 * s.vertex[i / 3] + i % 3, row.vertex[i / 3][i % 3]);
                for (c, x) in (0..12).map(entry) {
                    (0..12).map(entry).for_each(|(r, y)| found[c][r] += (row.stiffness + row.torsion) * x * y);
                }
            }
            for (j, twist) in s.twist.iter().enumerate() {
                let Some(i) = *twist else { continue };
                found[i][i] += s.torsion[0] + s.diagonal[j];
                if let Some(other) = s.twist[1 - j] {
                    found[i][other] -= s.torsion[0];
                }
            }
        });
        let greatest = expected.iter().flatten().fold(0.0f64, |a, b| a.max(b.abs()));
        for c in 0..m.nv() {
            for r in 0..m.nv() {
                let expected = if (c < positions) == (r < positions) { expected[c][r] } else { 0.0 };
                assert!((found[c][r] - expected).abs() < 1e-6 * greatest, "{c} {r}: {} {expected}", found[c][r]);
            }
        }
    }
}

/// The twist of a rod outlives whole turns: the frames go on from those of the step before.
#[test]
fn twist_counts_whole_turns() {
    let (m, mut d) = cantilever(6, 0.05);
    let last = m.nv() - 1;
    // The end turns three times, the others follow in proportion, with a time step at each turn of the way.
    for k in 1..=30 {
        for i in 0..4 {
            d.state.qpos[last - i] = 6.0 * PI * f64::from(k) / 30.0 * (4 - i) as f64 / 4.0;
        }
        d.state.qvel.fill(0.0);
        let before = d.state.qpos.clone();
        step(&m, &mut d).unwrap();
        d.state.qpos = before;
    }
    d.state.qvel.fill(0.0);
    forward(&m, &mut d).unwrap();
    let rigidity = YOUNG / (2.0 * (1.0 + POISSON)) * PI * RADIUS.powi(4) / 2.0;
    let expected = -6.0 * PI * rigidity / (4.0 * 0.05);
    let found = d.smooth.velocities.qfrc_spring[last];
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
}

/// Each end of a strap touches a plane with the two lower corners of its section, however it is turned.
#[test]
fn a_box_section_touches_with_its_corners() {
    let [a, b, height] = [0.02, 0.01, 0.015];
    let xml = format!(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 .1" margin=".1"/>
        <flexcomp name="r" type="grid" dim="1" count="3 1 1" spacing=".1 1 1" pos="0 0 {height}" mass="1">
        <contact selfcollide="none"/><elasticity young="1e5" section="box" sectionsize="{a} {b}"/></flexcomp>
        </worldbody></mujoco>"#
    );
    let (m, mut d) = load(&xml);
    for k in 0..8 {
        let angle = 0.1 + 0.8 * f64::from(k);
        let twists = m.nv() - 2;
        d.state.qpos[twists..].fill(angle);
        forward(&m, &mut d).unwrap();
        let (sin, cos) = angle.sin_cos();
        let mut depths: Vec<f64> =
            [(a, b), (a, -b), (-a, b), (-a, -b)].map(|(y, z)| height + y * sin + z * cos).to_vec();
        depths.sort_by(f64::total_cmp);
        let found: Vec<f64> = d.contacts.list.iter().map(|c| c.dist).collect();
        assert_eq!(found.len(), 6);
        for (found, expected) in found.iter().zip(depths[..2].iter().cycle()) {
            assert!((found - expected).abs() < 1e-12, "{angle}: {found} {expected}");
        }
    }
}

/// Rigid rotation of a rod with its edges' twist costs nothing, and neither spins nor translations are damped.
#[test]
fn a_rod_moves_freely_as_a_rigid_body() {
    let (m, mut d) = load(CURVED);
    step(&m, &mut d).unwrap();
    let vertices = m.flex_data.vertbodyid.len();
    let spin = mj_engine::DVec3::new(0.3, -0.7, 0.5);
    forward(&m, &mut d).unwrap();
    for v in 0..vertices {
        let velocity = spin.cross(d.flexes.vert_xpos[v]);
        d.state.qvel[3 * v..3 * v + 3].copy_from_slice(&velocity.to_array());
    }
    // Edges turn about themselves by the spin's part along them.
    for e in 0..vertices - 1 {
        let tangent = (d.flexes.vert_xpos[e + 1] - d.flexes.vert_xpos[e]).normalize();
        d.state.qvel[3 * vertices + e] = spin.dot(tangent);
    }
    forward(&m, &mut d).unwrap();
    let worst = |f: &[f64]| f.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    assert!(worst(&d.smooth.velocities.qfrc_damper) < 1e-12);
    // A small step along the motion leaves the rod without forces, to second order.
    let rest = d.state.clone();
    let mut residual = [0.0; 2];
    for (residual, h) in residual.iter_mut().zip([1e-3, 5e-4]) {
        d.state = rest.clone();
        for i in 0..m.nv() {
            d.state.qpos[i] += h * rest.qvel[i];
        }
        forward(&m, &mut d).unwrap();
        *residual = worst(&d.smooth.velocities.qfrc_spring);
    }
    assert!(residual[0] < 1e-4 && (residual[0] / residual[1] - 4.0).abs() < 0.2, "{residual:?}");
}
