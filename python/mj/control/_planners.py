"""Optimizers of trajectories, and receding-horizon control."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from . import _arguments as arguments
from ._cost import Cost, native_of


class Iteration(NamedTuple):
    """An iteration of :class:`Ilqr`: cost after it, decrease, length of the step (0: none), regularization, convergence."""

    cost: float
    decrease: float
    length: float
    regularization: float
    converged: bool


@dataclass(frozen=True)
class Trajectory:
    """States, one more than steps, with the controls of the steps.

    Attributes:
        time: (n + 1,), s.
        qpos: (n + 1, nq).
        qvel: (n + 1, nv).
        act: (n + 1, na).
        controls: (n, nu).
        costs: cost of each step and of the end, (n + 1,).
        cost: their sum, without constraints.
        gains: gain of each step, (n, nu, 2 nv + na); none by sampling.
        violation: greatest violation of a constraint.
        converged: whether the last iteration converged.
        iterations: iterations that led here.
    """

    time: np.ndarray
    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray
    controls: np.ndarray
    costs: np.ndarray
    cost: float
    gains: np.ndarray | None = None
    violation: float = 0.0
    converged: bool = False
    iterations: list[Iteration] = field(default_factory=list)

    @property
    def states(self) -> np.ndarray:
        """Position, velocity and activation side by side, (n + 1, nq + nv + na)."""
        return np.concatenate([self.qpos, self.qvel, self.act], axis=1)

    def __repr__(self) -> str:
        return f"<Trajectory of {len(self.controls)} steps: cost {self.cost:.6g} after {len(self.iterations)} iterations>"


def _tell(n: int, i: Iteration) -> None:
    print(f"iteration {n}: cost {i.cost:.6g}, decrease {i.decrease:.3g}, step {i.length:.3g}", file=sys.stderr)


class Ilqr:
    """Optimizer of trajectories by iterative LQR with limits of the controls, and constraints by augmented Lagrangian.

    Sources: Tassa, Mansard, Todorov 2014, "Control-limited differential dynamic programming"; Howell, Jackson, Manchester 2019,
    "ALTRO: a fast solver for constrained trajectory optimization".
    """

    def __init__(
        self,
        model: Any,
        cost: Cost,
        steps: int = 100,
        *,
        iterations: int = 200,
        tolerance: float = 1e-6,
        regularization: float = 1e-3,
        penalty: float = 10.0,
        updates: int = 8,
        violation: float = 1e-3,
        threads: int = 1,
    ):
        """Makes an optimizer.

        Args:
            model: the model.
            cost: the cost.
            steps: steps of the trajectory.
            iterations: most iterations for each set of multipliers.
            tolerance: relative decrease of the cost below which the trajectory is optimal.
            regularization: that of the first iteration.
            penalty: weight of half the squared violations to begin with.
            updates: most updates of the multipliers.
            violation: violation of constraints that is small enough.
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
        settings = {"tolerance": tolerance, "regularization": regularization, "penalty": penalty, "violation": violation}
        numbers = [arguments.number(name, x) for name, x in settings.items()]
        self._native = _core.Ilqr(native_of(model, cost), counts, numbers)

    def solve(
        self,
        data: Any,
        controls: Any = None,
        progress: bool | Callable[[int, Iteration], bool | None] = False,
    ) -> Trajectory:
        """Optimizes from the state of data, which stays as it is.

        Args:
            data: the state to begin with.
            controls: controls to begin with, (steps, nu); those of data at every step unless given.
            progress: whether each iteration is printed, or a function of its number and the iteration, which ends the
                optimization by returning False.

        Raises:
            ValueError: if the simulation diverges along the first controls, or a step has no derivative.
        """
        tell = progress if callable(progress) else _tell if progress else None
        watch = None if tell is None else lambda n, row: tell(n, Iteration(*row))
        found, rows = self._native._solve(arguments.data(data), controls, watch)
        return Trajectory(**found, iterations=[Iteration(*row) for row in rows])


class Sampler:
    """Planner that tries random controls. Its results have the same bits for any number of threads."""

    def __init__(
        self,
        model: Any,
        cost: Cost,
        method: str = "predictive",
        *,
        steps: int = 100,
        knots: int = 6,
        interpolation: str = "linear",
        samples: int = 32,
        noise: float = 0.2,
        least_noise: float = 0.05,
        elites: int = 6,
        temperature: float = 1.0,
        penalty: float = 100.0,
        seed: int = 0,
        threads: int = 0,
    ):
        """Makes a planner with zero controls.

        Args:
            model: the model.
            cost: the cost.
            method: ``predictive`` (the best sample), ``cem`` (mean of the best) or ``mppi`` (weighted mean of all).
            steps: steps of a trajectory.
            knots: knots of the controls over it.
            interpolation: between knots: ``zero``, ``linear`` or ``cubic``.
            samples: samples of an improvement; the first is without noise.
            noise: standard deviation of the noise, in parts of half a control's range.
            least_noise: least deviation of ``cem``, in the same parts.
            elites: samples that count for ``cem``.
            temperature: difference of cost at which a sample of ``mppi`` weighs 1/e.
            penalty: weight of half the squared violations of constraints.
            seed: seed of the noise.
            threads: threads; 0 for as many as there are cores.

        Raises:
            ValueError: if a setting or the cost doesn't fit.
        """
        counts = [
            arguments.count("steps", steps, 1, arguments.STEPS),
            arguments.count("knots", knots, 1, arguments.STEPS + 1),
            arguments.count("samples", samples, 1, 1 << 16),
            arguments.count("elites", elites, 1, 1 << 16),
            arguments.count("threads", threads, 0, arguments.THREADS),
        ]
        settings = {"noise": noise, "least_noise": least_noise, "penalty": penalty, "temperature": temperature}
        numbers = [arguments.number(name, x) for name, x in settings.items()]
        seed = arguments.count("seed", seed, 0, 2**64 - 1)
        self._native = _core.Sampler(native_of(model, cost), [str(method), str(interpolation)], counts, numbers, seed)

    def improve(self, data: Any, iterations: int = 1) -> float:
        """Improves the plan from the state of data; returns the least cost of the last samples.

        Raises:
            ValueError: if all samples diverge.
        """
        return self._native._improve(arguments.data(data), arguments.count("iterations", iterations, 1, arguments.ITERATIONS))

    def start(self, controls: Any) -> None:
        """Begins with some controls, (nu,), at all times."""
        self._native._start(controls)

    def shift(self, steps: int) -> None:
        """Moves the plan on by some steps."""
        self._native._shift(arguments.count("steps", steps, 0, arguments.STEPS))

    def control(self, step: int = 0) -> np.ndarray:
        """Returns the planned controls of a step, (nu,)."""
        return self._native._control(arguments.count("step", step, 0, arguments.STEPS))

    @property
    def knots(self) -> np.ndarray:
        """Knots of the controls, (knots, nu): a copy."""
        return self._native._knots()

    @property
    def best(self) -> Trajectory | None:
        """Best trajectory of the last improvement; None before the first."""
        found = self._native._best()
        return None if found is None else Trajectory(**found)


class Rate(NamedTuple):
    """Plans that an agent made, and the time that they took, s."""

    plans: int
    seconds: float

    @property
    def hertz(self) -> float:
        """Plans a second."""
        return self.plans / max(self.seconds, 1e-9)


class Agent:
    """Controller that plans anew every few steps, and begins with the rest of the plan before."""

    def __init__(self, planner: Ilqr | Sampler, every: int = 1, iterations: int = 1):
        """Makes an agent of a copy of a planner that plans every ``every`` steps with so many iterations."""
        if not isinstance(planner, (Ilqr, Sampler)):
            raise TypeError(f"`planner` must be an Ilqr or a Sampler, not {type(planner).__name__}")
        every = arguments.count("every", every, 1, arguments.STEPS)
        iterations = arguments.count("iterations", iterations, 1, arguments.ITERATIONS)
        self._native = _core.Agent(planner._native, every, iterations)

    def control(self, data: Any) -> np.ndarray:
        """Returns the controls of the next step at the state of data, (nu,); plans first if it is time to.

        Raises:
            ValueError: if planning fails.
        """
        return self._native._control(arguments.data(data))

    @property
    def rate(self) -> Rate:
        """How often it planned, and how long that took."""
        return Rate(*self._native._rate())


class AsyncAgent:
    """Controller that plans without pause on a thread of its own, each time from the latest state.

    A simulation never waits for a plan but for the first; it follows the one before. How old a plan is depends on the machine, so
    that results do, too: :class:`Agent` plans between steps. Changes of the model after its start are not seen. Use it in a ``with`` block, or
    call :meth:`close`; otherwise the thread ends with the object.
    """

    def __init__(self, planner: Ilqr | Sampler, iterations: int = 1):
        """Starts planning with a copy of a planner, so many iterations a plan."""
        if not isinstance(planner, (Ilqr, Sampler)):
            raise TypeError(f"`planner` must be an Ilqr or a Sampler, not {type(planner).__name__}")
        self._native = _core.AsyncAgent(planner._native, arguments.count("iterations", iterations, 1, arguments.ITERATIONS))
        # The thread may run functions of a cost: it ends before the interpreter does.
        weakref.finalize(self, self._native._close)

    def control(self, data: Any) -> np.ndarray:
        """Returns the controls of the next step at the state of data, (nu,), by the latest plan; waits for the first plan alone.

        Raises:
            ValueError: if planning fails, or the agent is closed.
        """
        return self._native._control(arguments.data(data))

    @property
    def rate(self) -> Rate:
        """How often it planned, and how long that took."""
        return Rate(*self._native._rate()[:2])

    @property
    def age(self) -> int:
        """How many steps ago the state was from which the plan begins that is followed."""
        return self._native._rate()[2]

    def close(self) -> None:
        """Ends the thread, after the plan that it is at."""
        self._native._close()

    def __enter__(self) -> AsyncAgent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
