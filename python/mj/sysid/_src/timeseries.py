"""Signals over time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mj import MjModel
from mj.sysid._src import _signals
from mj.sysid._src._interpolation import InterpolationMethod, count_steps, interpolated
from mj.sysid._src._signals import (
    SignalMappingType,
    SignalName,
    SignalType,
    decode_signal_mapping,
    encode_signal_mapping,
)

__all__ = [
    "InterpolationMethod",
    "SignalMappingType",
    "SignalType",
    "TimeSeries",
    "decode_signal_mapping",
    "encode_signal_mapping",
]

_OBSERVATIONS = (SignalType.MjSensor, SignalType.MjStateQPos, SignalType.MjStateQVel, SignalType.MjStateAct)


@dataclass(frozen=True, eq=False, repr=False)
class TimeSeries:
    """Signals over time.

    Attributes:
        times: increasing times (n), s.
        data: values (n, ...), mostly one column for each scalar.
        signal_mapping: for each name of a signal its type and its columns; None if they have no names.

    Raises:
        ValueError: if there are no times, or they don't increase, or there are not as many values.
    """

    times: np.ndarray
    data: np.ndarray
    signal_mapping: SignalMappingType | None = None

    def __post_init__(self) -> None:
        for name in ("times", "data"):
            object.__setattr__(self, name, np.asarray(getattr(self, name)))
        if self.times.size == 0:
            raise ValueError("Empty series: expected at least one time")
        if self.times.ndim != 1:
            raise ValueError(f"times has shape {self.times.shape}; expected a 1D array")
        if len(self.times) != len(self.data):
            raise ValueError(f"Length of data is {len(self.data)}; expected {len(self.times)}, the length of times")
        if not np.all(np.diff(self.times) > 0):
            raise ValueError("times are not strictly increasing")

    @staticmethod
    def compute_all_sensor_mapping(model: MjModel) -> SignalMappingType:
        """Return the columns of each sensor in ``sensordata``."""
        return _signals.all_sensors(model)

    @staticmethod
    def compute_all_control_mapping(model: MjModel) -> SignalMappingType:
        """Return the column of each actuator in ``ctrl``, by its name and ``_ctrl``."""
        return _signals.all_controls(model)

    @staticmethod
    def compute_all_state_mappings(
        model: MjModel,
    ) -> tuple[SignalMappingType, SignalMappingType, SignalMappingType, SignalMappingType]:
        """Return the columns of coordinates, velocities and activations in ``[qpos, qvel, act]``, and of controls.

        Names are those of joints, or of bodies that move freely, with ``_qpos`` or ``_qvel``, and those of actuators with
        ``_act`` or ``_ctrl``.
        """
        return (*_signals.all_states(model), _signals.all_controls(model))

    @classmethod
    def create(
        cls,
        times: np.ndarray,
        data: np.ndarray,
        signal_mapping: dict[str, tuple[SignalType, np.ndarray | list[int] | int]],
    ) -> TimeSeries:
        """Make a series with a mapping whose columns are arrays, lists or numbers."""
        return cls(times, data, {name: (kind, np.atleast_1d(cols)) for name, (kind, cols) in signal_mapping.items()})

    @classmethod
    def from_custom_map(
        cls, times: np.ndarray, data: np.ndarray, signals: Sequence[str | tuple[str, int, SignalType]]
    ) -> TimeSeries:
        """Make a series of signals that a model need not have.

        Args:
            times: times (n), s.
            data: values (n, columns).
            signals: for each signal in order of the columns its name, number of columns and type; a name alone is
                that of one column of type ``CustomObs``.
        """
        mapping: SignalMappingType = {}
        start = 0
        for item in signals:
            name, width, kind = (item, 1, SignalType.CustomObs) if isinstance(item, str) else item
            if width <= 0:
                raise ValueError(f"signal `{name}` has {width} columns; expected at least one")
            mapping[name] = (kind, np.arange(start, start + width))
            start += width
        return cls._of_width(times, data, mapping, start)

    @classmethod
    def from_names(
        cls, times: np.ndarray, data: np.ndarray, model: MjModel, names: Sequence[SignalName] | None = None
    ) -> TimeSeries:
        """Make a series of sensors and states of a model.

        Args:
            times: times (n), s.
            data: values (n, columns).
            model: the model that has the signals.
            names: signals in order of the columns, each as a name or as a name and a type; by default all sensors, in
                the order of ``sensordata``.
        """
        if names is None:
            return cls._of_width(times, data, _signals.all_sensors(model), model.nsensordata)
        return cls._of_width(times, data, _signals.resolve(model, names, _OBSERVATIONS))

    @classmethod
    def from_control_names(
        cls, times: np.ndarray, data: np.ndarray, model: MjModel, names: Sequence[SignalName] | None = None
    ) -> TimeSeries:
        """Make a series of controls of a model.

        Args:
            times: times (n), s.
            data: values (n, columns).
            model: the model that has the actuators.
            names: actuators in order of the columns; by default all, in the order of ``ctrl``.
        """
        if names is None:
            return cls._of_width(times, data, _signals.all_controls(model), model.nu)
        return cls._of_width(times, data, _signals.resolve(model, names, (SignalType.MjCtrl,)))

    @classmethod
    def _of_width(
        cls, times: np.ndarray, data: np.ndarray, mapping: SignalMappingType, width: int | None = None
    ) -> TimeSeries:
        width = _signals.width(mapping) if width is None else width
        if data.ndim != 2 or data.shape[1] != width:
            raise ValueError(f"data has shape {data.shape}; expected ({len(times)}, {width}) for {list(mapping)}")
        return cls(times, data, mapping)

    def get_indices(self, obs_name: str) -> tuple[SignalType, np.ndarray]:
        """Return the type and the columns of a signal."""
        if self.signal_mapping is None:
            raise ValueError(f"signal `{obs_name}`: the signals of this series have no names")
        if obs_name not in self.signal_mapping:
            raise ValueError(f"there is no signal `{obs_name}`; there are {list(self.signal_mapping)}")
        return self.signal_mapping[obs_name]

    @classmethod
    def slice_by_name(cls, ts: TimeSeries, enabled_sensors: Sequence[str]) -> TimeSeries:
        """Return a series of some signals only; columns keep their order."""
        if not ts.signal_mapping:
            return ts
        wanted = {name: ts.get_indices(name) for name in enabled_sensors}
        taken = {column for _, columns in wanted.values() for column in columns}
        kept = list(dict.fromkeys(c for _, columns in ts.signal_mapping.values() for c in columns if c in taken))
        place = {column: i for i, column in enumerate(kept)}
        mapping = {name: (kind, np.array([place[c] for c in cols], dtype=int)) for name, (kind, cols) in wanted.items()}
        return cls(ts.times, ts.data[..., kept], mapping)

    def __len__(self) -> int:
        return len(self.data)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return arrays that files hold: ``times``, ``data`` and, with names, ``signal_mapping``."""
        out = {"times": self.times, "data": self.data}
        if self.signal_mapping:
            out["signal_mapping"] = np.asarray(encode_signal_mapping(self.signal_mapping))
        return out

    @classmethod
    def from_arrays(cls, arrays: Any, prefix: str = "") -> TimeSeries:
        """Return the series with those arrays; their names begin with ``prefix``."""
        encoded = arrays[f"{prefix}signal_mapping"] if f"{prefix}signal_mapping" in arrays else None
        mapping = None if encoded is None else decode_signal_mapping(str(encoded))
        return cls(arrays[f"{prefix}times"], arrays[f"{prefix}data"], mapping)

    def save_to_disk(self, path: str | os.PathLike[str]) -> None:
        """Write the series to a file of NumPy's format ``npz``."""
        np.savez(path, **self.arrays())  # type: ignore[arg-type]

    @classmethod
    def load_from_disk(cls, path: str | os.PathLike[str]) -> TimeSeries:
        """Read a file that ``save_to_disk`` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            return cls.from_arrays(arrays)

    def save_to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a table of numbers with commas: the times, and one column for each of the data."""
        np.savetxt(path, np.column_stack([self.times, self.data]), delimiter=",")

    def interpolate(self, t: float | np.ndarray, method: InterpolationMethod = "linear") -> np.ndarray:
        """Return the values at times ``t`` (m, ...); outside of the series, its first or last ones."""
        return interpolated(self.times, self.data, np.atleast_1d(np.asarray(t, dtype=np.float64)), method)

    def get(self, t: float | np.ndarray, method: InterpolationMethod = "linear") -> tuple[np.ndarray, np.ndarray]:
        """Return times and the values there; for one number, the values without an axis of time."""
        at, values = np.asarray(t), self.interpolate(t, method)
        return at, values if at.ndim else values[0]

    def resample(
        self,
        new_times: np.ndarray | None = None,
        target_dt: float | None = None,
        method: InterpolationMethod = "linear",
    ) -> TimeSeries:
        """Return the series at other times.

        Args:
            new_times: increasing times (m), s.
            target_dt: without ``new_times``, the longest interval of the evenly spaced times that are taken, s.
            method: interpolation.
        """
        if new_times is None:
            if target_dt is None:
                raise ValueError("no times are given: expected new_times or target_dt")
            if not target_dt > 0:
                raise ValueError(f"target_dt is {target_dt}; expected a positive number")
            start, end = self.times[0], self.times[-1]
            new_times = np.linspace(start, end, count_steps(start, end, target_dt) + 1)
        new_times = np.asarray(new_times)
        if new_times.ndim != 1:
            raise ValueError(f"new_times has shape {new_times.shape}; expected a 1D array")
        return TimeSeries(new_times, self.interpolate(new_times, method), self.signal_mapping)

    def remove_from_beginning(self, time_to_remove_s: float) -> TimeSeries:
        """Return the series from the first time that is at least ``time_to_remove_s`` on, with times from zero."""
        if not 0 <= time_to_remove_s <= self.times[-1]:
            raise ValueError(f"time_to_remove_s is {time_to_remove_s}; expected 0 to {self.times[-1]}, the last time")
        first = np.searchsorted(self.times, time_to_remove_s)
        return TimeSeries(self.times[first:] - self.times[first], self.data[first:], self.signal_mapping)

    def dt_statistics(self) -> dict[str, float]:
        """Return mean, median, standard deviation (``std``), least and greatest of the intervals, s."""
        if self.times.size < 2:
            raise ValueError("the series has one time; intervals need two")
        intervals = np.diff(self.times)
        return {name: float(getattr(np, name)(intervals)) for name in ("mean", "median", "std", "min", "max")}

    def __repr__(self) -> str:
        names = None if self.signal_mapping is None else list(self.signal_mapping)
        text = f"TimeSeries(shape={self.data.shape}, times=[{self.times[0]:.3g}, {self.times[-1]:.3g}]"
        if self.times.size > 1:
            dt = self.dt_statistics()
            even = dt["std"] < 0.01 * dt["mean"]
            text += f", dt={dt['mean']:.3g}" if even else f", dt=[{dt['min']:.3g}, {dt['max']:.3g}]"
        if self.data.size:
            text += f", data=[{np.min(self.data):.3g}, {np.max(self.data):.3g}]"
        return f"{text}, signals={names})"
