//! Values that stand in tables: each knows its type, its shape and its numbers.

/// Numbers of one column, row after row.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Double precision.
    F64(Vec<f64>),
    /// Single precision: what only rendering uses.
    F32(Vec<f32>),
    /// Integers, ids (−1: none) and enum codes.
    I32(Vec<i32>),
    /// Bytes.
    U8(Vec<u8>),
    /// Truth values.
    Bool(Vec<bool>),
}

impl Column {
    /// Number of entries.
    pub fn len(&self) -> usize {
        match self {
            Self::F64(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::U8(v) => v.len(),
            Self::Bool(v) => v.len(),
        }
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Entries as doubles.
    pub fn to_f64(&self) -> Vec<f64> {
        match self {
            Self::F64(v) => v.clone(),
            Self::F32(v) => v.iter().map(|&x| x.into()).collect(),
            Self::I32(v) => v.iter().map(|&x| x.into()).collect(),
            Self::U8(v) => v.iter().map(|&x| x.into()).collect(),
            Self::Bool(v) => v.iter().map(|&x| u8::from(x).into()).collect(),
        }
    }
}

/// Numbers of one type, as columns hold them.
pub trait Number: Copy + Default + PartialEq {
    /// Makes a column of them.
    fn column(numbers: Vec<Self>) -> Column;
    /// Returns the numbers of a column, if they are of this type.
    fn of(column: &Column) -> Option<&[Self]>;
    /// Converts to a double: truth values to 0 or 1.
    fn to_f64(self) -> f64;
    /// Converts from a double: integers round towards zero, what is not zero is true.
    fn from_f64(x: f64) -> Self;
}

macro_rules! number {
    ($($t:ty => $kind:ident, $to:expr, $from:expr);* $(;)?) => {$(
        impl Number for $t {
            fn column(numbers: Vec<Self>) -> Column {
                Column::$kind(numbers)
            }
            fn of(column: &Column) -> Option<&[Self]> {
                match column {
                    Column::$kind(v) => Some(v),
                    _ => None,
                }
            }
            fn to_f64(self) -> f64 {
                let convert: fn(Self) -> f64 = $to;
                convert(self)
            }
            fn from_f64(x: f64) -> Self {
                let convert: fn(f64) -> Self = $from;
                convert(x)
            }
        }
    )*};
}

number! {
    f64 => F64, |x| x, |x| x;
    f32 => F32, f64::from, |x| x as f32;
    i32 => I32, f64::from, |x| x as i32;
    u8 => U8, f64::from, |x| x as u8;
    bool => Bool, f64::from, |x| x != 0.0;
}

/// A value that can stand in a table: it knows its type, its shape and its numbers.
pub trait Cell: Clone + Default {
    /// Type of its numbers.
    type Number: Number;
    /// Shape of one cell; empty for a scalar.
    const SHAPE: &'static [usize];
    /// Count of its numbers.
    const WIDTH: usize;
    /// Writes the cell's numbers, row-major, into `out`, which holds [`WIDTH`](Self::WIDTH).
    fn write(&self, out: &mut [Self::Number]);
    /// Whether any numbers make a cell: not for ids and codes.
    const EDITABLE: bool = false;
    /// Takes on numbers in the order in which [`write`](Self::write) gives them. Returns false, and changes nothing, if
    /// they make no cell: codes that the enum lacks, negative ids. Whether an id is a row of its table is not checked.
    fn set(&mut self, _numbers: &[Self::Number]) -> bool {
        false
    }
}

/// Numbers of a slice of cells, cell after cell.
pub fn column_of<T: Cell>(cells: &[T]) -> Column {
    let mut numbers = vec![T::Number::default(); cells.len() * T::WIDTH];
    for (cell, out) in cells.iter().zip(numbers.chunks_exact_mut(T::WIDTH.max(1))) {
        cell.write(out);
    }
    T::Number::column(numbers)
}

/// The cell of one number.
macro_rules! scalar_cell {
    ($t:ty => $number:ty, $conv:expr $(, editable $editable:literal, $set:expr)?) => {
        impl Cell for $t {
            type Number = $number;
            const SHAPE: &'static [usize] = &[];
            const WIDTH: usize = 1;
            $(const EDITABLE: bool = $editable;)?
            #[inline]
            #[allow(clippy::redundant_closure_call)] // `$conv` comes from outside
            fn write(&self, out: &mut [$number]) {
                let convert: fn(&$t) -> $number = $conv;
                out[0] = convert(self);
            }
            $(
                #[inline]
                #[allow(clippy::redundant_closure_call)] // as above
                fn set(&mut self, numbers: &[$number]) -> bool {
                    let convert: fn($number) -> Option<$t> = $set;
                    convert(numbers[0]).map(|x| *self = x).is_some()
                }
            )?
        }
    };
}
pub(crate) use scalar_cell;

/// A field's name without the mark that lets Rust keywords be identifiers.
pub const fn field_name(s: &'static str) -> &'static str {
    match s.as_bytes() {
        [b'r', b'#', ..] => s.split_at(2).1,
        _ => s,
    }
}
