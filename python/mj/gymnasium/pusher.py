"""A task of manipulation: push an object to a goal."""

from __future__ import annotations

from typing import Any

import numpy as np

from .vector import BatchVectorEnv, Infos

__all__ = ["Pusher"]


class Pusher(BatchVectorEnv):
    """An arm of seven joints that is to push a cylinder on a table to a goal.

    Observations, rewards and resets are those of version 5 of Gymnasium's environment.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        xml_file: str = "pusher_v5.xml",
        frame_skip: int = 5,
        reward_near_weight: float = 0.5,
        reward_dist_weight: float = 1,
        reward_control_weight: float = 0.1,
        max_episode_steps: int | None = 100,
        **options: Any,
    ):
        self.reward_near_weight, self.reward_dist_weight = reward_near_weight, reward_dist_weight
        self.reward_control_weight = reward_control_weight
        super().__init__(xml_file, num_envs, frame_skip=frame_skip, max_episode_steps=max_episode_steps, **options)

    def _positions(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Returns the positions of the arm's tips, of the object and of the goal, each (num_envs, 3)."""
        tips, thing, goal = (self.batch.xpos[:, self.model.body(name).id] for name in ("tips_arm", "object", "goal"))
        return tips, thing, goal

    def observe(self) -> np.ndarray:
        return np.concatenate([self.batch.qpos[:, :7], self.batch.qvel[:, :7], *self._positions()], axis=1)

    def rewards(self, actions: np.ndarray, before: np.ndarray | None) -> tuple[np.ndarray, Infos]:
        tips, thing, goal = self._positions()
        near = -np.linalg.norm(thing - tips, axis=1) * self.reward_near_weight
        dist = -np.linalg.norm(thing - goal, axis=1) * self.reward_dist_weight
        ctrl = -np.square(actions).sum(axis=1) * self.reward_control_weight
        return dist + ctrl + near, {"reward_dist": dist, "reward_ctrl": ctrl, "reward_near": near}

    def start(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        def draw() -> np.ndarray:
            return np.concatenate([rng.uniform(-0.3, 0, 1), rng.uniform(-0.2, 0.2, 1)])

        place = draw()
        # Not on the goal, which lies at zero.
        while np.linalg.norm(place) <= 0.17:
            place = draw()
        qpos = self.init_qpos.copy()
        qpos[-4:-2], qpos[-2:] = place, 0
        qvel = self.init_qvel + rng.uniform(-0.005, 0.005, self.model.nv)
        qvel[-4:] = 0
        return qpos, qvel
