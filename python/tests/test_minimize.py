"""Tests of nonlinear least squares."""

import io
import pickle

import numpy as np
import pytest

pytest.importorskip("mj._core", exc_type=ImportError)

import mj
from mj import minimize


def rosenbrock(x):
    return np.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)])


def solve(x0, residual, **kwargs):
    output = io.StringIO()
    x, trace = minimize.least_squares(x0, residual, output=output, **kwargs)
    return x, trace, output.getvalue()


def test_finds_the_minimum_of_rosenbrock():
    x, trace, text = solve(np.zeros(2), rosenbrock)
    np.testing.assert_allclose(x, [1, 1], atol=1e-8)
    objectives = [log.objective for log in trace]
    assert objectives == sorted(objectives, reverse=True)
    reductions = [log.reduction for log in trace[:-1]]
    np.testing.assert_allclose(reductions, -np.diff(objectives), atol=1e-12)
    assert trace[-1].reduction == 0
    assert f"Terminated after {len(trace) - 1} iterations" in text


def test_linear_problem_takes_one_gauss_newton_step():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(7, 3)), rng.normal(size=(7, 1))
    x, trace, _ = solve(np.zeros(3), lambda x: a @ x - b, jacobian=lambda x, r: a)
    np.testing.assert_allclose(
        x, np.linalg.lstsq(a, b, rcond=None)[0][:, 0], atol=1e-12
    )
    assert len(trace) == 2 and trace[0].regularizer == 0


def test_bounded_linear_problem_meets_the_optimality_conditions():
    rng = np.random.default_rng(2)
    for _ in range(20):
        a, b = rng.normal(size=(6, 4)), rng.normal(size=(6, 1))
        lower = rng.normal(size=4) - 0.3
        upper = lower + rng.uniform(0.1, 0.6, size=4)
        x, _, _ = solve(np.zeros(4), lambda x: a @ x - b, bounds=(lower, upper))
        grad = (a.T @ (a @ x[:, None] - b))[:, 0]
        assert np.all((lower <= x) & (x <= upper))
        assert np.all(grad[x == lower] > -1e-7) and np.all(grad[x == upper] < 1e-7)
        free = (x > lower) & (x < upper)
        np.testing.assert_allclose(grad[free], 0, atol=1e-5)


@pytest.mark.parametrize("x_scale", [None, 3.0, np.array([1.0, 0.01]), "jac"])
@pytest.mark.parametrize("bounded", [False, True])
def test_scaling_keeps_the_minimum(x_scale, bounded):
    bounds = (np.array([-2.0, -2.0]), np.array([0.5, 2.0])) if bounded else None
    x, _, _ = solve(np.zeros(2), rosenbrock, x_scale=x_scale, bounds=bounds)
    np.testing.assert_allclose(x, [0.5, 0.25] if bounded else [1, 1], atol=1e-5)


def test_start_is_moved_into_the_bounds():
    bounds = (np.array([0.0, 0.0]), np.array([1.0, 1.0]))
    _, trace, _ = solve(np.array([5.0, -5.0]), lambda x: x - 0.5, bounds=bounds)
    np.testing.assert_array_equal(trace[0].candidate, [[1], [0]])


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (1, 1, 1)])
def test_result_has_the_shape_of_the_start(shape):
    x, _, _ = solve(np.zeros(shape), lambda x: x - 2)
    assert x.shape == shape
    np.testing.assert_allclose(x, 2)


def test_full_logs():
    _, trace, _ = solve(np.zeros(2), rosenbrock, verbose=minimize.Verbosity.FULLITER)
    for log, following in zip(trace, trace[1:]):
        np.testing.assert_array_equal(log.residual, rosenbrock(log.candidate))
        np.testing.assert_allclose(log.grad, log.jacobian.T @ log.residual)
        np.testing.assert_array_equal(log.candidate + log.step, following.candidate)
    assert trace[-1].step is None and trace[-1].jacobian.shape == (2, 2)
    _, trace, _ = solve(np.zeros(2), rosenbrock)
    assert trace[0].jacobian is None
    assert pickle.loads(pickle.dumps(trace[0])).objective == trace[0].objective


@pytest.mark.parametrize(
    "kwargs, status",
    [
        ({}, "norm(gradient) < tol"),
        ({"max_iter": 3}, "maximum iterations reached"),
        ({"max_iter": 0}, "maximum iterations reached"),
        ({"gtol": 0, "xtol": 0.1}, "norm(dx) < tol"),
        ({"mu_max": 1e-5}, "insufficient reduction"),
    ],
)
def test_reasons_to_stop(kwargs, status):
    _, _, text = solve(np.zeros(2), rosenbrock, **kwargs)
    assert status in text


def test_residual_that_is_not_finite_at_the_start():
    x, trace, text = solve(np.ones(1), lambda x: x * np.nan)
    assert "factorization failed" in text
    assert x == 1 and len(trace) == 1


def test_verbosity_and_callback():
    lengths = []
    _, trace, text = solve(
        np.zeros(2),
        rosenbrock,
        verbose=0,
        iter_callback=lambda t: lengths.append(len(t)),
    )
    assert text == ""
    assert lengths == list(range(1, len(trace) + 1))
    _, trace, text = solve(np.zeros(2), rosenbrock, verbose=1)
    assert "iter:" not in text and "Terminated" in text
    _, trace, text = solve(np.zeros(2), rosenbrock, verbose=2)
    assert text.count("iter:") == len(trace) - 1


@pytest.mark.parametrize(
    "kwargs",
    [
        {"bounds": [np.zeros(2)]},
        {"bounds": [np.zeros(3), np.ones(3)]},
        {"bounds": [np.zeros(2), np.array([1.0, np.inf])]},
        {"bounds": [np.zeros(2), np.array([1.0, 0.0])]},
        {"x_scale": "other"},
        {"x_scale": np.ones(3)},
        {"x_scale": 0.0},
        {"mu_factor": 1.0},
        {"verbose": 7},
    ],
)
def test_invalid_arguments(kwargs):
    with pytest.raises(ValueError):
        solve(np.zeros(2), rosenbrock, **kwargs)


@pytest.mark.parametrize("residual", [lambda x: x[:, 0], lambda x: x[:, :1]])
def test_residual_of_wrong_shape(residual):
    with pytest.raises(ValueError, match="for 2 points|for 1 points"):
        solve(np.ones(2), residual)


def test_finite_differences():
    x = np.array([[0.3], [-2000.0], [5.0]])
    jac, count = minimize.jacobian_fd(np.sin, x, np.sin(x), 1e-8, 10)
    np.testing.assert_allclose(jac, np.diag(np.cos(x[:, 0])), atol=1e-4)
    assert count == 13


def test_checks_of_derivatives():
    def jacobian(x, r):
        return np.array([[-1, 0], [-20 * x[0, 0], 10]])

    _, _, text = solve(
        np.ones(2), rosenbrock, jacobian=jacobian, check_derivatives=True
    )
    assert "Jacobian matches" in text
    with pytest.raises(ValueError, match="Jacobian does not match"):
        solve(
            np.ones(2),
            rosenbrock,
            jacobian=lambda x, r: 1.001 * jacobian(x, r),
            check_derivatives=True,
        )
    # A derivative of zero is compared with the error of a difference.
    minimize.check_jacobian(
        np.square, np.zeros((1, 1)), np.zeros((1, 1)), np.zeros((1, 1)), 1e-8, 0,
        output=io.StringIO(),
    )  # fmt: skip


def test_other_norm():
    class PseudoHuber(minimize.Norm):
        def value(self, r):
            return float(np.sum(np.sqrt(1 + r**2) - 1))

        def grad_hess(self, r, proj):
            s = np.sqrt(1 + r**2)
            return proj.T @ (r / s), proj.T @ (proj / s**3)

    x, _, text = solve(
        np.zeros(2), rosenbrock, norm=PseudoHuber(), check_derivatives=True
    )
    np.testing.assert_allclose(x, [1, 1], atol=1e-5)
    assert "norm gradient matches" in text and "norm Hessian matches" in text
    with pytest.raises(TypeError):
        minimize.Norm()
