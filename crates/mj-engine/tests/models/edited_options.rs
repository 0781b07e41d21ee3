//! Options edited between two steps, and one simulation stepped with several models of one structure.

use crate::edited::{assert_alike, running, started};
use mj_engine::model::Options;
use mj_engine::{Data, Model, set_const, step};

/// Values that options are changed to, and back from.
const VALUES: [(&str, &[&str]); 29] = [
    ("timestep", &["0.001", "0.004"]),
    ("impratio", &["3"]),
    ("tolerance", &["1e-3", "0"]),
    ("ls_tolerance", &["0.1", "0"]),
    ("noslip_tolerance", &["0.1", "0"]),
    ("ccd_tolerance", &["1e-3"]),
    ("sleep_tolerance", &["0", "1"]),
    ("gravity", &["0 0 0", "1 2 -3"]),
    ("wind", &["0 0 0", "1 2 3"]),
    ("magnetic", &["0 0 0", "1 0 0"]),
    ("density", &["0", "1000"]),
    ("viscosity", &["0", "0.3"]),
    ("o_margin", &["0.01"]),
    ("o_solref", &["0.05 1"]),
    ("o_solimp", &["0.5 0.6 0.001 0.5 2"]),
    ("o_friction", &["0.1 0.1 0 0 0"]),
    ("integrator", &["0", "1", "2", "3", "4"]),
    ("cone", &["0", "1"]),
    ("jacobian", &["0", "1", "2"]),
    ("solver", &["0", "1", "2"]),
    ("iterations", &["1", "0"]),
    ("ls_iterations", &["1", "0"]),
    ("noslip_iterations", &["3", "0"]),
    ("ccd_iterations", &["2"]),
    ("disableflags", &[]),
    ("enableflags", &["1", "2", "4", "8"]),
    ("disableactuator", &["1", "3"]),
    ("sdf_initpoints", &["3"]),
    ("sdf_iterations", &["1"]),
];

#[test]
fn the_next_step_uses_every_option() {
    let names: Vec<&str> = VALUES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, Options::NAMES);
    let flags: Vec<String> = (0..20).map(|bit| (1u32 << bit).to_string()).collect();
    for name in ["arm_gripper", "drivetrain", "muscle_arm", "rolling", "scaled", "sled", "swimmer"] {
        let (m, d) = started(name);
        for (option, values) in VALUES {
            let flags = flags.iter().map(String::as_str).filter(|_| option == "disableflags");
            for value in values.iter().copied().chain(flags) {
                let mut new = m.clone();
                new.opt.set(option, value).unwrap();
                if Data::new(&new).is_err() {
                    continue;
                }
                assert_alike(&new, &d, &format!("{name}: {option} is {value}"));
                assert_alike(&m, &running(&new), &format!("{name}: {option} was {value}"));
            }
        }
    }
}

/// A variation of a model with other masses.
fn variation(m: &Model, factor: f64) -> Model {
    let mut copy = m.clone();
    copy.edit(&mut |p| {
        if ["body_mass", "body_inertia"].contains(&p.name) {
            p.numbers.iter_mut().for_each(|x| *x *= factor);
        }
    });
    set_const(&mut copy).unwrap();
    copy
}

#[test]
fn one_simulation_goes_through_many_variations() {
    for name in ["humanoid", "scaled", "workcell", "drivetrain"] {
        let (m, mut d) = started(name);
        let variations: Vec<Model> = (0..4).map(|k| variation(&m, 0.7 + 0.2 * f64::from(k))).collect();
        for k in 0..12 {
            let v = &variations[k * 7 % 4];
            assert_alike(v, &d, &format!("{name}: step {k}"));
            step(v, &mut d).unwrap();
        }
    }
}

#[test]
fn variations_share_structure_and_meshes_and_nothing_else() {
    let (m, d) = started("scaled");
    let before = m.clone();
    let mut copy = variation(&m, 2.0);
    copy.edit(&mut |p| {
        if p.name == "geom_size" {
            p.numbers.iter_mut().for_each(|x| *x *= 1.5);
        }
    });
    set_const(&mut copy).unwrap();
    assert!(m == before && copy != m);
    assert!(copy.mesh_data.is_same(&m.mesh_data) && copy.hfield_data.is_same(&m.hfield_data));
    assert!(copy.m_pattern.is_same(&m.m_pattern) && copy.body.parentid.is_same(&m.body.parentid));
    assert_eq!(copy.structure.signature(), m.structure.signature());
    assert_eq!(copy.structure_signature(), m.structure.signature());
    assert_ne!(started("sled").0.structure.signature(), m.structure.signature());
    assert_alike(&copy, &d, "scaled");

    copy.edit(&mut |p| {
        if p.name == "hfield_data" {
            p.numbers.iter_mut().for_each(|x| *x *= 0.5);
        }
    });
    assert!(!copy.hfield_data.is_same(&m.hfield_data) && m == before);
}
