"""What all elements of a spec share: fields, name, place, and how they are made."""

from __future__ import annotations

from typing import Any

from .. import _core
from ._fields import TABLE, define

# Classes of elements by kind.
CLASSES: dict[str, type] = {}

# Kinds whose other forms of orientations may be given as arguments.
_FORMS = ("axisangle", "xyaxes", "zaxis", "euler")


class MjsElement(_core.SpecElement):
    """An element of a spec.

    Fields are live: what is written to an array, or to a list in a field, is what the next compilation reads.
    """

    __slots__ = ("_body", "_class", "_deleted", "_frame", "_id", "_origin", "_parts", "_spec")
    KIND = ""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        kind = cls.__dict__.get("KIND")
        if kind:
            CLASSES[kind] = cls
            cls.__module__ = "mj"
            define(cls, kind)

    def __init__(self, source: Any, spec: Any = None):
        # The spec that it is in, and the one that it was made in.
        self._spec = spec
        self._origin = spec
        self._body: Any = None
        self._frame: Any = None
        self._class: Any = None
        self._id = -1
        self._deleted = False
        self._parts: dict[str, Any] = {}

    def __new__(cls, source: Any, spec: Any = None) -> Any:
        return super().__new__(cls, source)

    @property
    def name(self) -> str:
        """Name."""
        return self._get(0)

    @name.setter
    def name(self, value: str) -> None:
        if self._spec is not None and isinstance(value, str) and value != self._get(0):
            self._spec._check_name(self, value)
        before = self._get(0)
        self._set(0, value)
        if self._spec is not None:
            self._spec._renamed(self, before)

    @property
    def id(self) -> int:
        """Number in the compiled model; −1 before."""
        if self._deleted or self._spec is None:
            return -1
        return self._spec._number(self)

    @property
    def signature(self) -> int:
        """A number that the model has too, if the element is as it was compiled."""
        return 0 if self._deleted or self._spec is None else self._spec._signature

    @property
    def compiler(self) -> Any:
        """Compiler settings of the spec that the element was made in."""
        return self._origin.compiler

    def _alive(self) -> None:
        if self._deleted:
            raise ValueError(f"the {self._kind} {self.name!r} was deleted")

    def _give(self, arguments: dict[str, Any]) -> None:
        """Sets fields from arguments of their names."""
        fields = TABLE[self._kind]
        for prefix, alt in (("", "alt"), ("i", "ialt")):
            given = [n for n in _FORMS if arguments.get(prefix + n) is not None and f"{alt}.{n}" in fields]
            if len(given) > 1:
                names = [prefix + n for n in _FORMS]
                raise ValueError(f"Only one of: {', '.join(names[:3])}, or {names[3]} can be set.")
        for name, value in arguments.items():
            prefix, alt, base = ("i", "ialt", name[1:]) if name[1:] in _FORMS else ("", "alt", name)
            if base in _FORMS and f"{alt}.{base}" in fields:
                if value is not None:
                    self._set_form(name, alt, base, value)
            elif name == "plugin" and "plugin.name" in fields:
                if value is not None:
                    self.plugin = value
            elif name in fields and not name.startswith("_"):
                if value is not None and name != "name":
                    if name == "gridlayout" and isinstance(value, (str, list, tuple)) and len(value) != 12:
                        raise ValueError(f"gridlayout should have length 12, not {len(value)}.")
                    self._set(fields[name][0], getattr(value, "_items", value), True)
            else:
                raise TypeError(f"a {self._kind} has no argument {name!r}; it has {', '.join(_arguments(self._kind))}")
        if arguments.get("name") is not None:
            self.name = arguments["name"]

    def _set_form(self, name: str, alt: str, base: str, value: Any) -> None:
        fields = TABLE[self._kind]
        try:
            self._set(fields[f"{alt}.{base}"][0], value, True)
        except ValueError as error:
            raise ValueError(str(error).replace(f"{alt}.{base}", name)) from None
        self._set(fields[f"{alt}.type"][0], 1 + _FORMS.index(base))

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self._kind in TABLE and "name" in TABLE[self._kind] else ""
        return f"<{type(self).__name__}{name}{', deleted' if self._deleted else ''}>"


def _arguments(kind: str) -> list[str]:
    return sorted({n.partition(".")[0] for n in TABLE[kind] if not n.startswith("_")})


class Classed(MjsElement):
    """An element with a default class."""

    __slots__ = ()

    @property
    def classname(self) -> Any:
        """Default class."""
        return self._class or (self._spec.default if self._spec is not None else None)

    @classname.setter
    def classname(self, value: Any) -> None:
        from ._default import MjsDefault

        if not isinstance(value, MjsDefault):
            raise TypeError(f"`classname` must be an MjsDefault, not {type(value).__name__}")
        self._class = value


class InTree(MjsElement):
    """An element that a body holds."""

    __slots__ = ()

    @property
    def parent(self) -> Any:
        """Body that holds it."""
        return self._body

    @property
    def frame(self) -> Any:
        """Frame that it is in."""
        return self._frame

    def set_frame(self, frame: Any) -> None:
        """Puts the element into a frame of the same body."""
        self._alive()
        if CLASSES["frame"] is not type(frame):
            raise TypeError(f"`frame` must be an MjsFrame, not {type(frame).__name__}")
        frame._alive()
        around = frame
        while around is not None:
            if around is self:
                raise ValueError(f"Error: frame {self.name!r} can't be in itself")
            around = around._frame
        if frame._body is not self._body or self._body is None:
            raise ValueError(f"Error: Frame and {self._kind} '{self.name}' have mismatched parents")
        self._frame = frame
        self._spec._changed()
