//! A step allocates nothing once the buffers are warm.

use mj_engine::{Data, load, load_str, step};

#[test]
fn stepping_the_humanoid_allocates_nothing() {
    let m = load(mj_testkit::bundled("humanoid")).unwrap();
    let mut d = Data::new(&m).unwrap();
    let drive = |d: &mut Data, from: usize, n: usize| {
        let mut contacts = 0;
        for i in from..from + n {
            for (k, c) in d.state.ctrl.iter_mut().enumerate() {
                *c = (0.3 * (i as f64) * 0.1 + k as f64).sin();
            }
            step(&m, d).unwrap();
            contacts = contacts.max(d.contacts.len());
        }
        contacts
    };
    // Fall, flail and lie, the end of it twice: the second time the buffers have seen it all.
    let seen = drive(&mut d, 0, 3000);
    assert!(seen >= 4, "the humanoid should have fallen: {seen} contacts at most");
    let fallen = d.state.clone();
    drive(&mut d, 3000, 1000);
    d.state.clone_from(&fallen);
    let mut later = 0;
    let info = allocation_counter::measure(|| later = drive(&mut d, 3000, 1000));
    assert!(later > 0);
    assert_eq!(info.count_total, 0, "{info:?}");
}

/// Data of a humanoid stay under 200 KB once its buffers are warm: all that it owns, and the struct itself.
#[test]
fn the_humanoids_data_are_small() {
    let m = load(mj_testkit::bundled("humanoid")).unwrap();
    let mut kept = None;
    let info = allocation_counter::measure(|| {
        let mut d = Data::new(&m).unwrap();
        let contacts = (0..1000).fold(0, |most, _| {
            step(&m, &mut d).unwrap();
            most.max(d.contacts.len())
        });
        kept = Some((d, contacts));
    });
    let (_, contacts) = kept.unwrap();
    assert!(contacts >= 4, "the humanoid should have fallen: {contacts} contacts at most");
    let bytes = info.bytes_current.unsigned_abs() as usize + size_of::<Data>();
    // More than what any of it must hold: M and its factor.
    assert!((2 * 8 * m.m_pattern.nnz()..200_000).contains(&bytes), "{bytes} B");
}

/// Nor do trees that fall asleep and are woken again.
#[test]
fn sleeping_and_waking_allocate_nothing() {
    let m = load_str(
        r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="9 9 .1"/><replicate count="6"
          offset=".5 0 0"><body pos="0 0 .0999"><freejoint/><geom type="box" size=".1 .1 .1"/></body></replicate>
          </worldbody></mujoco>"#,
    )
    .unwrap();
    let mut d = Data::new(&m).unwrap();
    let mut doze_and_kick = || {
        let mut most = 0;
        for i in 0..1000 {
            step(&m, &mut d).unwrap();
            most = most.max(d.sleep.count());
            if i == 900 {
                (0..3).for_each(|k| d.state.qvel[12 * k + 5] = 0.3);
            }
        }
        most
    };
    doze_and_kick();
    let mut most = 0;
    let info = allocation_counter::measure(|| most = doze_and_kick());
    assert_eq!((most, info.count_total), (6, 0), "{info:?}");
}

/// Nor do the integrators that are implicit in velocity, their products and derivatives.
#[test]
fn implicit_integrators_allocate_nothing() {
    for integrator in ["implicit", "implicitfast"] {
        let m = load_str(&format!(
            r#"<mujoco><option integrator="{integrator}" density="1.2"><flag fwdinv="enable" invdiscrete="enable"/></option>
              <worldbody><body><joint name="a" axis="0 1 0" damping="1" range="-10 10" frictionloss=".1"/><geom size=".1" pos=".3 0 0"/>
                <body pos=".5 0 0"><joint type="ball"/><geom type="box" size=".1 .2 .3" fluidshape="ellipsoid"/></body></body>
              <body pos="0 3 0"><freejoint/><geom size=".1"/></body></worldbody>
              <actuator><velocity joint="a" kv="2"/></actuator></mujoco>"#
        ))
        .unwrap();
        let mut d = Data::new(&m).unwrap();
        d.state.qvel.fill(0.5);
        (0..300).for_each(|_| step(&m, &mut d).unwrap());
        let info = allocation_counter::measure(|| (0..50).for_each(|_| step(&m, &mut d).unwrap()));
        assert_eq!(info.count_total, 0, "{integrator}: {info:?}");
    }
}

/// Nor does any solver, with either kind of cones, nor the noslip pass, where islands come and go.
#[test]
fn no_solver_allocates() {
    let boxes: String = (0..6)
        .map(|i| {
            format!(
                r#"<body pos="{} 0 {}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>"#,
                0.12 * f64::from(i % 2) + 0.5 * f64::from(i / 4),
                0.15 + 0.25 * f64::from(i)
            )
        })
        .collect();
    for solver in ["Newton", "CG", "PGS"] {
        for cone in ["pyramidal", "elliptic"] {
            let m = load_str(&format!(
                r#"<mujoco><option solver="{solver}" cone="{cone}" noslip_iterations="2"/>
                   <worldbody><geom type="plane" size="3 3 .1"/>{boxes}</worldbody></mujoco>"#
            ))
            .unwrap();
            let mut d = Data::new(&m).unwrap();
            // Twice the same fall: the buffers have seen it.
            (0..600).for_each(|_| step(&m, &mut d).unwrap());
            assert!(d.contacts.len() > 4);
            d.reset(&m);
            let info = allocation_counter::measure(|| (0..600).for_each(|_| step(&m, &mut d).unwrap()));
            assert_eq!(info.count_total, 0, "{solver} {cone}: {info:?}");
        }
    }
}

/// Nor do plugins, and shapes that are distance functions.
#[test]
fn plugins_allocate_nothing() {
    for name in ["screws", "pid_touch"] {
        let m = load(mj_testkit::bundled(name)).unwrap();
        let mut d = Data::new(&m).unwrap();
        let drive = |d: &mut Data, n: usize| {
            (0..n).fold(0, |most, i| {
                d.state.ctrl.fill((0.01 * i as f64).sin());
                step(&m, d).unwrap();
                most.max(d.contacts.len())
            })
        };
        drive(&mut d, 200);
        let before = d.state.clone();
        drive(&mut d, 200);
        d.state.clone_from(&before);
        let mut contacts = 0;
        let info = allocation_counter::measure(|| contacts = drive(&mut d, 200));
        assert!(contacts >= 4, "{name}");
        assert_eq!(info.count_total, 0, "{name}: {info:?}");
    }
}

/// Nor do flexes, with contacts as rows or by continuous collision.
#[test]
fn flexes_allocate_nothing() {
    let cloths = r#"<mujoco><option integrator="discrete"><flag ipc="enable"/></option><worldbody>
        <geom type="plane" size="1 1 .1"/><geom type="box" size=".05 .05 .05" euler="30 40 0"/>
        <replicate count="2" offset=".02 .01 .04" euler="0 0 10"><flexcomp name="c" type="grid" dim="2" count="6 6 1"
          spacing=".04 .04 1" pos="0 0 .1" radius=".004" mass=".05">
          <elasticity young="2e4" poisson=".2" thickness=".002" elastic2d="both" damping=".002"/></flexcomp></replicate>
        </worldbody></mujoco>"#;
    for (name, m) in [("drapery", load(mj_testkit::bundled("drapery")).unwrap()), ("cloths", load_str(cloths).unwrap())]
    {
        let mut d = Data::new(&m).unwrap();
        let drive = |d: &mut Data, n: usize| (0..n).for_each(|_| step(&m, d).unwrap());
        drive(&mut d, 150);
        let before = (d.state.clone(), d.contact_memory.clone());
        drive(&mut d, 100);
        d.state.clone_from(&before.0);
        d.contact_memory.clone_from(&before.1);
        let info = allocation_counter::measure(|| drive(&mut d, 100));
        assert!(!d.contacts.is_empty() || d.contact_memory.lambda.iter().any(|&l| l > 0.0), "{name}");
        assert_eq!(info.count_total, 0, "{name}: {info:?}");
    }
}
