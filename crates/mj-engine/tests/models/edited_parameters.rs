//! Parameters edited between two steps: the next step is that of a simulation made from the model so edited, whatever
//! the plans, caches and work space of the one that runs.

use crate::edited::{assert_alike, running, started};
use mj_engine::model::{Class, IntegratorType, WrapType};
use mj_engine::{Model, set_const, step};
use std::collections::{BTreeMap, BTreeSet};

/// Models that between them have every kind of element, none of which sleeps.
const MODELS: [&str; 12] = [
    "arm_gripper",
    "crane",
    "drivetrain",
    "four_bar",
    "lamp",
    "muscle_arm",
    "rolling",
    "scaled",
    "sled",
    "swimmer",
    "tendon_finger",
    "workcell",
];

/// Fields of real numbers that no model above has.
const NOWHERE: [&str; 0] = [];

/// A new number for an old one.
type Change = fn(f64) -> f64;

/// What is done to all numbers of a field.
const EDITS: [(&str, Change); 3] =
    [("scaled", |x| x * 1.07), ("from zero", |x| if x == 0.0 { 0.03 } else { x }), ("to zero", |_| 0.0)];

/// Real fields of a model that has rows of them, by name.
fn real_fields(m: &Model) -> BTreeMap<String, Class> {
    let mut fields = BTreeMap::new();
    m.clone().edit(&mut |p| {
        if p.real && !p.numbers.is_empty() {
            fields.insert(p.name.to_string(), p.class);
        }
    });
    fields
}

/// A copy of a model with one field edited; none if that changes nothing.
fn edited(m: &Model, field: &str, change: Change) -> Option<Model> {
    let mut copy = m.clone();
    let mut differs = false;
    copy.edit(&mut |p| {
        if p.name == field {
            for x in p.numbers.iter_mut() {
                let new = change(*x);
                differs |= new != *x;
                *x = new;
            }
        }
    });
    differs.then_some(copy)
}

/// Every real field of a model, edited in each way, with `set_const` and without.
fn check_fields(name: &str, integrator: Option<IntegratorType>) {
    let (mut m, _) = started(name);
    m.opt.integrator = integrator.unwrap_or(m.opt.integrator);
    let d = running(&m);
    for (field, class) in real_fields(&m) {
        for (how, change) in EDITS {
            let Some(mut new) = edited(&m, &field, change) else { continue };
            assert_alike(&new, &d, &format!("{name}: {field} {how}"));
            // What a simulation derives must not outlast the constants either.
            if class != Class::Derived && set_const(&mut new).is_ok() {
                assert_alike(&new, &d, &format!("{name}: {field} {how}, with set_const"));
            }
        }
    }
}

#[test]
fn the_next_step_uses_every_real_parameter() {
    for name in MODELS {
        check_fields(name, None);
    }
}

#[test]
fn the_next_step_uses_every_real_parameter_with_any_integrator() {
    for integrator in
        [IntegratorType::Rk4, IntegratorType::Implicit, IntegratorType::ImplicitFast, IntegratorType::Discrete]
    {
        for name in ["lamp", "muscle_arm", "tendon_finger", "sled", "swimmer"] {
            check_fields(name, Some(integrator));
        }
    }
}

/// What is derived from a structure once doesn't depend on parameters. Which paths of tendons go within their geoms only
/// decides which are computed together.
#[test]
fn plans_hold_no_parameter() {
    for name in MODELS {
        let (m, _) = started(name);
        let plan = mj_dynamics::Plan::new(&m);
        for field in real_fields(&m).into_keys() {
            if m.tendon.is_empty() || !["site_pos", "geom_pos", "geom_size", "wrap_prm"].contains(&field.as_str()) {
                for (how, change) in EDITS {
                    let new = edited(&m, &field, change);
                    assert!(new.is_none_or(|new| mj_dynamics::Plan::new(&new) == plan), "{name}: {field} {how}");
                }
            }
        }
    }
}

/// A muscle that lies on its pulley goes round the other side if another site says so.
#[test]
fn the_next_step_uses_the_side_of_a_geom() {
    let (m, mut d) = started("muscle_arm");
    d.state.qpos.copy_from_slice(&[-2.0, 1.0]);
    let mut lengths = std::collections::BTreeSet::new();
    for side in -1..m.site.len() as i32 {
        let mut new = m.clone();
        for w in m.wrap.ids().filter(|&w| matches!(m.wrap.r#type[w], WrapType::Sphere | WrapType::Cylinder)) {
            new.wrap.prm[w] = side.into();
        }
        assert_alike(&new, &d, &format!("side {side}"));
        let mut goes_on = d.clone();
        step(&new, &mut goes_on).unwrap();
        lengths.extend(goes_on.smooth.transmissions.ten_length.iter().map(|x| x.to_bits()));
    }
    assert!(lengths.len() > m.tendon.len(), "no side matters");
}

/// The models have every field of real numbers.
#[test]
fn all_real_parameters_are_edited() {
    let mut all = BTreeSet::new();
    let mut count = |prefix: &str, fields: &[mj_engine::model::FieldInfo]| {
        let real = |f: &&mj_engine::model::FieldInfo| {
            f.class != Class::Structure && ["f64", "f32", "DVec3", "DQuat", "DMat3"].iter().any(|t| f.ty.contains(t))
        };
        all.extend(fields.iter().filter(real).map(|f| format!("{prefix}_{}", f.name)));
    };
    macro_rules! count {
        ($($table:ident),*) => {$({
            use mj_engine::model::model::$table;
            count($table::PREFIX, $table::FIELDS);
        })*};
    }
    count!(
        BodyTable,
        JointTable,
        DofTable,
        TreeTable,
        GeomTable,
        SiteTable,
        CameraTable,
        LightTable,
        MeshTable,
        HfieldTable,
        PairTable,
        ExcludeTable,
        EqualityTable,
        TendonTable,
        WrapTable,
        ActuatorTable,
        ControlTable,
        OutputTable,
        SensorTable
    );
    assert!(all.len() > 100, "{}", all.len());
    for name in MODELS {
        for field in real_fields(&started(name).0).into_keys() {
            all.remove(&field);
        }
    }
    assert_eq!(all.iter().map(String::as_str).collect::<Vec<_>>(), NOWHERE);
}
