//! Vertices and triangles as read, and what every reader of files needs.

use std::collections::HashMap;

/// Vertices, and triangles counter-clockwise seen from outside. Without triangles it is a cloud of points.
///
/// Normals and texture coordinates belong to the corners of triangles that `facenormal` and `facetexcoord` name; where
/// these are empty, to the vertices: then there are one or several normals (a frame) for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Soup {
    pub vert: Vec<[f32; 3]>,
    pub face: Vec<[u32; 3]>,
    pub normal: Vec<[f32; 3]>,
    pub texcoord: Vec<[f32; 2]>,
    pub facenormal: Vec<[u32; 3]>,
    pub facetexcoord: Vec<[u32; 3]>,
    /// Lines that are no side of a triangle.
    pub line: Vec<[u32; 2]>,
}

impl Soup {
    /// Unites vertices whose coordinates are equal; they keep the order in which they first come.
    pub fn weld(&mut self) {
        let mut number: HashMap<[u32; 3], u32> = HashMap::new();
        let mut kept: Vec<[f32; 3]> = Vec::new();
        let mut renumber = Vec::with_capacity(self.vert.len());
        for v in &self.vert {
            // Adding zero makes one zero of both.
            let key = v.map(|x| (x + 0.0).to_bits());
            renumber.push(*number.entry(key).or_insert_with(|| {
                kept.push(*v);
                kept.len() as u32 - 1
            }));
        }
        self.vert = kept;
        for f in &mut self.face {
            *f = f.map(|i| renumber[i as usize]);
        }
        for l in &mut self.line {
            *l = l.map(|i| renumber[i as usize]);
        }
    }
}

/// Takes numbers off the front of a file, least byte first. `None`: the file is too short.
pub(crate) struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    fn word(&mut self) -> Option<[u8; 4]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    pub fn int(&mut self) -> Option<i32> {
        self.word().map(i32::from_le_bytes)
    }

    pub fn float(&mut self) -> Option<f32> {
        self.word().map(f32::from_le_bytes)
    }

    pub fn point(&mut self) -> Option<[f32; 3]> {
        Some([self.float()?, self.float()?, self.float()?])
    }

    pub fn floats(&mut self, n: usize) -> Option<Vec<f32>> {
        let bytes = self.0.get(..n.checked_mul(4)?)?;
        self.skip(bytes.len())?;
        Some(bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
    }

    pub fn ints(&mut self, n: usize) -> Option<Vec<i32>> {
        let bytes = self.0.get(..n.checked_mul(4)?)?;
        self.skip(bytes.len())?;
        Some(bytes.as_chunks().0.iter().map(|b| i32::from_le_bytes(*b)).collect())
    }

    pub fn skip(&mut self, n: usize) -> Option<()> {
        self.0 = self.0.get(n..)?;
        Some(())
    }
}

/// Checks three corners of a triangle, if there are such vertices.
pub(super) fn corners(corners: [i32; 3], face: usize, count: usize) -> Result<[u32; 3], String> {
    match corners.iter().find(|&&v| usize::try_from(v).map_or(true, |v| v >= count)) {
        Some(v) => Err(format!("face {face} has vertex {v}, but there are only {count}, counted from 0")),
        None => Ok(corners.map(|v| v as u32)),
    }
}

/// Rounds a point to single precision.
pub(super) fn single(p: mj_math::DVec3) -> [f32; 3] {
    p.to_array().map(|x| x as f32)
}
