//! `mj rollout`: shapes, threads, and messages.

use mj_npz::{Compression, Writer};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn mj(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mj")).args(args).output().expect("the command starts")
}

/// Shape and numbers of an array.
fn array(path: &Path, name: &str) -> (Vec<usize>, Vec<f64>) {
    let arrays = mj_npz::read(path).expect("a readable archive");
    (arrays[name].shape().to_vec(), arrays[name].to_f64())
}

fn write(path: &Path, name: &str, shape: &[usize], data: &[f64]) {
    let mut npz = Writer::create(path, Compression::Deflate).expect("a scratch file");
    npz.put(name, shape, data).expect("an array");
    npz.finish().expect("a complete file");
}

/// Pendulums driven by different torques, from a common start.
#[test]
fn threads_do_not_matter() {
    let (model, ctrl) = (scratch("rollout.xml"), scratch("rollout_ctrl.npz"));
    let xml = r#"<mujoco><worldbody><body><joint name="j" type="hinge" axis="0 1 0"/><geom size=".1" pos="0 0 -.5"/></body>
        </worldbody><actuator><motor joint="j"/></actuator><sensor><jointvel joint="j"/></sensor></mujoco>"#;
    std::fs::write(&model, xml).unwrap();
    let torques: Vec<f64> = (0..6 * 40).map(|i| f64::from(i).sin()).collect();
    write(&ctrl, "ctrl", &[6, 40, 1], &torques);
    let mut results = Vec::new();
    for threads in ["1", "2", "5"] {
        let out = scratch(&format!("rollout_{threads}.npz"));
        let (model, ctrl) = (model.to_str().unwrap(), ctrl.to_str().unwrap());
        let o = mj(&[
            "rollout",
            model,
            "--steps",
            "40",
            "--ctrl",
            ctrl,
            "--threads",
            threads,
            "--out",
            out.to_str().unwrap(),
        ]);
        assert!(o.status.success(), "{}", String::from_utf8_lossy(&o.stderr));
        results.push(["time", "qpos", "qvel", "act", "sensordata"].map(|name| array(&out, name)));
    }
    let [time, qpos, _, act, sensordata] = &results[0];
    assert_eq!(time.0, [6, 40, 1]);
    assert_eq!(act.0, [6, 40, 0]);
    assert_eq!(sensordata.0, [6, 40, 1]);
    assert!((time.1[39] - 0.08).abs() < 1e-12);
    // The first impulse moves it one way or the other.
    assert!(qpos.1[40 * 3] * torques[40 * 3] > 0.0);
    let bits =
        |r: &[(Vec<usize>, Vec<f64>)]| -> Vec<u64> { r.iter().flat_map(|a| &a.1).map(|x| x.to_bits()).collect() };
    assert_eq!(bits(&results[1]), bits(&results[0]));
    assert_eq!(bits(&results[2]), bits(&results[0]));
}

#[test]
fn a_batch_of_starts() {
    let (state, out) = (scratch("rollout_state.npz"), scratch("rollout_starts.npz"));
    write(&state, "qvel", &[3, 12], &(0..36).map(f64::from).collect::<Vec<_>>());
    let o = mj(&[
        "rollout",
        "spinning_top",
        "--steps",
        "1",
        "--state",
        state.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ]);
    assert!(o.status.success(), "{}", String::from_utf8_lossy(&o.stderr));
    let (shape, qpos) = array(&out, "qpos");
    assert_eq!(shape[..2], [3, 1]);
    let n = shape[2];
    assert_ne!(qpos[..n], qpos[n..2 * n]);
}

#[test]
fn faults_are_named() {
    let (ctrl, out) = (scratch("rollout_bad.npz"), scratch("rollout_never.npz"));
    let out = out.to_str().unwrap();
    write(&ctrl, "ctrl", &[2, 5, 21], &[0.0; 210]);
    let ctrl = ctrl.to_str().unwrap();
    for (args, code, message) in [
        (vec!["--steps", "6", "--ctrl", ctrl], 1, "array `ctrl` has shape [2, 5, 21]; expected (6, 21)"),
        (vec!["--steps", "5", "--ctrl", ctrl, "--batch", "3"], 1, "is for a batch of 2; --batch says 3"),
        (vec!["--steps", "5", "--state", ctrl], 1, "`ctrl` has shape"),
        (vec!["--steps", "1000000000"], 2, "more than"),
        (vec!["--steps", "0"], 2, "0"),
    ] {
        let o = mj(&[&["rollout", "humanoid", "--out", out][..], &args].concat());
        let text = String::from_utf8_lossy(&o.stderr).into_owned();
        assert_eq!(o.status.code(), Some(code), "{text}");
        assert!(text.contains(message), "{text}");
    }
}
