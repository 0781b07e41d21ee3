//! Saved models are the models that were saved, and damaged ones are refused or run.

use mj_engine::{Data, Loaded, Model, Spec, load_with, step};
use mj_mjcf::{FileSystem, Memory};
use mj_model::Column;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut models: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "xml")).collect();
    models.sort();
    assert!(models.len() > 10);
    models
}

fn load(path: &Path) -> Loaded {
    load_with(path, &FileSystem::default()).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn mjcf_that_was_saved_compiles_to_the_same_model() {
    for path in models() {
        let Loaded { model, spec, .. } = load(&path);
        let mut files = Memory::new();
        files.insert("saved.xml", mj_mjcf::write(&spec.unwrap()));
        let again = load_with(Path::new("saved.xml"), &files).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert!(again.model == model, "{}", path.display());
    }
}

/// Largest difference of two models' numbers, by that of the field, with the field; none where shapes differ.
fn difference(a: &Model, b: &Model) -> Option<(f64, String)> {
    let fields = |m: &Model| {
        let mut all = Vec::new();
        m.visit(&mut |f| all.push((f.name, f.shape, f.data)));
        all
    };
    let (mut most, mut at) = (0.0, String::new());
    for ((name, shape, a), (_, other, b)) in fields(a).into_iter().zip(fields(b)) {
        if shape != other {
            return None;
        }
        let numbers = |c: &Column| match c {
            Column::F64(v) => v.clone(),
            Column::F32(v) => v.iter().map(|x| f64::from(*x)).collect(),
            Column::I32(v) => v.iter().map(|x| f64::from(*x)).collect(),
            Column::U8(v) => v.iter().map(|x| f64::from(*x)).collect(),
            Column::Bool(v) => v.iter().map(|x| f64::from(u8::from(*x))).collect(),
        };
        let (a, b) = (numbers(&a), numbers(&b));
        let size = a.iter().fold(1e-6, |s: f64, x| if x.is_finite() { s.max(x.abs()) } else { s });
        let by = a.iter().zip(&b).fold(0.0, |d: f64, (a, b)| if a == b { d } else { d.max((a - b).abs() / size) });
        if by > most {
            (most, at) = (by, name);
        }
    }
    Some((most, at))
}

/// Saves a spec in every notation, and compares what is read again with its model.
fn saves(name: &str, spec: &Spec, model: &Model) {
    for (compiled, canonical) in [(true, true), (false, true), (false, false)] {
        let mut spec = spec.clone();
        (spec.compiler.savecompiled, spec.compiler.savecanonical) = (compiled, canonical);
        let saved = mj_compile::to_save(&spec).unwrap_or_else(|e| panic!("{name}: {e}"));
        let text = mj_mjcf::write(&saved);
        let part = ["flexcomp", "savecompiled", "savecanonical"].into_iter().find(|part| text.contains(part));
        assert_eq!(part, None, "{name}: {text}");
        if canonical {
            let part = ["euler=", "axisangle=", "fromto=", "fullinertia="].into_iter().find(|part| text.contains(part));
            assert_eq!(part, None, "{name}: {text}");
        }
        let mut files = Memory::new();
        files.insert("saved.xml", text);
        let again = load_with(Path::new("saved.xml"), &files).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (by, at) = difference(&again.model, model).unwrap_or_else(|| panic!("{name}: other sizes"));
        assert!(by <= if canonical { 1e-11 } else { 0.0 }, "{name} {compiled} {canonical}: {at} differs by {by}");
    }
}

#[test]
fn models_saved_in_any_notation_compile_to_what_they_were() {
    for path in models() {
        let Loaded { model, spec, .. } = load(&path);
        saves(&path.file_stem().unwrap().to_string_lossy(), &spec.unwrap(), &model);
    }
}

#[test]
fn saved_flexcomps_compile_to_what_they_were() {
    let kinds = [
        r#"type="grid" dim="1" count="5 1 1"><edge equality="true"/>"#,
        r#"type="grid" dim="1" count="5 1 1"><elasticity young="1e5" poisson="0.1"/>"#,
        r#"type="grid" dim="2" count="3 4 1"><edge equality="true"/><pin id="0 1"/>"#,
        r#"type="grid" dim="2" count="3 3 1" rigid="true">"#,
        r#"type="grid" dim="2" count="3 3 1"><elasticity young="1e4" thickness="0.01" elastic2d="both"/>"#,
        r#"type="grid" dim="3" count="3 3 3"><elasticity young="1e4" poisson="0.2"/>"#,
        r#"type="grid" dim="3" count="3 3 3" dof="trilinear"><elasticity young="1e4" poisson="0.2"/>"#,
        r#"type="box" dim="3" count="3 3 3" dof="radial"><elasticity young="1e4" poisson="0.2"/>"#,
        r#"type="ellipsoid" dim="2" count="4 4 4"><edge equality="true"/>"#,
        r#"type="circle" dim="1" count="6 1 1"><edge equality="true"/>"#,
    ];
    for kind in kinds {
        let xml = format!(
            r#"<mujoco><compiler angle="degree" eulerseq="zyx"/><default>
              <default class="c"><joint type="hinge" range="-30 40" ref="10"/></default></default>
            <worldbody><body name="b" pos="0 0 1" euler="10 20 30"><joint class="c" axis="0 1 1"/>
              <geom type="capsule" size="0.1" fromto="0 0 0 0.3 0.2 0.1"/>
              <geom type="box" size="0.1 0.1 0.2" axisangle="1 1 0 30" mass="2"/>
              <flexcomp name="f" spacing="0.1 0.1 0.1" mass="1" radius="0.01" euler="0 0 20" pos="1 0 0" {kind}
                <contact selfcollide="none"/></flexcomp></body>
              <body name="c"><freejoint/><inertial pos="0 0 0" mass="1" fullinertia="1 2 2.5 0.1 0.2 0.3"/></body>
            </worldbody></mujoco>"#
        );
        let mut files = Memory::new();
        files.insert("m.xml", xml);
        let Loaded { model, spec, .. } =
            load_with(Path::new("m.xml"), &files).unwrap_or_else(|e| panic!("{kind}: {e}"));
        saves(kind, &spec.unwrap(), &model);
    }
}

#[test]
fn binary_models_are_read_back_bit_for_bit() {
    for path in models() {
        let model = load(&path).model;
        let bytes = model.to_bytes();
        let mut files = Memory::new();
        files.insert("saved.mjb", bytes.clone());
        files.insert("saved", bytes.clone());
        for name in ["saved.mjb", "saved"] {
            let again = load_with(Path::new(name), &files).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert!(again.model == model && again.spec.is_none(), "{}", path.display());
            assert!(again.model.to_bytes() == bytes, "{}", path.display());
        }
    }
}

#[test]
fn a_file_that_is_no_model_is_refused_by_name() {
    let mut files = Memory::new();
    files.insert("a.mjb", "<mujoco/>");
    let problem = load_with(Path::new("a.mjb"), &files).unwrap_err().to_string();
    assert_eq!(problem.trim(), "error: a.mjb: byte 0: this is not a binary model of this program");
    let problem = load_with(Path::new("b.mjb"), &files).unwrap_err().to_string();
    assert!(problem.contains("b.mjb: cannot be read"), "{problem}");
}

/// Bytes before the contents of a binary model.
const HEADER: usize = 36;

/// Makes the checksum fit changed contents.
fn seal(bytes: &mut [u8]) {
    let sum =
        bytes[HEADER..].iter().fold(0xcbf2_9ce4_8422_2325u64, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    bytes[HEADER - 8..HEADER].copy_from_slice(&sum.to_le_bytes());
}

/// A saved model, and the places of its small integers: addresses, counts, ids and types.
struct Saved {
    bytes: Vec<u8>,
    integers: Vec<usize>,
}

static SAVED: LazyLock<Vec<Saved>> = LazyLock::new(|| {
    let save = |path: &PathBuf| {
        let bytes = load(path).model.to_bytes();
        let word = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let integers = (HEADER..bytes.len() - 3).filter(|&at| matches!(word(at), -2..=-1 | 1..=200)).collect();
        Saved { bytes, integers }
    };
    models().iter().map(save).collect()
});

/// What damage does: to any byte, or to one of the small integers.
#[derive(Clone, Debug)]
enum Damage {
    Byte(prop::sample::Index, u8),
    Integer(prop::sample::Index, i32),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        1 => (at(), any::<u8>()).prop_map(|(i, x)| Damage::Byte(i, x)),
        3 => (at(), prop_oneof![-2i32..12, 0i32..100, any::<i32>()]).prop_map(|(i, x)| Damage::Integer(i, x)),
    ]
}

proptest! {
    // More in a release build, and as many as one likes with PROPTEST_CASES.
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(if cfg!(debug_assertions) { 3000 } else { 30_000 }),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    /// Whatever is read can be simulated, however it was damaged.
    #[test]
    fn damaged_models_are_refused_or_run(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec(damage(), 1..3),
    ) {
        let saved = &SAVED[which.index(SAVED.len())];
        let mut bytes = saved.bytes.clone();
        for change in changes {
            match change {
                Damage::Byte(at, x) => {
                    let n = bytes.len() - HEADER;
                    bytes[HEADER + at.index(n)] = x;
                }
                Damage::Integer(at, x) => {
                    let at = saved.integers[at.index(saved.integers.len())];
                    bytes[at..at + 4].copy_from_slice(&x.to_le_bytes());
                }
            }
        }
        seal(&mut bytes);
        if let Ok(mut m) = Model::from_bytes(&bytes) {
            // Any number of iterations is allowed, but a test has an end.
            m.opt.iterations = m.opt.iterations.min(20);
            m.opt.ls_iterations = m.opt.ls_iterations.min(20);
            m.opt.ccd_iterations = m.opt.ccd_iterations.min(50);
            if let Ok(mut d) = Data::new(&m) {
                for k in m.key.time.ids().take(1) {
                    d.state.set_key(&m, k);
                }
                for _ in 0..20 {
                    step(&m, &mut d).unwrap();
                }
            }
        }
    }
}
