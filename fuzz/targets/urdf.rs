//! URDF.
#![no_main]

use mj_mjcf::Memory;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut files = Memory::new();
    files.insert("model.urdf", bytes);
    mj_fuzz::load_and_step(&files, "model.urdf");
});
