"""A worker's part: simulate one chunk."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._enums import mjtState
from .._many.worlds import Batch
from .._structs import MjData, MjModel
from ..rollout import Rollout

_FULLPHYSICS = int(mjtState.mjSTATE_FULLPHYSICS)

# Makes the results of a chunk of its states, sensor readings and controls.
Reduce = Callable[[np.ndarray, np.ndarray, np.ndarray | None], Any]


class Worker:
    """Simulates chunks of one model on the threads of one machine."""

    def __init__(self, model: MjModel, threads: int) -> None:
        self._model = model
        self._data = [MjData(model) for _ in range(threads)]
        self._rollout = Rollout(nthread=threads)

    def process(self) -> int:
        """Returns the number of this process on its machine."""
        return os.getpid()

    def rollout(self, nstep: int, inputs: dict[str, Any], reduce: Reduce | None) -> tuple[float, tuple[np.ndarray, ...]]:
        """Simulates trajectories; returns how many seconds it took, and arrays of one row a trajectory."""
        start = time.perf_counter()
        state, sensordata = self._rollout.rollout(self._model, self._data, nstep=nstep, **inputs)
        results = _results(state, sensordata, inputs.get("control"), reduce)
        return time.perf_counter() - start, results

    def sweep(self, nstep: int, inputs: dict[str, Any], reduce: Reduce | None) -> tuple[float, tuple[np.ndarray, ...]]:
        """Simulates models with other parameters; returns seconds and arrays as :meth:`rollout` does."""
        start = time.perf_counter()
        parameters, state0, control = inputs["parameters"], inputs["initial_state"], inputs["control"]
        n = max(len(values) for values in parameters.values())
        batch = Batch(self._model, n, threads=len(self._data))
        for name, values in parameters.items():
            batch.vary(name, values)
        batch.set_const()
        if batch.failed.any():
            raise ValueError(batch.error(int(np.flatnonzero(batch.failed)[0])))
        if state0 is not None:
            batch.set_state(state0, _FULLPHYSICS)
        if control is not None:
            control = np.broadcast_to(control, (n, nstep, self._model.nu))
        readings = batch.sensordata
        state = np.empty((n, nstep, _core.mj_stateSize(self._model, _FULLPHYSICS)))
        sensordata = np.empty((n, nstep, self._model.nsensordata))
        for step in range(nstep):
            batch.step(None if control is None else control[:, step])
            state[:, step], sensordata[:, step] = batch.get_state(_FULLPHYSICS), readings
        results = _results(state, sensordata, control, reduce)
        return time.perf_counter() - start, results


def _results(
    state: np.ndarray, sensordata: np.ndarray, control: np.ndarray | None, reduce: Reduce | None
) -> tuple[np.ndarray, ...]:
    if reduce is None:
        return state, sensordata
    reduced = np.asarray(reduce(state, sensordata, control))
    if reduced.ndim == 0 or len(reduced) != len(state):
        raise ValueError(f"`reduce` must return one row for each of {len(state)} trajectories, not shape {reduced.shape}")
    return (reduced,)
