//! Archives: a model and all its files in one zip, `.mjz` or `.zip`.

use crate::limits;
use crate::syntax::resolver::{FileResolver, normal, read_up_to};
use std::collections::HashMap;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zip::ZipArchive;

/// Why an archive holds no model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// It is no zip file, or a damaged one.
    #[error("not a good archive: {0}")]
    Damaged(String),
    /// It has more entries than [`limits::ARCHIVE_ENTRIES`].
    #[error("{0} files are too many for an archive")]
    TooMany(usize),
    /// No file in it can be the model.
    #[error("no model in the archive: it would be one of {0}")]
    NoModel(String),
    /// Several files can be the model.
    #[error("several files in the archive may be the model: {0}; name it `model.xml`")]
    ManyModels(String),
}

/// The files of an archive, seen as a directory at the archive's own path: `robot.mjz/model.xml`. Nothing outside can
/// be reached.
pub struct Archive {
    /// Path of the archive.
    at: PathBuf,
    /// The model.
    model: PathBuf,
    /// Places in the archive, by path.
    entries: HashMap<PathBuf, usize>,
    zip: Mutex<ZipArchive<Cursor<Vec<u8>>>>,
}

/// Whether a path names an archive, by its ending.
///
/// Example: [`read`](crate::read).
pub fn is_archive(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    matches!(ending.as_deref(), Some("mjz" | "zip"))
}

fn shown(path: &Path) -> String {
    format!("`{}`", path.display())
}

fn is_xml(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"))
}

/// The only model that is in no directory, or else the only one at all.
fn only_model(entries: &HashMap<PathBuf, usize>) -> Option<PathBuf> {
    let only = |outside: bool| {
        let mut models = entries.keys().filter(|p| is_xml(p) && (!outside || p.components().count() == 1));
        models.next().filter(|_| models.next().is_none())
    };
    only(true).or_else(|| only(false)).cloned()
}

impl Archive {
    /// The archive at a path, from its contents.
    ///
    /// The model is `model.xml`, or the file that has the archive's name, in the archive or in a directory of that name;
    /// failing that, the only file that ends with `.xml` outside of all directories, or in all of the archive.
    ///
    /// # Errors
    /// If it is no archive, a too large one, or has no model.
    pub fn new(path: &Path, contents: Vec<u8>) -> Result<Self, ArchiveError> {
        let damaged = |e: zip::result::ZipError| ArchiveError::Damaged(e.to_string());
        let zip = ZipArchive::new(Cursor::new(contents)).map_err(damaged)?;
        if zip.len() > limits::ARCHIVE_ENTRIES {
            return Err(ArchiveError::TooMany(zip.len()));
        }
        let names = (0..zip.len()).filter_map(|i| Some((zip.name_for_index(i)?.ok()?, i)));
        // Some programs write the separators of their own system.
        let entries: HashMap<PathBuf, usize> =
            names.map(|(name, i)| (normal(Path::new(&name.replace('\\', "/"))), i)).collect();

        let at = normal(path);
        let stem = PathBuf::from(path.file_stem().unwrap_or_default());
        let named = PathBuf::from(format!("{}.xml", stem.display()));
        let candidates = ["model.xml".into(), named.clone(), stem.join(named), stem.join("model.xml")];
        let found = candidates.iter().find(|c| entries.contains_key(*c)).cloned();
        let Some(model) = found.or_else(|| only_model(&entries)) else {
            let mut models: Vec<String> = entries.keys().filter(|p| is_xml(p)).map(|p| shown(p)).collect();
            models.sort();
            return Err(match &models[..] {
                [] => ArchiveError::NoModel(candidates.map(|c| shown(&c)).join(", ")),
                [..] => ArchiveError::ManyModels(models[..models.len().min(10)].join(", ")),
            });
        };
        Ok(Self { model: at.join(model), at, entries, zip: Mutex::new(zip) })
    }

    /// Path of the model.
    pub fn model(&self) -> &Path {
        &self.model
    }

    fn entry(&self, path: &Path) -> Option<usize> {
        self.entries.get(normal(path).strip_prefix(&self.at).ok()?).copied()
    }
}

impl FileResolver for Archive {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let entry = self.entry(path).ok_or(io::ErrorKind::NotFound)?;
        let mut zip = self.zip.lock().unwrap_or_else(PoisonError::into_inner);
        // Its size is known only when it has been read: what the archive says may be wrong.
        read_up_to(zip.by_index(entry)?, limit)
    }

    fn exists(&self, path: &Path) -> bool {
        self.entry(path).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::write::SimpleFileOptions;

    fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, contents) in files {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(contents).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn open(path: &str, files: &[(&str, &[u8])]) -> Result<Archive, ArchiveError> {
        Archive::new(Path::new(path), zipped(files))
    }

    #[test]
    fn the_model_has_the_archive_s_name_or_is_called_model() {
        for name in ["arm.xml", "arm/arm.xml", "model.xml", "arm/model.xml", "./model.xml"] {
            let a = open("dir/arm.mjz", &[("readme.txt", b"-"), (name, b"<mujoco/>")]).unwrap();
            assert_eq!(a.model(), normal(&Path::new("dir/arm.mjz").join(name)));
            assert_eq!(a.read(a.model(), 100).unwrap(), b"<mujoco/>");
        }
        for name in ["leg.xml", "robots/leg.XML"] {
            let a = open("arm.zip", &[("part.stl", b"-"), (name, b"<mujoco/>")]).unwrap();
            assert_eq!(a.model(), Path::new("arm.zip").join(name));
        }
        let a = open("arm.mjz", &[("parts/leg.xml", b"-"), ("robot.xml", b"<mujoco/>")]).unwrap();
        assert_eq!(a.model(), Path::new("arm.mjz/robot.xml"));
        let a = open("arm.mjz", &[("arm.xml", b"-"), ("model.xml", b"<mujoco/>")]).unwrap();
        assert_eq!(a.model(), Path::new("arm.mjz/model.xml"));
        assert!(matches!(open("arm.zip", &[("leg.txt", b"<mujoco/>")]), Err(ArchiveError::NoModel(_))));
        match open("arm.zip", &[("leg.xml", b"<mujoco/>"), ("foot.xml", b"<mujoco/>")]) {
            Err(ArchiveError::ManyModels(names)) => assert_eq!(names, "`foot.xml`, `leg.xml`"),
            other => panic!("{:?}", other.map(|a| a.model().to_path_buf())),
        }
        assert!(matches!(Archive::new(Path::new("a.mjz"), b"PK nothing".to_vec()), Err(ArchiveError::Damaged(_))));
    }

    #[test]
    fn nothing_outside_can_be_reached() {
        let a =
            open("dir/arm.mjz", &[("model.xml", b"<mujoco/>"), ("../secret", b"-"), ("sub/a.stl", b"12345")]).unwrap();
        let read = |path: &str, limit| a.read(Path::new(path), limit).map_err(|e| e.kind());
        assert_eq!(read("dir/arm.mjz/sub/../sub/a.stl", 5), Ok(b"12345".to_vec()));
        assert_eq!(read("dir/arm.mjz/sub/a.stl", 4), Err(io::ErrorKind::FileTooLarge));
        for path in ["dir/arm.mjz/../secret", "dir/secret", "secret", "/etc/passwd", "dir/arm.mjz/none", "model.xml"] {
            assert_eq!(read(path, 100), Err(io::ErrorKind::NotFound), "{path}");
            assert!(!a.exists(Path::new(path)));
        }
    }

    #[test]
    fn a_model_finds_its_files() {
        let mut files = crate::Memory::new();
        let text = "<mujoco><compiler meshdir='m'/><asset><mesh file='a.stl'/></asset><include file='b.xml'/></mujoco>";
        let rest = "<mujoco><worldbody><body name='b'/></worldbody></mujoco>";
        let contents = zipped(&[("model.xml", text.as_bytes()), ("m/a.stl", b"solid"), ("b.xml", rest.as_bytes())]);
        files.insert("dir/arm.mjz", contents);
        files.insert("dir/bad.zip", "no archive");
        let (spec, report) = crate::read("dir/arm.mjz", &files);
        let spec = spec.unwrap_or_else(|| panic!("{report}"));
        assert_eq!(spec.meshes[0].contents.as_slice(), b"solid");
        assert_eq!(spec.worldbody.bodies[0].name, "b");
        let (none, report) = crate::read("dir/bad.zip", &files);
        assert!(none.is_none() && report.to_string().contains("archive"), "{report}");
    }
}
