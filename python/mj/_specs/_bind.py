"""`bind`: the fields of elements in a compiled model or its data."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._element import MjsElement

_MISMATCH = "The mjSpec does not match mjModel. Please recompile the mjSpec."


class BoundElements:
    """Fields of several elements of one kind: their numbers in one list."""

    __slots__ = ("_views",)

    def __init__(self, views: list[Any]):
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name: str) -> list[Any]:
        try:
            values = [getattr(view, name) for view in self._views]
        except AttributeError:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'") from None
        if name in ("id", "name"):
            return values
        return [number for value in values for number in np.asarray(value).reshape(-1)]

    def __setattr__(self, name: str, value: Any) -> None:
        getattr(self, name)
        if name in ("id", "name"):
            raise AttributeError(f"`{name}` cannot be set")
        if np.ndim(value) == 0:
            raise ValueError(f"`{name}` takes a value for each of {len(self._views)} elements, not one for all")
        if len(value) != len(self._views):
            raise ValueError(f"Expected {len(self._views)} values, got {len(value)}")
        for view, part in zip(self._views, value, strict=True):
            setattr(view, name, part)


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
