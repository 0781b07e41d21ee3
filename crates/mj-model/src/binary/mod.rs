//! The binary form of a model.
//!
//! A header, then every field in the order of its declaration, numbers little-endian, whatever the
//! machine:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | [`MAGIC`] |
//! | 4 | [`VERSION`] |
//! | 8 | fingerprint of the fields with their types: a program with other fields does not read the file |
//! | 8 | length of the contents |
//! | 8 | FNV-1a checksum of the contents |
//! | … | the contents |
//!
//! A list is its length (8 bytes) and its entries; a text is a list of UTF-8 bytes; a table is its
//! number of rows and its columns. Integers, ids (−1: none) and enum codes take 4 bytes, truth values
//! one.
//!
//! Files come from anywhere: reading never allocates more than a small multiple of the file's size,
//! and what was read is [validated](Model::validate) before anyone gets it.

mod source;
mod validate;

pub use source::Source;
pub use validate::Invalid;
pub(crate) use validate::{Rows, check_column};

use crate::model::*;
use crate::spec::{Visual, VisualAttribute};
use crate::table::{Cell, Column, Number, column_of};

/// How a binary model starts.
pub const MAGIC: [u8; 8] = *b"\x89mj\r\n\x1a\n\0";
/// Version of the format.
pub const VERSION: u32 = 1;
/// Bytes before the contents.
const HEADER: usize = 36;

/// Why bytes are not a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BinaryError {
    /// The bytes start otherwise.
    #[error("byte 0: this is not a binary model of this program")]
    Magic,
    /// The bytes start like a model that the reference saved.
    #[error("byte 0: this is a binary model of MuJoCo, which only MuJoCo can read: save it there as MJCF")]
    Reference,
    /// Another version of the format.
    #[error("byte 8: version {0} of the format, where {VERSION} is needed: compile the model again")]
    Version(u32),
    /// Another set of fields.
    #[error("byte 12: written by a version of this program with other fields: compile the model again")]
    Layout,
    /// The checksum is another one.
    #[error("byte 28: the contents do not fit their checksum: the file is damaged")]
    Checksum,
    /// The end comes too early.
    #[error("byte {offset}: {field}: {needed} bytes are needed, but the file has {left} more")]
    Truncated {
        /// Where.
        offset: usize,
        /// What was being read.
        field: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes left.
        left: usize,
    },
    /// The end comes too late.
    #[error("byte {offset}: {extra} bytes follow the end of the model")]
    Trailing {
        /// Where the model ends.
        offset: usize,
        /// Bytes that follow.
        extra: u64,
    },
    /// A value that its field cannot have.
    #[error("byte {offset}: {field}: {found} is not {expected}")]
    Value {
        /// Where.
        offset: usize,
        /// What was being read.
        field: String,
        /// Value.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The fields contradict each other.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

/// Result of reading.
pub type Result<T, E = BinaryError> = std::result::Result<T, E>;

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

/// What can be written to a file and read back.
pub(crate) trait Binary: Sized {
    fn write(&self, out: &mut Vec<u8>);
    fn read(from: &mut Source) -> Result<Self>;
    /// Names and types of what is written.
    fn layout(out: &mut String);
}

/// Implements [`Binary`] for a struct, field by field; forgetting one does not compile.
macro_rules! binary {
    ($t:ident { $($field:ident),* $(,)? }) => {
        impl $crate::binary::Binary for $t {
            fn write(&self, out: &mut Vec<u8>) {
                let Self { $($field),* } = self;
                $($crate::binary::Binary::write($field, out);)*
            }
            fn read(from: &mut $crate::binary::Source) -> $crate::binary::Result<Self> {
                $(
                    from.at_field(stringify!($t), stringify!($field));
                    let $field = $crate::binary::Binary::read(from)?;
                )*
                Ok(Self { $($field),* })
            }
            fn layout(out: &mut String) {
                fn of<T: $crate::binary::Binary, S>(_: fn(&S) -> &T, out: &mut String) {
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

binary!(VisualAttribute { element, name, value });
binary!(UserSizes { body, jnt, geom, site, cam, tendon, actuator, sensor });
binary!(UserData { body, jnt, geom, site, cam, tendon, actuator, sensor });
binary!(Keyframes { time, qpos, qvel, act, mpos, mquat, ctrl, plastic });

impl Binary for Visual {
    fn write(&self, out: &mut Vec<u8>) {
        let Self { attributes } = self;
        attributes.len().write(out);
        attributes.iter().for_each(|a| a.write(out));
    }
    fn read(from: &mut Source) -> Result<Self> {
        Ok(Self { attributes: from.list(VisualAttribute::read)? })
    }
    fn layout(out: &mut String) {
        VisualAttribute::layout(out);
    }
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

binary!(MeshData {
    vert,
    face,
    normal,
    texcoord,
    facenormal,
    facetexcoord,
    graph,
    polynormal,
    polyvertadr,
    polyvertnum,
    polyvert,
    polymapadr,
    polymapnum,
    polymap,
});

binary!(SkinData { vert, texcoord, face, bonevertid, bonevertweight });

binary!(Model {
    modelname,
    opt,
    vis,
    stat,
    names,
    na,
    nmocap,
    nuserdata,
    nsensordata,
    nhistory,
    nplastic,
    nuser,
    user,
    qpos0,
    qpos_spring,
    body,
    jnt,
    dof,
    tree,
    geom,
    site,
    cam,
    light,
    mesh,
    mesh_data,
    hfield,
    hfield_data,
    skin,
    bone,
    skin_data,
    tex,
    mat,
    pair,
    exclude,
    eq,
    tendon,
    wrap,
    actuator,
    control,
    output,
    sensor,
    numeric,
    numeric_data,
    text,
    text_data,
    tuple,
    tuple_item,
    key,
    tex_data,
    m_pattern,
    structure,
});

/// FNV-1a, 64 bits.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

fn fingerprint() -> u64 {
    let mut text = String::new();
    Model::layout(&mut text);
    checksum(text.as_bytes())
}

/// Whether bytes start like a binary model.
pub fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

impl Model {
    /// The model as bytes, for [`Model::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend(fingerprint().to_le_bytes());
        out.resize(HEADER, 0);
        self.write(&mut out);
        let (header, contents) = out.split_at_mut(HEADER);
        header[20..28].copy_from_slice(&(contents.len() as u64).to_le_bytes());
        header[28..36].copy_from_slice(&checksum(contents).to_le_bytes());
        out
    }

    /// The model that [`Model::to_bytes`] wrote, bit for bit.
    ///
    /// # Errors
    /// If the bytes are anything else: with the place, and what would be right. What is read is
    /// [valid](Model::validate).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        if !is_binary(bytes) {
            // The reference's files start with this number.
            let reference = bytes.starts_with(&54321i32.to_le_bytes());
            return Err(if reference { BinaryError::Reference } else { BinaryError::Magic });
        }
        let mut from = Source::new(bytes);
        from.at_field("header", "");
        from.bytes::<8>()?;
        let version = from.bytes().map(u32::from_le_bytes)?;
        if version != VERSION {
            return Err(BinaryError::Version(version));
        }
        if from.bytes().map(u64::from_le_bytes)? != fingerprint() {
            return Err(BinaryError::Layout);
        }
        let length = from.bytes().map(u64::from_le_bytes)?;
        let sum = from.bytes().map(u64::from_le_bytes)?;
        from.needs(length.into())?;
        let extra = (bytes.len() - HEADER) as u64 - length;
        if extra > 0 {
            return Err(BinaryError::Trailing { offset: bytes.len() - extra as usize, extra });
        }
        if checksum(&bytes[HEADER..]) != sum {
            return Err(BinaryError::Checksum);
        }
        let mut model = Self::read(&mut from)?;
        from.end()?;
        model.validate()?;
        model.seal();
        Ok(model)
    }
}

#[cfg(test)]
mod tests;
