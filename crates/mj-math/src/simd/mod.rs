//! Kernels compiled for the vector instructions of the processor, which is asked while the program runs.
//!
//! The crates are compiled for any processor of their kind. A [`Kernel`] that runs through [`dispatch`] is compiled a second
//! time, for AVX2 with FMA on x86-64 (elsewhere the compiler's target decides), and the processor chooses. It may write
//! vectors out ([`F64x4`], [`Mask`], [`Points`]), where the compiler would make gathers of sums of products and scalar code
//! of comparisons, or leave loops to the compiler.
//!
//! A lane does what a number alone would do, and lanes are added up as the source says: results are the same, bit for bit,
//! on all processors, but for products that are added with [`Simd::plus`], [`F64x4::plus`] and [`F64x4::minus`]. These
//! round once where the processor has an instruction for it ([`Fused`]) and twice where it hasn't ([`Separate`]). With
//! the feature `deterministic`, every kernel runs with [`Separate`].

mod f64x4;
mod points;

pub use f64x4::{F64x4, Mask};
pub use points::Points;

/// Instructions that a kernel is compiled for: [`Separate`] or [`Fused`]. No other type implements it.
pub trait Simd: sealed::Instructions {
    /// Returns sum + a·b, rounded once by [`Fused`] and twice by [`Separate`].
    fn plus(sum: f64, a: f64, b: f64) -> f64;
}

/// Instructions of any processor: a product is rounded before it is added.
#[derive(Clone, Copy, Debug)]
pub struct Separate;

/// Vector instructions with multiply-add: a product and its sum are rounded once. Only [`dispatch`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Fused(Native);

#[cfg(target_arch = "x86_64")]
type Native = pulp::x86::V3;
#[cfg(not(target_arch = "x86_64"))]
type Native = pulp::Scalar256b;

impl Simd for Separate {
    #[inline(always)]
    fn plus(sum: f64, a: f64, b: f64) -> f64 {
        sum + a * b
    }
}

impl Simd for Fused {
    #[inline(always)]
    fn plus(sum: f64, a: f64, b: f64) -> f64 {
        a.mul_add(b, sum)
    }
}

/// Instructions on vectors of four numbers. Sealed, so that a release of the crate behind them changes no public name.
mod sealed {
    use super::{Fused, Native, Separate};
    use pulp::{Scalar256b, Simd, f64x4};

    pub trait Instructions: Copy + std::fmt::Debug {
        /// Instruction set.
        type Isa: Simd<f64s = f64x4>;

        /// Returns the instruction set.
        fn isa(self) -> Self::Isa;

        /// Returns a·b + c.
        fn product_and(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4;

        /// Returns c − a·b.
        fn product_from(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4;
    }

    impl Instructions for Separate {
        type Isa = Scalar256b;

        #[inline(always)]
        fn isa(self) -> Scalar256b {
            Scalar256b
        }

        #[inline(always)]
        fn product_and(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4 {
            Scalar256b.add_f64s(Scalar256b.mul_f64s(a, b), c)
        }

        #[inline(always)]
        fn product_from(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4 {
            Scalar256b.sub_f64s(c, Scalar256b.mul_f64s(a, b))
        }
    }

    impl Instructions for Fused {
        type Isa = Native;

        #[inline(always)]
        fn isa(self) -> Native {
            self.0
        }

        #[inline(always)]
        fn product_and(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4 {
            self.0.mul_add_f64s(a, b, c)
        }

        #[inline(always)]
        fn product_from(self, a: f64x4, b: f64x4, c: f64x4) -> f64x4 {
            self.0.negate_mul_add_f64s(a, b, c)
        }
    }
}

/// A kernel: a function and its arguments. Mark `run`, and whatever it calls that is hot, `#[inline(always)]`: what is not
/// inlined isn't compiled again.
pub trait Kernel {
    /// Result of the kernel.
    type Output;

    /// Runs the kernel with these instructions.
    fn run<S: Simd>(self, s: S) -> Self::Output;
}

/// Runs a kernel with the best instructions that the processor has; with the feature `deterministic` with [`Separate`].
#[inline(always)]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(all(target_arch = "x86_64", not(feature = "deterministic")))]
    if let Some(v3) = pulp::x86::V3::try_new() {
        return v3.vectorize(Vectorized(kernel, v3));
    }
    #[cfg(all(target_arch = "aarch64", not(feature = "deterministic")))]
    return kernel.run(Fused(pulp::Scalar256b));
    #[cfg(not(all(target_arch = "aarch64", not(feature = "deterministic"))))]
    scalar(kernel)
}

/// Runs a kernel as [`dispatch`] does, if it goes over many numbers (`size`): short loops gain nothing from vectors and
/// lose by their remainders, so that little work runs as it was compiled.
#[inline(always)]
pub fn dispatch_from<K: Kernel>(size: usize, kernel: K) -> K::Output {
    if size < LEAST { scalar(kernel) } else { dispatch(kernel) }
}

/// Numbers below which vectors lose.
const LEAST: usize = 600;

/// Runs a kernel with [`Separate`]: a very short one gains nothing from the choice.
#[inline(always)]
pub fn scalar<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Separate)
}

#[cfg(all(target_arch = "x86_64", not(feature = "deterministic")))]
struct Vectorized<K>(K, pulp::x86::V3);

#[cfg(all(target_arch = "x86_64", not(feature = "deterministic")))]
impl<K: Kernel> pulp::NullaryFnOnce for Vectorized<K> {
    type Output = K::Output;

    #[inline(always)]
    fn call(self) -> K::Output {
        self.0.run(Fused(self.1))
    }
}
