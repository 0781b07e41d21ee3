//! Derivatives of the smooth forces by velocity.

use super::results;
use mj_dynamics::*;
use mj_math::DVec3;
use mj_model::model::*;
use mj_model::*;
use mj_testkit::any_model;
use proptest::prelude::*;

/// Column `k` of ∂force/∂velocity by central differences.
fn difference(m: &Model, s: &State, k: usize, force: impl Fn(&Dynamics) -> Vec<f64>) -> Vec<f64> {
    let mut d = Dynamics::new(m);
    let mut at = |h: f64| {
        let mut s = s.clone();
        s.qvel[k] += h;
        d.forward(m, &s);
        force(&d)
    };
    let h = 1e-5;
    at(h).into_iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
}

/// Checks every entry that the pattern holds; returns the greatest magnitude among them.
fn check(m: &Model, s: &State, bias: BiasOf, force: impl Fn(&Dynamics) -> Vec<f64>) -> f64 {
    let mut d = Dynamics::new(m);
    d.forward(m, s);
    let mut got = VelocityDerivative::new(m);
    got.compute(m, &d.plan.chains, s, results(&d), bias);
    let want: Vec<Vec<f64>> = (0..m.nv()).map(|k| difference(m, s, k, &force)).collect();
    let scale = want.iter().flatten().fold(1.0, |a: f64, b| a.max(b.abs()));
    for i in 0..m.nv() {
        for at in got.pattern.row(i) {
            let j = got.pattern.colind[at] as usize;
            assert!(
                (got.lower[at] - want[j][i]).abs() < 1e-6 * scale,
                "({i}, {j}): {} against {}",
                got.lower[at],
                want[j][i]
            );
            if j != i {
                assert!(
                    (got.upper[at] - want[i][j]).abs() < 1e-6 * scale,
                    "({j}, {i}): {} against {}",
                    got.upper[at],
                    want[i][j]
                );
            }
        }
    }
    scale
}

/// Passive and actuator forces.
fn applied(d: &Dynamics) -> Vec<f64> {
    d.smooth.velocities.qfrc_passive.iter().zip(&d.smooth.actuation.qfrc_actuator).map(|(p, a)| p + a).collect()
}

/// Everything: without external forces that is what accelerates.
fn smooth(d: &Dynamics) -> Vec<f64> {
    d.smooth.actuation.qfrc_smooth.clone()
}

/// Actuators on the tendon of the model: a damper, one with an affine gain, a muscle.
fn add_actuators(m: &mut Model) {
    let kinds = [
        (GainType::Fixed, BiasType::Affine, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        (GainType::Affine, BiasType::None, [1.0, 0.3, -0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        (GainType::Muscle, BiasType::Muscle, [0.75, 1.05, 3.0, 200.0, 0.5, 1.6, 8.0, 1.3, 1.2, 0.0]),
    ];
    for (k, (gaintype, biastype, gainprm)) in kinds.into_iter().enumerate() {
        let mut biasprm = gainprm;
        if biastype == BiasType::Affine {
            biasprm[..3].copy_from_slice(&[0.1, -2.0, -0.7]);
        }
        m.actuator.push(ActuatorRow {
            gaintype,
            biastype,
            gainprm,
            biasprm,
            trntype: TrnType::Tendon,
            trnid: [0, -1],
            ctrlnum: 1,
            outnum: 1,
            ctrladr: k as u32,
            outadr: k as u32,
            actadr: -1,
            ..Default::default()
        });
        m.control.push(ControlRow::default());
        m.output.push(OutputRow {
            gear: [1.5, 0.0, 0.0, 0.0, 0.0, 0.0],
            lengthrange: [0.5, 4.0],
            ..Default::default()
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn bias_force((m, s) in any_model()) {
        check(&m, &s, BiasOf::All, smooth);
    }

    #[test]
    fn dampers((mut m, s) in any_model(), b in 0.1..2.0f64) {
        for d in m.dof.ids() {
            (m.dof.damping[d], m.dof.dampingpoly[d]) = (b, [0.5, 0.2 * b]);
        }
        let t = TendonId::new(0);
        (m.tendon.damping[t], m.tendon.dampingpoly[t]) = (2.0 * b, [0.3, 0.1]);
        check(&m, &s, BiasOf::None, applied);
        m.opt.disableflags = disable::DAMPER;
        check(&m, &s, BiasOf::None, applied);
    }

    #[test]
    fn actuators((mut m, mut s) in any_model(), u in 0.1..1.0f64) {
        add_actuators(&mut m);
        s.ctrl = vec![u; 3];
        check(&m, &s, BiasOf::None, applied);
        m.opt.disableactuator = 1;
        prop_assert_eq!(check(&m, &s, BiasOf::None, applied), 1.0);
    }

    /// Fluid of both kinds, everything else besides.
    #[test]
    fn fluid((mut m, mut s) in any_model(), p in prop::collection::vec(0.1..1.0f64, 11)) {
        for b in m.body.ids().skip(1) {
            if b.index() % 2 == 0 {
                let mut fluid = [1.0; 12];
                fluid[1..].copy_from_slice(&p);
                let g = m.geom.push(GeomRow {
                    r#type: GeomType::Ellipsoid,
                    bodyid: b,
                    size: DVec3::new(0.1, 0.2, 0.15),
                    pos: DVec3::new(0.1, 0.0, -0.2),
                    quat: mj_math::quat::exp(DVec3::new(p[0], p[1], p[2])),
                    fluid,
                    ..Default::default()
                });
                (m.body.geomadr.edit()[b], m.body.geomnum.edit()[b]) = (Some(g), 1);
            }
        }
        (m.opt.density, m.opt.viscosity, m.opt.wind) = (1.2, 0.3, DVec3::new(0.5, 0.1, -0.2));
        add_actuators(&mut m);
        s.ctrl = vec![0.4; 3];
        check(&m, &s, BiasOf::All, smooth);
    }

    /// For free bodies that carry nothing, the part is the whole.
    #[test]
    fn free_bodies((m, s) in any_model()) {
        let mut d = Dynamics::new(&m);
        d.forward(&m, &s);
        let (mut all, mut free) = (VelocityDerivative::new(&m), VelocityDerivative::new(&m));
        all.compute(&m, &d.plan.chains, &s, results(&d), BiasOf::All);
        free.compute(&m, &d.plan.chains, &s, results(&d), BiasOf::FreeBodies);
        for i in 0..m.nv() {
            let is_free = free.free.iter().any(|f| (f.index()..f.index() + 6).contains(&i));
            for at in all.pattern.row(i) {
                let want = if is_free { [all.lower[at], all.upper[at]] } else { [0.0; 2] };
                prop_assert!((free.lower[at] - want[0]).abs() < 1e-12 && (free.upper[at] - want[1]).abs() < 1e-12);
            }
        }
    }
}

/// A servo at its force limit no longer damps, nor one at its joint's.
#[test]
fn saturated_actuators_do_not_damp() {
    let mut m = mj_testkit::pendulum(1.0, 1.0);
    let mut biasprm = [0.0; 10];
    biasprm[2] = -2.0;
    m.actuator.push(ActuatorRow {
        biastype: BiasType::Affine,
        biasprm,
        trntype: TrnType::Joint,
        trnid: [0, -1],
        ctrlnum: 1,
        outnum: 1,
        actadr: -1,
        ..Default::default()
    });
    m.control.push(ControlRow::default());
    m.output.push(OutputRow { gear: [3.0, 0.0, 0.0, 0.0, 0.0, 0.0], ..Default::default() });
    let slope = |m: &Model| {
        let mut s = State::new(m);
        integrate_pos(m, &mut s.qpos, &[1.0], 0.1);
        s.qvel[0] = 0.5;
        let (mut d, mut v) = (Dynamics::new(m), VelocityDerivative::new(m));
        d.forward(m, &s);
        v.compute(m, &d.plan.chains, &s, results(&d), BiasOf::None);
        v.lower[0]
    };
    assert_eq!(slope(&m), -18.0);
    let (a, j) = (ActuatorId::new(0), JointId::new(0));
    (m.actuator.forcelimited[a], m.actuator.forcerange[a]) = (true, [-2.9, 2.9]);
    assert_eq!(slope(&m), 0.0);
    m.actuator.forcelimited[a] = false;
    (m.jnt.actfrclimited[j], m.jnt.actfrcrange[j]) = (true, [-8.9, 8.9]);
    assert_eq!(slope(&m), 0.0);
}
