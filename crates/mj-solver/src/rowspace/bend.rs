//! Elliptic cones in their middle zone: coordinates z in which their rows are symmetric and definite.

/// A cone in its middle zone.
#[derive(Clone, Debug)]
pub struct Bend {
    /// Its first row, and their number.
    pub row: usize,
    pub dim: usize,
    /// B, lower triangle.
    pub root: [[f64; 6]; 6],
}

/// Root B of W = B Bᵀ, which may be singular.
pub fn root(w: &[f64], n: usize) -> [[f64; 6]; 6] {
    let mut b = [[0.0; 6]; 6];
    for j in 0..n {
        let d = w[j * n + j] - b[j][..j].iter().map(|x| x * x).sum::<f64>();
        // What is left of a direction without curvature is rounding.
        if d <= 1e-14 * w[j * n + j] {
            continue;
        }
        b[j][j] = d.sqrt();
        for i in j + 1..n {
            let s: f64 = (0..j).map(|k| b[i][k] * b[j][k]).sum();
            b[i][j] = (w[i * n + j] - s) / b[j][j];
        }
    }
    b
}

/// Turns the rows and columns of a cone, in the lower triangle of a matrix of `n` rows, into those of z.
pub fn bend(m: &mut [f64], w: usize, n: usize, cone: &Bend) {
    let Bend { row: at, dim, root } = cone;
    let (at, dim) = (*at, *dim);
    // Columns before it: Bᵀ from the left.
    for j in 0..at {
        for i in 0..dim {
            m[(at + i) * w + j] = (i..dim).map(|k| root[k][i] * m[(at + k) * w + j]).sum();
        }
    }
    // Rows after it: B from the right.
    for row in m.chunks_exact_mut(w).take(n).skip(at + dim) {
        let x = &mut row[at..at + dim];
        for j in 0..dim {
            x[j] = (j..dim).map(|k| x[k] * root[k][j]).sum();
        }
    }
    // Its own: BᵀA B + 1.
    let mut own = [[0.0; 6]; 6];
    for i in 0..dim {
        for j in 0..=i {
            own[i][j] = m[(at + i) * w + at + j];
            own[j][i] = own[i][j];
        }
    }
    for i in 0..dim {
        for j in 0..=i {
            let s: f64 = (i..dim).map(|k| root[k][i] * (j..dim).map(|l| own[k][l] * root[l][j]).sum::<f64>()).sum();
            m[(at + i) * w + at + j] = s + if i == j { 1.0 } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Roots of singular matrices, and what they make of a matrix: Tᵀ A T + 1 with T = diag(1, B, 1).
        #[test]
        fn bends(g in prop::collection::vec(-1.0..1.0f64, 64), dim in 3usize..7) {
            // W of rank dim − 1.
            let w: Vec<f64> = (0..dim * dim)
                .map(|at| (0..dim - 1).map(|k| g[7 * k + at / dim] * g[7 * k + at % dim]).sum())
                .collect();
            let b = root(&w, dim);
            for i in 0..dim {
                for j in 0..dim {
                    let s: f64 = (0..dim).map(|k| b[i][k] * b[j][k]).sum();
                    prop_assert!((s - w[i * dim + j]).abs() < 1e-6, "{s} {}", w[i * dim + j]);
                }
            }
            let (row, n, width) = (2, dim + 4, 12);
            let a = |i: usize, j: usize| g[(i.max(j) * 5 + i.min(j)) % 64];
            let t = |i: usize, j: usize| match (i.wrapping_sub(row), j.wrapping_sub(row)) {
                (i, j) if i < dim && j < dim => b[i][j],
                _ => f64::from(u8::from(i == j)),
            };
            let mut m: Vec<f64> = (0..width * width).map(|at| a(at / width, at % width)).collect();
            bend(&mut m, width, n, &Bend { row, dim, root: b });
            for i in 0..n {
                for j in 0..=i {
                    let s: f64 = (0..n).map(|k| t(k, i) * (0..n).map(|l| a(k, l) * t(l, j)).sum::<f64>()).sum();
                    let own = i == j && (row..row + dim).contains(&i);
                    prop_assert!((m[i * width + j] - s - f64::from(u8::from(own))).abs() < 1e-12);
                }
            }
        }
    }
}
