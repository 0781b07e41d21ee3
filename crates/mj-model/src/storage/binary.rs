//! The bytes of cells, lists and structs.

use super::cell::{Cell, Column, Number, column_of};
use super::error::{Check, Invalid};
use super::source::{Result, Source};

/// Numbers of rows of all tables.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Rows {
    pub body: usize,
    pub jnt: usize,
    pub dof: usize,
    pub tree: usize,
    pub geom: usize,
    pub site: usize,
    pub cam: usize,
    pub light: usize,
    pub mesh: usize,
    pub hfield: usize,
    pub skin: usize,
    pub bone: usize,
    pub flex: usize,
    pub flexedge: usize,
    pub tex: usize,
    pub mat: usize,
    pub pair: usize,
    pub exclude: usize,
    pub eq: usize,
    pub tendon: usize,
    pub wrap: usize,
    pub actuator: usize,
    pub control: usize,
    pub output: usize,
    pub sensor: usize,
    pub numeric: usize,
    pub text: usize,
    pub tuple: usize,
    pub tuple_item: usize,
    pub key: usize,
    pub mocap: usize,
    pub plugin: usize,
}

/// A cell that can be read back, and whose ids can be checked.
pub trait Stored: Cell {
    /// Reads the cell's numbers.
    ///
    /// # Errors
    /// If the file ends, or the numbers are none of the cell's.
    fn take(from: &mut Source) -> Result<Self>;
    /// Number of rows of the table that the cell's ids are for.
    fn limit(_: &Rows) -> usize {
        usize::MAX
    }
    /// Number of rows that the table needs for the cell's ids.
    fn reach(&self) -> usize {
        0
    }
}

/// A value that can be written to a file and read back.
pub(crate) trait Binary: Sized {
    fn write(&self, out: &mut Vec<u8>);
    fn read(from: &mut Source) -> Result<Self>;
    /// Names and types of what is written.
    fn layout(out: &mut String);
}

/// Implements [`Binary`] for a struct, field by field; forgetting one does not compile.
macro_rules! binary {
    ($t:ident { $($field:ident),* $(,)? }) => {
        impl $crate::storage::Binary for $t {
            fn write(&self, out: &mut Vec<u8>) {
                let Self { $($field),* } = self;
                $($crate::storage::Binary::write($field, out);)*
            }
            fn read(from: &mut $crate::storage::Source) -> $crate::storage::Result<Self> {
                $(
                    from.at_field(stringify!($t), stringify!($field));
                    let $field = $crate::storage::Binary::read(from)?;
                )*
                Ok(Self { $($field),* })
            }
            fn layout(out: &mut String) {
                fn of<T: $crate::storage::Binary, S>(_: fn(&S) -> &T, out: &mut String) {
                    T::layout(out);
                }
                $(
                    out.push_str(concat!(stringify!($field), "{"));
                    of(|s: &Self| &s.$field, out);
                    out.push('}');
                )*
            }
        }
    };
}

impl<T: Stored> Binary for T {
    fn write(&self, out: &mut Vec<u8>) {
        write_cells(std::slice::from_ref(self), out);
    }
    fn read(from: &mut Source) -> Result<Self> {
        T::take(from)
    }
    fn layout(out: &mut String) {
        let kind = match T::Number::column(Vec::new()) {
            Column::F64(_) => "f64",
            Column::F32(_) => "f32",
            Column::I32(_) => "i32",
            Column::U8(_) => "u8",
            Column::Bool(_) => "bool",
        };
        out.push_str(kind);
        T::SHAPE.iter().for_each(|n| out.push_str(&format!("[{n}]")));
    }
}

impl Binary for usize {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend((*self as u64).to_le_bytes());
    }
    fn read(from: &mut Source) -> Result<Self> {
        from.size()
    }
    fn layout(out: &mut String) {
        out.push_str("size");
    }
}

impl Binary for String {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        out.extend(self.as_bytes());
    }
    fn read(from: &mut Source) -> Result<Self> {
        from.text()
    }
    fn layout(out: &mut String) {
        out.push_str("text");
    }
}

impl<T: Stored> Binary for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        write_cells(self, out);
    }
    fn read(from: &mut Source) -> Result<Self> {
        let n = from.size()?;
        read_cells(from, n)
    }
    fn layout(out: &mut String) {
        out.push_str("list of ");
        T::layout(out);
    }
}

impl<I, T: Stored> Binary for crate::ids::IdVec<I, T>
where
    I: crate::ids::Id,
{
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        write_cells(self.as_slice(), out);
    }
    fn read(from: &mut Source) -> Result<Self> {
        Vec::read(from).map(Self::from)
    }
    fn layout(out: &mut String) {
        Vec::<T>::layout(out);
    }
}

/// Writes cells without their number.
pub(crate) fn write_cells<T: Cell>(cells: &[T], out: &mut Vec<u8>) {
    match column_of(cells) {
        Column::F64(v) => out.extend(v.into_iter().flat_map(f64::to_le_bytes)),
        Column::F32(v) => out.extend(v.into_iter().flat_map(f32::to_le_bytes)),
        Column::I32(v) => out.extend(v.into_iter().flat_map(i32::to_le_bytes)),
        Column::U8(v) => out.extend(v),
        Column::Bool(v) => out.extend(v.into_iter().map(u8::from)),
    }
}

/// Reads so many cells; allocates only what the file can fill.
pub(crate) fn read_cells<T: Stored>(from: &mut Source, n: usize) -> Result<Vec<T>> {
    let mut one = Vec::new();
    write_cells(&[T::default()], &mut one);
    from.needs(n as u128 * one.len() as u128)?;
    let mut out = Vec::with_capacity(n);
    for _ in 0..n {
        out.push(T::take(from)?);
    }
    Ok(out)
}

impl Binary for mj_math::TreePattern {
    fn write(&self, out: &mut Vec<u8>) {
        let Self { rownnz, rowadr, colind } = self;
        [rownnz, rowadr, colind].into_iter().for_each(|v| v.write(out));
    }
    fn read(from: &mut Source) -> Result<Self> {
        Ok(Self { rownnz: Vec::read(from)?, rowadr: Vec::read(from)?, colind: Vec::read(from)? })
    }
    fn layout(out: &mut String) {
        out.push_str("pattern");
    }
}

/// FNV-1a, 64 bits.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// Checks a column of a table: as many rows as the others, and ids of rows that there are.
pub(crate) fn check_column<T: Stored>(
    column: &[T],
    n: usize,
    rows: &Rows,
    prefix: &'static str,
    name: &'static str,
) -> Check {
    let limit = T::limit(rows);
    for (row, cell) in column.iter().enumerate() {
        if cell.reach() > limit {
            let problem = format!("row {} of a table with {limit}", cell.reach() - 1);
            return Err(Invalid { field: format!("{prefix}_{name}"), row, problem });
        }
    }
    check_length(column.len(), n, prefix, name)
}

fn check_length(length: usize, n: usize, prefix: &str, name: &str) -> Check {
    if length == n {
        return Ok(());
    }
    let problem = format!("{length} rows, where the table has {n}");
    Err(Invalid { field: format!("{prefix}_{name}"), row: 0, problem })
}
