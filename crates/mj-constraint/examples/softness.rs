//! Softness of a constraint by its violation: `solimp` gives the impedance, `solref` the stiffness and damping of the
//! reference acceleration.

use mj_constraint::{RowKind, Softness};
use mj_model::Model;

fn main() {
    let model = Model::default();
    // MJCF's defaults: a time constant of 20 ms, critical damping, an impedance of 0.9 to 0.95 over a millimetre.
    let softness = Softness::new(&model, [0.02, 1.0], [0.0; 2], [0.9, 0.95, 0.001, 0.5, 2.0]);
    let (stiffness, damping) = softness.stiffness_damping(RowKind::Positional);
    println!("stiffness {stiffness:.1} 1/s², damping {damping:.1} 1/s");
    println!("violation/mm  impedance  R/A     reference at rest/(m/s²)");
    for i in 0..=6 {
        let violation = 0.0002 * f64::from(i);
        let (d, _) = softness.impedance(-violation);
        // The regularization R is in this proportion to the inverse inertia A of the row.
        println!("{:12.1} {d:10.4} {:7.4} {:10.4}", 1e3 * violation, (1.0 - d) / d, stiffness * d * violation);
    }
}
