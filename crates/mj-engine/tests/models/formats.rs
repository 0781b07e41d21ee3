//! Decoders and encoders of a registry.

use mj_engine::model::plugin::{Decoder, Encoder, Format, Registry};
use mj_engine::model::spec::{Body, Geom, Mesh};
use mj_engine::{EncodeError, LoadError, Loaded, Memory, Model, Spec, builtin_plugins, encode, load_with_plugins};
use std::path::Path;

/// Points of a mesh, a line each. Four are a tetrahedron.
#[derive(Debug)]
struct Points;

impl Decoder for Points {
    fn format(&self) -> Format<'_> {
        Format { content_type: "model/points", endings: &["points", "pts"] }
    }

    fn decode(&self, _file: &str, contents: &[u8]) -> Result<Spec, String> {
        let text = std::str::from_utf8(contents).map_err(|e| e.to_string())?;
        let number = |w: &str| w.parse::<f32>().map_err(|_| format!("`{w}` is not a number"));
        let vertex: Vec<f32> = text.split_ascii_whitespace().map(number).collect::<Result<_, _>>()?;
        let mut spec = Spec::default();
        let face = if vertex.len() == 12 { vec![0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] } else { Vec::new() };
        spec.meshes.push(Mesh { vertex, face, ..Mesh::default() });
        Ok(spec)
    }
}

/// A model: a ball of a radius.
#[derive(Debug)]
struct Ball;

impl Decoder for Ball {
    fn format(&self) -> Format<'_> {
        Format { content_type: "model/ball", endings: &["ball"] }
    }

    fn decode(&self, _file: &str, contents: &[u8]) -> Result<Spec, String> {
        let text = String::from_utf8_lossy(contents);
        let radius = text.trim().parse().map_err(|_| format!("`{text}` is no radius"))?;
        let mut spec = Spec { modelname: "ball".into(), ..Spec::default() };
        let geom = Geom { size: [radius, 0.0, 0.0], ..Geom::default() };
        spec.worldbody.bodies.push(Body { name: "ball".into(), geoms: vec![geom], ..Body::default() });
        Ok(spec)
    }
}

/// The number of bodies, as text.
#[derive(Debug)]
struct Count;

impl Encoder for Count {
    fn format(&self) -> Format<'_> {
        Format { content_type: "text/count", endings: &["count"] }
    }

    fn encode(&self, _spec: &Spec, model: &Model) -> Result<Vec<u8>, String> {
        Ok(model.body.len().to_string().into_bytes())
    }
}

fn registry() -> Registry {
    let mut registry = builtin_plugins();
    registry.add_decoder(Points).add_decoder(Ball).add_encoder(Count);
    registry
}

/// Loads a file of a few.
fn load(main: &str, files: &[(&str, &str)]) -> Result<Loaded, LoadError> {
    let mut memory = Memory::new();
    for (path, text) in files {
        memory.insert(path, *text);
    }
    load_with_plugins(Path::new(main), &memory, &registry())
}

const CUBE: &str = "0 0 0  1 0 0  0 1 0  1 1 0  0 0 1  1 0 1  0 1 1  1 1 1";

/// A mesh takes its vertices from a decoder, by the file's ending or by its media type, and its scale from the asset.
#[test]
fn a_mesh_is_decoded() {
    for asset in ["file='cube.PTS'", "file='cube.bin' content_type='model/points'"] {
        let text = format!(
            "<mujoco><asset><mesh {asset} scale='2 1 1'/></asset>
             <worldbody><body><freejoint/><geom type='mesh' mesh='cube' density='3'/></body></worldbody></mujoco>"
        );
        let m = load("m.xml", &[("m.xml", &text), ("cube.PTS", CUBE), ("cube.bin", CUBE)]).unwrap().model;
        let mass = m.body.mass.as_slice()[1];
        assert!((mass - 6.0).abs() < 1e-9, "{mass}");
    }
}

/// An error of a decoder is the only one, and stands at the asset.
#[test]
fn a_mesh_that_is_wrong_has_one_error() {
    let text = "<mujoco><asset>\n<mesh name='c' file='c.pts'/></asset>
        <worldbody><body><freejoint/><geom type='mesh' mesh='c'/></body></worldbody></mujoco>";
    let error = load("m.xml", &[("m.xml", text), ("c.pts", "0 0 zero")]).unwrap_err();
    assert_eq!(error.error_count(), 1, "{error}");
    let shown = error.to_string();
    assert!(shown.contains("m.xml:2:") && shown.contains("mesh `c`: `c.pts`: `zero` is not a number"), "{shown}");
    // Nor does a format that nobody knows make a second one.
    let text = text.replace(".pts", ".unknown");
    let error = load("m.xml", &[("m.xml", &text), ("c.unknown", "x")]).unwrap_err();
    assert!(error.error_count() == 1 && error.to_string().contains("no decoder"), "{error}");
}

/// A flexcomp reads its file, and the file of the mesh that it names, with decoders.
#[test]
fn a_flexcomp_is_decoded() {
    for source in ["file='t.pts'", "mesh='t'"] {
        let text = format!(
            "<mujoco><asset><mesh name='t' file='t.pts'/></asset><worldbody>
             <flexcomp name='f' type='mesh' {source} dim='2' mass='3'/></worldbody></mujoco>"
        );
        let text = if source.starts_with("file") { text.replace("<mesh name='t' file='t.pts'/>", "") } else { text };
        let loaded = load("m.xml", &[("m.xml", &text), ("t.pts", "0 0 0  1 0 0  0 2 0  0 0 1")]);
        let m = loaded.unwrap().model;
        assert_eq!((m.flex.vertnum.as_slice(), m.flex.elemnum.as_slice()), (&[4][..], &[4][..]));
    }
}

/// A main file and a model asset are read by decoders.
#[test]
fn a_model_is_decoded() {
    let m = load("a.ball", &[("a.ball", "0.25")]).unwrap().model;
    assert_eq!((m.modelname.as_str(), m.geom.size.as_slice()[0].x), ("ball", 0.25));
    let text = "<mujoco><asset><model name='b' file='b.dat' content_type='model/ball'/></asset>
        <worldbody><attach model='b' body='ball' prefix='x_'/></worldbody></mujoco>";
    let m = load("m.xml", &[("m.xml", text), ("b.dat", "0.5")]).unwrap().model;
    assert_eq!(m.geom.size.as_slice()[0].x, 0.5);
    let error = load("m.xml", &[("m.xml", text), ("b.dat", "large")]).unwrap_err().to_string();
    assert!(error.contains("m.xml:1:") && error.contains("`large` is no radius"), "{error}");
    let error = load("a.ball", &[("a.ball", "?")]).unwrap_err().to_string();
    assert!(error.contains("a.ball") && error.contains("`?` is no radius"), "{error}");
}

/// An encoder writes files of its ending; others are written as they are without it.
#[test]
fn a_model_is_encoded() {
    let loaded = load("a.ball", &[("a.ball", "0.25")]).unwrap();
    let encode = |file: &str, spec| encode(Path::new(file), spec, &loaded.model, &registry());
    let spec = loaded.spec.as_ref();
    assert_eq!(encode("b.count", spec).unwrap(), b"2");
    assert_eq!(encode("b.mjb", None).unwrap(), loaded.model.to_bytes());
    assert!(encode("b.xml", spec).unwrap().starts_with(b"<mujoco model=\"ball\""));
    assert!(encode("b.txt", None).unwrap().starts_with(b"nq [] 0\n"));
    assert_eq!(encode("b.xml", None), Err(EncodeError::NoSource));
    assert_eq!(encode("b.usd", spec), Err(EncodeError::Unknown));
}
