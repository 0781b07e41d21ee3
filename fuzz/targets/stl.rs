//! Meshes from STL files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mj_fuzz::asset("a.stl", "<mesh name='m' file='a.stl'/>", bytes));
