"""`MjSpec`: a model that a program edits and compiles."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._records import MjOption, MjStatistic
from .._visual import MjVisual
from . import _assemble, _compile, _files
from ._authored import MjsAuthored
from ._default import MjsDefault
from ._element import CLASSES
from ._fields import TABLE, define
from ._listed import LISTED
from ._tree import HELD, MjsBody, MjsFrame, walk
from .edit import delete, simplify

if TYPE_CHECKING:
    from .._structs import MjData, MjModel


class MjsCompiler(_core.SpecElement):
    """Compiler settings."""

    __module__ = "mj"
    __slots__ = ("_parts",)

    def __init__(self, source: Any):
        self._parts: dict[str, Any] = {}


define(MjsCompiler, "compiler")


def _authored_bits(compiler: MjsCompiler) -> int:
    """Returns bits of the settings that are not the built-in ones."""
    usual = _core.SpecElement("compiler")
    rows = [row for row, *_ in TABLE["compiler"].values()]
    return sum(1 << i for i, row in enumerate(rows[:30]) if repr(compiler._get(row)) != repr(usual._get(row)))


class MjSpec(_core.SpecElement):
    """A model as a program edits it: a tree of bodies with their elements, assets, default classes and settings.

    Elements stay the same objects until they are deleted, and what is written to them is what the next compilation reads.
    """

    __module__ = "mj"

    # Whether files of an attached spec replace those of the same names.
    override_assets = True

    def __new__(cls, *args: Any) -> Any:
        return super().__new__(cls, "globals")

    def __init__(self, core: Any = None):
        if core is not None and not isinstance(core, _core.SpecCore):
            raise TypeError("MjSpec takes no arguments: call MjSpec.from_string, from_file or from_zip")
        object.__setattr__(self, "_core", core or _core.SpecCore())
        self._assets: dict[str, Any] = {}
        self._parts: dict[str, Any] = {}
        self._names: dict[str, dict[str, Any]] = {}
        self._parent: Any = None
        self._attached = False
        self._copies = False
        self._warnings: list[str] = []
        self._signature = 0
        self._timer = np.zeros(9)
        self._plugins: list[str] = []
        _assemble.take(self, self._core)
        self._authored = MjsAuthored()
        if core is not None:
            self._authored._read(core._option_names(), core._visual())
            self._compiler.authored = _authored_bits(self._compiler)

    @classmethod
    def _bare(cls) -> MjSpec:
        """Makes an empty spec."""
        return cls()

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and not hasattr(type(self), name) and type(self) is MjSpec:
            raise AttributeError(f"'MjSpec' object has no attribute {name!r}")
        object.__setattr__(self, name, value)

    from_string = staticmethod(_files.from_string)
    from_file = staticmethod(_files.from_file)
    from_zip = staticmethod(_files.from_zip)
    to_zip = _files.to_zip
    resolve_orientation = staticmethod(_files.resolve_orientation)

    def to_xml(self) -> str:
        """Returns the model as MJCF text."""
        return _files.to_xml(self)

    def to_file(self, filename: str | os.PathLike) -> None:
        """Writes the model as MJCF text to a file."""
        text = self.to_xml()
        with open(os.fspath(filename), "w", encoding="utf-8") as file:
            file.write(text)

    def encode(self, filename: str, model: Any = None, content_type: str | None = None) -> int:
        """Writes the model to a file, in the format of its ending or of the media type, and returns the bytes written."""
        return _files.encode(self, filename, model, content_type)

    def compile(self, vfs: Any = None) -> MjModel:
        """Compiles the model. ``vfs`` holds files that it names, beside those of ``assets`` and of the disk."""
        return _compile.compile(self, vfs)

    def recompile(self, m: Any, d: Any, vfs: Any = None) -> tuple[MjModel, MjData]:
        """Compiles the model, and makes data with the state of older data."""
        return _compile.recompile(self, m, d, vfs)

    def copy(self) -> MjSpec:
        """Returns a copy with elements of its own."""
        return _assemble.copy(self)[0]

    def __copy__(self) -> MjSpec:
        return self.copy()

    def __deepcopy__(self, memo: dict) -> MjSpec:
        return self.copy()

    def __reduce__(self) -> tuple:
        return _assemble.restore, (_assemble.state(self),)

    def attach(
        self,
        child: MjSpec,
        prefix: str | None = None,
        suffix: str | None = None,
        site: Any = None,
        frame: Any = None,
    ) -> MjsFrame:
        """Attaches all that another spec has, to a site or to a frame, all names with a prefix and a suffix."""
        from .edit.attach import attach

        return attach(self, child, prefix, suffix, site, frame)

    def delete(self, element: Any) -> None:
        """Deletes an element, a body or a frame with what it holds and what refers to that."""
        delete.delete(self, element)

    # Its name in older interfaces.
    detach_body = delete

    def adopt_inertial(self, body: MjsBody, vfs: Any = None) -> None:
        """Makes the inertia that follows from geoms the body's own."""
        simplify.adopt_inertial(self, body, vfs)

    def fuse_static(self, vfs: Any = None) -> int:
        """Turns bodies that can't move into frames of their parents, and returns how many."""
        return simplify.fuse_static(self, vfs)

    def discard_visual(self, vfs: Any = None) -> int:
        """Deletes what is seen only, and returns how many elements."""
        return simplify.discard_visual(self, vfs)

    def dedup_assets(self) -> int:
        """Merges textures and meshes that are the same, and returns how many are gone."""
        return simplify.dedup_assets(self)

    def copy_back(self, model: Any) -> None:
        """Writes to elements what was changed in a model that was compiled from them."""
        from .edit.copy_back import copy_back

        copy_back(self, model)

    def activate_plugin(self, name: str) -> None:
        """Declares a plugin, so that elements may use it with settings of their own."""
        if not isinstance(name, str):
            raise TypeError(f"`name` must be a string, not {type(name).__name__}")
        self._plugins.append(name)

    def add_default(self, name: str, parent: MjsDefault | None) -> MjsDefault | None:
        """Adds a default class with the values of its parent; none if the name is taken."""
        if not isinstance(name, str):
            raise TypeError(f"`name` must be a string, not {type(name).__name__}")
        if parent is not None and not isinstance(parent, MjsDefault):
            raise TypeError(f"`parent` must be an MjsDefault or None, not {type(parent).__name__}")
        parent = parent or self.default
        if self.find_default(name) is not None:
            return None
        default = MjsDefault(self, name, parent, parent._elements)
        self._defaults.append(default)
        return default

    def find_default(self, name: str) -> MjsDefault | None:
        """Returns the default class of a name; none if there is none."""
        if not isinstance(name, str):
            raise TypeError(f"`name` must be a string, not {type(name).__name__}")
        return next((d for d in self._defaults if d._name == name), None)

    @property
    def default(self) -> MjsDefault:
        """The root of the default classes."""
        return self._defaults[0]

    @property
    def worldbody(self) -> MjsBody:
        """The world."""
        return self._world

    @property
    def parent(self) -> MjSpec | None:
        """Spec that this one is attached to."""
        return self._parent

    @property
    def assets(self) -> dict[str, Any]:
        """Contents of files by name."""
        return self._assets

    @assets.setter
    def assets(self, value: dict) -> None:
        if not isinstance(value, dict):
            raise TypeError(f"`assets` must be a dict, not {type(value).__name__}")
        self._assets = dict(value)

    @property
    def copy_during_attach(self) -> bool:
        """Whether attaching copies: it can only be set."""
        raise ValueError("copy_during_attach can only be set.")

    @copy_during_attach.setter
    def copy_during_attach(self, value: bool) -> None:
        self._copies = bool(value)

    @property
    def compiler(self) -> MjsCompiler:
        """Compiler settings."""
        return self._compiler

    @compiler.setter
    def compiler(self, value: MjsCompiler) -> None:
        if not isinstance(value, MjsCompiler):
            raise TypeError(f"`compiler` must be an MjsCompiler, not {type(value).__name__}")
        self._compiler._take_values(value)

    @property
    def option(self) -> MjOption:
        """Options of the physics."""
        return self._option

    @option.setter
    def option(self, value: MjOption) -> None:
        self._option._assign(value)

    @property
    def visual(self) -> MjVisual:
        """Options of rendering."""
        return self._visual

    @visual.setter
    def visual(self, value: MjVisual) -> None:
        self._visual._assign(value)

    @property
    def stat(self) -> MjStatistic:
        """Statistics that replace the computed ones; NaN: computed."""
        return self._stat

    @stat.setter
    def stat(self, value: MjStatistic) -> None:
        self._stat._assign(value)

    @property
    def authored(self) -> MjsAuthored:
        """Which settings the text of the model gave, as bits."""
        return self._authored

    @property
    def meshdir(self) -> str:
        """Directory of meshes and height fields."""
        return self._compiler.meshdir

    @meshdir.setter
    def meshdir(self, value: str) -> None:
        self._compiler.meshdir = value

    @property
    def texturedir(self) -> str:
        """Directory of textures."""
        return self._compiler.texturedir

    @texturedir.setter
    def texturedir(self, value: str) -> None:
        self._compiler.texturedir = value

    @property
    def timer(self) -> np.ndarray:
        """Seconds that the last compilation took, by mjtCTimer."""
        return self._timer

    @property
    def _address(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"<MjSpec {self.modelname!r}: {len(self.bodies)} bodies, {len(self.geoms)} geoms>"

    # What elements and the modules beside ask for.

    def _bodies(self) -> Iterator[MjsBody]:
        return walk(self._world)

    def _all(self, kind: str) -> list[Any]:
        """Returns all elements of a kind, in the order of the compiled model."""
        if kind == "body":
            return list(self._bodies())
        if kind in HELD:
            return [element for body in self._bodies() for element in body._children[kind]]
        return list(self._lists[kind])

    def _find(self, kind: str, name: Any) -> Any:
        if not isinstance(name, str):
            raise TypeError(f"the name of a {kind} must be a string, not {type(name).__name__}")
        if not name:
            return None
        names = self._names.get(kind)
        if names is None:
            names = self._names[kind] = {}
            for element in self._all(kind):
                names.setdefault(element._get(0), element)
        return names.get(name)

    def _check_name(self, element: Any, name: str) -> None:
        if name and self._find(element._kind, name) not in (None, element):
            raise ValueError(f"Error: repeated name '{name}' in {element._kind}")

    def _renamed(self, element: Any, before: str) -> None:
        names = self._names.get(element._kind)
        if element._origin is not self or self._parent is not None:
            self._forget_names()
            element._origin._forget_names()
        elif names is not None and not element._deleted:
            if names.get(before) is element:
                del names[before]
            if element._get(0):
                names[element._get(0)] = element

    def _forget_names(self) -> None:
        self._names = {}

    def _added(self, element: Any) -> None:
        """Notes a new element."""
        self._signature = 0
        names = self._names.get(element._kind)
        if names is not None and element._get(0):
            names[element._get(0)] = element
        if element._origin is not self:
            element._origin._changed()

    def _changed(self) -> None:
        """Notes a change of the structure."""
        self._signature = 0
        self._forget_names()

    def _number(self, element: Any) -> int:
        if element is self._world:
            return 0
        if element._kind in self._lists and (element._kind not in ("pair", "exclude") or element._id < 0):
            return next((i for i, e in enumerate(self._lists[element._kind]) if e is element), -1)
        return element._id


define(MjSpec, "globals")


def _accessors(kind: str, plural: str) -> None:
    def all_of(self: MjSpec) -> list[Any]:
        return self._all(kind)

    def one(self: MjSpec, name: str) -> Any:
        return self._find(kind, name)

    one.__name__ = kind
    one.__doc__ = f"Returns the {kind} of a name; none if there is none."
    setattr(MjSpec, plural, property(all_of, doc=f"All {plural}."))
    setattr(MjSpec, kind, one)


def _adder(kind: str) -> None:
    with_class = kind in "mesh texture material pair equality tendon actuator".split()

    def add(self: MjSpec, default: Any = None, **arguments: Any) -> Any:
        if default is not None and not (with_class and isinstance(default, MjsDefault)):
            raise TypeError(f"add_{kind} takes named arguments{' and an MjsDefault' if with_class else ''}")
        source = getattr(default or self.default, kind) if with_class else kind
        element = CLASSES[kind](source, self)
        element._class = default
        element._give(arguments)
        self._lists[kind].append(element)
        self._added(element)
        return element

    add.__name__ = f"add_{kind}"
    add.__doc__ = f"Adds a {kind} with fields."
    setattr(MjSpec, f"add_{kind}", add)


for _kind, _plural in zip(HELD, ("bodies", "frames", "joints", "geoms", "sites", "cameras", "lights"), strict=True):
    _accessors(_kind, _plural)
for _kind, _plural in LISTED.items():
    _accessors(_kind, _plural)
    _adder(_kind)
