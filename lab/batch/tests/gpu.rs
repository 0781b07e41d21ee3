//! The fused kernel against the solver in lanes.
#![cfg(any(feature = "wgpu", feature = "cuda"))]
#![cfg_attr(not(feature = "wgpu"), allow(unused_imports))]

use mj_lab_batch::gpu::{Answer, Packed};
use mj_lab_batch::lane::Width;
use mj_lab_batch::solver::{Compact, Mode, Outcome, Pattern, Settings, solve_all};
use mj_lab_batch::worlds::{problems, spread};
use std::sync::Arc;

/// Problems of a bundled model, and their solutions in lanes.
#[cfg_attr(not(feature = "wgpu"), allow(dead_code))]
fn solved(name: &str, n: usize) -> (Pattern, Vec<Compact>, Vec<Outcome>) {
    let path = format!("{}/../../models/{name}.xml", env!("CARGO_MANIFEST_DIR"));
    let m = Arc::new(mj_engine::load(path).unwrap());
    let all = problems(&m, &spread(&m, n, 600).unwrap()).unwrap();
    let pattern = Pattern::of(&all[0].problem());
    let compact: Vec<Compact> = all.iter().map(|p| Compact::of(&p.problem()).unwrap()).collect();
    let mut out = Vec::new();
    solve_all(Width::F64x4, Mode::Sorted, &pattern, &compact, &Settings::default(), &mut out).unwrap();
    (pattern, compact, out)
}

#[cfg(feature = "wgpu")]
#[test]
fn cubecl_solves_on_any_adapter() {
    use mj_lab_batch::gpu::cube;
    let device = cubecl::Device::wgpu(cubecl::wgpu::WgpuDeviceKind::DefaultDevice).unwrap();
    let settings = Settings { tolerance: 1e-7, ..Settings::default() };
    for name in ["humanoid", "quadruped", "four_bar"] {
        let (pattern, compact, lanes) = solved(name, 40);
        let packed = Packed::new(&pattern, compact.iter());
        assert!(packed.most_rows > 0, "{name} has no rows");
        let (answer, _) = cube::solve(&device, &packed, &settings, 1);
        // As near to the solution as lanes of as many bits come, but for the order of sums.
        let mut narrow = Vec::new();
        solve_all(Width::F32x8, Mode::Sorted, &pattern, &compact, &settings, &mut narrow).unwrap();
        let flat = Answer { qacc: narrow.iter().flat_map(|o| o.qacc.clone()).collect(), ..Answer::default() };
        let (error, near) = (answer.error(packed.nv, &lanes), flat.error(packed.nv, &lanes));
        assert!(error < 5.0 * near + 1e-5 && error < 1e-2, "{name}: {error:e}, lanes {near:e}");
        assert!(
            answer.niter.iter().any(|n| *n > 1 || name == "four_bar") && answer.niter.iter().all(|n| *n < 30),
            "{name}: {:?}",
            answer.niter
        );
        // A world's bits in another order, among fewer neighbours.
        let few: Vec<usize> = (0..40).rev().step_by(3).collect();
        let some = Packed::new(&pattern, few.iter().map(|&w| &compact[w]));
        let (again, _) = cube::solve(&device, &some, &settings, 1);
        for (k, &w) in few.iter().enumerate() {
            let nv = packed.nv;
            assert_eq!(again.qacc[k * nv..][..nv], answer.qacc[w * nv..][..nv], "{name} world {w}");
        }
    }
}

#[cfg(feature = "cuda")]
#[test]
fn cuda_compiles_without_a_gpu() {
    use mj_lab_batch::gpu::cuda::{Real, compile};
    // Without the library there is nothing to compile with.
    if !std::panic::catch_unwind(|| compile(2, 8, Real::F32)).is_ok_and(|r| r.is_ok()) {
        eprintln!("NVRTC is not installed");
        return;
    }
    for (real, kind) in [(Real::F32, "fma.rn.f32"), (Real::F64, "fma.rn.f64")] {
        let text = compile(27, 64, real).unwrap().to_src();
        assert!(text.contains(".entry newton") && text.contains(kind));
        assert!(text.contains("shfl.sync.bfly") && !text.contains("atom."), "no atomics");
    }
}
