//! Arrays in memory, and the types of their entries.

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

/// Type of an array's entries: a primitive number or `bool`.
pub trait Element: Copy + sealed::Sealed {
    /// Code of the type in a header, without the byte order: `f8` for `f64`.
    const CODE: &'static str;
    /// Size in bytes.
    const SIZE: usize;
    /// Appends the entry's bytes, least significant first.
    #[doc(hidden)]
    fn append(self, to: &mut Vec<u8>);
    /// Returns the entry in `SIZE` bytes.
    #[doc(hidden)]
    fn from_bytes(bytes: &[u8], big_endian: bool) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($(#[$doc:meta])* $variant:ident($t:ty) $code:literal;)*) => {
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
                mut decoder: crate::read::Decoder<impl std::io::Read>,
            ) -> Option<Result<Self, crate::Fault>> {
                match code {
                    $($code => Some(decoder.entries::<$t>().map(Self::$variant)),)*
                    bool::CODE => Some(decoder.entries::<bool>().map(Self::Bool)),
                    _ => None,
                }
            }
        }

        $(
            impl sealed::Sealed for $t {}
            impl Element for $t {
                const CODE: &'static str = $code;
                const SIZE: usize = size_of::<$t>();
                fn append(self, to: &mut Vec<u8>) {
                    to.extend_from_slice(&self.to_le_bytes());
                }
                fn from_bytes(bytes: &[u8], big_endian: bool) -> Self {
                    let mut own = [0; size_of::<$t>()];
                    own.copy_from_slice(bytes);
                    if big_endian { Self::from_be_bytes(own) } else { Self::from_le_bytes(own) }
                }
            }
        )*
    };
}

elements! {
    /// Double precision.
    F64(f64) "f8";
    /// Single precision.
    F32(f32) "f4";
    /// Signed integers of 64 bits.
    I64(i64) "i8";
    /// Signed integers of 32 bits.
    I32(i32) "i4";
    /// Signed integers of 16 bits.
    I16(i16) "i2";
    /// Signed integers of 8 bits.
    I8(i8) "i1";
    /// Unsigned integers of 64 bits.
    U64(u64) "u8";
    /// Unsigned integers of 32 bits.
    U32(u32) "u4";
    /// Unsigned integers of 16 bits.
    U16(u16) "u2";
    /// Unsigned integers of 8 bits.
    U8(u8) "u1";
}

impl sealed::Sealed for bool {}
impl Element for bool {
    const CODE: &'static str = "b1";
    const SIZE: usize = 1;
    fn append(self, to: &mut Vec<u8>) {
        to.push(u8::from(self));
    }
    fn from_bytes(bytes: &[u8], _big_endian: bool) -> Self {
        bytes[0] != 0
    }
}
