//! No input makes the reader panic, what it returns fits what it tells, and is written back whole.

mod common;

use common::{read_with, rewrite};
use proptest::prelude::*;

const MODEL: &str = r#"<mujoco model="m">
  <!-- a -- b -->
  <compiler angle="radian"/>
  <option timestep="0.01"><flag contact="disable"/></option>
  <default><geom size=".1 .2" rgba="1 0 0 1"/><default class="c"><joint damping="1"/><position kp="3"/></default></default>
  <include file="part.xml"/>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="b" pos="0 0 1" euler="0 0 90" childclass="c">
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <joint name="j" axis="0 1 0" range="-1 1"/>
      <frame name="f"><geom type="capsule" fromto="0 0 0 1 0 0"/><site name="s"/></frame>
    </body>
  </worldbody>
  <equality><connect body1="b" anchor="0 0 0"/></equality>
  <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
  <actuator><position joint="j" kp="2"/><muscle tendon="t"/></actuator>
  <sensor><jointpos joint="j"/><framepos objtype="site" objname="s"/></sensor>
  <keyframe><key qpos="1 2"/></keyframe>
</mujoco>"#;

fn check(text: &str) {
    let (spec, report) = read_with(text, &[("part.xml", "<x><custom><numeric name='n' data='1'/></custom></x>")]);
    assert_eq!(spec.is_some(), !report.has_errors());
    let _ = report.to_string();
    if let Some(spec) = spec {
        rewrite(&spec);
    }
}

#[test]
fn the_model_itself_is_good() {
    let (spec, report) = read_with(MODEL, &[("part.xml", "<x><custom/></x>")]);
    assert!(spec.is_some(), "{report}");
}

/// A change of the text: at a place, so many bytes out, some text in.
fn change() -> impl Strategy<Value = (prop::sample::Index, usize, String)> {
    let piece = prop::sample::select(vec![
        "",
        "<",
        ">",
        "/",
        "\"",
        "'",
        "&",
        "=",
        " ",
        "-",
        "--",
        "-->",
        "<!--",
        "</",
        "<a/>",
        "<?",
        "&#1;",
        "\0",
        "é",
        "nan",
        "1e999",
        "<include file=\"part.xml\"/>",
        "name=\"b\"",
        "class=\"c\"",
        "<frame pos=\"1 2 3\">",
        "</frame>",
        "0.1",
    ]);
    (any::<prop::sample::Index>(), 0usize..20, prop_oneof![piece.prop_map(String::from), ".{0,3}"])
}

proptest! {
    #[test]
    fn changed_models_do_not_panic(changes in prop::collection::vec(change(), 1..4)) {
        let mut text = MODEL.to_string();
        for (at, out, piece) in changes {
            let snap = |mut i: usize| { i = i.min(text.len()); while !text.is_char_boundary(i) { i -= 1 } i };
            let start = snap(at.index(text.len() + 1));
            let end = snap(start + out);
            text.replace_range(start..end, &piece);
        }
        check(&text);
    }

    #[test]
    fn random_text_does_not_panic(text in "[<>/=\"' a-z&;!?\\[\\]-]{0,200}") {
        check(&text);
    }

    #[test]
    fn numbers_read_back(x in any::<f64>().prop_filter("finite", |x| x.is_finite())) {
        let (spec, _) = read_with(&format!("<mujoco><option timestep='{x:e}'/></mujoco>"), &[]);
        prop_assert_eq!(spec.unwrap().option.timestep, x);
    }
}
