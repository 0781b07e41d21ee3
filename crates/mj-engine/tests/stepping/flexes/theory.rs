//! Deformable bodies against the theory of beams, plates and shafts, and the energy of undamped ones beside the reference's.
//! `docs/deformables.md` has more of it.

use mj_deformable::elastic_energy;
use mj_engine::{Data, Model, forward, load_str, step};
use mj_testkit::cantilevers::{self, Cantilever, Dofs, LENGTH, Section, YOUNG};
use mj_testkit::{Recorded, falling, settle};
use std::f64::consts::PI;

/// Displacements of all dofs where elastic forces balance a load.
fn balanced(m: &Model, d: &mut Data, band: usize, load: &[f64]) -> Vec<f64> {
    let mut q = d.state.qpos.clone();
    let forces = |at: &[f64]| {
        d.state.qpos.copy_from_slice(at);
        forward(m, d).unwrap();
        d.smooth.velocities.qfrc_spring.clone()
    };
    settle(&mut q, band, load, forces).unwrap();
    q.iter().zip(&m.qpos0).map(|(q, q0)| q - q0).collect()
}

/// Deflection of a cantilever's end, relative to that of a beam that bends and shears.
fn deflection(c: &Cantilever) -> f64 {
    let m = load_str(&c.xml).unwrap_or_else(|e| panic!("{e}"));
    let mut d = Data::new(&m).unwrap();
    let force = 1e-4 * LENGTH / c.bending;
    let u = balanced(&m, &mut d, c.band, &c.load(m.nv(), force));
    c.deflection(&u) / (force * (c.bending + c.shear))
}

/// Linear tetrahedra are too stiff in bending, as are cells with linear edges: what their stiffness has too much falls with the
/// square of their size. Quadratic cells bend as beams.
#[test]
fn solids_bend_as_beams() {
    let order = |[coarse, fine]: [f64; 2]| {
        assert!(coarse < fine && fine < 1.0, "{coarse} {fine}");
        ((1.0 / coarse - 1.0) / (1.0 / fine - 1.0)).log2()
    };
    let tetrahedra = order([1, 2].map(|n| deflection(&cantilevers::solid(10 * n, n, Dofs::Full, 0.0))));
    assert!((tetrahedra - 2.0).abs() < 0.15, "{tetrahedra}");
    let cells = order([10, 20].map(|n| deflection(&cantilevers::solid(n, 1, Dofs::Trilinear, 0.0))));
    assert!((cells - 2.0).abs() < 0.1, "{cells}");
    let quadratic = deflection(&cantilevers::solid(5, 1, Dofs::Quadratic, 0.0));
    assert!((quadratic - 1.0).abs() < 0.005, "{quadratic}");
}

/// Squares that are cut along the diagonal (1, 1) have the energy D/2 ((κxx + κxy)² + (κyy + κxy)² + 4 κxy²) for each area. A free
/// strip bends with κyy = −κxy = κxx/5, for 4/5 of the energy of a plate.
#[test]
fn shells_bend_as_strips_of_hinges() {
    let narrow = deflection(&cantilevers::strip(40, 1, 0.025, 0.0));
    assert!((narrow / 1.25 - 1.0).abs() < 0.01, "{narrow}");
    // The rigidity of a plate: Poisson's ratio makes it stiffer by 1/(1 − ν²).
    let [free, plate] = [0.0, 0.3].map(|nu| deflection(&cantilevers::shell(10, 2, nu)));
    assert!((plate / free / (1.0 - 0.09) - 1.0).abs() < 1e-3, "{plate} {free}");
}

/// A sheet that is bent to a cylinder stores D κ²/2 for each area, and three times as much if it is curved along the cuts.
#[test]
fn a_sheet_bent_to_a_cylinder_stores_the_energy_of_a_plate() {
    let (poisson, curvature) = (0.3, 0.2);
    let m = load_str(&cantilevers::sheet(poisson)).unwrap();
    let mut d = Data::new(&m).unwrap();
    forward(&m, &mut d).unwrap();
    let rest = d.flexes.vert_xpos.clone();
    let half = 0.5f64.sqrt();
    for (axis, factor) in [([1.0, 0.0], 1.0), ([0.0, 1.0], 1.0), ([half, -half], 1.0), ([half, half], 3.0)] {
        cantilevers::roll(&rest, axis, curvature, &mut d.state.qpos);
        forward(&m, &mut d).unwrap();
        let found = elastic_energy(&m, &d.state, &d.flexes) / cantilevers::plate_energy(poisson, curvature);
        // Edges of the boundary are no hinges: strips of half a square are flat.
        assert!((found / factor - 1.0).abs() < 2.0 / cantilevers::SHEET as f64, "{axis:?}: {found}");
    }
}

/// With n edges a rod sinks by n (n + 1) (2n + 1)/6 terms of a sum where a beam has (n + 1/2)³/3.
#[test]
fn rods_bend_as_beams() {
    for n in [2, 8] {
        let found = deflection(&cantilevers::rod(n, Section::Circle(cantilevers::RADIUS), r#"poisson="0.25""#));
        let x = n as f64;
        let expected = x * (x + 1.0) * (2.0 * x + 1.0) / 2.0 / (x + 0.5).powi(3);
        assert!((found / expected - 1.0).abs() < 1e-6, "{n}: {found} {expected}");
    }
    let [weak, strong] =
        [(0.02, 0.005), (0.005, 0.02)].map(|(a, b)| deflection(&cantilevers::rod(8, Section::Box(a, b), "")));
    assert!((weak - 1.0).abs() < 0.01 && (strong - 1.0).abs() < 0.01, "{weak} {strong}");
}

/// The end of a rod under a torque turns by T L/(G J) from the middle of the first edge to that of the last.
#[test]
fn rods_twist_as_shafts() {
    let edges = 6;
    let circle = PI * cantilevers::RADIUS.powi(4) / 2.0;
    let of_poisson = YOUNG / 2.6;
    let cases = [
        (Section::Circle(cantilevers::RADIUS), r#"poisson="0.3""#, of_poisson * circle, 1e-6),
        (Section::Circle(cantilevers::RADIUS), r#"shear="3e5""#, 3e5 * circle, 1e-6),
        // The constant of boxes is an approximation.
        (Section::Box(0.01, 0.01), r#"poisson="0.3""#, of_poisson * cantilevers::torsional_constant(0.01, 0.01), 0.003),
        (Section::Box(0.03, 0.01), r#"poisson="0.3""#, of_poisson * cantilevers::torsional_constant(0.03, 0.01), 0.003),
    ];
    for (section, elasticity, rigidity, tolerance) in cases {
        let c = cantilevers::rod(edges, section, elasticity);
        let m = load_str(&c.xml).unwrap();
        let mut d = Data::new(&m).unwrap();
        let length = LENGTH * (edges as f64) / (edges as f64 + 0.5);
        let mut load = vec![0.0; m.nv()];
        load[m.nv() - 1] = 0.1 * rigidity / length;
        let angle = balanced(&m, &mut d, c.band, &load)[m.nv() - 1];
        assert!((angle / 0.1 - 1.0).abs() < tolerance, "{section:?} {elasticity}: {angle}");
    }
}

/// Energies of a state: of gravity, of motion, of the elements and hinges.
fn energies(m: &Model, d: &mut Data) -> [f64; 3] {
    forward(m, d).unwrap();
    [d.energy[0], d.energy[1], elastic_energy(m, &d.state, &d.flexes)]
}

/// In the first tenth of the recorded time the parts of the energy are the reference's, and their sum strays no farther.
#[test]
fn energy_drifts_no_more_than_the_references() {
    let recorded = Recorded::read("deformables");
    for (name, xml) in falling::SCENES {
        for integrator in falling::INTEGRATORS {
            let mut m = load_str(xml).unwrap();
            m.opt.set("integrator", integrator).unwrap();
            let mut d = Data::new(&m).unwrap();
            let theirs = recorded.of(&format!("{name}:{integrator}")).as_chunks::<3>().0;
            let most = theirs.iter().fold(0.0f64, |most, e| most.max(e[1]));
            let [mut drift, mut theirs_drift] = [0.0f64; 2];
            for record in &theirs[..=falling::RECORDS / 10] {
                let ours = energies(&m, &mut d);
                for (ours, theirs) in ours.iter().zip(record) {
                    assert!((ours - theirs).abs() < 1e-6 * most, "{name} {integrator}: {ours} {theirs}");
                }
                drift = drift.max(ours.iter().sum::<f64>().abs());
                theirs_drift = theirs_drift.max(record.iter().sum::<f64>().abs());
                (0..falling::STEPS).for_each(|_| step(&m, &mut d).unwrap());
            }
            assert!(drift < theirs_drift + 1e-6 * most, "{name} {integrator}: {drift} {theirs_drift}");
        }
    }
}
