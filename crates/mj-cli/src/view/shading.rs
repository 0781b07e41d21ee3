//! Options of how pictures are shaded.

#[cfg(feature = "view")]
use crate::failure::Failure;
#[cfg(feature = "view")]
use mj_render::{RenderOptions, Shading, ToneMap};

/// Model of shading, exposure, and map to the brightness of pixels.
#[derive(clap::Args, Clone, Debug)]
pub struct ShadingArgs {
    /// Model of how surfaces reflect light: Phong's, as MuJoCo's renderer has it, or microfacets of metal and rough materials.
    #[arg(long, value_enum, default_value_t = ShadingName::Phong)]
    pub shading: ShadingName,
    /// Exposure of physical shading, stops: each doubles the brightness.
    #[arg(long, value_name = "STOPS", default_value_t = 0.0, allow_negative_numbers = true)]
    pub exposure: f32,
    /// Map from radiances to brightness, of physical shading.
    #[arg(long, value_enum, default_value_t = ToneMapName::Neutral)]
    pub tone_map: ToneMapName,
}

/// Names of models of shading.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq)]
pub enum ShadingName {
    /// Phong's model.
    Phong,
    /// Microfacets.
    Physical,
}

/// Names of maps from radiances to brightness.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq)]
pub enum ToneMapName {
    /// Khronos' PBR Neutral.
    Neutral,
    /// Fit of the ACES film curve.
    Aces,
    /// Radiances above 1 are cut off.
    Clip,
}

/// Greatest exposure, stops, in both directions.
#[cfg(feature = "view")]
const STOPS: f32 = 30.0;

#[cfg(feature = "view")]
impl ShadingArgs {
    /// Gives a renderer's options what the arguments ask for.
    pub fn apply(&self, options: RenderOptions) -> Result<RenderOptions, Failure> {
        let Self { shading, exposure, tone_map } = *self;
        if shading == ShadingName::Phong && (exposure != 0.0 || tone_map != ToneMapName::Neutral) {
            let problem = "--exposure and --tone-map belong to --shading physical; expected that beside them";
            return Err(Failure::Usage(problem.into()));
        }
        if exposure.is_nan() || exposure.abs() > STOPS {
            return Err(Failure::Usage(format!("--exposure {exposure}: expected between -{STOPS} and {STOPS} stops")));
        }
        let shading = match shading {
            ShadingName::Phong => Shading::Phong,
            ShadingName::Physical => Shading::Physical,
        };
        let tone_map = match tone_map {
            ToneMapName::Neutral => ToneMap::Neutral,
            ToneMapName::Aces => ToneMap::Aces,
            ToneMapName::Clip => ToneMap::Clip,
        };
        Ok(RenderOptions { shading, exposure, tone_map, ..options })
    }
}
