//! Wider vectors where the processor has them.
//!
//! The crates are compiled for any processor of their kind; a kernel that runs through [`wide`] is
//! compiled again for wider vectors, and the processor chooses. Lanes are added up as the source says
//! and nothing is fused, so that the results are the same, bit for bit, on all of them. With the feature
//! `deterministic` nothing is chosen.

/// A kernel: a function and its arguments. Mark `run`, and whatever it calls that is hot,
/// `#[inline(always)]`: what is not inlined isn't compiled again.
pub trait Kernel {
    /// What it returns.
    type Output;

    /// Runs it.
    fn run(self) -> Self::Output;
}

/// Runs a kernel with the widest vectors that the processor has.
#[inline(always)]
pub fn wide<K: Kernel>(kernel: K) -> K::Output {
    // The choice changes no bits, but what is compiled again is not what was tested on another machine.
    #[cfg(feature = "deterministic")]
    return kernel.run();
    #[cfg(not(feature = "deterministic"))]
    pulp::Arch::new().dispatch(Chosen(kernel))
}

/// As [`wide`], for a kernel that goes over `size` numbers: short loops gain nothing from wide vectors and
/// lose by their remainders, so that little work runs as it was compiled.
#[inline(always)]
pub fn wide_from<K: Kernel>(size: usize, kernel: K) -> K::Output {
    if size < LEAST { kernel.run() } else { wide(kernel) }
}

/// Numbers below which wide vectors lose.
const LEAST: usize = 600;

#[cfg(not(feature = "deterministic"))]
struct Chosen<K>(K);

#[cfg(not(feature = "deterministic"))]
impl<K: Kernel> pulp::WithSimd for Chosen<K> {
    type Output = K::Output;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> K::Output {
        self.0.run()
    }
}
