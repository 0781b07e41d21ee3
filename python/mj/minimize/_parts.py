"""Parts of the solver: regularizer, timing, and validation of arguments."""

import time
from collections.abc import Callable, Sequence

import numpy as np


class Regularizer:
    """The value of ``mu`` and how it changes."""

    def __init__(self, minimum: float, maximum: float, factor: float):
        if not factor > 1.0:
            raise ValueError("mu_factor must be greater than 1.")
        # Growth has to start from a positive number.
        self._minimum = max(float(minimum), np.finfo(np.float64).tiny)
        self._maximum = maximum
        self._factor = factor
        self._exponent = 1
        self.value = 0.0

    def can_grow(self) -> bool:
        return self.value < self._maximum

    def grow(self) -> None:
        self._exponent = 1
        self.value = max(self._minimum, self.value * self._factor)

    def shrink(self) -> None:
        if self.value > 0.0:
            self.value *= self._factor**-self._exponent
            self._exponent *= 2
            if self.value < self._minimum:
                self.value = 0.0


class Timed:
    """A function, with the time spent in it and the number of points evaluated."""

    def __init__(self, function: Callable[..., np.ndarray]):
        self._function = function
        self.points = 0
        self.seconds = 0.0

    def __call__(self, x: np.ndarray, *args: np.ndarray) -> np.ndarray:
        self.points += x.shape[1]
        start = time.perf_counter()
        try:
            return np.asarray(self._function(x, *args), dtype=np.float64)
        finally:
            self.seconds += time.perf_counter() - start


class Residual(Timed):
    """A residual that must return one column for each point."""

    def __call__(self, x: np.ndarray, *args: np.ndarray) -> np.ndarray:
        r = super().__call__(x, *args)
        if r.ndim != 2 or r.shape[1] != x.shape[1]:
            raise ValueError(
                f"residual must return an array of shape (nr, {x.shape[1]}) for"
                f" {x.shape[1]} points, the columns of its argument, but returned"
                f" one of shape {r.shape}."
            )
        return r


def column_bounds(
    bounds: Sequence[np.ndarray] | None, size: int
) -> list[np.ndarray] | None:
    """Return valid bounds as two columns."""
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError("bounds must have 2 elements, the lower and the upper bound.")
    lower, upper = (np.array(b, dtype=np.float64).reshape(-1, 1) for b in bounds)
    if lower.size != size or upper.size != size:
        raise ValueError("Each of the bounds must have the same size as x0.")
    if not (np.all(np.isfinite(lower)) and np.all(np.isfinite(upper))):
        raise ValueError("bounds must be finite.")
    if not np.all(lower < upper):
        raise ValueError("bounds[0] must be smaller than bounds[1].")
    return [lower, upper]


def scaling(
    x_scale: float | np.ndarray | str | None, size: int
) -> Callable[[np.ndarray], np.ndarray]:
    """Return the function that gives the scale of ``x`` (nx x 1) for a Jacobian."""
    if isinstance(x_scale, str):
        if x_scale != "jac":
            raise ValueError(
                "x_scale must be None, 'jac', a positive number or an array of"
                f" them, got {x_scale!r}."
            )

        def by_jacobian(jac: np.ndarray) -> np.ndarray:
            norms = np.linalg.norm(jac, axis=0)
            usable = np.isfinite(norms) & (norms > 0.0)
            return (1.0 / np.where(usable, norms, 1.0))[:, None]

        return by_jacobian
    given = np.asarray(1.0 if x_scale is None else x_scale, dtype=np.float64)
    if given.shape not in ((), (size,)):
        raise ValueError(f"x_scale must have shape {(size,)}, got {given.shape}.")
    if not (np.all(np.isfinite(given)) and np.all(given > 0.0)):
        raise ValueError("x_scale must be positive and finite.")
    fixed = np.full((size, 1), given.reshape(-1, 1))
    return lambda jac: fixed
