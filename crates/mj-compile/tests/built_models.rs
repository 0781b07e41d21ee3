//! The builder of `mj_model` and the compiler make equal models.

use mj_math::{DQuat, DVec3, quat};
use mj_model::build::{JointDef, ModelBuilder};
use mj_model::model::{BodyRow, DofRow, JointRow, SiteRow};
use mj_model::spec::{Body, Inertial, Joint, Orientation, RGBA, SOLIMP, SOLREF, Site};
use mj_model::{BodyId, GeomType, JointType, Model, Names, Spec};
use proptest::prelude::*;

/// A body of a random tree: how far above the last body its parent is, its joints, numbers for its fields.
type Made = (usize, Vec<JointType>, Vec<f64>);

fn made() -> impl Strategy<Value = Made> {
    let kinds = prop_oneof![
        Just(vec![]),
        Just(vec![JointType::Free]),
        Just(vec![JointType::Ball]),
        Just(vec![JointType::Hinge]),
        Just(vec![JointType::Slide; 2]),
        Just(vec![JointType::Slide, JointType::Hinge, JointType::Hinge]),
        Just(vec![JointType::Hinge, JointType::Ball]),
    ];
    // Zeros and ones make simple inertias and coinciding frames.
    let number = prop_oneof![Just(0.0), Just(1.0), -1.0..1.0f64];
    (0..5usize, kinds, prop::collection::vec(number, 24))
}

fn vec3(x: &[f64]) -> DVec3 {
    DVec3::from_slice(&x[..3])
}

fn rotation(x: &[f64]) -> DQuat {
    quat::exp(vec3(x))
}

/// A joint as an element of the spec, and for the builder.
fn joint(kind: JointType, x: &[f64]) -> (Joint, JointDef) {
    let axis = if vec3(x).length() < 0.1 { DVec3::Y } else { vec3(x) };
    let (pos, reference, spring) = (vec3(&x[2..]), x[1], x[4]);
    let springyield = if kind == JointType::Free { 0.0 } else { x[3].abs() };
    let element = Joint {
        r#type: kind,
        pos,
        axis,
        armature: 0.2,
        damping: [0.3, 0.0, 0.0],
        stiffness: [2.0, 0.0, 0.0],
        r#ref: reference,
        springref: spring,
        springyield,
        ..Default::default()
    };
    let (solref, solimp) = (SOLREF, SOLIMP);
    let dof = DofRow { armature: 0.2, damping: 0.3, solref, solimp, ..Default::default() };
    let joint = JointRow { r#type: kind, pos, axis, stiffness: 2.0, springyield, solref, solimp, ..Default::default() };
    (element, JointDef { joint, dof, reference, spring })
}

/// A tree made by the builder, and its spec.
fn both(list: &[Made]) -> (Model, Spec) {
    let mut builder = ModelBuilder::new();
    let mut bodies: Vec<(usize, Body)> = vec![(0, Body::default())];
    for (up, kinds, x) in list {
        let above = (0..*up).fold(bodies.len() - 1, |b, _| bodies[b].0);
        let parent = if kinds.contains(&JointType::Free) { 0 } else { above };
        let (joints, defs): (_, Vec<_>) = kinds.iter().enumerate().map(|(i, &kind)| joint(kind, &x[15 + i..])).unzip();
        let row = BodyRow {
            pos: vec3(x),
            quat: rotation(&x[3..]),
            ipos: vec3(&x[6..]),
            iquat: rotation(&x[9..]),
            mass: 1.0 + x[8].abs(),
            inertia: DVec3::new(1.0, 1.2, 1.4) + 0.1 * vec3(&x[12..]),
            ..Default::default()
        };
        let inertial = Inertial {
            pos: row.ipos,
            orientation: Orientation::Quat(row.iquat),
            mass: row.mass,
            diaginertia: Some(row.inertia.to_array()),
            ..Default::default()
        };
        let site = SiteRow {
            pos: vec3(&x[6..]),
            quat: rotation(&x[2..]),
            r#type: GeomType::Sphere,
            size: DVec3::splat(0.005),
            rgba: RGBA,
            ..Default::default()
        };
        let body = Body {
            pos: row.pos,
            orientation: Orientation::Quat(row.quat),
            inertial: Some(inertial),
            joints,
            sites: vec![Site { pos: site.pos, orientation: Orientation::Quat(site.quat), ..Default::default() }],
            ..Default::default()
        };
        let id = builder.add_body(BodyId::new(parent), row, &defs).unwrap();
        assert_eq!(id.index(), bodies.len());
        builder.add_site(id, site).unwrap();
        bodies.push((parent, body));
    }
    // Children into their parents, the last first: they keep their order.
    let mut spec = Spec::default();
    spec.compiler.degree = false;
    while bodies.len() > 1 {
        let (parent, body) = bodies.pop().unwrap();
        bodies[parent].1.bodies.insert(0, body);
    }
    spec.worldbody = bodies.pop().unwrap().1;
    (builder.finish().unwrap(), spec)
}

proptest! {
    /// With the constants at the reference configuration they are equal bit for bit, but for names and statistics, which
    /// the compiler alone has.
    #[test]
    fn built_models_are_compiled_models(list in prop::collection::vec(made(), 0..7)) {
        let (mut built, spec) = both(&list);
        prop_assert_eq!(built.validate(), Ok(()));
        mj_compile::set_const(&mut built).unwrap();
        let (compiled, problems) = mj_compile::compile(&spec);
        prop_assert!(problems.list.is_empty(), "{:?}", problems.list);
        let mut compiled = compiled.unwrap();
        compiled.names = Names::default().into();
        compiled.stat = built.stat;
        prop_assert_eq!(built.structure.signature(), compiled.structure.signature());
        prop_assert_eq!(built, compiled);
    }
}
