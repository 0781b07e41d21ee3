//! The CUDA kernel's source on a processor, against the solver in lanes. Needs a C++ compiler.

use mj_lab_batch::gpu::{Answer, Packed};
use mj_lab_batch::lane::Width;
use mj_lab_batch::solver::{Compact, Mode, Pattern, Settings, solve_all};
use mj_lab_batch::worlds::{problems, spread};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Compiles the emulation, if there is a compiler.
fn build(nv: usize, rows: usize) -> Option<std::path::PathBuf> {
    let out = std::env::temp_dir().join(format!("mj-lab-batch-emulate-{}", std::process::id()));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/emulate.cpp");
    let flags = [
        "-std=c++20".into(),
        "-O2".into(),
        "-pthread".into(),
        format!("-DNV={nv}"),
        format!("-DROWS={rows}"),
        "-DREAL=double".into(),
    ];
    let status = Command::new("c++").args(flags).arg(source).arg("-o").arg(&out).status().ok()?;
    assert!(status.success(), "the kernel's source must compile as C++");
    Some(out)
}

#[test]
fn cuda_source_solves() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml");
    let m = Arc::new(mj_engine::load(path).unwrap());
    let all = problems(&m, &spread(&m, 8, 600).unwrap()).unwrap();
    let pattern = Pattern::of(&all[0].problem());
    let compact: Vec<Compact> = all.iter().map(|p| Compact::of(&p.problem()).unwrap()).collect();
    let settings = Settings::default();
    let mut lanes = Vec::new();
    solve_all(Width::F64x4, Mode::Sorted, &pattern, &compact, &settings, &mut lanes).unwrap();
    let p = Packed::new(&pattern, compact.iter());
    let Some(program) = build(p.nv, p.most_rows) else {
        eprintln!("no C++ compiler: not tested");
        return;
    };
    let mut input: Vec<u8> = Vec::new();
    let head = [p.worlds() as u32, p.d.len() as u32, settings.iterations, settings.ls_iterations];
    head.iter().chain(&p.row_start).for_each(|x| input.extend(x.to_le_bytes()));
    let arrays = [&p.m, &p.qfrc, &p.smooth, &p.warm, &p.scale, &p.jac, &p.d, &p.aref, &p.low, &p.high];
    let tolerances = vec![settings.tolerance, settings.ls_tolerance];
    arrays.into_iter().chain([&tolerances]).flatten().for_each(|x| input.extend(x.to_le_bytes()));
    let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&input).unwrap();
    let output = child.wait_with_output().unwrap();
    std::fs::remove_file(&program).unwrap();
    assert!(output.status.success());
    let (numbers, counts) = output.stdout.split_at(8 * (p.qfrc.len() + p.d.len()));
    let numbers: Vec<f64> = numbers.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    let niter = counts.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
    let answer = Answer { qacc: numbers[..p.qfrc.len()].to_vec(), force: numbers[p.qfrc.len()..].to_vec(), niter };
    assert!(answer.error(p.nv, &lanes) < 1e-9, "{:e}", answer.error(p.nv, &lanes));
    assert!(answer.niter.iter().zip(&lanes).all(|(a, b)| *a == b.iterations) && answer.niter.iter().any(|n| *n > 1));
    let forces = lanes.iter().flat_map(|o| &o.efc_force);
    assert!(answer.force.iter().zip(forces).all(|(a, b)| (a - b).abs() < 1e-6 * (1.0 + b.abs())));
}
