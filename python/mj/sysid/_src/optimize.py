"""Identification: parameters that minimize a residual, and how certain they are."""

from __future__ import annotations

import io
import logging
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from mj import minimize
from mj.sysid._src._optional import require
from mj.sysid._src.parameter import ParameterDict

_log = logging.getLogger("mj.sysid")

_EPS = float(np.finfo(np.float64).eps ** 0.5)
# Condition of the Gauss-Newton Hessian above which a problem is called ill-conditioned.
_ILL_CONDITIONED = 1e12
# Distance from a bound, as a fraction of the range, up to which a start is at it.
_AT_BOUND = 1e-3

_OPTIMIZERS = ("mujoco", "scipy", "scipy_parallel_fd")


def _jacobian(
    residual: Callable[[np.ndarray], np.ndarray], x: np.ndarray, bounds: Sequence[np.ndarray], eps: float
) -> np.ndarray:
    """Return the Jacobian by finite differences, all points in one rollout."""
    return minimize.jacobian_fd(residual, x[:, None], residual(x)[:, None], eps, 0, bounds)[0]


def _warn_if_ill_conditioned(jacobian: np.ndarray) -> None:
    condition = float(np.linalg.cond(jacobian)) ** 2
    if not condition <= _ILL_CONDITIONED:
        _log.warning(
            "cond(J^T J) is %.1e at the start: the parameters can hardly be told apart; consider x_scale='jac', bounds that"
            " are closer, or fewer parameters",
            condition,
        )


def _warn_if_at_bound(x: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> None:
    extent = upper - lower
    inside = (lower <= x) & (x <= upper) & (extent > 0)
    count = int(np.sum(inside & (np.minimum(x - lower, upper - x) <= _AT_BOUND * extent)))
    if count:
        _log.warning(
            "%d of %d elements of the parameters start at a bound, where an optimization may stay; consider"
            " initial_params.move_off_bounds()",
            count,
            x.size,
        )


def _with_mujoco(
    residual: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray],
    verbose: bool,
    max_iters: int = 200,
    **options: Any,
) -> Any:
    if not verbose:
        options.setdefault("output", io.StringIO())
    x, trace = minimize.least_squares(
        x, residual, bounds, verbose=minimize.Verbosity.FULLITER, max_iter=max_iters, **options
    )
    last = trace[-1]
    extras = {"objective": [log.objective for log in trace], "candidate": [log.candidate[:, 0] for log in trace]}
    result = require("scipy.optimize").OptimizeResult
    return result(x=x, cost=last.objective, jac=last.jacobian, grad=last.grad, nit=len(trace) - 1, extras=extras)


def _with_scipy(
    residual: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray],
    verbose: bool,
    parallel: bool,
    max_iters: int = 200,
    **options: Any,
) -> Any:
    if parallel:
        eps = options.pop("diff_step", _EPS)
        options["jac"] = lambda at: _jacobian(residual, at, bounds, eps)
    options.setdefault("verbose", 2 if verbose else 0)
    return require("scipy.optimize").least_squares(residual, x, bounds=bounds, max_nfev=max_iters, **options)


def optimize(
    initial_params: ParameterDict,
    residual_fn: Callable[..., Any],
    optimizer: Literal["scipy", "mujoco", "scipy_parallel_fd"] = "mujoco",
    verbose: bool = True,
    check_conditioning: bool = False,
    **optimizer_kwargs: Any,
) -> tuple[ParameterDict, Any]:
    """Minimize the sum of the squares of a residual over parameters within their bounds.

    Args:
        initial_params: parameters with the values to start from; they are not changed.
        residual_fn: ``residual_fn(x, params)`` returns a tuple whose first entry is the list of residuals, each (nr) for a
            vector ``x`` or (nr, m) for ``x`` (nx, m); :func:`build_residual_fn` makes it.
        optimizer: ``mujoco`` is :func:`mj.minimize.least_squares`, ``scipy`` is
            :func:`scipy.optimize.least_squares`; ``scipy_parallel_fd`` is that with all finite differences in one
            parallel rollout.
        verbose: whether iterations are printed and a table of the parameters is logged.
        check_conditioning: whether to warn if the problem is ill-conditioned at the start; this takes one more Jacobian.
        **optimizer_kwargs: arguments of the optimizer; ``max_iters`` is the greatest number of iterations, 200 by default.

    Returns:
        The identified parameters, and a :class:`scipy.optimize.OptimizeResult` with ``x``, ``cost``, ``jac``, ``grad``
        and, of ``mujoco``, ``extras``: ``objective`` and ``candidate`` of each iteration.
    """
    if optimizer not in _OPTIMIZERS:
        raise ValueError(f"unknown optimizer '{optimizer}'; expected one of {', '.join(_OPTIMIZERS)}")
    result_type = require("scipy.optimize").OptimizeResult
    x, bounds = initial_params.as_vector(), initial_params.get_bounds()
    params = initial_params.copy()
    if x.size == 0:
        _log.warning("there is nothing to optimize: the dictionary has no parameters that are not frozen")
        return params, result_type(x=x, cost=np.nan, jac=np.zeros((0, 0)), grad=np.zeros(0), extras={})

    def residual(at: np.ndarray) -> np.ndarray:
        return np.concatenate(residual_fn(at, params)[0])

    if check_conditioning:
        _warn_if_ill_conditioned(_jacobian(residual, x, bounds, optimizer_kwargs.get("diff_step") or _EPS))
    _warn_if_at_bound(x, *bounds)
    if optimizer == "mujoco":
        result = _with_mujoco(residual, x, bounds, verbose, **optimizer_kwargs)
    else:
        result = _with_scipy(residual, x, bounds, verbose, optimizer == "scipy_parallel_fd", **optimizer_kwargs)
    params.update_from_vector(result.x)
    if verbose:
        nominal = initial_params.as_nominal_vector()
        _log.info("\n%s", params.compare_parameters(x, params.as_vector(), measured_params=nominal))
    return params, result


def calculate_intervals(
    residuals_star: Sequence[np.ndarray],
    J: np.ndarray | None,
    alpha: float = 0.05,
    lambda_zero_thresh: float = 1e-15,
    v_zero_thresh: float = 1e-8,
) -> tuple[np.ndarray, np.ndarray]:
    """Return covariance and confidence intervals of identified parameters, by linearization.

    The residual is taken as noise of equal variance, which is estimated from it.

    Args:
        residuals_star: residuals at the optimum.
        J: their Jacobian there (nr, nx).
        alpha: probability that a parameter is outside of its interval.
        lambda_zero_thresh: eigenvalues of ``J' J`` below this fraction of the largest one count as zero.
        v_zero_thresh: elements of eigenvectors below this count as zero. A parameter without part in the eigenvectors of
            eigenvalue zero has a finite interval.

    Returns:
        The covariance (nx, nx), and half of the width of each interval (nx), infinite for parameters that the residual
        does not determine.
    """
    if J is None or J.size == 0:
        return np.empty((0, 0)), np.empty(0)
    noise = np.concatenate([np.ravel(r) for r in residuals_star])
    freedom = noise.size - J.shape[1]
    if freedom < 1:
        return np.full((J.shape[1],) * 2, np.inf), np.full(J.shape[1], np.inf)
    variance = noise @ noise / freedom
    values, vectors = np.linalg.eigh(J.T @ J)
    zero = values <= lambda_zero_thresh * values.max()
    parts = np.where(np.abs(vectors) < v_zero_thresh, 0.0, vectors) ** 2
    determined = ~np.any(parts[:, zero] > 0, axis=1)
    diagonal = np.where(determined, parts[:, ~zero] @ (1 / values[~zero]), np.inf)
    smallest = lambda_zero_thresh * max(float(values.max()), np.finfo(np.float64).tiny)
    covariance = variance * (vectors / np.maximum(values, smallest)) @ vectors.T
    quantile = require("scipy.special").stdtrit(freedom, 1 - alpha / 2)
    return covariance, np.sqrt(diagonal * variance) * quantile
