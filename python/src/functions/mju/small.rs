//! Vectors of three and four numbers.

use crate::args::typed::OutFixed;
use mj_math::{DMat3, DVec3, MINVAL};
use pyo3::PyResult;

super::functions! {
    /// Sets a vector of three numbers to 0.
    fn mju_zero3(res: OutFixed<3>) -> PyResult<()> {
        res.write([0.0; 3])
    }

    /// Copies a vector of three numbers: res = data.
    fn mju_copy3(res: OutFixed<3>, data: [f64; 3]) -> PyResult<()> {
        res.write(data)
    }

    /// Scales a vector of three numbers: res = scl * vec.
    fn mju_scl3(res: OutFixed<3>, vec: DVec3, scl: f64) -> PyResult<()> {
        res.set(vec * scl)
    }

    /// Adds two vectors of three numbers: res = vec1 + vec2.
    fn mju_add3(res: OutFixed<3>, vec1: DVec3, vec2: DVec3) -> PyResult<()> {
        res.set(vec1 + vec2)
    }

    /// Subtracts a vector of three numbers from another: res = vec1 - vec2.
    fn mju_sub3(res: OutFixed<3>, vec1: DVec3, vec2: DVec3) -> PyResult<()> {
        res.set(vec1 - vec2)
    }

    /// Adds a scaled vector of three numbers to another: res = vec1 + scl * vec2.
    fn mju_addScl3(res: OutFixed<3>, vec1: DVec3, vec2: DVec3, scl: f64) -> PyResult<()> {
        res.set(vec1 + vec2 * scl)
    }

    /// Adds a vector of three numbers in place: res = res + vec.
    fn mju_addTo3(res: OutFixed<3>, vec: DVec3) -> PyResult<()> {
        res.set(res.vector() + vec)
    }

    /// Subtracts a vector of three numbers in place: res = res - vec.
    fn mju_subFrom3(res: OutFixed<3>, vec: DVec3) -> PyResult<()> {
        res.set(res.vector() - vec)
    }

    /// Adds a scaled vector of three numbers in place: res = res + scl * vec.
    fn mju_addToScl3(res: OutFixed<3>, vec: DVec3, scl: f64) -> PyResult<()> {
        res.set(res.vector() + vec * scl)
    }

    /// Returns the Euclidean length of a vector of three numbers.
    fn mju_norm3(vec: DVec3) -> PyResult<f64> {
        Ok(vec.length())
    }

    /// Scales a vector of three numbers to unit length in place and returns its length before. A vector shorter than
    /// 1e-15 becomes (1, 0, 0).
    fn mju_normalize3(vec: OutFixed<3>) -> PyResult<f64> {
        let v = vec.vector();
        let length = v.length();
        vec.set(if length < MINVAL { DVec3::X } else { v * (1.0 / length) })?;
        Ok(length)
    }

    /// Returns the dot product of two vectors of three numbers.
    fn mju_dot3(vec1: DVec3, vec2: DVec3) -> PyResult<f64> {
        Ok(vec1.dot(vec2))
    }

    /// Returns the Euclidean distance of two points.
    fn mju_dist3(pos1: DVec3, pos2: DVec3) -> PyResult<f64> {
        Ok((pos1 - pos2).length())
    }

    /// Computes the cross product of two vectors: res = a x b.
    fn mju_cross(res: OutFixed<3>, a: DVec3, b: DVec3) -> PyResult<()> {
        res.set(a.cross(b))
    }

    /// Multiplies a 3 x 3 matrix, given as nine numbers, by a vector: res = mat * vec.
    fn mju_mulMatVec3(res: OutFixed<3>, mat: DMat3, vec: DVec3) -> PyResult<()> {
        res.set(mat * vec)
    }

    /// Multiplies the transpose of a 3 x 3 matrix, given as nine numbers, by a vector: res = mat' * vec.
    fn mju_mulMatTVec3(res: OutFixed<3>, mat: DMat3, vec: DVec3) -> PyResult<()> {
        res.set(mat.transpose() * vec)
    }

    /// Sets four numbers to 0.
    fn mju_zero4(res: OutFixed<4>) -> PyResult<()> {
        res.write([0.0; 4])
    }

    /// Sets four numbers to the identity quaternion (1, 0, 0, 0).
    fn mju_unit4(res: OutFixed<4>) -> PyResult<()> {
        res.write([1.0, 0.0, 0.0, 0.0])
    }

    /// Copies four numbers: res = data.
    fn mju_copy4(res: OutFixed<4>, data: [f64; 4]) -> PyResult<()> {
        res.write(data)
    }
}
