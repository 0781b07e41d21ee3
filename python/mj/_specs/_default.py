"""Default classes."""

from __future__ import annotations

from typing import Any

from ._element import CLASSES

# Kinds of elements that a class has values for.
KINDS = "joint geom site camera light flex mesh texture material pair equality tendon actuator".split()


class MjsDefault:
    """A default class: values that elements begin with."""

    __module__ = "mj"
    __slots__ = ("__weakref__", "_elements", "_name", "_parent", "_spec")

    def __init__(self, spec: Any, name: str, parent: MjsDefault | None, elements: dict[str, Any]):
        """Makes a class of prototypes by kind; they are copied."""
        self._spec = spec
        self._name = name
        self._parent = parent
        self._elements = {kind: CLASSES[kind](elements[kind], spec) for kind in KINDS}
        for element in self._elements.values():
            element._class = self
            element._deleted = False

    @property
    def name(self) -> str:
        """Name."""
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"`name` must be a string, not {type(value).__name__}")
        for body in self._spec._bodies():
            for element in (body, *body._children["frame"]):
                if self._name != "main" and element._childclass == self._name:
                    element.childclass = value
        self._name = value

    def __repr__(self) -> str:
        return f"<MjsDefault {self._name!r}>"


def _prototype(kind: str) -> property:
    def get(self: MjsDefault) -> Any:
        return self._elements[kind]

    def set(self: MjsDefault, value: Any) -> None:
        if type(value) is not CLASSES[kind]:
            raise TypeError(f"`{kind}` must be a {CLASSES[kind].__name__}, not {type(value).__name__}")
        self._elements[kind]._take_values(value)

    return property(get, set, doc=f"Values of a {kind}.")


for _kind in KINDS:
    setattr(MjsDefault, _kind, _prototype(_kind))
