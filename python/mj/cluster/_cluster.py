"""Workers of a Ray cluster, and how calls are spread over them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._enums import mjtState
from .._structs import MjModel
from . import _chunks
from ._chunks import Chunk, Work
from ._worker import Reduce, Worker

_CTRL = int(mjtState.mjSTATE_CTRL)
# A worker that is not there after so many seconds has no machine.
START_SECONDS = 120.0
# One chunk is simulated while the next is on its way.
AHEAD = 2


class _Actor:
    """A worker in another process."""

    def __init__(self, handle: Any, process: int, threads: int) -> None:
        self.handle, self.process, self.threads = handle, process, threads
        self.seconds_per_step: float | None = None
        self.given: dict[Any, Chunk] = {}


class Cluster:
    """Workers that simulate one model, one a machine of a Ray cluster.

    Ray is started on this machine where it does not run; call ``ray.init(address=...)`` first to use another.
    """

    def __init__(self, model: MjModel, *, workers: int | None = None, threads: int | None = None) -> None:
        """Starts workers, and sends them the model.

        Args:
            model: a model; what is written to it later does not reach the workers.
            workers: number of workers; None for one a machine.
            threads: threads of a worker; None for all processors of a machine, shared by its workers.

        Raises:
            ImportError: without the package ``ray``.
            RuntimeError: if the cluster has no processors for the workers.
        """
        try:
            import ray
        except ImportError as e:
            raise ImportError("mj.cluster needs the package ray: pip install 'mj-physics[ray]'") from e
        if not isinstance(model, MjModel):
            raise TypeError(f"`model` must be an MjModel, not {type(model).__name__}")
        for name, value in (("workers", workers), ("threads", threads)):
            if value is not None and value < 1:
                raise ValueError(f"`{name}` must be at least 1, not {value}")
        self._ray = ray
        if not ray.is_initialized():
            ray.init(log_to_driver=False, include_dashboard=False)
        self._model = ray.put(model)
        nodes = [int(n["Resources"]["CPU"]) for n in ray.nodes() if n["Alive"] and n["Resources"].get("CPU", 0) >= 1]
        if not nodes:
            raise RuntimeError("the Ray cluster has no processors")
        count = workers or len(nodes)
        a_node = -(-count // len(nodes))
        self._threads = threads or max(min(nodes) // a_node, 1)
        self._actors = self._start(count)

    @property
    def processes(self) -> list[int]:
        """Numbers of the workers' processes, each on its machine."""
        return [actor.process for actor in self._actors]

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *exc: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends the workers. Ray itself goes on."""
        for actor in self._actors:
            self._ray.kill(actor.handle)
        self._actors = []

    def __repr__(self) -> str:
        return f"<Cluster of {len(self._actors)} workers with {self._threads} threads each>"

    def rollout(
        self,
        initial_state: Any,
        control: Any = None,
        *,
        nstep: int | None = None,
        control_spec: int = _CTRL,
        initial_warmstart: Any = None,
        reduce: Reduce | None = None,
    ) -> Any:
        """Simulates trajectories, as :func:`mj.rollout.rollout` does.

        Args:
            initial_state: states to start from, (nbatch, nstate), mjSTATE_FULLPHYSICS.
            control: inputs of each step, (nbatch, nstep, ncontrol).
            nstep: number of steps, where ``control`` does not say it.
            control_spec: what ``control`` holds, a combination of mjtState.
            initial_warmstart: accelerations from which solvers start, (nbatch, nv).
            reduce: function of states, sensor readings and controls of some of the
                trajectories, that the workers call. It returns an array of one row a
                trajectory, as costs; only these are sent back.

        Returns:
            States (nbatch, nstep, nstate) and sensor readings (nbatch, nstep,
            nsensordata), or what ``reduce`` returned, in the order of the trajectories.
        """
        arrays = {
            "initial_state": _array("initial_state", initial_state, 2),
            "control": _array("control", control, 3),
            "initial_warmstart": _array("initial_warmstart", initial_warmstart, 2),
        }
        n = _common("trajectories", 0, arrays)
        steps = _steps(nstep, arrays["control"])
        return self._call("rollout", steps, Work(n, {**arrays, "control_spec": int(control_spec)}), reduce)

    def sweep(
        self,
        parameters: dict[str, Any],
        nstep: int | None = None,
        *,
        initial_state: Any = None,
        control: Any = None,
        reduce: Reduce | None = None,
    ) -> Any:
        """Simulates the model with other parameters.

        Args:
            parameters: values of fields of MjModel by name, as ``{"body_mass": (n,
                nbody)}``; see :meth:`mj.Batch.vary`. What is derived from them follows.
            nstep: number of steps, where ``control`` does not say it.
            initial_state: states to start from, (n or 1, nstate), mjSTATE_FULLPHYSICS;
                None for the reset state.
            control: controls of each step, (n or 1, nstep, nu).
            reduce: as for :meth:`rollout`.

        Returns:
            As :meth:`rollout`.
        """
        if not parameters:
            raise ValueError("`parameters` is empty: use rollout")
        arrays = {name: np.asarray(values) for name, values in parameters.items()}
        for name, values in arrays.items():
            if values.ndim == 0:
                raise ValueError(f"`{name}` must have a row for each simulation")
        inputs = {
            "parameters": arrays,
            "initial_state": _array("initial_state", initial_state, 2),
            "control": _array("control", control, 3),
        }
        n = _common("simulations", 0, {**arrays, "initial_state": inputs["initial_state"], "control": inputs["control"]})
        return self._call("sweep", _steps(nstep, inputs["control"]), Work(n, inputs), reduce)

    def _call(self, method: str, nstep: int, work: Work, reduce: Reduce | None) -> Any:
        """Gives chunks to workers until all is done."""
        if not self._actors:
            raise RuntimeError("the cluster is closed")
        errors = self._ray.exceptions
        reduce = None if reduce is None else self._ray.put(reduce)
        try:
            while not work.done:
                self._give(method, nstep, work, reduce)
                pending = {reference: actor for actor in self._actors for reference in actor.given}
                finished, _ = self._ray.wait(list(pending), num_returns=1)
                actor = pending[finished[0]]
                try:
                    seconds, results = self._ray.get(finished[0])
                except errors.RayTaskError as e:
                    raise e.as_instanceof_cause() from None
                except errors.RayError:
                    self._replace(actor, work)
                    continue
                chunk = actor.given.pop(finished[0])
                actor.seconds_per_step = seconds / max(len(chunk) * nstep, 1)
                work.finish(chunk, results)
        finally:
            for actor in self._actors:
                actor.given.clear()
        results = work.results()
        return results[0] if reduce is not None else results

    def _give(self, method: str, nstep: int, work: Work, reduce: Any) -> None:
        """Gives every worker that has less than it can take a chunk."""
        for actor in self._actors:
            while len(actor.given) < AHEAD:
                a_row = None if actor.seconds_per_step is None else actor.seconds_per_step * nstep
                chunk = work.take(_chunks.size(a_row, actor.threads, work.rest, len(self._actors)))
                if chunk is None:
                    return
                reference = getattr(actor.handle, method).remote(nstep, work.of(chunk), reduce)
                actor.given[reference] = chunk

    def _replace(self, lost: _Actor, work: Work) -> None:
        """Takes back the chunks of a worker that is lost, and starts another if there is a machine for it."""
        for chunk in lost.given.values():
            work.lose(chunk)
        lost.given.clear()
        self._ray.kill(lost.handle)
        self._actors.remove(lost)
        try:
            self._actors += self._start(1)
        except RuntimeError:
            if not self._actors:
                raise

    def _start(self, count: int) -> list[_Actor]:
        """Starts workers, spread over the machines."""
        remote = self._ray.remote(Worker).options(num_cpus=self._threads, scheduling_strategy="SPREAD")
        handles = [remote.remote(self._model, self._threads) for _ in range(count)]
        try:
            processes = self._ray.get([h.process.remote() for h in handles], timeout=START_SECONDS)
        except self._ray.exceptions.GetTimeoutError:
            for handle in handles:
                self._ray.kill(handle)
            raise RuntimeError(
                f"the Ray cluster has no room for {count} workers of {self._threads} processors:"
                f" it has {self._ray.available_resources().get('CPU', 0):g} free"
            ) from None
        return [_Actor(handle, process, self._threads) for handle, process in zip(handles, processes, strict=True)]


def _array(name: str, value: Any, ndim: int) -> np.ndarray | None:
    """Returns numbers with so many axes; leading ones that are left out have length 1."""
    if value is None:
        return None
    array = np.asarray(value, np.float64)
    if array.ndim > ndim:
        raise ValueError(f"`{name}` can have at most {ndim} axes, not {array.ndim}")
    return array.reshape((1,) * (ndim - array.ndim) + array.shape)


def _common(what: str, axis: int, arrays: dict[str, np.ndarray | None]) -> int:
    """Returns the length of an axis on which all arrays agree; 1 goes with any."""
    lengths = {name: a.shape[axis] for name, a in arrays.items() if a is not None and a.shape[axis] != 1}
    if len(set(lengths.values())) > 1:
        given = ", ".join(f"`{name}` {n}" for name, n in lengths.items())
        raise ValueError(f"the arrays are for different numbers of {what}: {given}")
    return next(iter(lengths.values()), 1)


def _steps(nstep: int | None, control: np.ndarray | None) -> int:
    """Returns the number of steps that the arguments say."""
    from_control = None if control is None or control.shape[1] == 1 else control.shape[1]
    if nstep is not None and nstep < 0:
        raise ValueError(f"`nstep` must not be negative: it is {nstep}")
    if nstep is not None and from_control not in (None, nstep):
        raise ValueError(f"`nstep` is {nstep}, but `control` has {from_control} steps")
    return nstep if nstep is not None else from_control or 1
