"""Linear-quadratic regulators."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _core
from ._arguments import data as check_data
from ._cost import Cost, native_of


class Lqr(NamedTuple):
    """Solution of a linear-quadratic problem: u = -K x, with the cost x' P x / 2."""

    K: np.ndarray
    P: np.ndarray


def _symmetric(name: str, matrix: Any) -> np.ndarray:
    try:
        array = np.atleast_2d(np.asarray(matrix, float))
    except (TypeError, ValueError):
        raise TypeError(f"`{name}` must be a matrix, not {type(matrix).__name__}") from None
    if array.ndim == 2 and array.shape[0] == array.shape[1] and array.size and np.isfinite(array).all():
        if np.abs(array - array.T).max() > 1e-9 * np.abs(array).max():
            raise ValueError(f"matrix `{name}` is not symmetric; expected {name} = {name}'")
        if name == "R" and np.linalg.eigvalsh(array).min() <= 0:
            raise ValueError("matrix `R` is not positive definite; expected positive eigenvalues")
    return array


def lqr(A: Any, B: Any, Q: Any, R: Any) -> Lqr:
    """Minimizes the sum of (x' Q x + u' R u) / 2 for x' = A x + B u over all time.

    Args:
        A: (nx, nx).
        B: (nx, nu).
        Q: (nx, nx), symmetric.
        R: (nu, nu), symmetric and positive definite.

    Returns:
        The gain K (nu, nx) and the Hessian P (nx, nx) of the cost.

    Raises:
        ValueError: if shapes differ, or no gain makes the system stable.

    Source: Chu, Fan, Lin, Wang 2004, "Structure-preserving algorithms for periodic discrete-time algebraic Riccati equations".
    """
    return Lqr(*_core._lqr(A, B, _symmetric("Q", Q), _symmetric("R", R)))


class Regulator:
    """Regulator that holds a model at the state of data with its controls, for the second-order expansion of a cost there."""

    def __init__(self, model: Any, cost: Cost, data: Any):
        """Makes the regulator.

        Raises:
            ValueError: if the cost doesn't fit the model, the step has no derivative, or no gain makes it stable.
        """
        self._native = _core.Regulator(native_of(model, cost), check_data(data))

    @property
    def K(self) -> np.ndarray:
        """Gain, (nu, 2 nv + na)."""
        return self._native._solution()[0]

    @property
    def P(self) -> np.ndarray:
        """Hessian of the cost over all time."""
        return self._native._solution()[1]

    def control(self, data: Any) -> np.ndarray:
        """Returns the controls at the state of data, within their ranges: (nu,)."""
        return self._native._control(check_data(data))
