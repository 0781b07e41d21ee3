"""Simulations and their gradients with numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .._structs import MjData
from ..control._arguments import data as check_data
from ..control._arguments import model as check_model



class Simulator:
    """A simulation as a function of its first state, the controls of each step, and parameters of the model.

    States are position, velocity and activation: nq + nv + na numbers. Gradients by quaternions are tangent to the unit
    sphere. The model and data stay as they are; they are read at each call.
    """

    def __init__(self, model: Any, data: Any = None, parameters: Sequence[str] = ()):
        """Makes the simulator.

        Args:
            model: the model.
            data: its data, whose state is the first one unless a call gives another; by default at ``qpos0``.
            parameters: names of numbers of the model, as those of :func:`mj.step_derivative`.

        Raises:
            TypeError: if an argument is of another type.
        """
        self._model = check_model(model)
        self._data = check_data(MjData(model) if data is None else data)
        self.parameters = tuple(parameters)
        """Names of the parameters."""

    def start(self) -> np.ndarray:
        """Returns the present state of the data, (nq + nv + na,)."""
        d = self._data
        return np.concatenate([d.qpos, d.qvel, d.act])

    def states(self, ctrl: Any, start: Any = None, values: Any = ()) -> np.ndarray:
        """Simulates.

        Args:
            ctrl: controls, (T, nu).
            start: first state, (nq + nv + na,).
            values: of the parameters, (n,).

        Returns:
            The states, (T + 1, nq + nv + na), of which the first is ``start`` as it was given.

        Raises:
            ValueError: if shapes don't fit, or a step is refused.
        """
        start, values = self._inputs(start, values)
        return _core._simulate(self._model, self._data, start, np.asarray(ctrl, float), values)

    def gradient(
        self, by_states: Any, ctrl: Any, start: Any = None, values: Any = (), *, states: Any = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Computes the gradient of a function of the states, backwards in time with checkpoints.

        Args:
            by_states: gradient of the function by the states, (T + 1, nq + nv + na).
            ctrl, start, values: as those of :meth:`states`.
            states: result of :meth:`states` for these, which is found again if it is not given.

        Returns:
            Gradients by the first state (nq + nv + na,), the controls (T, nu) and the parameters (n,).

        Raises:
            ValueError: if shapes don't fit, or a step is refused or has no derivative.
        """
        start, values = self._inputs(start, values)
        ctrl = np.asarray(ctrl, float)
        if states is None:
            states = _core._simulate(self._model, self._data, start, ctrl, values)
        states, by_states = np.asarray(states, float), np.asarray(by_states, float)
        if by_states.shape != states.shape:
            raise ValueError(f"array `by_states` has shape {by_states.shape}; expected {states.shape}")
        tangent = self._to_tangent(states, by_states)
        first, by_ctrl, by_values = _core._simulation_gradient(self._model, self._data, start, ctrl, values, tangent)
        return self._from_tangent(start, first), by_ctrl, by_values

    def _inputs(self, start: Any, values: Any) -> tuple[np.ndarray, list[tuple[str, float]]]:
        start = self.start() if start is None else np.asarray(start, float)
        values = np.asarray(values, float).reshape(-1)
        if len(values) != len(self.parameters):
            raise ValueError(f"array `values` has {len(values)} numbers; expected one for each of {self.parameters}")
        return start, list(zip(self.parameters, values.tolist()))

    def _joints(self):
        """Yields for each joint its places in qpos and qvel, their sizes, and whether its last numbers are a quaternion."""
        m = self._model
        for kind, q, v in zip(m.jnt_type, m.jnt_qposadr, m.jnt_dofadr):
            nq, nv = {0: (7, 6), 1: (4, 3)}.get(int(kind), (1, 1))
            yield slice(q, q + nq), slice(v, v + nv), int(kind) <= 1

    def _to_tangent(self, states: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        m = self._model
        out = np.zeros((len(states), 2 * m.nv + m.na))
        out[:, m.nv :] = gradient[:, m.nq :]
        for q, v, turns in self._joints():
            g = gradient[:, q]
            if turns:
                # A quaternion changes by q v / 2 along a rotation v in the body's frame.
                turned = np.einsum("nij,ni->nj", _rotations(_unit(states[:, q][:, -4:])), g[:, -4:]) / 2
                g = np.hstack([g[:, :-4], turned])
            out[:, v] = g
        return out

    def _from_tangent(self, start: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        m = self._model
        out = np.zeros(m.nq + m.nv + m.na)
        out[m.nq :] = gradient[m.nv :]
        for q, v, turns in self._joints():
            g = gradient[v]
            if turns:
                # A quaternion that is not a unit one is brought to its direction.
                size = max(float(np.linalg.norm(start[q][-4:])), 1e-15)
                along = _rotations(_unit(start[q][None, -4:]))[0] @ g[-3:]
                g = np.concatenate([g[:-3], 2 * along / size])
            out[q] = g
        return out


def _unit(quaternions: np.ndarray) -> np.ndarray:
    size = np.linalg.norm(quaternions, axis=1, keepdims=True)
    return np.where(size > 1e-15, quaternions / np.maximum(size, 1e-15), [1.0, 0, 0, 0])


def _rotations(quaternions: np.ndarray) -> np.ndarray:
    """Returns for each q the matrix of v -> q (0, v), (n, 4, 3)."""
    w, x, y, z = quaternions.T
    return np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]).transpose(2, 0, 1)
