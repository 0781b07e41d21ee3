//! Vectors over the dofs, padded with zeros to whole groups of four, so that loops have no remainders.

/// Length of a vector over `n` dofs.
pub fn padded(n: usize) -> usize {
    n.next_multiple_of(4)
}

/// Dot products of one vector with others.
#[inline]
pub fn dots<const N: usize>(x: &[f64], others: [&[f64]; N]) -> [f64; N] {
    let x = x.as_chunks::<4>().0;
    let others = others.map(|y| &y.as_chunks::<4>().0[..x.len()]);
    let mut s = [[0.0; 4]; N];
    for (i, x) in x.iter().enumerate() {
        for n in 0..N {
            for l in 0..4 {
                s[n][l] += x[l] * others[n][i][l];
            }
        }
    }
    s.map(sum)
}

/// z = x − y; returns |z|².
#[inline]
pub fn sub_norm2(x: &[f64], y: &[f64], z: &mut [f64]) -> f64 {
    let mut s = [0.0; 4];
    let xy = x.as_chunks::<4>().0.iter().zip(y.as_chunks::<4>().0);
    for (z, (x, y)) in z.as_chunks_mut::<4>().0.iter_mut().zip(xy) {
        for l in 0..4 {
            z[l] = x[l] - y[l];
            s[l] += z[l] * z[l];
        }
    }
    sum(s)
}

/// x −= y, of any length.
pub fn subtract(x: &mut [f64], y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x -= y;
    }
}

/// y += s x.
#[inline]
pub fn add_scaled(y: &mut [f64], s: f64, x: &[f64]) {
    for (y, x) in y.as_chunks_mut::<4>().0.iter_mut().zip(x.as_chunks::<4>().0) {
        for l in 0..4 {
            y[l] += s * x[l];
        }
    }
}

/// y = s y − x. Where s is zero nothing is kept of y, not even what is no number.
#[inline]
pub fn scale_sub(y: &mut [f64], s: f64, x: &[f64]) {
    for (y, x) in y.as_chunks_mut::<4>().0.iter_mut().zip(x.as_chunks::<4>().0) {
        for l in 0..4 {
            y[l] = if s == 0.0 { -x[l] } else { s * y[l] - x[l] };
        }
    }
}

#[inline]
fn sum(s: [f64; 4]) -> f64 {
    (s[0] + s[2]) + (s[1] + s[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_a_vector() {
        assert_eq!((padded(0), padded(1), padded(8)), (0, 4, 8));
        let x: Vec<f64> = (0..8).map(f64::from).collect();
        let ones = [1.0; 8];
        assert_eq!(dots(&x, [&x, &ones]), [140.0, 28.0]);
        let mut y = [0.0; 8];
        assert_eq!(sub_norm2(&x, &ones, &mut y), 140.0 - 56.0 + 8.0);
        add_scaled(&mut y, 2.0, &ones);
        assert_eq!((y[0], y[7]), (1.0, 8.0));
        scale_sub(&mut y, 3.0, &x);
        assert_eq!((y[0], y[7]), (3.0, 17.0));
        let mut none = [f64::NAN; 8];
        scale_sub(&mut none, 0.0, &x);
        assert_eq!(none[7], -7.0);
    }
}
