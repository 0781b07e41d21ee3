"""Many simulations of one model that persist, on many threads: the interface of ``mujoco.batch``.

    from mj.batch import Batch

    batch = Batch(model, nsim=1024)
    qpos, ctrl = batch.bind("qpos"), batch.bind("ctrl")
    for _ in range(1000):
        ctrl[:] = policy(qpos)
        batch.step()

The state of each simulation is a row of ``batch.state``, and the arrays of state
fields are parts of it: what is written to them is what the next call uses. Arrays of
results are filled by every call, and read-only. Results are the same, bit for bit,
for any number of threads. :class:`mj.Batch` is the same with fewer names.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._enums import mjtStage, mjtState
from ._many.fields import (
    DATA_FIELDS,
    MODEL_FIELDS,
    STATE_FIELDS,
    attribute_hint,
    is_structural,
    not_bindable,
    not_expandable,
    output_error,
    template,
)
from ._many.views import Named
from ._structs import MjData, MjModel

__all__ = ["DATA_FIELDS", "MODEL_FIELDS", "Batch", "SimulationError"]

_structural = is_structural
_NONE, _ACC = int(mjtStage.mjSTAGE_NONE), int(mjtStage.mjSTAGE_ACC)
_CTRL = int(mjtState.mjSTATE_CTRL)


class SimulationError(RuntimeError):
    """Some simulations of a call failed. They keep their state of before the call; the others ran.

    ``ids`` holds their numbers, and ``Batch.error(i)`` gives the message of each.
    """

    def __init__(self, ids: np.ndarray, message: str, ncall: int | None = None):
        self.ids = ids
        shown = ", ".join(map(str, ids[:5])) + (", ..." if len(ids) > 5 else "")
        of = "" if ncall is None else f" of {ncall}"
        super().__init__(f"{len(ids)}{of} simulations ({shown}); simulation {ids[0]}: {message}")


class Batch:
    """``nsim`` simulations of a copy of a model, on ``nthread`` threads: as many as there are processors with 0.

    With ``persistent``, each simulation has an MjData of its own, as models that let
    trees sleep need.
    """

    def __init__(self, model: MjModel, nsim: int, nthread: int = 0, persistent: bool = False):
        self._b = _core.Batch(model, nsim, nthread, persistent)
        self.model = model
        self._models: None | MjModel | list[MjModel] = None
        self._nkey = model.nkey
        self._bound: dict[str, np.ndarray] = {}
        self._expanded: dict[str, np.ndarray] = {}
        self.state = self._b.state()
        self.warning = self._b.warning()
        self.status = self._b.status()
        self.status.flags.writeable = False

    @functools.cached_property
    def _data(self) -> MjData:
        """Data of the model, for the shapes and types of fields."""
        return MjData(self.model)

    @property
    def nsim(self) -> int:
        """Number of simulations."""
        return self._b.nsim

    @property
    def nthread(self) -> int:
        """Number of threads."""
        return self._b.nthread

    @property
    def nstate(self) -> int:
        """Number of numbers in a row of the state."""
        return self._b.nstate

    @property
    def persistent(self) -> bool:
        """Whether each simulation has an MjData of its own."""
        return self._b.persistent

    def __getattr__(self, name: str) -> np.ndarray:
        if name in DATA_FIELDS:
            return self.bind(name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}{attribute_hint(name)}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in DATA_FIELDS:
            object.__setattr__(self, name, value)
        elif name not in STATE_FIELDS:
            raise output_error(name)
        else:
            self.bind(name)[...] = value

    def error(self, sim: int) -> str:
        """Returns the message of the error in a simulation's last call; empty if there was none."""
        return self._b.error(sim)

    def bind(self, name: str) -> np.ndarray:
        """Returns the array of a field of MjData, of shape (nsim, ...).

        Fields of the state are parts of ``state``; so are those of other types, as
        numbers. Results are zero until the next call, and read-only.
        """
        if name in STATE_FIELDS:
            first, n = self._b.state_component(int(STATE_FIELDS[name]))
            part = self.state[:, first : first + n]
            return part[:, 0] if name == "time" else part.reshape(self.nsim, *getattr(self._data, name).shape)
        if name in self._bound:
            return self._bound[name]
        array = self._b.output(name) if name in DATA_FIELDS else None
        if array is None:
            of_one = template(self._data, name)
            if of_one is None or name not in DATA_FIELDS:
                raise not_bindable(self._data, name)
            array = np.zeros((self.nsim, *of_one.shape), of_one.dtype)
        array.flags.writeable = False
        self._bound[name] = array
        return array

    def expand(self, name: str) -> np.ndarray:
        """Gives a field of the model a value for each simulation; returns the live array, (nsim, ...).

        Options are named as in ``opt.gravity``. After writing a field from which others
        are derived, as masses and sizes, call :meth:`set_const`.
        """
        if name in self._expanded:
            return self._expanded[name]
        array = self._b.expand(name) if name in MODEL_FIELDS else None
        if array is None:
            raise not_expandable(self.model, name)
        self._expanded[name] = array
        return array

    def expanded(self, name: str) -> np.ndarray | None:
        """Returns the values of a field of the model, read-only, if it has one for each simulation already."""
        if name not in MODEL_FIELDS:
            raise not_expandable(self.model, name)
        array = self._b.expanded(name)
        if array is None:
            return None
        array = array.view()
        array.flags.writeable = False
        return array

    def step(self, ids: Any = None, nstep: int = 1, stage: int = _NONE) -> None:
        """Takes simulations on by ``nstep`` time steps, then computes stages at the new state.

        Args:
            ids: numbers of simulations, ascending, or a mask; None for all.
            nstep: number of steps.
            stage: mjtStage, the last stage to compute at the new state. With mjSTAGE_NONE
                results are those of the state before the last step, as after ``mj_step``.
        """
        ids = _ids(ids, self.nsim)
        self._check(ids, self._b.step(ids, nstep, int(stage)))

    def forward(self, ids: Any = None, stage: int = _ACC) -> None:
        """Computes the stages of forward dynamics up to one at the present states."""
        ids = _ids(ids, self.nsim)
        self._check(ids, self._b.forward(ids, int(stage)))

    def reset(self, ids: Any = None, keyframe: Any = -1, stage: int = _ACC) -> None:
        """Resets simulations, then computes stages.

        Args:
            ids: numbers of simulations, ascending, or a mask; None for all.
            keyframe: a keyframe for all, or one for each; -1 is the model's reset state.
            stage: mjtStage, the last stage to compute after the reset.
        """
        ids = _ids(ids, self.nsim)
        n = self.nsim if ids is None else len(ids)
        keys = _int32(keyframe, (n,), -1, self._nkey, "keyframe")
        self._check(ids, self._b.reset(ids, None if (keys == -1).all() else keys, int(stage)))

    def set_const(self, ids: Any = None) -> None:
        """Computes what models derive from their parameters; fields that differ get a value for each simulation."""
        ids = _ids(ids, self.nsim)
        self._check(ids, self._b.set_const(ids))

    def get_model(self, sim: int, model: MjModel | None = None) -> MjModel:
        """Returns the model of a simulation: a copy, or ``model`` made equal to it."""
        if model is None:
            model = copy.copy(self._model_of(sim))
        self._b.get_model(sim, model)
        return model

    def get_data(self, sim: int, data: MjData | None = None) -> MjData:
        """Returns the state of a simulation, and of a persistent batch the results: new data, or ``data`` made equal."""
        if data is None:
            data = MjData(self.model)
        self._b.get_data(sim, data)
        return data

    def set_models(self, models: None | MjModel | Iterable[MjModel]) -> None:
        """Runs simulations on other models of the same structure: one for each, one for all, or None for the batch's."""
        given = models if models is None or isinstance(models, MjModel) else list(models)
        self._b.set_models(given)
        of_all = [self.model] if given is None else [given] if isinstance(given, MjModel) else given
        self._nkey = max(m.nkey for m in of_all)
        self._models = given

    @property
    def models(self) -> None | MjModel | tuple[MjModel, ...]:
        """Models that were set by :meth:`set_models`."""
        return tuple(self._models) if isinstance(self._models, list) else self._models

    def _model_of(self, sim: int) -> MjModel:
        """Returns the model of a simulation but for the fields with a value for each."""
        if isinstance(self._models, list):
            return self._models[sim]
        return self.model if self._models is None else self._models

    def rollout(
        self,
        nstep: int,
        control: Any = None,
        control_spec: int = _CTRL,
        record: Sequence[str | int] = ("qpos",),
        ids: Any = None,
        out: dict | None = None,
    ) -> dict:
        """Takes simulations on by ``nstep`` steps with controls before each, and records after each.

        A simulation in which a warning is raised ends there, and its last record is
        repeated.

        Args:
            nstep: number of steps.
            control: inputs, (n, nstep, ncontrol) or fewer axes; None leaves them.
            control_spec: what ``control`` holds, a combination of mjtState.
            record: names of fields of MjData, or combinations of mjtState.
            ids: numbers of simulations, ascending, or a mask; None for all.
            out: arrays for records, by what they record.

        Returns:
            The array (n, nstep, ...) of each record.
        """
        ids = _ids(ids, self.nsim)
        n = self.nsim if ids is None else len(ids)
        if control is not None:
            shape = (n, nstep, _core.mj_stateSize(self.model, int(control_spec)))
            control = np.ascontiguousarray(np.broadcast_to(control, shape), np.float64)
        arrays, wanted = {}, []
        for item in record:
            if isinstance(item, str):
                of_one = template(self._data, item)
                if of_one is None or item not in DATA_FIELDS:
                    raise not_bindable(self._data, item)
                shape, dtype = (n, nstep, *of_one.shape), of_one.dtype
            else:
                shape, dtype = (n, nstep, _core.mj_stateSize(self.model, int(item))), np.dtype(np.float64)
            array = (out or {}).get(item)
            array = arrays[item] = np.zeros(shape, dtype) if array is None else array
            _check_record(item, array, shape, dtype)
            wanted.append((item, 0, array) if isinstance(item, str) else (None, int(item), array))
        self._check(ids, self._b.rollout(ids, nstep, control, int(control_spec), wanted))
        return arrays

    def jac(self, body: Any, point: Any, ids: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Computes Jacobians of world points that move with a body, at the present states.

        Args:
            body: number of the body, or one for each simulation.
            point: points, (3,) or (n, 3).
            ids: numbers of simulations, ascending, or a mask; None for all.

        Returns:
            Translation and rotation, (n, 3, nv) each.
        """
        ids = _ids(ids, self.nsim)
        n = self.nsim if ids is None else len(ids)
        body = _int32(body, (n,), 0, self.model.nbody, "body")
        point = np.ascontiguousarray(np.broadcast_to(point, (n, 3)), np.float64)
        jacp, jacr = np.zeros((2, n, 3, self.model.nv))
        self._check(ids, self._b.jac(ids, body, point, jacp, jacr))
        return jacp, jacr

    def ray(
        self,
        pnt: Any,
        vec: Any,
        geomgroup: Any = None,
        flg_static: bool = True,
        bodyexclude: Any = -1,
        ids: Any = None,
        normal: bool = False,
    ) -> tuple[np.ndarray, ...]:
        """Finds where rays meet geoms, at the present states.

        Args:
            pnt: origins, (3,), (nray, 3) or (n, nray, 3).
            vec: directions, likewise.
            geomgroup: which groups of geoms count, (6,); None for all.
            flg_static: whether static geoms count.
            bodyexclude: body that does not count, -1 for none; one for each ray.
            ids: numbers of simulations, ascending, or a mask; None for all.
            normal: whether to return normals.

        Returns:
            Distances and geoms, (n, nray) each, -1 where nothing is met, and normals,
            (n, nray, 3).
        """
        ids = _ids(ids, self.nsim)
        n = self.nsim if ids is None else len(ids)
        pnt, vec = (np.atleast_2d(np.asarray(x, np.float64)) for x in (pnt, vec))
        nray = np.broadcast_shapes(pnt.shape[:-1], vec.shape[:-1])[-1]
        pnt, vec = (np.ascontiguousarray(np.broadcast_to(x, (n, nray, 3))) for x in (pnt, vec))
        exclude = _int32(bodyexclude, (n, nray), -1, self.model.nbody, "bodyexclude")
        groups = None if geomgroup is None else np.ascontiguousarray(geomgroup, np.uint8)
        dist, geomid = np.zeros((n, nray)), np.zeros((n, nray), np.int32)
        normals = np.zeros((n, nray, 3)) if normal else None
        self._check(ids, self._b.ray(ids, pnt, vec, groups, flg_static, exclude, dist, geomid, normals))
        return (dist, geomid) if normals is None else (dist, geomid, normals)

    def _check(self, ids: np.ndarray | None, nfail: int) -> None:
        if nfail:
            called = np.arange(self.nsim) if ids is None else ids
            failed = called[self.status[called] != 0]
            raise SimulationError(failed, self.error(int(failed[0])), len(called))


def _named(kind: str) -> Any:
    def views(self: Batch, key: int | str) -> Named:
        return Named(self, kind, key)

    views.__name__ = kind
    views.__doc__ = f"Returns the fields of a {kind} in all simulations, by name or number."
    return views


for _kind in (
    "actuator body camera equality geom joint keyframe light material numeric pair sensor site tendon"
).split():
    setattr(Batch, _kind, _named(_kind))


def _check_record(item: Any, array: Any, shape: tuple, dtype: np.dtype) -> None:
    """Raises ``ValueError`` unless an array for records is of its shape and type, contiguous and writable."""
    fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == dtype
    if not (fits and array.flags.c_contiguous and array.flags.writeable):
        raise ValueError(f"out[{item!r}] must be a writable C-contiguous {dtype} array of shape {shape}")


def _ids(ids: Any, nsim: int) -> np.ndarray | None:
    """Returns checked numbers of simulations; None for all."""
    if ids is None:
        return None
    ids = np.asarray(ids)
    if ids.dtype == bool:
        if ids.shape != (nsim,):
            raise ValueError(f"a boolean mask must have shape ({nsim},)")
        return None if ids.all() else np.flatnonzero(ids).astype(np.int32)
    if ids.ndim != 1:
        raise ValueError("ids must be one-dimensional")
    if not ids.size:
        return np.zeros(0, np.int32)
    if not np.issubdtype(ids.dtype, np.integer):
        raise ValueError(f"ids must be integers, got {ids.dtype}")
    falls = np.flatnonzero(ids[1:] <= ids[:-1])
    if falls.size:
        raise ValueError(f"ids must be sorted and unique, got {ids[falls[0]]} before {ids[falls[0] + 1]}")
    for i in (ids[0], ids[-1]):
        if not 0 <= i < nsim:
            raise ValueError(f"ids must be in [0, {nsim}), got {i}")
    return np.ascontiguousarray(ids, np.int32)


def _int32(value: Any, shape: tuple[int, ...], least: int, end: int, name: str) -> np.ndarray:
    """Returns integers of a range, broadcast to a shape."""
    value = np.asarray(value)
    if not np.issubdtype(value.dtype, np.integer):
        raise ValueError(f"{name} must be integers, got {value.dtype}")
    bad = value[(value < least) | (value >= end)]
    if bad.size:
        raise ValueError(f"{name} must be in [{least}, {end}), got {bad.flat[0]}")
    return np.ascontiguousarray(np.broadcast_to(value, shape), np.int32)
