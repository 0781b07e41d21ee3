//! Choice of instructions while the program runs.

use super::{Double, Lane, Pair, Single};
use pulp::NullaryFnOnce;
use pulp::x86::{V3, V4};

/// A computation that is written once for every width.
pub trait Kernel {
    /// Result.
    type Output;

    /// Runs it with lanes of one width. Implementations are `#[inline(always)]`, so that they are compiled for the
    /// instructions of their caller.
    fn run<L: Lane>(self, isa: L::Isa) -> Self::Output;
}

/// Kind and number of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One world in 64 bits.
    F64x1,
    /// Four worlds in 64 bits.
    F64x4,
    /// Eight worlds in 64 bits.
    F64x8,
    /// Eight worlds in 32 bits.
    F32x8,
    /// Sixteen worlds in 32 bits.
    F32x16,
}

impl Width {
    /// All widths.
    pub const ALL: [Self; 5] = [Self::F64x1, Self::F64x4, Self::F64x8, Self::F32x8, Self::F32x16];

    /// Returns the number of worlds.
    pub fn lanes(self) -> usize {
        match self {
            Self::F64x1 => 1,
            Self::F64x4 => 4,
            Self::F64x8 | Self::F32x8 => 8,
            Self::F32x16 => 16,
        }
    }

    /// Returns its name, as Rust has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64x1 => "f64x1",
            Self::F64x4 => "f64x4",
            Self::F64x8 => "f64x8",
            Self::F32x8 => "f32x8",
            Self::F32x16 => "f32x16",
        }
    }
}

/// The processor lacks AVX2 or FMA.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("lanes need a processor with AVX2 and FMA")]
pub struct NoInstructions;

/// Returns whether the processor has registers of 512 bits (AVX-512). Without, the widest lanes are pairs.
pub fn native_512() -> bool {
    V4::try_new().is_some()
}

/// Runs a kernel with lanes of the given width.
///
/// # Errors
/// If the processor lacks the instructions.
pub fn dispatch<K: Kernel>(width: Width, kernel: K) -> Result<K::Output, NoInstructions> {
    let v3 = V3::try_new().ok_or(NoInstructions)?;
    Ok(match (width, V4::try_new()) {
        (Width::F64x1, _) => v3.vectorize(With::<K, f64, _>(kernel, (), std::marker::PhantomData)),
        (Width::F64x4, _) => v3.vectorize(With::<K, Double<V3>, _>(kernel, v3, std::marker::PhantomData)),
        (Width::F32x8, _) => v3.vectorize(With::<K, Single<V3>, _>(kernel, v3, std::marker::PhantomData)),
        (Width::F64x8, Some(v4)) => v4.vectorize(With::<K, Double<V4>, _>(kernel, v4, std::marker::PhantomData)),
        (Width::F32x16, Some(v4)) => v4.vectorize(With::<K, Single<V4>, _>(kernel, v4, std::marker::PhantomData)),
        (Width::F64x8, None) => v3.vectorize(With::<K, Pair<Double<V3>>, _>(kernel, v3, std::marker::PhantomData)),
        (Width::F32x16, None) => v3.vectorize(With::<K, Pair<Single<V3>>, _>(kernel, v3, std::marker::PhantomData)),
    })
}

/// A kernel with the lanes that it is to run with.
struct With<K, L, I>(K, I, std::marker::PhantomData<L>);

impl<K: Kernel, L: Lane> NullaryFnOnce for With<K, L, L::Isa> {
    type Output = K::Output;

    #[inline(always)]
    fn call(self) -> K::Output {
        self.0.run::<L>(self.1)
    }
}
