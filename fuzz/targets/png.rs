//! Height fields from PNG files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mj_fuzz::asset(
    "a.png",
    "<hfield name='h' file='a.png' size='1 1 1 1'/>",
    bytes
));
