//! Launch of the CUDA kernel. Here and in the CubeCL kernel's arguments is the only unsafe code of the crate.
#![allow(unsafe_code)]

use super::{Answer, Packed};
use crate::solver::Settings;
use cudarc::driver::sys::CUfunction_attribute_enum as Attribute;
use cudarc::driver::{CudaContext, DeviceRepr, DriverError, LaunchConfig, PushKernelArg, ValidAsZeroBits};
use cudarc::nvrtc::Ptx;
use std::time::Instant;

/// The kernel could not run.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// NVRTC refused it.
    #[error("the compiler refused the kernel: {0}")]
    Compiler(String),
    /// There is no driver.
    #[error("no CUDA driver; expected libcuda on the library path")]
    NoDriver,
    /// The driver refused it.
    #[error("the driver refused the kernel: {0}")]
    Driver(#[from] DriverError),
}

/// Answers, with the time of the kernel.
#[derive(Clone, Debug)]
pub struct Timed {
    /// Answers.
    pub answer: Answer,
    /// Least time of one launch over all worlds, s.
    pub seconds: f64,
    /// Worlds that a multiprocessor holds at once.
    pub resident: u32,
    /// Registers of a thread.
    pub registers: i32,
    /// Shared memory of a world, bytes.
    pub shared: usize,
}

/// A number of the kernel.
pub trait Number: DeviceRepr + ValidAsZeroBits + Copy + Default {
    /// Rounds.
    fn of(x: f64) -> Self;
    /// Widens.
    fn wide(self) -> f64;
}

impl Number for f32 {
    fn of(x: f64) -> Self {
        x as Self
    }
    fn wide(self) -> f64 {
        f64::from(self)
    }
}

impl Number for f64 {
    fn of(x: f64) -> Self {
        x
    }
    fn wide(self) -> f64 {
        self
    }
}

/// Copies the problems to the first GPU, solves them `repeats` times, and copies the answers back.
///
/// # Errors
/// If there is no GPU, or it refuses the kernel.
pub fn launch<T: Number>(
    p: &Packed,
    settings: &Settings,
    ptx: Ptx,
    shared: usize,
    repeats: usize,
) -> Result<Timed, LaunchError> {
    // SAFETY: it only looks for the library.
    if !unsafe { cudarc::driver::sys::is_culib_present() } {
        return Err(LaunchError::NoDriver);
    }
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let function = context.load_module(ptx)?.load_function("newton")?;
    function.set_attribute(Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared as i32)?;
    let resident = function.occupancy_max_active_blocks_per_multiprocessor(32, shared, None)?;
    let registers = function.get_attribute(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?;
    let copy = |v: &[f64]| stream.clone_htod(&v.iter().map(|x| T::of(*x)).collect::<Vec<T>>());
    let rows: Vec<i32> = p.row_start.iter().map(|r| *r as i32).collect();
    let starts = stream.clone_htod(&rows)?;
    let (m, qfrc, smooth, warm, scale) =
        (copy(&p.m)?, copy(&p.qfrc)?, copy(&p.smooth)?, copy(&p.warm)?, copy(&p.scale)?);
    // No array is empty, so that each has an address.
    let padded = |v: &[f64]| if v.is_empty() { copy(&[0.0]) } else { copy(v) };
    let (jac, d, aref, low, high) =
        (padded(&p.jac)?, padded(&p.d)?, padded(&p.aref)?, padded(&p.low)?, padded(&p.high)?);
    let mut qacc = stream.alloc_zeros::<T>(p.qfrc.len())?;
    let mut force = stream.alloc_zeros::<T>(p.d.len().max(1))?;
    let mut niter = stream.alloc_zeros::<i32>(p.worlds())?;
    let (worlds, iterations, ls) = (p.worlds() as i32, settings.iterations as i32, settings.ls_iterations as i32);
    let (tolerance, ls_tolerance) = (T::of(settings.tolerance), T::of(settings.ls_tolerance));
    let config =
        LaunchConfig { grid_dim: (p.worlds() as u32, 1, 1), block_dim: (32, 1, 1), shared_mem_bytes: shared as u32 };
    let mut seconds = f64::INFINITY;
    for _ in 0..repeats.max(1) {
        stream.synchronize()?;
        let begin = Instant::now();
        let mut call = stream.launch_builder(&function);
        call.arg(&worlds).arg(&iterations).arg(&ls).arg(&tolerance).arg(&ls_tolerance).arg(&starts);
        call.arg(&m).arg(&qfrc).arg(&smooth).arg(&warm).arg(&scale);
        call.arg(&jac).arg(&d).arg(&aref).arg(&low).arg(&high);
        call.arg(&mut qacc).arg(&mut force).arg(&mut niter);
        // SAFETY: the arguments are those of `newton` in number, order and type (REAL is T by the compiler's option). The
        // kernel reads a world's NV, TRI(NV) and row_start entries of arrays that have as many for each world of the grid,
        // and writes entries of arrays of those sizes. It uses `shared` bytes, by the sum that `newton.cu`
        // names SHARED, with ROWS at least the greatest count of rows.
        unsafe { call.launch(config) }?;
        stream.synchronize()?;
        seconds = seconds.min(begin.elapsed().as_secs_f64());
    }
    let wide = |v: Vec<T>| v.into_iter().map(T::wide).collect::<Vec<f64>>();
    let mut forces = wide(stream.clone_dtoh(&force)?);
    forces.truncate(p.d.len());
    let counts = stream.clone_dtoh(&niter)?.into_iter().map(|n| n as u32).collect();
    let answer = Answer { qacc: wide(stream.clone_dtoh(&qacc)?), force: forces, niter: counts };
    Ok(Timed { answer, seconds, resident, registers, shared })
}
