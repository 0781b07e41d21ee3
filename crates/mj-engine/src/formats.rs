//! Files in the formats of a registry: models that its decoders read, and that its encoders write.

use mj_mjcf::FileResolver;
use mj_model::plugin::Registry;
use mj_model::{Model, Spec};
use std::io;
use std::path::Path;

/// Files of a resolver, with the decoders of a registry.
pub(crate) struct Decoding<'a> {
    pub files: &'a dyn FileResolver,
    pub plugins: &'a Registry,
}

/// Endings of models that are text, and read without a decoder.
pub(crate) const OWN_ENDINGS: [&str; 5] = ["xml", "mjcf", "urdf", "mjz", "zip"];

impl FileResolver for Decoding<'_> {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.files.read(path, limit)
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.exists(path)
    }

    fn is_on_disk(&self, path: &Path) -> bool {
        self.files.is_on_disk(path)
    }

    fn decode(&self, path: &Path, content_type: &str, contents: &[u8]) -> Option<Result<Spec, String>> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        if content_type.is_empty() && OWN_ENDINGS.contains(&ending.as_str()) {
            return None;
        }
        let file = path.to_string_lossy();
        self.plugins.decoder(content_type, &file).map(|decoder| decoder.decode(&file, contents))
    }
}

/// A model could not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// No encoder writes files of this kind.
    #[error("unknown format; expected .xml, .mjz, .mjb or .txt, or the ending of a registered encoder")]
    Unknown,
    /// The format needs the source of the model, and a binary model has none.
    #[error("a binary model holds no source: save it as .mjb or .txt")]
    NoSource,
    /// The encoder failed.
    #[error("{0}")]
    Failed(String),
}

/// Writes a model to the contents of a file, in the format that the file's ending names: one of the registry's encoders;
/// or `.xml`, MJCF; `.mjz`, MJCF and the files of its assets in an archive; `.mjb`, the compiled model in binary; `.txt`,
/// every field of the compiled model as text.
///
/// ```
/// use mj_engine::{builtin_plugins, encode, load_with};
/// # use mj_engine::Memory;
/// # let mut files = Memory::new();
/// # files.insert("ball.xml", "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
/// let loaded = load_with("ball.xml".as_ref(), &files)?;
/// let text = encode("saved.xml".as_ref(), loaded.spec.as_ref(), &loaded.model, &builtin_plugins())?;
/// assert!(text.starts_with(b"<mujoco"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If no encoder writes files with this ending, the format needs a source and there is none, or the encoder fails.
pub fn encode(file: &Path, spec: Option<&Spec>, model: &Model, plugins: &Registry) -> Result<Vec<u8>, EncodeError> {
    let source = || spec.ok_or(EncodeError::NoSource);
    let saved = |spec: &Spec| mj_compile::to_save_with(spec, plugins).map_err(|e| EncodeError::Failed(e.to_string()));
    if let Some(encoder) = plugins.encoder("", &file.to_string_lossy()) {
        return encoder.encode(source()?, model).map_err(EncodeError::Failed);
    }
    match file.extension().and_then(|e| e.to_str()) {
        Some("mjb") => Ok(model.to_bytes()),
        Some("txt") => Ok(model.to_text().into_bytes()),
        Some("xml") => Ok(mj_mjcf::write(&saved(source()?)?).into_bytes()),
        Some("mjz") => mj_mjcf::pack(&saved(source()?)?).map_err(|e| EncodeError::Failed(e.to_string())),
        _ => Err(EncodeError::Unknown),
    }
}
