"""Functions of the residual that can be minimized."""

import abc

import numpy as np


class Norm(abc.ABC):
    """A smooth convex function of a residual vector.

    A subclass gives the value and the first and second derivatives. These are
    asked for after projection by the Jacobian, because the Hessian of a norm is
    often diagonal or of low rank and never needs to be formed.
    """

    @abc.abstractmethod
    def value(self, r: np.ndarray) -> float:
        """Return the value at the column vector ``r`` (nr x 1)."""

    @abc.abstractmethod
    def grad_hess(
        self, r: np.ndarray, proj: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the projected gradient and Hessian at ``r``.

        With the gradient ``g`` (nr x 1) and the Hessian ``H`` (nr x nr) of the
        norm and the matrix ``proj`` (nr x nx), these are ``proj.T @ g`` (nx x 1)
        and ``proj.T @ H @ proj`` (nx x nx).
        """


class Quadratic(Norm):
    """Half the sum of squares, the norm of least squares."""

    def value(self, r: np.ndarray) -> float:
        return 0.5 * float(np.vdot(r, r))

    def grad_hess(
        self, r: np.ndarray, proj: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        return proj.T @ r, proj.T @ proj
