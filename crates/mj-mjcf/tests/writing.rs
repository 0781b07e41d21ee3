//! What a spec becomes as text, and that it is the same when read again.

mod common;

use common::{contents, good, rewrite};
use mj_math::DVec3;
use mj_mjcf::{FileSystem, read};
use mj_model::Spec;
use mj_model::spec::*;
use std::path::Path;

#[test]
fn bundled_models_are_written_back_whole() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "xml") {
            let (spec, report) = read(&path, &FileSystem::default());
            rewrite(&spec.unwrap_or_else(|| panic!("{report}")));
            seen += 1;
        }
    }
    assert!(seen > 10);
}

/// An attribute of every kind, every section and every kind of element.
const EVERYTHING: &str = r#"<mujoco model="a &quot;b&quot; &amp; &#10;&lt;c&gt;">
  <compiler angle="radian" eulerseq="XYz" autolimits="false" meshdir="m" inertiagrouprange="0 3" fusestatic="true"/>
  <option timestep="0.1" gravity="0 0 -1e-3" integrator="RK4" o_solref="0.1" actuatorgroupdisable="0 3 30">
    <flag gravity="disable" energy="enable"/>
  </option>
  <size memory="1M" nuserdata="3" nkey="2" nuser_body="2" nuser_geom="-1"/>
  <visual><map znear="0.02"/><headlight ambient=".1 .2 .3" active="0"/></visual>
  <visual><map zfar="10"/><global ellipsoidinertia="true" fovy="30"/></visual>
  <statistic extent="2" center="1 2 3"/>
  <default>
    <geom solimp="0.8" friction="0.5" size="0.1" euler="0 0 1"/>
    <joint damping="1 2" limited="true" range="-1 1"/>
    <position kp="7"/>
    <default class="a"><geom type="box" size="1 2 3"/><material specular="0.1"><layer role="orm" texture="t"/></material>
      <default class="aa"><geom rgba="0.1 0.2 0.3 1"/><tendon springlength="1 2"/><muscle timeconst="0.02 0.05"/></default>
    </default>
    <default class="b"><pair friction="1 1" solref="0.1"/><equality solref="0.3 2"/><camera fovy="60"/><site size="0.2"/></default>
  </default>
  <custom><numeric name="n" size="4" data="1 2.5"/><text name="t" data="x &#9; y"/>
    <tuple name="u"><element objtype="body" objname="p" prm="0.5"/><element objtype="site" objname="s"/></tuple></custom>
  <asset>
    <texture name="t" type="2d" builtin="checker" width="8" height="8" mark="cross" rgb1="1 0 0"/>
    <texture type="skybox" fileright="r.png" fileleft="l.png" name="sky"/>
    <material name="m" texture="t" texrepeat="2 3"/>
    <material name="l" class="a"><layer role="rgb" texture="t"/><layer role="normal" texture="t"/></material>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" zaxis="0 1 1"/>
    <light type="directional" pos="0 0 1" dir="0 1 -1" castshadow="false" mode="targetbody" target="p"/>
    <frame name="f" pos="1 0 0" childclass="a">
      <geom name="g0"/>
      <frame axisangle="0 0 1 1.5"><body name="p" mocap="true" gravcomp="0.5" sleep="never" user="1 2"/></frame>
      <geom name="g1" class="aa" quat="1 1 0 0"/>
    </frame>
    <camera name="c" sensorsize="1 2" focal="0.1 0.2" resolution="10 20" output="depth rgb" xyaxes="1 0 0 0 0 1"/>
    <camera class="b" mode="track"/>
    <body name="q" pos="0 0 1" childclass="a">
      <inertial pos="0 0 0.1" mass="2" fullinertia="1 1 1 0.1 0.2 0.3"/>
      <joint name="j" type="slide" axis="1 0 0" ref="0.1" springdamper="0.1 1" stiffness="1 2 3"/>
      <geom name="g2"/>
      <frame pos="0 0 1"><site name="s" fromto="0 0 0 1 1 1" type="capsule" class="b"/><joint name="k" class="main"/></frame>
      <geom name="g3" mass="0.5" fluidshape="ellipsoid" fluidcoef="1" surfacevel="1"/>
      <body simple="false" fuse="false"><freejoint name="free" align="false"/><geom name="g4" type="sphere" size="0.3"/></body>
      <body><joint name="free2" type="free"/><geom name="g5" type="sphere"/></body>
    </body>
  </worldbody>
  <contact><pair geom1="g0" geom2="g1" class="b" friction="0.3"/><pair geom1="g2" geom2="g3" margin="0.1"/>
    <exclude name="e" body1="p" body2="q"/></contact>
  <equality>
    <connect name="c1" body1="p" anchor="0 1 0"/><connect site1="s" site2="s"/>
    <weld body1="p" body2="q" relpose="1 2 3 1 0 0 0" anchor="0 1 0" torquescale="3" class="b"/><weld site1="s" site2="s"/>
    <joint joint1="j" joint2="k" polycoef="0 2"/><tendon tendon1="t1" active="false"/>
  </equality>
  <tendon>
    <spatial name="t0" class="aa" width="0.1" springlength="3"><site site="s"/><geom geom="g4" sidesite="s"/><pulley divisor="2"/><site site="s"/></spatial>
    <fixed name="t1" stiffness="3" range="0 1"><joint joint="j" coef="-0.5"/></fixed>
  </tendon>
  <actuator>
    <general joint="j" gaintype="affine" gainprm="1 2 3" dyntype="filter" dynprm="0.1" ctrlrange="-1 1" actearly="true"/>
    <position name="pos" joint="j" dampratio="1"/><velocity joint="k" kv="3"/><intvelocity joint="j" kp="2" actrange="0 1"/>
    <cylinder tendon="t0" diameter="0.1"/><damper joint="j" kv="2" ctrlrange="0 1"/><muscle class="aa" tendon="t0" lengthrange="0 1"/>
    <adhesion body="q" gain="3" ctrlrange="0 1"/><motor cranksite="s" slidersite="s" cranklength="0.1" gear="2"/>
    <motor site="s" refsite="s" nsample="3" interp="linear" delay="0.1"/><motor jointinparent="k" group="2" user="1"/>
  </actuator>
  <sensor>
    <touch name="touch" site="s" cutoff="1" noise="0.1"/><framepos objtype="site" objname="s" reftype="body" refname="q"/>
    <rangefinder site="s" data="dist point"/><contact geom1="g0" subtree2="q" num="3" data="found force" reduce="maxforce"/>
    <distance geom1="g0" body2="q"/><insidesite objtype="body" objname="q" site="s" enclosed="true"/><clock/>
    <user dim="3" objtype="site" objname="s" needstage="vel" datatype="axis"/><jointpos joint="j" interval="0.1" delay="0.2" nsample="2"/>
  </sensor>
  <keyframe><key name="k0" time="1" qpos="1 2 3" ctrl="0.1"/><key/></keyframe>
</mujoco>"#;

#[test]
fn everything_is_written_back_whole() {
    insta::assert_snapshot!(rewrite(&good(EVERYTHING)));
}

#[test]
fn numbers_are_exact_and_short() {
    let spec = good(
        "<mujoco><worldbody><geom size='0.30000000000000004' rgba='.1 0.2 1e-10 1' pos='1e-200 -0 1e22'/></worldbody></mujoco>",
    );
    let text = rewrite(&spec);
    assert!(
        text.contains(r#"<geom size="0.30000000000000004" pos="1e-200 -0 1e22" rgba="0.1 0.2 1e-10 1"/>"#),
        "{text}"
    );
}

/// Lists that no text has in this order: elements keep their order, and a frame is opened again.
#[test]
fn interleaved_frames_keep_the_order() {
    let geom = |name: &str, frame| Geom { name: name.into(), frame, size: [0.1; 3], ..Default::default() };
    let worldbody = Body {
        frames: vec![
            Frame { name: "f".into(), pos: DVec3::X, ..Default::default() },
            Frame { name: "g".into(), parent: Some(0), pos: DVec3::Y, ..Default::default() },
        ],
        geoms: vec![
            geom("a", Some(1)),
            geom("b", None),
            geom("c", Some(0)),
            geom("d", Some(1)),
            geom("e", None),
            geom("f", Some(7)),
        ],
        sites: vec![Site { name: "s".into(), ..Default::default() }, Site { frame: Some(0), ..Default::default() }],
        ..Default::default()
    };
    let spec = Spec { worldbody, ..Default::default() };
    let again = good(&mj_mjcf::write(&spec));
    let names: Vec<&str> = again.worldbody.geoms.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e", "f"]);
    let place = |g: &Geom| {
        let (mut at, mut frame) = (DVec3::ZERO, g.frame);
        while let Some(f) = frame {
            at += again.worldbody.frames[f].pos;
            frame = again.worldbody.frames[f].parent;
        }
        at.to_array()
    };
    let places: Vec<_> = again.worldbody.geoms.iter().map(place).collect();
    let (x, xy, zero) = ([1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0; 3]);
    assert_eq!(places, [xy, zero, x, xy, zero, zero]);
    assert_eq!(again.worldbody.sites[0].name, "s");
}

#[test]
fn an_empty_spec_is_a_model() {
    let (a, b) = (good("<mujoco/>"), good(&mj_mjcf::write(&good("<mujoco/>"))));
    assert_eq!(contents(&a), contents(&b));
    good(&mj_mjcf::write(&Spec::default()));
}

/// What has no engine yet is kept all the same.
#[test]
fn flexes_and_plugins_are_written_back() {
    let spec = good(
        "<mujoco>
           <compiler savecanonical='false' passthrough='textures' conflict='merge'/>
           <size njmax='5' nconmax='6'/>
           <extension><plugin plugin='a.cable'><instance name='i'><config key='twist' value='1'/></instance></plugin></extension>
           <asset>
             <mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'><plugin plugin='a.sdf'><config key='r' value='2'/></plugin></mesh>
             <texture name='t' type='2d' builtin='flat' width='2' height='2' embed='true' content_type='image/png'/>
           </asset>
           <worldbody>
             <body name='b'><plugin instance='i'/><joint name='j'/>
               <geom type='sdf' mesh='m'><plugin plugin='a.sdf'/></geom>
               <frame euler='1 2 3'>
                 <flexcomp name='cloth' type='grid' count='3 4 1' dim='2' dof='2d' rgba='1 0 0 1' zaxis='0 1 0' mass='2'>
                   <edge equality='strain' solref='.1'/><elasticity young='5' yield='1' section='box'/>
                   <contact selfcollide='none' friction='2'/><pin id='0 1'/><pin gridrange='0 0 1 1'/>
                   <plugin instance='i'/>
                 </flexcomp>
               </frame>
             </body>
           </worldbody>
           <deformable>
             <flex name='f' dim='1' body='b' vertex='0 0 0 1 0 0' element='0 1' dof='quadratic'>
               <edge stiffness='3'/><contact passive='true'/>
             </flex>
           </deformable>
           <equality><flex flex='f' solref='.5 1'/><flexstrain flex='f' cell='0 1 2'/><flexstrain flex='f'/></equality>
           <actuator><plugin joint='j' plugin='a.motor' dyntype='filter' actdim='2'><config key='k' value='v'/></plugin></actuator>
           <sensor>
             <plugin plugin='a.eye' objtype='site' objname='s' cutoff='2'><config key='n' value='3'/></plugin>
           </sensor>
         </mujoco>",
    );
    let text = rewrite(&spec);
    for kept in
        ["savecanonical", "passthrough", "merge", "njmax", "twist", "a.sdf", "gridrange", "strain", "content_type"]
    {
        assert!(text.contains(kept), "{kept}");
    }
}

/// Texts of several lines or with markup are written as they were read, in CDATA sections.
#[test]
fn texts_in_cdata_sections() {
    let text = |data: &str| {
        let (spec, report) =
            mj_mjcf::read_str(&format!("<mujoco><custom>{data}</custom></mujoco>"), &mj_mjcf::Memory::new());
        spec.unwrap_or_else(|| panic!("{report}"))
    };
    for (written, data) in [
        ("<text name='t'>ignored <![CDATA[if x < y && z:\r\n  go(\"a\")]]> too</text>", "if x < y && z:\n  go(\"a\")"),
        ("<text name='t'><!-- c --><![CDATA[ plain ]]></text>", " plain "),
        ("<text name='t' data='a &lt; ]]&gt;'/>", "a < ]]>"),
        ("<text name='t' data='1 &lt; 2&#13;'/>", "1 < 2\r"),
    ] {
        let spec = text(written);
        assert_eq!(spec.texts[0].data, data);
        let saved = mj_mjcf::write(&spec);
        assert_eq!(
            saved.contains("<![CDATA["),
            data.contains('<') && !data.contains("]]>") && !data.contains('\r'),
            "{saved}"
        );
        let (again, _) = mj_mjcf::read_str(&saved, &mj_mjcf::Memory::new());
        assert_eq!(again.unwrap().texts[0].data, data, "{saved}");
    }
}
