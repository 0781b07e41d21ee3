"""Between elements and the spec of the native module; copies of specs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._records import MjOption, MjStatistic
from .._visual import MjVisual
from ._default import KINDS, MjsDefault
from ._element import CLASSES, Classed
from ._fields import TABLE
from ._listed import LISTED, MjsWrap
from ._tree import HELD, MjsBody, walk
from .edit.keys import rebuilt

_PLURAL = {"joint": "joints", "geom": "geoms", "site": "sites", "camera": "cameras", "light": "lights"}


def take(spec: Any, core: Any) -> None:
    """Fills a spec with the elements of one of the native module."""
    from ._spec import MjsCompiler

    compiler, settings = core._settings()
    spec._take_values(settings)
    spec._compiler = MjsCompiler(compiler)
    spec._option = MjOption()
    for name, numbers in core._option():
        if name in MjOption.FIELDS:
            spec._option._array(name)[...] = numbers if len(numbers) > 1 else numbers[0]
    spec._visual = MjVisual(core._visual())
    spec._stat = MjStatistic()
    for name, numbers in core._stat():
        spec._stat._array(name)[...] = numbers if len(numbers) > 1 else numbers[0]
    spec._plugins = core._plugins()
    spec._defaults = []
    for name, parent, elements in core._classes():
        spec._defaults.append(MjsDefault(spec, name, spec._defaults[parent] if parent >= 0 else None, elements))
    classes = {d._name: d for d in reversed(spec._defaults)}
    root = spec._defaults[0]._name
    rows: list[MjsBody] = []
    for record in core._bodies():
        body = MjsBody(record["element"], spec)
        frames = [CLASSES["frame"](element, spec) for element, _ in record["frames"]]
        for frame, (_, parent) in zip(frames, record["frames"], strict=True):
            frame._body = body
            frame._frame = frames[parent] if parent >= 0 else None
        body._children["frame"] = frames
        if record["parent"] >= 0:
            parent_body = rows[record["parent"]]
            body._body = parent_body
            at = record["frame"]
            body._frame = parent_body._children["frame"][at] if at >= 0 else None
            parent_body._children["body"].append(body)
            if not body._childclass:
                # What is read has the class that holds around it.
                body.childclass = around(body, root)
        for kind, plural in _PLURAL.items():
            for source, at, name in record[plural]:
                element = CLASSES[kind](source, spec)
                element._body, element._frame = body, frames[at] if at >= 0 else None
                is_free = kind == "joint" and int(element.type) == 0
                element._class = classes.get(name or ("" if is_free else around(element, root)))
                body._children[kind].append(element)
        rows.append(body)
    spec._world = rows[0]
    spec._world._set(0, "world")
    spec._lists = {kind: [] for kind in LISTED}
    for kind, records in core._lists().items():
        for source, name in records:
            element = CLASSES[kind](source, spec)
            element._class = classes.get(name)
            spec._lists[kind].append(element)
    for tendon, path in zip(spec._lists["tendon"], core._paths(), strict=True):
        tendon._path._wraps = [MjsWrap(tendon, what, name, side, number) for what, name, side, number in path]


def around(element: Any, root: str) -> str:
    """Returns the name of the class that holds where an element of the tree is."""
    frame = element._frame
    while frame is not None:
        if frame._childclass:
            return frame._childclass
        frame = frame._frame
    return (element._body._childclass or root) if element._body is not None else root


def _class_name(element: Any, held: str) -> str | None:
    """Returns the name of an element's class, if it isn't the one that holds there."""
    name = element.classname._name
    # Free joints take nothing from classes.
    is_free = element._kind == "joint" and int(element.type) == 0
    return None if name == held or is_free else name


def _sorted(frames: list[Any]) -> list[Any]:
    """Puts frames after the ones that they are in."""
    out: list[Any] = []
    known: set[int] = set()
    left = list(frames)
    while left:
        ready = [f for f in left if f._frame is None or id(f._frame) in known]
        if not ready:
            raise ValueError("frames are in one another")
        out += ready
        known |= {id(f) for f in ready}
        left = [f for f in left if id(f) not in known]
    return out


def parts(spec: Any) -> tuple[dict[str, Any], list[Any]]:
    """Returns what the native module builds a spec from, and the specs that elements come from."""
    owners: list[Any] = [spec]
    rows: dict[int, int] = {id(spec): 0}

    def owner(element: Any) -> int:
        origin = element._origin
        if id(origin) not in rows:
            rows[id(origin)] = len(owners)
            owners.append(origin)
        return rows[id(origin)]

    root = spec.default._name
    bodies: list[dict[str, Any]] = []
    numbers: dict[int, tuple[int, dict[int, int]]] = {}
    for body in walk(spec._world):
        frames = _sorted(body._children["frame"])
        at = {id(f): i for i, f in enumerate(frames)}
        record: dict[str, Any] = {"element": body, "owner": owner(body), "parent": -1, "frame": -1}
        if body._body is not None and id(body._body) in numbers:
            parent, within = numbers[id(body._body)]
            record |= {"parent": parent, "frame": within.get(id(body._frame), -1)}
        record["frames"] = [(f, at.get(id(f._frame), -1), owner(f)) for f in frames]
        for kind, plural in _PLURAL.items():
            record[plural] = [
                (e, at.get(id(e._frame), -1), _class_name(e, around(e, root)), owner(e)) for e in body._children[kind]
            ]
        numbers[id(body)] = (len(bodies), at)
        bodies.append(record)
    lists = {
        kind: [(e, _class_name(e, root) if isinstance(e, Classed) else None, owner(e)) for e in spec._lists[kind]]
        for kind in LISTED
    }
    lists["key"] = [(rebuilt(spec, key), None, 0) for key in spec._lists["key"]]
    defaults = {id(d): i for i, d in enumerate(spec._defaults)}
    classes = [(d._name, defaults.get(id(d._parent), -1), d._elements) for d in spec._defaults]
    return {
        "compilers": [s._compiler for s in owners],
        "globals": spec,
        "classes": classes,
        "bodies": bodies,
        "lists": lists,
        "paths": [[(w._what, w._name, w._side, w._number) for w in t._path] for t in spec._lists["tendon"]],
        "plugins": list(dict.fromkeys(p for s in owners for p in s._plugins)),
        "option": [(n, np.asarray(spec._option._array(n)).reshape(-1).astype(float).tolist()) for n in MjOption.FIELDS],
        "visual": _visual(spec._visual),
        "stat": [(n, np.asarray(spec._stat._array(n)).reshape(-1).tolist()) for n in MjStatistic.FIELDS],
    }, owners


def _visual(visual: MjVisual) -> list[tuple[str, str, list[float]]]:
    """Lists the options of rendering that differ from the usual ones."""
    usual, out = MjVisual(), []
    for name in MjVisual._PARTS:
        part, blank = getattr(visual, name), getattr(usual, name)
        for field in part.FIELDS:
            array = np.asarray(part._array(field))
            if not np.array_equal(array, blank._array(field)):
                out.append((name.rstrip("_"), field, array.reshape(-1).astype(float).tolist()))
    return out


def build(spec: Any) -> tuple[Any, list[Any]]:
    """Builds a spec of the native module, and returns the specs that elements come from."""
    given, owners = parts(spec)
    return _core.SpecCore._build(spec._core, given), owners


def copy(spec: Any) -> tuple[Any, dict[int, Any]]:
    """Copies a spec, and tells which element is which, by the addresses of the old ones."""
    new = type(spec)._bare()
    new._core = spec._core
    new._take_values(spec)
    for name in ("_compiler",):
        getattr(new, name)._take_values(getattr(spec, name))
    for name in ("_option", "_visual", "_stat"):
        getattr(new, name)._assign(getattr(spec, name))
    new._assets = dict(spec._assets)
    new._copies, new.override_assets = spec._copies, spec.override_assets
    new._signature, new._warnings, new._plugins = spec._signature, list(spec._warnings), list(spec._plugins)
    new._authored._assign(spec._authored)
    known: dict[int, Any] = {id(None): None}
    new._defaults = []
    for d in spec._defaults:
        known[id(d)] = MjsDefault(new, d._name, known.get(id(d._parent)), d._elements)
        new._defaults.append(known[id(d)])

    def cloned(element: Any) -> Any:
        other = known[id(element)] = type(element)(element, new)
        # Settings of another spec go on to hold for what came from it.
        other._origin = new if element._origin is spec else element._origin
        other._class = known.get(id(element._class))
        other._id = element._id
        return other

    for body in walk(spec._world):
        other = cloned(body)
        for kind in HELD[1:]:
            other._children[kind] = [cloned(e) for e in body._children[kind]]
    for body in walk(spec._world):
        for kind in HELD:
            for element in body._children[kind]:
                other = known[id(element)]
                other._body, other._frame = known[id(body)], known.get(id(element._frame))
        known[id(body)]._children["body"] = [known[id(b)] for b in body._children["body"]]
    new._world = known[id(spec._world)]
    for kind in LISTED:
        new._lists[kind] = [cloned(e) for e in spec._lists[kind]]
    for tendon, other in zip(spec._lists["tendon"], new._lists["tendon"], strict=True):
        other._path._wraps = [MjsWrap(other, w._what, w._name, w._side, w._number) for w in tendon._path]
    for key, other in zip(spec._lists["key"], new._lists["key"], strict=True):
        if key._saved is not None:
            other._saved = {known[id(e)]: numbers for e, numbers in key._saved.items() if id(e) in known}
    new._forget_names()
    return new, known


def _values(element: Any, usual: Any = None) -> dict[str, Any]:
    """Returns the fields of an element that differ from the built-in values."""
    out = {}
    blank = usual or _core.SpecElement(element._kind)
    now = _core.SpecElement(element)
    for name, (row, *_) in TABLE[element._kind].items():
        value = now._get(row)
        if (
            repr(value) != repr(blank._get(row))
            or isinstance(value, np.ndarray)
            and value.tobytes() != blank._get(row).tobytes()
        ):
            out[name] = value
    return out


def _filled(kind: str, values: dict[str, Any]) -> Any:
    element = _core.SpecElement(kind)
    for name, value in values.items():
        element._set(TABLE[kind][name][0], dict(value) if name.endswith("config") else value)
    return element


def state(spec: Any) -> dict[str, Any]:
    """Returns all of a spec as plain objects."""
    given, _ = parts(spec)
    for body in given["bodies"]:
        body["element"] = _values(body["element"])
        body["frames"] = [(_values(f), *rest) for f, *rest in body["frames"]]
        for plural in _PLURAL.values():
            body[plural] = [(_values(e), *rest) for e, *rest in body[plural]]
    given["lists"] = {k: [(_values(e), *rest) for e, *rest in v] for k, v in given["lists"].items()}
    given["classes"] = [(n, p, {k: _values(e) for k, e in elements.items()}) for n, p, elements in given["classes"]]
    given["globals"] = _values(spec)
    given["compilers"] = [_values(c) for c in given["compilers"]]
    return given | {"assets": dict(spec._assets)}


def restore(given: dict[str, Any]) -> Any:
    """Makes a spec of what `state` returned."""
    from ._spec import MjSpec

    kinds = {plural: kind for kind, plural in _PLURAL.items()}
    for body in given["bodies"]:
        body["element"] = _filled("body", body["element"])
        body["frames"] = [(_filled("frame", f), *rest) for f, *rest in body["frames"]]
        for plural, kind in kinds.items():
            body[plural] = [(_filled(kind, e), *rest) for e, *rest in body[plural]]
    given["lists"] = {k: [(_filled(k, e), *rest) for e, *rest in v] for k, v in given["lists"].items()}
    given["classes"] = [(n, p, {k: _filled(k, e[k]) for k in KINDS}) for n, p, e in given["classes"]]
    given["globals"] = _filled("globals", given["globals"])
    given["compilers"] = [_filled("compiler", c) for c in given["compilers"]]
    spec = MjSpec(_core.SpecCore._build(_core.SpecCore(), given))
    # The engine's form lacks some of what elements have.
    spec._take_values(given["globals"])
    for body, record in zip(walk(spec._world), given["bodies"], strict=True):
        body._take_values(record["element"])
        for plural, kind in kinds.items():
            for element, (source, *_) in zip(body._children[kind], record[plural], strict=True):
                element._take_values(source)
    for kind, records in given["lists"].items():
        if kind != "plugin":
            for element, (source, *_) in zip(spec._lists[kind], records, strict=True):
                element._take_values(source)
    spec._assets = given["assets"]
    return spec
