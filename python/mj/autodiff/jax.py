"""Simulations as functions of JAX."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ._simulator import Simulator

__all__ = ["rollout"]


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _rollout(simulator, ctrl, start, values):
    shape = jax.ShapeDtypeStruct((ctrl.shape[0] + 1, start.shape[0]), ctrl.dtype)

    def states(ctrl, start, values):
        return simulator.states(*_arrays(ctrl, start, values)).astype(shape.dtype)

    return jax.pure_callback(states, shape, ctrl, start, values, vmap_method="sequential")


def _forward(simulator, ctrl, start, values):
    states = _rollout(simulator, ctrl, start, values)
    return states, (states, ctrl, start, values)


def _backward(simulator, saved, by_states):
    states, *inputs = saved
    shapes = tuple(jax.ShapeDtypeStruct(x.shape, x.dtype) for x in inputs)

    def gradient(states, by_states, *inputs):
        by_start, by_ctrl, by_values = simulator.gradient(*_arrays(by_states, *inputs), states=states)
        return tuple(g.astype(s.dtype) for g, s in zip((by_ctrl, by_start, by_values), shapes))

    return jax.pure_callback(gradient, shapes, states, by_states, *inputs, vmap_method="sequential")


_rollout.defvjp(_forward, _backward)


def _arrays(*arrays: Any) -> list[np.ndarray]:
    return [np.asarray(x, float) for x in arrays]


def rollout(simulator: Simulator, ctrl: Any, start: Any = None, values: Any = None) -> jax.Array:
    """Simulates, with gradients by all arrays; it may be compiled and mapped.

    Args:
        simulator: the simulation.
        ctrl: controls, (T, nu).
        start: first state, (nq + nv + na,); by default that of the simulator's data.
        values: of the simulator's parameters, (n,).

    Returns:
        The states, (T + 1, nq + nv + na), of the type of ``ctrl``: with 64 bits where JAX is told to allow them.

    Raises:
        ValueError: if shapes don't fit, a step is refused, or has no derivative.
    """
    ctrl = jnp.asarray(ctrl)
    start = jnp.asarray(simulator.start() if start is None else start, ctrl.dtype)
    values = jnp.zeros(0, ctrl.dtype) if values is None else jnp.asarray(values, ctrl.dtype)
    return _rollout(simulator, ctrl, start, values)
