//! `replicate`, `attach` and URDF: what they make, and what is said where they cannot.

mod common;

use common::{good, read_with};
use mj_math::{DQuat, DVec3};
use mj_model::Spec;
use mj_model::spec::{Body, Orientation};
use mj_model::{EqType, JointType, Tri};

/// Names of the bodies directly in a body.
fn bodies(b: &Body) -> Vec<&str> {
    b.bodies.iter().map(|b| b.name.as_str()).collect()
}

fn sensors(spec: &Spec) -> Vec<&str> {
    spec.sensors.iter().map(|s| s.name.as_str()).collect()
}

fn model(others: &[(&str, &str)], text: &str) -> Spec {
    let (spec, report) = read_with(text, others);
    spec.unwrap_or_else(|| panic!("{report}"))
}

#[test]
fn copies_move_turn_and_count() {
    let spec = good(
        "<mujoco>
           <worldbody>
             <replicate count='2' offset='0 1 0' euler='90 0 0'>
               <replicate count='2' sep='-' offset='1 0 0' euler='0 90 0'><geom name='a' size='.1'/></replicate>
             </replicate>
             <replicate count='10' sep='_'><site name='s'/></replicate>
           </worldbody>
           <sensor><framepos name='p' objtype='geom' objname='a'/></sensor>
         </mujoco>",
    );
    let world = &spec.worldbody;
    let names: Vec<_> = world.geoms.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names, ["a-00", "a-10", "a-01", "a-11"]);
    assert_eq!(sensors(&spec), ["p-00", "p-10", "p-01", "p-11"]);
    assert_eq!(spec.sensors[3].objname, "a-11");
    assert_eq!((world.sites[0].name.as_str(), world.sites[9].name.as_str()), ("s_00", "s_09"));
    // The last is moved and turned by both: 1 1 0, and half a turn about the diagonal of space.
    let mut pose = (DVec3::ZERO, DQuat::IDENTITY);
    let mut frame = world.geoms[3].frame;
    while let Some(f) = frame.map(|f| &world.frames[f]) {
        let Orientation::Quat(q) = f.orientation else { panic!("{f:?}") };
        pose = (f.pos + q * pose.0, q * pose.1);
        frame = f.parent;
    }
    assert!((pose.0 - DVec3::new(1.0, 1.0, 0.0)).length() < 1e-12, "{pose:?}");
    assert!((pose.1 - DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5)).length() < 1e-12, "{pose:?}");
}

/// Names within a part that is replicated once more are not compared with those outside: they are not final.
#[test]
fn names_are_compared_when_all_copies_have_theirs() {
    let model = |before: &str| {
        format!(
            "<mujoco><worldbody>{before}
               <replicate count='2'><replicate count='2'><geom name='g' size='.1'/></replicate></replicate></worldbody>
               <sensor><framepos name='s' objtype='geom' objname='g0'/></sensor></mujoco>"
        )
    };
    let spec = good(&model("<geom name='g0' size='.1'/>"));
    let names: Vec<_> = spec.worldbody.geoms.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names, ["g0", "g00", "g10", "g01", "g11"]);
    // The sensor's object is there, and so it stays.
    assert_eq!(sensors(&spec), ["s", "s0", "s1"]);
    assert_eq!(spec.sensors[0].objname, "g0");
    let (none, report) = read_with(&model("<geom name='g11' size='.1'/>"), &[]);
    assert!(none.is_none());
    let told = report.to_string();
    assert!(told.contains("the name `g11` is taken") && told.matches("error").count() == 1, "{told}");
}

#[test]
fn what_refers_to_a_part_is_copied_with_it() {
    let (spec, report) = read_with(
        "<mujoco>
           <worldbody>
             <body name='a'/>
             <replicate count='2'>
               <body name='b'><joint name='j'/><geom name='g' size='1'/><camera target='b'/></body>
             </replicate>
           </worldbody>
           <contact><exclude name='e' body1='a' body2='b'/></contact>
           <tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>
           <equality><connect name='c' body1='a' body2='b' anchor='0 0 0'/></equality>
           <actuator><motor name='m' tendon='t'/></actuator>
           <sensor><clock name='k'/><actuatorpos name='s' actuator='m'/></sensor>
         </mujoco>",
        &[],
    );
    let spec = spec.unwrap();
    assert_eq!(bodies(&spec.worldbody), ["a", "b0", "b1"]);
    assert_eq!(spec.worldbody.bodies[2].cameras[0].target, "b1");
    // One end inside is enough for an exclusion, but not for an equality.
    let excludes: Vec<_> = spec.excludes.iter().map(|e| (e.body1.as_str(), e.body2.as_str())).collect();
    assert_eq!(excludes, [("a", "b0"), ("a", "b1")]);
    assert!(spec.equalities.is_empty());
    assert!(report.to_string().contains("`c` is dropped"), "{report}");
    assert_eq!(spec.actuators.iter().map(|a| a.target.as_str()).collect::<Vec<_>>(), ["t0", "t1"]);
    // What refers to nothing is copied with each copy, as its own copies are.
    assert_eq!(sensors(&spec), ["k", "k0", "s0", "k1", "s1", "k01"]);
}

const ARM: &str = "<mujoco model='arm'>
  <compiler angle='radian'/>
  <default><geom size='2'/><default class='thin'><geom size='1'/></default></default>
  <asset><texture name='t' type='2d' builtin='flat' width='1' height='1'/><material name='m' texture='t'/></asset>
  <worldbody>
    <frame name='f' pos='1 0 0'><frame pos='0 1 0'><site name='deep'/></frame><body name='tip'/></frame>
    <body name='arm' euler='0 0 1'><joint name='j' range='-1 1'/><geom name='g' class='thin' material='m'/></body>
    <body name='other'><joint name='o'/><geom/></body>
  </worldbody>
  <contact><exclude body1='arm' body2='other'/><exclude body1='world' body2='arm'/></contact>
  <actuator><general name='x' joint='o' dyntype='filter'/><motor name='y' joint='j'/></actuator>
  <keyframe><key name='k' time='3' qpos='1 2' ctrl='4 5' act='6'/></keyframe>
</mujoco>";

#[test]
fn a_body_of_another_model_brings_what_it_needs() {
    let spec = model(
        &[("arm.xml", ARM)],
        "<mujoco>
           <asset><model name='arm' file='arm.xml'/></asset>
           <worldbody>
             <body name='base'><joint/><geom size='1'/>
               <attach model='arm' body='arm' prefix='L_'/><attach model='arm' body='arm' prefix='R_'/>
             </body>
             <geom class='L_thin'/>
           </worldbody>
           <keyframe><key name='own' qpos='7 8 9'/></keyframe>
         </mujoco>",
    );
    let base = &spec.worldbody.bodies[0];
    assert_eq!(bodies(base), ["L_arm", "R_arm"]);
    let arm = &base.bodies[0];
    assert_eq!((arm.geoms[0].name.as_str(), arm.geoms[0].material.as_str()), ("L_g", "L_m"));
    assert_eq!(spec.materials[0].textures[1], "L_t");
    // Its own units: radians become degrees, Euler angles a quaternion.
    let range = arm.joints[0].range.unwrap();
    assert!((range[1].to_radians() - 1.0).abs() < 1e-15 && (range[0] + range[1]).abs() < 1e-15);
    assert!(matches!(arm.orientation, Orientation::Quat(q) if (q.z - 0.5f64.sin()).abs() < 1e-15));
    // Classes come along under the prefix.
    assert_eq!(spec.worldbody.geoms[0].size[0], 1.0);
    // The other body did not come, nor what refers to it; the world's namesake is the world.
    let pairs: Vec<_> = spec.excludes.iter().map(|e| (e.body1.as_str(), e.body2.as_str())).collect();
    assert_eq!(pairs, [("world", "L_arm"), ("world", "R_arm")]);
    assert_eq!(spec.actuators.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(), ["L_y", "R_y"]);
    // Its keyframes set what came of it.
    let keys: Vec<_> = spec.keys.iter().map(|k| (k.name.as_str(), k.time)).collect();
    assert_eq!(keys, [("own", 0.0), ("L_k", 3.0), ("R_k", 3.0)]);
    let filled = |v: &[f64]| v.iter().map(|x| (!x.is_nan()).then_some(*x)).collect::<Vec<_>>();
    assert_eq!(filled(&spec.keys[1].qpos), [None, Some(1.0), None]);
    assert_eq!(filled(&spec.keys[2].qpos), [None, None, Some(1.0)]);
    assert_eq!(filled(&spec.keys[2].ctrl), [None, Some(5.0)]);
    assert!(base.bodies.iter().all(|b| b.joints[0].tag == 0));
}

#[test]
fn frames_and_whole_models_are_attached() {
    let others = [("arm.xml", ARM)];
    let head = "<mujoco><asset><model name='arm' file='arm.xml'/></asset><worldbody>";
    let spec = model(&others, &format!("{head}<attach model='arm' frame='f' prefix='p'/></worldbody></mujoco>"));
    let world = &spec.worldbody;
    assert_eq!((bodies(world), world.sites[0].name.as_str()), (vec!["ptip"], "pdeep"));
    assert_eq!(world.frames.iter().map(|f| f.parent).collect::<Vec<_>>(), [None, Some(0)]);
    assert_eq!((world.sites[0].frame, world.bodies[0].frame), (Some(1), Some(0)));

    let spec = model(
        &others,
        &format!("{head}<replicate count='2'><attach model='arm' prefix='p'/></replicate></worldbody></mujoco>"),
    );
    assert_eq!(bodies(&spec.worldbody), ["ptip0", "parm0", "pother0", "ptip1", "parm1", "pother1"]);
    // Keyframes come once, and set the first copy.
    assert_eq!(spec.keys.len(), 1);
    assert_eq!((&spec.keys[0].qpos[..2], spec.keys[0].qpos[2].is_nan()), (&[1.0, 2.0][..], true));
    assert_eq!((spec.keys[0].act[0], spec.keys[0].act[1].is_nan()), (6.0, true));
}

#[test]
fn a_model_attaches_parts_of_itself() {
    let spec = good(
        "<mujoco>
           <worldbody>
             <frame name='f' pos='1 0 0'><geom name='g' size='1'/></frame>
             <body name='a'><joint name='j'/><body name='b'/><attach body='a' prefix='in_'/></body>
             <attach frame='f' prefix='x_'/>
           </worldbody>
           <actuator><motor name='m' joint='j'/></actuator>
         </mujoco>",
    );
    let a = &spec.worldbody.bodies[0];
    assert_eq!((bodies(a), bodies(&a.bodies[1])), (vec!["b", "in_a"], vec!["in_b"]));
    assert_eq!(spec.worldbody.geoms[1].name, "x_g");
    assert_eq!(spec.actuators[1].target, "in_j");
}

#[test]
fn settings_that_differ_follow_the_policy() {
    let child = "<mujoco><option timestep='.001' iterations='7'><flag gravity='disable'/></option><size nuser_geom='3'/><worldbody><geom size='1'/></worldbody></mujoco>";
    let parent = |policy: &str| {
        format!(
            "<mujoco><compiler conflict='{policy}'/><option timestep='.003'/><asset><model name='c' file='c.xml'/></asset><worldbody><attach model='c' prefix='p'/></worldbody></mujoco>"
        )
    };
    let read = |policy| read_with(&parent(policy), &[("c.xml", child)]);
    let spec = read("warning").0.unwrap();
    assert_eq!((spec.option.timestep, spec.option.iterations, spec.size.nuser_geom), (0.003, 100, None));
    let spec = read("merge").0.unwrap();
    assert_eq!((spec.option.timestep, spec.option.iterations, spec.size.nuser_geom), (0.001, 7, Some(3)));
    assert!(spec.option.disabled(mj_model::disable::GRAVITY));
    let (spec, report) = read("error");
    assert!(spec.is_none() && report.to_string().contains("`timestep`"), "{report}");
}

#[test]
fn a_robot_becomes_a_tree() {
    let link = |name: &str, inside: &str| {
        format!(
            "<link name='{name}'><inertial><origin xyz='.1 0 0'/><mass value='2'/><inertia ixx='1' iyy='3' izz='2' ixy='0' ixz='0' iyz='0'/></inertial>{inside}</link>"
        )
    };
    let spec = good(&format!(
        "<robot name='r'>
           <mujoco><compiler discardvisual='false' angle='degree' unknown='1'/><option timestep='.01'/></mujoco>
           <material name='red'><color rgba='1 0 0 1'/></material>
           {}{}{}{}
           <joint name='j' type='revolute'><parent link='a'/><child link='b'/><origin xyz='1 2 3' rpy='0 0 1.5'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='-5' velocity='3'/><dynamics damping='2' friction='3'/></joint>
           <joint name='k' type='prismatic'><parent link='b'/><child link='c'/><limit lower='1'/><mimic joint='j' multiplier='2' offset='.5'/></joint>
           <joint name='p' type='planar'><parent link='a'/><child link='d'/><axis xyz='0 0 1'/></joint>
           <transmission/>
         </robot>",
        link("a", ""),
        link("b", "<visual name='v'><geometry><box size='2 4 6'/></geometry><material name='red'/></visual><collision><origin xyz='0 0 1'/><geometry><cylinder radius='1' length='4'/></geometry></collision>"),
        link("c", ""),
        link("d", ""),
    ));
    assert_eq!((spec.modelname.as_str(), spec.compiler.degree, spec.option.timestep), ("r", false, 0.01));
    assert!(spec.compiler.fusestatic);
    let a = &spec.worldbody.bodies[0];
    assert_eq!((bodies(a), bodies(&a.bodies[0])), (vec!["b", "d"], vec!["c"]));
    let b = &a.bodies[0];
    let j = &b.joints[0];
    assert_eq!((j.r#type, j.axis, j.range, j.limited), (JointType::Hinge, DVec3::Y, Some([-1.0, 1.0]), Tri::Auto));
    assert_eq!((j.actfrcrange, j.damping[0], j.frictionloss), (Some([-5.0, 5.0]), 2.0, 3.0));
    assert_eq!((b.pos, b.inertial.as_ref().unwrap().diaginertia), (DVec3::new(1.0, 2.0, 3.0), Some([3.0, 2.0, 1.0])));
    assert_eq!((b.geoms[0].size, b.geoms[0].group, b.geoms[0].contype), ([1.0, 2.0, 3.0], 1, 0));
    assert_eq!((b.geoms[1].size[1], b.geoms[1].rgba, b.geoms[1].pos), (2.0, [1.0, 0.0, 0.0, 1.0], DVec3::Z));
    // One limit alone does not limit.
    assert_eq!(b.bodies[0].joints[0].limited, Tri::False);
    let names: Vec<_> = a.bodies[1].joints.iter().map(|j| (j.name.as_str(), j.r#type)).collect();
    assert_eq!(names, [("p_TX", JointType::Slide), ("p_TY", JointType::Slide), ("p_RZ", JointType::Hinge)]);
    let e = &spec.equalities[0];
    assert_eq!(
        (e.r#type, e.name1.as_str(), e.name2.as_str(), e.data[..3].to_vec()),
        (EqType::Joint, "k", "j", vec![0.5, 2.0, 0.0])
    );
}

#[test]
fn expansion_is_bounded() {
    let told = |text: &str, others: &[(&str, &str)]| {
        let (spec, report) = read_with(text, others);
        assert!(spec.is_none(), "{text}");
        report.to_string()
    };
    // Copies of copies of copies.
    let bomb = format!(
        "<mujoco><worldbody>{}<geom size='1'/>{}</worldbody></mujoco>",
        "<replicate count='1000'>".repeat(4),
        "</replicate>".repeat(4)
    );
    assert!(told(&bomb, &[]).contains("copies take more than"));
    // What refers to nothing doubles with each copy.
    let clocks = "<mujoco><worldbody><replicate count='60'><geom size='1'/></replicate></worldbody><sensor><clock/></sensor></mujoco>";
    assert!(told(clocks, &[]).contains("copies "));
    // A model that is part of itself, directly and through another.
    let part = |file: &str| format!("<mujoco><asset><model file='{file}'/></asset><worldbody/></mujoco>");
    assert!(told(&part("model.xml"), &[]).contains("part of itself"));
    assert!(told(&part("b.xml"), &[("b.xml", &part("model.xml"))]).contains("part of itself"));
    // Each model asks for the next one twice.
    let files: Vec<(String, String)> = (0..15)
        .map(|i| {
            let next = i + 1;
            let text = format!("<mujoco><asset><model name='a' file='{next}.xml'/><model name='b' file='{next}.xml'/></asset><worldbody/></mujoco>");
            (format!("{i}.xml"), text)
        })
        .chain([("15.xml".to_string(), "<mujoco/>".to_string())])
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert!(told(&part("0.xml"), &files).contains("models are attached"));
    // Bodies that double with each attachment, and nest.
    let mut text = "<mujoco><worldbody><body name='a'>".to_string();
    for i in 0..60 {
        text += &format!("<attach body='a' prefix='{i}_'/>");
    }
    let told = told(&(text + "</body></worldbody></mujoco>"), &[]);
    assert!(told.contains("copies take") || told.contains("nested more than"), "{told}");
    // A chain of links that is too long.
    let links: String = (0..2000).map(|i| format!("<link name='{i}'/>")).collect();
    let joints: String = (1..2000)
        .map(|i| format!("<joint name='{i}' type='fixed'><parent link='{}'/><child link='{i}'/></joint>", i - 1))
        .collect();
    let (_, report) = read_with(&format!("<robot>{links}{joints}</robot>"), &[]);
    assert!(report.to_string().contains("nested more than"));
}
