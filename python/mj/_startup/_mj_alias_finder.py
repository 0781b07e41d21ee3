"""The finder that resolves ``mujoco`` and ``mujoco.*`` to ``mj``.

This module stands outside the package, because it is loaded at the start of an
interpreter, where importing ``mj`` would cost time that most processes need not
spend. ``mj`` is imported when ``mujoco`` is. Use :func:`mj.as_mujoco`, or
``python -m mj``, to install the finder.

Interpreters of other environments may load it too, so it avoids what older ones do
not know.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types

VARIABLE = "MJ_AS_MUJOCO"

_PACKAGE_DIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Private modules of MuJoCo that are there after ``import mujoco``.
PRIVATE_MODULES = (
    "_batch",
    "_callbacks",
    "_constants",
    "_enums",
    "_errors",
    "_functions",
    "_render",
    "_rollout",
    "_simulate",
    "_specs",
    "_structs",
    "_version",
)

# Packages that read the memory of MuJoCo's structures by address.
_READ_ADDRESSES = ("mujoco.mjx", "mujoco_warp")


class AliasModule(types.ModuleType):
    """The module ``mujoco``, with the attributes of ``mj``."""

    def __getattr__(self, name: str) -> object:
        if name in PRIVATE_MODULES:
            return importlib.import_module(f"{self.__name__}.{name}")
        mj = sys.modules.get("mj")
        if mj is not None and not (name.startswith("__") and name.endswith("__")):
            try:
                return getattr(mj, name)
            except AttributeError:
                pass
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        names = set(super().__dir__()) | set(PRIVATE_MODULES)
        return sorted(names | set(dir(sys.modules["mj"])))


class _PackageLoader:
    """Loads ``mujoco``."""

    def __init__(self) -> None:
        self.path = os.path.join(_PACKAGE_DIR, "__init__.py")

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> AliasModule:
        return AliasModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        mj = importlib.import_module("mj")
        public = {k: v for k, v in vars(mj).items() if not k.startswith("__")}
        # Private modules of ``mj`` that have the name of one of MuJoCo's may
        # differ from it.
        for name in PRIVATE_MODULES:
            public.pop(name, None)
        vars(module).update(public)
        module.__doc__ = mj.__doc__
        module.__version__ = importlib.import_module("mj._version").MUJOCO_VERSION

    def get_resource_reader(self, name: str) -> object:
        from importlib.readers import FileReader

        return FileReader(self)


class _SubmoduleLoader:
    """Loads ``mujoco.x``, which is ``mj.x`` itself."""

    def __init__(self, name: str):
        self._name = name

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        # The import system returns what it finds here afterwards.
        sys.modules[module.__name__] = importlib.import_module(self._name)

    # For ``python -m mujoco.x``.

    def is_package(self, fullname: str) -> bool:
        return (
            importlib.util.find_spec(self._name).submodule_search_locations is not None
        )

    def get_code(self, fullname: str) -> types.CodeType | None:
        return importlib.util.find_spec(self._name).loader.get_code(self._name)

    def get_source(self, fullname: str) -> str | None:
        return importlib.util.find_spec(self._name).loader.get_source(self._name)


class _PrivateLoader:
    """Loads ``mujoco._x`` where ``mj`` has no such module."""

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        build = importlib.import_module("mj._private_modules").build
        return build(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass


class _RefusingLoader:
    """Raises an error for a package that cannot work with ``mj``."""

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        raise ImportError(
            f"{spec.name} cannot be used while mujoco is an alias of mj: it reads the"
            " memory of MuJoCo's structures, and consumers of raw addresses are not"
            f" supported. Run it without the alias ({VARIABLE} unset, and without"
            " mj.as_mujoco()), with MuJoCo itself.",
            name=spec.name,
        )

    def exec_module(self, module: types.ModuleType) -> None:
        pass


class MujocoFinder:
    """The finder, to be placed on ``sys.meta_path``."""

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname == "mujoco":
            loader = _PackageLoader()
            spec = importlib.util.spec_from_file_location(
                fullname,
                loader.path,
                loader=loader,
                submodule_search_locations=[_PACKAGE_DIR],
            )
            spec.cached = None
            return spec
        if fullname in _READ_ADDRESSES:
            find = importlib.machinery.PathFinder.find_spec
            if fullname == "mujoco_warp" and find(fullname) is None:
                return None
            return importlib.machinery.ModuleSpec(fullname, _RefusingLoader())
        if fullname == "mj":
            return _mj_spec()
        if not fullname.startswith("mujoco."):
            return None
        if fullname != "mujoco._version":
            spec = _alias_spec(fullname)
            if spec is not None:
                return spec
        if fullname[len("mujoco.") :] in PRIVATE_MODULES:
            return importlib.machinery.ModuleSpec(
                fullname, _PrivateLoader(), origin="mj"
            )
        return None


def _mj_spec() -> importlib.machinery.ModuleSpec:
    """Return the spec of the package ``mj`` that holds this file.

    A process that was started by one with the alias may lack the entry of the path
    from which the other imported ``mj``, or have another ``mj`` before it.
    """
    return importlib.util.spec_from_file_location(
        "mj",
        os.path.join(_PACKAGE_DIR, "__init__.py"),
        submodule_search_locations=[_PACKAGE_DIR],
    )


def _alias_spec(fullname: str) -> importlib.machinery.ModuleSpec | None:
    """Return the spec of ``mujoco.x`` if there is a module ``mj.x``."""
    name = "mj" + fullname[len("mujoco") :]
    module = sys.modules.get(name)
    if module is not None:
        origin = getattr(module, "__file__", None)
        is_package = hasattr(module, "__path__")
    else:
        real = importlib.util.find_spec(name)
        if real is None:
            return None
        origin = real.origin
        is_package = real.submodule_search_locations is not None
    spec = importlib.machinery.ModuleSpec(
        fullname, _SubmoduleLoader(name), origin=origin, is_package=is_package
    )
    spec.has_location = origin is not None
    return spec


def wanted() -> bool:
    """Return whether the environment asks for the alias."""
    return os.environ.get(VARIABLE, "") not in ("", "0")


def foreign() -> types.ModuleType | None:
    """Return the module ``mujoco``, or a part of it, that is loaded and not ours."""
    loaded = sys.modules.get("mujoco")
    if isinstance(loaded, AliasModule):
        return None
    if loaded is not None:
        return loaded
    parts = (m for name, m in list(sys.modules.items()) if name.startswith("mujoco."))
    return next((part for part in parts if part is not None), None)


def install() -> None:
    """Place the finder first on ``sys.meta_path``, once."""
    if not any(isinstance(finder, MujocoFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, MujocoFinder())


def start() -> None:
    """Install the finder at the start of an interpreter, if the environment asks."""
    if not wanted():
        return
    loaded = foreign()
    if loaded is not None:
        # Errors at this point are printed and ignored; the program would go on with
        # the wrong package.
        raise SystemExit(
            f"{VARIABLE} is set, but {loaded.__name__} from"
            f" {getattr(loaded, '__file__', None)} was imported before the start-up"
            " hook of mj."
        )
    install()
