//! Derivatives of the forces of a fluid.

use super::{by_position, results};
use mj_dynamics::*;
use mj_math::DVec3;
use mj_model::model::*;
use mj_model::*;
use mj_testkit::any_model;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// The fluid's forces by position, and the parts of their slope along any velocity by position and by velocity.
    #[test]
    fn fluid_forces_and_slopes((mut m, mut s) in any_model(), x in prop::collection::vec(-3.0..3.0f64, 60)) {
        prop_assume!(m.nv() <= 60);
        (m.opt.density, m.opt.viscosity, m.opt.wind) = (1.2, 0.3, DVec3::new(0.5, 0.1, -0.2));
        for b in m.body.ids().skip(1).filter(|b| b.index() % 2 == 0) {
            let fluid = [1.0, 0.5, 0.25, 1.5, 1.0, 1.0, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3];
            let row = GeomRow { r#type: GeomType::Ellipsoid, bodyid: b, size: DVec3::new(0.1, 0.2, 0.15), fluid, ..Default::default() };
            let g = m.geom.push(row);
            (m.body.geomadr.edit()[b], m.body.geomnum.edit()[b]) = (Some(g), 1);
        }
        s.awake.wake_all(&m);
        let (nv, x) = (m.nv(), &x[..m.nv()]);
        let at = |s: &State| {
            let mut d = Dynamics::new(&m);
            d.forward(&m, s);
            d
        };
        let d = at(&s);
        let mut got = FluidDerivative::new(&m);
        let same = |got: &[f64], want: &[Vec<f64>], what: &str| -> Result<(), TestCaseError> {
            let scale = want.iter().flatten().fold(1.0, |a: f64, b| a.max(b.abs()));
            for (k, want) in want.iter().enumerate() {
                for (i, want) in want.iter().enumerate() {
                    let got = got[k * nv + i];
                    prop_assert!((got - want).abs() < 1e-5 * scale, "{what} ({i} by {k}): {got} against {want}");
                }
            }
            Ok(())
        };
        let mut dense = vec![0.0; nv * nv];
        got.by_position(&m, &d.plan.chains, &s, results(&d), |k, i, x| dense[k * nv + i] += x);
        same(&dense, &by_position(&m, &s, |s| at(s).smooth.velocities.qfrc_fluid.clone()), "force")?;

        for part in [FluidPart::All, FluidPart::Drag] {
            let slope = |s: &State| {
                let (d, mut v) = (at(s), VelocityDerivative::new(&m));
                match part {
                    FluidPart::Drag => v.compute_drag(&m, &d.plan.chains, s, results(&d)),
                    _ => v.compute(&m, &d.plan.chains, s, results(&d), BiasOf::None),
                }
                v
            };
            let times_x = |s: &State| {
                let v = slope(s);
                let mut y = vec![0.0; nv];
                v.pattern.mul_unsymmetric(&v.lower, &v.upper, x, &mut y);
                y
            };
            let diagonal = |s: &State| {
                let v = slope(s);
                (0..nv).map(|i| v.lower[v.pattern.diag(i)]).collect::<Vec<_>>()
            };
            let by_velocity = |f: &dyn Fn(&State) -> Vec<f64>| -> Vec<Vec<f64>> {
                (0..nv).map(|k| {
                    let at = |h: f64| {
                        let mut s = s.clone();
                        s.qvel[k] += h;
                        f(&s)
                    };
                    at(1e-5).iter().zip(at(-1e-5)).map(|(a, b)| (a - b) / 2e-5).collect()
                }).collect()
            };
            let mut dense = [vec![0.0; nv * nv], vec![0.0; nv * nv]];
            got.of_slope(&m, &d.plan.chains, &s, results(&d), x, part, |k, i, by| {
                dense.iter_mut().zip(by).for_each(|(out, x)| out[k * nv + i] += x);
            });
            let full = slope(&s).pattern;
            if (0..nv).all(|i| m.m_pattern.row(i).len() == full.row(i).len()) {
                same(&dense[0], &by_position(&m, &s, times_x), "slope by position")?;
                same(&dense[1], &by_velocity(&times_x), "slope by velocity")?;
            }
            dense.iter_mut().for_each(|x| x.fill(0.0));
            got.of_diagonal(&m, &d.plan.chains, &s, results(&d), part, |k, i, by| {
                dense.iter_mut().zip(by).for_each(|(out, x)| out[k * nv + i] += x);
            });
            same(&dense[0], &by_position(&m, &s, diagonal), "diagonal by position")?;
            same(&dense[1], &by_velocity(&diagonal), "diagonal by velocity")?;
        }
    }
}
