"""Arguments of functions, with errors that name them."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core


def model_of(data: Any) -> Any:
    """Returns the model of data; raises a TypeError if it is something else."""
    if not isinstance(data, _core.MjData):
        raise TypeError(f"`data` must be an MjData, not {type(data).__name__}")
    return data.model


def matching(name: str, value: Any, kind: type) -> Any:
    """Returns an argument; raises a TypeError if it is of another type."""
    if not isinstance(value, kind):
        raise TypeError(f"`{name}` must be an {kind.__name__}, not {type(value).__name__}")
    return value


def numbers(name: str, value: Any, count: int) -> np.ndarray:
    """Returns so many numbers as a flat array; raises a TypeError if it is something else."""
    try:
        array = np.asarray(value, float).reshape(-1)
    except (TypeError, ValueError):
        raise TypeError(f"`{name}` must be {count} numbers, not {type(value).__name__}") from None
    if array.size != count:
        raise TypeError(f"`{name}` must be {count} numbers, not an array of shape {np.shape(value)}")
    return array
