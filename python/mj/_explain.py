"""States in words."""

from __future__ import annotations

from typing import Any

from . import _core
from ._arguments import model_of

__all__ = ["explain"]


def explain(data: Any, model: Any = None) -> str:
    """Says in words what went wrong in a state, and what is unusual: a line each, the gravest first.

    >>> import mj
    >>> model = mj.MjModel.from_xml_string("<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    >>> data = mj.MjData(model)
    >>> print(mj.explain(data))
    nothing unusual
    >>> data.qvel[3] = float("nan")
    >>> print(mj.explain(data))
    qvel[3] is NaN: joint 0 of body `a`

    Told are warnings that were raised since the last reset, numbers that are not finite, a solver that stopped short
    of its tolerance and why, contacts deeper than a tenth of the smaller geom's radius, limits exceeded by more than a
    twentieth of their range, joints that turn by more than 0.5 rad in a step, and controls outside of their ranges.
    Elements are named. Contacts, limits and the solver are those of the last step or ``mj_forward``.

    Args:
        data: the data.
        model: the model to judge by; that of the data unless given.

    Returns:
        Lines of text, or ``nothing unusual``.
    """
    return "\n".join(_core._explain(model_of(data) if model is None else model, data)) or "nothing unusual"
