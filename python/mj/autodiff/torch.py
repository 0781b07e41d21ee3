"""Simulations as functions of PyTorch."""

from __future__ import annotations

from typing import Any

import torch

from ._simulator import Simulator

__all__ = ["rollout"]


class _Rollout(torch.autograd.Function):
    @staticmethod
    def forward(ctx, simulator, ctrl, start, values):  # noqa: D102
        ctx.simulator = simulator
        ctx.save_for_backward(ctrl, start, values)
        ctx.states = simulator.states(*map(_array, (ctrl, start, values)))
        return torch.as_tensor(ctx.states).to(ctrl)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, by_states):  # noqa: D102
        inputs = ctx.saved_tensors
        arrays = map(_array, (by_states, *inputs))
        by_start, by_ctrl, by_values = ctx.simulator.gradient(*arrays, states=ctx.states)
        found = [torch.as_tensor(g).to(of) for g, of in zip((by_ctrl, by_start, by_values), inputs)]
        return (None, *found)


def _array(tensor: torch.Tensor) -> Any:
    return tensor.detach().cpu().double().numpy()


def rollout(
    simulator: Simulator, ctrl: torch.Tensor, start: torch.Tensor | None = None, values: torch.Tensor | None = None
) -> torch.Tensor:
    """Simulates, with gradients by all tensors.

    Args:
        simulator: the simulation.
        ctrl: controls, (T, nu).
        start: first state, (nq + nv + na,); by default that of the simulator's data.
        values: of the simulator's parameters, (n,).

    Returns:
        The states, (T + 1, nq + nv + na), of the type and on the device of ``ctrl``.

    Raises:
        ValueError: if shapes don't fit, a step is refused, or has no derivative.
    """
    if start is None:
        start = torch.as_tensor(simulator.start()).to(ctrl)
    if values is None:
        values = ctrl.new_zeros(0)
    return _Rollout.apply(simulator, ctrl, start, values)
