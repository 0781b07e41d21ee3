//! Scenes of surfaces that slide and of tendons that hang: analytic answers.

use mj_engine::prelude::*;
use mj_scene::*;

fn scene_of(xml: &str, options: &SceneOptions) -> Scene {
    let mut sim = Simulation::from_xml(xml).expect("compiles");
    sim.forward().expect("runs");
    let mut scene = Scene::default();
    let mut camera = Camera::default();
    update_scene(sim.model(), sim.data(), options, None, &mut camera, category::ALL, &mut scene).expect("fits");
    scene
}

/// Returns shapes and extents along x of the arrows of a contact between two balls whose surfaces move along x.
fn arrows(velocity: [&str; 2], joints: [&str; 2]) -> Vec<(SceneShape, f64)> {
    let xml = format!(
        r#"<mujoco><worldbody>
          <body>{}<geom size=".1" surfacevel="{} 0 0 0 0 0"/></body>
          <body pos="0 0 .19">{}<geom size=".1" surfacevel="{} 0 0 0 0 0"/></body></worldbody></mujoco>"#,
        joints[0], velocity[0], joints[1], velocity[1]
    );
    let mut options = SceneOptions::default();
    options.flags[VisFlag::ContactPoint as usize] = true;
    let scene = scene_of(&xml, &options);
    let arrows = scene.geoms.iter().filter(|g| matches!(g.r#type, SceneShape::Arrow | SceneShape::Arrow2));
    arrows.map(|g| (g.r#type, f64::from(g.mat[2] * 2.0 * g.size[2]))).collect()
}

#[test]
fn the_velocity_of_surfaces_points_to_the_side_that_moves() {
    let free = "<freejoint/>";
    let only = |arrows: Vec<(SceneShape, f64)>| match arrows[..] {
        [arrow] => arrow,
        _ => panic!("{arrows:?}"),
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    let (shape, x) = only(arrows(["1", "-1"], ["", free]));
    assert_eq!(shape, SceneShape::Arrow);
    near(x, 2.0);
    let (shape, x) = only(arrows(["1", "-1"], [free, ""]));
    assert_eq!(shape, SceneShape::Arrow);
    near(x, -2.0);
    let (shape, x) = only(arrows(["1", "0"], [free, free]));
    assert_eq!(shape, SceneShape::Arrow2);
    near(x, 1.0);
    assert!(arrows(["1", "1"], [free, free]).is_empty());
}

#[test]
fn a_hanging_tendon_has_one_label() {
    let xml = r#"<mujoco><worldbody><site name="a"/><body pos="1 0 0"><joint/><geom size=".1"/><site name="b"/></body></worldbody>
      <tendon><spatial name="cord" limited="true" range="0 2"><site site="a"/><site site="b"/></spatial></tendon></mujoco>"#;
    let scene = scene_of(xml, &SceneOptions { label: LabelKind::Tendon, ..SceneOptions::default() });
    let labels: Vec<&str> = scene.geoms.iter().map(|g| &*g.label).filter(|label| !label.is_empty()).collect();
    assert_eq!(labels, ["cord"]);
}
