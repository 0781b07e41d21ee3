"""Derivatives of a time step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core

__all__ = ["StepDerivative", "step_derivative"]


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
        parameters_by_differences: those of them that have no closed form here.
        differences: blocks of columns that are not in closed form but by differences, each with the reason:
            ``position``, ``velocity``, ``activation``, ``control``, or ``step`` for all of them.
    """

    __module__ = "mj"
    differences: dict[str, str]
    P: np.ndarray
    parameters_by_differences: list[str]


def step_derivative(
    model: Any, data: Any, *, differences: bool = False, parameters: Sequence[str] = ()
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
        differences: whether to find all blocks by differences of inverse dynamics, to compare with; without parameters.
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
    if differences and names:
        raise ValueError("parameters have no derivatives with `differences=True`: leave one of the two out")
    (a, b, p), reasons, others = _core._step_derivative(model, data, bool(differences), names)
    found = StepDerivative(a, b)
    found.differences = dict(reasons)
    found.P = p
    found.parameters_by_differences = [name for name, other in zip(names, others) if other]
    return found
