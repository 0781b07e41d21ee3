//! Texts and images that a program shows over the picture.

/// Texts and images over the picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    /// Texts.
    pub texts: Vec<OverlayText>,
    /// Images, the first one undermost.
    pub images: Vec<OverlayImage>,
}

/// Text in one column or two, at a place of the picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverlayText {
    /// Font, by the code of `mjtFont`: 0 normal, 1 with a shadow, 2 big.
    pub font: i32,
    /// Place, by the code of `mjtGridPos`: 0 top left, 1 top right, 2 bottom left, 3 bottom right, 4 top, 5 bottom, 6 left,
    /// 7 right.
    pub gridpos: i32,
    /// Lines of the left column.
    pub left: String,
    /// Lines of the right column.
    pub right: String,
}

/// Image in a rectangle of the picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OverlayImage {
    /// Left, bottom, width and height as shares of the picture's; the image is stretched to it.
    pub rect: [f32; 4],
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Red, green and blue of each pixel, top row first; as many as width and height say.
    pub rgb: Vec<u8>,
}
