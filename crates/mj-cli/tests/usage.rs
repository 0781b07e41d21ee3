//! The command line itself: output paths, Ctrl-C, completions, objects for programs, messages.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mj"));
    command.args(args);
    command
}

fn mj(args: &[&str]) -> Output {
    command(args).output().expect("the command starts")
}

fn stdout(o: &Output) -> String {
    String::from_utf8_lossy(&o.stdout).into_owned()
}

fn stderr(o: &Output) -> String {
    String::from_utf8_lossy(&o.stderr).into_owned()
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Simulations that would take hours end at once, because their results could not be written.
#[test]
fn output_paths_are_checked_first() {
    let nowhere = scratch("no_such_folder/out.npz");
    let folder = scratch("");
    for path in [nowhere.to_str().unwrap(), folder.to_str().unwrap()] {
        for args in [
            &["run", "humanoid", "--seconds", "10000", "--record", path][..],
            &["dump", "humanoid", "--stage", "step:1000000000", "--out", path],
            &["rollout", "pendulum_chain", "--steps", "1000000", "--out", path],
            &["problem", "humanoid", "--steps", "1000000000", "--out", path],
        ] {
            let o = mj(args);
            assert_eq!(o.status.code(), Some(1), "{args:?}: {}", stderr(&o));
            assert!(stderr(&o).starts_with(&format!("{path}: error: ")), "{args:?}: {}", stderr(&o));
        }
    }
    let o = mj(&["compile", "humanoid", "-o", "humanoid.json"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(stderr(&o).contains("expected .xml, .mjz, .mjb or .txt"), "{}", stderr(&o));
    assert!(!nowhere.exists());
}

/// A signal ends a run with its summary and its recording, and with the exit code that shells expect.
#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_a_run_with_its_results() {
    let record = scratch("interrupted.npz");
    let _ = std::fs::remove_file(&record);
    let args = ["run", "acrobot", "--seconds", "20000", "--json", "--record", record.to_str().unwrap()];
    let child = command(&args)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    let pid = child.id();
    // The mask of signals with a handler says when the command listens; bit 1 is SIGINT.
    let listens = || {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let mask = status.lines().find_map(|l| l.strip_prefix("SigCgt:")).unwrap_or_default().trim().to_string();
        u64::from_str_radix(&mask, 16).is_ok_and(|mask| mask & 2 != 0)
    };
    let start = std::time::Instant::now();
    while !listens() && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &pid.to_string()]).status().expect("kill");
    assert!(killed.success());
    let o = child.wait_with_output().expect("it ends");
    assert_eq!(o.status.code(), Some(130), "{}", stderr(&o));
    let v: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
    assert_eq!(v["interrupted"], true);
    let arrays = mj_npz::read(&record).expect("a complete recording");
    assert_eq!(arrays["time"].shape(), [v["steps"].as_u64().unwrap() as usize]);
}

#[test]
fn completions_name_commands_and_options() {
    for shell in ["bash", "zsh", "fish"] {
        let o = mj(&["completions", shell]);
        assert!(o.status.success(), "{}", stderr(&o));
        for word in ["rollout", "ctrl-noise", "completions"] {
            assert!(stdout(&o).contains(word), "{shell}: no {word}");
        }
    }
    assert_eq!(mj(&["completions", "csh"]).status.code(), Some(2));
}

#[test]
fn summaries_and_models_are_objects_for_programs() {
    let o = mj(&["run", "humanoid", "--seconds", "0.5", "--json"]);
    assert!(o.status.success(), "{}", stderr(&o));
    let v: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
    assert_eq!((v["model"].as_str(), v["steps"].as_u64(), v["nv"].as_u64()), (Some("humanoid"), Some(100), Some(27)));
    assert_eq!(v["simulated_seconds"], 0.5);
    assert_eq!((&v["interrupted"], v["warnings"].as_array().map(Vec::len)), (&false.into(), Some(0)));
    assert!(v["energy_start"].as_f64() > v["energy_end"].as_f64(), "{v}");

    let o = mj(&["info", "tendon_finger", "--json"]);
    assert!(o.status.success(), "{}", stderr(&o));
    let v: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
    assert_eq!((v["sizes"]["nv"].as_u64(), v["options"]["timestep"].as_f64()), (Some(5), Some(0.001)));
    assert_eq!(v["options"]["gravity"].as_array().map(Vec::len), Some(3));
    let bodies = v["bodies"].as_array().expect("bodies");
    assert_eq!(bodies.len() as u64, v["sizes"]["nbody"].as_u64().unwrap());
    assert_eq!((&bodies[2]["name"], &bodies[2]["parent"]), (&"middle".into(), &1.into()));
    assert_eq!(bodies[2]["joints"][0]["name"], "pip");
    let mass: f64 = bodies.iter().map(|b| b["mass"].as_f64().unwrap()).sum();
    assert!((mass - v["mass"].as_f64().unwrap()).abs() < 1e-12);
    assert_eq!(v["actuators"].as_array().map(Vec::len), Some(2));
    assert_eq!(v["sensors"].as_array().map(Vec::len), Some(5));
}

#[test]
fn messages_name_the_cause_and_what_would_be_right() {
    for (args, code, message) in [
        (&["info", "humanod"][..], 1, "neither a file nor a bundled model; did you mean `humanoid`?"),
        (&["run", "humanoid", "--seconds", "-1"], 2, "expected a number of seconds, 0 or more"),
        (&["run", "humanoid", "--seconds", "inf"], 2, "expected a number of seconds, 0 or more"),
        (&["run", "humanoid", "--set", "opt.solver=foo"], 2, "is PGS (0), CG (1), Newton (2), not `foo`"),
        (&["run", "humanoid", "--set", "opt.timestep=0"], 2, "a time step is positive and finite"),
        (
            &["dump", "humanoid", "--out", "x.npz", "--stage", "model", "--set", "opt.gravty=1"],
            2,
            "did you mean `gravity`",
        ),
        (&["run", "humanoid", "--recrod", "x.npz"], 2, "'--record'"),
        (&["simulate", "humanoid"], 2, "unrecognized subcommand"),
        (&["run", "humanoid", "--key", "squa"], 2, "did you mean `squat`?"),
        (&["run", "lamp", "--key", "start"], 2, "no such keyframe"),
    ] {
        let o = mj(args);
        assert_eq!(o.status.code(), Some(code), "{args:?}: {}", stderr(&o));
        assert!(stderr(&o).contains(message), "{args:?}: {}", stderr(&o));
    }
}

#[test]
fn rollout_says_what_it_wrote() {
    let out = scratch("told.npz");
    let o = mj(&["rollout", "humanoid", "--steps", "3", "--batch", "2", "--out", out.to_str().unwrap()]);
    assert!(o.status.success(), "{}", stderr(&o));
    let text = stdout(&o);
    assert!(
        text.starts_with(&format!("{}: 2 trajectories of 3 steps: time [2, 3, 1], qpos [2, 3, 28]", out.display()))
    );
    assert!(text.contains("steps/s"), "{text}");
}
