//! `mj plan` and `mj control`.
#![cfg(feature = "control")]

use std::process::{Command, Output};

fn mj(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mj")).args(args).output().unwrap()
}

#[test]
fn a_task_is_controlled_and_recorded() {
    let path = std::env::temp_dir().join(format!("mj-control-{}.npz", std::process::id()));
    let out = mj(&["control", "double_pendulum", "--seed", "1", "--out", path.to_str().unwrap()]);
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success() && text.starts_with("double_pendulum, seed 1: success"), "{text}");
    assert!(std::fs::metadata(&path).unwrap().len() > 1000);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_plan_prints_its_iterations() {
    let out = mj(&["plan", "cart_pole"]);
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success() && text.lines().count() > 5 && text.contains("cart_pole: cost"), "{text}");
}

#[test]
fn faults_are_told() {
    let out = mj(&["control", "nothing"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8(out.stderr).unwrap().contains("there is no task `nothing`; the tasks are acrobot"));
    let out = mj(&["plan", "double_pendulum"]);
    assert!(String::from_utf8(out.stderr).unwrap().contains("use mj control"));
}

#[test]
fn a_page_is_recorded_where_recordings_are_built_in() {
    let path = std::env::temp_dir().join(format!("mj-control-{}.html", std::process::id()));
    let out = mj(&["control", "double_pendulum", "--record", path.to_str().unwrap()]);
    if cfg!(feature = "view") {
        assert!(out.status.success());
        assert!(std::fs::read_to_string(&path).unwrap().starts_with("<!DOCTYPE html>"));
        std::fs::remove_file(path).unwrap();
    } else {
        assert!(String::from_utf8(out.stderr).unwrap().contains("--features view"));
    }
}
