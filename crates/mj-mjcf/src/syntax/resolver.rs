//! Where the text of a model and of the files it includes comes from.

use mj_model::Spec;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Gives the contents of files by path.
///
/// The reader asks for the main file by the path it was given, and for an included file by its path
/// joined to the main file's directory, `.` and `..` resolved.
pub trait FileResolver {
    /// Contents of a file.
    ///
    /// # Errors
    /// If there is no such file, it cannot be read, or it holds more than `limit` bytes
    /// ([`io::ErrorKind::FileTooLarge`]).
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>>;

    /// Whether there is such a file.
    fn exists(&self, path: &Path) -> bool;

    /// Whether anybody can read the file at its path, now or later: it is in the file system, and not in memory or in an
    /// archive. Textures may be left by reference if so.
    fn is_on_disk(&self, _path: &Path) -> bool {
        false
    }

    /// Decodes a model that is neither MJCF nor URDF, the main one or a `model` asset. `content_type` is its media type,
    /// or empty. `None`: the contents are MJCF or URDF.
    fn decode(&self, _path: &Path, _content_type: &str, _contents: &[u8]) -> Option<Result<Spec, String>> {
        None
    }
}

/// The file system, relative paths starting from a base directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSystem {
    base: PathBuf,
}

impl FileSystem {
    /// Relative paths start from `base`; the empty path is the current directory.
    pub fn new(base: impl Into<PathBuf>) -> Self {
        Self { base: base.into() }
    }
}

fn too_large(limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {limit} bytes"))
}

/// Everything that a source gives, unless it is more than `limit` bytes.
pub(crate) fn read_up_to(source: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

impl FileResolver for FileSystem {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let file = File::open(self.base.join(path))?;
        let meta = file.metadata()?;
        if !meta.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        if meta.len() > limit {
            return Err(too_large(limit));
        }
        // The file may grow while it is read: the bound holds all the same.
        read_up_to(file, limit)
    }

    fn exists(&self, path: &Path) -> bool {
        self.base.join(path).is_file()
    }

    fn is_on_disk(&self, _path: &Path) -> bool {
        true
    }
}

/// Files in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    files: HashMap<PathBuf, Vec<u8>>,
}

impl Memory {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a file.
    pub fn insert(&mut self, path: impl AsRef<Path>, contents: impl Into<Vec<u8>>) -> &mut Self {
        self.files.insert(normal(path.as_ref()), contents.into());
        self
    }
}

impl FileResolver for Memory {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let bytes = self.files.get(&normal(path)).ok_or(io::ErrorKind::NotFound)?;
        if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes.clone()) }
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.contains_key(&normal(path))
    }
}

/// Resolves `.` and `..` in a path as far as they can be without looking at the files.
///
/// Example: [`read`](crate::read).
pub fn normal(path: &Path) -> PathBuf {
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

/// The way from one directory to another, both normal, without looking at the files; the other's own path where there
/// is none.
pub(crate) fn way(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common);
    if up.clone().any(|c| !matches!(c, Component::Normal(_))) || from.is_absolute() != to.is_absolute() {
        return to.to_path_buf();
    }
    up.map(|_| Component::ParentDir).chain(to.components().skip(common)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalized() {
        for (given, expected) in
            [("./a/./b", "a/b"), ("a/../b", "b"), ("../a", "../a"), ("a/b/../../../c", "../c"), ("/a/../b", "/b")]
        {
            assert_eq!(normal(Path::new(given)), Path::new(expected));
        }
    }

    #[test]
    fn ways_lead_from_one_directory_to_another() {
        for (from, to, expected) in [
            ("a", "a/b", "b"),
            ("a/b", "a/c/d", "../c/d"),
            ("../a/b", "../a", ".."),
            ("../a", "../../b", "../../b"),
            ("", "a", "a"),
            ("a", "", ".."),
            ("/a/b", "/a/c", "../c"),
            ("a", "/b", "/b"),
            ("../a", "b", "b"),
        ] {
            assert_eq!(way(Path::new(from), Path::new(to)), Path::new(expected), "{from} {to}");
        }
    }

    #[test]
    fn memory_keeps_the_limit() {
        let mut m = Memory::new();
        m.insert("./a.xml", "12345");
        assert!(m.exists(Path::new("a.xml")));
        assert_eq!(m.read(Path::new("a.xml"), 5).unwrap(), b"12345");
        assert_eq!(m.read(Path::new("a.xml"), 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(m.read(Path::new("b.xml"), 9).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
