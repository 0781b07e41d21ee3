"""The base of vector environments over batches."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Any

import numpy as np
from gymnasium.spaces import Box
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .._many.worlds import Batch
from .._structs import MjModel

__all__ = ["BatchVectorEnv"]

# Values of a step or reset by name: one row an environment.
Infos = dict[str, np.ndarray]


class BatchVectorEnv(VectorEnv):
    """Many environments of one task, whose simulations are one :class:`mj.Batch`.

    A task overrides :meth:`observe`, :meth:`rewards`, :meth:`terminations`,
    :meth:`start` and, where its rewards compare before and after,
    :meth:`track`. All but ``start`` compute one row for each environment.
    """

    def __init__(
        self,
        model: MjModel | str,
        num_envs: int = 1,
        *,
        frame_skip: int,
        max_episode_steps: int | None = 1000,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 0,
        render_mode: None = None,
    ):
        """Makes environments.

        Args:
            model: a model, or the name of a file among the models of Gymnasium.
            num_envs: number of environments.
            frame_skip: number of time steps of a step of the environment.
            max_episode_steps: number of steps after which an episode is truncated.
            autoreset_mode: when an environment whose episode ended is reset.
            threads: number of threads; 0 for as many as there are processors.
            render_mode: None: there is no rendering.
        """
        if render_mode is not None:
            raise ValueError(f"`render_mode` must be None, not {render_mode!r}: there is no rendering")
        self.num_envs = num_envs
        self.frame_skip = frame_skip
        self.max_episode_steps = max_episode_steps
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.render_mode = None
        self.model = model_of_gymnasium(model) if isinstance(model, str) else model
        self.dt = float(self.model.opt.timestep) * frame_skip
        self.metadata = {"render_modes": [], "render_fps": round(1 / self.dt), "autoreset_mode": self.autoreset_mode}
        self.batch = Batch(self.model, num_envs, threads=threads)
        self.init_qpos, self.init_qvel = self.batch.qpos[0].copy(), self.batch.qvel[0].copy()
        self._rngs: list[np.random.Generator | None] = [None] * num_envs
        self._steps = np.zeros(num_envs, np.int64)
        self._ended = np.zeros(num_envs, bool)
        self._just_reset = np.ones(num_envs, bool)
        low, high = self.model.actuator_ctrlrange.astype(np.float32).T
        self.single_action_space = Box(low, high, dtype=np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        # Results that are taken now are filled by all calls to come.
        self.track(), self.start_infos()
        size = self.observe().shape[1]
        self.single_observation_space = Box(-np.inf, np.inf, (size,), np.float64)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    # What a task is.

    def observe(self) -> np.ndarray:
        """Returns observations, (num_envs, size)."""
        raise NotImplementedError

    def track(self) -> np.ndarray | None:
        """Returns what rewards need of before the step: a copy."""
        return None

    def rewards(self, actions: np.ndarray, before: np.ndarray | None) -> tuple[np.ndarray, Infos]:
        """Returns the rewards of a step, (num_envs,), and values of it by name."""
        raise NotImplementedError

    def terminations(self) -> np.ndarray:
        """Returns which episodes end by a step, (num_envs,) of bool."""
        return np.zeros(self.num_envs, bool)

    def start(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Returns position and velocity from which an episode starts."""
        raise NotImplementedError

    def start_infos(self) -> Infos:
        """Returns values of a reset by name."""
        return {}

    # The interface of Gymnasium.

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Resets environments, those of ``options["reset_mask"]`` if it is given.

        Args:
            seed: seed of the first environment, of which the others' follow, or a seed
                for each; None goes on with the numbers drawn so far.
            options: options.
        """
        n = self.num_envs
        seeds = [None if seed is None else seed + i for i in range(n)] if seed is None or np.ndim(seed) == 0 else list(seed)
        if len(seeds) != n:
            raise ValueError(f"`seed` must hold {n} seeds, not {len(seeds)}")
        mask = (options or {}).get("reset_mask")
        mask = np.ones(n, bool) if mask is None else np.asarray(mask)
        if mask.shape != (n,) or mask.dtype != bool or not mask.any():
            raise ValueError(f"`reset_mask` must be an array of shape ({n},) of bool, with a True")
        for i in np.flatnonzero(mask):
            if seeds[i] is not None or self._rngs[i] is None:
                self._rngs[i], _ = seeding.np_random(seeds[i])
        infos = _add({}, self._reset(mask), mask)
        return self.observe(), infos

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Takes all environments on by a step."""
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"`actions` must have shape {self.action_space.shape}, not {actions.shape}")
        resets = self._ended & (self.autoreset_mode is AutoresetMode.NEXT_STEP)
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            raise RuntimeError(f"episodes of environments {np.flatnonzero(self._ended)} ended: reset them first")
        runs = ~resets
        before = self.track()
        self.batch.ctrl[runs] = actions[runs]
        self.batch.step(nstep=self.frame_skip, mask=runs)
        self._just_reset[runs] = False
        self._steps += 1
        rewards, values = self.rewards(actions, before)
        rewards = np.where(runs, rewards, 0.0)
        terminated = self.terminations() & runs
        limit = self.max_episode_steps
        truncated = runs & (self._steps >= limit) if limit is not None else np.zeros(self.num_envs, bool)
        ended = terminated | truncated
        self._ended = ended.copy()
        observations = self.observe()
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            final = np.full(self.num_envs, None, object)
            for i in np.flatnonzero(ended):
                final[i] = observations[i].copy()
            infos |= {"final_obs": final, "_final_obs": ended, "_final_info": ended}
            infos["final_info"] = _add({}, values, ended)
            runs, resets = runs & ~ended, ended
        _add(infos, values, runs)
        if resets.any():
            infos = _add(infos, self._reset(resets), resets)
            observations = self.observe()
        return observations, rewards, terminated, truncated, infos

    def _reset(self, mask: np.ndarray) -> Infos:
        """Starts episodes in some environments, and returns values of it by name."""
        batch = self.batch
        batch._native.reset(np.flatnonzero(mask).astype(np.int32), None, 0)
        for i in np.flatnonzero(mask):
            rng = self._rngs[i]
            if rng is None:
                rng = self._rngs[i] = seeding.np_random()[0]
            batch.qpos[i], batch.qvel[i] = self.start(rng)
        batch.forward(mask)
        self._steps[mask] = 0
        self._ended[mask] = False
        self._just_reset |= mask
        return self.start_infos()


def _wide(mask: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Returns a mask of as many axes as values have."""
    return mask.reshape(mask.shape + (1,) * (values.ndim - 1))


def _add(infos: dict[str, Any], values: Infos, mask: np.ndarray) -> dict[str, Any]:
    """Adds values of some environments by name, with which environments have them."""
    if not mask.any():
        return infos
    for key, value in values.items():
        value = np.asarray(value)
        known = infos.get(key, np.zeros_like(value))
        infos[key] = np.where(_wide(mask, value), value, known)
        infos["_" + key] = mask | infos.get("_" + key, np.zeros_like(mask))
    return infos


def model_of_gymnasium(name: str) -> MjModel:
    """Loads a model of the installed package ``gymnasium`` by the name of its file."""
    path = resources.files("gymnasium") / "envs" / "mujoco" / "assets" / name
    with resources.as_file(path) as file:
        return MjModel.from_xml_path(file)
