"""Inertia of a rigid body: ten numbers that every real vector of ten gives physically.

The pseudo-inertia of a mass distribution is ``J = [[S, h], [h', m]]`` with mass ``m``, first moment ``h`` and second moment
``S`` about the origin of the body. It belongs to a mass distribution of positive density if and only if it is positive
definite. So its factor ``J = U U'``, with

    U = exp(alpha) [[exp(d1), s12, s13, t1], [0, exp(d2), s23, t2], [0, 0, exp(d3), t3], [0, 0, 0, 1]],

makes ``theta = [alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3]`` free of constraints. The mass is ``exp(2 alpha)``, the centre
of mass ``t``; ``d`` stretches the body and ``s`` shears it.

Source: Rucker and Wensing, Smooth parameterization of rigid-body inertia, IEEE Robotics and Automation Letters, 2022.
"""

from __future__ import annotations

import numpy as np

from mj import mju_mat2Quat, mju_quat2Mat

# Entries of U in the order of theta after alpha: diagonal, shear, last column.
_DIAGONAL = np.arange(3)
_SHEAR = (np.array([0, 1, 0]), np.array([1, 2, 2]))


def skew(v: np.ndarray) -> np.ndarray:
    """Return the matrix of the cross product with a vector."""
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def inertia_to_fullinertia(q: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """Return the inertia matrix with given principal moments (3) along the axes of a quaternion."""
    flat = np.empty(9)
    mju_quat2Mat(flat, np.asarray(q, dtype=np.float64))
    axes = flat.reshape(3, 3)
    return (axes * inertia) @ axes.T


def principal(fullinertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the principal moments (3) of an inertia matrix, the largest first, and the quaternion of its axes."""
    moments, axes = np.linalg.eigh(fullinertia)
    moments, axes = moments[::-1], axes[:, ::-1]
    if np.linalg.det(axes) < 0:
        axes = axes * [1, 1, -1]
    quat = np.empty(4)
    mju_mat2Quat(quat, np.ascontiguousarray(axes).reshape(9))
    return moments, quat


def pi_from_theta(theta: np.ndarray) -> np.ndarray:
    """Return mass, first moment and inertia matrix about the origin, row by row (13), from ``theta`` (10)."""
    theta = np.asarray(theta, dtype=np.float64)
    factor = np.eye(4)
    factor[_DIAGONAL, _DIAGONAL] = np.exp(theta[1:4])
    factor[_SHEAR] = theta[4:7]
    factor[:3, 3] = theta[7:10]
    factor *= np.exp(theta[0])
    pseudo = factor @ factor.T
    second = pseudo[:3, :3]
    inertia = np.trace(second) * np.eye(3) - second
    return np.concatenate([[pseudo[3, 3]], pseudo[:3, 3], inertia.ravel()])


def pseudoinertia_from_pi(pi: np.ndarray) -> np.ndarray:
    """Return the pseudo-inertia (4, 4) of mass, first moment and inertia matrix (13)."""
    inertia = np.asarray(pi[4:], dtype=np.float64).reshape(3, 3)
    pseudo = np.empty((4, 4))
    pseudo[:3, :3] = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    pseudo[:3, 3] = pseudo[3, :3] = pi[1:4]
    pseudo[3, 3] = pi[0]
    return pseudo


def cholesky_decompose_upper(J: np.ndarray) -> np.ndarray:
    """Return the upper triangular ``U`` with positive diagonal and ``U U' = J``, for a positive definite matrix."""
    # Reversing the order of rows and columns turns an upper factor into a lower one.
    return np.linalg.cholesky(J[::-1, ::-1])[::-1, ::-1]


def theta_from_pseudoinertia(J: np.ndarray) -> np.ndarray:
    """Return ``theta`` (10) of a pseudo-inertia (4, 4).

    Raises:
        numpy.linalg.LinAlgError: if it is not positive definite, as that of a flat body.
    """
    factor = cholesky_decompose_upper(J)
    alpha = np.log(factor[3, 3])
    factor = factor / factor[3, 3]
    return np.concatenate([[alpha], np.log(factor[_DIAGONAL, _DIAGONAL]), factor[_SHEAR], factor[:3, 3]])
