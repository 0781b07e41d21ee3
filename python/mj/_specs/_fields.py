"""Fields of elements as attributes, from the table that the native module has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _core, _enums
from ._vectors import MjCharVec, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec

# By kind of element: fields by name, with their row, what they hold, how many, and their enumeration.
TABLE: dict[str, dict[str, tuple[int, str, int, str]]] = {
    kind: {name: (row, what, count, of) for row, (name, what, count, of) in enumerate(fields)}
    for kind, fields in _core._spec_fields()
}

_VECTORS: dict[str, Callable[[Any, int], Any]] = {
    "numbers": lambda items, n: MjDoubleVec(items),
    "singles": lambda items, n: MjFloatVec(items),
    "integers": lambda items, n: MjIntVec(items),
    "texts": lambda items, n: MjStringVec(items),
    "chars": MjCharVec,
    "config": lambda items, n: dict(items),
}


class Field:
    """A field of an element: a number, a text, or an array that stays."""

    def __init__(self, name: str, row: int, what: str, count: int, of: str):
        self.name = name
        self.row = row
        self.count = count
        self.enum = getattr(_enums, of, None) if of else None
        dynamic = what in ("texts", "chars") or (count == 0 and what in _VECTORS and what != "config")
        self.make = _VECTORS[what] if dynamic else None
        shown = {"numbers": "Numbers", "singles": "Numbers", "integers": "Integers", "enum": f"A value of {of}"}
        self.__doc__ = f"{shown.get(what, what.capitalize().replace('_', ' '))}."

    def __get__(self, element: Any, kind: type | None = None) -> Any:
        if element is None:
            return self
        if self.make is not None:
            held = element._held
            vector = held.get(self.name)
            if vector is None:
                vector = held[self.name] = self.make(element._get(self.row), self.count)
            return vector
        value = element._get(self.row)
        if self.enum is not None:
            try:
                return self.enum(value)
            except ValueError:
                return value
        return value

    def __set__(self, element: Any, value: Any) -> None:
        element._set(self.row, getattr(value, "_items", value))


class _Config(Field):
    """Settings of a plugin as a dictionary: a copy, which is assigned to change it."""

    def __get__(self, element: Any, kind: type | None = None) -> Any:
        return self if element is None else dict(element._get(self.row))


class Part:
    """A struct in an element, as the other forms of its orientation."""

    __slots__ = ("_element", "_prefix")
    NAMES: tuple[str, ...] = ()

    def __init__(self, element: Any, prefix: str):
        object.__setattr__(self, "_element", element)
        object.__setattr__(self, "_prefix", prefix)

    def _field(self, name: str) -> Field:
        field = PARTS.get((self._element._kind, f"{self._prefix}.{name}"))
        if field is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return field

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._field(name).__get__(self._element)

    def __setattr__(self, name: str, value: Any) -> None:
        self._field(name).__set__(self._element, value)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.NAMES]

    def _assign(self, other: Any) -> None:
        for name in self.NAMES:
            setattr(self, name, getattr(other, name))


class MjsOrientation(Part):
    """Other forms of an orientation, and which of them holds."""

    __slots__ = ()
    NAMES = ("type", "axisangle", "xyaxes", "zaxis", "euler")


class _PluginPart(Part):
    """What an element leaves to a plugin."""

    __slots__ = ()
    NAMES = ("name", "plugin_name", "active", "info")


class _LengthRange(Part):
    """Settings for finding the ranges of lengths of actuators."""

    __slots__ = ()
    NAMES = (
        "mode",
        "useexisting",
        "uselimit",
        "accel",
        "maxforce",
        "timeconst",
        "timestep",
        "inttotal",
        "interval",
        "tolrange",
    )


_PARTS = {"alt": MjsOrientation, "ialt": MjsOrientation, "plugin": _PluginPart, "LRopt": _LengthRange}

# Fields of structs, by kind of element and name.
PARTS: dict[tuple[str, str], Field] = {}


def _part(prefix: str) -> property:
    def get(element: Any) -> Part:
        part = element._parts.get(prefix)
        if part is None:
            part = element._parts[prefix] = _PARTS[prefix](element, prefix)
        return part

    def set(element: Any, value: Any) -> None:
        if not all(hasattr(value, name) for name in _PARTS[prefix].NAMES):
            raise TypeError(f"`{prefix}` must be a struct like it, not {type(value).__name__}")
        get(element)._assign(value)

    return property(get, set, doc=f"The struct `{prefix}`.")


def define(cls: type, kind: str) -> None:
    """Gives a class the fields of a kind of element."""
    for name, (row, what, count, of) in TABLE[kind].items():
        prefix, dot, _ = name.partition(".")
        field = (_Config if what == "config" else Field)(name, row, what, count, of)
        if dot:
            PARTS[kind, name] = field
            if not hasattr(cls, prefix):
                setattr(cls, prefix, _part(prefix))
        elif not hasattr(cls, name):
            setattr(cls, name, field)
