//! Lagrange interpolation along one axis of a cell: linear between two nodes, quadratic between three.

/// Nodes of a cell along an axis, at most.
pub const MAX_NODES: usize = 3;

/// Returns the values of the interpolation functions of order 1 or 2 at `x`, 0 to 1 in the cell, for nodes at equal
/// distances. Of order 1 there are two, and the last value is 0.
#[inline]
pub fn shape_functions(order: usize, x: f64) -> [f64; MAX_NODES] {
    if order == 1 { [1.0 - x, x, 0.0] } else { [2.0 * x * x - 3.0 * x + 1.0, 4.0 * (x - x * x), 2.0 * x * x - x] }
}

/// Returns the derivatives of [`shape_functions`] by `x`.
#[inline]
pub fn shape_slopes(order: usize, x: f64) -> [f64; MAX_NODES] {
    if order == 1 { [-1.0, 1.0, 0.0] } else { [4.0 * x - 3.0, 4.0 * (1.0 - 2.0 * x), 4.0 * x - 1.0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_one_at_their_node_and_sum_to_one() {
        for order in [1, 2] {
            for i in 0..=order {
                let at = shape_functions(order, i as f64 / order as f64);
                (0..=order).for_each(|j| assert!((at[j] - f64::from(u8::from(i == j))).abs() < 1e-15));
            }
            let h = 1e-6;
            for x in [0.0, 0.3, 0.77, 1.0] {
                let sum: f64 = shape_functions(order, x).iter().sum();
                assert!((sum - 1.0).abs() < 1e-15);
                let (up, down) = (shape_functions(order, x + h), shape_functions(order, x - h));
                let slopes = shape_slopes(order, x);
                (0..MAX_NODES).for_each(|i| assert!(((up[i] - down[i]) / (2.0 * h) - slopes[i]).abs() < 1e-8));
            }
        }
    }
}
