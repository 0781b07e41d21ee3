//! Formats that a build does not read, because a feature is missing.

use mj_model::Spec;
use mj_model::plugin::{Decoder, Format};

/// Decoder in the place of one that needs a feature: its error names the feature.
#[derive(Debug)]
pub(crate) struct LeftOut {
    /// The format.
    pub format: Format<'static>,
    /// Feature that reads it.
    pub feature: &'static str,
}

impl Decoder for LeftOut {
    fn format(&self) -> Format<'_> {
        self.format
    }

    fn decode(&self, _file: &str, _contents: &[u8]) -> Result<Spec, String> {
        let feature = self.feature;
        Err(format!("this build does not read {feature} files; build with `--features {feature}`"))
    }
}
