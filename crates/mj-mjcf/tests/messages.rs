//! What people are told, kind by kind.

mod common;

use common::read_with;

/// Compares with the snapshot of the test's name.
macro_rules! snapshot {
    ($told:expr) => {
        insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!($told) })
    };
}

/// Every case with its report.
fn told(cases: &[&str]) -> String {
    told_with(cases, &[])
}

fn told_with(cases: &[&str], others: &[(&str, &str)]) -> String {
    let mut out = String::new();
    for case in cases {
        let (spec, report) = read_with(case, others);
        assert_eq!(spec.is_some(), !report.has_errors(), "{case}");
        out.push_str(&format!("{case}\n\n{report}{}\n", "-".repeat(40)));
    }
    out
}

/// A geom with some attributes.
fn geom(attributes: &str) -> String {
    format!("<mujoco><worldbody><geom {attributes}/></worldbody></mujoco>")
}

#[test]
fn syntax() {
    snapshot!(told(&[
        "",
        "just text",
        "<mujoco/> trailing text",
        "<mujoco>\n  <worldbody>\n    <body>\n  </worldbody>\n</mujoco>",
        "<mujoco>\n  <worldbody>\n",
        "<mujoco model=\"open>\n</mujoco>",
        "<mujoco model=bare/>",
        "<mujoco model/>",
        "<mujoco model='a' model='b'/>",
        "<mujoco><!-- open </mujoco>",
        "<mujoco>a < b</mujoco>",
        "<mujoco><?xml version='1.0'?></mujoco>",
        "<mujoco></mujoco x>",
        "<worldbody/>",
    ]));
}

#[test]
fn names_of_elements_and_attributes() {
    snapshot!(told(&[
        "<mujoco>\n  <worldbody>\n    <bdy/>\n  </worldbody>\n</mujoco>",
        "<mujoco><option><flags/></option></mujoco>",
        "<mujoco><worldbody><geom size='1'><geom/></geom></worldbody></mujoco>",
        "<mujoco>\n  <worldbody>\n    <geom size='1' colour='1 0 0 1'/>\n  </worldbody>\n</mujoco>",
        "<mujoco><option><flag gravty='disable'/></option></mujoco>",
        "<mujoco><default><geom name='a'/></default></mujoco>",
        "<mujoco><contact foo='1'/></mujoco>",
        "<mujoco><worldbody pos='0 0 0'/></mujoco>",
        "<mujoco><worldbody><joint/><inertial pos='0 0 0' mass='1'/></worldbody></mujoco>",
        "<mujoco><option><flag/><flag/></option></mujoco>",
        "<mujoco><worldbody><body><inertial/></body></worldbody></mujoco>",
        "<mujoco><worldbody><frame mocap='true'/></worldbody><body/></mujoco>",
    ]));
}

#[test]
fn values() {
    let cases: Vec<String> = [
        "size='1,2'",
        "size='one'",
        "size='1 2 3 4'",
        "size='1e999'",
        "size='nan'",
        "size='1' rgba='1 0 0'",
        "size='1' contype='1.0'",
        "size='1' contype='99999999999'",
        "size='1' contype='1 2'",
        "size='1' type='capsul'",
        "size='1' castshadow='yes'",
        "size='1' quat='0 0 0 0'",
        "size='1' quat='1 0 0 0' euler='0 0 0'",
    ]
    .map(geom)
    .into();
    let mut cases: Vec<&str> = cases.iter().map(String::as_str).collect();
    cases.extend([
        "<mujoco><size memory='1X' nuser_geom='-2'/></mujoco>",
        "<mujoco><size memory='1M' njmax='5'/></mujoco>",
        "<mujoco><size nuserdata='2000000000'/></mujoco>",
        "<mujoco><statistic extent='0'/><visual><map znear='-1'/></visual></mujoco>",
        "<mujoco><compiler eulerseq='xyw' coordinate='global'/></mujoco>",
        "<mujoco><option actuatorgroupdisable='1 40'/></mujoco>",
        "<mujoco><worldbody><camera output='rgb rgb dept'/></worldbody></mujoco>",
        "<mujoco><sensor><contact data='force found' num='0'/><rangefinder/></sensor></mujoco>",
        "<mujoco><custom><numeric name='a' size='1' data='1 2'/><text name='t' data=''/><tuple name='u'><element objtype='gem' objname='x'/></tuple></custom></mujoco>",
        "<mujoco><asset><material name='m' texture='t'><layer texture='t' role='rbg'/></material><texture name='t' gridsize='1 2' gridlayout='...'/></asset></mujoco>",
    ]);
    snapshot!(told(&cases));
}

#[test]
fn names_and_classes() {
    snapshot!(told(&[
        "<mujoco>\n  <worldbody>\n    <geom name='a' size='1'/>\n    <geom name='a' size='1'/>\n    <body name='world'/>\n  </worldbody>\n</mujoco>",
        "<mujoco>\n  <default>\n    <default class='leg'/>\n    <default class='leg'/>\n    <default/>\n  </default>\n</mujoco>",
        "<mujoco><default class='legs'/></mujoco>",
        "<mujoco><default><default class='leg'/></default><worldbody><body childclass='lge'><geom class='arm'/></body></worldbody></mujoco>",
    ]));
}

#[test]
fn relations_and_actuators() {
    snapshot!(told(&[
        "<mujoco><equality><connect body1='a' site2='b' anchor='0 0 0'/><connect body1='a'/><weld/><joint/></equality></mujoco>",
        "<mujoco><equality><weld site1='a'/><joint joint1='a' polycoef='0 1 0 0 0 0'/></equality></mujoco>",
        "<mujoco><tendon><fixed><joint joint='a'/></fixed><spatial><geom sidesite='s'/></spatial></tendon></mujoco>",
        "<mujoco><actuator><position joint='a' kv='1' dampratio='1' timeconst='-1'/></actuator></mujoco>",
        "<mujoco><actuator><position joint='a' inheritrange='1' ctrlrange='0 1'/></actuator></mujoco>",
        "<mujoco><actuator><motor joint='a' refsite='s' cranklength='1'/><damper kv='-1' ctrlrange='-1 1'/></actuator></mujoco>",
        "<mujoco><actuator><adhesion gain='-1'/><muscle tausmooth='-1'/></actuator></mujoco>",
        "<mujoco><sensor><framepos objtype='body' objname='b' reftype='site'/><distance geom1='a'/></sensor></mujoco>",
    ]));
}

#[test]
fn not_supported_yet() {
    snapshot!(told(&[
        "<mujoco><worldbody><flexcomp/><frame scale='2'/><body><plugin/></body></worldbody></mujoco>",
        "<mujoco><extension><plugin/></extension><deformable><flex/></deformable><equality><flex/></equality></mujoco>",
        "<mujoco><actuator><plugin/></actuator></mujoco>",
        "<mujoco><sensor><plugin/></sensor></mujoco>",
    ]));
}

#[test]
fn includes() {
    snapshot!(told_with(
        &[
            "<mujoco>\n  <include/>\n</mujoco>",
            "<mujoco>\n  <include file='no.xml'/>\n</mujoco>",
            "<mujoco>\n  <include file='good.xml'/>\n  <include file='./sub/../good.xml'/>\n</mujoco>",
            "<mujoco>\n  <include file='model.xml'/>\n</mujoco>",
            "<mujoco>\n  <include file='bad.xml'/>\n</mujoco>",
            "<mujoco>\n  <include file='broken.xml'/>\n</mujoco>",
            "<mujoco>\n  <include file='empty.xml'/>\n</mujoco>",
            "<mujoco>\n  <include file='hollow.xml'/>\n</mujoco>",
            "<mujoco>\n  <include file='loop.xml'/>\n</mujoco>",
            "<mujoco>\n  <include file='good.xml'><worldbody/></include>\n</mujoco>",
        ],
        &[
            ("good.xml", "<mujocoinclude><worldbody/></mujocoinclude>"),
            ("bad.xml", "<x>\n  <worldbody>\n    <gem/>\n  </worldbody>\n</x>"),
            ("broken.xml", "<x>\n  <worldbody>\n</x>"),
            ("empty.xml", ""),
            ("hollow.xml", "<x/>"),
            ("loop.xml", "<x><include file='loop.xml'/></x>"),
        ],
    ));
}

#[test]
fn expansion() {
    snapshot!(told_with(
        &[
            "<mujoco>\n  <worldbody>\n    <replicate count='-1' ofset='1 0 0'/>\n    <replicate/>\n    <replicate count='2'><freejoint/><geom name='g' size='1'/></replicate>\n  </worldbody>\n</mujoco>",
            "<mujoco>\n  <worldbody>\n    <geom name='g1' size='1'/>\n    <replicate count='2'><geom name='g' size='1'/></replicate>\n  </worldbody>\n</mujoco>",
            "<mujoco><worldbody><body name='a'/><replicate count='2'><body name='b'/></replicate></worldbody><equality><weld name='w' body1='a' body2='b'/></equality></mujoco>",
            "<mujoco><worldbody><body name='leg'/><attach/><attach prefix='x'/><attach body='lge' prefix='x'/><attach body='a' frame='b' prefix='x'/></worldbody></mujoco>",
            "<mujoco><asset><model file='arm.xml'/></asset><worldbody><attach model='ram' prefix=''/><attach model='arm' body='hnd' prefix=''/></worldbody></mujoco>",
            "<mujoco><asset><model/><model file='no.xml'/><model file='model.xml'/><model name='bad' file='bad.xml'/></asset><worldbody><attach model='bad' prefix=''/></worldbody></mujoco>",
            "<mujoco><option timestep='1'/><compiler conflict='error' boundmass='1'/><asset><model file='arm.xml'/></asset><worldbody><attach model='arm' prefix=''/></worldbody></mujoco>",
            "<mujoco><asset><model file='arm.xml'/></asset><worldbody><geom name='pg' size='1'/><attach model='arm' prefix='p'/></worldbody></mujoco>",
        ],
        &[
            (
                "arm.xml",
                "<mujoco model='arm'><option timestep='2'/><worldbody><body name='hand'><geom name='g' size='1'/></body></worldbody></mujoco>"
            ),
            ("bad.xml", "<mujoco>\n  <worldbody><gem/></worldbody>\n  <keyframe/></mujoco>"),
        ],
    ));
}

#[test]
fn urdf() {
    snapshot!(told(&[
        "<robot name='r'>\n  <link/>\n  <link name='a'/>\n  <link name='a'/>\n</robot>",
        "<robot><link name='base'/><link name='arm'/>\n<joint name='j' type='fixed'><parent link='base'/></joint>\n<joint name='k' type='fixed'><parent link='bas'/><child link='arm'/></joint></robot>",
        "<robot><link name='a'/><link name='b'/><link name='c'/>\n<joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint>\n<joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint></robot>",
        "<robot><link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
        "<robot><link name='a'/><link name='b'/>\n<joint name='j' type='revolut'><parent link='a'/><child link='b'/></joint></robot>",
        "<robot><link name='a'/><link name='b'/>\n<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis/><mimic joint='z'/></joint></robot>",
        "<robot><link name='a'>\n<inertial><mass/></inertial>\n<collision><geometry><sphere radius='x'/></geometry></collision>\n<collision><geometry/></collision><collision/></link></robot>",
        "<robot><link name='a'>\n<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='-1' ixy='0' ixz='0' iyz='0'/></inertial>\n<collision><geometry><mesh filename='m.stl'/></geometry></collision></link></robot>",
        "<robot><mujoco><compiler foo='1' fusestatic='maybe'/><asset/></mujoco><mujoco/></robot>",
    ]));
}

#[test]
fn a_missing_file_is_told() {
    let (spec, report) = mj_mjcf::read("no/such.xml", &mj_mjcf::Memory::new());
    assert!(spec.is_none());
    assert_eq!(report.to_string(), "error: cannot read `no/such.xml`: there is no such file\n");
}

/// The reference does not look for unknown attributes in frames and replicates: a warning does.
#[test]
fn unknown_attributes_in_frames_are_passed_over() {
    for part in ["frame", "replicate count='2'"] {
        let tag = part.split(' ').next().unwrap();
        let text = format!(
            "<mujoco><worldbody><{part} a='1'><body b='2'><geom size='1' c='3'/></body></{tag}></worldbody></mujoco>"
        );
        let (spec, report) = read_with(&text, &[]);
        assert!(spec.is_some(), "{report}");
        assert_eq!(report.to_string().matches("warning: unknown attribute").count(), 3, "{report}");
    }
    let (spec, _) = read_with("<mujoco><worldbody><frame/><geom size='1' c='3'/></worldbody></mujoco>", &[]);
    assert!(spec.is_none());
}
