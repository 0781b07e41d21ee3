"""Control by sampling: simulate random changes of a plan, and take their mean weighted by cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._structs import MjModel
from ._cluster import Cluster
from ._worker import Reduce


class SamplingControl:
    """Model predictive path integral control (Williams, Aldrich, Theodorou 2017) on the workers of a cluster.

    A plan is a sequence of controls. Each update simulates the plan and ``samples - 1`` changed ones from the present
    state, and takes the mean of all, weighted by ``exp(-(cost - least cost) / temperature)``.
    """

    def __init__(
        self,
        cluster: Cluster,
        model: MjModel,
        cost: Reduce,
        *,
        horizon: int,
        samples: int = 256,
        noise: Any = 0.3,
        temperature: float = 0.1,
        hold: int = 1,
        seed: int = 0,
    ) -> None:
        """Makes a plan of zeros, within the controls' ranges.

        Args:
            cluster: workers for the model.
            model: the model, of whose controls the plan is.
            cost: function of states (n, horizon, nstate), sensor readings and controls
                that returns the costs of n trajectories, (n,). The workers call it.
            horizon: number of steps of the plan.
            samples: number of trajectories of an update.
            noise: standard deviation of changes of controls: one number, or (nu,).
            temperature: how much the cheapest are preferred: less, the more.
            hold: number of steps over which a change is constant.
            seed: of the random numbers.
        """
        if model.nu == 0:
            raise ValueError("the model has no actuators")
        for name, value in (("horizon", horizon), ("samples", samples), ("hold", hold)):
            if value < 1:
                raise ValueError(f"`{name}` must be at least 1, not {value}")
        if not temperature > 0:
            raise ValueError(f"`temperature` must be positive, not {temperature}")
        self._cluster, self._cost, self._samples, self._hold = cluster, cost, samples, hold
        self._noise = np.broadcast_to(np.asarray(noise, np.float64), (model.nu,))
        self._temperature = temperature
        limited = np.asarray(model.actuator_ctrllimited, bool)[:, None]
        self._low, self._high = np.where(limited, model.actuator_ctrlrange, [-np.inf, np.inf]).T
        self._rng = np.random.default_rng(seed)
        self.plan = np.clip(np.zeros((horizon, model.nu)), self._low, self._high)

    def update(self, state: Any) -> np.ndarray:
        """Improves the plan for a state to start from.

        Args:
            state: numbers of the state, (nstate,), mjSTATE_FULLPHYSICS.

        Returns:
            The plan, (horizon, nu): its first row is the control of this step.
        """
        horizon, nu = self.plan.shape
        draws = self._rng.standard_normal((self._samples, -(-horizon // self._hold), nu)) * self._noise
        changes = np.repeat(draws, self._hold, axis=1)[:, :horizon]
        changes[0] = 0.0
        controls = np.clip(self.plan + changes, self._low, self._high)
        costs = self._cluster.rollout(np.asarray(state)[None], controls, reduce=self._cost)
        # A trajectory that diverged has no weight.
        costs = np.where(np.isfinite(costs), costs, np.inf)
        if np.isfinite(costs.min()):
            weights = np.exp(-(costs - costs.min()) / self._temperature)
            self.plan = np.einsum("i,ijk->jk", weights / weights.sum(), controls)
        return self.plan

    def advance(self, steps: int = 1) -> None:
        """Drops the first steps of the plan, which were taken, and repeats the last at its end."""
        steps = min(steps, len(self.plan))
        self.plan = np.concatenate([self.plan[steps:], np.repeat(self.plan[-1:], steps, axis=0)])
