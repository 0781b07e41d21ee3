"""Finite differences, and checks of given derivatives against them."""

from collections.abc import Callable, Sequence
from typing import TextIO

import numpy as np

from mj.minimize._norm import Norm

# The tolerance of the checks, relative to the mean size of the two, and the
# absolute one in units of ``eps``, which allows for the error of a difference
# where the derivative is zero.
_RELATIVE = 5e-5
_ABSOLUTE = 10.0


def jacobian_fd(
    residual: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    r: np.ndarray,
    eps: float,
    n_res: int,
    bounds: Sequence[np.ndarray] | None = None,
) -> tuple[np.ndarray, int]:
    """Differentiate a residual by forward or backward differences.

    All points are evaluated in one call. With bounds, each coordinate moves
    towards the bound that is further away, and not past it.

    Args:
        residual: the residuals (nr x m) of m points (nx x m).
        x: the point (nx x 1).
        r: the residual at ``x`` (nr x 1).
        eps: step size, relative to coordinates larger than 1.
        n_res: number of points evaluated so far.
        bounds: lower and upper bound of the coordinates (nx x 1 each).

    Returns:
        The Jacobian (nr x nx), and ``n_res`` with the new points added.
    """
    column = np.asarray(x, dtype=np.float64).reshape(-1)
    step = eps * np.maximum(1.0, np.abs(column))
    target = column + step
    if bounds is not None:
        lower, upper = (np.asarray(b, dtype=np.float64).reshape(-1) for b in bounds)
        # Comparing the distances avoids rounding of the midpoint.
        forward = upper - column >= column - lower
        target = np.where(
            forward,
            np.minimum(target, upper),
            np.maximum(column - step, lower),
        )
    points = np.repeat(column[:, None], column.size, axis=1)
    np.fill_diagonal(points, target)
    # Divide by the distances as represented, which rounding has changed.
    jacobian = (residual(points) - r) / (target - column)
    return jacobian, n_res + column.size


def _require_finite(value: np.ndarray, name: str) -> None:
    if not np.all(np.isfinite(value)):
        raise ValueError(f"{name} must contain finite values only.")


def check_jacobian(
    residual: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    r: np.ndarray,
    jac: np.ndarray,
    eps: float,
    n_res: int,
    bounds: Sequence[np.ndarray] | None = None,
    output: TextIO | None = None,
    name: str | None = "Jacobian",
) -> int:
    """Compare a given Jacobian with finite differences.

    Args:
        residual: the residuals (nr x m) of m points (nx x m).
        x: the point (nx x 1).
        r: the residual at ``x``.
        jac: the Jacobian at ``x``.
        eps: step size of the differences.
        n_res: number of points evaluated so far.
        bounds: lower and upper bound, not to be passed by the differences.
        output: where a message of success is printed; stdout by default.
        name: what messages call the derivative.

    Returns:
        ``n_res`` with the new points added.

    Raises:
        ValueError: if the two differ or are not finite.
    """
    _require_finite(jac, f"User-provided {name}")
    expected, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    _require_finite(expected, f"Finite-difference {name}")
    if jac.shape != expected.shape:
        raise ValueError(
            f"User-provided {name} has shape {jac.shape}, expected {expected.shape}."
        )
    size = 0.5 * (np.linalg.norm(jac) + np.linalg.norm(expected))
    if np.linalg.norm(jac - expected) > _RELATIVE * size + _ABSOLUTE * eps:
        raise ValueError(
            f"User-provided {name} does not match finite differences"
            f" to a relative tolerance of {_RELATIVE:.0e}."
        )
    print(f"User-provided {name} matches finite differences.", file=output)
    return n_res


def check_norm(
    r: np.ndarray,
    norm: Norm,
    eps: float,
    output: TextIO | None = None,
) -> None:
    """Compare the derivatives of a norm with finite differences.

    Args:
        r: the residual at which to compare (nr x 1).
        norm: the norm.
        eps: step size of the differences.
        output: where messages of success are printed; stdout by default.

    Raises:
        ValueError: if a derivative differs or is not finite, or if the Hessian
            is not symmetric or has a negative eigenvalue.
    """
    eye = np.eye(r.size)
    grad, hess = norm.grad_hess(r, eye)
    _require_finite(grad, "User-provided norm gradient")
    _require_finite(hess, "User-provided norm Hessian")
    if not np.allclose(hess, hess.T):
        raise ValueError("User-provided norm Hessian is not symmetric.")
    lowest = float(np.linalg.eigvalsh(hess).min(initial=0.0))
    # An eigenvalue of zero may be computed as negative by the precision of the others.
    if lowest < -np.finfo(np.float64).eps * r.size * np.linalg.norm(hess):
        raise ValueError(
            "User-provided norm Hessian is not positive definite."
            f" Its least eigenvalue is {lowest:.3g}."
        )

    def values(points: np.ndarray) -> np.ndarray:
        return np.array([[float(norm.value(p[:, None])) for p in points.T]])

    def gradients(points: np.ndarray) -> np.ndarray:
        columns = [norm.grad_hess(p[:, None], eye)[0] for p in points.T]
        return np.concatenate(columns, axis=1)

    row = np.asarray(grad).T
    check_jacobian(values, r, values(r), row, eps, 0, None, output, "norm gradient")
    check_jacobian(gradients, r, grad, hess, eps, 0, None, output, "norm Hessian")
