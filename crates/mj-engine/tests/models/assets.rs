//! Textures that stay in their files, and shapes that are fitted to meshes.

use mj_engine::{FileResolver, LoadError, Memory, Model, load_str, load_with};
use std::io;
use std::path::Path;

/// Files in memory that pass for files on a disk.
struct Disk(Memory);

impl FileResolver for Disk {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.0.read(path, limit)
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.exists(path)
    }

    fn is_on_disk(&self, _path: &Path) -> bool {
        true
    }
}

/// A KTX file: its bytes are the texture.
const IMAGE: [u8; 3] = [1, 2, 3];

fn files(compiler: &str, texture: &str) -> Memory {
    let mut files = Memory::new();
    let text = format!(
        "<mujoco><compiler texturedir='t' {compiler}/><asset><texture name='a' type='2d' {texture}/>
           <material name='m' texture='a'/></asset></mujoco>"
    );
    files.insert("dir/model.xml", text);
    files.insert("dir/t/a.ktx", IMAGE);
    files
}

fn on_disk(compiler: &str, texture: &str) -> Result<Model, LoadError> {
    load_with(Path::new("dir/model.xml"), &Disk(files(compiler, texture))).map(|loaded| loaded.model)
}

#[test]
fn textures_stay_by_reference_as_the_policy_and_they_say() {
    let policy = "passthrough='textures'";
    let file = "file='a.ktx'";
    for (compiler, texture, embedded) in [
        ("", file.to_string(), true),
        (policy, file.to_string(), false),
        (policy, format!("{file} embed='true'"), true),
        ("", format!("{file} embed='false'"), false),
        // Nobody looks whether the file is there.
        (policy, "file='nowhere.png' nchannel='4'".to_string(), false),
        (policy, "builtin='flat' width='1' height='1'".to_string(), true),
    ] {
        let m = on_disk(compiler, &texture).unwrap_or_else(|e| panic!("{texture}: {e}"));
        let case = format!("{compiler} {texture}");
        let row = m.tex.ids().next().unwrap();
        assert_eq!(m.tex.adr[row], if embedded { 0 } else { -1 }, "{case}");
        assert_eq!(m.tex_data.is_empty(), !embedded, "{case}");
        assert_eq!(m.tex.width[row] * m.tex.height[row] > 0, embedded, "{case}");
        if !texture.contains("builtin") {
            let path = Path::new(&m.tex_file.list[0].path);
            assert_eq!(path.parent(), Some(Path::new("dir/t")), "{case}");
        }
        // KTX files have one channel, as when they are embedded.
        let channels = if texture.contains("ktx") { 1 } else { m.tex.nchannel[row] };
        assert_eq!(m.tex.nchannel[row], channels, "{case}");
        let again = Model::from_bytes(&m.to_bytes()).unwrap();
        assert_eq!(again.tex_file, m.tex_file);
    }
    // What is in memory alone stays part of the model.
    let loaded = load_with(Path::new("dir/model.xml"), &files(policy, file)).unwrap();
    assert_eq!(**loaded.model.tex_data, IMAGE);
}

#[test]
fn textures_that_cannot_be_by_reference_say_why() {
    for (texture, reason) in [
        ("builtin='flat' width='1' height='1'", "built in"),
        ("file='a.png' hflip='true'", "flipped"),
        ("file='a.png' gridsize='1 2' gridlayout='RL'", "grid"),
    ] {
        let e = on_disk("", &format!("{texture} embed='false'")).unwrap_err().to_string();
        assert!(e.contains("texture `a`: it cannot be by reference") && e.contains(reason), "{e}");
    }
    let e = load_with(Path::new("dir/model.xml"), &files("", "file='a.ktx' embed='false'")).unwrap_err().to_string();
    assert!(e.contains("in memory"), "{e}");
}

/// A capsule has room for its caps only in meshes that are longer than wide.
#[test]
fn shapes_that_are_fitted_have_positive_sizes() {
    let model = |fitaabb: bool, kind: &str, z: f64| {
        let corners: Vec<String> = (0..8)
            .map(|i| [0, 1, 2].map(|k| [-1.0, 1.0][i >> k & 1] * [1.0, 1.0, z][k]))
            .map(|p| format!("{} {} {}", p[0], p[1], p[2]))
            .collect();
        load_str(&format!(
            "<mujoco><compiler fitaabb='{fitaabb}'/><asset><mesh name='m' vertex='{}'/></asset><worldbody>
             <geom type='{kind}' mesh='m'/></worldbody></mujoco>",
            corners.join(" ")
        ))
    };
    for kind in ["sphere", "cylinder", "ellipsoid", "box"] {
        assert!(model(true, kind, 1.0).is_ok() && model(false, kind, 1.0).is_ok(), "{kind}");
    }
    assert!(model(true, "capsule", 2.0).is_ok() && model(false, "capsule", 1.0).is_ok());
    for z in [1.0, 0.5] {
        let e = model(true, "capsule", z).unwrap_err().to_string();
        assert!(e.contains("no capsule fits the mesh: its size would be 1 ") && e.contains("a sphere"), "{e}");
    }
}
