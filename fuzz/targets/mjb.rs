//! Binary models, with a length and a checksum that fit whatever they hold.
#![no_main]

use mj_engine::{Data, step};
use mj_model::Model;

/// Bytes before the contents, the checksum their last eight.
const HEADER: usize = 36;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if bytes.len() < HEADER {
        return;
    }
    let mut bytes = bytes.to_vec();
    let length = (bytes.len() - HEADER) as u64;
    bytes[HEADER - 16..HEADER - 8].copy_from_slice(&length.to_le_bytes());
    let sum =
        bytes[HEADER..].iter().fold(0xcbf2_9ce4_8422_2325u64, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    bytes[HEADER - 8..HEADER].copy_from_slice(&sum.to_le_bytes());
    let Ok(mut m) = Model::from_bytes(&bytes) else { return };
    m.opt.iterations = m.opt.iterations.min(20);
    m.opt.ls_iterations = m.opt.ls_iterations.min(20);
    m.opt.ccd_iterations = m.opt.ccd_iterations.min(50);
    if let Ok(mut d) = Data::new(&m) {
        step(&m, &mut d).unwrap();
        step(&m, &mut d).unwrap();
    }
});
