//! File formats that a program adds: readers of meshes and models, and writers of models.

use crate::{Model, Spec};
use std::fmt::Debug;

/// Names of a file format: how a file says that it is of that format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format<'a> {
    /// Media type, which elements give as `content_type`: `model/ply`.
    pub content_type: &'a str,
    /// Endings of files, without the dot and in lower case.
    pub endings: &'a [&'a str],
}

impl Format<'_> {
    /// Whether a file is of this format: by its media type, or where it has none by its ending.
    pub(super) fn fits(&self, content_type: &str, file: &str) -> bool {
        if !content_type.is_empty() {
            return self.content_type == content_type;
        }
        let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
        self.endings.iter().any(|e| e.eq_ignore_ascii_case(ending))
    }
}

/// Reads files of a format (manual: Extensions, "Decoders").
///
/// A mesh asset takes the vertices, faces, normals and texture coordinates of the first mesh of the spec; its name, scale
/// and all else are the asset's own. A main file, and a `model` asset, are the whole spec.
pub trait Decoder: Debug + Send + Sync {
    /// Names of the format.
    fn format(&self) -> Format<'_>;

    /// Reads a file's contents to a spec.
    ///
    /// # Errors
    /// If the contents are not of the format: the reason, which is shown after the file's name.
    fn decode(&self, file: &str, contents: &[u8]) -> Result<Spec, String>;
}

/// Writes models in a format (manual: Extensions, "Encoders").
pub trait Encoder: Debug + Send + Sync {
    /// Names of the format.
    fn format(&self) -> Format<'_>;

    /// Writes a model to the contents of a file.
    ///
    /// # Errors
    /// If the format has no words for the model: the reason.
    fn encode(&self, spec: &Spec, model: &Model) -> Result<Vec<u8>, String>;
}
