//! Types of entries, and their bytes.

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

macro_rules! numbers {
    ($($t:ty, $code:literal;)*) => {
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

numbers! {
    f64, "f8";
    f32, "f4";
    i64, "i8";
    i32, "i4";
    i16, "i2";
    i8, "i1";
    u64, "u8";
    u32, "u4";
    u16, "u2";
    u8, "u1";
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
