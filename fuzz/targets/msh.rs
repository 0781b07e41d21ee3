//! Meshes from MSH files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mj_fuzz::asset("a.msh", "<mesh name='m' file='a.msh'/>", bytes));
