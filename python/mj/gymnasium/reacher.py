"""A task of an arm: reach a target."""

from __future__ import annotations

from typing import Any

import numpy as np

from .vector import BatchVectorEnv, Infos

__all__ = ["Reacher"]


class Reacher(BatchVectorEnv):
    """An arm of two links in a plane, whose tip is to reach a target.

    Observations, rewards and resets are those of version 5 of Gymnasium's environment.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        xml_file: str = "reacher.xml",
        frame_skip: int = 2,
        reward_dist_weight: float = 1,
        reward_control_weight: float = 1,
        max_episode_steps: int | None = 50,
        **options: Any,
    ):
        self.reward_dist_weight, self.reward_control_weight = reward_dist_weight, reward_control_weight
        super().__init__(xml_file, num_envs, frame_skip=frame_skip, max_episode_steps=max_episode_steps, **options)

    def _offset(self) -> np.ndarray:
        """Returns the way from the target to the tip, (num_envs, 3)."""
        tip, target = (self.model.body(name).id for name in ("fingertip", "target"))
        return self.batch.xpos[:, tip] - self.batch.xpos[:, target]

    def observe(self) -> np.ndarray:
        qpos, qvel = self.batch.qpos, self.batch.qvel
        angles = qpos[:, :2]
        return np.concatenate([np.cos(angles), np.sin(angles), qpos[:, 2:], qvel[:, :2], self._offset()[:, :2]], axis=1)

    def rewards(self, actions: np.ndarray, before: np.ndarray | None) -> tuple[np.ndarray, Infos]:
        dist = -np.linalg.norm(self._offset(), axis=1) * self.reward_dist_weight
        ctrl = -np.square(actions).sum(axis=1) * self.reward_control_weight
        return dist + ctrl, {"reward_dist": dist, "reward_ctrl": ctrl}

    def start(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        qpos = rng.uniform(-0.1, 0.1, self.model.nq) + self.init_qpos
        goal = rng.uniform(-0.2, 0.2, 2)
        while np.linalg.norm(goal) >= 0.2:
            goal = rng.uniform(-0.2, 0.2, 2)
        qpos[-2:] = goal
        qvel = self.init_qvel + rng.uniform(-0.005, 0.005, self.model.nv)
        qvel[-2:] = 0
        return qpos, qvel
