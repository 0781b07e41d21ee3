//! Meshes from binary glTF files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mj_fuzz::asset("a.glb", "<mesh name='m' file='a.glb'/>", bytes));
