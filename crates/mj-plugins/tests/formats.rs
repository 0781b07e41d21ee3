//! Decoders of mesh files.
#![cfg(all(feature = "gltf", feature = "ply"))]

use mj_model::spec::Mesh;
use mj_plugins::builtin;
use proptest::prelude::*;

const VERTICES: [[f32; 3]; 4] = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
const FACES: [[u16; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn decode(file: &str, contents: &[u8]) -> Result<Mesh, String> {
    let registry = builtin();
    registry.decoder("", file).unwrap().decode(file, contents).map(|mut spec| spec.meshes.remove(0))
}

fn faces() -> Vec<i32> {
    FACES.as_flattened().iter().map(|&v| i32::from(v)).collect()
}

/// Vertices and then faces, in bytes.
fn data() -> Vec<u8> {
    let vertices = VERTICES.as_flattened().iter().flat_map(|x| x.to_le_bytes());
    vertices.chain(FACES.as_flattened().iter().flat_map(|v| v.to_le_bytes())).collect()
}

/// A scene with one node, with more of the node and of its buffer.
fn scene(node: &str, buffer: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0{node}}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
                     {{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":24}}],
        "buffers":[{{"byteLength":72{buffer}}}]}}"#
    )
}

fn binary(json: &str) -> Vec<u8> {
    let mut file = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, chunk) in [(b"JSON", json.as_bytes()), (b"BIN\0", &data()[..])] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    let length = file.len() as u32;
    file[8..12].copy_from_slice(&length.to_le_bytes());
    file
}

fn ply(faces: &str) -> String {
    format!(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty float y\nproperty float z\n\
         property float s\nproperty float t\nelement edge 1\nproperty int vertex1\nelement face 2\n\
         property list uchar int vertex_index\nend_header\n0 0 0 0 0\n1 0 0 1 0\n1 1 0 1 1\n0 1 0 0 1\n7\n{faces}"
    )
}

#[test]
fn a_binary_scene_is_moved_by_its_node() {
    let mesh = decode("a.glb", &binary(&scene(r#","translation":[0,0,2],"scale":[3,1,1]"#, ""))).unwrap();
    let moved: Vec<f32> = VERTICES.iter().flat_map(|v| [3.0 * v[0], v[1], v[2] + 2.0]).collect();
    assert_eq!((mesh.vertex, mesh.face), (moved, faces()));
}

/// A mirror turns triangles over: they look outward again.
#[test]
fn a_mirrored_scene_keeps_its_outside() {
    let mesh = decode("a.glb", &binary(&scene(r#","scale":[-1,1,1]"#, ""))).unwrap();
    let point = |i: i32| mj_math::DVec3::from_array([0, 1, 2].map(|k| f64::from(mesh.vertex[3 * i as usize + k])));
    let six_volumes: f64 =
        mesh.face.as_chunks::<3>().0.iter().map(|f| f.map(point)).map(|[a, b, c]| a.dot(b.cross(c))).sum();
    assert!((six_volumes - 1.0).abs() < 1e-12, "{six_volumes}");
}

#[test]
fn text_holds_its_buffer() {
    // Vertices and faces from above, base 64.
    let uri = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAACAAEAAAABAAMAAAADAAIAAQACAAMA";
    let text = scene("", &format!(r#","uri":"data:application/octet-stream;base64,{uri}""#));
    let mesh = decode("a.gltf", text.as_bytes()).unwrap();
    assert_eq!((mesh.vertex, mesh.face), (VERTICES.as_flattened().to_vec(), faces()));
    let other = decode("a.gltf", scene("", r#","uri":"a.bin""#).as_bytes()).unwrap_err();
    assert!(other.contains("`a.bin`") && other.contains(".glb"), "{other}");
}

#[test]
fn polygons_become_fans() {
    let mesh = decode("a.ply", ply("4 0 1 2 3\n3 2 1 0\n").as_bytes()).unwrap();
    assert_eq!(mesh.face, [0, 1, 2, 0, 2, 3, 2, 1, 0]);
    assert_eq!(mesh.vertex[3..6], [1.0, 0.0, 0.0]);
    assert_eq!(mesh.texcoord, [0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn wrong_files_are_refused() {
    let far = decode("a.ply", ply("3 0 1 9\n3 2 1 0\n").as_bytes()).unwrap_err();
    assert_eq!(far, "face 0 has vertex 9, but there are 4");
    assert!(decode("a.ply", ply("3 0 1 2\n").as_bytes()).is_err());
    let whole = binary(&scene("", ""));
    let cut = decode("a.glb", &whole[..whole.len() - 5]).unwrap_err();
    assert!(cut.contains("ends too early"), "{cut}");
    let twice = scene("", "").replace(r#""nodes":[{"mesh":0}]"#, r#""nodes":[{"mesh":0,"children":[0]}]"#);
    assert_eq!(decode("a.glb", &binary(&twice)).unwrap_err(), "node 0 has two parents");
    let long = scene("", "").replace(r#""count":4"#, r#""count":5"#);
    assert_eq!(decode("a.glb", &binary(&long)).unwrap_err(), "accessor 0: it reaches beyond its buffer");
    let draco =
        scene("", "").replace(r#""scene":0"#, r#""extensionsRequired":["KHR_draco_mesh_compression"],"scene":0"#);
    assert!(decode("a.glb", &binary(&draco)).unwrap_err().contains("KHR_draco_mesh_compression"));
}

proptest! {
    /// Files with some bytes changed are read or refused.
    #[test]
    fn changed_files_never_panic(changes in proptest::collection::vec((0usize..2000, any::<u8>()), 1..6)) {
        for (name, mut file) in [("a.glb", binary(&scene("", ""))), ("a.ply", ply("3 0 1 2\n3 2 1 0\n").into_bytes())] {
            for &(at, byte) in &changes {
                let at = at % file.len();
                file[at] = byte;
            }
            let _ = decode(name, &file);
        }
    }
}
