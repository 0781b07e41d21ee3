//! Files of assets: looked for when a spec is compiled, not when it is read.

use crate::model::load::Files;
use mj_engine::FileResolver;
use mj_mjcf::{limits, normal};
use mj_model::Spec;
use mj_model::spec::FileBytes;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Endings of files that are read when a spec is compiled.
const ASSETS: &[&str] = &["stl", "obj", "msh", "png", "ktx", "skn", "bin", "hf", "ply", "dae"];

/// Files of a model's text. Those of assets need not be there.
pub struct TextFiles<'a>(pub &'a Files);

/// Whether a path is that of an asset, by its ending.
fn is_asset(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    ASSETS.contains(&ending.as_str())
}

impl FileResolver for TextFiles<'_> {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        // One byte stands for what is read later: an empty file would be an error.
        if is_asset(path) { Ok(vec![0]) } else { self.0.read(path, limit) }
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.exists(path)
    }
}

/// Where a spec looks for files.
#[derive(Clone, Default)]
pub struct Places {
    /// Directory of the model's file.
    pub base: PathBuf,
    /// Directory of meshes, height fields and skins.
    pub meshdir: String,
    /// Directory of textures.
    pub texturedir: String,
    /// Whether directories are stripped from names.
    pub strippath: bool,
}

/// Reads each file once.
pub struct Reader<'a> {
    files: &'a Files,
    known: HashMap<PathBuf, FileBytes>,
    bytes: u64,
}

impl<'a> Reader<'a> {
    /// Begins without any file.
    pub fn new(files: &'a Files) -> Self {
        Self { files, known: HashMap::new(), bytes: 0 }
    }

    /// Returns the contents of a file: from a directory, or by its mere name.
    ///
    /// # Errors
    /// If it can't be read, or is empty.
    pub fn read(&mut self, file: &str, directory: &str, places: &Places) -> Result<FileBytes, String> {
        let file = if places.strippath { file.rsplit(['/', '\\']).next().unwrap_or_default() } else { file };
        let path = normal(&places.base.join(directory).join(file));
        if let Some(known) = self.known.get(&path) {
            return Ok(known.clone());
        }
        let limit = limits::FILE_BYTES.min(limits::ASSET_BYTES.saturating_sub(self.bytes));
        let read = self.files.read(&path, limit);
        // Names of files in memory may lack the directories.
        let read = read.or_else(|e| self.files.read(Path::new(file), limit).map_err(|_| e));
        let contents = read.map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => format!("Error opening file '{}': there is no such file", path.display()),
            _ => format!("Error opening file '{}': {e}", path.display()),
        })?;
        if contents.is_empty() {
            return Err(format!("Error opening file '{}': it is empty", path.display()));
        }
        self.bytes += contents.len() as u64;
        let contents: FileBytes = Arc::new(contents);
        self.known.insert(path, contents.clone());
        Ok(contents)
    }
}

/// Fills in the contents of all files. `owners` tells by kind and row under which places' settings an element was made.
///
/// # Errors
/// If a file can't be read.
pub fn fetch(
    spec: &mut Spec,
    files: &Files,
    places: &[Places],
    owners: &[(&'static str, usize, usize)],
) -> Result<(), String> {
    let owners: HashMap<(&str, usize), usize> = owners.iter().map(|(k, r, o)| ((*k, *r), *o)).collect();
    let usual = Places::default();
    let of = |kind, row| owners.get(&(kind, row)).and_then(|o| places.get(*o)).or(places.first()).unwrap_or(&usual);
    let left = if spec.compiler.discardvisual { HashSet::new() } else { leave_by_reference(spec, files, &of) };
    let mut reader = Reader::new(files);
    macro_rules! fetch {
        ($($list:ident $kind:literal $directory:ident;)*) => {$(
            for (row, e) in spec.$list.iter_mut().enumerate() {
                let places = of($kind, row);
                let told = |problem| format!("Error: {problem}\nElement name '{}', id {row}", e.name);
                if !e.file.is_empty() && e.contents.len() < 2 && !($kind == "texture" && left.contains(&row)) {
                    e.contents = reader.read(&e.file, &places.$directory, places).map_err(told)?;
                }
            }
        )*};
    }
    fetch! { meshes "mesh" meshdir; hfields "hfield" meshdir; skins "skin" meshdir; }
    if spec.compiler.discardvisual {
        return Ok(());
    }
    fetch! { textures "texture" texturedir; }
    for (row, t) in spec.textures.iter_mut().enumerate() {
        if t.builtin != mj_model::Builtin::None || !t.file.is_empty() {
            continue;
        }
        let places = of("texture", row);
        for (file, contents) in t.cubefiles.iter().zip(&mut t.cubecontents) {
            if !file.is_empty() && contents.len() < 2 {
                *contents = reader
                    .read(file, &places.texturedir, places)
                    .map_err(|problem| format!("Error: {problem}\nElement name '{}', id {row}", t.name))?;
            }
        }
    }
    Ok(())
}

/// Takes out the files of textures that stay by reference, and gives these their whole paths. Returns their rows.
fn leave_by_reference<'a>(
    spec: &mut Spec,
    files: &Files,
    of: &dyn Fn(&'static str, usize) -> &'a Places,
) -> HashSet<usize> {
    let mut left = HashSet::new();
    let policy = spec.compiler.passthrough;
    for (row, t) in spec.textures.iter_mut().enumerate() {
        let places = of("texture", row);
        let name = if places.strippath { t.file.rsplit(['/', '\\']).next().unwrap_or_default() } else { &t.file };
        let path = normal(&places.base.join(&places.texturedir).join(name));
        if t.by_reference(policy) == Ok(true) && t.contents.len() < 2 && files.is_on_disk(&path) {
            t.contents = FileBytes::default();
            t.file = path.to_string_lossy().into_owned();
            left.insert(row);
        }
    }
    left
}

/// Writes pixels as a PNG image without compression, 8 bits a channel.
///
/// # Errors
/// If there are too few pixels or too many, or the image has no size.
pub fn png(width: u32, height: u32, nchannel: i32, pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(match nchannel {
        1 => png::ColorType::Grayscale,
        2 => png::ColorType::GrayscaleAlpha,
        3 => png::ColorType::Rgb,
        _ => png::ColorType::Rgba,
    });
    encoder.set_compression(png::Compression::NoCompression);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(out)
}
