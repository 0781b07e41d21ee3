//! Sine and cosine in lanes.

use super::Lane;

/// High, middle and low parts of π/2: each of few bits, so that products with small whole numbers are exact in 32 bits.
const HALF_PI: [f64; 3] = [1.570_312_5, 4.837_512_969_970_703e-4, 7.549_789_948_768_648e-8];

/// Returns sine and cosine of an angle of less than some thousand radians, by the Taylor polynomials of the angle's
/// distance from the nearest multiple of π/2. The error is below 3e-16 in 64 bits, and
/// 1.5e-7 in 32.
#[inline(always)]
pub fn sin_cos<L: Lane>(x: L) -> (L, L) {
    let k = (x * x.like(std::f64::consts::FRAC_2_PI)).round();
    let mut r = x;
    for part in HALF_PI {
        r = r.minus(k, x.like(part));
    }
    // The last term is the distance of π/2 from the nearest 64-bit number.
    let rest = std::f64::consts::FRAC_PI_2 - HALF_PI[0] - HALF_PI[1] - HALF_PI[2] + 6.123_233_995_736_766e-17;
    r = r.minus(k, x.like(rest));
    let r2 = r * r;
    let (mut s, mut c) = (x.like(series(17)), x.like(series(16)));
    for n in (0..8).rev() {
        s = x.like(series(2 * n + 1)).plus(s, r2);
        c = x.like(series(2 * n)).plus(c, r2);
    }
    s = s * r;
    // Quarter of the turn, −2 to 2.
    let quarter = k - x.like(4.0) * (k * x.like(0.25)).round();
    let odd = x.like(0.5).lt(quarter.abs());
    let swapped = x.and(odd, quarter.abs().lt(x.like(1.5)));
    let (sin, cos) = (c.select(swapped, s), s.select(swapped, c));
    // sin: 0 → s, 1 → c, 2 → −s, −1 → −c; cos: 0 → c, 1 → −s, 2 → −c, −1 → s.
    let negative_sin = x.or(quarter.lt(x.like(-0.5)), x.like(1.5).lt(quarter));
    let negative_cos = x.or(x.like(0.5).lt(quarter), quarter.lt(x.like(-1.5)));
    ((-sin).select(negative_sin, sin), (-cos).select(negative_cos, cos))
}

/// Returns the coefficient of the n-th power in the series of sine and cosine, ±1/n!.
const fn series(n: u32) -> f64 {
    let mut f = 1.0;
    let mut i = 2;
    while i <= n {
        f *= i as f64;
        i += 1;
    }
    if n % 4 < 2 { 1.0 / f } else { -1.0 / f }
}

#[cfg(test)]
mod tests {
    use super::sin_cos;

    #[test]
    fn matches_the_standard_library() {
        let mut worst = [0.0f64; 2];
        for i in -20_000..20_000 {
            let x = f64::from(i) * 0.000_731;
            let (s, c) = sin_cos(x);
            worst[0] = worst[0].max((s - x.sin()).abs()).max((c - x.cos()).abs());
            let y = x as f32;
            let ((s, c), (sin, cos)) = (sin_cos(y), f64::from(y).sin_cos());
            worst[1] = worst[1].max((f64::from(s) - sin).abs()).max((f64::from(c) - cos).abs());
        }
        assert!(worst[0] < 3e-16 && worst[1] < 1.5e-7, "{worst:?}");
    }
}
