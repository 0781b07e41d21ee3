//! The bits of ten models' states after some steps. With the feature `deterministic` they are the same on every
//! machine, in every build profile:
//!
//!     cargo test -p mj-engine --features deterministic --test fingerprints
//!
//! A change of the physics, or of the order of its sums, changes them; with the variable `RECORD_FINGERPRINTS` set,
//! the test records them anew.
#![cfg(feature = "deterministic")]

use mj_engine::{Data, load, step};
use mj_model::{ControlId, KeyId};
use std::path::Path;

const STEPS: usize = 150;

/// One line a model: its name and its hash.
const RECORDED: &str = "../../tests/golden/fingerprints.txt";

/// Hash of the state and the sensors after some steps under controls that any machine computes alike.
fn fingerprint(name: &str) -> u64 {
    let m = load(mj_testkit::bundled(name)).unwrap();
    let mut d = Data::new(&m).unwrap();
    if !m.key.is_empty() {
        d.state.set_key(&m, KeyId::new(0));
    }
    for n in 0..STEPS {
        for i in 0..m.nu() {
            let [low, high] = match m.control.ctrllimited[ControlId::new(i)] {
                true => m.control.ctrlrange[ControlId::new(i)],
                false => [-1.0, 1.0],
            };
            d.state.ctrl[i] = low + (high - low) * ((7 * n + 13 * i) % 32) as f64 / 32.0;
        }
        step(&m, &mut d).unwrap();
    }
    assert!(d.state.qvel.iter().any(|&v| v != 0.0), "{name} does not move");
    let s = &d.state;
    hash(s.qpos.iter().chain(&s.qvel).chain(&s.act).chain(&d.sensordata))
}

/// FNV-1a of the numbers' bits.
fn hash<'a>(numbers: impl Iterator<Item = &'a f64>) -> u64 {
    let bytes = numbers.flat_map(|x| x.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn states_are_the_same_bits() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(RECORDED);
    let recorded = std::fs::read_to_string(&path).unwrap();
    let names: Vec<&str> = recorded.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert!(names.len() >= 10);
    let found: String = names.iter().map(|name| format!("{name} {:016x}\n", fingerprint(name))).collect();
    if std::env::var_os("RECORD_FINGERPRINTS").is_some() {
        std::fs::write(&path, &found).unwrap();
    } else {
        assert_eq!(found, recorded, "other bits than recorded");
    }
}
