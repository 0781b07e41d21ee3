//! Frames that resize what is in them.

use mj_engine::{Data, Model, load_str, step};
use mj_math::DVec3;
use mj_model::*;
use proptest::prelude::*;

fn model(xml: &str) -> Model {
    load_str(xml).unwrap_or_else(|e| panic!("{e}"))
}

/// A machine of everything that has units, in a frame with some attributes.
fn machine(frame: &str, gravity: f64) -> Model {
    model(&format!(
        r#"<mujoco><compiler angle="radian"/><option timestep="0.002" gravity="0 0 {gravity}"/>
        <asset><mesh name="wedge" vertex="-.1 -.1 0 .1 -.1 0 .1 .1 0 -.1 .1 0 -.1 -.1 .1 -.1 .1 .1"/></asset>
        <worldbody><frame pos=".3 .1 .2" euler="0 0 .4" {frame}>
          <geom type="plane" size="3 3 .1" pos="0 0 -1.2"/>
          <body pos="0 0 .1">
            <joint name="turn" axis="0 1 .2" stiffness="2 .5 .1" damping=".1 .02 .01" frictionloss=".05" armature=".01"
              range="-.5 .6" margin=".1" springref=".1"/>
            <geom name="bar" type="box" size=".05 .04 .3" pos="0 0 -.3"/>
            <geom type="mesh" mesh="wedge" pos=".1 0 -.4" euler=".2 .3 0"/>
            <site name="top" pos=".1 .05 0"/>
            <body pos="0 0 -.6">
              <joint name="slide" type="slide" axis="1 0 1" stiffness="60 20 9" damping="3 1 .5" frictionloss=".2"
                armature=".02" range="-.05 .1" ref=".01" springref=".03" solimplimit=".9 .95 .01" springyield=".02"/>
              <inertial pos=".02 0 -.05" mass=".8" fullinertia=".01 .02 .015 .001 .002 -.001"/>
              <site name="end" pos="0 .1 -.1"/>
            </body>
          </body>
          <body pos="1 0 0"><freejoint/><geom type="capsule" size=".1 .2" friction=".7 .02 .01" condim="6" margin=".01"/></body>
          <body pos="2 0 -1"><freejoint/><geom type="ellipsoid" size=".3 .2 .15" surfacevel=".1 0 0"/></body>
        </frame></worldbody>
        <tendon>
          <spatial name="cord" stiffness="30" damping=".4" springlength=".5" range=".3 .72" margin=".01">
            <site site="top"/><site site="end"/></spatial>
          <fixed name="sum" frictionloss=".1"><joint joint="turn" coef=".3"/><joint joint="slide" coef="2"/></fixed>
        </tendon>
        <equality><tendon tendon1="sum" tendon2="cord" polycoef="-.2 .3 .1 0 0" solimp=".5 .6 .1"/></equality>
        <actuator>
          <motor joint="turn" gear="2"/>
          <position joint="slide" kp="100" dampratio=".6" ctrlrange="-.04 .04"/>
          <velocity tendon="cord" kv="4" forcerange="-1 1"/>
          <intvelocity joint="slide" kp="50" actrange="-.03 .03"/>
          <cylinder tendon="sum" timeconst=".05" area=".02" bias=".1 -.2 -.3"/>
          <muscle tendon="cord" force="15" lengthrange=".3 .8"/>
          <pid joint="slide" kp="20" ki="30" kv="2" imax=".01" slewmax=".5" input="pos vel ff"/>
        </actuator>
        <sensor><framepos objtype="site" objname="end"/><force site="top" cutoff="3"/><torque site="top"/></sensor>
        <keyframe><key qpos=".3 .05 1.1 .2 .3 .9 .1 .2 .3 2 0 -.8 1 0 0 0"
          qvel=".5 .2 .3 .1 0 1 2 3 0 .1 0 0 0 1" act=".01 2 .1 .004 .03"
          ctrl=".2 .02 .1 .05 3 .4 .02 .1 .3" plastic=".03"/></keyframe></mujoco>"#
    ))
}

/// A change of units is none: the machine moves as it did, in gravity of the new units.
#[test]
fn what_is_similar_moves_alike() {
    let (s, mass) = (1.7, 2.3);
    let plain = machine("", -9.81);
    let scaled = machine(&format!("scale='{s}' massscale='{mass}'"), -9.81 * s);
    let (mut a, mut b) = (Data::new(&plain).unwrap(), Data::new(&scaled).unwrap());
    a.state.set_key(&plain, KeyId::new(0));
    b.state.set_key(&scaled, KeyId::new(0));
    let centre = DVec3::new(0.3, 0.1, 0.2);
    for i in 0..400 {
        step(&plain, &mut a).unwrap();
        step(&scaled, &mut b).unwrap();
        let (p, q) = (&a.state.qpos, &b.state.qpos);
        let close = |x: f64, y: f64| (x - y).abs() < 1e-7 * (1.0 + x.abs());
        assert!(close(p[0], q[0]) && close(s * p[1], q[1]), "step {i}: {p:?} {q:?}");
        for at in [2, 9] {
            let (x, y) = (DVec3::from_slice(&p[at..]), DVec3::from_slice(&q[at..]));
            assert!((centre + s * (x - centre) - y).length() < 1e-6, "step {i}: {x} {y}");
            assert!((3..7).all(|k| close(p[at + k], q[at + k])), "step {i}");
        }
        let (f, g) = (&a.sensordata, &b.sensordata);
        assert!((3..6).all(|k| (f[k] * mass * s - g[k]).abs() < 1e-4 * (1.0 + g[k].abs())), "step {i}: {f:?} {g:?}");
    }
    // It was no rest.
    assert!((a.state.qpos[0] - 0.3).abs() > 0.1);
}

/// Frames one in another are as large as the product says, in whatever they stand.
fn nested(outer: f64, inner: f64) -> (Model, Model) {
    let contents = "<body pos='.1 .2 .3' euler='10 20 30'><joint type='slide' axis='1 2 3' range='-1 2' stiffness='4'/>\
        <geom size='.1' pos='.3 0 0' margin='.01'/><body pos='0 .4 0'><joint damping='2'/><geom type='capsule' size='.1 .2'/>\
        </body></body>";
    let one = format!(
        "<frame euler='30 0 60' scale='{outer}'><frame euler='0 50 0' scale='{inner}'>{contents}</frame></frame>"
    );
    let product = outer * inner;
    let other = format!("<frame euler='30 0 60' scale='{product}'><frame euler='0 50 0'>{contents}</frame></frame>");
    let world = |x: String| model(&format!("<mujoco><worldbody>{x}</worldbody></mujoco>"));
    (world(one), world(other))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn scales_of_nested_frames_multiply(outer in 0.2f64..5.0, inner in 0.2f64..5.0) {
        let (a, b) = nested(outer, inner);
        let close = |x: &[f64], y: &[f64]| {
            let size = y.iter().fold(1e-6f64, |m, v| m.max(v.abs()));
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-9 * size)
        };
        let flat = |m: &Model| -> Vec<Vec<f64>> {
            let vectors = |v: &[DVec3]| v.iter().flat_map(|v| v.to_array()).collect();
            vec![
                vectors(m.body.pos.as_slice()), m.body.mass.as_slice().to_vec(), vectors(m.body.inertia.as_slice()),
                vectors(m.geom.pos.as_slice()), vectors(m.geom.size.as_slice()), m.geom.margin.as_slice().to_vec(),
                m.jnt.range.as_slice().concat(), m.jnt.stiffness.as_slice().to_vec(), m.dof.damping.as_slice().to_vec(),
            ]
        };
        for (i, (x, y)) in flat(&a).iter().zip(&flat(&b)).enumerate() {
            prop_assert!(close(x, y), "{}: {:?} {:?}", i, x, y);
        }
    }
}

/// What is stretched along its axes is what it would be if it were drawn so: shapes by their sizes, and inertias that are
/// given by those of the box that has them.
#[test]
fn stretched_shapes_are_those_of_their_new_sizes() {
    let frame = |body: &str| {
        model(&format!(
            "<mujoco><worldbody><frame scale='2 3 4' scaling='geometry'><body>{body}</body></frame></worldbody></mujoco>"
        ))
    };
    let plain = |body: &str| model(&format!("<mujoco><worldbody><body>{body}</body></worldbody></mujoco>"));
    // A unit cube of density 1000 has 1000/6 about every axis.
    let cube = "<geom type='box' size='.5 .5 .5' euler='0 0 90'/>";
    let given = format!("<inertial pos='0 0 0' mass='1000' diaginertia='{0} {0} {0}' euler='10 20 30'/>", 1000.0 / 6.0);
    let want = plain("<geom type='box' size='1 1.5 2'/>");
    for m in [frame(cube), frame(&given)] {
        // Which axis is first is for the form in which the mass is given.
        let sorted = |m: &Model| {
            let mut moments = m.body.inertia.as_slice()[1].to_array();
            moments.sort_by(f64::total_cmp);
            DVec3::from_array(moments)
        };
        assert!((sorted(&m) - sorted(&want)).length() < 1e-5, "{} {}", sorted(&m), sorted(&want));
        assert!((m.body.mass.as_slice()[1] - 24_000.0).abs() < 1e-8);
    }
}

/// A saved model keeps the scale of its frames, and inertias that are written out fit it.
#[test]
fn saved_frames_keep_their_scale() {
    for scale in ["2", "1 1.5 2"] {
        let text = format!(
            "<mujoco><compiler saveinertial='true'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>\
             <geom type='mesh' mesh='m'/><frame scale='{scale}' scaling='geometry' massscale='3'><body euler='0 0 90'>\
             <geom type='mesh' mesh='m' euler='10 20 30'/><geom type='box' size='.1 .2 .3'/></body></frame></worldbody></mujoco>"
        );
        let mut files = mj_mjcf::Memory::new();
        files.insert("model.xml", text);
        let load = |files: &mj_mjcf::Memory, name: &str| {
            mj_engine::load_with(std::path::Path::new(name), files).unwrap_or_else(|e| panic!("{e}"))
        };
        let first = load(&files, "model.xml");
        let names: Vec<String> = first.model.names.all(ObjType::Mesh).to_vec();
        assert_eq!(names, ["m", "m@1"]);
        let saved = mj_mjcf::write(&mj_compile::to_save(&first.spec.unwrap()).unwrap());
        assert!(saved.contains(&format!("scale=\"{scale}\"")) && saved.contains("<inertial"), "{saved}");
        files.insert("saved.xml", saved);
        let again = load(&files, "saved.xml").model;
        for (a, b) in again.body.mass.iter().zip(first.model.body.mass.iter()) {
            assert!((a - b).abs() <= 1e-12 * b, "{a} {b}");
        }
        for (a, b) in again.body.inertia.iter().zip(first.model.body.inertia.iter()) {
            assert!((*a - *b).length() <= 1e-9 * b.length(), "{a} {b}");
        }
    }
}
