//! Default classes of elements that a program makes: as if they had been read from MJCF.

use mj_engine::Spec;
use mj_math::{DQuat, DVec3};
use mj_mjcf::Memory;
use mj_model::spec::*;
use mj_model::{DynType, GeomType, JointType, Model, Tri, TrnType};

const CLASSES: &str = "<default>
    <geom friction='2' rgba='1 0 0 1'/><joint damping='4' armature='0.1'/><general dyntype='filter' dynprm='0.3'/>
    <default class='x'>
      <geom type='box' size='1 2 3' euler='10 0 0' density='500'/><joint type='slide' range='-1 1' solreflimit='0.1 2'/>
      <site size='0.2' group='3'/><camera fovy='30'/><light cutoff='20'/><mesh scale='2 2 2' maxhullvert='8'/>
      <material specular='0.1'/><texture builtin='flat' width='4' height='4'/><pair friction='1 0.5 0.1' margin='0.2'/>
      <equality solref='0.3 2'/><tendon stiffness='7' limited='true' range='0 1'/><position kp='5' ctrlrange='-2 2'/>
      <default class='xx'><geom density='100'/></default>
    </default>
  </default>";

fn spec(text: &str) -> Spec {
    let (spec, report) = mj_mjcf::read_str(text, &Memory::new());
    spec.unwrap_or_else(|| panic!("{report}"))
}

fn model(spec: &Spec) -> Model {
    let (model, problems) = mj_compile::compile(spec);
    let told: Vec<_> = problems.list.iter().map(|d| d.message.clone()).collect();
    model.unwrap_or_else(|| panic!("{told:?}"))
}

/// Compiles a spec, which must be the model of a text, saved too.
fn same(spec: &Spec, text: &str) {
    let (ours, theirs) = (model(spec), model(&self::spec(text)));
    if ours.to_bytes() != theirs.to_bytes() {
        let text = |mut m: Model| {
            m.names = Default::default();
            format!("{m:#?}")
        };
        let (a, b) = (text(ours), text(theirs));
        let at = a.lines().zip(b.lines()).position(|(x, y)| x != y).unwrap_or(0);
        let near = |s: &str| s.lines().skip(at.saturating_sub(30)).take(34).collect::<Vec<_>>().join("\n");
        panic!("{}\nis to be\n{}", near(&a), near(&b));
    }
    let saved = mj_mjcf::write(spec);
    assert!(model(&self::spec(&saved)).to_bytes() == theirs.to_bytes(), "{saved}");
}

fn class(name: &str) -> Option<String> {
    Some(name.into())
}

#[test]
fn elements_of_every_kind_take_the_values_of_their_class() {
    let mut s = spec(&format!("<mujoco>{CLASSES}<worldbody/></mujoco>"));
    let vertex: Vec<f32> = (0..8).flat_map(|i| [i & 1, i >> 1 & 1, i >> 2]).map(|x| x as f32).collect();
    let x = || class("x");
    s.meshes.push(Mesh { name: "m".into(), class: x(), vertex, ..Default::default() });
    s.textures.push(Texture {
        name: "t".into(),
        class: x(),
        r#type: mj_model::TextureType::TwoD,
        ..Default::default()
    });
    let mut textures: [String; 10] = Default::default();
    textures[1] = "t".into();
    s.materials.push(Material { name: "a".into(), class: x(), textures, ..Default::default() });
    let sphere = GeomType::Sphere;
    s.worldbody.bodies.push(Body {
        name: "b".into(),
        joints: vec![
            Joint { name: "j".into(), class: x(), axis: DVec3::X, ..Default::default() },
            Joint { name: "k".into(), limited: Tri::False, ..Default::default() },
        ],
        geoms: vec![
            Geom { name: "g".into(), class: x(), ..Default::default() },
            Geom { name: "h".into(), class: class("xx"), size: [0.5, f64::NAN, f64::NAN], ..Default::default() },
            Geom { name: "i".into(), class: x(), r#type: GeomType::Mesh, mesh: "m".into(), ..Default::default() },
            Geom {
                size: [0.1; 3],
                orientation: Orientation::Quat(DQuat::IDENTITY),
                r#type: sphere,
                ..Default::default()
            },
        ],
        sites: vec![Site { name: "s".into(), class: x(), ..Default::default() }],
        cameras: vec![Camera { class: x(), ..Default::default() }],
        lights: vec![Light { class: x(), ..Default::default() }],
        ..Default::default()
    });
    s.worldbody.bodies.push(Body {
        joints: vec![Joint::free()],
        geoms: vec![Geom { name: "ball".into(), size: [1.0; 3], ..Default::default() }],
        ..Default::default()
    });
    s.pairs.push(Pair {
        class: x(),
        geom1: "g".into(),
        geom2: "ball".into(),
        friction: vec![0.25],
        ..Default::default()
    });
    // A weld's scale of torque stands here whatever the type.
    let data = std::array::from_fn(|i| f64::from(i == 10));
    s.equalities.push(Equality { class: x(), name1: "b".into(), data, ..Default::default() });
    let path = vec![Wrap { object: WrapObject::Joint { joint: "j".into(), coef: 2.0 }, loc: Default::default() }];
    s.tendons.push(Tendon { class: x(), path, damping: [3.0, 0.0, 0.0], ..Default::default() });
    let actuator = || Actuator { trntype: TrnType::Joint, target: "j".into(), ..Default::default() };
    s.actuators.push(Actuator { class: x(), ..actuator() });
    s.actuators.push(actuator());
    s.actuators.push(Actuator { dyntype: DynType::Integrator, ..actuator() });

    same(
        &s,
        &format!(
            "<mujoco>{CLASSES}
            <asset><mesh name='m' class='x' vertex='0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1'/>
              <texture name='t' class='x' type='2d'/><material name='a' class='x' texture='t'/></asset>
            <worldbody>
              <body name='b'><joint name='j' class='x' axis='1 0 0'/><joint name='k' limited='false'/>
                <geom name='g' class='x'/><geom name='h' class='xx' size='0.5'/>
                <geom name='i' class='x' type='mesh' mesh='m'/><geom size='0.1 0.1 0.1' quat='1 0 0 0'/>
                <site name='s' class='x'/><camera class='x'/><light class='x'/></body>
              <body><freejoint/><geom name='ball' size='1 1 1'/></body>
            </worldbody>
            <contact><pair class='x' geom1='g' geom2='ball' friction='0.25'/></contact>
            <equality><connect class='x' body1='b' anchor='0 0 0'/></equality>
            <tendon><fixed class='x' damping='3'><joint joint='j' coef='2'/></fixed></tendon>
            <actuator><general class='x' joint='j'/><general joint='j'/><general joint='j' dyntype='integrator'/></actuator>
            </mujoco>"
        ),
    );
}

/// The innermost of frames and bodies around an element counts, and what the element itself names most.
#[test]
fn bodies_and_frames_give_a_class_to_what_is_in_them() {
    let mut s = spec(&format!(
        "<mujoco>{CLASSES}<worldbody><body name='b' childclass='x'/><frame name='f' childclass='xx'/></worldbody></mujoco>"
    ));
    let geom = |frame| Geom { frame, ..Default::default() };
    let inner = Body { geoms: vec![geom(None)], joints: vec![Joint::default()], ..Default::default() };
    let b = s.find_mut::<Body>("b").unwrap();
    b.frames = vec![
        Frame { childclass: class("xx"), ..Default::default() },
        Frame { parent: Some(0), pos: DVec3::X, ..Default::default() },
        Frame { parent: Some(1), childclass: class("main"), ..Default::default() },
    ];
    b.geoms = vec![
        geom(None),
        geom(Some(0)),
        geom(Some(1)),
        Geom { size: [0.1; 3], ..geom(Some(2)) },
        Geom { class: class("x"), ..geom(Some(2)) },
    ];
    b.bodies = vec![inner.clone(), Body { frame: Some(1), ..inner }];
    s.worldbody.geoms = vec![geom(Some(0))];
    same(
        &s,
        &format!(
            "<mujoco>{CLASSES}<worldbody>
              <body name='b' childclass='x'>
                <geom/>
                <frame childclass='xx'>
                  <geom/>
                  <frame pos='1 0 0'><geom/><frame childclass='main'><geom size='0.1 0.1 0.1'/><geom class='x'/></frame></frame>
                </frame>
                <body><joint/><geom/></body>
                <frame childclass='xx'><frame pos='1 0 0'><body><joint/><geom/></body></frame></frame>
              </body>
              <frame name='f' childclass='xx'><geom/></frame></worldbody></mujoco>"
        ),
    );
}

/// As in the reference, a copy of a prototype has its class's values, and may have built-in ones instead.
#[test]
fn a_copied_prototype_is_left_as_it_is() {
    let mut s = spec(&format!("<mujoco>{CLASSES}<worldbody/></mujoco>"));
    let prototype = s.default_class("x").unwrap().geom.clone();
    s.worldbody.geoms.push(Geom { class: class("x"), friction: [1.0, 0.005, 0.0001], ..prototype });
    same(&s, &format!("<mujoco>{CLASSES}<worldbody><geom class='x' friction='1'/></worldbody></mujoco>"));
}

#[test]
fn classes_are_added_with_their_parents_values() {
    let mut s = Spec { modelname: "cart".into(), ..Default::default() };
    s.add_default("wheel", "main").unwrap().geom.friction[0] = 0.5;
    let small = s.add_default("small", "wheel").unwrap();
    small.geom.size = [0.1, f64::NAN, f64::NAN];
    assert_eq!(small.geom.friction[0], 0.5);
    // One made by hand takes the rest from its parent, too.
    let geom = Geom { r#type: GeomType::Box, size: [0.2; 3], ..Default::default() };
    s.defaults.push(DefaultClass { name: "block".into(), parent: Some(1), geom, ..Default::default() });
    for name in ["small", "block"] {
        s.worldbody.geoms.push(Geom { class: class(name), ..Default::default() });
    }
    same(
        &s,
        "<mujoco model='cart'><default><default class='wheel'><geom friction='0.5'/><default class='small'><geom size='0.1'/></default>
         <default class='block'><geom type='box' size='0.2 0.2 0.2'/></default></default></default>
         <worldbody><geom class='small'/><geom class='block'/></worldbody></mujoco>",
    );
    let told = |e: Result<&mut DefaultClass, ClassError>| e.unwrap_err().to_string();
    assert_eq!(told(s.add_default("small", "main")), "the default class `small` is defined already");
    let near = told(s.add_default("a", "weel"));
    assert!(near.starts_with("there is no default class `weel`: did you mean `wheel`?"), "{near}");
}

#[test]
fn classes_that_are_not_there_are_refused() {
    let mut s = spec(&format!("<mujoco>{CLASSES}<worldbody><body name='b'/></worldbody></mujoco>"));
    s.worldbody.bodies[0].childclass = class("y");
    s.worldbody.bodies[0].geoms = vec![
        Geom { name: "g".into(), class: class("X"), size: [0.1; 3], ..Default::default() },
        Geom { class: class("nothing"), size: [0.1; 3], ..Default::default() },
    ];
    s.actuators.push(Actuator { name: "a".into(), class: class("xxx"), ..Default::default() });
    let (model, problems) = mj_compile::compile(&s);
    assert!(model.is_none());
    let told: Vec<_> = problems.list.iter().map(|d| (d.message.as_str(), d.help.as_deref().unwrap_or(""))).collect();
    let list = "the classes are: main, x, xx";
    for (message, help) in [
        ("body `b`: there is no default class `y`", list.to_string()),
        ("geom `g`: there is no default class `X`", format!("did you mean `x`? {list}")),
        ("a geom of body `b`: there is no default class `nothing`", list.to_string()),
        ("actuator `a`: there is no default class `xxx`", format!("did you mean `xx`? {list}")),
    ] {
        assert!(told.contains(&(message, help.as_str())), "{message}: {told:#?}");
    }
    // Without any classes there is the root.
    let mut s = Spec::default();
    s.worldbody.geoms.push(Geom { class: class("main"), size: [0.1; 3], ..Default::default() });
    assert!(mj_compile::compile(&s).0.is_some());
    s.worldbody.geoms[0].class = class("nosuch");
    assert!(mj_compile::compile(&s).0.is_none());
}

/// Elements of an attached spec belong to its classes, not to those of the body that they come into.
#[test]
fn attached_elements_keep_their_own_classes() {
    let mut part =
        spec("<mujoco><default><geom density='7'/></default><worldbody><body name='p'/></worldbody></mujoco>");
    part.worldbody.bodies[0].geoms.push(Geom { size: [0.1; 3], ..Default::default() });
    part.worldbody.bodies[0].joints.push(Joint { r#type: JointType::Ball, ..Default::default() });
    let mut s = spec(&format!("<mujoco>{CLASSES}<worldbody><body name='b' childclass='x'/></worldbody></mujoco>"));
    s.attach("b", None, &part, Part::Body("p"), "a/", "").unwrap();
    let m = model(&s);
    let expected = 7.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.001;
    assert!((m.body.mass[mj_model::BodyId::new(2)] - expected).abs() < 1e-12 * expected);
    assert_eq!(m.dof.damping.iter().copied().collect::<Vec<_>>(), [0.0; 3]);
    let saved = mj_mjcf::write(&s);
    assert!(model(&spec(&saved)).to_bytes() == m.to_bytes(), "{saved}");
}
