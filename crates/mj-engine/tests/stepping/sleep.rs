//! Trees at rest fall asleep, and wake when something disturbs them.

use mj_engine::model::{MocapId, TreeId, enable};
use mj_engine::{Data, MIN_AWAKE, Model, forward, load_str, load_with, set_asleep, step};

/// Boxes on a floor, one tree each: (name, position, policy).
fn scene(boxes: &[(&str, [f64; 3], &str)], more: &str) -> (Model, Data) {
    let bodies: String = boxes
        .iter()
        .map(|(name, [x, y, z], sleep)| {
            format!(
                r#"<body name="{name}" pos="{x} {y} {z}" sleep="{sleep}"><freejoint/>
                  <geom type="box" size=".1 .1 .1" mass="1"/></body>"#
            )
        })
        .collect();
    let m = load_str(&format!(
        r#"<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="9 9 .1"/>{bodies}
          <body name="hand" mocap="true" pos="0 0 9"><geom size=".1"/></body></worldbody>{more}</mujoco>"#
    ))
    .unwrap_or_else(|e| panic!("{e}"));
    let d = Data::new(&m).unwrap();
    (m, d)
}

fn asleep(d: &Data) -> Vec<bool> {
    (0..d.sleep.tree_asleep.len()).map(|t| d.sleep.is_asleep(TreeId::new(t))).collect()
}

fn run(m: &Model, d: &mut Data, steps: usize) {
    (0..steps).for_each(|_| step(m, d).unwrap());
}

const SETTLED: f64 = 0.0999;

#[test]
fn a_box_at_rest_sleeps_and_stays_where_it_is() {
    let (m, mut d) = scene(&[("a", [0.0, 0.0, SETTLED], "auto")], "");
    let mut steps = 0;
    while asleep(&d) == [false] {
        step(&m, &mut d).unwrap();
        steps += 1;
        assert!(steps < 3000, "never fell asleep");
    }
    assert!(steps >= MIN_AWAKE);
    assert_eq!(d.state.qvel, [0.0; 6]);
    let before = d.state.qpos.clone();
    run(&m, &mut d, 100);
    assert_eq!((asleep(&d), &d.state.qpos), (vec![true], &before));
    assert!(d.contacts.is_empty(), "contacts with the floor are not looked for");
}

#[test]
fn what_touches_sleeps_in_one_ring_and_wakes_as_one() {
    let stack =
        [("a", [0.0, 0.0, SETTLED], "auto"), ("b", [0.0, 0.0, 0.2997], "auto"), ("c", [3.0, 0.0, SETTLED], "auto")];
    let (m, mut d) = scene(&stack, "");
    run(&m, &mut d, 3000);
    assert_eq!(d.sleep.tree_asleep.as_slice(), [1, 0, 2]);
    d.state.qfrc_applied[6] = 1e-9;
    forward(&m, &mut d).unwrap();
    assert_eq!(asleep(&d), [false, false, true]);
    assert_eq!(d.contacts.len(), 8, "with each other and with the floor");
}

#[test]
fn moves_pushes_and_speeds_wake() {
    let perturb: [fn(&mut Data); 4] = [
        |d| d.state.qpos[2] += 1e-12,
        |d| d.state.qvel[0] = -0.0,
        |d| d.state.qfrc_applied[3] = 1.0,
        |d| d.state.xfrc_applied.as_mut_slice()[1][5] = 1.0,
    ];
    for (i, touch) in perturb.into_iter().enumerate() {
        let (m, mut d) = scene(&[("a", [0.0, 0.0, SETTLED], "init")], "");
        assert_eq!(asleep(&d), [true]);
        touch(&mut d);
        forward(&m, &mut d).unwrap();
        assert_eq!(asleep(&d), [false], "{i}");
    }
}

#[test]
fn a_falling_box_wakes_what_it_hits() {
    let (m, mut d) = scene(&[("a", [0.0, 0.0, SETTLED], "init"), ("b", [0.0, 0.0, 0.5], "auto")], "");
    assert_eq!(asleep(&d), [true, false]);
    while asleep(&d)[0] {
        step(&m, &mut d).unwrap();
        assert!(d.state.time < 1.0, "never woke");
    }
    assert!((d.state.qpos[9] - 0.3).abs() < 0.03, "woken by contact, at {}", d.state.qpos[9]);
}

#[test]
fn a_mocap_body_wakes_what_it_touches() {
    let (m, mut d) = scene(&[("a", [0.0, 0.0, 2.0], "init")], "");
    run(&m, &mut d, 10);
    assert_eq!(asleep(&d), [true]);
    d.state.mocap_pos[MocapId::new(0)].z = 2.15;
    step(&m, &mut d).unwrap();
    assert_eq!(asleep(&d), [false]);
}

#[test]
fn an_equality_ties_the_sleeping_to_the_awake() {
    let weld = r#"<equality><weld body1="a" body2="b" active="false"/></equality>"#;
    let (m, mut d) = scene(&[("a", [0.0, 0.0, SETTLED], "init"), ("b", [1.0, 0.0, SETTLED], "init")], weld);
    // Each sleeps on its own: tied together, they have to wake.
    assert_eq!(d.sleep.tree_asleep.as_slice(), [0, 1]);
    d.state.eq_active.as_mut_slice()[0] = true;
    forward(&m, &mut d).unwrap();
    assert_eq!(asleep(&d), [false, false]);
}

#[test]
fn policies_are_kept() {
    let (m, mut d) = scene(&[("a", [0.0, 0.0, SETTLED], "never"), ("b", [0.0, 0.0, 5.0], "init")], "");
    run(&m, &mut d, 2000);
    assert_eq!(asleep(&d), [false, true]);
    assert_eq!(d.state.qpos[9], 5.0, "asleep in the air");
    // Switched off, sleep ends.
    let mut m = m;
    m.opt.enableflags &= !enable::SLEEP;
    run(&m, &mut d, 10);
    assert_eq!(asleep(&d), [false, false]);
    assert!(d.state.qpos[9] < 5.0);
}

#[test]
fn who_can_not_begin_asleep_is_named() {
    let xml = br#"<mujoco><option><flag sleep="enable"/></option><worldbody>
  <body name="a" sleep="init"><freejoint/><geom size=".1"/></body>
  <body name="b" pos="0 0 .19"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#;
    let mut files = mj_mjcf::Memory::new();
    files.insert("m.xml", xml.as_slice());
    let loaded = load_with("m.xml".as_ref(), &files).unwrap();
    let text = loaded.report.to_string();
    assert!(text.contains("m.xml:2:") && text.contains("body `a`"), "{text}");
    assert_eq!(asleep(&Data::new(&loaded.model).unwrap()), [false, false]);
}

/// A sleeping tree that nobody looks at changes nothing for the others.
#[test]
fn sleepers_do_not_disturb() {
    let boxes = [("a", [0.0, 0.0, 0.5], "auto"), ("b", [3.0, 0.0, SETTLED], "init")];
    let (m, mut d) = scene(&boxes, "");
    let mut awake = m.clone();
    awake.opt.enableflags &= !enable::SLEEP;
    let mut e = Data::new(&awake).unwrap();
    run(&m, &mut d, 200);
    run(&awake, &mut e, 200);
    assert_eq!(d.state.qpos[..7], e.state.qpos[..7]);
    assert_eq!(d.state.qvel[..6], e.state.qvel[..6]);
}

/// With the effective inertia of the integrator `discrete`, couplings by tendons and actuators included: trees fall asleep
/// at the same steps as the reference's (MuJoCo 4.0.0), and others go on.
#[test]
fn the_discrete_integrator_lets_trees_sleep() {
    let body = |name: &str, x: f64, joint: &str| {
        format!(
            r#"<body name="{name}" pos="{x} 0 .5"><joint name="{name}" type="slide" axis="0 0 1" {joint}/>
              <geom type="box" size=".1 .1 .1" mass="1"/></body>"#
        )
    };
    let (s, t, u) = (
        body("s", 2.0, r#"stiffness="1e4" damping="50""#),
        body("t", 4.0, r#"damping=".2""#),
        body("u", 6.0, r#"damping=".2""#),
    );
    let m = load_str(&format!(
        r#"<mujoco><option integrator="discrete"><flag sleep="enable"/></option><worldbody>
          <geom type="plane" size="9 9 .1"/>
          <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>{s}{t}{u}</worldbody>
        <tendon><fixed stiffness="1e4" damping="60" springlength="0"><joint joint="t" coef="1"/></fixed></tendon>
        <actuator><position joint="u" kp="100" kv="2"/></actuator></mujoco>"#
    ))
    .unwrap();
    let mut d = Data::new(&m).unwrap();
    d.state.ctrl[0] = 0.2;
    let mut fell = [0; 4];
    for n in 1..=4000 {
        step(&m, &mut d).unwrap();
        for (fell, _) in fell.iter_mut().zip(asleep(&d)).filter(|(fell, asleep)| **fell == 0 && *asleep) {
            *fell = n;
        }
        if n == 1501 {
            d.state.ctrl[0] = 0.1;
        }
    }
    assert_eq!(fell, [211, 75, 73, 0]);
    let want = [0.0998815674033343, -0.0009748054206619527, -0.0009761588512893451, 0.0020795459582911486];
    for (got, want) in d.state.qpos[2..3].iter().chain(&d.state.qpos[7..]).zip(want) {
        assert!((got - want).abs() < 1e-9, "{got} against {want}");
    }
}

/// Data made anew goes on as the data whose state and sleep it was given.
#[test]
fn sleep_is_put_back() {
    let stack = [("a", [0.0, 0.0, SETTLED], "auto"), ("b", [0.0, 0.0, 0.2997], "auto"), ("c", [3.0, 0.0, 2.0], "auto")];
    let (m, mut d) = scene(&stack, "");
    while asleep(&d) != [true, true, false] {
        step(&m, &mut d).unwrap();
    }
    let mut new = Data::new(&m).unwrap();
    new.state.clone_from(&d.state);
    new.state.awake.wake_all(&m);
    forward(&m, &mut new).unwrap();
    let ring = d.sleep.tree_asleep.as_slice().to_vec();
    for bad in [vec![], vec![1, 0], vec![1, 1, -1], vec![1, 2, -1], vec![7, 0, -1]] {
        assert!(!set_asleep(&m, &mut new, &bad, d.sleep.kept()), "{bad:?}");
    }
    assert!(!set_asleep(&m, &mut new, &ring, &[0.0]));
    assert!(set_asleep(&m, &mut new, &ring, d.sleep.kept()));
    run(&m, &mut d, 50);
    run(&m, &mut new, 50);
    assert_eq!((asleep(&new), &new.state.qpos), (vec![true, true, false], &d.state.qpos));
    new.state.qpos[0] += 0.001;
    step(&m, &mut new).unwrap();
    assert_eq!(asleep(&new), [false; 3]);
}
