"""Trajectory optimization and predictive control.

>>> from mj import control
>>> control.Task("double_pendulum").run(seed=0).success
True

:func:`lqr` and :class:`Regulator` hold a system at a state, :class:`Ilqr` and :class:`Direct` optimize trajectories, :class:`Sampler`
plans by random samples, :class:`Agent` plans again and again while a simulation runs, :class:`AsyncAgent` on a thread beside it. A
:class:`Cost` says what they are to reach.
"""

from ._cost import Cost, Residual, control, function, point, position, sensor, velocity
from ._direct import Direct, Path
from ._linear import Lqr, Regulator, lqr
from ._planners import Agent, AsyncAgent, Ilqr, Iteration, Rate, Sampler, Trajectory
from ._task import Outcome, Task, tasks

__all__ = [
    "Agent", "AsyncAgent", "Cost", "Direct", "Ilqr", "Iteration", "Lqr", "Outcome", "Path", "Rate", "Regulator", "Residual", "Sampler",
    "Task", "Trajectory", "control", "function", "lqr", "point", "position", "sensor", "tasks", "velocity",
]  # fmt: skip
