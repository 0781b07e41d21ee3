"""The solver: Gauss-Newton steps with adaptive regularization.

At ``x``, with Jacobian ``J`` of the residual ``r``, gradient ``g = J' n'`` and
Gauss-Newton Hessian ``H = J' n'' J`` of the norm ``n``, a step ``dx`` minimizes

    1/2 dx' (H + mu I) dx + g' dx    where    lower <= x + dx <= upper.

A step is taken if the objective falls by a small part of what the model without
``mu`` predicts. ``mu`` grows until that is so, then follows how well the
prediction was met: it shrinks after a good step, the more good steps in a row
the faster, grows after a poor one, and is zero below ``mu_min``.
"""

import dataclasses
import enum
import io
import math
import time
from collections.abc import Callable, Sequence
from typing import TextIO

import numpy as np

from mj.minimize._differences import check_jacobian, check_norm, jacobian_fd
from mj.minimize._norm import Norm, Quadratic
from mj.minimize._parts import Regularizer, Residual, Timed, column_bounds, scaling
from mj.minimize._step import Step, free_norm

# Ratio of actual to predicted reduction above which a step is taken, below which
# the regularizer grows, and above which it shrinks.
_ACCEPT = 0.02
_POOR = 0.25
_GOOD = 0.75

_EPS = float(np.finfo(np.float64).eps ** 0.5)


class Verbosity(enum.Enum):
    """How much is printed."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why the solver stopped."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_MESSAGES = {
    Status.FACTORIZATION_FAILED: "factorization failed",
    Status.NO_IMPROVEMENT: "insufficient reduction",
    Status.MAX_ITER: "maximum iterations reached",
    Status.DX_TOL: "norm(dx) < tol",
    Status.G_TOL: "norm(gradient) < tol",
}


@dataclasses.dataclass(frozen=True)
class IterLog:
    """One iteration.

    The optional attributes are kept with ``Verbosity.FULLITER`` only.

    Attributes:
        candidate: the point from which the step is taken (nx x 1).
        objective: the norm of the residual there.
        reduction: how much the step reduces the objective.
        regularizer: the value of ``mu`` for the step.
        residual: the residual at the point.
        jacobian: the Jacobian at the point.
        grad: the gradient of the objective at the point.
        step: the step; absent in the last log, which takes none.
    """

    candidate: np.ndarray
    objective: float
    reduction: float
    regularizer: float
    residual: np.ndarray | None = None
    jacobian: np.ndarray | None = None
    grad: np.ndarray | None = None
    step: np.ndarray | None = None


def least_squares(
    x0: np.ndarray,
    residual: Callable[[np.ndarray], np.ndarray],
    bounds: Sequence[np.ndarray] | None = None,
    jacobian: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None,
    norm: Norm = Quadratic(),
    eps: float = _EPS,
    mu_min: float = 1e-6,
    mu_max: float = 1e8,
    mu_factor: float = 10.0**0.1,
    xtol: float = 1e-8,
    gtol: float = 1e-8,
    max_iter: int = 100,
    verbose: Verbosity | int = Verbosity.ITER,
    output: TextIO | None = None,
    iter_callback: Callable[[list[IterLog]], None] | None = None,
    check_derivatives: bool = False,
    x_scale: float | np.ndarray | str | None = None,
) -> tuple[np.ndarray, list[IterLog]]:
    """Minimize the norm of a residual, optionally between bounds.

    Args:
        x0: where to start, of any shape; moved into the bounds.
        residual: the residuals (nr x m) of m points (nx x m), m at least 1.
        bounds: finite lower and upper bound of ``x``, each of the size of ``x0``.
        jacobian: the Jacobian (nr x nx) from a point (nx x 1) and its residual
            (nr x 1). Without it, the residual is differentiated numerically.
        norm: the function of the residual to minimize.
        eps: step size of finite differences.
        mu_min: least positive value of the regularizer.
        mu_max: value of the regularizer at which the solver gives up.
        mu_factor: factor of growth of the regularizer, greater than 1.
        xtol: stop after a step ``dx`` from ``x`` with
            ``norm(dx) < xtol * (xtol + norm(x))``.
        gtol: stop if the norm of the gradient, scaled by ``x_scale`` and without
            the coordinates that a bound holds back, is less.
        max_iter: stop after this many steps.
        verbose: what is printed, and whether the logs are complete.
        output: where messages are printed; stdout by default.
        iter_callback: called with the logs so far after each iteration.
        check_derivatives: compare ``jacobian`` and ``norm`` with finite
            differences at the start; ``ValueError`` if they differ.
        x_scale: typical size of the change of each coordinate: a number or an
            array (nx). The solver works with ``x / x_scale``, to which the
            regularizer then applies. ``"jac"`` takes the inverse of the norms of
            the columns of the Jacobian, anew in each iteration.

    Returns:
        The best point found, in the shape of ``x0``, and the logs: one for each
        step, and one for the final point.
    """
    verbose = Verbosity(verbose)
    full = verbose is Verbosity.FULLITER
    start = time.perf_counter()
    regularizer = Regularizer(mu_min, mu_max, mu_factor)
    shape = np.shape(x0)
    x = np.array(x0, dtype=np.float64).reshape(-1, 1)
    limits = column_bounds(bounds, x.size)
    scale_of = scaling(x_scale, x.size)
    residual = Residual(residual)
    jacobian = Timed(jacobian) if jacobian is not None else None

    def differentiate() -> np.ndarray:
        if jacobian is None:
            return jacobian_fd(residual, x, r, eps, 0, limits)[0]
        return jacobian(x, r)

    def say(level: Verbosity, text: str) -> None:
        if verbose.value >= level.value:
            print(text, file=output)

    def record(log: IterLog) -> None:
        trace.append(log)
        if iter_callback is not None:
            iter_callback(trace)

    if limits is not None:
        x = np.clip(x, *limits)
    r = residual(x)
    y = float(norm.value(r))
    trace: list[IterLog] = []
    status = Status.MAX_ITER
    jac = grad = None

    for iteration in range(max_iter):
        jac = differentiate()
        if check_derivatives and iteration == 0:
            sink = io.StringIO() if verbose is Verbosity.SILENT else output
            if jacobian is not None:
                check_jacobian(residual, x, r, jac, eps, 0, limits, sink)
            if type(norm) is not Quadratic:
                check_norm(r, norm, eps, sink)
        grad, hess = norm.grad_hess(r, jac)
        scale = scale_of(jac)
        slope = free_norm(grad, x, limits, scale)
        if slope == 0.0:
            say(Verbosity.FINAL, "Zero gradient norm: exact minimum found?")
        if slope == 0.0 or slope < gtol:
            status = Status.G_TOL
            break

        # Grow the regularizer until a step is good enough.
        step = Step(x, grad, hess, scale, limits)
        while True:
            failure = Status.FACTORIZATION_FAILED
            point = step.propose(regularizer.value)
            if point is not None:
                failure = Status.NO_IMPROVEMENT
                r_point = residual(point)
                y_point = float(norm.value(r_point))
                reduction, predicted = y - y_point, step.predicted()
                if np.isfinite(y_point) and reduction > _ACCEPT * predicted > 0.0:
                    break
            if not regularizer.can_grow():
                point = None
                break
            regularizer.grow()
        if point is None:
            status = failure
            break

        mu, ratio, dx = regularizer.value, reduction / predicted, point - x
        length = float(np.linalg.norm(dx))
        say(
            Verbosity.ITER,
            f"iter: {iteration:<4d} y: {y:<10.4g} log10mu: {_log10(mu):>4.1f}"
            f"  ratio: {ratio:<8.2g} dx: {length:<8.2g} reduction: {reduction:<8.2g}",
        )
        log = IterLog(x, y, reduction, mu)
        if full:
            log = dataclasses.replace(log, residual=r, jacobian=jac, grad=grad, step=dx)
        record(log)
        if ratio > _GOOD:
            regularizer.shrink()
        elif ratio < _POOR:
            regularizer.grow()
        small = length < xtol * (xtol + float(np.linalg.norm(x)))
        x, r, y = point, r_point, y_point
        jac = grad = None
        if small:
            status = Status.DX_TOL
            break

    log = IterLog(x, y, 0.0, regularizer.value)
    if full:
        if jac is None:
            jac = differentiate()
            grad = norm.grad_hess(r, jac)[0]
        log = dataclasses.replace(log, residual=r, jacobian=jac, grad=grad)
    record(log)
    _summarize(say, status, trace, residual, jacobian, time.perf_counter() - start)
    return x.reshape(shape), trace


def _log10(value: float) -> float:
    return math.log10(value) if value > 0.0 else -math.inf


def _summarize(
    say: Callable[[Verbosity, str], None],
    status: Status,
    trace: list[IterLog],
    residual: Timed,
    jacobian: Timed | None,
    seconds: float,
) -> None:
    calls = f"Residual evals: {residual.points}"
    shares = f"residual {residual.seconds / seconds:.1%}"
    if jacobian is not None:
        calls += f", Jacobian evals: {jacobian.points}"
        shares += f", Jacobian {jacobian.seconds / seconds:.1%}"
    say(
        Verbosity.FINAL,
        f"Terminated after {len(trace) - 1} iterations: {_MESSAGES[status]}."
        f" y: {trace[-1].objective:.4g}, {calls}\n"
        f"total time {1e3 * seconds:.1f} ms, of which {shares}\n",
    )
