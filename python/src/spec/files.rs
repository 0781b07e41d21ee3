//! Files of assets: looked for when a spec is compiled, not when it is read.

use crate::model::load::Files;
use mj_engine::FileResolver;
use mj_mjcf::limits;
use mj_model::Spec;
use mj_model::spec::FileBytes;
use std::collections::HashMap;
use std::io;
use std::path::{Component, Path, PathBuf};
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

/// The path with `.` and `..` resolved as far as they can be without looking at the files.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// Reads each file once.
struct Reader<'a> {
    files: &'a Files,
    known: HashMap<PathBuf, FileBytes>,
    bytes: u64,
}

impl Reader<'_> {
    fn read(&mut self, file: &str, directory: &str, places: &Places) -> Result<FileBytes, String> {
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
    let mut reader = Reader { files, known: HashMap::new(), bytes: 0 };
    macro_rules! fetch {
        ($($list:ident $kind:literal $directory:ident;)*) => {$(
            for (row, e) in spec.$list.iter_mut().enumerate() {
                let places = of($kind, row);
                let told = |problem| format!("Error: {problem}\nElement name '{}', id {row}", e.name);
                if !e.file.is_empty() && e.contents.len() < 2 {
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

/// Pixels as a PNG image without compression, 8 bits a channel.
pub fn png(width: u32, height: u32, nchannel: i32, pixels: &[u8]) -> Vec<u8> {
    let colour = match nchannel {
        1 => 0,
        2 => 4,
        3 => 2,
        _ => 6,
    };
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, colour, 0, 0, 0]);
    let row = (width as usize).saturating_mul(usize::try_from(nchannel).unwrap_or(1)).max(1);
    let mut raw = Vec::with_capacity(pixels.len() + pixels.len() / row);
    for line in pixels.chunks(row) {
        raw.push(0);
        raw.extend_from_slice(line);
    }
    let mut data = vec![0x78, 0x01];
    let blocks: Vec<&[u8]> = raw.chunks(0xffff).collect();
    for (i, block) in blocks.iter().enumerate() {
        let length = block.len() as u16;
        data.push(u8::from(i + 1 == blocks.len()));
        data.extend(length.to_le_bytes());
        data.extend((!length).to_le_bytes());
        data.extend_from_slice(block);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for x in &raw {
        a = (a + u32::from(*x)) % 65521;
        b = (b + a) % 65521;
    }
    data.extend(((b << 16) | a).to_be_bytes());
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, body) in [(b"IHDR", &header[..]), (b"IDAT", &data[..]), (b"IEND", &[][..])] {
        out.extend((body.len() as u32).to_be_bytes());
        let named = [&name[..], body].concat();
        out.extend_from_slice(&named);
        out.extend(crc(&named).to_be_bytes());
    }
    out
}

/// Cyclic redundancy check of a chunk.
fn crc(bytes: &[u8]) -> u32 {
    let step = |c: u32, x: &u8| {
        (0..8).fold(c ^ u32::from(*x), |c, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 })
    };
    !bytes.iter().fold(!0, step)
}
