//! Pictures that renderers make.

use crate::error::RenderError;
use crate::labels;
use mj_scene::Scene;

/// Picture of three bytes a pixel, top row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Red, green and blue of each pixel.
    pub rgb: Vec<u8>,
}

/// Depth and ids of a view, top row first, of the same surfaces at every pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct DepthIds {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Distance along the camera's axis, m; the distance of the far plane where nothing is seen.
    pub depth: Vec<f32>,
    /// Number of the model's element and code of its kind (`mjtObj`); −1, −1 where nothing is seen.
    pub ids: Vec<[i32; 2]>,
}

/// Pictures of one view; those that were not asked for are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Red, green and blue of each pixel, top row first.
    pub rgb: Vec<u8>,
    /// Distance along the camera's axis, m.
    pub depth: Vec<f32>,
    /// Number of the model's element and code of its kind.
    pub ids: Vec<[i32; 2]>,
}

impl Image {
    /// Writes the labels of the scene over its picture, where their geoms are; see [`Frame::write_labels`].
    ///
    /// # Errors
    /// If the scene's camera is not valid.
    pub fn write_labels(&mut self, scene: &Scene) -> Result<(), RenderError> {
        labels::write(scene, &mut self.rgb, (self.width, self.height))
    }
}

impl Frame {
    /// Writes the labels of the scene, as its middle camera sees it, over the colours; depth and ids stay as they are.
    ///
    /// Letters are 16 pixels high, white with a dark shadow. Characters beyond Latin ones are shown as question marks.
    ///
    /// # Errors
    /// If the scene's camera is not valid.
    pub fn write_labels(&mut self, scene: &Scene) -> Result<(), RenderError> {
        labels::write(scene, &mut self.rgb, (self.width, self.height))
    }

    /// Returns the colours.
    pub fn into_image(self) -> Image {
        Image { width: self.width, height: self.height, rgb: self.rgb }
    }

    /// Returns depth and ids.
    pub fn into_depth_ids(self) -> DepthIds {
        DepthIds { width: self.width, height: self.height, depth: self.depth, ids: self.ids }
    }
}
