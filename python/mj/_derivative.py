"""Derivatives of a time step and of inverse dynamics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core

__all__ = ["InverseDerivative", "StepDerivative", "inverse_derivative", "step_derivative"]


class _Matrices(NamedTuple):
    A: np.ndarray
    B: np.ndarray


class StepDerivative(_Matrices):
    """The Jacobians of a time step: ``A, B = mj.step_derivative(model, data)``.

    With y = step(x, u), dy = A dx + B du. States are position (in the tangent space, nv), velocity (nv) and
    activation (na): nx = 2 nv + na numbers.

    Attributes:
        A: derivative by the state, (nx, nx).
        B: derivative by the controls, (nx, nu).
        P: derivative by the parameters that were asked for, (nx, n).
        C: derivative of the sensors by the state, (nsensordata, nx); this and the next two are None unless asked for.
        D: derivative of the sensors by the controls, (nsensordata, nu).
        S: derivative of the sensors by the parameters, (nsensordata, n).
        parameters_by_differences: those of them that have no closed form here.
        differences: blocks of columns that are not in closed form but by differences, each with the reason:
            ``position``, ``velocity``, ``activation``, ``control``, or ``step`` for all of them.
    """

    __module__ = "mj"
    differences: dict[str, str]
    P: np.ndarray
    C: np.ndarray | None = None
    D: np.ndarray | None = None
    S: np.ndarray | None = None
    parameters_by_differences: list[str]


def step_derivative(
    model: Any, data: Any, *, differences: bool = False, sensors: bool = False, parameters: Sequence[str] = ()
) -> StepDerivative:
    """Computes the Jacobians of ``mj_step`` at the present state and control, in closed form.

    Covered are rigid bodies with all joints, springs and dampers, tendons, simple actuators and muscles, limits,
    friction loss, equality constraints, contacts of all shapes and forces of fluids, for all integrators but RK4.
    Blocks of columns that something else in a model keeps from closed form are found by centered differences of
    inverse dynamics; ``differences`` of the result says which, and why.

    The solver must have converged: give ``model.opt.tolerance`` a small value, as 1e-12. The state comes out as it
    went in; results in ``data`` are those of the present state.

    Args:
        model: the model.
        data: its data.
        differences: whether to find all blocks by differences of inverse dynamics, to compare with; without parameters
            and sensors.
        sensors: whether to find how the sensors move that the step reads before it moves on. Their columns are centered
            differences of the readings along the closed-form derivative of the acceleration; no solver runs.
        parameters: numbers of the model to differentiate by, each a field, a row by name or number, and a number in
            the row where it has several: ``"body_mass[torso]"``, ``"geom_friction[floor,0]"``, ``"opt.gravity[2]"``.
            Constants that ``mj_setConst`` derives from a parameter follow it.

    Returns:
        A (nx, nx) and B (nx, nu), with nx = 2 nv + na; see :class:`StepDerivative`. Rows and columns have the
        units of position (m or rad), velocity (m/s or rad/s), activation and control.

    Raises:
        ValueError: if the integrator is RK4, model and data don't fit together, or a text names no parameter.

    ``mjd_transitionFD`` computes these by differences of the whole step, which runs the solver for every column. The
    method is implicit differentiation of the constraint solver's optimality condition, Todorov 2014, "Convex and
    analytically-invertible dynamics with contacts and constraints".
    """
    names = list(parameters)
    if differences and (names or sensors):
        what = "parameters" if names else "sensors"
        raise ValueError(f"{what} have no derivatives with `differences=True`: leave one of the two out")
    matrices, reasons, others = _core._step_derivative(model, data, bool(differences), bool(sensors), names)
    a, b, p = matrices[:3]
    found = StepDerivative(a, b)
    if sensors:
        found.C, found.D, found.S = matrices[3:]
    found.differences = dict(reasons)
    found.P = p
    found.parameters_by_differences = [name for name, other in zip(names, others) if other]
    return found


class _InverseMatrices(NamedTuple):
    F_q: np.ndarray
    F_v: np.ndarray
    F_a: np.ndarray


class InverseDerivative(_InverseMatrices):
    """The Jacobians of inverse dynamics: ``F_q, F_v, F_a = mj.inverse_derivative(model, data)``.

    With f the force in joint space, df = F_q dq + F_v dv + F_a da + P dp; positions are in the tangent space.

    Attributes:
        F_q: derivative by the position, (nv, nv).
        F_v: derivative by the velocity, (nv, nv).
        F_a: derivative by the acceleration, (nv, nv).
        P: derivative by the parameters that were asked for, (nv, n).
        parameters_by_differences: those of them that have no closed form here.
        differences: blocks of columns that are by differences, each with the reason: ``position``, ``velocity``, or
            ``step`` for all of them.
    """

    __module__ = "mj"
    differences: dict[str, str]
    P: np.ndarray
    parameters_by_differences: list[str]


def inverse_derivative(
    model: Any, data: Any, *, actuation: bool = False, parameters: Sequence[str] = ()
) -> InverseDerivative:
    """Computes the Jacobians of ``mj_inverse`` at the present state and acceleration ``data.qacc``, in closed form.

    Coverage is that of :func:`mj.step_derivative`; with the integrator ``discrete``, the flag ``invdiscrete``, callbacks,
    flexes and plugins all of it is by centered differences. State and acceleration come out as they went in; other
    results in ``data`` do not.

    Args:
        model: the model.
        data: its data.
        actuation: whether to subtract the forces of actuators, so that what is left is to be applied beside them.
        parameters: numbers of the model to differentiate by, as those of :func:`mj.step_derivative`.

    Returns:
        Three matrices (nv, nv) with a column for each dof that moves; see :class:`InverseDerivative`. Rows have the units of force
        (N or N m).

    Raises:
        ValueError: if trees may sleep, the flag ``invdiscrete`` is on with RK4, model and data don't fit together, or a
            text names no parameter.

    ``mjd_inverseFD`` computes their transposes by forward differences.
    """
    names = list(parameters)
    (q, v, a, p), reasons, others = _core._inverse_derivative(model, data, bool(actuation), names)
    found = InverseDerivative(q, v, a)
    found.differences = dict(reasons)
    found.P = p
    found.parameters_by_differences = [name for name, other in zip(names, others) if other]
    return found
