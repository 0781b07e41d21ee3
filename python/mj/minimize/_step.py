"""Steps of the solver."""

import numpy as np


def free_norm(
    grad: np.ndarray, x: np.ndarray, bounds: list[np.ndarray] | None, scale: np.ndarray
) -> float:
    """Return the norm of the scaled gradient where no bound holds ``x`` back."""
    free = np.ones(x.shape, dtype=bool)
    if bounds is not None:
        lower, upper = bounds
        free = ~(((x <= lower) & (grad > 0.0)) | ((x >= upper) & (grad < 0.0)))
    return float(np.linalg.norm((scale * grad)[free]))


class Step:
    """Proposes steps from one point for growing regularizers."""

    def __init__(
        self,
        x: np.ndarray,
        grad: np.ndarray,
        hess: np.ndarray,
        scale: np.ndarray,
        bounds: list[np.ndarray] | None,
    ):
        from mj import mju_boxQP

        self._solve = mju_boxQP
        size = x.size
        self._x = x
        self._bounds = bounds
        self._scale = scale
        self._grad = np.ascontiguousarray((scale * grad).reshape(-1), dtype=np.float64)
        self._hess = np.ascontiguousarray(scale * hess * scale.T, dtype=np.float64)
        self._factor = np.zeros((size, size + 7))
        self._step = np.zeros(size)
        # Bounds of the step.
        self._limits: list[np.ndarray] | None = None
        if bounds is not None:
            self._limits = [((b - x) / scale).reshape(-1) for b in bounds]

    def propose(self, mu: float) -> np.ndarray | None:
        """Return the next point, or None if the factorization fails."""
        if not (np.all(np.isfinite(self._grad)) and np.all(np.isfinite(self._hess))):
            return None
        matrix = self._hess + mu * np.eye(self._step.size)
        # The solver starts from the last step.
        rank = self._solve(
            self._step,
            self._factor,
            None,
            matrix,
            self._grad,
            *(self._limits or (None, None)),
        )
        if rank < 0:
            self._step[:] = 0.0
            return None
        step = self._step[:, None]
        point = self._x + self._scale * step
        if self._bounds is not None and self._limits is not None:
            lower, upper = self._bounds
            least, most = (limit[:, None] for limit in self._limits)
            # Meet bounds exactly, which the sum may miss by rounding.
            point = np.where(step <= least, lower, point)
            point = np.where(step >= most, upper, point)
            point = np.clip(point, lower, upper)
        return point

    def predicted(self) -> float:
        """Return by how much the model without ``mu`` falls."""
        step = self._step
        return -float(self._grad @ step + 0.5 * step @ self._hess @ step)
