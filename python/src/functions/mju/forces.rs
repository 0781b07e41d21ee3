//! Forces of contacts and muscles, and the motion of a spring with a damper.

use crate::args::typed::{OutVector, ensure};
use mj_dynamics::muscle;
use mj_math::{MINVAL, real};
use pyo3::PyResult;

super::functions! {
    /// Writes a contact force as forces along the edges of a friction pyramid, two for each tangential component.
    ///
    /// `force` holds the normal force and the tangential forces and torques. The mean of two edges' sum is an equal
    /// share of the normal force, and their difference times the friction coefficient in `mu` is the tangential force.
    ///
    /// As in the reference, for n numbers in `mu` there are n + 1 in `force` and 2 n in `pyramid`, but n is also the
    /// contact's number of dimensions: the last of `mu` and `force` and the last two of `pyramid` are not used.
    fn mju_encodePyramid(pyramid: OutVector, force: Vec<f64>, mu: Vec<f64>) -> PyResult<()> {
        check_pyramid(pyramid.len(), force.len(), mu.len())?;
        if mu.len() == 1 {
            return pyramid.write([force[0]]);
        }
        let normal = force[0] / (mu.len() as f64 - 1.0);
        let edges = tangential(&mu).iter().zip(&force[1..]).flat_map(|(mu, tangential)| {
            let ratio = tangential / mu;
            let ratio = if normal <= ratio { normal } else { ratio };
            [0.5 * (normal + ratio), 0.5 * (normal - ratio)]
        });
        pyramid.write(edges)
    }

    /// Writes the contact force of forces along the edges of a friction pyramid.
    ///
    /// The normal force is the sum of all edges, a tangential component is the difference of two times its friction
    /// coefficient. The sizes are those of `mju_encodePyramid`.
    fn mju_decodePyramid(force: OutVector, pyramid: Vec<f64>, mu: Vec<f64>) -> PyResult<()> {
        check_pyramid(pyramid.len(), force.len(), mu.len())?;
        if mu.len() == 1 {
            return force.write([pyramid[0]]);
        }
        let mu = tangential(&mu);
        let normal = pyramid[..2 * mu.len()].iter().fold(0.0, |sum, x| sum + x);
        let components = mu.iter().zip(pyramid.chunks_exact(2)).map(|(mu, edges)| (edges[0] - edges[1]) * mu);
        force.write(std::iter::once(normal).chain(components))
    }

    /// Returns the active force of a muscle at unit activation.
    ///
    /// `prm` holds range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax.
    fn mju_muscleGain(len: f64, vel: f64, lengthrange: [f64; 2], acc0: f64, prm: [f64; 9]) -> PyResult<f64> {
        Ok(muscle::gain(len, vel, lengthrange, acc0, prm))
    }

    /// Returns the passive force of a muscle.
    ///
    /// `prm` holds range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax.
    fn mju_muscleBias(len: f64, lengthrange: [f64; 2], acc0: f64, prm: [f64; 9]) -> PyResult<f64> {
        Ok(muscle::bias(len, lengthrange, acc0, prm))
    }

    /// Returns the rate of a muscle's activation.
    ///
    /// `prm` holds the time constants of activation and deactivation (seconds) and the width of the transition between
    /// them.
    fn mju_muscleDynamics(ctrl: f64, act: f64, prm: [f64; 3]) -> PyResult<f64> {
        Ok(muscle::dynamics(ctrl, act, prm))
    }

    /// Returns the position after the time `dt` of a point of unit mass on a spring with a damper, exactly: the
    /// solution of x'' = -Kp x - Kv x' that starts at `pos0` with velocity `vel0`.
    fn mju_springDamper(pos0: f64, vel0: f64, Kp: f64, Kv: f64, dt: f64) -> PyResult<f64> {
        Ok(spring_damper(pos0, vel0, Kp, Kv, dt))
    }
}

/// Solution of x'' + 2 a x' + k x = 0 at time t: e^(-at) (x cos(wt) + (v + a x) sin(wt) / w) with w^2 = k - a^2.
fn spring_damper(x: f64, v: f64, stiffness: f64, damping: f64, t: f64) -> f64 {
    let a = 0.5 * damping;
    let discriminant = a * a - stiffness;
    let w = discriminant.abs().sqrt();
    let slope = v + a * x;
    if w < MINVAL {
        real::exp(-a * t) * (x + slope * t)
    } else if discriminant < 0.0 {
        let (sin, cos) = real::sin_cos(w * t);
        real::exp(-a * t) * (x * cos + slope * (sin / w))
    } else {
        // The slower of two decays, and the part of it that the faster one is.
        let rate = if a > 0.0 { -stiffness / (a + w) } else { w - a };
        let ratio_less_one = (-2.0 * w * t).exp_m1();
        0.5 * real::exp(rate * t) * (x * (2.0 + ratio_less_one) - slope * (ratio_less_one / w))
    }
}

/// The friction coefficients that are used.
fn tangential(mu: &[f64]) -> &[f64] {
    &mu[..mu.len().saturating_sub(1)]
}

fn check_pyramid(pyramid: usize, force: usize, mu: usize) -> PyResult<()> {
    ensure!(pyramid == 2 * mu, "`pyramid` has {pyramid} numbers; it must have two for each of the {mu} of `mu`");
    ensure!(force == mu + 1, "`force` has {force} numbers; it must have one more than the {mu} of `mu`");
    Ok(())
}
