"""Costs: sums of weighted norms of residuals, and constraints."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from . import _arguments as arguments


@dataclass(frozen=True)
class Residual:
    """Vector that a cost wants to be small. Functions of this module make it: :func:`position`, :func:`sensor`, ..."""

    kind: str
    arguments: tuple = ()

    def _native(self, cost: Any) -> Any:
        return getattr(cost, f"_{self.kind}")(*self.arguments)


def _dofs(dofs: Sequence[int] | None) -> list[int] | None:
    return None if dofs is None else [arguments.count("dofs", i, 0, 1 << 31) for i in dofs]


def position(target: Any = None, dofs: Sequence[int] | None = None) -> Residual:
    """Difference of ``qpos`` from a target (nq; ``qpos0`` unless given) in the tangent space, of all dofs or some."""
    return Residual("position", (target, _dofs(dofs)))


def velocity(dofs: Sequence[int] | None = None) -> Residual:
    """Velocity of all dofs or some."""
    return Residual("velocity", (_dofs(dofs),))


def control(target: Any = None) -> Residual:
    """Difference of the controls from a target (nu; zeros unless given)."""
    return Residual("control", (target,))


def sensor(name: str, target: Any = None) -> Residual:
    """Difference of a sensor's reading from a target; zeros unless given."""
    return Residual("sensor", (name, target))


def point(kind: str, name: str, target: Any = None) -> Residual:
    """Position of a ``body``, ``geom`` or ``site`` in the world, less a target, m."""
    return Residual("point", (kind, name, target))


def function(f: Callable[[Any, Any], Any], dim: int, stage: str = "acc") -> Residual:
    """Function ``f(model, data)`` that returns ``dim`` numbers.

    It takes the interpreter, so that threads take turns, and it is differentiated by differences: a sensor is much faster.
    ``data`` is a copy. ``stage`` is the latest stage whose results ``f`` reads: ``pos`` for poses, ``vel`` for velocities,
    ``acc`` for all. A function of the state alone has ``pos`` or ``vel``. What ``f`` raises ends the planner's call.
    """
    return Residual("function", (f, arguments.count("dim", dim, 1, 1 << 16), stage))


class Cost:
    """Sum of terms, each a weighted norm of a residual, and constraints.

    >>> from mj import control
    >>> cost = control.Cost().add("upright", control.position([0.0]), running=1.0, terminal=100.0)
    >>> cost.add("effort", control.control(), running=0.01)
    <Cost: upright, effort>

    Names and sizes are checked against the model where a planner is made.
    """

    def __init__(self) -> None:
        """Makes a cost without terms."""
        self._terms: list[tuple] = []
        self._limits: list[tuple] = []

    def add(
        self,
        name: str,
        residual: Residual,
        norm: str = "quadratic",
        *,
        running: float = 1.0,
        terminal: float | None = None,
        width: float = 1.0,
    ) -> Cost:
        """Adds a term; returns the cost.

        Args:
            name: its name.
            residual: vector that is to be small.
            norm: ``quadratic`` (half the square), ``l2``, ``cosh``, ``smooth_abs``, ``huber`` or ``softplus``.
            running: weight at each step.
            terminal: weight at the end; ``running`` unless given, and 0 for controls.
            width: where the norm turns from one shape to the other, in the residual's unit; ``quadratic`` has none.

        Raises:
            ValueError: if a number is out of its range.
        """
        self._check(residual)
        weight = arguments.number("running", running)
        is_control = residual.kind == "control"
        last = arguments.number("terminal", (0.0 if is_control else weight) if terminal is None else terminal)
        if is_control and last != 0:
            raise ValueError(f"`terminal` is {last} for controls; expected 0, since the end has none")
        self._terms.append((str(name), residual, (str(norm), arguments.number("width", width)), [weight, last]))
        return self

    def within(
        self, name: str, residual: Residual, lower: float = -math.inf, upper: float = math.inf, *, terminal_only: bool = False
    ) -> Cost:
        """Adds a constraint, lower <= r <= upper in all entries at each step or at the end alone; returns the cost.

        :class:`Ilqr` meets it by an augmented Lagrangian; :class:`Sampler` adds a penalty.
        """
        self._check(residual)
        limits = [arguments.number(n, x, infinite=True) for n, x in (("lower", lower), ("upper", upper))]
        self._limits.append((str(name), residual, limits, bool(terminal_only)))
        return self

    @staticmethod
    def _check(residual: Any) -> None:
        if not isinstance(residual, Residual):
            raise TypeError(f"`residual` must be a Residual, as control.position() makes it, not {type(residual).__name__}")

    def residuals(self, data: Any) -> dict[str, np.ndarray]:
        """Computes the residual of each term and constraint at the state of data, by name."""
        native = self._native(arguments.data(data).model)
        return {name: np.array(numbers) for name, numbers in native._residuals(data)}

    def _native(self, model: Any) -> Any:
        native = _core.Cost(arguments.model(model))
        for name, residual, norm, weights in self._terms:
            native._add(name, residual._native(native), norm, weights)
        for name, residual, limits, last_only in self._limits:
            native._within(name, residual._native(native), limits, last_only)
        return native

    def __repr__(self) -> str:
        return f"<Cost: {', '.join(name for name, *_ in self._terms + self._limits) or 'no terms'}>"


def native_of(model: Any, cost: Any) -> Any:
    """Returns a cost for a model; raises a TypeError if it is something else."""
    if not isinstance(cost, Cost):
        raise TypeError(f"`cost` must be a Cost, not {type(cost).__name__}")
    return cost._native(model)
