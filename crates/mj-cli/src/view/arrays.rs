//! Depth and ids of frames as archives.

use crate::failure::Failure;
use crate::npz::Writer;
use crate::output;
use mj_model::{Column, Field};
use mj_render::Frame;
use std::path::Path;

/// Most numbers of an archive.
const MAX_NUMBERS: usize = 1 << 28;

/// Archives that collect depth and ids.
pub struct Arrays<'a> {
    depth: Option<&'a Path>,
    ids: Option<&'a Path>,
    /// Frames, height, width.
    shape: [usize; 3],
    depths: Vec<f32>,
    numbers: Vec<i32>,
}

impl<'a> Arrays<'a> {
    /// Checks that the archives can be written and aren't too large.
    pub fn new(depth: Option<&'a Path>, ids: Option<&'a Path>, shape: [usize; 3]) -> Result<Self, Failure> {
        for path in depth.iter().chain(&ids) {
            output::check(path)?;
            if shape.iter().product::<usize>() > MAX_NUMBERS / 2 {
                let [frames, height, width] = shape;
                let wrong = format!("{}: {frames} frames of {width}x{height} pixels are too many", path.display());
                return Err(Failure::Usage(wrong));
            }
        }
        Ok(Self { depth, ids, shape, depths: Vec::new(), numbers: Vec::new() })
    }

    /// Appends a frame.
    pub fn push(&mut self, frame: &Frame) {
        if self.depth.is_some() {
            self.depths.extend_from_slice(&frame.depth);
        }
        if self.ids.is_some() {
            self.numbers.extend(frame.ids.iter().flatten());
        }
    }

    /// Writes the archives.
    pub fn finish(self) -> Result<(), Failure> {
        let shape = if self.shape[0] == 1 { &self.shape[1..] } else { &self.shape[..] };
        if let Some(path) = self.depth {
            write(path, "depth", shape.to_vec(), Column::F32(self.depths))?;
        }
        if let Some(path) = self.ids {
            write(path, "ids", [shape, &[2]].concat(), Column::I32(self.numbers))?;
        }
        Ok(())
    }
}

fn write(path: &Path, name: &str, shape: Vec<usize>, data: Column) -> Result<(), Failure> {
    let mut file = Writer::create(path)?;
    file.put(name, &Field { name: name.into(), shape, data })?;
    file.finish()
}
