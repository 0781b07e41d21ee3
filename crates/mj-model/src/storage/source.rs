//! Bytes that are read from the front, every problem told with its place.

use super::cell::field_name;
use super::error::BinaryError;

/// Result of reading.
pub type Result<T, E = BinaryError> = std::result::Result<T, E>;

/// Bytes of a file, with what is being read from them.
#[derive(Debug)]
pub struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Table or struct, and field.
    field: (&'static str, &'static str),
}

impl<'a> Source<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, field: ("", "") }
    }

    /// Notes what comes next, for messages.
    pub(crate) fn at_field(&mut self, table: &'static str, field: &'static str) {
        self.field = (table, field);
    }

    fn field(&self) -> String {
        match self.field {
            (table, "") => table.to_string(),
            (table, field) => format!("{table}.{}", field_name(field)),
        }
    }

    /// Fails if fewer bytes are left.
    pub(crate) fn needs(&self, n: u128) -> Result<()> {
        let left = self.bytes.len() - self.at;
        if n <= left as u128 {
            return Ok(());
        }
        let needed = u64::try_from(n).unwrap_or(u64::MAX);
        Err(BinaryError::Truncated { offset: self.at, field: self.field(), needed, left })
    }

    /// The next bytes.
    pub(crate) fn bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.needs(N as u128)?;
        let mut out = [0; N];
        out.copy_from_slice(&self.bytes[self.at..self.at + N]);
        self.at += N;
        Ok(out)
    }

    /// Complains about the value that was just read.
    fn wrong<T>(&self, width: usize, found: impl ToString, expected: &'static str) -> Result<T> {
        let found = found.to_string();
        Err(BinaryError::Value { offset: self.at - width, field: self.field(), found, expected })
    }

    fn integer(&mut self) -> Result<i32> {
        self.bytes().map(i32::from_le_bytes)
    }

    /// An integer that is not negative.
    pub(crate) fn number(&mut self) -> Result<u32> {
        let x = self.integer()?;
        u32::try_from(x).or_else(|_| self.wrong(4, x, "a number from 0 on"))
    }

    /// An integer that is not negative, or −1 for none.
    pub(crate) fn optional(&mut self) -> Result<Option<usize>> {
        match self.integer()? {
            -1 => Ok(None),
            x => usize::try_from(x).map(Some).or_else(|_| self.wrong(4, x, "a number from −1 on")),
        }
    }

    /// A code that must have a meaning.
    pub(crate) fn code<T>(&mut self, expected: &'static str, meaning: impl Fn(i32) -> Option<T>) -> Result<T> {
        let code = self.integer()?;
        match meaning(code) {
            Some(x) => Ok(x),
            None => self.wrong(4, code, expected),
        }
    }

    /// A truth value.
    pub(crate) fn truth(&mut self) -> Result<bool> {
        match self.bytes()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [x] => self.wrong(1, x, "0 or 1"),
        }
    }

    /// A size.
    pub(crate) fn size(&mut self) -> Result<usize> {
        let x = self.bytes().map(u64::from_le_bytes)?;
        usize::try_from(x).or_else(|_| self.wrong(8, x, "a size of this machine"))
    }

    /// A text.
    pub(crate) fn text(&mut self) -> Result<String> {
        let n = self.size()?;
        self.needs(n as u128)?;
        let bytes = &self.bytes[self.at..self.at + n];
        self.at += n;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_string()),
            Err(e) => self.wrong(n - e.valid_up_to(), "a byte", "UTF-8 text"),
        }
    }

    /// A list of what takes at least eight bytes each.
    pub(crate) fn list<T>(&mut self, read: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let n = self.size()?;
        self.needs(n as u128 * 8)?;
        // Grown as it is read: entries in memory are larger than those in the file.
        let mut out = Vec::new();
        for _ in 0..n {
            out.push(read(self)?);
        }
        Ok(out)
    }

    /// Fails if anything is left.
    pub(crate) fn end(&self) -> Result<()> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            extra => Err(BinaryError::Trailing { offset: self.at, extra: extra as u64 }),
        }
    }
}
