//! Figure 2 of 2014: impulses of dry friction and of a contact on a mechanism with one joint, forward and inverse.

use crate::plot::{Curve, draw};
use crate::random::Random;
use crate::text::{Error, table};
use mj_engine::{Model, State, load_str};
use mj_impulse::{Options, Pipeline};
use std::path::Path;

/// Steps of 10 ms.
const STEPS: usize = 200;

/// A lever whose tip strikes the ground, with dry friction in its joint.
fn scene() -> Result<Model, Error> {
    Ok(load_str(
        "<mujoco><option timestep='0.01' cone='elliptic'/><worldbody><geom type='plane' size='1 1 1'/>\
         <body pos='0 0 0.2'><joint axis='0 1 0' frictionloss='0.4' armature='0.01'/>\
         <geom type='capsule' fromto='0 0 0 0.4 0 0' size='0.02' mass='0.5' contype='0' conaffinity='0'/>\
         <geom pos='0.4 0 0' size='0.04' mass='0.2' condim='3' friction='0.8 0 0'/></body></worldbody></mujoco>",
    )?)
}

/// Impulses of one row over the steps, by the forward and by the inverse computation.
#[derive(Default)]
struct Row {
    forward: Vec<(f64, f64)>,
    inverse: Vec<(f64, f64)>,
}

impl Row {
    fn push(&mut self, t: f64, forward: f64, inverse: f64) {
        self.forward.push((t, forward));
        self.inverse.push((t, inverse));
    }

    /// Greatest difference.
    fn apart(&self) -> f64 {
        self.forward.iter().zip(&self.inverse).fold(0.0, |a, (f, i)| a.max((f.1 - i.1).abs()))
    }

    fn greatest(&self) -> f64 {
        self.forward.iter().fold(0.0, |a, p| a.max(p.1.abs()))
    }
}

/// Dry friction and contact normal while random torques perturb the joint; the greatest error of the recovered
/// torque.
fn perturb(epsilon: f64, sweeps: u32) -> Result<(Row, Row, f64), Error> {
    let m = scene()?;
    let options = Options { epsilon, iterations: sweeps, tolerance: 0.0, ..Options::default() };
    let mut p = Pipeline::new(&m, options)?;
    let mut back = p.clone();
    let mut s = State::new(&m);
    let mut random = Random(3);
    let (mut friction, mut contact, mut worst) = (Row::default(), Row::default(), 0.0f64);
    for k in 0..STEPS {
        if k % 5 == 0 {
            s.qfrc_applied[0] = 5.0 * random.next();
        }
        p.forward(&m, &s);
        back.inverse(&m, &s, &p.solution.qacc)?;
        worst = worst.max((back.qfrc_inverse[0] - s.qfrc_applied[0]).abs());
        let (f, g) = (&p.solution.efc_force, &back.solution.efc_force);
        friction.push(s.time, f[0], g[0]);
        let normal = |f: &[f64]| f.get(1).copied().unwrap_or(0.0);
        contact.push(s.time, normal(f), normal(g));
        p.step(&m, &mut s);
    }
    Ok((friction, contact, worst))
}

/// The table and both curves.
pub fn section(folder: &Path) -> Result<String, Error> {
    let mut rows = Vec::new();
    let mut shown = None;
    for (epsilon, sweeps) in [(0.1, 5), (0.1, 50), (0.1, 100), (0.01, 100), (0.01, 5000)] {
        let (friction, contact, torque) = perturb(epsilon, sweeps)?;
        rows.push(vec![
            epsilon.to_string(),
            sweeps.to_string(),
            format!("{:.1e}", friction.apart()),
            format!("{:.1e}", contact.apart()),
            format!("{torque:.1e}"),
        ]);
        if (epsilon, sweeps) == (0.1, 100) {
            shown = Some((friction, contact));
        }
    }
    let (friction, contact) = shown.ok_or("nothing to draw")?;
    for (file, title, row, low) in [
        ("mechanism-friction.svg", "Impulse of the joint's dry friction", &friction, -1.2),
        ("mechanism-contact.svg", "Normal impulse of the contact", &contact, 0.0),
    ] {
        let size = row.greatest().max(1e-9);
        let curves = [Curve::new("forward", row.forward.clone()), Curve::new("inverse", row.inverse.clone())];
        draw(&folder.join(file), title, ["time, s", "impulse, N s or N m s"], low * size..1.2 * size, &curves)?;
    }
    let head = ["ε", "sweeps", "dry friction apart by, N m s", "contact apart by, N s", "torque apart by, N m"];
    Ok(format!(
        "A lever with dry friction in its joint, whose tip strikes the ground, under random torques up to 5 N m for \
         {STEPS} steps of 10 ms (κ = 20 ms): the greatest difference between the impulses of the forward and of the \
         inverse computation, by the regularization ε and the sweeps of Gauss-Seidel. The paper: within 1e-5, ε and \
         sweeps not told. The harder the contacts (small ε), the more sweeps the forward computation needs. The figures \
         have ε = 0.1 and 100 sweeps; their two curves lie on each other.\n\n{}\n\
         ![Impulse of dry friction](figures/mechanism-friction.svg)\n\n![Normal impulse](figures/mechanism-contact.svg)\n",
        table(&head, rows)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forward_and_inverse_impulses_agree() {
        let (friction, contact, torque) = perturb(0.1, 100).unwrap();
        assert!((friction.greatest() - 0.4 * 0.01).abs() < 1e-9, "{}", friction.greatest());
        assert!(contact.greatest() > 1e-2, "{}", contact.greatest());
        assert!(friction.apart() < 1e-5, "{:e}", friction.apart());
        assert!(contact.apart() < 1e-5, "{:e}", contact.apart());
        assert!(torque < 1e-2, "{torque:e}");
        // They differ where Gauss-Seidel has not converged: the comparison can fail.
        let (friction, contact, _) = perturb(0.1, 1).unwrap();
        assert!(friction.apart().max(contact.apart()) > 1e-5);
    }
}
