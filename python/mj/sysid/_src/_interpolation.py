"""Values of a series between its times."""

from __future__ import annotations

from typing import Literal

import numpy as np

from mj.sysid._src._optional import require

InterpolationMethod = Literal["linear", "cubic", "quadratic", "quintic", "zero_order_hold", "zoh"]

_DEGREES = {"quadratic": 2, "cubic": 3, "quintic": 5}
# Steps that are more than this would fill the memory.
_MOST_STEPS = 1e8
_HOLD = ("zero_order_hold", "zoh")


def interpolated(times: np.ndarray, data: np.ndarray, at: np.ndarray, method: InterpolationMethod) -> np.ndarray:
    """Return the values of a series at given times; before its first and after its last time, those at these.

    Args:
        times: increasing times (n).
        data: values (n, ...).
        at: times to interpolate at (m).
        method: interpolation; splines need scipy.

    Returns:
        Values (m, ...).
    """
    if method in _HOLD:
        return data[np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 1)]
    if method in _DEGREES:
        spline = require("scipy.interpolate").make_interp_spline(times, data, k=_DEGREES[method])
        return spline(np.clip(at, times[0], times[-1]))
    if method != "linear":
        raise ValueError(f"unknown interpolation `{method}`; expected linear, {', '.join((*_DEGREES, *_HOLD))}")
    data = np.asarray(data, dtype=np.float64)
    if len(times) == 1:
        return np.repeat(data, len(at), axis=0)
    after = np.clip(np.searchsorted(times, at), 1, len(times) - 1)
    inside = np.clip(at, times[0], times[-1]) - times[after - 1]
    shape = (-1,) + (1,) * (data.ndim - 1)
    slope = (data[after] - data[after - 1]) / (times[after] - times[after - 1]).reshape(shape)
    return data[after - 1] + slope * inside.reshape(shape)


def count_steps(start: float, end: float, dt: float) -> int:
    """Return the least number of steps of length ``dt``, or less by rounding, from one time to another."""
    steps = np.ceil((end - start) / dt * (1 - 1e-9))
    if not steps <= _MOST_STEPS:
        raise ValueError(f"from {start} s to {end} s there are {steps:g} steps of {dt} s; expected at most {_MOST_STEPS:g}")
    return int(steps)
