//! The force of one frictional contact as it is dragged sideways: first it sticks, then it slides on
//! the surface of the friction cone.

use mj_math::BlockRows;
use mj_problem::{ConeRows, ConstraintState, RowView};

fn main() {
    let friction = 0.8;
    let (d, r) = ([100.0; 3], [0.01; 3]);
    let cones = [ConeRows { row: 0, dim: 3, contact: 0, mu: friction, friction: [friction; 5] }];
    let jac = BlockRows::default();
    let rows =
        RowView { jac: &jac, ne: 0, nf: 0, d: &d, r: &r, aref: &[0.0; 3], frictionloss: &[0.0; 3], cones: &cones };

    println!("drag   normal  friction  ratio  zone");
    for i in 0..=8 {
        // Pressed by 0.1 m/s² more than the reference, dragged by more and more.
        let drag = 0.025 * f64::from(i);
        let (mut force, mut state) = ([0.0; 3], [ConstraintState::Satisfied; 3]);
        rows.evaluate(&[-0.1, drag, 0.0], &mut force, &mut state);
        println!("{drag:.3} {:8.3} {:9.3} {:6.3}  {}", force[0], force[1], -force[1] / force[0], state[0].keyword());
    }
}
