"""Trajectories of a system, and states that they begin in."""

from __future__ import annotations

import dataclasses
import logging
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from mj import MjData, MjModel, mj_getState, mj_stateSize, mjtSensor, mjtState
from mj.sysid._src import _signals
from mj.sysid._src.timeseries import SignalMappingType, TimeSeries

_log = logging.getLogger("mj.sysid")

_SENSORS = {
    "joint_pos": mjtSensor.mjSENS_JOINTPOS,
    "joint_vel": mjtSensor.mjSENS_JOINTVEL,
    "joint_torque": mjtSensor.mjSENS_JOINTACTFRC,
}


@dataclasses.dataclass(frozen=True, eq=False)
class SystemTrajectory:
    """Controls, sensors and states of a system over time, simulated or measured.

    Attributes:
        model: the model of the system.
        control: controls (n, nu).
        sensordata: sensors (m, nsensordata).
        initial_state: full state (nstate) at the start: time, qpos, qvel, act.
        state: full states (m, nstate); None if they were not measured.
    """

    model: MjModel
    control: TimeSeries
    sensordata: TimeSeries
    initial_state: np.ndarray
    state: TimeSeries | None

    def replace(self, **kwargs: Any) -> SystemTrajectory:
        """Return a copy with other attributes."""
        return dataclasses.replace(self, **kwargs)

    def get_sensordata_slice(self, sensor: str = "joint_pos") -> np.ndarray:
        """Return the columns of all sensors of a kind: ``joint_pos``, ``joint_vel`` or ``joint_torque``."""
        if sensor not in _SENSORS:
            raise ValueError(f"unknown kind of sensors `{sensor}`; expected one of {list(_SENSORS)}")
        chosen = np.flatnonzero(self.model.sensor_type == _SENSORS[sensor])
        starts, widths = self.model.sensor_adr[chosen], self.model.sensor_dim[chosen]
        columns = [column for start, width in zip(starts, widths, strict=True) for column in range(start, start + width)]
        return self.sensordata.data[:, sorted(columns)]

    @property
    def sensordim(self) -> int:
        """Number of columns of ``sensordata`` in the model."""
        return self.model.nsensordata

    def __len__(self) -> int:
        return len(self.sensordata)

    def save_to_disk(self, path: str | os.PathLike[str]) -> None:
        """Write all but the model to a file of NumPy's format ``npz``."""
        series = {"control": self.control, "sensordata": self.sensordata, "state": self.state}
        arrays = {
            f"{name}_{key}": array for name, ts in series.items() if ts is not None for key, array in ts.arrays().items()
        }
        np.savez(path, initial_state=self.initial_state, **arrays)  # type: ignore[arg-type]

    @classmethod
    def load_from_disk(
        cls, path: str | os.PathLike[str], model: MjModel, allow_missing_sensors: bool = False
    ) -> SystemTrajectory:
        """Read a file that ``save_to_disk`` wrote.

        Args:
            path: the file.
            model: the model of the system.
            allow_missing_sensors: as in :meth:`check_compatible`.
        """
        with np.load(path, allow_pickle=False) as arrays:
            trajectory = cls(
                model=model,
                control=TimeSeries.from_arrays(arrays, "control_"),
                sensordata=TimeSeries.from_arrays(arrays, "sensordata_"),
                initial_state=arrays["initial_state"],
                state=TimeSeries.from_arrays(arrays, "state_") if "state_times" in arrays else None,
            )
        trajectory.check_compatible(allow_missing_sensors)
        return trajectory

    def check_compatible(self, allow_missing_sensors: bool = False) -> None:
        """Check that the arrays have the sizes of the model.

        Args:
            allow_missing_sensors: whether another number of sensors is a warning only.

        Raises:
            ValueError: if they have other sizes.
        """

        def check(name: str, found: int, expected: int, warn: bool = False) -> None:
            if found == expected:
                return
            text = f"{name} dimension is {found}; expected {expected}, that of the model"
            if not warn:
                raise ValueError(text)
            _log.warning(text)

        nstate = mj_stateSize(self.model, mjtState.mjSTATE_FULLPHYSICS)
        check("Sensor data", self.sensordata.data.shape[1], self.model.nsensordata, allow_missing_sensors)
        check("Control data", self.control.data.shape[1], self.model.nu)
        if self.state is not None:
            check("State", self.state.data.shape[1], nstate)
        check("Initial state", self.initial_state.shape[0], nstate)

    def split(self, chunk_size: int) -> list[SystemTrajectory]:
        """Return parts of ``chunk_size`` samples, one after the other; a shorter rest is left out.

        Raises:
            ValueError: if the trajectory has no states, in which parts could begin.
        """
        if self.state is None:
            raise ValueError("a trajectory without states can't be split: its parts have no initial states")
        if chunk_size < 1:
            raise ValueError(f"chunk_size is {chunk_size}; expected at least 1")

        def part(ts: TimeSeries, start: int) -> TimeSeries:
            rows = slice(start, start + chunk_size)
            return TimeSeries(ts.times[rows], ts.data[rows], ts.signal_mapping)

        return [
            self.replace(
                control=part(self.control, start),
                sensordata=part(self.sensordata, start),
                initial_state=self.initial_state if start == 0 else self.state.data[start - 1],
                state=part(self.state, start),
            )
            for start in range(0, len(self) - chunk_size + 1, chunk_size)
        ]

    def render(self, height: int = 240, width: int = 320, camera: str | int = -1, fps: int = 30) -> list[np.ndarray]:
        """Draw the states, and return pictures (height, width, 3).

        Args:
            height: height of the pictures, pixels.
            width: width of the pictures, pixels.
            camera: name or index of the camera.
            fps: pictures in a second of the simulation.
        """
        from mj.sysid._src.plotting import render_rollout

        if self.state is None:
            raise ValueError("a trajectory without states can't be drawn")
        states = self.state.data[np.newaxis]
        return render_rollout(self.model, MjData(self.model), states, fps, camera=camera, width=width, height=height)


def create_initial_state(
    model: MjModel,
    qpos: np.ndarray,
    qvel: np.ndarray | None = None,
    act: np.ndarray | None = None,
    qpos_names: Sequence[str] | None = None,
    qvel_names: Sequence[str] | None = None,
    act_names: Sequence[str] | None = None,
) -> np.ndarray:
    """Return the full state (nstate) with given coordinates, velocities and activations, at time zero.

    Args:
        model: the model.
        qpos: coordinates.
        qvel: velocities; by default zero.
        act: activations; by default zero.
        qpos_names: signals, for example ``hinge_qpos``, whose coordinates ``qpos`` holds one after the other; others keep the
            values of the model. By default ``qpos`` holds all (nq).
        qvel_names: signals of ``qvel``, alike.
        act_names: signals of ``act``, alike.
    """
    data = MjData(model)
    maps = _signals.all_states(model)
    offsets = (0, model.nq, model.nq + model.nv)
    given = {"qpos": (qpos, qpos_names), "qvel": (qvel, qvel_names), "act": (act, act_names)}
    for (name, (values, signals)), mapping, offset in zip(given.items(), maps, offsets, strict=True):
        if values is None:
            if signals is not None:
                raise ValueError(f"{name}_names are given without {name}")
            continue
        values, target = np.ravel(values), getattr(data, name)
        places = np.arange(len(target)) if signals is None else _places(name, signals, mapping) - offset
        if len(values) != len(places):
            raise ValueError(f"{name} has {len(values)} elements; expected {len(places)}")
        target[places] = values
    state = np.empty(mj_stateSize(model, mjtState.mjSTATE_FULLPHYSICS))
    mj_getState(model, data, state, mjtState.mjSTATE_FULLPHYSICS)
    return state


def _places(name: str, signals: Sequence[str], mapping: SignalMappingType) -> np.ndarray:
    unknown = [signal for signal in signals if signal not in mapping]
    if unknown:
        raise ValueError(f"{name}_names: the model has no {unknown}; it has {list(mapping)}")
    return np.concatenate([mapping[signal][1] for signal in signals] or [np.array([], dtype=int)])
