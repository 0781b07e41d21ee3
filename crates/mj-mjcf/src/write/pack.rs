//! A model and the files of its assets in one archive.

use crate::syntax::archive::ArchiveError;
use mj_model::Spec;
use mj_model::spec::FileBytes;
use std::collections::HashMap;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;

/// Folder of the files in an archive.
const FOLDER: &str = "assets";

/// Returns a model and the files of its assets as a zip archive, in which the model is `model.xml`.
///
/// Files are named as they were, without their directories; of two with one name and different contents, the second gets
/// a number. Textures that are left by reference are not part of it, and keep their paths.
///
/// Example: [`read`](crate::read).
///
/// # Errors
/// If the archive would be larger than its format allows.
pub fn pack(spec: &Spec) -> Result<Vec<u8>, ArchiveError> {
    let mut spec = spec.clone();
    let [meshes, textures] = [&mut spec.compiler.meshdir, &mut spec.compiler.texturedir]
        .map(|directory| std::mem::replace(directory, FOLDER.to_string()));
    spec.compiler.strippath = false;
    let mut files = Files::default();
    for m in &mut spec.meshes {
        files.put(&meshes, &mut m.file, &m.contents);
    }
    for h in &mut spec.hfields {
        files.put(&meshes, &mut h.file, &h.contents);
    }
    for s in &mut spec.skins {
        files.put(&meshes, &mut s.file, &s.contents);
    }
    for t in &mut spec.textures {
        files.put(&textures, &mut t.file, &t.contents);
        for (file, contents) in t.cubefiles.iter_mut().zip(&t.cubecontents) {
            files.put(&textures, file, contents);
        }
    }
    let text = super::write(&spec);
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, contents: &[u8]| {
        zip.start_file(name, SimpleFileOptions::default())?;
        zip.write_all(contents).map_err(zip::result::ZipError::from)
    };
    let mut written = add("model.xml", text.as_bytes());
    for (name, contents) in &files.list {
        written = written.and_then(|()| add(&format!("{FOLDER}/{name}"), contents.as_slice()));
    }
    let finished = written.and_then(|()| zip.finish());
    finished.map(Cursor::into_inner).map_err(|e| ArchiveError::Damaged(e.to_string()))
}

/// Files of an archive, in the order of the assets, and their rows by name.
#[derive(Default)]
struct Files {
    list: Vec<(String, FileBytes)>,
    rows: HashMap<String, usize>,
}

impl Files {
    /// Adds a file, and gives the asset its name in the archive.
    fn put(&mut self, directory: &str, file: &mut String, contents: &FileBytes) {
        if file.is_empty() {
            return;
        }
        if contents.as_slice().is_empty() {
            *file = Path::new("..").join(directory).join(&*file).to_string_lossy().into_owned();
            return;
        }
        let base = file.rsplit(['/', '\\']).next().unwrap_or_default().to_string();
        let (stem, ending) = base.rsplit_once('.').unwrap_or((&base, ""));
        let mut name = base.clone();
        for number in 2.. {
            match self.rows.get(&name) {
                Some(&row) if self.list[row].1.as_slice() != contents.as_slice() => {
                    name = format!("{stem}_{number}.{ending}")
                }
                Some(_) => break,
                None => {
                    self.rows.insert(name.clone(), self.list.len());
                    self.list.push((name.clone(), contents.clone()));
                    break;
                }
            }
        }
        *file = name;
    }
}

#[cfg(test)]
mod tests {
    use crate::Memory;

    #[test]
    fn an_archive_holds_a_model_and_its_files() {
        let mut files = Memory::new();
        let text = "<mujoco><compiler meshdir='../m' texturedir='t'/><asset>
            <mesh name='a' file='x/part.stl'/><mesh name='b' file='y/part.stl'/><mesh name='c' file='x/part.stl'/>
            <texture name='d' type='2d' file='sky.png'/></asset>
            <worldbody><body name='arm'/></worldbody></mujoco>";
        files.insert("robot/arm.xml", text);
        for (path, contents) in [("m/x/part.stl", "one"), ("m/y/part.stl", "two"), ("robot/t/sky.png", "blue")] {
            files.insert(path, contents);
        }
        let (spec, report) = crate::read("robot/arm.xml", &files);
        let spec = spec.unwrap_or_else(|| panic!("{report}"));
        let mut packed = Memory::new();
        packed.insert("elsewhere/any.mjz", super::pack(&spec).unwrap());
        let (again, report) = crate::read("elsewhere/any.mjz", &packed);
        let again = again.unwrap_or_else(|| panic!("{report}"));
        assert_eq!(again.worldbody.bodies[0].name, "arm");
        let meshes: Vec<_> =
            again.meshes.iter().map(|m| (m.name.as_str(), m.file.as_str(), m.contents.as_slice())).collect();
        let expected: [(&str, &str, &[u8]); 3] =
            [("a", "part.stl", b"one"), ("b", "part_2.stl", b"two"), ("c", "part.stl", b"one")];
        assert_eq!(meshes, expected);
        assert_eq!(again.textures[0].contents.as_slice(), b"blue");
        // The same model has the same archive.
        assert_eq!(super::pack(&spec).unwrap(), super::pack(&spec).unwrap());
    }
}
