//! Labels of geoms, written over pictures.

use crate::error::RenderError;
use crate::scene::Eye;
use glam::DVec3;
use mj_scene::Scene;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, RasterizedChar, get_raster, get_raster_width};

const HEIGHT: RasterHeight = RasterHeight::Size16;
const WEIGHT: FontWeight = FontWeight::Regular;
/// Rows below the line on which letters stand.
const BELOW: i64 = 4;

/// Writes the labels of a scene, as its middle camera sees it, over colours of three bytes a pixel, top row first.
///
/// The text begins where the geom's centre is, in white with a shadow, and no geom hides it, like MuJoCo's.
pub fn write(scene: &Scene, rgb: &mut [u8], (width, height): (u32, u32)) -> Result<(), RenderError> {
    if scene.geoms.iter().all(|g| g.label.is_empty()) || width == 0 || height == 0 {
        return Ok(());
    }
    let eye = Eye::new(&scene.middle_camera(), scene, (width, height), 0)?;
    let mut page = Page { rgb, width: width.into(), height: height.into() };
    for geom in scene.geoms.iter().filter(|g| !g.label.is_empty()) {
        let seen = eye.clip * DVec3::from_array(geom.pos.map(f64::from)).extend(1.0);
        let place = seen.truncate() / seen.w;
        if !(seen.w > 0.0 && place.x.abs() <= 1.0 && place.y.abs() <= 1.0 && (0.0..=1.0).contains(&place.z)) {
            continue;
        }
        let x = (0.5 * (place.x + 1.0) * f64::from(width)) as i64;
        let y = (0.5 * (1.0 - place.y) * f64::from(height)) as i64 - HEIGHT.val() as i64 + BELOW;
        page.line(&geom.label, x + 1, y + 1, 0);
        page.line(&geom.label, x, y, 255);
    }
    Ok(())
}

/// Picture that is written over.
struct Page<'a> {
    rgb: &'a mut [u8],
    width: i64,
    height: i64,
}

impl Page<'_> {
    /// Writes a line from its upper left corner on, as far as the picture goes.
    fn line(&mut self, text: &str, x: i64, y: i64, grey: u8) {
        let step = get_raster_width(WEIGHT, HEIGHT) as i64;
        let places = (x..self.width).step_by(step.max(1) as usize);
        for (x, character) in places.zip(text.chars()) {
            let known = get_raster(character, WEIGHT, HEIGHT);
            if let Some(letter) = known.or_else(|| get_raster('?', WEIGHT, HEIGHT)) {
                self.letter(&letter, x, y, grey);
            }
        }
    }

    fn letter(&mut self, letter: &RasterizedChar, x: i64, y: i64, grey: u8) {
        for (y, row) in (y..).zip(letter.rows()) {
            for (x, &opacity) in (x..).zip(row.iter()) {
                if !(0..self.width).contains(&x) || !(0..self.height).contains(&y) {
                    continue;
                }
                let first = 3 * (y * self.width + x) as usize;
                for byte in self.rgb.get_mut(first..first + 3).unwrap_or_default() {
                    let (old, new, share) = (u32::from(*byte), u32::from(grey), u32::from(opacity));
                    *byte = ((old * (255 - share) + new * share + 127) / 255) as u8;
                }
            }
        }
    }
}
