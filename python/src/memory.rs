//! Memory that the engine and NumPy share: the only unsafe code of the package.
//!
//! A [`Block`] is a run of numbers that is allocated once and never moves or grows. Arrays taken from a model or data lie in
//! blocks; each array holds its [`Arena`], which holds the blocks, so that an array outlives its model or data.
//!
//! Why it is sound:
//! - A block is memory that lives until the last holder of its arena is gone; NumPy frees nothing, because an array made here
//!   doesn't own its data and has the arena as its base.
//! - Rust reads and writes a block's numbers by atomic loads and stores of their own size, never by references. Python may
//!   write a number of an array from another thread while a call copies it: the call then reads the old or the new number.
//! - Every access is checked against the block's number of bytes, and addresses are aligned to the size of the number,
//!   since blocks begin at multiples of 8 bytes.
//! - A truth value that NumPy wrote is read as a byte, and compared with 0.

use mj_model::{Cell, Number};
use numpy::ndarray::{ArrayView, IxDyn};
use numpy::{Element, PyArrayDyn};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// A number that blocks hold: how its bits are read and written at once.
pub trait Shareable: Number + Element {
    /// Reads the number at an address.
    ///
    /// # Safety
    /// The address is aligned to the number's size and lies in a live block.
    unsafe fn load(at: *mut Self) -> Self;
    /// Writes the number at an address.
    ///
    /// # Safety
    /// The address is aligned to the number's size and lies in a live block.
    unsafe fn store(at: *mut Self, x: Self);
}

macro_rules! shareable {
    ($($t:ty, $atomic:ty, $from:expr, $to:expr);* $(;)?) => {$(
        impl Shareable for $t {
            #[inline]
            unsafe fn load(at: *mut Self) -> Self {
                // SAFETY: by the caller; nobody in Rust accesses a block's numbers but by atomics.
                $from(unsafe { <$atomic>::from_ptr(at.cast()) }.load(Relaxed))
            }
            #[inline]
            unsafe fn store(at: *mut Self, x: Self) {
                // SAFETY: as above.
                unsafe { <$atomic>::from_ptr(at.cast()) }.store($to(x), Relaxed);
            }
        }
    )*};
}

shareable! {
    f64, AtomicU64, f64::from_bits, f64::to_bits;
    f32, AtomicU32, f32::from_bits, f32::to_bits;
    i32, AtomicU32, |bits| bits as i32, |x| x as u32;
    u8, AtomicU8, |bits| bits, |x| x;
    bool, AtomicU8, |bits| bits != 0, u8::from;
}

/// A run of numbers that never moves.
pub struct Block {
    words: Box<[UnsafeCell<u64>]>,
    bytes: usize,
}

// SAFETY: all access from Rust is atomic.
unsafe impl Sync for Block {}
// SAFETY: it owns its memory.
unsafe impl Send for Block {}

impl Block {
    /// Makes a block of so many numbers, all zero.
    fn new<T: Shareable>(n: usize) -> Self {
        let bytes = n * size_of::<T>();
        // One word at least, so that there is an address.
        let words = (0..bytes.div_ceil(8).max(1)).map(|_| UnsafeCell::new(0)).collect();
        Self { words, bytes }
    }

    /// Makes a block of so many numbers, all zero, that no array shows.
    pub fn zeros<T: Shareable>(n: usize) -> Self {
        Self::new::<T>(n)
    }

    /// Makes a block of so many numbers, all zero, unless there is no memory for it.
    pub fn try_new<T: Shareable>(n: usize) -> Option<Self> {
        let bytes = n.checked_mul(size_of::<T>())?;
        let mut words = Vec::new();
        words.try_reserve_exact(bytes.div_ceil(8).max(1)).ok()?;
        words.resize_with(bytes.div_ceil(8).max(1), || UnsafeCell::new(0));
        Some(Self { words: words.into(), bytes })
    }

    /// Number of numbers of this type that it holds.
    pub fn len<T: Shareable>(&self) -> usize {
        self.bytes / size_of::<T>()
    }

    #[inline]
    fn at<T: Shareable>(&self, i: usize) -> *mut T {
        // In bounds: callers check `i` against `len`.
        self.words.as_ptr().cast_mut().cast::<T>().wrapping_add(i)
    }

    /// Reads a number.
    pub fn get<T: Shareable>(&self, i: usize) -> T {
        assert!(i < self.len::<T>(), "number {i} of a block of {}", self.len::<T>());
        // SAFETY: in bounds, and aligned as the words are.
        unsafe { T::load(self.at(i)) }
    }

    /// Writes the numbers of cells, as many as fit.
    pub fn write<T: Cell<Number: Shareable>>(&self, cells: &[T]) {
        self.write_at(0, cells);
    }

    /// Writes the numbers of cells from number `first` on, as many as fit.
    pub fn write_at<T: Cell<Number: Shareable>>(&self, first: usize, cells: &[T]) {
        let n = (self.len::<T::Number>().saturating_sub(first) / T::WIDTH.max(1)).min(cells.len());
        let mut numbers = [T::Number::default(); WIDEST];
        for (i, cell) in cells[..n].iter().enumerate() {
            cell.write(&mut numbers[..T::WIDTH]);
            for (k, &x) in numbers[..T::WIDTH].iter().enumerate() {
                // SAFETY: cells `0..n` fit from `first` on.
                unsafe { T::Number::store(self.at(first + i * T::WIDTH + k), x) }
            }
        }
    }

    /// Reads the numbers of cells, as many as there are.
    pub fn read<T: Cell<Number: Shareable>>(&self, cells: &mut [T]) {
        self.read_at(0, cells);
    }

    /// Reads the numbers of cells from number `first` on, as many as there are.
    pub fn read_at<T: Cell<Number: Shareable>>(&self, first: usize, cells: &mut [T]) {
        let n = (self.len::<T::Number>().saturating_sub(first) / T::WIDTH.max(1)).min(cells.len());
        let mut numbers = [T::Number::default(); WIDEST];
        for (i, cell) in cells[..n].iter_mut().enumerate() {
            for (k, x) in numbers[..T::WIDTH].iter_mut().enumerate() {
                // SAFETY: cells `0..n` fit from `first` on.
                *x = unsafe { T::Number::load(self.at(first + i * T::WIDTH + k)) };
            }
            cell.set(&numbers[..T::WIDTH]);
        }
    }

    /// Returns all numbers.
    pub fn to_vec<T: Shareable>(&self) -> Vec<T> {
        self.range(0, self.len::<T>())
    }

    /// Returns `n` numbers from number `first` on.
    pub fn range<T: Shareable>(&self, first: usize, n: usize) -> Vec<T> {
        (first..first + n).map(|i| self.get(i)).collect()
    }

    /// Compares its bits with a copy, and brings the copy up to date; returns whether they differed.
    pub fn changed(&self, copy: &mut [u64]) -> bool {
        let mut differs = false;
        for (word, old) in self.words.iter().zip(copy) {
            // SAFETY: `word` lies in this block, aligned.
            let now = unsafe { AtomicU64::from_ptr(word.get()) }.load(Relaxed);
            differs |= now != *old;
            *old = now;
        }
        differs
    }

    /// Number of words for a copy of its bits.
    pub fn words(&self) -> usize {
        self.words.len()
    }
}

/// The widest cell: numbers of a mesh's extrema.
const WIDEST: usize = 36;

/// Holds the memory of all arrays of one model or data.
#[pyclass(frozen, module = "mj._core")]
#[derive(Default)]
pub struct Arena {
    blocks: Mutex<Vec<Arc<Block>>>,
}

impl Arena {
    /// Makes a block of zeros with an array of a shape over it.
    pub fn array<'py, T: Shareable>(
        this: &Bound<'py, Self>,
        shape: &[usize],
    ) -> (Arc<Block>, Bound<'py, PyArrayDyn<T>>) {
        let block = Arc::new(Block::new::<T>(shape.iter().product()));
        this.get().blocks.lock().unwrap_or_else(PoisonError::into_inner).push(block.clone());
        let array = view(this.as_any(), &block, shape);
        (block, array)
    }
}

/// Keeps one block alive: the base of arrays that are made anew at each access.
#[pyclass(frozen, module = "mj._core")]
pub struct Holder {
    _block: Arc<Block>,
}

/// Makes an array of a shape over a block of its own.
pub fn array<'py, T: Shareable>(py: Python<'py>, shape: &[usize]) -> PyResult<(Arc<Block>, Bound<'py, PyArrayDyn<T>>)> {
    let block = Arc::new(Block::new::<T>(shape.iter().product()));
    let holder = Bound::new(py, Holder { _block: block.clone() })?;
    let array = view(holder.as_any(), &block, shape);
    Ok((block, array))
}

/// Makes an array of zeros of a shape over a block of its own.
///
/// # Errors
/// `MemoryError` if there is no memory for it.
pub fn try_array<'py, T: Shareable>(
    py: Python<'py>,
    shape: &[usize],
) -> PyResult<(Arc<Block>, Bound<'py, PyArrayDyn<T>>)> {
    let n = shape.iter().try_fold(1usize, |n, &k| n.checked_mul(k));
    let Some(block) = n.and_then(Block::try_new::<T>) else {
        return Err(PyMemoryError::new_err(format!("there is no memory for an array of shape {shape:?}")));
    };
    let block = Arc::new(block);
    let holder = Bound::new(py, Holder { _block: block.clone() })?;
    let array = view(holder.as_any(), &block, shape);
    Ok((block, array))
}

/// Makes an array of a shape over a block that `base` keeps alive.
fn view<'py, T: Shareable>(base: &Bound<'py, PyAny>, block: &Block, shape: &[usize]) -> Bound<'py, PyArrayDyn<T>> {
    assert!(shape.iter().product::<usize>() <= block.len::<T>(), "the shape {shape:?} exceeds its block");
    // SAFETY: the block holds that many numbers, aligned, and any bits are a number, or 0 or 1 as Rust wrote them for truth
    // values. The view is used for its address, shape and strides alone.
    let numbers = unsafe { ArrayView::from_shape_ptr(IxDyn(shape), block.at::<T>(0).cast_const()) };
    // SAFETY: `base` keeps the block alive as long as the array exists, and the block never moves.
    unsafe { PyArrayDyn::borrow_from_array(&numbers, base.clone()) }
}
