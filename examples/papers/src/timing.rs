//! How long something takes.

use std::time::Instant;

/// Time of one call in microseconds: the least mean over some batches, of about `budget` microseconds each.
pub fn microseconds(budget: f64, mut f: impl FnMut()) -> f64 {
    let mut batch = |n: u32| {
        let start = Instant::now();
        (0..n).for_each(|_| f());
        start.elapsed().as_secs_f64() * 1e6 / f64::from(n)
    };
    batch(1);
    let n = (budget / batch(3)).clamp(1.0, 1e5) as u32;
    (0..7).map(|_| batch(n)).fold(f64::INFINITY, f64::min)
}

/// The value in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
