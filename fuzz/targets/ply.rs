//! Meshes from PLY files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mj_fuzz::asset("a.ply", "<mesh name='m' file='a.ply'/>", bytes));
