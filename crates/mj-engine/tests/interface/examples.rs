//! The ten programs of the README: one import, at most 25 lines, and they run.

use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAMS: [&str; 10] = [
    "pd_control",
    "named_sensor",
    "contact_forces",
    "external_force",
    "ray",
    "inverse_kinematics",
    "save_restore",
    "parallel_rollouts",
    "lqr",
    "edit_and_recompile",
];

#[test]
fn programs_are_short_and_import_the_prelude_only() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    for name in PROGRAMS {
        let text = std::fs::read_to_string(folder.join("examples").join(format!("{name}.rs"))).unwrap();
        assert!(text.lines().count() <= 25, "{name} has {} lines", text.lines().count());
        let imports: Vec<_> = text.lines().filter(|line| line.trim_start().starts_with("use ")).collect();
        assert_eq!(imports, ["use mj_engine::prelude::*;"], "{name}");
        let others = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.starts_with("mj_"));
        assert_eq!(others.collect::<Vec<_>>(), ["mj_engine"], "{name}");
        assert!(readme.contains(&format!("[`{name}`](examples/{name}.rs)")), "the README doesn't show {name}");
    }
}

/// Where Cargo puts examples beside this test; builds them if this test is run alone and any is missing or old.
fn folder_of_examples() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let changed = |path: PathBuf| path.metadata().and_then(|m| m.modified());
    let source =
        |name: &str| changed(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(format!("{name}.rs")));
    let built = |name: &str| changed(profile.join("examples").join(name));
    if PROGRAMS.iter().any(|name| built(name).is_err() || built(name).unwrap() < source(name).unwrap()) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--examples", "--target-dir"]).arg(profile.parent().unwrap());
        assert!(cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
    }
    profile.join("examples")
}

/// The last line of what each prints, but for the digits that depend on the processor.
#[test]
fn programs_run() {
    let folder = folder_of_examples();
    let run = |name: &str| -> String {
        let output = Command::new(folder.join(name)).output().unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run("pd_control").ends_with("angles [-0.600, +0.900] rad, torques [-6.48, -1.35] N m\n"));
    assert!(run("named_sensor").contains("   9.81 m/s² upwards\n"));
    assert!(run("contact_forces").ends_with("107.910] N, against a weight of 107.910 N\n"));
    // An impulse of 0.2 N s at half a metre, on 1 kg with (1² + 0.04²)/12 kg m².
    assert!(run("external_force").ends_with("0.2000, 0.0000] m/s, [0.0000, 0.0000, 1.1977] rad/s\n"));
    assert!(run("ray").ends_with("ball after 2 m, normal [0, 0, 1]\n"));
    let last = run("inverse_kinematics");
    let error: f64 = last.lines().last().unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(error < 1e-12, "{last}");
    assert_eq!(run("save_restore").matches("the same bits").count(), 2);
    for line in run("parallel_rollouts").lines() {
        let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        assert!(numbers.len() == 3 && (numbers[1] - numbers[2]).abs() < 1e-4, "{line}");
    }
    let last = run("lqr");
    let numbers =
        last.lines().last().unwrap().split(['[', ',', ']']).filter_map(|word| word.trim().parse::<f64>().ok());
    assert!(numbers.inspect(|x| assert!(x.abs() < 0.01, "{last}")).count() == 2);
    let edited = run("edit_and_recompile");
    assert!(edited.contains("lower_hinge") && edited.matches("t = 0.40 s: [1.9761").count() == 2, "{edited}");
}
