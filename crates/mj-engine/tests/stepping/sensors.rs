//! Sensors of rays, distances, zones and contacts, with known answers.

use mj_engine::model::SiteId;
use mj_engine::{Data, Model, forward, load_str, step};
use mj_math::DVec3;
use std::f64::consts::FRAC_1_SQRT_2;

/// A model of a scene and its sensors, at its reset state after `forward`.
fn measured(scene: &str, sensors: &str) -> (Model, Data) {
    let xml = format!("<mujoco>{scene}<sensor>{sensors}</sensor></mujoco>");
    let m = load_str(&xml).unwrap_or_else(|e| panic!("{e}"));
    let mut d = Data::new(&m).unwrap();
    forward(&m, &mut d).unwrap();
    (m, d)
}

/// The readings of the `i`th sensor.
fn reading<'a>(m: &Model, d: &'a Data, i: usize) -> &'a [f64] {
    let first = m.sensor.adr.as_slice()[i] as usize;
    &d.sensordata[first..first + m.sensor.dim.as_slice()[i] as usize]
}

#[track_caller]
fn close(got: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len());
    assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance), "{got:?}, expected {expected:?}");
}

#[test]
fn a_ray_passes_its_own_body_and_what_is_invisible() {
    let (m, d) = measured(
        r#"<asset><material name="glass" rgba="1 1 1 0"/></asset><worldbody>
          <body pos="0 0 2"><geom type="sphere" size=".2"/><site name="eye" euler="180 0 0"/></body>
          <geom type="box" size="1 1 .1" pos="0 0 1.2" rgba="1 1 1 0"/>
          <geom type="box" size="1 1 .1" pos="0 0 1" material="glass"/>
          <geom type="sphere" size=".3" pos="0 0 .3"/></worldbody>"#,
        r#"<rangefinder site="eye" data="dist dir origin point normal depth"/><rangefinder site="eye" cutoff="1"/>"#,
    );
    close(reading(&m, &d, 0), &[1.4, 0., 0., -1., 0., 0., 2., 0., 0., 0.6, 0., 0., 1., 1.4], 1e-12);
    close(reading(&m, &d, 1), &[1.0], 0.0);
}

#[test]
fn a_ray_into_the_void_says_so() {
    let (m, d) = measured(
        r#"<worldbody><geom type="plane" size="1 1 1"/><body><site name="eye" pos="1 2 3"/>
          <site name="past_the_edge" pos="1.5 0 1" euler="180 0 0"/></body></worldbody>"#,
        r#"<rangefinder site="eye" data="dist dir origin point normal depth"/><rangefinder site="past_the_edge"/>"#,
    );
    close(reading(&m, &d, 0), &[-1., 0., 0., 0., 1., 2., 3., 0., 0., 0., 0., 0., 0., -1.], 0.0);
    close(reading(&m, &d, 1), &[-1.0], 0.0);
}

#[test]
fn pixels_of_a_camera_see_a_wall_at_one_depth() {
    let scene = |camera: &str| {
        format!(
            r#"<worldbody><geom type="box" size="9 9 .5" pos="0 0 -.5"/>
              <body><camera name="eye" pos="0 0 2" resolution="2 2" {camera}/></body></worldbody>"#
        )
    };
    // A right angle over two pixels: their centres are at a tangent of one half.
    let (m, d) = measured(&scene(r#"fovy="90""#), r#"<rangefinder camera="eye" data="dist point depth"/>"#);
    let dist = 2.0 * 1.5f64.sqrt();
    let expected = [(-1., 1.), (1., 1.), (-1., -1.), (1., -1.)].map(|(x, y)| [dist, x, y, 0.0, 2.0]);
    close(reading(&m, &d, 0), expected.as_flattened(), 1e-12);

    let orthographic = r#"projection="orthographic" fovy="3""#;
    let (m, d) = measured(&scene(orthographic), r#"<rangefinder camera="eye" data="dist origin"/>"#);
    let expected = [(-0.75, 0.75), (0.75, 0.75), (-0.75, -0.75), (0.75, -0.75)].map(|(x, y)| [2.0, x, y, 2.0]);
    close(reading(&m, &d, 0), expected.as_flattened(), 1e-12);
}

#[test]
fn a_point_is_seen_where_its_pixel_is() {
    let (m, d) = measured(
        r#"<worldbody><camera name="eye" resolution="200 100" fovy="90"/><site name="ahead" pos="0 0 -3"/>
          <site name="corner" pos="4 2 -2"/></worldbody>"#,
        r#"<camprojection site="ahead" camera="eye"/><camprojection site="corner" camera="eye"/>"#,
    );
    close(reading(&m, &d, 0), &[100.0, 50.0], 1e-12);
    close(reading(&m, &d, 1), &[200.0, 0.0], 1e-12);
}

#[test]
fn distances_up_to_the_cutoff() {
    let (m, d) = measured(
        r#"<worldbody><geom name="ball" size=".2"/><body name="two" pos="1 0 0"><geom name="far" size=".1" pos="1 0 0"/>
          <geom name="near" type="box" size=".3 .1 .1"/></body><body pos="1.2 0 0"><geom name="in" size=".2"/></body>
          </worldbody>"#,
        r#"<distance geom1="ball" body2="two" cutoff="1"/><normal geom1="ball" body2="two" cutoff="1"/>
           <fromto body1="two" geom2="ball" cutoff="1"/><distance geom1="ball" geom2="near" cutoff=".4"/>
           <fromto geom1="ball" geom2="near" cutoff=".4"/><normal geom1="ball" geom2="near"/>
           <distance geom1="near" geom2="in"/>"#,
    );
    close(reading(&m, &d, 0), &[0.5], 1e-12);
    close(reading(&m, &d, 1), &[1.0, 0.0, 0.0], 1e-12);
    close(reading(&m, &d, 2), &[0.7, 0.0, 0.0, 0.2, 0.0, 0.0], 1e-12);
    close(reading(&m, &d, 3), &[0.4], 0.0);
    close(reading(&m, &d, 4), &[0.0; 6], 0.0);
    close(reading(&m, &d, 5), &[0.0; 3], 0.0);
    // The centre is 0.1 inside the end and the sides.
    close(reading(&m, &d, 6), &[-0.3], 1e-9);
}

#[test]
fn what_a_site_encloses() {
    let (m, d) = measured(
        r#"<worldbody><site name="zone" type="box" size="1 1 1"/>
          <body name="b" pos=".5 0 0"><geom name="g" size=".2"/><body name="leaf" pos="1 0 0"><geom size=".1"/></body></body>
          </worldbody>"#,
        r#"<insidesite objtype="geom" objname="g" site="zone"/><insidesite objtype="xbody" objname="leaf" site="zone"/>
           <insidesite objtype="geom" objname="g" site="zone" enclosed="true"/>
           <insidesite objtype="body" objname="b" site="zone" enclosed="true"/>
           <insidesite objtype="xbody" objname="b" site="zone" enclosed="true"/>"#,
    );
    close(&d.sensordata, &[1.0, 0.0, -0.3, -0.3, 0.6], 1e-12);
    assert_eq!(m.sensor.datatype.as_slice()[0].keyword(), "positive");
    assert_eq!(m.sensor.datatype.as_slice()[2].keyword(), "real");
}

const BOX_ON_FLOOR: &str = r#"<worldbody><geom name="floor" type="plane" size="5 5 1"/>
    <body name="box" pos="0 0 .1"><freejoint/><geom name="cube" type="box" size=".1 .1 .1" mass="2"/>
    <body name="inner"><geom size=".01" mass="1e-3"/></body></body>
    <site name="half" type="box" size="1 1 1" pos="1 0 0"/></worldbody>"#;

#[test]
fn the_floor_bears_a_box() {
    let (m, mut d) = measured(
        BOX_ON_FLOOR,
        r#"<contact reduce="netforce" geom1="floor" data="found force torque pos normal"/>
           <contact reduce="netforce" geom1="cube" data="force"/><contact geom1="cube"/><contact body2="inner"/>
           <contact subtree1="box" geom2="floor" num="3" data="found normal"/><contact site="half" num="5" data="found pos"/>
           <contact geom1="floor" num="9" reduce="maxforce" data="force"/>"#,
    );
    for _ in 0..1000 {
        step(&m, &mut d).unwrap();
    }
    let weight = 2.001 * 9.81;
    let net = reading(&m, &d, 0);
    close(&net[..7], &[4.0, 0.0, 0.0, weight, 0.0, 0.0, 0.0], 1e-4);
    close(&net[10..], &[1.0, 0.0, 0.0], 0.0);
    close(reading(&m, &d, 1), &[0.0, 0.0, -weight], 1e-4);
    close(reading(&m, &d, 2), &[4.0], 0.0);
    close(reading(&m, &d, 3), &[0.0], 0.0);
    close(reading(&m, &d, 4), &[4., 0., 0., -1., 4., 0., 0., -1., 4., 0., 0., -1.], 1e-9);
    // Of four corners, those at x > 0 are inside the site.
    let found: Vec<f64> = reading(&m, &d, 5).chunks(4).map(|slot| slot[0]).collect();
    assert_eq!(found, [2.0, 2.0, 0.0, 0.0, 0.0]);
    assert!(reading(&m, &d, 5).chunks(4).take(2).all(|slot| slot[1] > 0.09));
    let forces = reading(&m, &d, 6);
    let normals: Vec<f64> = forces.chunks(3).map(|f| f[0]).collect();
    assert!(normals.windows(2).take(3).all(|w| w[0] >= w[1] - 1e-12) && normals[4..].iter().all(|&f| f == 0.0));
    assert!((normals.iter().sum::<f64>() - weight).abs() < 1e-4);
}

#[test]
fn contact_velocities_in_the_contact_frame() {
    let scene = r#"<worldbody><geom name="floor" type="plane" size="5 5 1"/>
        <body pos="0 0 .1"><freejoint/><geom name="ball" size=".1"/></body></worldbody>"#;
    let (m, mut d) = measured(
        scene,
        r#"<contact geom1="floor" data="normal tangent linvel angvel"/>
           <contact geom1="ball" data="normal tangent linvel angvel"/><contact geom1="ball" reduce="mindist" data="dist"/>"#,
    );
    d.state.qpos[2] = 0.099;
    // Linear velocity of the centre, and spin.
    d.state.qvel.copy_from_slice(&[1.0, 2.0, 3.0, 0.0, 0.0, 5.0]);
    forward(&m, &mut d).unwrap();
    assert_eq!(m.sensor.needstage.as_slice()[0].keyword(), "vel");
    // The frame is z, y, −x; the lowest point moves with the centre.
    close(reading(&m, &d, 0), &[0., 0., 1., 0., 1., 0., 3., 2., -1., 5., 0., 0.], 1e-12);
    // Turned round: velocity of the floor relative to the ball, in the frame −z, −y, −x.
    close(reading(&m, &d, 1), &[0., 0., -1., 0., -1., 0., 3., 2., 1., 5., 0., 0.], 1e-12);
    close(reading(&m, &d, 2), &[-0.001], 1e-12);
}

#[test]
fn a_tilted_ray_meets_a_slope_against_its_normal() {
    let (m, d) = measured(
        r#"<worldbody><geom type="box" size="5 5 .1" euler="0 45 0"/><body pos="0 0 3"><site name="eye" euler="180 0 0"/></body></worldbody>"#,
        r#"<rangefinder site="eye" data="dist normal"/>"#,
    );
    close(reading(&m, &d, 0), &[3.0 - 0.1 / FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2], 1e-12);
}

#[test]
fn faults_are_named() {
    let scene = r#"<worldbody><camera name="blind" resolution="0 0"/><site name="s"/><geom name="floor" type="plane" size="1 1 1"/>
        <geom name="g" size=".1"/><body name="empty"/></worldbody>"#;
    for (sensor, message) in [
        (r#"<distance geom1="g" geom2="g"/>"#, "itself"),
        (r#"<contact reduce="netforce" data="linvel"/>"#, "no velocity"),
        (r#"<contact num="2000000000" data="force"/>"#, "too many"),
        (r#"<insidesite objtype="geom" objname="floor" site="s" enclosed="true"/>"#, "encloses a plane"),
        (r#"<insidesite objtype="body" objname="empty" site="s" enclosed="true"/>"#, "no geom"),
        (r#"<insidesite objtype="camera" objname="blind" site="s" enclosed="true"/>"#, "no extent"),
        (r#"<camprojection site="s" camera="blind"/>"#, "resolution"),
    ] {
        let xml = format!("<mujoco>{scene}<sensor>{sensor}</sensor></mujoco>");
        let report = load_str(&xml).expect_err(sensor).to_string();
        assert!(report.contains(message), "{sensor}: {report}");
    }
}

#[test]
fn taxels_feel_how_deep_they_are_and_how_they_slip() {
    let scene = r#"<asset><mesh name="sheet" builtin="plate" params="2 2" scale=".1 .1 .1"/></asset><worldbody>
        <body pos="0 0 .1"><freejoint/><geom name="pad" type="box" size=".1 .1 .1"/></body>
        <geom type="plane" size="1 1 1" pos="0 0 .12"/><geom type="plane" size="1 1 1" pos="0 0 .13"/></worldbody>
        <keyframe><key qvel=".3 0 .2 0 0 0"/><key qvel="0 0 0 2 0 0"/></keyframe>"#;
    let (m, mut d) = measured(scene, r#"<tactile geom="pad" mesh="sheet"/>"#);
    // The sheet stands upright in the pad: its points are at heights of .05 and .15.
    let depth = [0.0, 0.08, 0.0, 0.08];
    let deep = |speed: f64| depth.map(|x: f64| if x > 0.0 { speed } else { 0.0 });
    let expected = |up: f64, along: f64| [depth, deep(up), deep(along)].concat();
    let mut at = |key: usize| {
        d.state.set_key(&m, mj_engine::model::KeyId::new(key));
        forward(&m, &mut d).unwrap();
        reading(&m, &d, 0).to_vec()
    };
    // Both planes count: the speeds are summed, the depths are not.
    close(&at(0), &expected(0.4, 0.6), 1e-7);
    // A turn about x moves them up and down by 2·0.05.
    close(&at(1), &expected(0.2, 0.0), 1e-7);
}

#[test]
fn a_mesh_as_a_zone_is_its_convex_hull_where_it_was_written() {
    // A corner of a cube, and an arch of triangles whose hull fills it.
    let scene = r#"<asset><mesh name="corner" vertex="0 0 0 .4 0 0 0 .2 0 0 0 .2"/>
        <mesh name="ring" builtin="supertorus" params="12 .3 1 1" scale=".2 .2 .2"/></asset><worldbody>
        <site name="zone" type="mesh" mesh="corner" pos="1 0 0" euler="0 0 90"/>
        <site name="wheel" type="mesh" mesh="ring"/>
        <site name="in" pos=".99 .02 .01"/><site name="out" pos=".9 .3 .1"/><site name="hub"/></worldbody>"#;
    let of = |zone: &str, point: &str| format!(r#"<insidesite site="{zone}" objtype="site" objname="{point}"/>"#);
    let sensors = [of("zone", "in"), of("zone", "out"), of("wheel", "hub"), of("wheel", "out")].concat();
    let (_, d) = measured(scene, &sensors);
    close(&d.sensordata, &[1.0, 0.0, 1.0, 0.0], 0.0);
}

/// A site that is a mesh is the mesh's convex hull where the mesh was written, wherever its own frame is.
#[test]
fn meshes_are_zones() {
    // A box between 1 and 1.2 along x, and 0.2 wide.
    let corners = "1 -.1 -.1  1.2 -.1 -.1  1 .1 -.1  1.2 .1 -.1  1 -.1 .1  1.2 -.1 .1  1 .1 .1  1.2 .1 .1";
    let scene = |site: &str| {
        format!(
            r#"<asset><mesh name="m" vertex="{corners}"/></asset><worldbody><geom type="plane" size="5 5 .1"/>
               <body name="ball" pos="0 0 .099"><freejoint/><geom name="ball" size=".1"/>
                 <site name="s" type="mesh" mesh="m" pos="{site}"/></body>
               <body pos="1.15 0 1"><geom name="pea" size=".01" contype="0" conaffinity="0"/></body></worldbody>"#
        )
    };
    let sensors = r#"<touch site="s"/><insidesite site="s" objtype="geom" objname="pea"/>
        <insidesite site="s" objtype="geom" objname="pea" enclosed="true"/>"#;
    // About the contact, and about the pea.
    let (m, d) = measured(&scene("-1.1 0 -.1"), sensors);
    assert!(
        d.sensordata[0] > 1.0
            && (d.sensordata[0] - d.solution.efc_force[0..d.rows.nefc()].iter().sum::<f64>()).abs() < 1e-9
    );
    assert_eq!(reading(&m, &d, 1), [0.0]);
    let (m, d) = measured(&scene("0 0 .901"), sensors);
    close(reading(&m, &d, 1), &[1.0], 0.0);
    close(reading(&m, &d, 2), &[-0.04], 1e-6);
    assert_eq!(reading(&m, &d, 0), [0.0]);
    // Past an edge and past a corner.
    let (m, d) = measured(&scene("-.3 0 .671"), sensors);
    close(reading(&m, &d, 2), &[0.25f64.hypot(0.13) + 0.01], 1e-6);
    assert_eq!(reading(&m, &d, 1), [0.0]);
}

/// A site of type `sdf` has a size but no function: nothing is in it, and no enclosure can be measured.
#[test]
fn sites_without_a_function_hold_nothing() {
    let scene = r#"<worldbody><geom type="plane" size="5 5 .1"/><body name="ball" pos="0 0 .099"><freejoint/>
        <geom name="ball" size=".1"/><site name="s" type="sdf" size=".4"/></body></worldbody>"#;
    let sensors = r#"<touch site="s"/><insidesite site="s" objtype="geom" objname="ball"/><rangefinder site="s"/>"#;
    let (m, d) = measured(scene, sensors);
    assert_eq!((m.site.size[SiteId::new(0)], d.contacts.len()), (DVec3::new(0.4, 0.005, 0.005), 1));
    close(&d.sensordata, &[0.0, 0.0, -1.0], 0.0);
    for [zone, kind, name] in [["s", "geom", "ball"], ["box", "site", "s"]] {
        let xml = scene.replace("<site", r#"<site name="box" type="box" size="1 1 1"/><site"#);
        let sensor = format!(r#"<insidesite site="{zone}" objtype="{kind}" objname="{name}" enclosed="true"/>"#);
        let text = load_str(&format!("<mujoco>{xml}<sensor>{sensor}</sensor></mujoco>")).unwrap_err().to_string();
        assert!(text.contains("enclose") && text.contains("sdf"), "{text}");
    }
}
