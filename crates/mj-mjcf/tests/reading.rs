//! What text becomes.

mod common;

use common::{good, read_with};
use mj_math::{DQuat, DVec3};
use mj_model::spec::*;
use mj_model::{
    BiasType, DynType, GainType, GeomType, ObjType, SensorType, Spec, Stage, Tri, TrnType, disable, enable,
};

/// The first body below the world.
fn body(spec: &Spec) -> &Body {
    &spec.worldbody.bodies[0]
}

#[test]
fn untidy_xml_is_read() {
    for (text, name) in [
        ("\u{feff}<?xml version='1.0'?><!DOCTYPE x [ <!ENTITY y 'z'> ]><mujoco model='a'/>", "a"),
        ("text <!-- a -- b --- --><mujoco model='a'>x & y ></mujoco> more <!-- -->", "a"),
        ("<mujoco model='a & b &unknown; &#65;&#x42; &lt;'/>", "a & b &unknown; AB <"),
        ("<mujoco model='a < b > \"c\"'/>", "a < b > \"c\""),
        ("< mujoco model = 'a\n\tb'></mujoco >", "a\n\tb"),
        ("<mujoco model='a'/><mujoco model='b'><worldbody/></mujoco>", "a"),
        ("<mujoco model='a'></mujoco></mujoco> anything", "a"),
        ("<mujoco model='é ٣'/>\0 garbage", "é ٣"),
        ("<mujoco xmlns='u' xmlns:x='v' x:y='w' model='a'/>", "a"),
        ("<mujoco model='a'><![CDATA[ <b> ]]><!x></mujoco>", "a"),
        ("<mujoco/>", "MuJoCo Model"),
    ] {
        assert_eq!(good(text).modelname, name, "{text}");
    }
    let spec = good("<mujoco><worldbody><geom type=\"box\"size=\"1 2 3\"/></worldbody></mujoco>");
    assert_eq!((spec.worldbody.geoms[0].r#type, spec.worldbody.geoms[0].size), (GeomType::Box, [1.0, 2.0, 3.0]));
}

#[test]
fn text_in_another_encoding_is_read() {
    let mut files = mj_mjcf::Memory::new();
    files.insert("m.xml", b"<mujoco><!-- caf\xe9 --><option timestep='1'/></mujoco>".as_slice());
    assert_eq!(mj_mjcf::read("m.xml", &files).0.unwrap().option.timestep, 1.0);
}

#[test]
fn sections_add_up_in_any_order() {
    let spec = good(
        "<mujoco>
           <worldbody><geom name='a' size='1' class='c'/></worldbody>
           <option timestep='1' gravity='0 0 -1'><flag contact='disable' energy='enable'/></option>
           <default><geom density='7'/><default class='c'><geom margin='1'/></default></default>
           <default><geom gap='3'/></default>
           <worldbody><geom name='b' size='1'/></worldbody>
           <option timestep='2'/>
         </mujoco>",
    );
    assert_eq!((spec.option.timestep, spec.option.gravity.z), (2.0, -1.0));
    assert_eq!((spec.option.disableflags, spec.option.enableflags), (disable::CONTACT, enable::ENERGY));
    let [a, b] = spec.worldbody.geoms.as_slice() else { panic!() };
    assert_eq!((a.name.as_str(), b.name.as_str()), ("a", "b"));
    // A class takes its parent's values as they are where it is defined.
    assert_eq!((a.density, a.margin, a.gap), (7.0, 1.0, 0.0));
    assert_eq!((b.density, b.margin, b.gap), (7.0, 0.0, 3.0));
}

#[test]
fn classes_reach_through_bodies_and_frames() {
    let spec = good(
        "<mujoco>
           <default>
             <default class='a'><joint damping='1 2'/><default class='aa'><joint armature='3' damping='5'/></default></default>
             <default class='b'><joint damping='9'/></default>
           </default>
           <worldbody>
             <body childclass='aa'>
               <freejoint/>
               <frame childclass='b'><joint name='j0'/><body><joint name='j1'/><joint name='j2' class='a'/></body></frame>
               <body><joint name='j3'/></body>
             </body>
           </worldbody>
         </mujoco>",
    );
    let top = body(&spec);
    let damping = |j: &Joint| j.damping;
    assert_eq!(damping(&top.joints[0]), [0.0; 3], "free joints take nothing from classes");
    assert_eq!(damping(&top.joints[1]), [9.0, 0.0, 0.0]);
    let inner = &top.bodies[0].joints;
    assert_eq!((damping(&inner[0]), damping(&inner[1])), ([9.0, 0.0, 0.0], [1.0, 2.0, 0.0]));
    assert_eq!(inner[1].class.as_deref(), Some("a"));
    // Giving one coefficient leaves the others as the parent class has them.
    let j3 = &top.bodies[1].joints[0];
    assert_eq!((damping(j3), j3.armature), ([5.0, 2.0, 0.0], 3.0));
    assert_eq!(spec.defaults.iter().map(|d| d.parent).collect::<Vec<_>>(), [None, Some(0), Some(1), Some(0)]);
}

#[test]
fn order_is_the_documents() {
    let spec = good(
        "<mujoco><worldbody><body name='p'>
           <geom name='0' size='1'/>
           <frame name='f' pos='1 0 0'><geom name='1' size='1'/><frame euler='0 0 90'><geom name='2' size='1'/></frame></frame>
           <body name='x'/><geom name='3' size='1'/><body name='y'/>
         </body></worldbody></mujoco>",
    );
    let p = body(&spec);
    assert_eq!(p.geoms.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["0", "1", "2", "3"]);
    assert_eq!(p.geoms.iter().map(|g| g.frame).collect::<Vec<_>>(), [None, Some(0), Some(1), None]);
    assert_eq!((p.frames[0].parent, p.frames[1].parent), (None, Some(0)));
    assert_eq!(p.frames[1].orientation, Orientation::Euler([0.0, 0.0, 90.0]));
    assert_eq!(p.bodies.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(), ["x", "y"]);
}

#[test]
fn values_keep_how_they_were_given() {
    let spec = good(
        "<mujoco>
           <default><geom euler='90 0 0' size='1 2'/></default>
           <worldbody>
             <geom size='5' quat='0 1 0 0'/>
             <geom xyaxes='1 0 0 0 1 0' fromto='' mass=' 2 ' solref='-1' size='0x10 .5 inf'/>
             <body quat='1 2 3 4'><inertial pos='1 2 3' mass='4' fullinertia='1 2 3 0 0 0'/><joint range='-1 1'/></body>
           </worldbody>
         </mujoco>",
    );
    let [a, b] = spec.worldbody.geoms.as_slice() else { panic!() };
    // The default class's Euler angles outlast the element's quaternion, as in the reference.
    assert_eq!((a.orientation, &a.size[..2], a.mass), (Orientation::Euler([90.0, 0.0, 0.0]), &[5.0, 2.0][..], None));
    assert!(a.size[2].is_nan());
    assert_eq!(b.orientation, Orientation::XyAxes([1.0, 0.0, 0.0, 0.0, 1.0, 0.0]));
    assert_eq!((b.fromto, b.mass, b.solref), (None, Some(2.0), [-1.0, 1.0]));
    assert_eq!(b.size, [16.0, 0.5, f64::INFINITY]);
    assert_eq!(body(&spec).orientation, Orientation::Quat(DQuat::from_xyzw(2.0, 3.0, 4.0, 1.0)));
    let inertial = body(&spec).inertial.as_ref().unwrap();
    assert_eq!((inertial.pos, inertial.diaginertia), (DVec3::new(1.0, 2.0, 3.0), None));
    assert_eq!((body(&spec).joints[0].limited, body(&spec).joints[0].range), (Tri::Auto, Some([-1.0, 1.0])));
}

#[test]
fn shortcuts_become_general_actuators() {
    let spec = good(
        "<mujoco>
           <default>
             <position kp='10' kv='2'/>
             <default class='v'><velocity kv='3'/></default>
             <default class='m'><muscle force='100' range='0.5 1'/></default>
           </default>
           <actuator>
             <motor joint='j' gear='2'/>
             <position joint='j'/>
             <position joint='j' kp='20' dampratio='1' timeconst='0.1'/>
             <velocity joint='j' class='v'/>
             <intvelocity joint='j' kp='1' actrange='-1 1'/>
             <damper joint='j' kv='4' ctrlrange='0 1'/>
             <cylinder joint='j' timeconst='2' diameter='2' bias='1 2 3'/>
             <muscle joint='j' class='m' lmax='2' timeconst='0.02 -1'/>
             <adhesion body='b' gain='6' ctrlrange='0 1'/>
             <general joint='j' site='s' gainprm='1 2' dyntype='filter'/>
           </actuator>
         </mujoco>",
    );
    let a = &spec.actuators;
    let kinds = |i: usize| (a[i].dyntype, a[i].gaintype, a[i].biastype);
    assert_eq!(kinds(0), (DynType::None, GainType::Fixed, BiasType::None));
    assert_eq!((a[0].gainprm[0], a[0].gear, a[0].target.as_str()), (1.0, [2.0, 0.0, 0.0, 0.0, 0.0, 0.0], "j"));
    assert_eq!((a[1].gainprm[0], &a[1].biasprm[..3]), (10.0, &[0.0, -10.0, -2.0][..]));
    assert_eq!((a[2].gainprm[0], &a[2].biasprm[..3]), (20.0, &[0.0, -20.0, 1.0][..]));
    assert_eq!((a[2].dyntype, a[2].dynprm[0]), (DynType::FilterExact, 0.1));
    assert_eq!((a[3].gainprm[0], &a[3].biasprm[..3]), (3.0, &[0.0, 0.0, -3.0][..]));
    assert_eq!(kinds(4), (DynType::Integrator, GainType::Fixed, BiasType::Affine));
    assert_eq!((a[5].gainprm[..3].to_vec(), a[5].ctrllimited), (vec![0.0, 0.0, -4.0], Tri::True));
    assert_eq!(kinds(5), (DynType::None, GainType::Affine, BiasType::None));
    assert_eq!(kinds(6), (DynType::Filter, GainType::Fixed, BiasType::Affine));
    assert_eq!((a[6].gainprm[0], &a[6].biasprm[..3]), (std::f64::consts::PI, &[1.0, 2.0, 3.0][..]));
    assert_eq!(kinds(7), (DynType::Muscle, GainType::Muscle, BiasType::Muscle));
    assert_eq!(a[7].gainprm[..9], [0.5, 1.0, 100.0, 200.0, 0.5, 2.0, 1.5, 1.3, 1.2]);
    assert_eq!((a[7].biasprm, &a[7].dynprm[..3]), (a[7].gainprm, &[0.02, 0.04, 0.0][..]));
    assert_eq!((a[8].trntype, a[8].gainprm[0], a[8].ctrllimited), (TrnType::Body, 6.0, Tri::True));
    assert_eq!((a[9].trntype, a[9].target.as_str(), &a[9].gainprm[..2]), (TrnType::Site, "s", &[1.0, 2.0][..]));
}

#[test]
fn shortcuts_take_parameters_from_their_own_kind() {
    let spec = good(
        "<mujoco>
           <default>
             <position kp='5' kv='2' gear='3' inheritrange='0.5'/>
             <default class='v'><velocity kv='7'/></default>
             <default class='g'><general gainprm='400 1' biasprm='1 -2 -3' actdim='2' dyntype='filterexact' dynprm='9'/></default>
           </default>
           <actuator>
             <motor/><general/><position class='v'/><velocity class='v'/><intvelocity class='v'/>
             <position class='g'/><muscle class='g'/><position ctrlrange='0 1'/>
           </actuator>
         </mujoco>",
    );
    let [motor, general, position, velocity, intvelocity, raw, muscle, ranged] = spec.actuators.as_slice() else {
        panic!()
    };
    // Gear is everyone's; gains are the shortcut's own.
    assert!(spec.actuators.iter().all(|a| a.gear[0] == 3.0));
    assert_eq!((motor.gainprm[0], motor.biastype, motor.biasprm), (1.0, BiasType::None, [0.0; 10]));
    assert_eq!(
        (general.gainprm[0], general.biastype, &general.biasprm[..3]),
        (5.0, BiasType::Affine, &[0.0, -5.0, -2.0][..])
    );
    // Past a class written with another shortcut, from the nearest of its own kind.
    assert_eq!(
        (position.gainprm[0], &position.biasprm[..3], position.inheritrange),
        (5.0, &[0.0, -5.0, -2.0][..], 0.5)
    );
    assert_eq!((velocity.gainprm[0], velocity.biasprm[2]), (7.0, -7.0));
    assert_eq!((intvelocity.gainprm[0], intvelocity.inheritrange), (1.0, 0.0));
    // From a general prototype with the same type of gain.
    assert_eq!((raw.gainprm[..2].to_vec(), &raw.biasprm[..3]), (vec![400.0, 0.0], &[0.0, -400.0, -3.0][..]));
    assert_eq!((raw.dyntype, raw.dynprm[0], raw.actdim), (DynType::FilterExact, 9.0, -1));
    assert_eq!((muscle.gainprm[0], muscle.dynprm[..2].to_vec()), (0.75, vec![0.01, 0.04]));
    // A range of one's own replaces an inherited rule to take the target's.
    assert_eq!((ranged.ctrlrange, ranged.inheritrange), (Some([0.0, 1.0]), 0.0));
}

#[test]
fn relations_sensors_and_the_rest() {
    let spec = good(
        "<mujoco>
           <size nkey='2' nuser_geom='3' nuserdata='0' memory='2K'/>
           <custom><numeric name='n' size='3' data='1'/><tuple name='t'><element objtype='geom' objname='g' prm='2'/></tuple></custom>
           <contact><pair geom1='a' geom2='b' solref='0.1' friction='2 3'/><exclude body1='a' body2='b'/></contact>
           <equality>
             <weld body1='a' relpose='1 2 3 1 0 0 0'/><weld site1='a' site2='b'/>
             <joint joint1='a' polycoef='5'/><connect body1='a' anchor='1 2 3' active='false'/>
           </equality>
           <tendon>
             <spatial springlength='3'><site site='a'/><geom geom='g' sidesite='s'/><pulley divisor='2'/></spatial>
             <fixed><joint joint='j' coef='-2'/></fixed>
           </tendon>
           <sensor>
             <contact subtree1='b' geom2='g' data='force normal' reduce='netforce' num='4'/><rangefinder camera='c'/>
             <framepos objtype='xbody' objname='b' reftype='site' refname='s'/><user dim='3'/><clock/>
             <insidesite site='s' objtype='geom' objname='g' enclosed='true'/>
           </sensor>
           <keyframe><key/><key name='k' time='1' qpos='1 2' ctrl='3'/></keyframe>
           <visual><global fovy='60' orthographic='true'/><rgba fog='1 2 3 4'/></visual>
         </mujoco>",
    );
    assert_eq!(
        (spec.size.nkey, spec.size.nuser_geom, spec.size.nuserdata, spec.size.memory),
        (2, Some(3), 0, Some(2048.0))
    );
    assert_eq!(spec.numerics[0].data, [1.0, 0.0, 0.0]);
    assert_eq!(spec.tuples[0].items, [(ObjType::Geom, "g".to_string(), 2.0)]);
    let pair = &spec.pairs[0];
    assert_eq!((pair.solref, &pair.friction[..], pair.condim), (Some([0.1, 1.0]), &[2.0, 3.0][..], None));
    let data: Vec<_> = spec.equalities.iter().map(|e| e.data).collect();
    assert_eq!(data[0], [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!((spec.equalities[1].objtype, data[2][0], data[2][1]), (ObjType::Site, 5.0, 1.0));
    assert_eq!((&data[3][..3], spec.equalities[3].active), (&[1.0, 2.0, 3.0][..], false));
    assert_eq!(spec.tendons[0].springlength, [3.0, 3.0]);
    assert_eq!(spec.tendons[0].path[1].object, WrapObject::Geom { geom: "g".into(), sidesite: "s".into() });
    assert_eq!(spec.tendons[1].path[0].object, WrapObject::Joint { joint: "j".into(), coef: -2.0 });
    let s = &spec.sensors;
    assert_eq!((s[0].objtype, s[0].reftype, s[0].intprm), (ObjType::XBody, ObjType::Geom, [0b10_0010, 3, 4]));
    assert_eq!((s[1].objtype, s[1].intprm), (ObjType::Camera, [1, 0, 0]));
    assert_eq!((s[2].objtype, s[2].reftype, s[2].refname.as_str()), (ObjType::XBody, ObjType::Site, "s"));
    assert_eq!((s[3].dim, s[3].needstage, s[4].r#type, s[5].intprm[0]), (3, Stage::Acc, SensorType::Clock, 1));
    assert_eq!((spec.keys.len(), &spec.keys[1].qpos[..]), (2, &[1.0, 2.0][..]));
    let visual: Vec<_> = spec.visual.attributes.iter().map(|a| (a.name.as_str(), a.value.len())).collect();
    assert_eq!(visual, [("fovy", 1), ("orthographic", 1), ("fog", 4)]);
}

#[test]
fn included_files_take_the_place_of_their_element() {
    let (spec, report) = read_with(
        "<mujoco><include file='sub/a.xml'/><worldbody><include file='w.xml'/><geom name='2' size='1'/></worldbody></mujoco>",
        &[
            ("sub/a.xml", "<any><include file='b.xml'/><asset><texture type='2d' file='t.png'/></asset></any>"),
            ("sub/t.png", "pixels"),
            ("sub/b.xml", "<any><worldbody><geom name='0' size='1'/></worldbody></any>"),
            ("w.xml", "<any><geom name='1' size='1'/></any>"),
        ],
    );
    let spec = spec.unwrap_or_else(|| panic!("{report}"));
    assert_eq!(spec.worldbody.geoms.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["0", "1", "2"]);
    // An asset is looked for beside the file that names it, if it is not beside the main one.
    assert_eq!((spec.textures[0].file.as_str(), spec.textures[0].name.as_str()), ("sub/t.png", "t"));
    let place = report.sources.place(spec.worldbody.geoms[0].loc).unwrap();
    assert_eq!(place, "sub/b.xml:1:18");
    assert_eq!(spec.sources, report.sources);
}

#[test]
fn the_main_files_directory_comes_first() {
    let mut files = mj_mjcf::Memory::new();
    files.insert("d/model.xml", "<mujoco><include file='s/a.xml'/></mujoco>");
    files.insert("d/s/a.xml", "<any><include file='b.xml'/></any>");
    files.insert("d/b.xml", "<any><option timestep='1'/></any>");
    files.insert("d/s/b.xml", "<any><option timestep='2'/></any>");
    assert_eq!(mj_mjcf::read("d/model.xml", &files).0.unwrap().option.timestep, 1.0);
}

/// Also from a directory beside the main file's, wherever the main file is.
#[test]
fn an_included_file_includes_what_is_beside_it() {
    for at in ["", "../models/", "/models/"] {
        let mut files = mj_mjcf::Memory::new();
        files.insert(format!("{at}main/model.xml"), "<mujoco><include file='../parts/a.xml'/></mujoco>");
        files.insert(format!("{at}parts/a.xml"), "<any><include file='more/b.xml'/></any>");
        files.insert(
            format!("{at}parts/more/b.xml"),
            "<any><include file='../c.xml'/><asset><texture type='2d' file='t.png'/></asset></any>",
        );
        files.insert(format!("{at}parts/more/t.png"), "pixels");
        files.insert(format!("{at}parts/c.xml"), "<any><option timestep='1'/></any>");
        let (spec, report) = mj_mjcf::read(format!("{at}main/model.xml"), &files);
        let spec = spec.unwrap_or_else(|| panic!("{at}: {report}"));
        assert_eq!(spec.option.timestep, 1.0);
        assert_eq!(spec.textures[0].file, "../parts/more/t.png");
    }
}

#[test]
fn all_problems_come_at_once() {
    let (spec, report) = read_with(
        "<mujoco><worldbody><gem/><geom colour='' size='x' type='bx'/><geom size='1'/></worldbody><actuatr/></mujoco>",
        &[],
    );
    assert!(spec.is_none());
    assert_eq!(report.diagnostics.list.len(), 5, "{report}");
}

#[test]
fn too_much_is_refused() {
    let depth = mj_mjcf::limits::DEPTH - 2;
    let nest = |n: usize, tag: &str| {
        format!(
            "<mujoco><worldbody>{}{}</worldbody></mujoco>",
            format!("<{tag}>").repeat(n),
            format!("</{tag}>").repeat(n)
        )
    };
    for tag in ["body", "frame"] {
        assert!(read_with(&nest(depth, tag), &[]).0.is_some());
        assert!(read_with(&nest(depth + 1, tag), &[]).1.to_string().contains("nested more than"));
    }
    let classes: String = (0..depth + 1).map(|i| format!("<default class='{i}'>")).collect();
    let classes =
        format!("<mujoco><default class='main'>{classes}{}</default></mujoco>", "</default>".repeat(depth + 1));
    assert!(read_with(&classes, &[]).1.to_string().contains("nested more than"));

    // An include deep in the tree counts from there.
    let part = format!("<x>{}{}</x>", "<body>".repeat(300), "</body>".repeat(300));
    let main = nest(300, "body").replacen("</body>", "<include file='part.xml'/></body>", 1);
    assert!(read_with(&main, &[("part.xml", &part)]).1.to_string().contains("nested more than"));

    let many: String = (0..2000).map(|i| format!(" a{i}=''")).collect();
    assert!(read_with(&format!("<mujoco{many}/>"), &[]).1.to_string().contains("more than 1000 attributes"));
    let wrong = format!("<mujoco>{}</mujoco>", "<x/>".repeat(1000));
    assert_eq!(read_with(&wrong, &[]).1.diagnostics.list.len(), mj_mjcf::limits::DIAGNOSTICS + 1);

    let user = "1 ".repeat(100_000);
    let greedy = format!(
        "<mujoco><default><geom user='{user}'/></default><worldbody>{}</worldbody></mujoco>",
        "<geom size='1'/>".repeat(2000)
    );
    assert!(read_with(&greedy, &[]).1.to_string().contains("from default classes"));
}
