//! The command as a person meets it: output, exit codes, messages.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn mj(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mj")).args(args).output().expect("the command starts")
}

fn stdout(o: &Output) -> String {
    String::from_utf8_lossy(&o.stdout).into_owned()
}

fn stderr(o: &Output) -> String {
    String::from_utf8_lossy(&o.stderr).into_owned()
}

/// A file of this test's own.
fn scratch(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a scratch file");
    path
}

#[test]
fn info_describes_a_bundled_model() {
    let o = mj(&["info", "tendon_finger"]);
    assert!(o.status.success(), "{}", stderr(&o));
    insta::assert_snapshot!(stdout(&o));
}

#[test]
fn every_bundled_model_loads() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/models")).expect("models") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "xml") {
            let name = path.file_stem().and_then(|s| s.to_str()).expect("a name");
            let o = mj(&["compile", name]);
            assert!(o.status.success(), "{name}: {}", stderr(&o));
        }
    }
}

#[test]
fn run_ends_with_a_summary() {
    let o = mj(&["run", "humanoid", "--seconds", "0.5", "--ctrl-noise", "1"]);
    assert!(o.status.success(), "{}", stderr(&o));
    let text = stdout(&o);
    for line in [
        "model",
        "simulated     0.500 s in 100 steps",
        "wall time",
        "contacts",
        "solver",
        "energy",
        "warnings      none",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    assert_eq!(text.contains("\nmemory        "), cfg!(target_os = "linux"), "{text}");
}

/// Every formulation simulates the humanoid, selected by its name alone.
#[test]
fn solvers_are_selected_by_name() {
    let names = ["newton", "cg", "pgs", "cone-gs", "complementarity", "diagonal", "diagonal-sharing", "impulse"];
    for name in names {
        let o = mj(&["run", "humanoid", "--solver", name, "--seconds", "0.1"]);
        assert!(o.status.success(), "{name}: {}", stderr(&o));
        assert!(stdout(&o).contains("simulated     0.100 s in 20 steps"), "{name}: {}", stdout(&o));
    }
    let o = mj(&["run", "humanoid", "--solver", "gauss"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(stderr(&o).contains("the solvers are newton, cg,"), "{}", stderr(&o));
}

/// Velocity stepping runs every model of ours but those whose features came after it, and names those.
#[test]
fn velocity_stepping_runs_what_it_knows() {
    let mut refused = Vec::new();
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/models")).expect("models") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "xml") {
            let name = path.file_stem().and_then(|s| s.to_str()).expect("a name");
            let o = mj(&["run", name, "--solver", "impulse", "--seconds", "0.05", "--ctrl-noise", "1"]);
            if !o.status.success() {
                assert_eq!(o.status.code(), Some(1), "{name}");
                refused.push(stderr(&o));
            }
        }
    }
    refused.sort();
    insta::assert_snapshot!(refused.concat());
}

/// A recorded problem, solved by all: as a table, and as one object.
#[test]
fn the_laboratory_solves_a_recorded_problem() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("problem.npz");
    let out = out.to_str().expect("a path");
    // Cones of six rows.
    let o = mj(&["problem", "rolling", "--steps", "50", "--set", "opt.cone=1", "-o", out]);
    assert!(o.status.success(), "{}", stderr(&o));
    let o = mj(&["solve", out, "--solver", "newton"]);
    assert!(stdout(&o).contains("newton"), "{}", stderr(&o));
    let o = mj(&["problem", "quadruped", "--steps", "200", "--set", "opt.cone=1", "-o", out]);
    assert!(o.status.success(), "{}", stderr(&o));
    let o = mj(&["solve", out, "--json"]);
    assert!(o.status.success(), "{}", stderr(&o));
    let v: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
    let of = |name: &str, key: &str| {
        let solvers = v["solvers"].as_array().expect("solvers");
        let found = solvers.iter().find(|s| s["solver"] == name).unwrap_or_else(|| panic!("no {name}"));
        found[key].as_f64().unwrap_or_else(|| panic!("{name}: no {key}"))
    };
    assert!(v["rows"].as_u64() > Some(0));
    // The convex solvers agree on the cost, and only the complementarity solver obeys the exact laws.
    let cost = of("newton", "cost");
    for name in ["cg", "pgs"] {
        assert!((of(name, "cost") - cost).abs() < 1e-3 * cost.abs(), "{name}: {} {cost}", of(name, "cost"));
    }
    assert!(of("complementarity", "laws") < 1e-10, "{}", of("complementarity", "laws"));
    assert!(of("newton", "laws") > 1e-6, "{}", of("newton", "laws"));
    let o = mj(&["solve", out, "--solver", "impulse"]);
    assert_eq!(o.status.code(), Some(2));
}

#[test]
fn faults_of_the_input_exit_with_1() {
    let path = scratch(
        "typo.xml",
        "<mujoco>\n  <worldbody>\n    <body>\n      <joint armatur=\"1\"/>\n      <geom size=\".1\" condim=\"2\"/>\n    </body>\n  </worldbody>\n</mujoco>\n",
    );
    let o = mj(&["compile", path.to_str().expect("a path")]);
    assert_eq!(o.status.code(), Some(1));
    let text = stderr(&o).replace(path.to_str().expect("a path"), "typo.xml");
    insta::assert_snapshot!(text);
}

#[test]
fn options_that_exclude_each_other_are_refused_where_they_stand() {
    let path = scratch("ipc.xml", "<mujoco>\n  <option>\n    <flag ipc=\"enable\"/>\n  </option>\n</mujoco>\n");
    let o = mj(&["compile", path.to_str().expect("a path")]);
    assert_eq!(o.status.code(), Some(1));
    let place = "ipc.xml:3:16: error: option `ipc` = `enable`: not with integrators other than `discrete`";
    assert!(stderr(&o).contains(place), "{}", stderr(&o));
}

#[test]
fn faults_of_the_command_line_exit_with_2() {
    for args in [
        &["run", "humanoid", "--set", "opt.timestp=1"][..],
        &["run", "humanoid", "--set", "timestep"],
        &["run", "humanoid", "--seconds", "-1"],
        &["run", "humanoid", "--key", "nowhere"],
        &["dump", "humanoid", "--out", "x.npz", "--stage", "backward"],
        &["jump"],
    ] {
        let o = mj(args);
        assert_eq!(o.status.code(), Some(2), "{args:?}: {}", stderr(&o));
        assert!(stderr(&o).contains("error"), "{args:?}");
    }
    let o = mj(&["info", "no_such_model"]);
    assert_eq!(o.status.code(), Some(1));
    assert!(stderr(&o).contains("the bundled ones are"), "{}", stderr(&o));
}

#[test]
fn a_state_with_unknown_arrays_is_refused() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("forward.npz");
    let out = out.to_str().expect("a path");
    let o = mj(&["dump", "lamp", "--out", out, "--stage", "forward"]);
    assert!(o.status.success(), "{}", stderr(&o));
    // Its names carry a prefix, so it is no state: the message says which arrays are.
    let o = mj(&["dump", "lamp", "--out", out, "--stage", "step:3", "--state", out]);
    assert_eq!(o.status.code(), Some(1));
    assert!(stderr(&o).contains("unknown array"), "{}", stderr(&o));
}

#[test]
fn bench_prints_one_object() {
    let o = mj(&["bench", "lamp", "--steps", "200", "--json", "--threads", "2"]);
    assert!(o.status.success(), "{}", stderr(&o));
    let v: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
    for key in [
        "model",
        "steps",
        "threads",
        "steps_per_second",
        "us_per_step",
        "us_per_step_min",
        "ncon_mean",
        "nefc_mean",
        "niter_mean",
        "realtime_factor",
    ] {
        assert!(!v[key].is_null(), "no {key}");
    }
    assert_eq!(v["stage_us"].as_object().map(|o| o.len()), Some(10));
}

#[test]
fn diagnostics_for_editors_are_one_object() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [main, part] = ["main.xml", "part.xml"].map(|f| folder.join(f));
    std::fs::write(&main, "<mujoco>\n  <include file='part.xml'/>\n</mujoco>").expect("a file");
    std::fs::write(&part, "<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>").expect("a file");
    let o = mj(&["compile", main.to_str().expect("a path"), "--format", "json"]);
    assert_eq!((o.status.code(), stderr(&o).as_str()), (Some(1), ""));
    let v: serde_json::Value = serde_json::from_str(&stdout(&o)).expect("JSON");
    assert_eq!((v["errors"].as_u64(), v["warnings"].as_u64()), (Some(1), Some(0)));
    let d = &v["diagnostics"][0];
    assert_eq!(d["severity"], "error");
    assert_eq!(d["message"], "unknown attribute `sise` of `geom`");
    assert_eq!(d["file"], part.to_str().expect("a path"));
    let place = ["line", "column", "end_line", "end_column", "start_byte", "end_byte"].map(|k| d[k].as_u64());
    assert_eq!(place, [1, 26, 1, 30, 25, 29].map(Some));
    assert_eq!(d["chain"][0]["how"], "included");
    assert_eq!(d["chain"][0]["file"], main.to_str().expect("a path"));
    assert_eq!(d["chain"][0]["line"], 2);

    let o = mj(&["compile", "lamp", "--format", "json"]);
    assert!(o.status.success() && stdout(&o).contains("\"errors\":0"), "{}", stdout(&o));
}

/// `mj … | head`: whoever reads goes away.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    for args in [&["info", "humanoid"][..], &["bench", "acrobot", "--steps", "2"], &["compile", "nothing", "--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mj"))
            .args(args)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the command starts");
        drop(child.stdout.take());
        let o = child.wait_with_output().expect("it ends");
        assert!(!stderr(&o).contains("panicked"), "{args:?}: {}", stderr(&o));
        assert_ne!(o.status.code(), Some(101), "{args:?}");
    }
}
