//! Headers of `.npy` files: a magic number, a version, and a Python dictionary.

use crate::Fault;
use crate::element::Element;
use std::io::Read;

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// Greatest length of a header's text that is read, bytes. NumPy refuses more than 10000 by default.
const MAX_TEXT: u32 = 1 << 16;
/// Greatest number of axes, as in NumPy.
const MAX_AXES: usize = 64;
/// The data begins at a multiple of this, bytes.
const ALIGNMENT: usize = 64;

/// Type, order and shape of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Code of the type, without the byte order.
    pub code: String,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
    /// Whether entries are in column-major order.
    pub fortran_order: bool,
    /// Lengths of the axes.
    pub shape: Vec<u64>,
}

impl Header {
    /// Reads a header from the start of a `.npy` file.
    pub fn read(source: &mut impl Read) -> Result<Self, Fault> {
        let mut start = [0; 8];
        source.read_exact(&mut start).map_err(|_| Fault::NotNpy)?;
        if &start[..6] != MAGIC {
            return Err(Fault::NotNpy);
        }
        let mut length = [0; 4];
        let digits = match start[6] {
            1 => 2,
            2 | 3 => 4,
            _ => return Err(Fault::NotNpy),
        };
        let truncated = |_| Fault::Header("it ends early".into());
        source.read_exact(&mut length[..digits]).map_err(truncated)?;
        let length = u32::from_le_bytes(length);
        if length > MAX_TEXT {
            return Err(Fault::Header(format!("{length} bytes; expected at most {MAX_TEXT}")));
        }
        let mut text = vec![0; length as usize];
        source.read_exact(&mut text).map_err(truncated)?;
        let text = std::str::from_utf8(&text).map_err(|_| Fault::Header("it is not text".into()))?;
        Parser { rest: text }.header()
    }

    /// Number of entries; `None` if it doesn't fit.
    pub fn entries(&self) -> Option<u64> {
        self.shape.iter().try_fold(1, |n: u64, &length| n.checked_mul(length))
    }
}

/// Returns the header of an array in row-major order.
pub(crate) fn bytes<T: Element>(shape: &[usize]) -> Vec<u8> {
    let order = if T::SIZE == 1 { '|' } else { '<' };
    let axes: String = shape.iter().map(|n| format!("{n}, ")).collect();
    // Python writes a tuple of one with a comma, and longer ones without a last comma.
    let axes = if shape.len() > 1 { axes.trim_end_matches(", ") } else { axes.trim_end() };
    let mut text = format!("{{'descr': '{order}{}', 'fortran_order': False, 'shape': ({axes}), }}", T::CODE);
    let prefix = MAGIC.len() + 4;
    let length = (prefix + text.len() + 1).next_multiple_of(ALIGNMENT) - prefix;
    text.push_str(&" ".repeat(length - text.len() - 1));
    text.push('\n');
    // Shapes have at most 64 axes of 20 digits, so the length fits in 16 bits.
    [&MAGIC[..], &[1, 0], &(length as u16).to_le_bytes(), text.as_bytes()].concat()
}

/// Reads the few forms of Python's literals that headers have.
struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn header(&mut self) -> Result<Header, Fault> {
        let (mut descr, mut order, mut shape) = (None, None, None);
        self.expect('{')?;
        while !self.skip('}') {
            let key = self.string()?;
            self.expect(':')?;
            match key {
                "descr" => descr = Some(self.descr()?),
                "fortran_order" => order = Some(self.truth()?),
                "shape" => shape = Some(self.shape()?),
                other => return Err(Fault::Header(format!("unknown key `{other}`"))),
            }
            if !self.skip(',') {
                self.expect('}')?;
                break;
            }
        }
        let missing = |key: &str| Fault::Header(format!("`{key}` is missing"));
        let (code, big_endian) = descr.ok_or_else(|| missing("descr"))?;
        Ok(Header {
            code,
            big_endian,
            fortran_order: order.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
        })
    }

    fn descr(&mut self) -> Result<(String, bool), Fault> {
        if self.rest.trim_start().starts_with('[') {
            return Err(Fault::Type("of records".into()));
        }
        let descr = self.string()?;
        let mut code = descr.chars();
        let order = code.next();
        match order {
            Some('<' | '|' | '>') if code.as_str().is_ascii() => Ok((code.as_str().into(), order == Some('>'))),
            _ => Err(Fault::Type(descr.into())),
        }
    }

    fn truth(&mut self) -> Result<bool, Fault> {
        self.rest = self.rest.trim_start();
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.rest.strip_prefix(word) {
                self.rest = rest;
                return Ok(value);
            }
        }
        Err(self.unexpected("True or False"))
    }

    fn shape(&mut self) -> Result<Vec<u64>, Fault> {
        let mut shape = Vec::new();
        self.expect('(')?;
        while !self.skip(')') {
            self.rest = self.rest.trim_start();
            let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
            let (digits, rest) = self.rest.split_at(end);
            shape.push(digits.parse().map_err(|_| self.unexpected("the length of an axis"))?);
            // Python 2 marked its long integers.
            self.rest = rest.strip_prefix('L').unwrap_or(rest);
            if shape.len() > MAX_AXES {
                return Err(Fault::Header(format!("more than {MAX_AXES} axes")));
            }
            if !self.skip(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(shape)
    }

    fn string(&mut self) -> Result<&'a str, Fault> {
        self.rest = self.rest.trim_start();
        let quote = self.rest.chars().next().filter(|c| matches!(c, '\'' | '"'));
        let quote = quote.ok_or_else(|| self.unexpected("a string"))?;
        let (text, rest) = self.rest[1..].split_once(quote).ok_or_else(|| self.unexpected("a string"))?;
        self.rest = rest;
        Ok(text)
    }

    /// Skips a character and the spaces before it; false if another one stands there.
    fn skip(&mut self, c: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, c: char) -> Result<(), Fault> {
        if self.skip(c) { Ok(()) } else { Err(self.unexpected(&format!("`{c}`"))) }
    }

    fn unexpected(&self, expected: &str) -> Fault {
        let found: String = self.rest.trim_start().chars().take(12).collect();
        Fault::Header(format!("`{found}` where {expected} is expected"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Header, Fault> {
        Parser { rest: text }.header()
    }

    /// The first bytes of files that `numpy.save` wrote.
    #[test]
    fn headers_are_numpys_byte_for_byte() {
        let written =
            |text: &str| [b"\x93NUMPY\x01\x00v\x00", text.as_bytes(), &[b' '; 118][text.len() + 1..], b"\n"].concat();
        assert_eq!(bytes::<f64>(&[]), written("{'descr': '<f8', 'fortran_order': False, 'shape': (), }"));
        assert_eq!(bytes::<i32>(&[7]), written("{'descr': '<i4', 'fortran_order': False, 'shape': (7,), }"));
        assert_eq!(bytes::<bool>(&[2, 3]), written("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3), }"));
    }

    #[test]
    fn forms_of_other_writers_are_read() {
        let header = parse("{\"shape\":(2L,3L),'descr' : '>u2', 'fortran_order':True}  \n").unwrap();
        let want = Header { code: "u2".into(), big_endian: true, fortran_order: true, shape: vec![2, 3] };
        assert_eq!(header, want);
        assert_eq!(header.entries(), Some(6));
    }

    #[test]
    fn faults_are_named() {
        for (text, message) in [
            ("", "`{` is expected"),
            ("{'descr': '<f8', 'shape': ()}", "`fortran_order` is missing"),
            ("{'descr': '<f8', 'fortran_order': 0", "`0` where True or False"),
            ("{'shape': (-1,)", "the length of an axis"),
            ("{'shape': (99999999999999999999,)", "the length of an axis"),
            ("{'descr': [('x', '<f8')]", "type of records"),
            ("{'descr': 'f8'", "type f8; expected float64"),
            ("{'descr': '<\u{e9}8'", "type <\u{e9}8; expected"),
            ("{'colour': 1}", "unknown key `colour`"),
        ] {
            let e = parse(text).unwrap_err().to_string();
            assert!(e.contains(message), "{text}: {e}");
        }
    }
}
