//! Times of the fused kernel on a GPU.

use mj_lab_batch::gpu::Packed;
use mj_lab_batch::lane::Width;
use mj_lab_batch::solver::{Compact, Mode, Pattern, Settings, solve_all};
use mj_lab_batch::worlds::{problems, spread};
use std::path::PathBuf;
use std::sync::Arc;

/// Arguments.
#[derive(clap::Args)]
pub struct Args {
    /// Model; without one, the bundled humanoid.
    model: Option<PathBuf>,
    /// Numbers of worlds.
    #[arg(long, value_delimiter = ',', default_value = "256,1024,4096,16384,65536")]
    worlds: Vec<usize>,
    /// Launches of one measurement, of which the fastest counts.
    #[arg(long, default_value_t = 10)]
    rounds: usize,
    /// Tolerance of 32-bit numbers.
    #[arg(long, default_value_t = 1e-6)]
    narrow_tolerance: f64,
    /// Writes the compiled kernels into this folder, and measures nothing: needs no GPU.
    #[arg(long)]
    ptx: Option<PathBuf>,
}

/// Distinct problems; more worlds repeat them.
const DISTINCT: usize = 512;

/// Measures each number of worlds.
pub fn run(args: &Args) -> Result<(), Box<dyn std::error::Error>> {
    let m = Arc::new(mj_engine::load(args.model.clone().unwrap_or_else(super::bundled_humanoid))?);
    let all = problems(&m, &spread(&m, DISTINCT, 1000)?)?;
    let pattern = Pattern::of(&all[0].problem());
    let compact = all.iter().map(|p| Compact::of(&p.problem())).collect::<Result<Vec<_>, _>>()?;
    #[cfg(feature = "cuda")]
    if let Some(folder) = &args.ptx {
        return write_ptx(folder, &Packed::new(&pattern, compact.iter()));
    }
    let mut lanes = Vec::new();
    solve_all(Width::F64x4, Mode::Sorted, &pattern, &compact, &Settings::default(), &mut lanes)?;
    println!(
        "{:<14} {:>7} {:>12} {:>10} {:>9} {:>5} {:>9}",
        "kernel", "worlds", "ns/world", "B/world", "resident", "regs", "error"
    );
    for &worlds in &args.worlds {
        let packed = Packed::new(&pattern, (0..worlds).map(|w| &compact[w % DISTINCT]));
        let repeated: Vec<_> = (0..worlds).map(|w| lanes[w % DISTINCT].clone()).collect();
        measure(args, &packed, worlds, &repeated)?;
    }
    Ok(())
}

/// Measures every kernel that was built in.
fn measure(
    args: &Args,
    packed: &Packed,
    worlds: usize,
    lanes: &[mj_lab_batch::solver::Outcome],
) -> Result<(), Box<dyn std::error::Error>> {
    let narrow = Settings { tolerance: args.narrow_tolerance, ..Settings::default() };
    let bytes = packed.numbers() / worlds;
    #[cfg(feature = "cuda")]
    {
        use mj_lab_batch::gpu::cuda::{Real, solve};
        for (name, real, settings) in [("cuda f32", Real::F32, narrow), ("cuda f64", Real::F64, Settings::default())] {
            let t = match solve(packed, &settings, real, args.rounds) {
                Ok(t) => t,
                Err(e) => {
                    println!("{name:<14} {e}");
                    continue;
                }
            };
            let (ns, b) = (t.seconds / worlds as f64 * 1e9, bytes * real.bytes());
            let error = t.answer.error(packed.nv, lanes);
            println!("{name:<14} {worlds:>7} {ns:>12.1} {b:>10} {:>9} {:>5} {error:>9.1e}", t.resident, t.registers);
        }
    }
    #[cfg(feature = "wgpu")]
    {
        let device = cubecl::Device::wgpu(cubecl::wgpu::WgpuDeviceKind::DefaultDevice)?;
        let (answer, seconds) = mj_lab_batch::gpu::cube::solve(&device, packed, &narrow, args.rounds);
        let (ns, b, error) = (seconds / worlds as f64 * 1e9, bytes * 4, answer.error(packed.nv, lanes));
        println!("{:<14} {worlds:>7} {ns:>12.1} {b:>10} {:>9} {:>5} {error:>9.1e}", "cubecl wgpu", "", "");
    }
    Ok(())
}

/// Compiles the kernels and writes them as text.
#[cfg(feature = "cuda")]
fn write_ptx(folder: &std::path::Path, packed: &Packed) -> Result<(), Box<dyn std::error::Error>> {
    use mj_lab_batch::gpu::cuda::{Real, compile};
    std::fs::create_dir_all(folder)?;
    let rows = packed.most_rows.next_multiple_of(8).max(8);
    for (name, real) in [("f32", Real::F32), ("f64", Real::F64)] {
        let begin = std::time::Instant::now();
        let text = compile(packed.nv, rows, real).map_err(|e| format!("{e:?}"))?.to_src();
        let shared = mj_lab_batch::gpu::shared_numbers(packed.nv, rows) * real.bytes();
        println!(
            "{name}: {} lines in {:.0} ms, {rows} rows, {shared} bytes of shared memory a world",
            text.lines().count(),
            begin.elapsed().as_secs_f64() * 1e3
        );
        std::fs::write(folder.join(format!("newton_{name}.ptx")), text)?;
    }
    Ok(())
}
