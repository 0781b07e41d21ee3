//! A sample of what `cargo run --release -p mj-collide --example certify -- 1000000` certifies.

#[path = "../examples/certify/certificate.rs"]
mod certificate;

use certificate::{KINDS, Placing, certify};

#[test]
fn a_sample_is_certified() {
    for (i, &first) in KINDS.iter().enumerate() {
        for &second in &KINDS[i..] {
            for placing in [Placing::Free, Placing::Aligned] {
                let found = certify([first, second], placing, 60, 0);
                assert_eq!(found.failed, 0, "{placing:?} {first:?} {second:?}: {}", found.example);
                assert!(found.pairs == 60 && found.apart > 5 && found.apart < 55 && found.worst <= 1e-6);
            }
        }
    }
}
