//! A step allocates nothing once the buffers are warm.

use mj_engine::{Data, load, step};

#[test]
fn stepping_the_humanoid_allocates_nothing() {
    let m = load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/humanoid.xml")).unwrap();
    let mut d = Data::new(&m).unwrap();
    let drive = |d: &mut Data, from: usize, n: usize| {
        let mut contacts = 0;
        for i in from..from + n {
            for (k, c) in d.state.ctrl.iter_mut().enumerate() {
                *c = (0.3 * (i as f64) * 0.1 + k as f64).sin();
            }
            step(&m, d);
            contacts = contacts.max(d.contacts.len());
        }
        contacts
    };
    // Fall, flail and lie: the buffers see as many contacts as they ever will.
    let seen = drive(&mut d, 0, 3000);
    assert!(seen >= 4, "the humanoid should have fallen: {seen} contacts at most");
    let mut later = 0;
    let info = allocation_counter::measure(|| later = drive(&mut d, 3000, 1000));
    assert!(later > 0);
    assert_eq!(info.count_total, 0, "{info:?}");
}
