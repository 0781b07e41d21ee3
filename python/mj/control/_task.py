"""Tasks of control by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from .._structs import MjModel
from . import _arguments as arguments
from ._planners import Iteration, Rate, Trajectory, _tell


@dataclass(frozen=True)
class Outcome:
    """Outcome of a task: whether it succeeded, states (n + 1 rows), controls (n rows), and plans made."""

    success: bool
    time: np.ndarray
    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray
    controls: np.ndarray
    rate: Rate

    @property
    def states(self) -> np.ndarray:
        """Position, velocity and activation side by side, (n + 1, nq + nv + na)."""
        return np.concatenate([self.qpos, self.qvel, self.act], axis=1)


def tasks() -> list[str]:
    """Returns the names of all tasks."""
    return [texts[0] for texts, *_ in _core._tasks()]


class Task:
    """Task of control: a model, starts that follow from a seed, a controller, a condition of success.

    Attributes:
        name: its name, one of :func:`tasks`.
        about: description.
        success: condition of success.
        method: method of control.
        seconds: simulated time, s.
        is_open: whether nothing says how often its controller succeeds.
    """

    def __init__(self, name: str):
        """Finds a task.

        Raises:
            ValueError: if there is none of that name; the message lists all.
        """
        known = {texts[0]: (texts, *rest) for texts, *rest in _core._tasks()}
        if name not in known:
            raise ValueError(f"there is no task {name!r}; the tasks are {', '.join(known)}")
        (self.name, self.about, self.success, self.method), self.seconds, self.is_open = known[name]

    def model(self) -> Any:
        """Makes the model."""
        return MjModel(_core._task_model(self.name))

    def plan(
        self, seed: int = 0, threads: int = 0, progress: bool | Callable[[int, Iteration], bool | None] = False
    ) -> Trajectory:
        """Optimizes the controls from the start of a seed, as ``mj plan`` does; of a receding horizon, the first plan.

        Args:
            seed: seed that the start follows from.
            threads: threads; 0 for as many as there are cores.
            progress: whether each iteration is printed, or a function of its number and the iteration, which ends the
                optimization by returning False.

        Raises:
            ValueError: if the task is controlled by a regulator, which plans nothing.
        """
        seed = arguments.count("seed", seed, 0, 2**64 - 1)
        tell = progress if callable(progress) else _tell if progress else None
        rows: list[Iteration] = []

        def watch(n: int, row: Any) -> bool | None:
            rows.append(Iteration(*row))
            return tell(n, rows[-1]) if tell else None

        found = _core._task_plan(self.name, seed, arguments.count("threads", threads, 0, arguments.THREADS), watch)
        return Trajectory(**found, converged=bool(rows and rows[-1].converged), iterations=rows)

    def run(self, seed: int = 0, threads: int = 0) -> Outcome:
        """Controls a simulation from the start of a seed, on so many threads; 0 for as many as there are cores."""
        seed = arguments.count("seed", seed, 0, 2**64 - 1)
        found = _core._task_run(self.name, seed, arguments.count("threads", threads, 0, arguments.THREADS))
        return Outcome(rate=Rate(found.pop("plans"), found.pop("seconds")), **found)

    def __repr__(self) -> str:
        return f"<Task {self.name!r}: {self.about}>"
