//! What people are told of models that can be read, but not compiled; and that it is told in one go.

use mj_engine::load_with;
use mj_mjcf::Memory;
use std::path::Path;

/// What loading a model tells.
fn told(text: &str, others: &[(&str, &str)]) -> String {
    let mut files = Memory::new();
    files.insert("model.xml", text);
    others.iter().for_each(|(path, text)| {
        files.insert(path, *text);
    });
    match load_with(Path::new("model.xml"), &files) {
        Ok(loaded) => loaded.report.to_string(),
        Err(e) => e.to_string(),
    }
}

/// A program that returns the error from `main` prints its `Debug` form.
#[test]
fn the_debug_form_of_a_load_error_is_the_report() {
    let error: Box<dyn std::error::Error> =
        mj_engine::load_str("<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>").unwrap_err().into();
    let shown = format!("{error:?}");
    assert_eq!(shown, error.to_string());
    assert!(shown.starts_with("model.xml:1:"), "{shown}");
    assert!(shown.contains("did you mean `size`?"), "{shown}");
}

/// Compares with the snapshot of the test's name what is told of each case.
macro_rules! snapshot {
    ($($case:expr),* $(,)?) => {
        let told: Vec<String> =
            [$($case),*].iter().map(|case| format!("{case}\n\n{}{}\n", told(case, &[]), "-".repeat(40))).collect();
        insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(told.concat()) })
    };
}

fn world(contents: &str) -> String {
    format!("<mujoco><worldbody>{contents}</worldbody></mujoco>")
}

/// A movable body with something in it.
fn body(contents: &str) -> String {
    world(&format!("<body name='b'>{contents}</body>"))
}

/// A model with two hinged bodies and some sections.
fn arms(sections: &str) -> String {
    format!(
        "<mujoco><worldbody><body name='upper'><joint name='shoulder'/><geom name='arm' size='.1'/><site name='tip'/>\
         <body name='lower'><joint name='elbow' range='0 1'/><geom name='hand' size='.1'/></body></body></worldbody>\n  \
         {sections}\n</mujoco>"
    )
}

#[test]
fn bodies_and_joints() {
    snapshot![
        body("<joint/>"),
        body("<joint axis='0 0 0'/><geom size='.1'/>"),
        body("<freejoint/><joint/><geom size='.1'/>"),
        body("<joint type='ball'/><joint/><geom size='.1'/>"),
        body("<joint/><joint/><joint/><joint/><joint/><joint/><joint/><geom size='.1'/>"),
        body("<joint limited='true' range='1 0'/><geom size='.1'/>"),
        body("<joint range='1 0'/><geom size='.1'/>"),
        body("<joint type='ball' range='-1 1'/><geom size='.1'/>"),
        body("<joint springdamper='1 -1'/><geom size='.1'/>"),
        body("<joint springyield='-1'/><geom size='.1'/>"),
        body("<geom size='.1'/><body name='inner'><freejoint/><geom size='.1'/></body>"),
        world("<body name='m' mocap='true'><joint/><geom size='.1'/></body>"),
        body("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>"),
        body("<joint/><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/>"),
        body("<joint/><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 2 2 2'/>"),
        body("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>"),
        "<mujoco><compiler autolimits='false'/><worldbody><body><joint range='0 1'/><geom size='.1'/></body></worldbody>\
         </mujoco>"
            .to_string(),
    ];
}

#[test]
fn geoms_sites_and_views() {
    snapshot![
        world("<geom/>"),
        world("<geom type='box' size='1 1'/>"),
        world("<geom size='1' condim='2'/>"),
        body("<joint/><geom size='.1'/><geom type='plane' size='1 1 1'/>"),
        world("<geom size='1' mass='-1'/>"),
        world("<geom size='1' fromto='0 0 0 0 0 1'/>"),
        world("<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>"),
        world("<geom type='capsule' size='1' pos='1 0 0' fromto='0 0 0 0 0 1'/>"),
        world("<geom size='1' material='gold'/>"),
        world("<geom type='mesh'/>"),
        world("<geom type='mesh' mesh='cup'/>"),
        world("<geom type='hfield' hfield='hills'/>"),
        world("<geom type='sdf' size='1'/>"),
        world("<site type='plane'/>"),
        world("<geom size='1' xyaxes='1 0 0 2 0 0'/>"),
        world("<camera fovy='180'/>"),
        world("<camera mode='targetbody' target='nobody'/>"),
        world("<light dir='0 0 0'/>"),
        "<mujoco><asset><texture type='2d' name='t'/><material/></asset></mujoco>".to_string(),
        "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0'/></asset></mujoco>".to_string(),
    ];
}

/// Models that MuJoCo refuses since version 4, and those that it bounds; each has one complaint, though others refer to it.
#[test]
fn refused_since_version_4() {
    let joints = "<mujoco><worldbody><site name='a'/><site name='b' pos='1 0 0'/><site name='c' pos='1 1 0'/><camera \
                  name='eye'/>\n<body name='b'><joint name='ball' type='ball'/><geom size='.1'/></body><body><freejoint \
                  name='free'/><geom size='.1'/></body></worldbody>\n  ";
    let with = |sections: &str| format!("{joints}{sections}\n</mujoco>");
    let fixed = |name: &str| {
        with(&format!(
            "<tendon><fixed name='t'><joint joint='{name}' coef='1'/></fixed></tendon>\n  \
             <actuator><motor tendon='t'/></actuator><sensor><tendonpos tendon='t'/></sensor>"
        ))
    };
    let pulley = |divisor: &str| {
        with(&format!(
            "<tendon><spatial><site site='a'/><site site='b'/><pulley divisor='{divisor}'/><site site='a'/><site site='c'/>\
             </spatial></tendon>"
        ))
    };
    let inertial = |compiler: &str, inertia: &str| {
        format!(
            "<mujoco><compiler {compiler}/><worldbody>\n  \
             <body name='b'><freejoint/><inertial pos='0 0 0' mass='1' fullinertia='{inertia}'/></body></worldbody></mujoco>"
        )
    };
    let text = |contents: &str| format!("<mujoco><custom>{contents}</custom></mujoco>");
    let headlight = |active: &str| format!("<mujoco><visual><headlight active='{active}'/></visual></mujoco>");
    snapshot![
        fixed("ball"),
        fixed("free"),
        pulley("0"),
        pulley("-1"),
        with("<sensor><camprojection site='a' camera='eye'/></sensor>")
            .replace("name='eye'", "name='eye' resolution='0 0'"),
        inertial("boundinertia='.01'", "1 1 1 2 0 0"),
        inertial("boundinertia='0'", "1 1 0 0 0 0"),
        inertial("boundinertia='.01'", "1 1 0 0 0 0"),
        text("<text name='t'/>"),
        text("<text name='t'><![CDATA[]]></text>"),
        text("<text name='t' data='x'><![CDATA[y]]></text>"),
        text("<text name='t'><![CDATA[x]]> <![CDATA[y]]></text>"),
        headlight("on"),
        headlight("3"),
        headlight("auto"),
    ];
}

/// A movable body with something in it, in a frame that stretches it.
fn stretched(contents: &str) -> String {
    world(&format!("<frame scale='1 2 3' scaling='geometry'>\n  <body name='b'>{contents}</body></frame>"))
}

#[test]
fn frames_that_resize() {
    let in_units = |section: &str| {
        format!(
            "<mujoco><worldbody><frame scale='2'><body><joint name='j'/><geom name='g' size='.1'/></body></frame></worldbody>\n  \
             {section}</mujoco>"
        )
    };
    let assets = |contents: &str, assets: &str| {
        format!("<mujoco><asset>\n  {assets}</asset><worldbody>\n  {contents}</worldbody></mujoco>")
    };
    const MESH: &str = "<mesh name='a' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>";
    snapshot![
        world("<frame scale='1 2'/>"),
        world("<frame scale='0'/>"),
        world("<frame scale='1 inf 1' scaling='geometry'/>"),
        world("<frame scale='1 2 1'/>"),
        world("<frame massscale='-1'/>"),
        world("<frame scaling='alike'/>"),
        stretched("<geom name='g' size='.1'/>"),
        stretched("<geom type='box' size='.1 .1 .1' euler='0 0 10'/>"),
        stretched("<geom type='capsule' size='.1 .1'/>"),
        stretched("<geom type='capsule' size='.1' fromto='0 0 0 1 1 0'/>"),
        stretched("<geom type='box' size='.1' fromto='0 0 0 0 0 1'/>"),
        world("<frame scale='1 2 3' scaling='geometry'><geom type='plane' size='1 1 1' euler='20 0 0'/></frame>"),
        stretched("<joint name='j' axis='1 1 0'/><geom type='box' size='1 1 1'/>"),
        stretched("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>"),
        assets(
            "<geom type='mesh' mesh='a'/><frame scale='2'><geom type='mesh' mesh='a'/></frame>",
            &format!("{MESH}{}", MESH.replace("'a'", "'a@1'")),
        ),
        assets(
            "<body name='b'/><frame scale='2'><body name='c'/></frame>",
            "<skin vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'><bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0' \
             vertweight='1'/><bone body='c' bindpos='0 0 0' bindquat='1 0 0 0' vertid='1 2' vertweight='1 1'/></skin>",
        ),
        in_units("<actuator><dcmotor name='d' joint='j' motorconst='1' resistance='1'/></actuator>"),
        in_units("<actuator><general joint='j' biastype='user'/></actuator>"),
    ];
}

#[test]
fn names() {
    snapshot![
        arms("<actuator><motor joint='shouldr'/></actuator>"),
        arms("<actuator><motor joint='knee'/></actuator>"),
        arms("<actuator><motor site='tp'/></actuator>"),
        arms("<actuator><motor/></actuator>"),
        arms("<contact><pair geom1='arm' geom2='foot'/></contact>"),
        arms("<contact><exclude body1='upper' body2='lowre'/></contact>"),
        arms("<equality><joint joint1='elbow' joint2='ebow'/></equality>"),
        arms("<tendon><fixed><joint joint='elbw' coef='1'/></fixed></tendon>"),
        arms("<sensor><jointpos joint='elbows'/></sensor>"),
        arms("<sensor><framepos objtype='camera' objname='eye'/></sensor>"),
    ];
}

#[test]
fn what_ties_elements_together() {
    snapshot![
        arms("<contact><pair geom1='arm' geom2='hand' condim='5'/></contact>"),
        arms("<equality><joint joint1='elbow' joint2='elbow'/></equality>"),
        arms("<tendon><fixed/></tendon>"),
        arms("<tendon><spatial><site site='tip'/></spatial></tendon>"),
        arms("<tendon><spatial><site site='tip'/><site site='tip'/></spatial></tendon>"),
        arms("<tendon><spatial><site site='tip'/><geom geom='arm'/></spatial></tendon>"),
        arms("<tendon><spatial><site site='tip'/><pulley divisor='1'/></spatial></tendon>"),
        arms("<tendon><fixed springlength='2 1'><joint joint='elbow' coef='1'/></fixed></tendon>"),
        arms("<actuator><position joint='shoulder' inheritrange='1'/></actuator>"),
        arms("<actuator><general joint='elbow' actrange='0 1'/></actuator>"),
        arms("<actuator><motor joint='elbow' delay='1'/></actuator>"),
        arms("<actuator><orientation joint='elbow'/></actuator>"),
        arms("<sensor><jointpos joint='elbow' cutoff='-1'/></sensor>"),
        arms("<sensor><user dim='3' datatype='quaternion'/></sensor>"),
        arms("<sensor><framequat objtype='body' objname='upper' cutoff='1'/></sensor>"),
        arms("<keyframe><key qpos='1'/></keyframe>"),
        arms("<custom><tuple name='t'/></custom>"),
        arms("<size nuser_geom='1'/><default><geom user='1 2'/></default>"),
    ];
}

#[test]
fn settings() {
    snapshot![
        "<mujoco><option o_solref='1 2 3'/></mujoco>".to_string(),
        "<mujoco><size memory='1'/></mujoco>".to_string(),
        "<mujoco><size nuserdata='-1'/></mujoco>".to_string(),
    ];
}

/// Plugins that nobody has registered are refused by name.
#[test]
fn plugins_that_are_not_registered() {
    for (text, what) in [
        ("<mujoco><extension><plugin plugin='a.cable'/></extension></mujoco>".to_string(), "a.cable"),
        (body("<joint/><geom size='.1'/><plugin plugin='a.b'/>"), "a.b"),
        (arms("<actuator><plugin name='p' joint='elbow' plugin='a.m'/></actuator>"), "a.m"),
    ] {
        let told = told(&text, &[]);
        assert!(told.contains(&format!("error: plugin `{what}` is not registered")), "{told}");
        assert!(told.contains("`mujoco.pid`"), "{told}");
    }
}

/// Errors of reading and of compiling come together, in the order of the text, and none that only
/// follows from another.
#[test]
fn everything_in_one_go() {
    let text = "<mujoco>
  <asset><material name='m' texture='none'/></asset>
  <worldbody>
    <gem name='lost' size='1'/>
    <body name='a'>
      <joint name='j' axs='0 0 1'/>
      <geom name='x' size='one'/>
      <body name='b' mocap='true'><geom size='-1'/></body>
    </body>
    <body name='c'><freejoint/><geom type='box' size='1 1 1' material='gold'/></body>
    <frame mocap='true'/>
  </worldbody>
  <actuator><motor joint='k'/><motor joint='j'/></actuator>
  <sensor><framepos objtype='geom' objname='lost'/><framepos objtype='geom' objname='found'/></sensor>
</mujoco>";
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(told(text, &[])) })
}

/// The place of a problem in another file comes with the way to it, and a missing file does not hide
/// what is wrong elsewhere.
#[test]
fn problems_of_other_files() {
    let text = "<mujoco>
  <include file='parts.xml'/>
  <include file='nowhere.xml'/>
  <asset><model name='hand' file='hand.xml'/></asset>
  <worldbody><geom sise='1'/><body><attach model='hand' body='palm' prefix='r_'/></body></worldbody>
</mujoco>";
    let parts = "<mujoco>\n  <worldbody>\n    <geom size='1 two'/>\n  </worldbody>\n</mujoco>";
    let hand = "<mujoco>\n  <worldbody>\n    <body name='palm'><joint tipe='hinge'/></body>\n  </worldbody>\n</mujoco>";
    let told = told(text, &[("parts.xml", parts), ("hand.xml", hand)]);
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(told) })
}
