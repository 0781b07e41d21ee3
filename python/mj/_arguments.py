"""Arguments of the functions that take data alone."""

from __future__ import annotations

from typing import Any

from . import _core


def model_of(data: Any) -> Any:
    """Returns the model of data; raises a TypeError if it is something else."""
    if not isinstance(data, _core.MjData):
        raise TypeError(f"`data` must be an MjData, not {type(data).__name__}")
    return data.model
