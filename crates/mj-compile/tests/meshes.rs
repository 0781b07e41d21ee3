//! Meshes and height fields: made here, in every format, compared with what is known of the shapes.

use mj_math::{DQuat, DVec3, quat};
use mj_model::spec::*;
use mj_model::*;
use proptest::prelude::*;
use std::sync::Arc;

type Triangles = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// A box of these edges with a corner at the origin.
fn block([x, y, z]: [f32; 3]) -> Triangles {
    let vert = (0..8u8).map(|i| [x * f32::from(i & 1), y * f32::from(i >> 1 & 1), z * f32::from(i >> 2)]).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    (vert, quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

fn stl(t: &Triangles) -> Vec<u8> {
    let mut out = vec![b' '; 80];
    out.extend((t.1.len() as u32).to_le_bytes());
    for f in &t.1 {
        out.extend([0; 12]);
        f.iter().flat_map(|&v| t.0[v as usize]).for_each(|x| out.extend(x.to_le_bytes()));
        out.extend([0; 2]);
    }
    out
}

fn stl_text(t: &Triangles) -> Vec<u8> {
    let mut out = "solid block\n".to_string();
    for f in &t.1 {
        out += "facet normal 0 0 0\nouter loop\n";
        for &v in f {
            let [x, y, z] = t.0[v as usize];
            out += &format!("vertex {x} {y} {z}\n");
        }
        out += "endloop\nendfacet\n";
    }
    (out + "endsolid\n").into_bytes()
}

fn obj(t: &Triangles) -> Vec<u8> {
    let mut out = "# a block\n".to_string();
    t.0.iter().for_each(|[x, y, z]| out += &format!("v {x} {y} {z}\n"));
    t.1.iter().for_each(|[a, b, c]| out += &format!("f {}/1 {}//2 {}\n", a + 1, b + 1, c + 1));
    out.into_bytes()
}

fn msh(t: &Triangles) -> Vec<u8> {
    let mut out = Vec::new();
    [t.0.len(), 0, 0, t.1.len()].iter().for_each(|&n| out.extend((n as i32).to_le_bytes()));
    t.0.iter().flatten().for_each(|x| out.extend(x.to_le_bytes()));
    t.1.iter().flatten().for_each(|v| out.extend(v.to_le_bytes()));
    out
}

fn from_file(name: &str, contents: Vec<u8>) -> Mesh {
    Mesh { name: "m".into(), file: name.into(), contents: Arc::new(contents), ..Default::default() }
}

fn inline(t: &Triangles, faces: bool) -> Mesh {
    let face = if faces { t.1.iter().flatten().map(|&v| v as i32).collect() } else { Vec::new() };
    Mesh { name: "m".into(), vertex: t.0.iter().flatten().copied().collect(), face, ..Default::default() }
}

/// A body with a geom of the mesh.
fn with_geom(mesh: Mesh, geom: Geom) -> Spec {
    let mut spec = Spec::default();
    spec.meshes.push(mesh);
    let geom = Geom { mesh: "m".into(), ..geom };
    spec.worldbody.bodies.push(Body { joints: vec![Joint::default()], geoms: vec![geom], ..Default::default() });
    spec
}

fn mesh_geom() -> Geom {
    Geom { r#type: GeomType::Mesh, ..Default::default() }
}

fn compiled(spec: &Spec) -> Model {
    let (model, problems) = mj_compile::compile(spec);
    model.unwrap_or_else(|| panic!("{:?}", problems.list))
}

fn errors(spec: &Spec) -> String {
    let (model, problems) = mj_compile::compile(spec);
    assert!(model.is_none());
    problems.list.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; ")
}

const EDGES: [f32; 3] = [0.4, 0.2, 0.6];

#[test]
fn a_block_has_the_mass_of_a_box_in_every_format() {
    let t = block(EDGES);
    let sources = [
        from_file("b.stl", stl(&t)),
        from_file("b.STL", stl_text(&t)),
        from_file("b.obj", obj(&t)),
        from_file("b.msh", msh(&t)),
        inline(&t, true),
        inline(&t, false),
    ];
    for mesh in sources {
        for kind in [MeshInertia::Legacy, MeshInertia::Exact, MeshInertia::Convex] {
            let m = compiled(&with_geom(Mesh { inertia: kind, ..mesh.clone() }, mesh_geom()));
            assert_eq!((m.mesh_data.vert.len(), m.mesh_data.face.len()), (8, 12), "{}", mesh.file);
            let b = BodyId::new(1);
            let mass = 1000.0 * 0.4 * 0.2 * 0.6;
            assert!((m.body.mass[b] - mass).abs() < 1e-5);
            assert!((m.body.ipos[b] - DVec3::new(0.2, 0.1, 0.3)).length() < 1e-7);
            // Longest edge last.
            let [z, x, y] = [0.36, 0.16, 0.04];
            let want = mass / 12.0 * DVec3::new(z + x, z + y, x + y);
            assert!((m.body.inertia[b] - want).length() < 1e-5, "{} {want}", m.body.inertia[b]);
            let g = GeomId::new(0);
            assert!((m.geom.size[g] - DVec3::new(0.1, 0.2, 0.3)).length() < 1e-7);
            assert!((m.geom.rbound[g] - 0.14f64.sqrt()).abs() < 1e-7);
        }
    }
}

#[test]
fn a_shell_weighs_by_its_area() {
    let m = compiled(&with_geom(Mesh { inertia: MeshInertia::Shell, ..inline(&block(EDGES), true) }, mesh_geom()));
    let want = compiled(&{
        let mut spec = with_geom(inline(&block(EDGES), true), Geom::default());
        let geom = &mut spec.worldbody.bodies[0].geoms[0];
        (geom.r#type, geom.mesh, geom.size, geom.shellinertia) = (GeomType::Box, String::new(), [0.1, 0.2, 0.3], true);
        spec
    });
    let b = BodyId::new(1);
    assert!((m.body.mass[b] - want.body.mass[b]).abs() < 1e-4);
    assert!((m.body.inertia[b] - want.body.inertia[b]).length() < 1e-4);
}

#[test]
fn a_fine_sphere_and_a_tetrahedron() {
    let sphere = Mesh { name: "m".into(), builtin: "sphere".into(), params: vec![4.0], ..Default::default() };
    let m = compiled(&with_geom(sphere, mesh_geom()));
    assert_eq!((m.mesh_data.vert.len(), m.mesh_data.face.len()), (2562, 5120));
    let mass = 4000.0 / 3.0 * std::f64::consts::PI;
    let b = BodyId::new(1);
    assert!((m.body.mass[b] / mass - 1.0).abs() < 3e-3);
    assert!((m.body.inertia[b] / (0.4 * m.body.mass[b]) - DVec3::ONE).abs().max_element() < 4e-3);

    // With edges along the axes: centre at a quarter, second moments 3/80 a² and −a²/80 about it.
    let corner = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0f32]];
    let m = compiled(&with_geom(inline(&(corner.to_vec(), Vec::new()), false), mesh_geom()));
    assert!((m.body.ipos[b] - DVec3::splat(0.25)).length() < 1e-9);
    let mass = 1000.0 / 6.0;
    assert!((m.body.mass[b] - mass).abs() < 1e-6);
    let want = mass * DVec3::new(0.1, 0.0625, 0.0625);
    assert!((m.body.inertia[b] - want).length() < 1e-6, "{}", m.body.inertia[b]);
    assert_eq!(m.mesh_data.graph[..2], [4, 4]);
}

#[test]
fn built_in_shapes_are_closed() {
    let shapes: [(&str, &[f64]); 4] =
        [("hemisphere", &[3.0]), ("cone", &[8.0, 0.3]), ("supersphere", &[8.0, 0.7, 0.6]), ("sphere", &[1.0])];
    for (name, params) in shapes {
        let mesh = Mesh { name: "m".into(), builtin: name.into(), params: params.to_vec(), ..Default::default() };
        let m = compiled(&with_geom(Mesh { inertia: MeshInertia::Exact, ..mesh.clone() }, mesh_geom()));
        let legacy = compiled(&with_geom(mesh, mesh_geom()));
        let b = BodyId::new(1);
        assert!((m.body.mass[b] - legacy.body.mass[b]).abs() < 1e-9 * m.body.mass[b], "{name}");
    }
}

#[test]
fn primitives_fit_meshes() {
    let fitted = |kind, fitaabb| {
        let geom = Geom { r#type: kind, fitscale: 2.0, ..Default::default() };
        let mut spec = with_geom(inline(&block(EDGES), true), geom);
        spec.compiler.fitaabb = fitaabb;
        let m = compiled(&spec);
        assert_eq!(m.geom.dataid[GeomId::new(0)], -1);
        (m.geom.size[GeomId::new(0)], m.geom.pos[GeomId::new(0)])
    };
    for by_box in [false, true] {
        let (size, pos) = fitted(GeomType::Box, by_box);
        assert!(
            (size - DVec3::new(0.2, 0.4, 0.6)).length() < 1e-6 && (pos - DVec3::new(0.2, 0.1, 0.3)).length() < 1e-6
        );
        let (size, _) = fitted(GeomType::Cylinder, by_box);
        assert!((size.x - if by_box { 0.4 } else { 0.3 }).abs() < 1e-6 && (size.y - 0.6).abs() < 1e-6);
    }
    let plane =
        Geom { r#type: GeomType::Ellipsoid, fromto: Some([0.0, 0.0, 0.0, 1.0, 0.0, 0.0]), ..Default::default() };
    assert!(errors(&with_geom(inline(&block(EDGES), true), plane)).contains("fromto"));
}

#[test]
fn reference_pose_scale_and_mirror() {
    let turn = quat::exp(DVec3::new(0.3, -0.2, 0.5));
    let mesh = Mesh {
        refpos: DVec3::new(0.2, 0.1, 0.3),
        refquat: turn * 3.0,
        scale: DVec3::new(-1.0, 1.0, 1.0),
        inertia: MeshInertia::Exact,
        ..inline(&block(EDGES), true)
    };
    let m = compiled(&with_geom(mesh, mesh_geom()));
    assert!(m.body.ipos[BodyId::new(1)].length() < 1e-7);
    assert!((m.body.mass[BodyId::new(1)] - 48.0).abs() < 1e-4);
    // A mirrored hull's polygons still look outward.
    let d = &m.mesh_data;
    for (i, n) in d.polynormal.iter().enumerate() {
        let v = d.vert[d.polyvert[d.polyvertadr[i] as usize] as usize].map(f64::from);
        assert!(n.dot(DVec3::from_array(v)) > 0.0);
    }
    let zero = Mesh { refquat: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..inline(&block(EDGES), true) };
    assert!(errors(&with_geom(zero, mesh_geom())).contains("refquat"));
}

#[test]
fn what_is_wrong_is_said() {
    let t = block(EDGES);
    let case = |mesh: Mesh, words: &str| {
        let e = errors(&with_geom(mesh, mesh_geom()));
        assert!(e.contains(words), "{e}");
    };
    case(from_file("b.stl", stl(&t)[..300].to_vec()), "cut off");
    case(from_file("b.msh", msh(&t)[..100].to_vec()), "bytes");
    case(from_file("b.obj", b"v 0 0 0\nf 1 2 3\n".to_vec()), "only 1");
    case(from_file("b.obj", b"v 0 0 0\nf 0 1 1\n".to_vec()), "not a vertex");
    case(from_file("b.dae", vec![1]), "format");
    case(Mesh { face: vec![0, 1, 9], ..inline(&t, false) }, "vertex 9");
    case(Mesh { vertex: vec![0.0; 11], ..inline(&t, false) }, "multiple of 3");
    case(inline(&block([1.0, 1.0, 0.0]), false), "plane");
    case(Mesh { scale: DVec3::ZERO, ..inline(&t, true) }, "too small");
    case(Mesh { vertex: vec![f32::NAN; 12], ..inline(&t, false) }, "finite");
    let inside_out = (t.0.clone(), t.1.iter().map(|&[a, b, c]| [a, c, b]).collect());
    case(Mesh { inertia: MeshInertia::Exact, ..inline(&inside_out, true) }, "inside out");
    let mut spec = with_geom(inline(&t, true), mesh_geom());
    spec.worldbody.bodies[0].geoms[0].mesh = "n".into();
    assert!(errors(&spec).contains("no mesh named `n`"));
}

fn field(h: Hfield) -> Spec {
    let mut spec = Spec::default();
    spec.hfields.push(Hfield { name: "h".into(), ..h });
    let geom = Geom { r#type: GeomType::Hfield, hfield: "h".into(), ..Default::default() };
    spec.worldbody.geoms.push(geom);
    spec
}

#[test]
fn height_fields_from_everywhere() {
    let size = [1.0, 2.0, 0.5, 0.1];
    let given = Hfield { size, nrow: 2, ncol: 3, elevation: vec![1.0, 2.0, 3.0, 4.0, 5.0, 1.0], ..Default::default() };
    let m = compiled(&field(given));
    let want = [0.0, 0.25, 0.5, 0.75, 1.0, 0.0];
    assert_eq!(*m.hfield_data, want);
    assert_eq!(m.geom.size[GeomId::new(0)], DVec3::new(1.0, 2.0, 0.175));

    let mut bytes = Vec::new();
    [2i32, 3].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    [1.0f32, 2.0, 3.0, 4.0, 5.0, 1.0].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    let binary =
        |bytes: Vec<u8>| Hfield { size, file: "h.bin".into(), contents: Arc::new(bytes), ..Default::default() };
    assert_eq!(*compiled(&field(binary(bytes.clone()))).hfield_data, want);
    assert!(errors(&field(binary(bytes[..20].to_vec()))).contains("bytes"));

    // An image's first row is at the greatest y.
    let mut image = Vec::new();
    let mut encoder = png::Encoder::new(&mut image, 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[160, 200, 40, 40, 80, 120]).unwrap();
    let png = |bytes: Vec<u8>| Hfield { size, file: "h.PNG".into(), contents: Arc::new(bytes), ..Default::default() };
    assert_eq!(*compiled(&field(png(image.clone()))).hfield_data, [0.0, 0.25, 0.5, 0.75, 1.0, 0.0]);
    assert!(errors(&field(png(image[..40].to_vec()))).contains("PNG"));
}

proptest! {
    /// Whatever the bytes, there is a model or a message, and no file is taken for more than it is.
    #[test]
    fn hostile_files(bytes in prop::collection::vec(any::<u8>(), 0..300), kind in 0..5usize) {
        let name = ["a.stl", "a.obj", "a.msh", "a.png", "a.bin"][kind];
        let spec = if kind < 3 { with_geom(from_file(name, bytes), mesh_geom()) } else {
            field(Hfield { size: [1.0; 4], file: name.into(), contents: Arc::new(bytes), ..Default::default() })
        };
        let (model, problems) = mj_compile::compile(&spec);
        prop_assert_eq!(model.is_none(), problems.has_errors());
    }

    /// So too where a good file has one byte changed.
    #[test]
    fn damaged_files(at in 0..700usize, byte in any::<u8>(), kind in 0..4usize) {
        let t = block(EDGES);
        let (name, mut bytes) = [("a.stl", stl(&t)), ("a.stl", stl_text(&t)), ("a.obj", obj(&t)), ("a.msh", msh(&t))][kind].clone();
        let n = bytes.len();
        bytes[at % n] = byte;
        let (model, problems) = mj_compile::compile(&with_geom(from_file(name, bytes), mesh_geom()));
        prop_assert_eq!(model.is_none(), problems.has_errors());
    }

    /// The mass does not depend on where the mesh stands in its file, nor its moments on how it is turned.
    #[test]
    fn moments_do_not_depend_on_the_frame(x in -1.0..1.0f64, y in -1.0..1.0f64, z in -1.0..1.0f64) {
        let mesh = Mesh { refpos: DVec3::new(x, y, z), refquat: quat::exp(DVec3::new(y, z, x)), ..inline(&block(EDGES), true) };
        let m = compiled(&with_geom(mesh, mesh_geom()));
        let plain = compiled(&with_geom(inline(&block(EDGES), true), mesh_geom()));
        let b = BodyId::new(1);
        prop_assert!((m.body.mass[b] - plain.body.mass[b]).abs() < 1e-6);
        prop_assert!((m.body.inertia[b] - plain.body.inertia[b]).length() < 1e-5);
    }
}

fn builtin(name: &str, params: &[f64]) -> Mesh {
    Mesh { name: "m".into(), builtin: name.into(), params: params.to_vec(), ..Default::default() }
}

/// A sheet has no hull, so it cannot collide.
fn seen_only() -> Geom {
    Geom { contype: 0, conaffinity: 0, ..mesh_geom() }
}

/// Mass of the one body at unit density: the volume, or the area of a shell.
fn measure(mesh: Mesh) -> f64 {
    compiled(&with_geom(mesh, Geom { density: 1.0, ..seen_only() })).body.mass[BodyId::new(1)]
}

#[test]
fn built_in_shapes_have_their_volumes_and_areas() {
    use std::f64::consts::PI;
    let close = |got: f64, want: f64, by: f64| assert!((got - want).abs() < by * want, "{got} {want}");
    let exact = |m: Mesh| measure(Mesh { inertia: MeshInertia::Exact, ..m });
    close(exact(builtin("sphere", &[4.0])), 4.0 / 3.0 * PI, 0.01);
    close(exact(builtin("hemisphere", &[10.0])), 2.0 / 3.0 * PI, 0.02);
    close(measure(builtin("cone", &[100.0, 0.5])), PI / 3.0 * 2.0 * (1.0 + 0.25 + 0.5), 0.01);
    close(exact(builtin("supersphere", &[60.0, 1.0, 1.0])), 4.0 / 3.0 * PI, 0.01);
    close(exact(builtin("supertorus", &[60.0, 0.25, 1.0, 1.0])), 2.0 * PI * PI * 0.0625, 0.01);
    close(measure(builtin("plate", &[3.0, 4.0])), (4.0 / 3.0) * 1.5, 1e-6);
    close(measure(builtin("grid", &[3.0, 2.0, 4.0, 0.5, 1.0, 0.25])), 0.75, 1e-6);
    close(measure(builtin("box", &[3.0, 3.0, 3.0, 1.0, 1.0, 1.0])), 8.0, 1e-6);
    close(measure(builtin("box", &[3.0, 3.0, 3.0, 1.0, 1.0, 1.0, 2.0])), 20.0, 1e-6);
    close(measure(builtin("cylinder", &[20.0, 20.0, 2.0, 0.1, 0.1, 1.0])), PI * 0.95 * 0.95, 0.02);
    close(measure(builtin("ellipsoid", &[20.0, 20.0, 20.0, 0.1, 0.1, 0.1])), 4.0 / 3.0 * PI * 0.95f64.powi(3), 0.02);
    close(measure(builtin("square", &[3.0, 5.0, 1.0, 1.0, 1.0, 1.0])), 8.0, 1e-6);
    close(measure(builtin("disc", &[21.0, 21.0, 1.0, 0.1, 0.1, 1.0])), PI, 0.01);
}

#[test]
fn touch_sheets_have_a_frame_at_each_vertex() {
    for mesh in [builtin("wedge", &[4.0, 5.0, 60.0, 40.0, 0.5]), builtin("plate", &[4.0, 5.0])] {
        let m = compiled(&with_geom(mesh, seen_only()));
        let d = &m.mesh_data;
        assert_eq!((d.vert.len(), d.normal.len(), m.mesh.normalnum[MeshId::new(0)]), (20, 60, 60));
        for frame in d.normal.chunks_exact(3) {
            let [n, a, b] = [0, 1, 2].map(|k| DVec3::from_array(frame[k].map(f64::from)));
            assert!(n.is_normalized() && a.dot(b).abs() < 1e-6 && n.dot(a).abs() < 1e-6);
        }
    }
}

#[test]
fn wrong_parameters_are_told() {
    for (name, params, word) in [
        ("supertorus", &[2.0, 0.5, 1.0, 1.0][..], "from 3"),
        ("supertorus", &[5.0, 0.0, 1.0, 1.0], "greater than 0"),
        ("wedge", &[4.0, 5.0, 60.0, 100.0, 0.0], "0 to 90"),
        ("plate", &[1.5, 2.0], "whole"),
        ("grid", &[2.0, 2.0], "three counts"),
        ("square", &[2.0, 2.0, 2.0, 1.0, 1.0, 1.0], "1"),
        ("box", &[1e6, 1e6, 1e6, 1.0, 1.0, 1.0], "too many"),
        ("torus", &[], "there is no built-in shape"),
    ] {
        let said = errors(&with_geom(builtin(name, params), mesh_geom()));
        assert!(said.contains(word), "{name}: {said}");
    }
}

#[test]
fn obj_files_bring_normals_and_texture_coordinates() {
    let t = block(EDGES);
    let mut text = String::from_utf8(obj(&t)).unwrap();
    text = text.lines().filter(|l| !l.starts_with('f')).map(|l| format!("{l}\n")).collect();
    text += "vn 0 0 2\nvt 0.25 0.25\nvt 1 1\n";
    for [a, b, c] in &t.1 {
        text += &format!("f {}/1/1 {}/2/1 {}/-1/-1\n", a + 1, b + 1, c + 1);
    }
    let m = compiled(&with_geom(from_file("b.obj", text.clone().into_bytes()), mesh_geom()));
    let (d, id) = (&m.mesh_data, MeshId::new(0));
    assert_eq!(d.texcoord, [[0.25, 0.75], [1.0, 0.0]]);
    assert_eq!((m.mesh.texcoordadr[id], m.mesh.texcoordnum[id]), (0, 2));
    assert!(d.facetexcoord.iter().all(|f| *f == [0, 1, 1]) && d.facenormal.iter().all(|f| *f == [0; 3]));
    // Up in the file is the axis of the longest edge in the mesh's frame.
    let up = DVec3::from_array(d.normal[0].map(f64::from));
    assert!(up.abs().abs_diff_eq(DVec3::Z, 1e-6), "{up}");

    let missing = text.replacen("/1/1", "/1", 1);
    assert!(errors(&with_geom(from_file("b.obj", missing.into_bytes()), mesh_geom())).contains("normals"));
    let untextured = text.replacen("/1/1", "//1", 1);
    let m = compiled(&with_geom(from_file("b.obj", untextured.into_bytes()), mesh_geom()));
    assert!(m.mesh_data.texcoord.is_empty() && m.mesh.texcoordadr[id] == -1);
}

#[test]
fn the_first_object_of_an_obj_file_counts() {
    let t = block(EDGES);
    let mut text = "g block\n".to_string() + &String::from_utf8(obj(&t)).unwrap();
    text += "v 9 9 9\no rest\nf 1 2 9\n";
    let m = compiled(&with_geom(from_file("b.obj", text.into_bytes()), mesh_geom()));
    assert_eq!((m.mesh_data.face.len(), m.mesh_data.vert.len()), (12, 9));
}
