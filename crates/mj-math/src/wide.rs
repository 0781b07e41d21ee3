//! Wider vectors where the processor has them.
//!
//! The crates are compiled for any processor of their kind; a kernel that runs through [`wide`] is
//! compiled again for wider vectors, and the processor chooses. Lanes are added up as the source says, so that
//! results are the same, bit for bit, on all of them, but for products that a kernel adds by [`Products`]. With the
//! feature `deterministic` nothing is chosen.

/// A kernel: a function and its arguments. Mark `run`, and whatever it calls that is hot,
/// `#[inline(always)]`: what is not inlined isn't compiled again.
pub trait Kernel {
    /// Result of the kernel.
    type Output;

    /// Runs it.
    fn run<P: Products>(self) -> Self::Output;
}

/// How a product is added to a sum.
pub trait Products {
    /// sum + a·b.
    fn plus(sum: f64, a: f64, b: f64) -> f64;
}

/// Rounded once: where the processor has an instruction for it.
pub struct Fused;

impl Products for Fused {
    #[inline(always)]
    fn plus(sum: f64, a: f64, b: f64) -> f64 {
        a.mul_add(b, sum)
    }
}

/// Rounded twice.
pub struct Apart;

impl Products for Apart {
    #[inline(always)]
    fn plus(sum: f64, a: f64, b: f64) -> f64 {
        sum + a * b
    }
}

/// Runs a kernel with the widest vectors that the processor has.
#[inline(always)]
pub fn wide<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(feature = "deterministic")]
    return kernel.run::<Apart>();
    #[cfg(not(feature = "deterministic"))]
    pulp::Arch::new().dispatch(Chosen(kernel))
}

/// Runs a kernel as [`wide`] does, if it goes over many numbers (`size`): short loops gain nothing from wide vectors and
/// lose by their remainders, so that little work runs as it was compiled.
#[inline(always)]
pub fn wide_from<K: Kernel>(size: usize, kernel: K) -> K::Output {
    if size < LEAST { kernel.run::<Apart>() } else { wide(kernel) }
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
        // Whatever has vectors at all here can fuse as well.
        if S::IS_SCALAR { self.0.run::<Apart>() } else { self.0.run::<Fused>() }
    }
}
