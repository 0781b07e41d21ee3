//! Small dense systems of equations.

use crate::errors::query::{QueryError, check_length};
use mj_math::dense::lu_solve;

/// Solves A x = b for x by elimination with row pivoting; `a` is n×n, row-major, `b` has n numbers. `None` where A is
/// singular.
///
/// For small systems, such as those of damped least squares or of a feedback law: takes n³/3 multiplications.
///
/// Example: [`mul_m`](crate::mul_m).
///
/// # Errors
/// If `a` has not the square of the length of `b`.
pub fn solve_dense(a: &[f64], b: &[f64]) -> Result<Option<Vec<f64>>, QueryError> {
    check_length("a", a.len(), b.len().saturating_mul(b.len()))?;
    let (mut a, mut x) = (a.to_vec(), b.to_vec());
    let regular = lu_solve(&mut a, b.len(), &mut x) && x.iter().all(|x| x.is_finite());
    Ok(regular.then_some(x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The solution of a well-posed system satisfies it.
        #[test]
        fn a_solution_satisfies_the_equations(n in 1usize..6, numbers in prop::collection::vec(-1.0..1.0f64, 42)) {
            let mut a = numbers[..n * n].to_vec();
            (0..n).for_each(|i| a[i * n + i] += n as f64 + 1.0);
            let b = &numbers[36..36 + n];
            let x = solve_dense(&a, b).unwrap().unwrap();
            for i in 0..n {
                let row: f64 = a[i * n..(i + 1) * n].iter().zip(&x).map(|(a, x)| a * x).sum();
                prop_assert!((row - b[i]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn what_has_no_solution_is_told() {
        assert_eq!(solve_dense(&[1.0, 2.0, 2.0, 4.0], &[1.0, 1.0]).unwrap(), None);
        assert_eq!(solve_dense(&[f64::NAN], &[1.0]).unwrap(), None);
        assert!(solve_dense(&[1.0, 2.0], &[1.0, 1.0]).is_err());
        assert_eq!(solve_dense(&[], &[]).unwrap(), Some(vec![]));
    }
}
