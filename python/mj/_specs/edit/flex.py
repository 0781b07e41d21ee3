"""Flexes made by rule: the bodies of their points, and equality constraints."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._assemble import build
from .._files import _vfs, gathered
from .._tree import HELD, MjsBody, walk

_TEXTS = ("name", "type", "dof", "file", "mesh")
_WHOLE = {"count": 3, "cellcount": 3}
_REAL = {"spacing": 3, "scale": 3, "origin": 3, "pos": 3, "quat": 4}
_NUMBERS = {"dim": int, "equality": int, "rigid": int, "flatskin": int, "elastic2d": int}
_NUMBERS |= {"radius": float, "mass": float, "inertiabox": float}


def _checked(given: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments that are given, each of its type."""
    out: dict[str, Any] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name in _TEXTS:
            if not isinstance(value, str):
                raise TypeError(f"`{name}` must be a string, not {type(value).__name__}")
            out[name] = value
        elif name in _NUMBERS:
            out[name] = _NUMBERS[name](value)
        else:
            length = _WHOLE.get(name) or _REAL[name]
            numbers = np.asarray(value)
            if numbers.shape != (length,):
                raise ValueError(f"{name} must have {length} elements")
            out[name] = [(int if name in _WHOLE else float)(x) for x in numbers]
    return out


def make_flex(body: MjsBody, given: dict[str, Any], vfs: Any) -> Any:
    """Adds to a body what a flexcomp with these arguments makes, and returns the flex."""
    from .._spec import MjSpec

    body._alive()
    spec = body._spec
    arguments = _checked(given)
    if arguments.get("mesh") and arguments.get("file"):
        raise ValueError("a flex cannot have both 'file' and 'mesh'")
    if arguments.get("mesh") and spec.mesh(arguments["mesh"]) is None:
        raise ValueError(f"mesh '{arguments['mesh']}' not found")
    if not body.name:
        raise ValueError("Error: Parent body must have name")
    # Zero stands for the usual value.
    for name in ("mass", "inertiabox"):
        if not arguments[name]:
            del arguments[name]
    core, _ = build(spec)
    place = (spec.modelfiledir, spec._compiler.meshdir, spec.strippath)
    core = core._make_flex(body.name, arguments, gathered(_vfs(vfs), spec._assets), place)
    made = MjSpec(core)
    flex = made._lists["flex"][0]
    new = made._world._children["body"][0]._children["body"]
    for point in new:
        if spec.body(point.name) is not None:
            raise ValueError(f"Error: repeated name '{point.name}' in body")
    for point in new:
        point._body = body
        body._children["body"].append(point)
        for element in walk(point):
            _adopt(spec, element)
    for kind in ("flex", "equality"):
        for element in made._lists[kind]:
            _adopt(spec, element)
            spec._lists[kind].append(element)
    spec._changed()
    return flex


def _adopt(spec: Any, element: Any) -> None:
    """Makes an element one of the spec, with all that it holds but bodies."""
    classes = {d._name: d for d in spec._defaults}
    held = [e for kind in HELD[1:] for e in element._children[kind]] if element._kind == "body" else []
    for one in (element, *held):
        one._spec = one._origin = spec
        if one._class is not None:
            one._class = classes.get(one._class._name)
