"""Direct optimization of trajectories through inverse dynamics."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from . import _arguments as arguments
from ._cost import Cost, native_of


@dataclass(frozen=True)
class Path:
    """Positions at equal times, with what follows from them.

    Attributes:
        qpos: positions, (n + 1, nq).
        qvel: velocities, (n + 1, nv).
        qacc: accelerations of the steps, (n, nv).
        forces: force that each step needs, (n, nv), N or N m.
        cost: cost of states and forces, without constraints.
        violation: greatest violation of a constraint.
        force_violation: greatest force beyond its limits.
        converged: whether the last iteration converged.
        iterations: iterations made.
    """

    qpos: np.ndarray
    qvel: np.ndarray
    qacc: np.ndarray
    forces: np.ndarray
    cost: float
    violation: float
    force_violation: float
    converged: bool
    iterations: int

    def __repr__(self) -> str:
        return f"<Path of {len(self.forces)} steps: cost {self.cost:.6g} after {self.iterations} iterations>"


class Direct:
    """Optimizer of trajectories by their positions: inverse dynamics says which force each step needs, contacts included.

    The cost is one of positions and velocities, and of the forces. What no actuator moves must need no force. The forces are those
    of semi-implicit Euler steps (``integrator="Euler"``, with the flag ``eulerdamp`` disabled where joints have damping).

    Sources: Erez, Todorov 2012, "Trajectory optimization for domains with contacts using inverse dynamics"; Todorov, Erez, Tassa
    2012, "MuJoCo: A physics engine for model-based control", section IV.
    """

    def __init__(
        self,
        model: Any,
        cost: Cost,
        steps: int = 100,
        *,
        iterations: int = 200,
        tolerance: float = 1e-6,
        penalty: float = 10.0,
        force_penalty: float = 1.0,
        updates: int = 12,
        violation: float = 1e-3,
        force_violation: float = 1e-3,
        threads: int = 1,
    ):
        """Makes an optimizer.

        Args:
            model: the model.
            cost: the cost; its terms and constraints read no controls, accelerations or forces.
            steps: steps of the trajectory.
            iterations: most iterations for each set of multipliers.
            tolerance: relative decrease of the cost below which the trajectory is optimal.
            penalty: weight of half the squared violations of constraints to begin with.
            force_penalty: weight of half the squared forces beyond their limits to begin with.
            updates: most updates of the multipliers.
            violation: violation of constraints that is small enough.
            force_violation: force beyond limits that is small enough, N or N m.
            threads: threads; 0 for as many as there are cores. The result has the same bits for any number.

        Raises:
            ValueError: if a setting or the cost doesn't fit.
        """
        counts = [
            arguments.count("steps", steps, 1, arguments.STEPS),
            arguments.count("iterations", iterations, 1, arguments.ITERATIONS),
            arguments.count("updates", updates, 0, arguments.ITERATIONS),
            arguments.count("threads", threads, 0, arguments.THREADS),
        ]
        settings = {
            "tolerance": tolerance, "penalty": penalty, "force_penalty": force_penalty, "violation": violation,
            "force_violation": force_violation,
        }  # fmt: skip
        numbers = [arguments.number(name, x) for name, x in settings.items()]
        self._native = _core.Direct(native_of(model, cost), counts, numbers)

    @property
    def efforts(self) -> np.ndarray:
        """Weight of half the squared force, least and greatest force of each dof, (nv, 3): a copy, to change and set.

        Where an actuator moves a dof, 1e-3 without limits at first; elsewhere the force must vanish.
        """
        return self._native._efforts()

    @efforts.setter
    def efforts(self, rows: Any) -> None:
        self._native._set_efforts(np.asarray(rows, float).ravel())

    def solve(
        self, data: Any, qpos: Any = None, progress: bool | Callable[[int, float], bool | None] = False
    ) -> Path:
        """Optimizes from the state of data, which stays as it is.

        Args:
            data: the state to begin with.
            qpos: positions to begin with, (steps + 1, nq), of which the first are those of data; rest there unless given.
            progress: whether each iteration is printed, or a function of its number and the cost, which ends the optimization by
                returning False.

        Raises:
            ValueError: if a number of the positions or the cost is not finite.
        """
        tell = progress if callable(progress) else _tell if progress else None
        if qpos is not None:
            qpos = np.asarray(qpos, float).ravel()
        return Path(**self._native._solve(arguments.data(data), qpos, tell))

    def controls(self) -> np.ndarray:
        """Returns the controls within their ranges that come next to the forces of the last solution, (steps, nu).

        Raises:
            ValueError: if the model has activations.
        """
        return self._native._controls()


def _tell(n: int, cost: float) -> None:
    print(f"iteration {n}: cost {cost:.6g}", file=sys.stderr)
