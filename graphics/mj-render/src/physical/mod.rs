//! Physical shading: environments that light scenes, and the map from radiances to brightness.

mod cube;
mod curve;
mod environment;
mod lobe;
mod tone;

use crate::error::RenderError;
use crate::gpu::Gpu;
use crate::options::{RenderOptions, Shading};
use environment::Environments;
use mj_model::Model;
use tone::ToneStage;

/// Parts of physical shading beside the lights and surfaces of a scene.
pub struct Physical {
    /// Environments.
    pub environments: Environments,
    /// Pass from radiances to colours.
    pub tone: ToneStage,
    /// Environment of the scene that is drawn.
    pub environment: Option<usize>,
}

impl Physical {
    /// Makes what the options ask for: nothing for Phong's model.
    pub fn new(gpu: &Gpu, m: &Model, options: &RenderOptions) -> Result<Option<Self>, RenderError> {
        if options.shading == Shading::Phong {
            return Ok(None);
        }
        let tone = ToneStage::new(gpu, options.tone_map, options.exposure)?;
        Ok(Some(Self { environments: Environments::new(m), tone, environment: None }))
    }
}
