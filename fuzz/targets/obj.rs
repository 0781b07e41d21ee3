//! Meshes from OBJ files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mj_fuzz::asset("a.obj", "<mesh name='m' file='a.obj'/>", bytes));
