"""`bind`: the fields of elements in a compiled model or its data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._element import MjsElement

_MISMATCH = "The mjSpec does not match mjModel. Please recompile the mjSpec."


class BoundElements:
    """Fields of several elements of one kind, one after the other."""

    __slots__ = ("_views",)

    def __init__(self, views: list[Any]):
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name: str) -> Any:
        if not self._views:
            return [] if name in ("id", "name") else np.zeros(0)
        try:
            values = [getattr(view, name) for view in self._views]
        except AttributeError:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'") from None
        if name in ("id", "name"):
            return values
        first = np.asarray(values[0])
        return (
            np.concatenate([np.atleast_1d(v) for v in values])
            if first.ndim <= 1 and first.size == 1
            else np.array(values)
        )

    def __setattr__(self, name: str, value: Any) -> None:
        present = getattr(self, name)
        if name in ("id", "name"):
            raise AttributeError(f"`{name}` cannot be set")
        value = np.asarray(value)
        if value.ndim == 0:
            values: Sequence[Any] = [value] * len(self._views)
        else:
            values = np.broadcast_to(value, np.shape(present))
        for view, part in zip(self._views, values, strict=True):
            setattr(view, name, part)

    def __len__(self) -> int:
        return len(self._views)

    def __getitem__(self, index: int) -> Any:
        return self._views[index]


def bind(self: Any, specs: Any) -> Any:
    """Returns the fields of an element, or of elements of one kind, in this model or data."""
    if isinstance(specs, MjsElement):
        return _one(self, specs)
    if isinstance(specs, (str, bytes)) or not hasattr(specs, "__iter__"):
        raise TypeError(f"`specs` must be an element of a spec or a sequence of them, not {type(specs).__name__}")
    elements = list(specs)
    for element in elements:
        if not isinstance(element, MjsElement):
            raise TypeError(f"`specs` must hold elements of a spec, not {type(element).__name__}")
        if element._kind != elements[0]._kind:
            raise TypeError(f"`specs` must hold elements of one kind, not a {elements[0]._kind} and a {element._kind}")
    return BoundElements([_one(self, element) for element in elements])


def _one(owner: Any, element: Any) -> Any:
    model = getattr(owner, "model", owner)
    if element._deleted:
        raise IndexError(f"Invalid index -1: the {element._kind} {element.name!r} was deleted")
    if element.signature != model.signature:
        raise ValueError(_MISMATCH)
    views = getattr(owner, element._kind, None)
    number = element.id
    if views is None:
        raise TypeError(f"{type(owner).__name__} has no fields of a {element._kind}")
    if number < 0:
        raise IndexError(f"Invalid index {number}: the {element._kind} {element.name!r} is not in the model")
    return views(number)
