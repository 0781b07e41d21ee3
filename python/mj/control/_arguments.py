"""Arguments of planners."""

from __future__ import annotations

import math
import operator
from typing import Any

from .. import _core
from .._arguments import matching


def count(name: str, value: Any, least: int, most: int) -> int:
    """Returns a whole number; raises a ValueError if it is out of its range."""
    try:
        n = operator.index(value)
    except TypeError:
        raise TypeError(f"`{name}` must be a whole number, not {type(value).__name__}") from None
    if not least <= n <= most:
        raise ValueError(f"`{name}` is {n}; expected {least} to {most}")
    return n


def number(name: str, value: Any, *, infinite: bool = False) -> float:
    """Returns a number; raises a ValueError if it is not finite."""
    try:
        x = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"`{name}` must be a number, not {type(value).__name__}") from None
    if math.isnan(x) or (math.isinf(x) and not infinite):
        raise ValueError(f"`{name}` is {x}; expected a finite number")
    return x


def model(value: Any) -> Any:
    """Returns a model; raises a TypeError if it is something else."""
    return matching("model", value, _core.MjModel)


def data(value: Any) -> Any:
    """Returns data; raises a TypeError if it is something else."""
    return matching("data", value, _core.MjData)


#: Most steps of a trajectory.
STEPS = 1 << 20
#: Most threads.
THREADS = 4096
#: Most iterations.
ITERATIONS = 1 << 31
