"""Trajectories of many simulations from given states, with given controls, on many threads.

>>> import mj, numpy as np
>>> from mj import rollout
>>> model = mj.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
>>> nstate = mj.mj_stateSize(model, mj.mjtState.mjSTATE_FULLPHYSICS)
>>> starts = np.zeros((100, nstate))
>>> state, sensordata = rollout.rollout(model, [mj.MjData(model) for _ in range(2)], starts, nstep=10)
>>> state.shape
(100, 10, 14)

Results don't depend on the number of threads. Ctrl-C ends a rollout within a tenth of a second.
"""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._enums import mjtState
from ._errors import FatalError
from ._structs import MjData, MjModel

__all__ = ["Rollout", "rollout", "shutdown_persistent_pool"]

_CTRL = int(mjtState.mjSTATE_CTRL)
_USER = int(mjtState.mjSTATE_USER)
_FULLPHYSICS = int(mjtState.mjSTATE_FULLPHYSICS)


class Rollout:
    """Threads for rollouts, which one call after the other uses."""

    def __init__(self, *, nthread: int | None = None):
        """Makes threads for rollouts.

        Args:
            nthread: number of threads, each of which needs an MjData; with 0 or None,
                the calling thread does all.
        """
        self.nthread = 0 if nthread is None else nthread
        self.rollout_: _core.Rollout | None = _core.Rollout(nthread=self.nthread)

    def __enter__(self) -> Rollout:
        return self

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends the threads."""
        self.rollout_ = None

    def rollout(
        self,
        model: MjModel | Sequence[MjModel],
        data: MjData | Sequence[MjData],
        initial_state: Any,
        control: Any = None,
        *,
        control_spec: int = _CTRL,
        skip_checks: bool = False,
        nstep: int | None = None,
        initial_warmstart: Any = None,
        state: np.ndarray | None = None,
        sensordata: np.ndarray | None = None,
        chunk_size: int | None = None,
    ) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Simulates trajectories, and returns states and sensor readings after each step.

        The number of trajectories ``nbatch`` and of steps ``nstep`` follow from the
        arrays. An axis of length 1, or one that is left out, is for all. Inputs that
        ``control_spec`` does not name are those of the reset state. A trajectory in
        which a warning is raised ends there; its last row fills the rows that remain.

        Args:
            model: a model, or ``nbatch`` models of one structure.
            data: an MjData for each thread, in a list; or one MjData.
            initial_state: states to start from, (nbatch, nstate), mjSTATE_FULLPHYSICS.
            control: inputs of each step, (nbatch, nstep, ncontrol).
            control_spec: what ``control`` holds, a combination of mjtState within
                mjSTATE_USER.
            skip_checks: whether to pass the arrays on as they are, in full size, with
                a list of models and a list of data. Nothing is allocated then.
            nstep: number of steps, where no array says it.
            initial_warmstart: accelerations from which solvers start, (nbatch, nv).
            state: array for the states, (nbatch, nstep, nstate).
            sensordata: array for the readings, (nbatch, nstep, nsensordata).
            chunk_size: number of trajectories that a thread takes at a time.

        Returns:
            The arrays ``state`` and ``sensordata``, made where they are not given.

        Raises:
            RuntimeError: after :meth:`close`, or if a call on one of the data is in
                progress in another thread.
            ValueError: if an argument has a wrong shape, size or value.
        """
        if self.rollout_ is None:
            raise RuntimeError("rollout requested after thread pool shutdown")
        if skip_checks:
            self.rollout_.rollout(
                model, data, nstep, control_spec, initial_state, initial_warmstart, control, state, sensordata, chunk_size
            )
            return state, sensordata

        models = [model] if isinstance(model, MjModel) else list(model)
        datas = data if isinstance(data, list) else [data]
        if not models:
            raise ValueError("The list of models is empty")
        if control_spec & ~_USER:
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        _check_count("nstep", nstep, 0, "non-negative")
        _check_count("chunk_size", chunk_size, 1, "a positive integer")
        start = _array("initial_state", initial_state, 2)
        warmstart = _array("initial_warmstart", initial_warmstart, 2)
        control = _array("control", control, 3)
        state = _array("state", state, 3)
        sensordata = _array("sensordata", sensordata, 3)

        batched = dict(
            initial_state=start, initial_warmstart=warmstart, control=control, state=state, sensordata=sensordata
        )
        nbatch = _length(0, 1, batched)
        if nbatch == 1 and not isinstance(model, MjModel):
            nbatch = len(models)
        if len(models) > 1 and len(models) != nbatch:
            raise ValueError(f"nbatch inferred as {nbatch} but model is length {len(models)}")
        stepped = dict(control=control, state=state, sensordata=sensordata)
        steps = _length(1, 1 if nstep is None else int(nstep), stepped)

        for m in models:
            if not 0 <= m.opt.solver <= 2:
                raise FatalError(f"mj_fwdConstraint: unknown solver type {int(m.opt.solver)}")
        sizes = _sizes(models[0], control_spec)
        if any(m is not models[0] and _sizes(m, control_spec) != sizes for m in models[1:]):
            raise ValueError("models are not compatible")
        nstate, ncontrol, nv, nsensordata = sizes
        for width, arrays in (
            (nstate, dict(initial_state=start, state=state)),
            (ncontrol, dict(control=control)),
            (nv, dict(initial_warmstart=warmstart)),
            (nsensordata, dict(sensordata=sensordata)),
        ):
            for name, array in arrays.items():
                if array is not None and array.shape[-1] != width:
                    raise ValueError(f"trailing dimension of {name} must be {width}, got {array.shape[-1]}")

        return self.rollout_.rollout(
            models, datas, steps, control_spec, start, warmstart, control, state, sensordata, chunk_size,
            nroll=nbatch, allocate=True,
        )  # fmt: skip


_persistent: Rollout | None = None


def shutdown_persistent_pool() -> None:
    """Ends the threads that :func:`rollout` keeps with ``persistent_pool``; the end of the program does it too."""
    global _persistent
    if _persistent is not None:
        _persistent.close()
    _persistent = None


atexit.register(shutdown_persistent_pool)


def rollout(
    model: MjModel | Sequence[MjModel],
    data: MjData | Sequence[MjData],
    initial_state: Any,
    control: Any = None,
    *,
    control_spec: int = _CTRL,
    skip_checks: bool = False,
    nstep: int | None = None,
    initial_warmstart: Any = None,
    state: np.ndarray | None = None,
    sensordata: np.ndarray | None = None,
    chunk_size: int | None = None,
    persistent_pool: bool = False,
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Simulates trajectories on as many threads as there are data.

    As :meth:`Rollout.rollout`, with threads of its own.

    Args:
        model: a model, or a model for each trajectory.
        data: an MjData for each thread, in a list; or one MjData.
        initial_state: states to start from.
        control: inputs of each step.
        control_spec: what ``control`` holds.
        skip_checks: whether to pass the arrays on as they are.
        nstep: number of steps, where no array says it.
        initial_warmstart: accelerations from which solvers start.
        state: array for the states.
        sensordata: array for the readings.
        chunk_size: number of trajectories that a thread takes at a time.
        persistent_pool: whether to keep the threads for the next call.

    Returns:
        The arrays ``state`` and ``sensordata``.
    """
    global _persistent
    datas = data if isinstance(data, list) else [data]
    nthread = len(datas) if len(datas) > 1 else 0
    if not persistent_pool:
        threads = Rollout(nthread=nthread)
    else:
        if _persistent is None or _persistent.nthread != nthread:
            shutdown_persistent_pool()
            _persistent = Rollout(nthread=nthread)
        threads = _persistent
    try:
        return threads.rollout(
            model,
            datas,
            initial_state,
            control,
            control_spec=control_spec,
            skip_checks=skip_checks,
            nstep=nstep,
            initial_warmstart=initial_warmstart,
            state=state,
            sensordata=sensordata,
            chunk_size=chunk_size,
        )
    finally:
        if not persistent_pool:
            threads.close()


def _check_count(name: str, value: Any, least: int, kind: str) -> None:
    """Raises ``ValueError`` unless a value is None or an integer that is large enough."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"{name} must be an integer")
    if value < least:
        raise ValueError(f"{name} must be {kind}")


def _array(name: str, value: Any, ndim: int) -> np.ndarray | None:
    """Returns a value as an array of so many axes of doubles: the same memory if it is one already."""
    if value is None:
        return None
    if not isinstance(value, (np.ndarray, float)):
        raise ValueError(f"{name} must be a numpy array or float")
    if np.ndim(value) > ndim:
        raise ValueError(f"{name} can have at most {ndim} dimensions")
    array = np.asarray(value)
    if array.ndim < ndim:
        array = array.reshape((1,) * (ndim - array.ndim) + array.shape)
    return np.ascontiguousarray(array, dtype=np.float64)


def _length(axis: int, length: int, arrays: dict[str, np.ndarray | None]) -> int:
    """Returns the length of an axis on which all arrays agree; 1 goes with any."""
    for name, array in arrays.items():
        if array is None or array.shape[axis] in (1, length):
            continue
        if length != 1:
            raise ValueError(f"dimension {axis} inferred as {length} but {name} has {array.shape[axis]}")
        length = array.shape[axis]
    return length


def _sizes(model: MjModel, control_spec: int) -> tuple[int, int, int, int]:
    """Returns the numbers of state, control, dofs and readings."""
    nstate = _core.mj_stateSize(model, _FULLPHYSICS)
    return nstate, _core.mj_stateSize(model, int(control_spec)), model.nv, model.nsensordata
