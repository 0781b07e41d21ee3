"""Models, data and the small structs that belong to them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import _absent, _core, _display, _docs, _log
from ._before import EqualityData, InertiaByAncestors
from ._live import Absent, Array, Asked, Snapshot, refuse
from ._records import (
    MjContact,
    MjLROpt,
    MjOption,
    MjSolverStat,
    MjStatistic,
    MjTimerStat,
    MjWarningStat,
    Record,
    RecordList,
)
from ._views import KINDS, accessors, data_fields, model_fields
from ._visual import MjVisual

__all__ = [
    "MjContact", "MjData", "MjLROpt", "MjModel", "MjOption", "MjSolverStat", "MjStatistic", "MjTimerStat", "MjVisual",
    "MjWarningStat",
]  # fmt: skip


def _files(assets: Mapping[str, bytes] | None, vfs: Any) -> dict[str, bytes]:
    """Collects files in memory: those of a mapping, or those of an MjVfs."""
    if assets and vfs is not None:
        raise ValueError("give files as `assets` or as `vfs`, not both")
    files = {str(name): bytes(data) for name, data in (assets or {}).items()}
    if vfs is not None:
        files |= vfs.files()
    return files


class _Size:
    """A size of a model: asked for once."""


    def __init__(self, name: str):
        self.name = name
        self.__doc__ = f"Size `{name}`."

    def __get__(self, model: Any, kind: type | None = None) -> Any:
        if model is None:
            return self
        size = model.__dict__[self.name] = model._size(self.name) or 0
        return size


class MjModel(_core.MjModel):
    """A compiled model: sizes, structure, parameters, assets, names.

    Arrays are live: what is written to one is what the next call uses. Structure, as counts, addresses, types and
    parents, is read-only. The numbers that are derived from others follow when ``mj_setConst`` is called.
    """

    @classmethod
    def from_xml_string(cls, xml: str | bytes, assets: Mapping[str, bytes] | None = None, vfs: Any = None) -> MjModel:
        """Loads MJCF or URDF text. ``assets`` and ``vfs`` hold files that it names."""
        if isinstance(xml, bytes):
            xml = xml.decode()
        if not isinstance(xml, str):
            raise TypeError(f"`xml` must be a string, not {type(xml).__name__}")
        if "<" not in xml and "\n" not in xml.strip():
            raise ValueError(f"`xml` is the text of a model, not a path: for {xml!r} call from_xml_path")
        with _log.compiling():
            return cls(_core._load_text(xml, _files(assets, vfs)))

    @classmethod
    def from_xml_path(cls, filename: Any, assets: Mapping[str, bytes] | None = None, vfs: Any = None) -> MjModel:
        """Loads an MJCF or URDF file, or an archive of one with its files."""
        import os

        with _log.compiling():
            return cls(_core._load_path(os.fspath(filename), _files(assets, vfs)))

    @classmethod
    def from_binary_path(cls, filename: Any, assets: Mapping[str, bytes] | None = None, vfs: Any = None) -> MjModel:
        """Loads a model in binary form, from a file or from ``assets``."""
        return cls.from_xml_path(filename, assets, vfs)

    @property
    def opt(self) -> MjOption:
        """Options of the physics."""
        opt = self.__dict__.get("opt")
        if opt is None:
            opt = self.__dict__["opt"] = MjOption._of(lambda name: self._take(f"opt.{name}"))
        return opt

    @opt.setter
    def opt(self, value: MjOption) -> None:
        self.opt._assign(value)

    @property
    def stat(self) -> MjStatistic:
        """Statistics."""
        stat = self.__dict__.get("stat")
        if stat is None:
            stat = self.__dict__["stat"] = MjStatistic._of(lambda name: self._take(f"stat.{name}"))
        return stat

    @stat.setter
    def stat(self, value: MjStatistic) -> None:
        self.stat._assign(value)

    @property
    def vis(self) -> MjVisual:
        """Options of rendering."""
        vis = self.__dict__.get("vis")
        if vis is None:
            vis = self.__dict__["vis"] = MjVisual(self._visual())
        return vis

    @vis.setter
    def vis(self, value: MjVisual) -> None:
        self.vis._assign(value)

    @property
    def names(self) -> bytes:
        """Names of all elements, each ended by a zero, the model's own first."""
        names = self.__dict__.get("names")
        if names is None:
            names = self.__dict__["names"] = self._names()
        return names

    @property
    def paths(self) -> bytes:
        """Paths of files of assets: none are kept."""
        return b"\0"

    @property
    def tex_adr(self) -> np.ndarray:
        """First byte of each texture. Shape (ntex,), int64."""
        addresses = self.__dict__.get("tex_adr")
        if addresses is None:
            addresses = self.__dict__["tex_adr"] = self._take("tex_adr").astype(np.int64)
        return addresses

    @property
    def ngravcomp(self) -> int:
        """Number of bodies with gravity compensation."""
        n = int(np.count_nonzero(self.body_gravcomp > 0))
        return max(n, 1) if self.flg_gravcomp else 0

    def _flag(name: str, array: str) -> property:  # type: ignore[misc]
        def get(self: Any) -> bool:
            return self.__dict__.get(name, bool(np.any(getattr(self, array) != 0)))

        def set(self: Any, value: bool) -> None:
            self.__dict__[name] = bool(value)

        return property(get, set, doc=f"Whether any of `{array}` is used.")

    flg_gravcomp = _flag("flg_gravcomp", "body_gravcomp")
    flg_surfacevel = _flag("flg_surfacevel", "geom_surfacevel")
    flg_adhesion = _flag("flg_adhesion", "geom_adhesion")
    del _flag

    @property
    def _sizes(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in SIZES}

    def __setattr__(self, name: str, value: Any) -> None:
        if name in MODEL_ARRAYS:
            getattr(self, name)[...] = value
        elif hasattr(type(self), name) and not isinstance(getattr(type(self), name), (_Size, Absent)):
            object.__setattr__(self, name, value)
        elif type(self) is MjModel:
            raise refuse(self, name)
        else:
            self.__dict__[name] = value

    def __copy__(self) -> MjModel:
        new = type(self)(self)
        if "vis" in self.__dict__:
            new.vis = self.vis
        return new

    def __deepcopy__(self, memo: dict) -> MjModel:
        return self.__copy__()

    def __reduce__(self) -> tuple:
        return _model_of_bytes, (type(self), self._bytes(), self.__dict__.get("vis"))

    def __repr__(self) -> str:
        return _display.model(self)

    def _repr_html_(self) -> str:
        return _display.model_html(self)


def _model_of_bytes(cls: type[MjModel], data: bytes, vis: MjVisual | None) -> MjModel:
    model = cls(_core.MjModel._of_bytes(data))
    if vis is not None:
        model.vis = vis
    return model


class MjData(_core.MjData):
    """State, inputs and results of a simulation.

    Arrays are live: one that was taken shows the present value after every call, for as long as anybody holds it, and
    what is written to it is what the next call reads. Constraint rows (``efc_*``) and islands are made anew at each access.
    """

    @property
    def contact(self) -> RecordList:
        """Contacts of the last call."""
        contacts = self.__dict__.get("contact")
        if contacts is None:
            contacts = self.__dict__["contact"] = RecordList(MjContact, self._contact_columns)
        return contacts

    def _contact_columns(self) -> dict[str, np.ndarray]:
        generation = self._generation
        known = self.__dict__.get("_contact_arrays")
        if known is None or known[0] != generation:
            known = self.__dict__["_contact_arrays"] = (generation, self._contacts())
        return known[1]

    def _records(name: str, kind: type[Record], doc: str) -> property:  # type: ignore[misc]
        def get(self: Any) -> RecordList:
            records = self.__dict__.get(name)
            if records is None:
                columns: dict[str, np.ndarray] = {}
                known = -1

                def present() -> dict[str, np.ndarray]:
                    nonlocal known
                    # Taken when they are looked at: timers run from then on.
                    if not columns:
                        columns.update((field, self._take(f"{name}.{field}")) for field in kind.FIELDS)
                    elif known != self._generation:
                        self._refresh(name)
                    known = self._generation
                    return columns

                records = self.__dict__[name] = RecordList(kind, present)
            return records

        return property(get, doc=doc)

    warning = _records("warning", MjWarningStat, "How often each warning was raised, by mjtWarning.")
    timer = _records("timer", MjTimerStat, "Time spent in each stage, by mjtTimer.")
    solver = _records("solver", MjSolverStat, "Statistics of the solver's iterations, 200 for each island.")
    del _records

    def __setattr__(self, name: str, value: Any) -> None:
        if name in DATA_ARRAYS:
            getattr(self, name)[...] = value
        elif name == "time":
            object.__setattr__(self, name, value)
        elif name == "contact":
            raise AttributeError("contacts can't be replaced: write to their fields")
        elif type(self) is MjData or hasattr(type(self), name):
            raise refuse(self, name)
        else:
            self.__dict__[name] = value

    @property
    def narena(self) -> int:
        """Bytes of memory that contacts and rows may take at least: there is no limit."""
        return self.model.narena

    @property
    def signature(self) -> int:
        """A number that tells data of models of one structure from others."""
        return self.model.signature

    @property
    def qM(self) -> np.ndarray:
        """Joint-space inertia in its older order: each dof with its ancestors, itself first."""
        model = self.model
        packed = np.zeros(model.nM).view(InertiaByAncestors)
        packed[model.mapM2M] = self.M
        # A view, as arrays of results are.
        return packed[:]

    def __copy__(self) -> MjData:
        return type(self)(self.model, self)

    def __deepcopy__(self, memo: dict) -> MjData:
        model = copy.deepcopy(self.model, memo)
        memo[id(self.model)] = model
        return type(self)(model, self)

    def __reduce__(self) -> tuple:
        return _data_of_state, (type(self), self.model, _core._state_of_data(self))

    def __repr__(self) -> str:
        return _display.data(self)

    def _repr_html_(self) -> str:
        return _display.data_html(self)


def _data_of_state(cls: type[MjData], model: MjModel, state: dict) -> MjData:
    return cls(model, _core._data_of_state(model, state))


# What the native module keeps, and what it makes at each access.
_FIXED = {name: asked for name, asked in _core._data_fields() if "." not in name}
_ROWS = (
    "efc_type efc_id efc_J efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_J_colind efc_pos efc_margin efc_frictionloss "
    "efc_diagA efc_KBIP efc_D efc_R efc_vel efc_aref efc_b efc_force efc_state tendon_efcadr efc_Y efc_Y_rownnz "
    "efc_Y_rowadr efc_Y_colind efc_AR efc_AR_rownnz efc_AR_rowadr efc_AR_colind tree_island island_ntree "
    "island_itreeadr map_itree2tree dof_island island_nv island_idofadr island_dofadr map_dof2idof map_idof2dof "
    "ifrc_smooth iacc_smooth iacc efc_island island_ne island_nf island_nefc island_iefcadr map_efc2iefc map_iefc2efc "
    "iefc_type iefc_id iefc_frictionloss iefc_D iefc_R iefc_aref iefc_state iefc_force ifrc_constraint"
).split()
_UNUSED = (
    "flg_energypos flg_energyvel flg_rnepost flg_subtreevel maxuse_arena maxuse_con maxuse_efc maxuse_stack nbuffer "
    "parena pbase pstack threadpool"
).split()
_COUNTS = (
    "nJ nY nA nisland nidof efm_active nefmK nefmcon nefmT nefmA nefmdof nefmL nbody_awake nparent_awake ntree_awake "
    "nv_awake"
).split()
_DERIVED = (
    "dof_Madr B_rownnz B_rowadr B_colind M_rownnz M_rowadr M_colind mapM2M D_rownnz D_rowadr D_diag D_colind mapM2D "
    "bvh_depth bvh_child bvh_nodeid bvh_aabb body_bvhadr body_bvhnum mesh_bvhadr mesh_bvhnum "
    "mapD2M ten_J_rownnz ten_J_rowadr ten_J_colind names_map"
).split()
_NAMES = (
    "body jnt geom site cam light flex mesh skin hfield tex mat pair exclude eq tendon actuator sensor numeric text tuple "
    "key plugin"
).split()

_EMPTY = _core._empty_model()
_MODEL = [name for name, shape in _EMPTY._fields() if shape and "." not in name]
SIZES = list(dict.fromkeys([*_EMPTY._sizes(), *_absent.SIZES]))
MODEL_ARRAYS = frozenset(_MODEL) - {"text_data"}
DATA_ARRAYS = frozenset(_FIXED)


def _absents(cls: type, *tables: dict[tuple[str, tuple], str]) -> None:
    for table in tables:
        for (dtype, shape), names in table.items():
            for name in names.split():
                setattr(cls, name, Absent(name, dtype, shape))


def _define() -> None:
    _absents(MjModel, _absent.MODEL, _absent.MODEL_BEFORE)
    _absents(MjData, _absent.DATA, _absent.DATA_BEFORE)
    for name in [*_MODEL, *_DERIVED, *(f"name_{n}adr" for n in _NAMES)]:
        if name not in MjModel.__dict__:
            setattr(MjModel, name, Array(name, _docs.field(name, _docs.MODEL, _EMPTY._take(name))))
    MjModel.eq_data.view = EqualityData  # type: ignore[attr-defined]
    MjModel._text_data = MjModel.text_data  # type: ignore[attr-defined]
    MjModel.text_data = property(lambda m: m._text_data.tobytes(), doc="Texts, each ended by a zero byte.")
    for name in SIZES:
        if name not in MjModel.__dict__:
            setattr(MjModel, name, _Size(name))
    data = _core.MjData(_EMPTY)
    for name, asked in _FIXED.items():
        setattr(MjData, name, (Asked if asked else Array)(name, _docs.field(name, _docs.DATA, data._take(name))))
    for name in _ROWS:
        setattr(MjData, name, Snapshot(name))
    for name in _UNUSED:
        setattr(MjData, name, property(lambda d: 0, doc="Zero: this engine has no arena, and computes what is asked for."))
    MjData.plugin = property(lambda d: d.model.plugin, doc="Type of each instance of a plugin.")  # type: ignore
    MjData.nplugin = property(lambda d: d.model.nplugin, doc="Number of instances of plugins.")  # type: ignore
    for name in _COUNTS:
        setattr(MjData, name, property(lambda d, name=name: d._count(name), doc="A count."))
    model_views = {kind: model_fields(kind, _MODEL) for kind in KINDS}
    for name, method in accessors("MjModel", model_views).items():
        setattr(MjModel, name, method)
    for name, method in accessors("MjData", {kind: data_fields(kind) for kind in KINDS}).items():
        setattr(MjData, name, method)


_define()
