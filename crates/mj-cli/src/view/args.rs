//! Arguments of `mj render`.

use super::appearance::Appearance;
use super::shading::ShadingArgs;
use std::path::PathBuf;

/// Draws a picture, an animation or a page that plays.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mj render humanoid -o humanoid.png --camera side\n  mj render humanoid -o fall.html --duration 3 --vis contactforce=1"
)]
pub struct Args {
    /// Model file, or the bare name of a bundled model.
    #[arg(required_unless_present = "probe")]
    pub model: Option<String>,
    /// File to write: .png, .apng, .mp4 (by ffmpeg), .html; `-`: raw RGB frames to standard output [default: MODEL.png].
    #[arg(short, long)]
    pub output: Option<PathBuf>,
    /// Width and height, pixels [default: those of the model, 640x480 where it has none].
    #[arg(long, value_name = "WxH")]
    pub size: Option<String>,
    /// Camera of the model by name or number, or `free`.
    #[arg(long, default_value = "free")]
    pub camera: String,
    /// Direction in which a free camera looks, about the vertical, degrees [default: the model's].
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    pub azimuth: Option<f64>,
    /// Direction in which a free camera looks, above the horizon, degrees [default: the model's].
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    pub elevation: Option<f64>,
    /// Distance of a free camera from the model's middle, m [default: 1.5 times the model's extent].
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub distance: Option<f64>,
    /// Keyframe to start from.
    #[arg(long, value_name = "NAME")]
    pub key: Option<String>,
    /// Archive with the state to start from; what is missing keeps its reset value.
    #[arg(long)]
    pub state: Option<PathBuf>,
    /// Steps before the first frame.
    #[arg(long, default_value_t = 0)]
    pub steps: u64,
    /// Duration of an animation, simulated seconds.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub duration: Option<f64>,
    /// Frames of an animation for a simulated second.
    #[arg(long, default_value_t = 30.0, allow_negative_numbers = true)]
    pub fps: f64,
    /// Sets an option, e.g. opt.timestep=0.001; may be repeated.
    #[arg(long, value_name = "K=V")]
    pub set: Vec<String>,
    /// Archive for depth, m, as `depth`: (H, W), or (frames, H, W).
    #[arg(long)]
    pub depth: Option<PathBuf>,
    /// Archive for numbers and kinds of the seen elements, as `ids`: (H, W, 2), or (frames, H, W, 2).
    #[arg(long)]
    pub ids: Option<PathBuf>,
    /// Part of the name of the graphics adapter to use.
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Lists graphics adapters and their limits.
    #[arg(long)]
    pub probe: bool,
    #[command(flatten)]
    pub appearance: Appearance,
    #[command(flatten)]
    pub shading: ShadingArgs,
}
