"""Velocity stepping."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core

__all__ = ["ImpulsePipeline"]


class ImpulsePipeline(_core.Impulse):
    """Time steps by impulses: the pipeline that MuJoCo had before 1.0, beside ``mj_step``.

    ``mj_step`` finds forces that give an acceleration. This pipeline finds the impulses of a step that give the
    velocity at its end: M (v' - v) = h (applied and passive force) + J' impulse, where impulses of contacts lie in
    their friction cones.

    >>> import mj
    >>> model = mj.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    >>> data = mj.MjData(model)
    >>> mj.ImpulsePipeline(model).step(data, nstep=100)
    >>> round(data.time, 3)
    0.2

    Sources: Todorov 2014, "Convex and analytically-invertible dynamics with contacts and constraints"; docs/formulations.md.
    """

    __module__ = "mj"

    def __new__(
        cls,
        model: Any,
        *,
        integrator: str = "semi-implicit",
        hard_equalities: bool = False,
        epsilon: float = 0.01,
        kappa: float = 0.02,
        iterations: int = 50,
        tolerance: float = 1e-9,
    ) -> ImpulsePipeline:
        """Makes the pipeline for a model.

        Args:
            model: the model; what is written to its parameters is what the next step uses.
            integrator: ``explicit``, ``midpoint``, ``semi-implicit``, ``rk4`` or ``interleaved``.
            hard_equalities: whether equality constraints hold exactly, not with the regularization of their rows.
            epsilon: regularization of each row relative to its inverse inertia.
            kappa: time constant in which violations decay, s.
            iterations: greatest number of Gauss-Seidel sweeps.
            tolerance: sweeps stop when no impulse changes by more than this share of the greatest.

        Raises:
            ValueError: if the model has what this pipeline doesn't know (adhesion, delays, sleeping, ...), or a setting
                is out of range.
        """
        return super().__new__(cls, model, integrator, bool(hard_equalities), epsilon, kappa, iterations, tolerance)

    def step(self, data: Any, nstep: int = 1) -> None:
        """Takes the state of data on by ``nstep`` time steps. Results other than the state stay as they are.

        Raises:
            ValueError: if the state stops being finite.
        """
        self._step(data, nstep)

    @property
    def impulses(self) -> np.ndarray:
        """Impulse of each constraint row in the last step, N s or N m s: a copy."""
        return self._impulses()

    @property
    def ncon(self) -> int:
        """Number of contacts in the last step."""
        return self._counts()[0]

    @property
    def nefc(self) -> int:
        """Number of constraint rows in the last step."""
        return self._counts()[1]

    @property
    def niter(self) -> int:
        """Number of sweeps of the solver in the last step."""
        return self._counts()[2]
