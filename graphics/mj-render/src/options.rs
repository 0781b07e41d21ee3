//! Options of renderers.

/// Options of a renderer; the defaults take the model's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Part of the name of the adapter to use, in any case; `None`: the fastest one.
    pub adapter: Option<String>,
    /// Samples a pixel, 1 or 4; `None`: the model's `offsamples`.
    pub samples: Option<u32>,
    /// Width and height of shadow maps, texels; `None`: the model's `shadowsize`, at most 1024 on a software driver.
    pub shadowsize: Option<u32>,
}

/// Pictures that one call makes of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// Whether colours are drawn.
    pub rgb: bool,
    /// Whether depth and ids are drawn.
    pub depth_ids: bool,
}

impl Outputs {
    /// Colours alone.
    pub const RGB: Self = Self { rgb: true, depth_ids: false };
    /// Depth and ids alone.
    pub const DEPTH_IDS: Self = Self { rgb: false, depth_ids: true };
    /// Colours, depth and ids.
    pub const ALL: Self = Self { rgb: true, depth_ids: true };
}
