//! Edits of masses, static bodies and visual elements, against the settings of the compiler that do likewise.

use mj_compile::edit::{EditError, adopt_inertial, discard_visual, fuse_static, set_total_mass};
use mj_engine::Spec;
use mj_mjcf::Memory;
use mj_model::spec::Body;
use mj_model::{Column, InertiaFromGeom, Model};

const ROBOT: &str = "<mujoco><compiler COMPILER/>
  <default><geom material='shine' rgba='1 0 0 1'/><default class='seen'><geom contype='0' conaffinity='0' group='2'/></default></default>
  <asset><texture name='t' type='2d' builtin='flat' width='4' height='4'/><material name='shine' texture='t'/>
    <mesh name='seen' vertex='0 0 0 .1 0 0 0 .1 0 0 0 .1'/><mesh name='hit' vertex='0 0 0 .2 0 0 0 .1 0 0 0 .1'/></asset>
  <worldbody><geom type='plane' size='1 1 .1' pos='0 0 -3'/>
    <body name='stand' pos='0 0 1' euler='0 0 30'><geom size='.1'/><site name='top' pos='0 0 .2'/>
      <body name='arm' pos='.1 0 0'><joint axis='0 1 0'/><geom type='capsule' size='.05 .2'/>
        <frame pos='0 0 .1' euler='20 0 0'><body name='hand' pos='.3 0 .1' euler='10 20 30'>
          <geom type='box' size='.1 .05 .02' pos='.1 0 0'/><geom class='seen' type='mesh' mesh='seen'/>
          <frame euler='0 0 45'><body name='finger' pos='0 .1 0'><joint axis='1 0 0'/><geom type='mesh' mesh='hit'/></body></frame>
          <body name='tool' pos='.2 0 0'><inertial pos='.01 0 0' mass='.3' diaginertia='.01 .02 .015'/><geom size='.02' pos='0 0 .3'/>
            <camera name='eye' pos='0 0 .1'/></body>
        </body></frame>
        <body name='held' pos='0 0 -.2'><geom size='.03' mass='.4'/></body>
      </body></body>
    <body name='cart'><joint type='slide'/><geom class='seen' size='.1' mass='2'/><geom size='.05'/></body>
  </worldbody>
  <contact><exclude body1='held' body2='arm'/></contact></mujoco>";

fn spec(compiler: &str) -> Spec {
    let (spec, report) = mj_mjcf::read_str(&ROBOT.replace("COMPILER", compiler), &Memory::new());
    spec.unwrap_or_else(|| panic!("{report}"))
}

fn model(spec: &Spec) -> Model {
    let (model, problems) = mj_compile::compile(spec);
    let told: Vec<_> = problems.list.iter().map(|d| d.message.clone()).collect();
    model.unwrap_or_else(|| panic!("{told:?}"))
}

/// Compares all numbers of two models but those that `except` names.
fn assert_close(a: &Model, b: &Model, except: &[&str]) {
    let fields = |m: &Model| {
        let mut all = Vec::new();
        m.visit(&mut |f| all.push((f.name, f.shape, f.data)));
        all.retain(|(name, _, _)| !except.contains(&name.as_str()));
        all
    };
    for ((name, shape, a), (_, other, b)) in fields(a).into_iter().zip(fields(b)) {
        assert_eq!(shape, other, "{name}");
        match (a, b) {
            (Column::F64(a), Column::F64(b)) => {
                let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-10 * (1.0 + a.abs()) || a == b;
                assert!(a.iter().zip(&b).all(close), "{name}: {a:?} {b:?}");
            }
            (a, b) => assert_eq!(format!("{a:?}"), format!("{b:?}"), "{name}"),
        }
    }
}

#[test]
fn fused_specs_compile_to_what_fusestatic_gives() {
    for given in ["", "inertiafromgeom='false'"] {
        let mut fused = spec(given);
        if !given.is_empty() {
            // Every body that moves needs a mass of its own then.
            fused.compiler.inertiafromgeom = InertiaFromGeom::Auto;
            for name in ["stand", "arm", "hand", "finger", "held", "cart"] {
                adopt_inertial(&mut fused, name).unwrap();
            }
            fused.compiler.inertiafromgeom = InertiaFromGeom::False;
        }
        let mut expected = fused.clone();
        expected.compiler.fusestatic = true;
        assert_eq!(fuse_static(&mut fused).unwrap(), 3);
        let left: Vec<&str> =
            ["stand", "hand", "tool", "held"].into_iter().filter(|n| fused.find::<Body>(n).is_some()).collect();
        assert_eq!(left, ["held"]);
        assert_close(&model(&fused), &model(&expected), &[]);
        assert_eq!(fuse_static(&mut fused), Ok(0));
    }
    // The tool has a mass of its own, which would have to be added to what follows from geoms.
    let mut wrong = spec("inertiafromgeom='true'");
    assert_eq!(fuse_static(&mut wrong), Ok(3));
    let mut expected = spec("inertiafromgeom='true' fusestatic='true'");
    assert_close(&model(&wrong), &model(&expected), &[]);
    expected.worldbody.bodies[0]
        .frames
        .push(mj_model::spec::Frame { scale: mj_math::DVec3::splat(2.0), ..Default::default() });
    assert_eq!(fuse_static(&mut expected), Err(EditError::Resizes));
}

#[test]
fn specs_without_visuals_compile_to_what_discardvisual_gives() {
    let mut seen = spec("");
    assert_eq!(discard_visual(&mut seen).unwrap(), 5, "two geoms, a mesh, a texture, a material");
    assert_close(&model(&seen), &model(&spec("discardvisual='true'")), &[]);
    assert!(model(&spec("")).geom.len() > model(&seen).geom.len());
    let mut wrong = spec("inertiafromgeom='true'");
    let before = wrong.clone();
    assert_eq!(discard_visual(&mut wrong), Err(EditError::FromGeoms));
    assert_eq!(mj_mjcf::write(&wrong), mj_mjcf::write(&before));
}

#[test]
fn scaled_specs_compile_to_what_settotalmass_gives() {
    for given in ["", "fusestatic='true'", "boundmass='1'", "settotalmass='3'"] {
        let mut scaled = spec(given);
        let expected = Spec {
            compiler: mj_model::spec::Compiler { settotalmass: 7.0, ..scaled.compiler.clone() },
            ..scaled.clone()
        };
        set_total_mass(&mut scaled, 7.0).unwrap();
        let m = model(&scaled);
        assert!((m.body.mass.iter().sum::<f64>() - 7.0).abs() < 1e-12);
        assert_close(&m, &model(&expected), &[]);
    }
    for total in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(set_total_mass(&mut spec(""), total), Err(EditError::TotalMass(_))));
    }
    assert_eq!(set_total_mass(&mut spec("inertiafromgeom='true'"), 1.0), Err(EditError::FromGeoms));
}

#[test]
fn adopted_inertias_do_not_change_the_model() {
    let mut s = spec("");
    let before = model(&s);
    for name in ["arm", "hand", "tool", "cart"] {
        adopt_inertial(&mut s, name).unwrap();
        assert!(s.find::<Body>(name).unwrap().inertial.is_some());
    }
    assert_close(&model(&s), &before, &[]);
    s.find_mut::<Body>("cart").unwrap().geoms.clear();
    assert_eq!(model(&s).body.mass.as_slice().last(), before.body.mass.as_slice().last());
    assert_eq!(adopt_inertial(&mut s, "nobody").unwrap_err().to_string(), "there is no body `nobody` below the world");
    assert_eq!(adopt_inertial(&mut s, "world"), Err(EditError::NoBody("world".into())));
}
