"""Single environments of the tasks."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from .vector import BatchVectorEnv

__all__ = ["SingleEnv"]


class SingleEnv(gymnasium.Env):
    """One environment of a task, for programs and checks that want no vector."""

    def __init__(self, task: type[BatchVectorEnv], **options: Any):
        """Makes an environment; ``options`` are those of the task."""
        self._envs = task(num_envs=1, autoreset_mode=AutoresetMode.DISABLED, threads=1, **options)
        self.metadata = {"render_modes": [], "render_fps": self._envs.metadata["render_fps"]}
        self.render_mode = None
        self.observation_space = self._envs.single_observation_space
        self.action_space = self._envs.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts an episode."""
        super().reset(seed=seed)
        if seed is not None or self._envs._rngs[0] is None:
            self._envs._rngs[0] = self.np_random
        observations, infos = self._envs.reset(options=options)
        return observations[0].copy(), _first(infos)

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Takes the environment on by a step."""
        # An episode that ended may go on, as Gymnasium's own environments do.
        self._envs._ended[:] = False
        observations, rewards, terminated, truncated, infos = self._envs.step(np.asarray(action)[None])
        return observations[0].copy(), float(rewards[0]), bool(terminated[0]), bool(truncated[0]), _first(infos)


def _first(infos: dict[str, Any]) -> dict[str, Any]:
    """Returns the values of the first environment."""
    return {key: value[0] for key, value in infos.items() if not key.startswith("_")}
