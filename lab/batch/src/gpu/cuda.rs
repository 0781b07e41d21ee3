//! The kernel in CUDA C: compiled by NVRTC, which needs no GPU, and run by the driver.

use super::launch::{LaunchError, Timed, launch};
use super::{Packed, shared_numbers};
use crate::solver::Settings;
use cudarc::nvrtc::{CompileError, CompileOptions, Ptx, compile_ptx_with_opts};

/// Source of the kernel.
const SOURCE: &str = include_str!("newton.cu");

/// Kind of the kernel's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Real {
    /// 32 bits.
    F32,
    /// 64 bits.
    F64,
}

impl Real {
    /// Returns the number of bytes.
    pub fn bytes(self) -> usize {
        if self == Self::F32 { 4 } else { 8 }
    }
}

/// Compiles the kernel for a number of dofs and a greatest number of rows.
///
/// # Errors
/// If NVRTC refuses it: its messages.
pub fn compile(nv: usize, rows: usize, real: Real) -> Result<Ptx, CompileError> {
    let name = if real == Real::F32 { "float" } else { "double" };
    let options = vec![format!("-DNV={nv}"), format!("-DROWS={rows}"), format!("-DREAL={name}")];
    compile_ptx_with_opts(SOURCE, CompileOptions { options, arch: Some("compute_80"), ..Default::default() })
}

/// Solves on a GPU and times the kernel alone.
///
/// # Errors
/// If there is no GPU, or it refuses the kernel.
pub fn solve(packed: &Packed, settings: &Settings, real: Real, repeats: usize) -> Result<Timed, LaunchError> {
    let rows = packed.most_rows.next_multiple_of(8).max(8);
    let ptx = compile(packed.nv, rows, real).map_err(|e| LaunchError::Compiler(format!("{e:?}")))?;
    let shared = shared_numbers(packed.nv, rows) * real.bytes();
    match real {
        Real::F32 => launch::<f32>(packed, settings, ptx, shared, repeats),
        Real::F64 => launch::<f64>(packed, settings, ptx, shared, repeats),
    }
}
