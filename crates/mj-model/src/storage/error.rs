//! Why bytes, or fields, are no model.

/// Version of the format.
pub const VERSION: u32 = 1;

/// Why bytes are not a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
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
        /// Field that was being read.
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
        /// Field that was being read.
        field: String,
        /// Value.
        found: String,
        /// Values that the field can have.
        expected: &'static str,
    },
    /// The fields contradict each other.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

/// The fields of a model contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}[{row}]: {problem}")]
pub struct Invalid {
    /// Field, by its name in dumps.
    pub field: String,
    /// Row.
    pub row: usize,
    /// Problem, and what a right value would be.
    pub problem: String,
}

/// Result of a check of fields.
pub(crate) type Check = Result<(), Invalid>;
