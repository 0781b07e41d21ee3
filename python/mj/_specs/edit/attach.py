"""Attaching a part of a spec to another."""

from __future__ import annotations

from typing import Any

from .._assemble import copy
from .._default import KINDS, MjsDefault
from .._tree import HELD, MjsBody, MjsFrame, MjsSite, walk
from . import keys, references

_WARNING = "Attaching a spec with an empty prefix may prevent the model from being saved correctly."

# Lists that come whole, and those of which comes what refers to nothing but the part.
_WHOLE = ("texture", "material", "mesh", "hfield", "numeric", "text", "plugin")
_PARTIAL = ("skin", "flex", "pair", "exclude", "tendon", "equality", "actuator", "sensor", "tuple")


def _text(name: str, value: Any) -> str:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"`{name}` must be a string, not {type(value).__name__}")
    return value or ""


def frame_of(site: MjsSite) -> MjsFrame:
    """Returns a new frame in the place of a site."""
    site._alive()
    frame = site._body.add_frame(site._frame) if site._frame is not None else site._body.add_frame()
    frame.pos, frame.quat = site.pos, site.quat
    frame.alt._assign(site.alt)
    frame._origin = site._origin
    return frame


def attach(spec: Any, child: Any, prefix: Any, suffix: Any, site: Any, frame: Any) -> MjsFrame:
    """Attaches all that a spec has to a site or a frame, and returns the frame that holds it."""
    if not isinstance(child, type(spec)) and not isinstance(spec, type(child)):
        raise TypeError(f"`child` must be an MjSpec, not {type(child).__name__}")
    if site is None and frame is None:
        raise ValueError("One of frame or site must be specified.")
    if site is not None and frame is not None:
        raise ValueError("Only one of frame or site can be specified.")
    before, after = _text("prefix", prefix), _text("suffix", suffix)
    if prefix is None and suffix is None:
        before = "/"
    if isinstance(site, str):
        site = spec.site(site)
        if site is None:
            raise ValueError("Site not found.")
    if isinstance(frame, str):
        frame = spec.frame(frame)
        if frame is None:
            raise ValueError("Frame not found.")
    target = site if site is not None else frame
    if not isinstance(target, MjsSite if site is not None else MjsFrame):
        raise TypeError(f"a site or a frame must be an MjsSite or MjsFrame, not {type(target).__name__}")
    target._alive()
    if target._spec is not spec:
        raise ValueError("The site or frame is in another spec.")
    if child is spec:
        raise ValueError("Error: a spec cannot be attached to itself")
    if child._attached and not spec._copies:
        raise ValueError(
            "Error: Child spec is already attached by reference; enable deep copy to attach a spec more than once."
        )
    assets = _merged_assets(spec, child, before, after)
    source = copy(child)[0] if spec._copies else child
    work = _Attachment(spec, source, before, after)
    work.check_options()
    within = target if site is None else frame_of(site)
    holder = within._body.add_frame(within)
    holder._origin = source
    try:
        work.check_names(source._world, None)
    except ValueError:
        spec.delete(holder)
        raise
    work.begin()
    world = source._world
    for kind in HELD:
        for element in world._children[kind]:
            element._frame = element._frame or holder
            within._body._children[kind].append(element)
            work.take(element, within._body)
    work.finish()
    spec._assets = assets
    if not spec._copies:
        child._parent, child._attached = spec, True
    return holder


def attach_body(frame: MjsFrame, body: MjsBody, prefix: Any, suffix: Any) -> MjsBody:
    """Attaches a body with what is in it to a frame."""
    if not isinstance(body, MjsBody):
        raise TypeError(f"`body` must be an MjsBody, not {type(body).__name__}")
    return _attach_part(frame._body, frame, body, prefix, suffix)


def attach_frame(body: MjsBody, frame: MjsFrame, prefix: Any, suffix: Any) -> MjsFrame:
    """Attaches a frame with what is in it to a body."""
    if not isinstance(frame, MjsFrame):
        raise TypeError(f"`frame` must be an MjsFrame, not {type(frame).__name__}")
    return _attach_part(body, None, frame, prefix, suffix)


def _attach_part(host: Any, within: Any, part: Any, prefix: Any, suffix: Any) -> Any:
    before, after = _text("prefix", prefix), _text("suffix", suffix)
    (within or host)._alive()
    part._alive()
    spec, source = host._spec, part._spec
    if part is source._world:
        raise ValueError("Error: the world body cannot be attached; attach the spec")
    if source is spec and not spec._copies:
        raise ValueError("Error: Child element is in the parent spec; enable deep copy to attach a copy of it.")
    assets = _merged_assets(spec, source, before, after)
    if spec._copies:
        source, known = copy(source)
        part = known[id(part)]
    work = _Attachment(spec, source, before, after)
    work.check_options()
    work.check_names(part._body, part)
    work.begin()
    old = part._body
    moved = [part] if part._kind == "body" else _in_frame(old, part)
    for element in moved:
        if element is part:
            element._frame = within
        if old is not source._world:
            old._children[element._kind] = [e for e in old._children[element._kind] if e is not element]
        host._children[element._kind].append(element)
        work.take(element, host)
    work.finish()
    spec._assets = assets
    return part


def _in_frame(body: Any, frame: Any) -> list[Any]:
    """Lists a frame of a body with all that is in it."""
    out = [frame]
    for kind in HELD:
        for element in body._children[kind]:
            if element._frame is frame:
                out += _in_frame(body, element) if kind == "frame" else [element]
    return out


def _merged_assets(spec: Any, child: Any, before: str, after: str) -> dict[str, Any]:
    """Returns the files of both specs, those of the child under new names."""
    assets = dict(spec._assets)
    for name, content in child._assets.items():
        folder, slash, file = name.rpartition("/")
        stem, dot, ending = file.partition(".")
        new = f"{folder}/" if slash else ""
        if not before and after and slash:
            new += "/"
        new += f"{before}{stem}{after}{dot}{ending}"
        if new in assets and not spec.override_assets:
            raise ValueError(f"Asset {name} already exists in parent spec.")
        assets[new] = content
    return assets


class _Attachment:
    """One attachment: names, classes and lists of what comes from another spec."""

    def __init__(self, spec: Any, source: Any, before: str, after: str):
        self.spec, self.source, self.before, self.after = spec, source, before, after
        self.classes: dict[int, MjsDefault] = {}
        self.taken: list[Any] = []

    def new_name(self, name: str) -> str:
        return f"{self.before}{name}{self.after}" if name else ""

    def check_options(self) -> None:
        from .conflict import settle

        settle(self.spec, self.source)

    def check_names(self, body: Any, part: Any) -> None:
        """Refuses names that are taken already, before anything has changed."""
        elements = _in_frame(body, part) if part is not None and part._kind == "frame" else [part]
        if part is None:
            elements = [e for kind in HELD for e in body._children[kind]]
        for element in elements:
            below = walk(element) if element._kind == "body" else [element]
            for e in below:
                held = [h for kind in HELD[1:] for h in e._children[kind]] if e._kind == "body" else []
                for named in (e, *held):
                    name = self.new_name(named.name)
                    if name and self.spec._find(named._kind, name) is not None:
                        raise ValueError(f"Error: repeated name '{name}' in {named._kind}")

    def begin(self) -> None:
        """Notes keyframes, and brings the default classes."""
        keys.save(self.spec)
        keys.save(self.source)
        root = self.spec.default
        for d in self.source._defaults:
            name = self.new_name(d._name)
            found = self.spec.find_default(name)
            if found is None:
                elements = {kind: type(d._elements[kind])(d._elements[kind]) for kind in KINDS}
                found = MjsDefault(self.spec, name, self.classes.get(id(d._parent), root), elements)
                self.spec._defaults.append(found)
                for element in found._elements.values():
                    references.visit(element, lambda _, n: self.new_name(n))
            self.classes[id(d)] = found

    def take(self, element: Any, body: Any) -> None:
        """Makes an element of the tree one of the spec, under its new name."""
        element._body = body
        self._adopt(element)
        if element._kind == "body":
            for kind in HELD:
                for held in element._children[kind]:
                    self.take(held, element)

    def _adopt(self, element: Any) -> None:
        element._spec = self.spec
        element._set(0, self.new_name(element._get(0)))
        references.visit(element, lambda _, name: self.new_name(name))
        if element._kind in ("body", "frame"):
            if element._childclass:
                element._set(1, self.new_name(element._childclass))
            elif element._kind == "body":
                element._set(1, self.new_name(self.source.default._name))
        elif element._kind in (*KINDS, "skin"):
            element._class = self.classes.get(id(element._class or self.source.default))
        self.taken.append(element)

    def finish(self) -> None:
        """Brings the lists, and keyframes."""
        spec, source = self.spec, self.source
        inside = {(e._kind, e._get(0)) for e in self.taken}
        for kind in _WHOLE:
            for element in source._lists[kind]:
                if element._spec is source:
                    self._bring(kind, element)
        again = True
        while again:
            again = False
            for kind in _PARTIAL:
                for element in source._lists[kind]:
                    if element._spec is not source:
                        continue
                    needs = {(k, self.new_name(n)) for k, n in references.names(element)}
                    if needs <= inside | {("body", "world")}:
                        self._bring(kind, element)
                        inside.add((kind, element._get(0)))
                        again = True
        for key in source._lists["key"]:
            new = type(key)(key, spec)
            new._set(0, self.new_name(key._get(0)))
            new._saved = dict(key._saved) if key._saved is not None else None
            for name in ("qpos", "qvel", "act", "ctrl", "mpos", "mquat"):
                if new._saved is not None:
                    setattr(new, name, [])
            spec._lists["key"].append(new)
        if not self.before and not self.after:
            spec._warnings.append(_WARNING)
        spec._changed()
        source._changed()

    def _bring(self, kind: str, element: Any) -> None:
        self._adopt(element)
        self.spec._lists[kind].append(element)
