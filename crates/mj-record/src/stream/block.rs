//! Blocks of numbers for one frame, least significant byte first, as `stream.js` reads them.

use crate::html::shape::placed;
use mj_scene::SceneGeom;

/// Longest label, bytes.
const LABEL: usize = 200;

/// Appends a count.
pub fn count(out: &mut Vec<u8>, n: usize) {
    out.extend((n as u32).to_le_bytes());
}

/// Appends numbers of single precision.
pub fn reals(out: &mut Vec<u8>, numbers: &[f32]) {
    numbers.iter().for_each(|x| out.extend(x.to_le_bytes()));
}

/// Geoms in 40 bytes each, and their labels.
#[derive(Default)]
pub struct Geoms {
    number: usize,
    records: Vec<u8>,
    labelled: usize,
    labels: Vec<u8>,
}

impl Geoms {
    /// Appends a geom: number of its look, position, orientation, sizes, colour.
    pub fn push(&mut self, look: usize, geom: &SceneGeom) {
        let placed = placed(geom);
        count(&mut self.records, look);
        reals(&mut self.records, &placed.pos.to_array().map(|x| x as f32));
        // Numbers that are none become 0.
        let turns = placed.quat.to_array().map(|x| (x * 32767.0).round() as i16);
        turns.iter().for_each(|x| self.records.extend(x.to_le_bytes()));
        reals(&mut self.records, &placed.size.map(|x| x as f32));
        self.records.extend(geom.rgba.map(|x| (x * 255.0).round() as u8));
        if !geom.label.is_empty() {
            let text = cut(&geom.label);
            count(&mut self.labels, self.number);
            self.labels.extend((text.len() as u16).to_le_bytes());
            self.labels.extend(text.as_bytes());
            self.labelled += 1;
        }
        self.number += 1;
    }

    /// Appends them to a block.
    pub fn write(self, out: &mut Vec<u8>) {
        count(out, self.number);
        out.extend(self.records);
        count(out, self.labelled);
        out.extend(self.labels);
    }
}

/// Returns a text that is short enough.
fn cut(text: &str) -> &str {
    let end = (0..=LABEL.min(text.len())).rev().find(|&n| text.is_char_boundary(n));
    &text[..end.unwrap_or(0)]
}
