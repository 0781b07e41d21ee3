"""Bodies and frames, with what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import _enums
from ._default import MjsDefault
from ._element import CLASSES, Classed, InTree, MjsElement

# Kinds of elements that a body holds.
HELD = ("body", "frame", "joint", "geom", "site", "camera", "light")

_PLURAL = {
    "body": "bodies",
    "frame": "frames",
    "joint": "joints",
    "geom": "geoms",
    "site": "sites",
    "camera": "cameras",
}
_PLURAL["light"] = "lights"
_CODES = {"mjOBJ_BODY": "body", "mjOBJ_JOINT": "joint", "mjOBJ_GEOM": "geom", "mjOBJ_SITE": "site"}
_CODES |= {"mjOBJ_CAMERA": "camera", "mjOBJ_LIGHT": "light", "mjOBJ_XBODY": "body", "mjOBJ_FRAME": "frame"}


class _Holder(InTree):
    """A body or a frame: what elements are added to."""

    __slots__ = ()

    def _place(self) -> tuple[Any, Any]:
        """Returns the body that holds what is added, and the frame."""
        raise NotImplementedError

    def _add(self, kind: str, default: Any, arguments: dict[str, Any]) -> Any:
        self._alive()
        body, frame = self._place()
        if default is not None and not isinstance(default, MjsDefault):
            raise TypeError(f"`default` must be an MjsDefault, not {type(default).__name__}")
        spec = body._spec
        # Without a class, that of the body holds.
        default = default or body.classname or spec.default
        element = CLASSES[kind](kind if kind in ("body", "frame") else getattr(default, kind), spec)
        element._origin = self._origin
        element._class = default
        if kind == "body":
            element.childclass = default.name
        element._give(arguments)
        element._body, element._frame = body, frame
        body._children[kind].append(element)
        spec._added(element)
        return element

    def add_body(self, default: Any = None, **arguments: Any) -> MjsBody:
        """Adds a body, with a default class and fields."""
        return self._add("body", default, arguments)

    def add_geom(self, default: Any = None, **arguments: Any) -> Any:
        """Adds a geom, with a default class and fields."""
        return self._add("geom", default, arguments)

    def add_joint(self, default: Any = None, **arguments: Any) -> Any:
        """Adds a joint, with a default class and fields."""
        return self._add("joint", default, arguments)

    def add_site(self, default: Any = None, **arguments: Any) -> Any:
        """Adds a site, with a default class and fields."""
        return self._add("site", default, arguments)

    def add_camera(self, default: Any = None, **arguments: Any) -> Any:
        """Adds a camera, with a default class and fields."""
        return self._add("camera", default, arguments)

    def add_light(self, default: Any = None, **arguments: Any) -> Any:
        """Adds a light, with a default class and fields."""
        return self._add("light", default, arguments)

    def add_frame(self, default: Any = None, **arguments: Any) -> MjsFrame:
        """Adds a frame, in another frame of the body if one is given."""
        if default is not None and not isinstance(default, MjsFrame):
            raise TypeError(f"the frame to add to must be an MjsFrame, not {type(default).__name__}")
        if default is not None:
            default._alive()
            if default._body is not self._place()[0]:
                raise ValueError("the frame to add to is in another body")
        frame = self._add("frame", None, arguments)
        if default is not None:
            frame._frame = default
        return frame

    @property
    def _childclass(self) -> str:
        return self._get(1)


class MjsFrame(_Holder):
    """A frame in a body: moves and resizes what is in it."""

    __slots__ = ()
    KIND = "frame"

    def _place(self) -> tuple[Any, Any]:
        if self._body is None:
            raise ValueError(f"the frame {self.name!r} is in no body")
        return self._body, self

    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
        """Attaches a body of another spec, with what is in it and refers to nothing else."""
        from .edit.attach import attach_body

        return attach_body(self, body, prefix, suffix)


class MjsBody(_Holder):
    """A body with the elements that it holds."""

    __slots__ = ("_children",)
    KIND = "body"

    def __init__(self, source: Any, spec: Any = None):
        super().__init__(source, spec)
        self._children: dict[str, list[Any]] = {kind: [] for kind in HELD}

    def _place(self) -> tuple[Any, Any]:
        return self, None

    @property
    def childclass(self) -> str:
        """Name of the default class of what is in it."""
        return self._get(1) or "main"

    @childclass.setter
    def childclass(self, value: str) -> None:
        self._set(1, "" if value == "main" else value)

    @property
    def classname(self) -> Any:
        """Default class of what is in it."""
        return self._spec.find_default(self.childclass)

    @classname.setter
    def classname(self, value: Any) -> None:
        if not isinstance(value, MjsDefault):
            raise TypeError(f"`classname` must be an MjsDefault, not {type(value).__name__}")
        self.childclass = value.name

    def add_freejoint(self, **arguments: Any) -> Any:
        """Adds a free joint, which takes nothing from default classes."""
        for name in arguments:
            if name not in ("align", "group", "name"):
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
        joint = self._add("joint", None, {})
        try:
            joint._class = None
            joint._take_values(CLASSES["joint"]("joint"))
            joint.type = _enums.mjtJoint.mjJNT_FREE
            joint._give(arguments)
        except (TypeError, ValueError):
            self._spec.delete(joint)
            raise
        return joint

    def make_flex(
        self,
        name: str,
        type: str | None = None,  # noqa: A002
        dim: int = 3,
        dof: str | None = None,
        count: Any = None,
        cellcount: Any = None,
        spacing: Any = None,
        scale: Any = None,
        radius: float = 0.0,
        mass: float = 1.0,
        inertiabox: float = 0.005,
        equality: int = 0,
        rigid: int = 0,
        flatskin: int = 0,
        elastic2d: int = 0,
        pos: Any = None,
        quat: Any = None,
        origin: Any = None,
        file: str | None = None,
        mesh: str | None = None,
        vfs: Any = None,
    ) -> Any:
        """Makes a flex as `flexcomp` does: adds bodies for its points, the flex, and equality constraints."""
        from .edit.flex import make_flex

        given = {"name": name, "type": type, "dof": dof, "file": file, "mesh": mesh}
        given |= {"count": count, "cellcount": cellcount, "spacing": spacing, "scale": scale, "origin": origin}
        given |= {"dim": dim, "radius": radius, "mass": mass, "inertiabox": inertiabox, "equality": equality}
        given |= {"rigid": rigid, "flatskin": flatskin, "elastic2d": elastic2d, "pos": pos, "quat": quat}
        return make_flex(self, given, vfs)

    def attach_frame(self, frame: MjsFrame, prefix: str | None = None, suffix: str | None = None) -> MjsFrame:
        """Attaches a frame of another spec, with what is in it and refers to nothing else."""
        from .edit.attach import attach_frame

        return attach_frame(self, frame, prefix, suffix)

    def to_frame(self) -> MjsFrame:
        """Turns the body into a frame of its parent, which holds what it held."""
        self._alive()
        parent, spec = self._body, self._spec
        if parent is None:
            raise ValueError("Error: the world body cannot be converted to a frame")
        frame = MjsFrame("frame", spec)
        frame._origin = self._origin
        frame.pos, frame.quat = self.pos, self.quat
        frame.alt._assign(self.alt)
        frame._set(1, self._childclass)
        frame._body, frame._frame = parent, self._frame
        parent._children["frame"].append(frame)
        at = parent._children["body"].index(self)
        for kind in HELD:
            for element in self._children[kind]:
                element._body = parent
                element._frame = element._frame or frame
        parent._children["body"][at : at + 1] = self._children["body"]
        for kind in HELD[1:]:
            parent._children[kind] += self._children[kind]
        self._children = {kind: [] for kind in HELD}
        self._body, self._deleted = None, True
        spec._changed()
        return frame

    def find_child(self, name: str) -> MjsBody | None:
        """Returns the body of a name below this one; none if there is none."""
        if not isinstance(name, str):
            raise TypeError(f"`name` must be a string, not {type(name).__name__}")
        found = (body for body in walk(self) if body is not self and body.name == name)
        return next(found, None) if name else None

    def find_all(self, kind: Any) -> list[Any]:
        """Returns all elements of a kind in this body and below, without itself."""
        kinds = "body, frame, geom, site, joint, light, camera"
        if isinstance(kind, str):
            of = kind.lower()
            if of not in HELD:
                raise ValueError(f"body.find_all supports the types: {kinds}.")
        else:
            of = next((k for name, k in _CODES.items() if getattr(_enums.mjtObj, name, None) == kind), "")
            if not of:
                raise ValueError(f"Error: Body.NextChild supports the types: {kinds}")
        if of == "body":
            return [body for body in walk(self) if body is not self]
        return [element for body in walk(self) for element in body._children[of]]


def walk(body: MjsBody) -> Iterator[MjsBody]:
    """Goes through a body and all below it, depth first."""
    todo = [body]
    while todo:
        body = todo.pop()
        yield body
        todo += reversed(body._children["body"])


def _lists(kind: str) -> None:
    def held(self: MjsBody) -> list[Any]:
        return list(self._children[kind])

    def first(self: MjsBody) -> Any:
        return next(iter(self._children[kind]), None)

    def following(self: MjsBody, element: Any) -> Any:
        if type(element) is not CLASSES[kind]:
            raise TypeError(f"the {kind} before must be a {CLASSES[kind].__name__}, not {type(element).__name__}")
        children = self._children[kind]
        at = next((i for i, e in enumerate(children) if e is element), None)
        return children[at + 1] if at is not None and at + 1 < len(children) else None

    setattr(MjsBody, _PLURAL[kind], property(held, doc=f"The {_PLURAL[kind]} that the body holds itself."))
    first.__doc__ = f"Returns the first {kind} that the body holds itself; none if it holds none."
    following.__doc__ = f"Returns the {kind} after another one; none after the last."
    first.__name__, following.__name__ = f"first_{kind}", f"next_{kind}"
    setattr(MjsBody, f"first_{kind}", first)
    setattr(MjsBody, f"next_{kind}", following)


class MjsJoint(InTree, Classed):
    """A joint."""

    __slots__ = ()
    KIND = "joint"


class MjsGeom(InTree, Classed):
    """A geom."""

    __slots__ = ()
    KIND = "geom"


class MjsSite(InTree, Classed):
    """A site."""

    __slots__ = ()
    KIND = "site"

    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
        """Attaches a body of another spec to the body of the site, in its place."""
        from .edit.attach import attach_body, frame_of

        return attach_body(frame_of(self), body, prefix, suffix)


class MjsCamera(InTree, Classed):
    """A camera."""

    __slots__ = ()
    KIND = "camera"


class MjsLight(InTree, Classed):
    """A light."""

    __slots__ = ()
    KIND = "light"


for _kind in HELD:
    _lists(_kind)

__all__ = [
    "HELD",
    "MjsBody",
    "MjsCamera",
    "MjsElement",
    "MjsFrame",
    "MjsGeom",
    "MjsJoint",
    "MjsLight",
    "MjsSite",
    "walk",
]
