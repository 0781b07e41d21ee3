"""Deleting elements of a spec."""

from __future__ import annotations

from typing import Any

from .._default import MjsDefault
from .._element import MjsElement
from .._tree import HELD, walk
from . import keys, references

# Lists whose elements go with what they refer to.
_REFERRING = ("pair", "exclude", "tendon", "equality", "actuator", "sensor", "tuple", "skin", "flex")


def delete(spec: Any, element: Any) -> None:
    """Deletes an element; a body or a frame with what it holds, and with what refers to that."""
    if isinstance(element, MjsDefault):
        return _delete_default(spec, element)
    if not isinstance(element, MjsElement):
        raise TypeError(f"`element` must be an element of a spec, not {type(element).__name__}")
    if spec._attached:
        raise ValueError("Cannot delete element from an attached mjSpec.")
    if element._deleted or not _is_in(spec, element):
        if element._kind == "frame" or not element._deleted:
            raise ValueError(f"{element._kind} is not in this model")
        return None
    if element is spec._world:
        raise ValueError("the world body cannot be deleted")
    keys.save(spec)
    gone: set[tuple[str, str]] = set()
    if element._kind == "body":
        _drop_body(element, gone)
    elif element._kind == "frame":
        _drop_frame(element, gone)
    else:
        _drop(element)
    _drop_referring(spec, gone)
    spec._changed()
    return None


def _delete_default(spec: Any, default: MjsDefault) -> None:
    if default is spec.default:
        raise ValueError(f"Error: cannot remove the global default ('{default.name}')")
    gone = [default]
    for d in spec._defaults:
        if d._parent is not None and any(d._parent is g for g in gone):
            gone.append(d)
    spec._defaults = [d for d in spec._defaults if not any(d is g for g in gone)]
    names = {d._name for d in gone}
    for body in spec._bodies():
        for holder in (body, *body._children["frame"]):
            if holder._childclass in names:
                holder._set(1, "")
        for kind in HELD[2:]:
            for element in body._children[kind]:
                _forget(element, gone)
    for elements in spec._lists.values():
        for element in elements:
            _forget(element, gone)


def _forget(element: Any, gone: list[MjsDefault]) -> None:
    if any(element._class is d for d in gone):
        element._class = None


def _is_in(spec: Any, element: Any) -> bool:
    if element._kind in spec._lists:
        return any(e is element for e in spec._lists[element._kind])
    body = element if element._kind == "body" else element._body
    while body is not None and body._body is not None:
        body = body._body
    return body is spec._world


def _without(elements: list[Any], element: Any) -> list[Any]:
    return [e for e in elements if e is not element]


def _drop(element: Any) -> None:
    """Takes an element out of the lists that hold it."""
    kind = element._kind
    for spec in {id(s): s for s in (element._spec, element._origin)}.values():
        if kind in spec._lists:
            spec._lists[kind] = _without(spec._lists[kind], element)
        else:
            spec._world._children[kind] = _without(spec._world._children[kind], element)
        spec._changed()
    if element._body is not None:
        element._body._children[kind] = _without(element._body._children[kind], element)
    element._body, element._frame, element._deleted = None, None, True


def _drop_body(body: Any, gone: set[tuple[str, str]]) -> None:
    for b in list(walk(body)):
        gone.add(("body", b.name))
        for kind in HELD[1:]:
            for element in b._children[kind]:
                gone.add((kind, element.name))
                element._body, element._frame, element._deleted = None, None, True
        if b is not body:
            b._body, b._frame, b._deleted = None, None, True
    _drop(body)


def _drop_frame(frame: Any, gone: set[tuple[str, str]]) -> None:
    body = frame._body
    for kind in HELD:
        for element in list(body._children[kind]):
            if element._frame is not frame or element._deleted:
                continue
            if kind == "body":
                _drop_body(element, gone)
            elif kind == "frame":
                _drop_frame(element, gone)
            else:
                gone.add((kind, element.name))
                _drop(element)
    gone.add(("frame", frame.name))
    _drop(frame)


def _drop_referring(spec: Any, gone: set[tuple[str, str]]) -> None:
    """Deletes what refers to something that is gone, until nothing does."""
    gone = {(kind, name) for kind, name in gone if name}
    again = bool(gone)
    while again:
        again = False
        for kind in _REFERRING:
            for element in list(spec._lists[kind]):
                if any(reference in gone for reference in references.names(element)):
                    if element.name:
                        gone.add((kind, element.name))
                        again = True
                    _drop(element)
