//! A torque-free body keeps its angular momentum while its angular velocity wanders.

use mj_math::{DMat3, DQuat, DVec3, quat};

fn main() {
    let moments = DVec3::new(3.0, 2.0, 1.0);
    let mut q = DQuat::IDENTITY;
    let mut w = DVec3::new(0.01, 2.0, 0.01); // about the unstable middle axis, in the body's frame
    let momentum = |q: DQuat, w: DVec3| quat::rotate(q, DMat3::from_diagonal(moments) * w);
    let start = momentum(q, w);
    let h = 1e-4;
    for step in 0..=100_000 {
        if step % 20_000 == 0 {
            let l = momentum(q, w);
            println!("t = {:4.1} s   w = {w:8.4}   |L − L₀| = {:.1e}", step as f64 * h, (l - start).length());
        }
        // Midpoint rule on Euler's equations I·ẇ = (I·w) × w.
        let rate = |w: DVec3| (moments * w).cross(w) / moments;
        let mid = w + rate(w) * (0.5 * h);
        q = quat::integrate(q, mid, h);
        w += rate(mid) * h;
    }
}
