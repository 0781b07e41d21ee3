//! Projects forces on a friction cone and prints where they land, in two metrics.

use mj_contact_space::project::{cone, coupled_weights};

fn main() {
    let mu = [0.5];
    for (name, r_friction) in [("friction weighs as the normal", 1.0), ("friction weighs four times", 4.0)] {
        let mut weights = [0.0; 1];
        let mu_hat2 = coupled_weights(&mu, 1.0, r_friction, &mut weights);
        println!("{name}:");
        for degrees in (0..=180).step_by(20) {
            let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
            let mut f = [cos, sin];
            cone(&mut f, &mu, mu_hat2);
            let place = if f[0] == 0.0 {
                "apex"
            } else if (f[1] / f[0] - mu[0]).abs() < 1e-9 {
                "boundary"
            } else {
                "inside"
            };
            println!("  force ({cos:6.3}, {sin:6.3}) -> ({:6.3}, {:6.3})  {place}", f[0], f[1]);
        }
    }
}
