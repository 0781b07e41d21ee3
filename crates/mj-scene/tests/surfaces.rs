//! Surfaces of flexes: analytic answers.

use mj_engine::prelude::*;
use mj_scene::*;

#[test]
fn both_sides_of_a_sheet_with_flat_shading_face_outwards() {
    let sheet = r#"<mujoco><worldbody>
      <flexcomp name="sheet" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01" flatskin="true"/>
    </worldbody></mujoco>"#;
    let mut sim = Simulation::from_xml(sheet).expect("compiles");
    sim.forward().expect("runs");
    let (mut scene, mut camera) = (Scene::default(), Camera::free(sim.model()));
    let options = SceneOptions::default();
    update_scene(sim.model(), sim.data(), &options, None, &mut camera, category::ALL, &mut scene).expect("fits");

    let faces = &scene.flexes[0].faces;
    // Eight triangles, each on both sides; strips around them.
    let (above, below) = (faces.normals.iter().filter(|n| n[2] > 0.5), faces.normals.iter().filter(|n| n[2] < -0.5));
    assert_eq!((above.count(), below.count()), (24, 24));
    for (normals, corners) in faces.normals.chunks_exact(3).zip(faces.positions.chunks_exact(3)) {
        if normals[0][2].abs() > 0.5 {
            for corner in corners {
                assert!(
                    corner[2] * normals[0][2] > 0.0,
                    "{corners:?} is on the other side of the sheet than {normals:?}"
                );
            }
        }
    }
}
