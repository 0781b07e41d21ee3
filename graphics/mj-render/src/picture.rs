//! Pictures that renderers make.

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

impl Frame {
    /// Returns the colours.
    pub fn into_image(self) -> Image {
        Image { width: self.width, height: self.height, rgb: self.rgb }
    }

    /// Returns depth and ids.
    pub fn into_depth_ids(self) -> DepthIds {
        DepthIds { width: self.width, height: self.height, depth: self.depth, ids: self.ids }
    }
}
