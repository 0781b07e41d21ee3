//! Options of renderers.

/// Model of how surfaces reflect light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shading {
    /// Phong's model with colours as they are written, like MuJoCo's classic renderer.
    #[default]
    Phong,
    /// Microfacets of metallic-roughness materials in linear light, with light from an environment.
    Physical,
}

/// Map from radiances to the brightness of pixels, of physical shading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToneMap {
    /// Khronos' PBR Neutral: base colours are kept up to a brightness of 0.76, brighter ones are compressed.
    #[default]
    Neutral,
    /// Fit of the ACES film curve by Narkowicz: more contrast, bright colours turn white.
    Aces,
    /// None: radiances above 1 are cut off.
    Clip,
}

/// Options of a renderer; the defaults take the model's settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderOptions {
    /// Part of the name of the adapter to use, in any case; `None`: the fastest one.
    pub adapter: Option<String>,
    /// Samples a pixel, 1 or 4; `None`: the model's `offsamples`.
    pub samples: Option<u32>,
    /// Width and height of shadow maps, texels; `None`: the model's `shadowsize`, at most 1024 on a software driver.
    pub shadowsize: Option<u32>,
    /// Model of how surfaces reflect light.
    pub shading: Shading,
    /// Exposure of physical shading, stops: each doubles the brightness. A radiance of 1, or 1 cd/m², is white at 0.
    pub exposure: f32,
    /// Map from radiances to brightness, of physical shading.
    pub tone_map: ToneMap,
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
