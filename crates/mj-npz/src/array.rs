//! Arrays in memory.

use crate::Fault;
use crate::decode::Decoder;
use crate::element::Element;

/// Array of numbers in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    shape: Vec<usize>,
    data: Data,
}

impl Array {
    /// Makes an array of entries that fit the shape.
    pub(crate) fn new(shape: Vec<usize>, data: Data) -> Self {
        Self { shape, data }
    }

    /// Returns the lengths of the axes; none for a scalar.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the entries in row-major order, in the type that the file has.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Returns the entries in row-major order, converted to double precision; truth values are 0 and 1.
    pub fn to_f64(&self) -> Vec<f64> {
        self.data.to_f64()
    }
}

macro_rules! elements {
    ($($(#[$doc:meta])* $variant:ident($t:ty);)*) => {
        /// Entries of an array, by type.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Data {
            $($(#[$doc])* $variant(Vec<$t>),)*
            /// Truth values.
            Bool(Vec<bool>),
        }

        impl Data {
            /// Returns the entries converted to double precision; truth values are 0 and 1.
            pub fn to_f64(&self) -> Vec<f64> {
                match self {
                    $(Self::$variant(v) => v.iter().map(|&x| x as f64).collect(),)*
                    Self::Bool(v) => v.iter().map(|&x| f64::from(u8::from(x))).collect(),
                }
            }

            /// Reads `count` entries of the type that a header names; `None` if the type isn't known.
            pub(crate) fn decode(
                code: &str,
                mut decoder: Decoder<impl std::io::Read>,
            ) -> Option<Result<Self, Fault>> {
                match code {
                    $(<$t>::CODE => Some(decoder.entries::<$t>().map(Self::$variant)),)*
                    bool::CODE => Some(decoder.entries::<bool>().map(Self::Bool)),
                    _ => None,
                }
            }
        }
    };
}

elements! {
    /// Double precision.
    F64(f64);
    /// Single precision.
    F32(f32);
    /// Signed integers of 64 bits.
    I64(i64);
    /// Signed integers of 32 bits.
    I32(i32);
    /// Signed integers of 16 bits.
    I16(i16);
    /// Signed integers of 8 bits.
    I8(i8);
    /// Unsigned integers of 64 bits.
    U64(u64);
    /// Unsigned integers of 32 bits.
    U32(u32);
    /// Unsigned integers of 16 bits.
    U16(u16);
    /// Unsigned integers of 8 bits.
    U8(u8);
}
