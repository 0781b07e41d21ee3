//! Decoding of an array's entries.

use crate::Fault;
use crate::element::Element;
use std::io::Read;

/// Reader of the entries of one array.
pub(crate) struct Decoder<'a, R> {
    /// Reader, at the first entry.
    pub source: &'a mut R,
    /// Number of entries.
    pub count: usize,
    /// Size of the file, bytes: entries that can't be in it are not allocated.
    pub size: u64,
    /// Whether the most significant byte of an entry comes first.
    pub big_endian: bool,
    /// The shape, if entries are in column-major order.
    pub column_major: Option<&'a [usize]>,
}

impl<R: Read> Decoder<'_, R> {
    /// Reads all entries, in row-major order.
    pub fn entries<T: Element>(&mut self) -> Result<Vec<T>, Fault> {
        let short = |found| Fault::Short { found, expected: self.count };
        let room = usize::try_from(self.size).unwrap_or(usize::MAX) / T::SIZE;
        if self.count > room {
            return Err(short(room));
        }
        // The stated size may be wrong too: memory grows with what has been read.
        let mut out: Vec<T> = Vec::new();
        let mut buffer = Vec::new();
        while out.len() < self.count {
            let bytes = ((self.count - out.len()) * T::SIZE).min(1 << 16);
            buffer.clear();
            self.source.by_ref().take(bytes as u64).read_to_end(&mut buffer)?;
            out.extend(buffer.chunks_exact(T::SIZE).map(|b| T::from_bytes(b, self.big_endian)));
            if buffer.len() < bytes {
                return Err(short(out.len()));
            }
        }
        Ok(match self.column_major {
            Some(shape) if shape.len() > 1 => row_major(&out, shape),
            _ => out,
        })
    }
}

/// Puts entries from column-major into row-major order.
fn row_major<T: Copy>(entries: &[T], shape: &[usize]) -> Vec<T> {
    let mut index = vec![0; shape.len()];
    let strides: Vec<usize> = shape
        .iter()
        .scan(1, |stride: &mut usize, &n| {
            let own = *stride;
            *stride = stride.saturating_mul(n);
            Some(own)
        })
        .collect();
    (0..entries.len())
        .map(|_| {
            let from: usize = index.iter().zip(&strides).map(|(i, stride)| i * stride).sum();
            for (i, &n) in index.iter_mut().zip(shape).rev() {
                *i += 1;
                if *i < n {
                    break;
                }
                *i = 0;
            }
            entries[from]
        })
        .collect()
}
