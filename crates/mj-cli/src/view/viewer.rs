//! Arguments of `mj view`.

use super::shading::ShadingArgs;

/// Shows a running simulation in a window or in a browser: look around, pull at bodies, set controls, pause, step back.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mj view humanoid\n  mj view humanoid --web\n  mj view robot.xml --web --port 8080 --host 0.0.0.0"
)]
pub struct ViewArgs {
    /// Model file, which is loaded again when it changes, or the bare name of a bundled model.
    pub model: String,
    /// Keyframe to start from.
    #[arg(long, value_name = "NAME")]
    pub key: Option<String>,
    /// Opens no window, but serves a page and prints its URL with its token; Ctrl-C ends it.
    #[arg(long)]
    pub web: bool,
    /// Port of the page; 0: any free one.
    #[arg(long, value_name = "P", default_value_t = 0, requires = "web")]
    pub port: u16,
    /// Address or name of the interface to serve; others than this machine's own see the page then.
    #[arg(long, value_name = "H", default_value = "127.0.0.1", requires = "web")]
    pub host: String,
    #[command(flatten)]
    pub shading: ShadingArgs,
}
