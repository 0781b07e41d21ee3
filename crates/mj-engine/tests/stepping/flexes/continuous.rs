//! Contacts of thin flexes that continuous collision resolves: the flag `ipc`.

use mj_engine::{Data, Model, forward, load_str, step};
use mj_model::Warning;

/// The distance at which surfaces rest on each other.
const STANDOFF: f64 = 0.001;

fn load(option: &str, world: &str) -> (Model, Data) {
    let xml = format!(
        r#"<mujoco><option integrator="discrete" {option}><flag ipc="enable"/></option><worldbody>{world}</worldbody></mujoco>"#
    );
    let m = load_str(&xml).unwrap_or_else(|e| panic!("{e}"));
    let d = Data::new(&m).unwrap();
    (m, d)
}

/// A square cloth of 5×5 vertices.
fn cloth(name: &str, place: &str) -> String {
    format!(
        r#"<flexcomp name="{name}" type="grid" dim="2" count="5 5 1" spacing=".05 .05 1" mass=".05" radius=".005" {place}>
        <elasticity young="2e4" poisson=".2" thickness=".002" elastic2d="both" damping=".002"/></flexcomp>"#
    )
}

/// Sum of forces along the world's axes on vertices that move along these axes.
fn total(force: &[f64]) -> [f64; 3] {
    [0, 1, 2].map(|k| force[k..].iter().step_by(3).sum())
}

#[test]
fn a_cloth_rests_at_its_standoff_and_the_floor_bears_its_weight() {
    let (m, mut d) = load("", &(r#"<geom type="plane" size="1 1 .1"/>"#.to_string() + &cloth("c", r#"pos="0 0 .02""#)));
    for _ in 0..300 {
        step(&m, &mut d).unwrap();
    }
    assert!(d.flexes.vert_xpos.iter().all(|p| (p.z - STANDOFF).abs() < 1e-9), "{:?}", d.flexes.vert_xpos);
    let weight = m.body.mass.as_slice().iter().sum::<f64>() * -m.opt.gravity.z;
    assert!((total(&d.solution.qfrc_constraint)[2] - weight).abs() < 1e-6 * weight);
    assert_eq!((d.contacts.len(), d.rows.nefc()), (0, 0));
    // Without a step nothing holds it.
    forward(&m, &mut d).unwrap();
    assert!(d.qacc.iter().skip(2).step_by(3).all(|a| (a - m.opt.gravity.z).abs() < 1e-6));
}

/// Whether edges of the flexes meet the triangles of others: two flexes overlap.
fn overlap(m: &Model, d: &Data) -> bool {
    let place = |v: i32| d.flexes.vert_xpos[v as usize];
    let per = m.flex.vertnum.as_slice()[0] as i32;
    let triangles = m.flex_data.elem.as_chunks::<3>().0.iter().enumerate();
    triangles.into_iter().any(|(e, corner)| {
        let flex = i32::from(e >= m.flex.elemnum.as_slice()[0] as usize);
        let [a, b, c] = corner.map(|v| place(v + flex * per));
        (0..m.flexedge.len()).filter(|&i| i32::from(i >= m.flex.edgenum.as_slice()[0] as usize) != flex).any(|i| {
            let [p, q] = m.flex_data.edge[i].map(|v| place(v + (1 - flex) * per));
            mj_collide::ray_triangle([a, b, c], p, q - p).is_some_and(|(t, _)| t <= 1.0)
        })
    })
}

#[test]
fn cloths_pass_neither_through_each_other_nor_change_their_momentum() {
    let world = cloth("a", "") + &cloth("b", r#"pos=".013 .021 .1" euler="3 5 20""#);
    let (m, mut d) = load(r#"gravity="0 0 0" timestep=".004""#, &world);
    let half = m.nv() / 2;
    // Two metres a step: without continuous collision the second would be on the far side after one.
    d.state.qvel[half..].iter_mut().skip(2).step_by(3).for_each(|v| *v = -50.0);
    // Slides of the second cloth go along its own axes; masses are equal.
    let momentum = |m: &Model, d: &mut Data| {
        forward(m, d).unwrap();
        let rate = |d: &Data, b| {
            mj_dynamics::body_velocity(m, &d.smooth.poses, &d.smooth.velocities, b, d.smooth.poses.xpos[b])
        };
        m.body.ids().map(|b| rate(d, b).lin * m.body.mass[b]).sum::<mj_math::DVec3>()
    };
    let before = momentum(&m, &mut d);
    for _ in 0..50 {
        step(&m, &mut d).unwrap();
        forward(&m, &mut d).unwrap();
        assert!(!overlap(&m, &d), "at {} s", d.state.time);
    }
    let after = momentum(&m, &mut d);
    assert!((after - before).length() < 1e-6 * before.length(), "{before} {after}");
    assert_eq!(d.warning(Warning::Incomplete).number, 0);
}

#[test]
fn rounded_corners_and_edges_of_geoms_are_not_passed() {
    for geom in [
        r#"<geom type="box" size=".02 .02 .02" euler="40 35 0"/>"#,
        r#"<geom type="capsule" size=".01 .05" euler="90 20 0"/>"#,
        r#"<geom type="sphere" size=".02"/>"#,
    ] {
        let (m, mut d) = load(r#"timestep=".004""#, &(geom.to_string() + &cloth("c", r#"pos=".011 .007 .1""#)));
        d.state.qvel.iter_mut().skip(2).step_by(3).for_each(|v| *v = -20.0);
        for _ in 0..30 {
            step(&m, &mut d).unwrap();
        }
        forward(&m, &mut d).unwrap();
        // The middle of the cloth hangs on the geom.
        let highest = d.flexes.vert_xpos.iter().map(|p| p.z).fold(f64::MIN, f64::max);
        assert!(highest > 0.0, "{geom}: {highest}");
    }
}

#[test]
fn steps_begin_anew_after_a_reset() {
    let (m, mut d) =
        load("", &(r#"<geom type="plane" size="1 1 .1"/>"#.to_string() + &cloth("c", r#"pos="0 0 .004""#)));
    let run = |d: &mut Data| {
        (0..60).for_each(|_| step(&m, d).unwrap());
        (d.state.qpos.clone(), d.contact_memory.clone())
    };
    let first = run(&mut d);
    assert!(first.1.lambda.iter().any(|&l| l > 0.0));
    d.reset(&m);
    assert!(d.contact_memory.lambda.iter().all(|&l| l == 0.0));
    assert_eq!(run(&mut d), first);
}

#[test]
fn what_does_not_go_with_the_flag_is_refused() {
    let turning = r#"<body name="b"><joint/><geom size=".01"/>PINNED</body>"#;
    let pinned = cloth("c", "").replace("</flexcomp>", r#"<pin id="0 1 2 3 4"/></flexcomp>"#);
    for (option, world, with) in [
        (r#"solver="PGS""#, cloth("c", ""), "`solver` = `PGS`"),
        ("", turning.replace("PINNED", &pinned), "joints other than slides"),
    ] {
        let xml = format!(
            r#"<mujoco><option integrator="discrete" {option}><flag ipc="enable"/></option><worldbody>{world}</worldbody></mujoco>"#
        );
        let error = load_str(&xml).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(with), "{error}");
    }
}
