"""Tasks of legged robots: half cheetah, hopper, walker, ant, humanoid.

Observations, rewards, terminations and resets are those of version 5 of Gymnasium's
environments, and options have the same names.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .vector import BatchVectorEnv, Infos

__all__ = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "Walker2d"]

Range = tuple[float, float]


def _inside(values: np.ndarray, bounds: Range) -> np.ndarray:
    return (bounds[0] < values) & (values < bounds[1])


class _Legged(BatchVectorEnv):
    """A robot that is rewarded for running along x."""

    # Coordinates at the beginning of qpos that observations leave out.
    skipped = 1

    def __init__(
        self,
        num_envs: int = 1,
        *,
        xml_file: str,
        frame_skip: int,
        forward_reward_weight: float,
        ctrl_cost_weight: float,
        healthy_reward: float = 0.0,
        terminate_when_unhealthy: bool = True,
        reset_noise_scale: float,
        exclude_current_positions_from_observation: bool = True,
        **options: Any,
    ):
        self.forward_reward_weight = forward_reward_weight
        self.ctrl_cost_weight = ctrl_cost_weight
        self.healthy_reward = healthy_reward
        self.terminate_when_unhealthy = terminate_when_unhealthy
        self.reset_noise_scale = reset_noise_scale
        self.first = self.skipped if exclude_current_positions_from_observation else 0
        super().__init__(xml_file, num_envs, frame_skip=frame_skip, **options)

    def healthy(self) -> np.ndarray:
        """Returns which robots stand as they should, (num_envs,) of bool."""
        raise NotImplementedError

    def terminations(self) -> np.ndarray:
        return ~self.healthy() & self.terminate_when_unhealthy

    def start(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        scale = self.reset_noise_scale
        qpos = self.init_qpos + rng.uniform(-scale, scale, self.model.nq)
        return qpos, self.init_qvel + self.start_velocity(rng)

    def start_velocity(self, rng: np.random.Generator) -> np.ndarray:
        """Returns the noise on the velocity at a reset."""
        return rng.uniform(-self.reset_noise_scale, self.reset_noise_scale, self.model.nv)

    def ctrl_cost(self, actions: np.ndarray) -> np.ndarray:
        """Returns the cost of controls, in the precision of the actions."""
        return self.ctrl_cost_weight * np.sum(np.square(actions), axis=1)


class _Planar(_Legged):
    """A robot in a plane: coordinates x, z, angle, and then joints."""

    def track(self) -> np.ndarray:
        return self.batch.qpos[:, 0].copy()

    def observe(self) -> np.ndarray:
        return np.concatenate([self.batch.qpos[:, self.first :], np.clip(self.batch.qvel, -10, 10)], axis=1)

    def rewards(self, actions: np.ndarray, before: np.ndarray | None) -> tuple[np.ndarray, Infos]:
        velocity = (self.batch.qpos[:, 0] - before) / self.dt
        forward, cost = self.forward_reward_weight * velocity, self.ctrl_cost(actions)
        survive = self.healthy() * self.healthy_reward
        infos = {"x_velocity": velocity, "reward_forward": forward, "reward_ctrl": -cost, "reward_survive": survive}
        return forward + survive - cost, self.start_infos() | infos

    def start_infos(self) -> Infos:
        qpos = self.batch.qpos
        return {"x_position": qpos[:, 0].copy(), "z_distance_from_origin": qpos[:, 1] - self.init_qpos[1]}


class HalfCheetah(_Planar):
    """A cheetah of two legs, which may lie: episodes don't terminate."""

    def __init__(self, num_envs: int = 1, *, xml_file: str = "half_cheetah.xml", frame_skip: int = 5, **options: Any):
        defaults = dict(forward_reward_weight=1.0, ctrl_cost_weight=0.1, reset_noise_scale=0.1)
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, **(defaults | options))

    def observe(self) -> np.ndarray:
        return np.concatenate([self.batch.qpos[:, self.first :], self.batch.qvel], axis=1)

    def healthy(self) -> np.ndarray:
        return np.ones(self.num_envs, bool)

    def start_velocity(self, rng: np.random.Generator) -> np.ndarray:
        return self.reset_noise_scale * rng.standard_normal(self.model.nv)

    def rewards(self, actions: np.ndarray, before: np.ndarray | None) -> tuple[np.ndarray, Infos]:
        velocity = (self.batch.qpos[:, 0] - before) / self.dt
        forward, cost = self.forward_reward_weight * velocity, self.ctrl_cost(actions)
        infos = {"x_velocity": velocity, "reward_forward": forward, "reward_ctrl": -cost}
        return forward - cost, self.start_infos() | infos

    def start_infos(self) -> Infos:
        return {"x_position": self.batch.qpos[:, 0].copy()}


class Hopper(_Planar):
    """A robot of one leg."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        xml_file: str = "hopper.xml",
        frame_skip: int = 4,
        healthy_state_range: Range = (-100.0, 100.0),
        healthy_z_range: Range = (0.7, float("inf")),
        healthy_angle_range: Range = (-0.2, 0.2),
        **options: Any,
    ):
        self.ranges = healthy_state_range, healthy_z_range, healthy_angle_range
        defaults = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-3, healthy_reward=1.0, reset_noise_scale=5e-3)
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, **(defaults | options))

    def healthy(self) -> np.ndarray:
        state, z, angle = self.ranges
        qpos, qvel = self.batch.qpos, self.batch.qvel
        small = _inside(qpos[:, 2:], state).all(axis=1) & _inside(qvel, state).all(axis=1)
        return small & _inside(qpos[:, 1], z) & _inside(qpos[:, 2], angle)


class Walker2d(_Planar):
    """A robot of two legs in a plane."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        xml_file: str = "walker2d_v5.xml",
        frame_skip: int = 4,
        healthy_z_range: Range = (0.8, 2.0),
        healthy_angle_range: Range = (-1.0, 1.0),
        **options: Any,
    ):
        self.ranges = healthy_z_range, healthy_angle_range
        defaults = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-3, healthy_reward=1.0, reset_noise_scale=5e-3)
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, **(defaults | options))

    def healthy(self) -> np.ndarray:
        return _inside(self.batch.qpos[:, 1], self.ranges[0]) & _inside(self.batch.qpos[:, 2], self.ranges[1])


class _Spatial(_Legged):
    """A robot with a free joint, whose contact forces are observed and cost."""

    skipped = 2

    def contact_forces(self) -> np.ndarray:
        """Returns contact forces on bodies, (num_envs, nbody, 6): zero before the first step of an episode."""
        return np.where(self._just_reset[:, None, None], 0.0, self.batch.cfrc_ext)

    def start_infos(self) -> Infos:
        x, y = self.batch.qpos[:, 0].copy(), self.batch.qpos[:, 1].copy()
        return {"x_position": x, "y_position": y, "distance_from_origin": np.hypot(x, y)}

    def contact_cost(self) -> np.ndarray:
        """Returns the cost of contact forces."""
        raise NotImplementedError

    def rewards(self, actions: np.ndarray, before: np.ndarray | None) -> tuple[np.ndarray, Infos]:
        velocity = (self.track() - before) / self.dt
        forward, survive = self.forward_reward_weight * velocity[:, 0], self.healthy() * self.healthy_reward
        ctrl, contact = self.ctrl_cost(actions), self.contact_cost()
        infos = {"x_velocity": velocity[:, 0], "y_velocity": velocity[:, 1], "reward_forward": forward}
        infos |= {"reward_ctrl": -ctrl, "reward_contact": -contact, "reward_survive": survive}
        return forward + survive - (ctrl + contact), self.start_infos() | infos


class Ant(_Spatial):
    """A robot of four legs."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        xml_file: str = "ant.xml",
        frame_skip: int = 5,
        contact_cost_weight: float = 5e-4,
        main_body: int | str = 1,
        healthy_z_range: Range = (0.2, 1.0),
        contact_force_range: Range = (-1.0, 1.0),
        include_cfrc_ext_in_observation: bool = True,
        **options: Any,
    ):
        self.contact_cost_weight, self.contact_force_range = contact_cost_weight, contact_force_range
        self.main_body, self.healthy_z_range = main_body, healthy_z_range
        self.include_cfrc_ext_in_observation = include_cfrc_ext_in_observation
        defaults = dict(forward_reward_weight=1, ctrl_cost_weight=0.5, healthy_reward=1.0, reset_noise_scale=0.1)
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, **(defaults | options))

    def start_velocity(self, rng: np.random.Generator) -> np.ndarray:
        return self.reset_noise_scale * rng.standard_normal(self.model.nv)

    def track(self) -> np.ndarray:
        return self.batch.xpos[:, self.model.body(self.main_body).id, :2].copy()

    def contact_forces(self) -> np.ndarray:
        return np.clip(super().contact_forces(), *self.contact_force_range)

    def contact_cost(self) -> np.ndarray:
        return self.contact_cost_weight * np.sum(np.square(self.contact_forces()).reshape(self.num_envs, -1), axis=1)

    def healthy(self) -> np.ndarray:
        low, high = self.healthy_z_range
        z = self.batch.qpos[:, 2]
        finite = np.isfinite(self.batch.qpos).all(axis=1) & np.isfinite(self.batch.qvel).all(axis=1)
        return finite & (low <= z) & (z <= high)

    def observe(self) -> np.ndarray:
        parts = [self.batch.qpos[:, self.first :], self.batch.qvel]
        forces = self.contact_forces()[:, 1:]
        if self.include_cfrc_ext_in_observation:
            parts.append(forces.reshape(self.num_envs, -1))
        return np.concatenate(parts, axis=1)


class Humanoid(_Spatial):
    """A robot of two legs and two arms."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        xml_file: str = "humanoid.xml",
        frame_skip: int = 5,
        contact_cost_weight: float = 5e-7,
        contact_cost_range: Range = (-np.inf, 10.0),
        healthy_z_range: Range = (1.0, 2.0),
        include_cinert_in_observation: bool = True,
        include_cvel_in_observation: bool = True,
        include_qfrc_actuator_in_observation: bool = True,
        include_cfrc_ext_in_observation: bool = True,
        **options: Any,
    ):
        self.contact_cost_weight, self.contact_cost_range = contact_cost_weight, contact_cost_range
        self.healthy_z_range = healthy_z_range
        self.includes = (
            include_cinert_in_observation,
            include_cvel_in_observation,
            include_qfrc_actuator_in_observation,
            include_cfrc_ext_in_observation,
        )
        defaults = dict(forward_reward_weight=1.25, ctrl_cost_weight=0.1, healthy_reward=5.0, reset_noise_scale=1e-2)
        super().__init__(num_envs, xml_file=xml_file, frame_skip=frame_skip, **(defaults | options))

    def track(self) -> np.ndarray:
        mass = self.model.body_mass
        return np.einsum("b,nbj->nj", mass, self.batch.xipos)[:, :2] / mass.sum()

    def ctrl_cost(self, actions: np.ndarray) -> np.ndarray:
        return super().ctrl_cost(self.batch.ctrl)

    def contact_cost(self) -> np.ndarray:
        squares = np.square(self.contact_forces()).reshape(self.num_envs, -1)
        return np.clip(self.contact_cost_weight * np.sum(squares, axis=1), *self.contact_cost_range)

    def healthy(self) -> np.ndarray:
        return _inside(self.batch.qpos[:, 2], self.healthy_z_range)

    def start_infos(self) -> Infos:
        tendons = {"tendon_length": self.batch.ten_length.copy(), "tendon_velocity": self.batch.ten_velocity.copy()}
        return super().start_infos() | tendons

    def observe(self) -> np.ndarray:
        b, n = self.batch, self.num_envs
        results = b.cinert[:, 1:], b.cvel[:, 1:], b.qfrc_actuator[:, 6:], self.contact_forces()[:, 1:]
        chosen = [part.reshape(n, -1) for part, wanted in zip(results, self.includes, strict=True) if wanted]
        return np.concatenate([b.qpos[:, self.first :], b.qvel, *chosen], axis=1)
