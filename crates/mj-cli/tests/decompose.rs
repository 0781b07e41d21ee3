//! `mj decompose`, from a mesh file to a model that runs.
#![cfg(feature = "decompose")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn mj(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mj")).args(args).output().expect("the command starts")
}

/// An L of 5 units of volume as an OBJ file, in a folder of the test's own.
fn corner_piece(folder: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    let outline = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]];
    let mut text = String::new();
    for z in [0, 1] {
        outline.iter().for_each(|[x, y]| text += &format!("v {x} {y} {z}\n"));
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        text += &format!("f {} {} {} {}\n", i + 1, j + 1, j + 7, i + 7);
    }
    // Both ends, in convex pieces that share corners.
    text += "f 1 4 3 2\nf 1 6 5 4\nf 7 8 9 10\nf 7 10 11 12\n";
    let path = folder.join("piece.obj");
    std::fs::write(&path, text).expect("a scratch file");
    path
}

#[test]
fn an_l_becomes_two_blocks_and_a_model_of_them() {
    let mesh = corner_piece("decompose");
    let out = mesh.with_file_name("parts");
    let [mesh, folder] = [&mesh, &out].map(|p| p.to_str().expect("a path"));
    let done = mj(&["decompose", mesh, "-o", folder, "--most", "2", "--voxels", "32"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let told = String::from_utf8_lossy(&done.stdout).replace(folder, "parts").replace('\\', "/");
    insta::assert_snapshot!("summary", told);
    let model = std::fs::read_to_string(out.join("piece.xml")).expect("the model");
    insta::assert_snapshot!("model", model);

    // The model loads, without a word, and its one body weighs what the solid does.
    let info = mj(&["info", out.join("piece.xml").to_str().expect("a path")]);
    assert!(info.status.success() && info.stderr.is_empty(), "{}", String::from_utf8_lossy(&info.stderr));
}

#[test]
fn what_cannot_be_split_is_told() {
    let mesh = corner_piece("decompose_faults");
    let out = mesh.with_file_name("none");
    let missing = mesh.with_file_name("missing.stl");
    let other = mesh.with_file_name("other.txt");
    std::fs::write(&other, "no mesh").expect("a scratch file");
    let [mesh, out, missing, other] = [&mesh, &out, &missing, &other].map(|p| p.to_str().expect("a path"));
    for (code, args) in [
        (1, vec!["decompose", missing, "-o", out]),
        (1, vec!["decompose", other, "-o", out]),
        (2, vec!["decompose", mesh, "-o", out, "--voxels", "100000"]),
        (2, vec!["decompose", mesh, "-o", out, "--concavity", "nan"]),
        (2, vec!["decompose", mesh, "-o", out, "--most", "0"]),
        (2, vec!["decompose", mesh]),
    ] {
        let o = mj(&args);
        assert_eq!(o.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&o.stderr));
        assert!(!o.stderr.is_empty());
    }
}
