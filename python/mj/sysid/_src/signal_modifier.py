"""Changes of measured and predicted signals, and their difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mj import MjModel, mj_name2id, mjtObj
from mj.sysid._src.parameter import Parameter
from mj.sysid._src.timeseries import TimeSeries


def _sensor_columns(model: MjModel, name: str) -> list[int]:
    sensor = mj_name2id(model, mjtObj.mjOBJ_SENSOR, name)
    if sensor < 0:
        raise ValueError(f"the model has no sensor `{name}`")
    start = int(model.sensor_adr[sensor])
    return list(range(start, start + int(model.sensor_dim[sensor])))


def get_sensor_indices(model: MjModel, sensor_name: str | Sequence[str], sort: bool = False) -> list[int]:
    """Return the columns of ``sensordata`` of one or several sensors.

    Args:
        model: the model that has the sensors.
        sensor_name: name, or names.
        sort: whether the columns of several sensors are sorted.
    """
    names = [sensor_name] if isinstance(sensor_name, str) else sensor_name
    columns = [column for name in names for column in _sensor_columns(model, name)]
    return sorted(columns) if sort else columns


def _with_columns(ts: TimeSeries, columns: np.ndarray, values: np.ndarray) -> TimeSeries:
    """Return a series with other values in some columns."""
    data = np.array(ts.data, dtype=np.float64)
    data[..., columns] = values
    return TimeSeries(ts.times, data, ts.signal_mapping)


def apply_bias(ts: TimeSeries, sensor_name: str, bias: Parameter) -> TimeSeries:
    """Return a series with the value of a parameter added to a signal."""
    columns = ts.get_indices(sensor_name)[1]
    return _with_columns(ts, columns, ts.data[..., columns] + bias.value)


def apply_gain(ts: TimeSeries, sensor_name: str, gain: Parameter) -> TimeSeries:
    """Return a series with a signal multiplied by the value of a parameter."""
    columns = ts.get_indices(sensor_name)[1]
    return _with_columns(ts, columns, ts.data[..., columns] * gain.value)


def apply_delay(ts: TimeSeries, sensor_name: str, delay: Parameter) -> TimeSeries:
    """Return a series with a signal later by the value of a parameter, s."""
    columns = ts.get_indices(sensor_name)[1]
    signal = TimeSeries(ts.times, ts.data[..., columns])
    return _with_columns(ts, columns, signal.interpolate(ts.times - delay.value))


def apply_time_window(ts: TimeSeries, min_t: float, max_t: float) -> TimeSeries:
    """Return the part of a series from ``min_t`` to ``max_t``, both included."""
    part = slice(np.searchsorted(ts.times, min_t, side="left"), np.searchsorted(ts.times, max_t, side="right"))
    if part.start >= part.stop:
        raise ValueError(f"the series has no times from {min_t} to {max_t}: it has {ts.times[0]} to {ts.times[-1]}")
    return TimeSeries(ts.times[part], ts.data[part], ts.signal_mapping)


def apply_delayed_ts_window(ts: TimeSeries, ts_delayed: TimeSeries, min_delay: float, max_delay: float) -> TimeSeries:
    """Return the part of a series whose times another one covers, whatever its delay.

    Args:
        ts: the series to cut.
        ts_delayed: the series that is read at the times ``t - delay``.
        min_delay: the least delay, s; it may be negative.
        max_delay: the greatest delay, s.
    """
    if min_delay > max_delay:
        raise ValueError(f"min_delay {min_delay} is above max_delay {max_delay}")
    # A reading at t needs ts_delayed at t - delay; without extrapolation at one end for the extreme delays.
    return apply_time_window(ts, ts_delayed.times[0] - min_delay, ts_delayed.times[-1] - max_delay)


def _build_per_column_delays(
    ts: TimeSeries, default_delay: float, sensor_delays: Mapping[str, float] | None, predicted_data: bool
) -> list[float]:
    """Return by how much each column is read later."""
    shifts = np.full(ts.data.shape[1], float(default_delay))
    for name, delay in (sensor_delays or {}).items():
        shifts[ts.get_indices(name)[1]] = delay
    return (-shifts if predicted_data else shifts).tolist()


def _apply_resample_and_delay_columnwise(ts: TimeSeries, times: np.ndarray, delays: Sequence[float]) -> np.ndarray:
    """Return each column read at its own times: the definition of :func:`apply_resample_and_delay`."""
    columns = (TimeSeries(ts.times, ts.data[:, i]).interpolate(times + delay) for i, delay in enumerate(delays))
    return np.stack(list(columns), axis=1)


def apply_resample_and_delay(
    ts: TimeSeries,
    times: np.ndarray,
    default_delay: float,
    sensor_delays: Mapping[str, float] | None = None,
    predicted_data: bool = True,
) -> TimeSeries:
    """Return a series at other times, with a delay for each signal.

    Args:
        ts: the series (n, columns).
        times: the new times (m), s.
        default_delay: delay of signals that have no other, s.
        sensor_delays: delays by names of signals, s.
        predicted_data: whether the signals become later, as those that are predicted do to match measured ones that
            are late; otherwise they become earlier.
    """
    shifts = np.array(_build_per_column_delays(ts, default_delay, sensor_delays, predicted_data))
    data = np.empty((len(times), ts.data.shape[1]))
    for shift in np.unique(shifts):
        columns = shifts == shift
        data[:, columns] = TimeSeries(ts.times, ts.data[:, columns]).interpolate(times + shift)
    return TimeSeries(times, data, ts.signal_mapping)


def prepare_sensor_weights(
    sensor_weights: Mapping[str, float] | np.ndarray, n_sensors: int, model: MjModel
) -> np.ndarray:
    """Return the weight of each column (n_sensors).

    Args:
        sensor_weights: weights by names of sensors, 1 for others; or the weights of all columns.
        n_sensors: number of columns.
        model: the model that has the sensors.
    """
    if isinstance(sensor_weights, np.ndarray):
        if sensor_weights.shape != (n_sensors,):
            raise ValueError(f"sensor_weights has shape {sensor_weights.shape}; expected ({n_sensors},)")
        return sensor_weights
    weights = np.ones(n_sensors)
    for name, weight in sensor_weights.items():
        weights[_sensor_columns(model, name)] = weight
    return weights


def weighted_diff(
    predicted_data: np.ndarray,
    measured_data: np.ndarray,
    model: MjModel | None = None,
    sensor_weights: Mapping[str, float] | np.ndarray | None = None,
) -> np.ndarray:
    """Return measured minus predicted values, times the weights of their sensors.

    Args:
        predicted_data: predicted values (n, columns).
        measured_data: measured values (n, columns).
        model: the model that has the sensors; needed with weights.
        sensor_weights: weights as in :func:`prepare_sensor_weights`.
    """
    if np.shape(measured_data) != np.shape(predicted_data):
        raise ValueError(f"predicted_data has shape {predicted_data.shape}; expected {measured_data.shape}, as measured_data")
    difference = measured_data - predicted_data
    if sensor_weights is None:
        return difference
    if model is None:
        raise ValueError("sensor_weights are given without the model that has the sensors")
    return difference * prepare_sensor_weights(sensor_weights, difference.shape[-1], model)


def normalize_residual(residual: np.ndarray, measured_data: np.ndarray) -> np.ndarray:
    """Return a residual (n, columns), each column divided by the norm of the measured one over the root of two.

    Half of the sum of the squares of a column is then the squared error relative to the signal. A column that is measured
    as zero is not divided.
    """
    scale = np.linalg.norm(measured_data, axis=0) / np.sqrt(2)
    return residual / np.where(scale > 0, scale, 1.0)
