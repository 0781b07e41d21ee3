//! Reads the lines of recorded results.

use mj_collide::PreContact;
use mj_math::DVec3;

/// Numbers between spaces.
pub fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// The first three as a vector.
pub fn vector(v: &[f64]) -> DVec3 {
    DVec3::new(v[0], v[1], v[2])
}

/// Whether a contact found is a recorded one (distance, position, normal).
pub fn alike(c: &PreContact, w: &[f64]) -> bool {
    (c.dist - w[0]).abs() < 1e-5
        && (c.pos - vector(&w[1..4])).abs().max_element() < 1e-5
        && (c.normal - vector(&w[4..7])).abs().max_element() < 1e-5
}

/// Each recorded contact has its like among those found, and there are no others.
pub fn assert_same(found: &[PreContact], wanted: &[Vec<f64>], line: &str) {
    assert_eq!(found.len(), wanted.len(), "number of contacts: {line}\n{found:?}");
    for w in wanted {
        assert!(found.iter().any(|c| alike(c, w)), "no contact like {w:?}: {line}\n{found:?}");
    }
}
