//! `mj identify`: parameters from a log in a file.
#![cfg(feature = "control")]

use mj_engine::{Data, load_str, step};
use std::fmt::Write as _;
use std::process::Command;

fn model(damping: f64) -> String {
    format!(
        r#"<mujoco><worldbody><body><joint name="hinge" axis="0 1 0" damping="{damping}"/>
        <geom size=".1" pos="0 0 -1" mass="1"/></body></worldbody></mujoco>"#
    )
}

#[test]
fn damping_is_found_in_a_csv() {
    let folder = std::env::temp_dir().join(format!("mj-identify-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (xml, csv, page) = (folder.join("arm.xml"), folder.join("log.csv"), folder.join("fit.html"));
    let m = load_str(&model(0.1)).unwrap();
    let mut d = Data::new(&m).unwrap();
    d.state.qpos[0] = 1.0;
    let mut text = "time,qpos[hinge],qvel[hinge]\n".to_string();
    for k in 0..300 {
        let noise = 1e-3 * (k as f64 * 7.3).sin();
        writeln!(text, "{},{},{}", d.state.time, d.state.qpos[0] + noise, d.state.qvel[0] - noise).unwrap();
        step(&m, &mut d).unwrap();
    }
    std::fs::write(&csv, text).unwrap();
    std::fs::write(&xml, model(0.3)).unwrap();
    let run = |find: &str| {
        let mut c = Command::new(env!("CARGO_BIN_EXE_mj"));
        c.arg("identify").arg(&xml).arg(&csv).args(["--find", find, "--json", "--report"]).arg(&page);
        c.output().unwrap()
    };
    let out = run("dof_damping[hinge]=0:2");
    let all: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let estimate = &all["estimates"][0];
    assert_eq!(estimate["name"], "dof_damping[hinge]");
    assert!((estimate["value"].as_f64().unwrap() - 0.1).abs() < 0.005, "{all}");
    assert!(estimate["std"].as_f64().unwrap() < 0.005);
    assert!(std::fs::read_to_string(&page).unwrap().contains("<svg"));

    let out = run("dof_damping[knee]");
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2));
    assert!(told.contains("`dof_damping` has no row `knee`"), "{told}");
    std::fs::remove_dir_all(&folder).unwrap();
}
