//! GMSH files, versions 2.2 and 4.1, text or binary: nodes, and triangles or tetrahedra
//! (<https://gmsh.info/doc/texinfo/gmsh.html#MSH-file-format>).

use super::points::Points;
use mj_math::DVec3;
use std::collections::HashMap;

/// How a file starts.
const MAGIC: &[u8] = b"$MeshFormat";

/// Element types by their number in files: dimension.
const KINDS: [(u64, i32); 3] = [(1, 1), (2, 2), (4, 3)];

/// Whether bytes are those of a GMSH file.
pub(super) fn is_gmsh(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<Points, String> {
    if !is_gmsh(bytes) {
        return Err("it does not start with $MeshFormat, as GMSH files do".into());
    }
    let header = section(bytes, "MeshFormat")?;
    let header = String::from_utf8_lossy(&header[..header.len().min(64)]).into_owned();
    let mut words = header.split_ascii_whitespace();
    let version = words.next().and_then(|w| w.parse::<f64>().ok()).unwrap_or(0.0);
    let binary = match words.next() {
        Some("0") => false,
        Some("1") => true,
        _ => return Err("$MeshFormat does not say whether the file is text (0) or binary (1)".into()),
    };
    let modern = match (100.0 * version).round() as i64 {
        220 => false,
        410 => true,
        _ => return Err(format!("version {version} is neither 2.2 nor 4.1")),
    };
    let mut nodes = Words::of(section(bytes, "Nodes")?, binary, "$Nodes");
    let mut elements = Words::of(section(bytes, "Elements")?, binary, "$Elements");
    let mut out = Mesh::default();
    if modern {
        out.nodes_41(&mut nodes)?;
        out.elements_41(&mut elements)?;
    } else {
        out.nodes_22(&mut nodes)?;
        out.elements_22(&mut elements)?;
    }
    out.points()
}

/// What stands between `$Name` and `$EndName`, without the line break at its start.
fn section<'a>(bytes: &'a [u8], name: &str) -> Result<&'a [u8], String> {
    let find = |from: usize, mark: &str| {
        bytes[from..].windows(mark.len()).position(|w| w == mark.as_bytes()).map(|i| from + i)
    };
    let start = find(0, &format!("${name}")).ok_or_else(|| format!("${name} is missing"))? + name.len() + 1;
    let line = bytes[start..].iter().position(|&b| b == b'\n').ok_or_else(|| format!("${name} is empty"))?;
    let start = start + line + 1;
    let end = find(start, &format!("$End{name}")).ok_or_else(|| format!("$End{name} is missing after ${name}"))?;
    Ok(&bytes[start..end])
}

/// Numbers of a section, one after the other.
struct Words<'a> {
    rest: &'a [u8],
    binary: bool,
    section: &'static str,
}

impl<'a> Words<'a> {
    fn of(rest: &'a [u8], binary: bool, section: &'static str) -> Self {
        Self { rest, binary, section }
    }

    fn short(&self) -> String {
        format!("{} ends too early", self.section)
    }

    /// Takes a word of text.
    fn word(&mut self) -> Result<&'a str, String> {
        let start = self.rest.iter().position(|b| !b.is_ascii_whitespace()).ok_or_else(|| self.short())?;
        let text = &self.rest[start..];
        let (word, rest) = text.split_at(text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len()));
        self.rest = rest;
        std::str::from_utf8(word).map_err(|_| format!("{} holds what is no number", self.section))
    }

    fn text<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("{}: `{word}` is not the number that is expected", self.section))
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (head, rest) = self.rest.split_first_chunk().ok_or_else(|| self.short())?;
        self.rest = rest;
        Ok(*head)
    }

    /// Takes a number that has 4 bytes in binary files.
    fn int(&mut self) -> Result<u64, String> {
        if self.binary {
            let n = i32::from_le_bytes(self.bytes()?);
            return u64::try_from(n).map_err(|_| format!("{}: {n} is negative", self.section));
        }
        self.text()
    }

    /// Takes a number that has 8 bytes in binary files.
    fn size(&mut self) -> Result<u64, String> {
        if self.binary { Ok(u64::from_le_bytes(self.bytes()?)) } else { self.text() }
    }

    fn real(&mut self) -> Result<f64, String> {
        if self.binary { Ok(f64::from_le_bytes(self.bytes()?)) } else { self.text() }
    }

    fn point(&mut self) -> Result<DVec3, String> {
        Ok(DVec3::new(self.real()?, self.real()?, self.real()?))
    }

    /// Takes the count that version 2.2 has as a line of text, in binary files too.
    fn count_line(&mut self) -> Result<u64, String> {
        let count = self.text()?;
        if self.binary {
            self.bytes::<1>()?;
        }
        Ok(count)
    }
}

#[derive(Default)]
struct Mesh {
    nodes: Vec<DVec3>,
    /// Rows of nodes by their tags.
    row: HashMap<u64, i32>,
    /// Tags of the nodes of all elements, by dimension.
    elements: [Vec<u64>; 3],
}

impl Mesh {
    fn node(&mut self, tag: u64, at: DVec3) -> Result<(), String> {
        if self.row.insert(tag, self.nodes.len() as i32).is_some() {
            return Err(format!("$Nodes: two nodes have the tag {tag}"));
        }
        self.nodes.push(at);
        Ok(())
    }

    fn element(&mut self, kind: u64, from: &mut Words, wide: bool) -> Result<(), String> {
        let (_, dim) = KINDS.iter().find(|k| k.0 == kind).ok_or_else(|| {
            format!("$Elements: an element of type {kind}: only lines (1), triangles (2) and tetrahedra (4) are read")
        })?;
        for _ in 0..=*dim {
            let tag = if wide { from.size()? } else { from.int()? };
            self.elements[*dim as usize - 1].push(tag);
        }
        Ok(())
    }

    fn nodes_22(&mut self, from: &mut Words) -> Result<(), String> {
        for _ in 0..from.count_line()? {
            let tag = from.int()?;
            let at = from.point()?;
            self.node(tag, at)?;
        }
        Ok(())
    }

    fn elements_22(&mut self, from: &mut Words) -> Result<(), String> {
        let count = from.count_line()?;
        let mut done = 0;
        while done < count {
            // In binary files elements of one kind follow one header; in text each has its own.
            let (kind, following, tags) = if from.binary {
                (from.int()?, from.int()?, from.int()?)
            } else {
                from.int()?;
                (from.int()?, 1, from.int()?)
            };
            for _ in 0..following.max(1).min(count - done) {
                if from.binary {
                    from.int()?;
                }
                for _ in 0..tags {
                    from.int()?;
                }
                self.element(kind, from, false)?;
                done += 1;
            }
        }
        Ok(())
    }

    fn nodes_41(&mut self, from: &mut Words) -> Result<(), String> {
        let blocks = from.size()?;
        for _ in 0..3 {
            from.size()?;
        }
        for _ in 0..blocks {
            let (_, _, parametric) = (from.int()?, from.int()?, from.int()?);
            if parametric != 0 {
                return Err("$Nodes: parametric coordinates are not read".into());
            }
            let count = from.size()?;
            let mut tags = Vec::new();
            for _ in 0..count {
                tags.push(from.size()?);
            }
            for tag in tags {
                let at = from.point()?;
                self.node(tag, at)?;
            }
        }
        Ok(())
    }

    fn elements_41(&mut self, from: &mut Words) -> Result<(), String> {
        let blocks = from.size()?;
        for _ in 0..3 {
            from.size()?;
        }
        for _ in 0..blocks {
            let (_, _, kind) = (from.int()?, from.int()?, from.int()?);
            for _ in 0..from.size()? {
                from.size()?;
                self.element(kind, from, true)?;
            }
        }
        Ok(())
    }

    /// The elements of the highest dimension that there are.
    fn points(self) -> Result<Points, String> {
        let Some(dim) = (1..=3).rev().find(|&d| !self.elements[d - 1].is_empty()) else {
            return Err("there are no elements".into());
        };
        let row = |tag: &u64| {
            self.row
                .get(tag)
                .copied()
                .ok_or_else(|| format!("$Elements: an element has node {tag}, which is not there"))
        };
        let element = self.elements[dim - 1].iter().map(row).collect::<Result<_, _>>()?;
        Ok(Points { dim: dim as i32, element, point: self.nodes, ..Points::default() })
    }
}
