"""Arrays that stay: how fields of models and data become attributes."""

from __future__ import annotations

from typing import Any

import numpy as np


class Array:
    """An array of a model or data: taken once, then kept in the object's own dictionary.

    A descriptor without ``__set__``: once the array lies in the dictionary, attribute access finds it there.
    """

    def __init__(self, name: str, doc: str = "", source: str | None = None):
        self.name = name
        self.source = source or name
        self.view: type[np.ndarray] | None = None
        self.__doc__ = doc

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        array = owner._take(self.source)
        if self.view is not None:
            array = array.view(self.view)
        owner.__dict__[self.name] = array
        return array


class Asked:
    """An array that shows the present value when it is read from its object: it takes too long for every call."""

    def __init__(self, name: str, doc: str = ""):
        self.name = name
        self.__doc__ = doc

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        array = owner.__dict__.get(self.name)
        if array is None:
            array = owner.__dict__[self.name] = owner._take(self.name)
        else:
            owner._refresh(self.name)
        return array

    def __set__(self, owner: Any, value: Any) -> None:
        raise AttributeError(f"`{self.name}` is computed, and can't be set")


class Snapshot:
    """An array whose size changes from call to call: made anew at each access."""

    def __init__(self, name: str, doc: str = ""):
        self.name = name
        self.__doc__ = doc

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else owner._snapshot(self.name)

    def __set__(self, owner: Any, value: Any) -> None:
        raise AttributeError(f"`{self.name}` is computed, and can't be set")


class Absent:
    """An array of a feature that is not there, or of an older interface: no rows, or zeros."""

    def __init__(self, name: str, dtype: str, shape: tuple[int | str, ...]):
        self.name = name
        self.dtype = dtype
        self.shape = shape
        self.__doc__ = "Always zero, or without rows."

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        model = owner.model if hasattr(owner, "model") else owner
        shape = tuple(_size(owner, model, n) if isinstance(n, str) else n for n in self.shape)
        # Addresses and numbers of what is not there are -1.
        none = -1 if self.name.endswith(("_plugin", "adr")) and model is owner else 0
        array = np.full(shape, none, self.dtype)
        owner.__dict__[self.name] = array
        return array


def _size(owner: Any, model: Any, name: str) -> int:
    return getattr(model, name) if hasattr(model, name) else getattr(owner, name)


def refuse(owner: Any, name: str) -> AttributeError:
    """Makes the error for an attribute that can't be set: with the nearest names."""
    import difflib

    near = difflib.get_close_matches(name, [n for n in dir(type(owner)) if not n.startswith("_")], 3)
    hint = f"; did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
    return AttributeError(f"'{type(owner).__name__}' has no attribute {name!r} that can be set{hint}")
