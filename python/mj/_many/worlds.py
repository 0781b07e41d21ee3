"""Many simulations with arrays of one row a simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._enums import mjtEnableBit, mjtState
from .._structs import MjData, MjModel
from ..batch import Batch as _Batch
from ..batch import _ids
from .fields import DATA_FIELDS, MODEL_FIELDS, STATE_FIELDS, attribute_hint, output_error
from .views import Named

__all__ = ["Batch"]

_INTEGRATION = int(mjtState.mjSTATE_INTEGRATION)


class Batch:
    """``n`` simulations of a model that go on from call to call, on all processors.

    >>> import mj
    >>> model = mj.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    >>> batch = mj.Batch(model, 100)
    >>> batch.qvel[:, 0] = range(100)
    >>> batch.step(nstep=10)
    >>> batch.qpos.shape
    (100, 7)

    Fields of MjData are attributes: arrays of shape (n, ...). What is written to state
    and inputs (``qpos``, ``ctrl``, ``mocap_pos``, ...) is what the next call uses. Results
    (``sensordata``, ``xpos``, ``ncon``, ...) are filled by every call from the first access
    on, and read-only.

    Parameters of the model are one for all until :meth:`vary` gives each simulation a
    value. Meshes and other assets are never copied.

    Nothing is raised where a simulation fails or diverges: see ``warnings`` and ``failed``.
    Results are the same, bit for bit, for any number of threads.
    """

    def __init__(self, model: MjModel, n: int, *, threads: int = 0):
        """Makes simulations in the model's reset state.

        Args:
            model: a model; what is written to it later doesn't reach the simulations.
            n: number of simulations.
            threads: number of threads; 0 for as many as there are processors.
        """
        if not isinstance(model, MjModel):
            raise TypeError(f"`model` must be an MjModel, not {type(model).__name__}")
        sleeps = bool(int(model.opt.enableflags) & int(mjtEnableBit.mjENBL_SLEEP))
        self._batch = _Batch(model, n, threads, persistent=sleeps)
        self._native = self._batch._b

    @property
    def n(self) -> int:
        """Number of simulations."""
        return self._batch.nsim

    @property
    def threads(self) -> int:
        """Number of threads."""
        return self._batch.nthread

    @property
    def model(self) -> MjModel:
        """The model that the simulations were made of."""
        return self._batch.model

    @property
    def warnings(self) -> np.ndarray:
        """How often each warning was raised since the last reset: (n, 7), by mjtWarning. Zeros may be written."""
        return self._batch.warning[:, :, 1]

    @property
    def failed(self) -> np.ndarray:
        """Which simulations failed in their last call, and kept their state of before it: (n,) of bool."""
        return self._batch.status != 0

    def error(self, i: int) -> str:
        """Returns why simulation ``i`` failed in its last call; empty if it did not."""
        return self._batch.error(i)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in DATA_FIELDS:
            return self._batch.bind(name)
        if name in MODEL_FIELDS:
            raise AttributeError(f"{name} is a field of the model: use vary({name!r})")
        raise AttributeError(f"'Batch' object has no attribute {name!r}{attribute_hint(name)}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in STATE_FIELDS:
            self._batch.bind(name)[...] = value
        elif name in DATA_FIELDS:
            raise output_error(name)
        elif name in MODEL_FIELDS:
            raise AttributeError(f"{name} is a field of the model: use vary({name!r})[...] = ...")
        elif name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(f"'Batch' object has no attribute {name!r} that can be set{attribute_hint(name)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *DATA_FIELDS]

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Batch of {self.n} simulations of {self.model!r}>"

    def step(self, ctrl: Any = None, nstep: int = 1, mask: Any = None) -> None:
        """Takes simulations on by ``nstep`` time steps.

        Args:
            ctrl: controls, (n, nu) or (nu,); None leaves them as they are.
            nstep: number of steps.
            mask: which simulations: (n,) of bool, or ascending numbers; None for all.
        """
        if ctrl is not None:
            self._batch.bind("ctrl")[...] = ctrl
        self._native.step(_ids(mask, self.n), nstep, 0)

    def forward(self, mask: Any = None) -> None:
        """Computes all results of the present states."""
        self._native.forward(_ids(mask, self.n), 3)

    def reset(self, mask: Any = None, keyframe: Any = None) -> None:
        """Resets simulations to the model's reset state or a keyframe, and computes all results.

        Args:
            mask: which simulations: (n,) of bool, or ascending numbers; None for all.
            keyframe: number or name of a keyframe, or a number for each simulation.
        """
        if isinstance(keyframe, str):
            keyframe = self.model.key(keyframe).id
        self._batch.reset(_ids(mask, self.n), -1 if keyframe is None else keyframe)

    def get_state(self, spec: int = _INTEGRATION) -> np.ndarray:
        """Returns components of the states, (n, size): a copy. ``spec`` is a combination of mjtState."""
        if int(spec) == _INTEGRATION:
            return self._batch.state.copy()
        parts = [self._batch.state[:, first : first + size] for first, size in self._components(spec)]
        return np.concatenate([np.empty((self.n, 0)), *parts], axis=1)

    def set_state(self, state: Any, spec: int = _INTEGRATION, mask: Any = None) -> None:
        """Sets components of the states, from rows as :meth:`get_state` returns.

        Args:
            state: numbers, (n, size) for the n simulations of the call, or (size,).
            spec: which components, a combination of mjtState.
            mask: which simulations: (n,) of bool, or ascending numbers; None for all.
        """
        rows = _ids(mask, self.n)
        components = self._components(spec)
        shape = (self.n if rows is None else len(rows), sum(size for _, size in components))
        state = np.asarray(state, np.float64)
        if state.shape not in (shape, shape[1:]):
            raise ValueError(f"`state` must have shape {shape} or {shape[1:]}, not {state.shape}")
        state, at = np.broadcast_to(state, shape), 0
        for first, size in components:
            part = self._batch.state[:, first : first + size]
            part[slice(None) if rows is None else rows] = state[:, at : at + size]
            at += size

    def _components(self, spec: int) -> list[tuple[int, int]]:
        """Returns first number and size of each component of the state."""
        spec = int(spec)
        if spec < 0 or spec & ~_INTEGRATION:
            raise ValueError(f"`spec` must be a combination of mjtState, not {spec}")
        bits = (1 << k for k in range(_INTEGRATION.bit_length()))
        return [self._native.state_component(bit) for bit in bits if spec & bit]

    def vary(self, name: str, values: Any = None) -> np.ndarray:
        """Gives a parameter of the model a value for each simulation; returns the live array, (n, ...).

        What is written to it is what the next call uses. Options are named as in
        ``opt.gravity``. After changing masses, inertias, sizes or poses, call
        :meth:`set_const`, as ``mj_setConst`` after changing those of a model.

        Args:
            name: field of MjModel, as ``body_mass`` or ``geom_friction``.
            values: numbers to write, of a shape that broadcasts to (n, ...).
        """
        array = self._batch.expand(name)
        if values is not None:
            array[...] = values
        return array

    def set_const(self, mask: Any = None) -> None:
        """Computes what is derived from parameters; where it can't be, ``failed`` says so and nothing is changed."""
        self._native.set_const(_ids(mask, self.n))

    def get_model(self, i: int) -> MjModel:
        """Returns the model of simulation ``i``, with its parameters."""
        return self._batch.get_model(i)

    def get_data(self, i: int) -> MjData:
        """Returns data in the state of simulation ``i``, with all results computed."""
        data = self._batch.get_data(i)
        _core.mj_forward(self.get_model(i), data)
        return data


def _named(kind: str) -> Any:
    def views(self: Batch, key: int | str) -> Named:
        return Named(self._batch, kind, key)

    views.__name__ = kind
    views.__doc__ = f"Returns the fields of a {kind} in all simulations, by name or number."
    return views


for _kind in "actuator body camera equality geom joint light material pair sensor site tendon".split():
    setattr(Batch, _kind, _named(_kind))
