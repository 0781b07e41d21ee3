"""Delays, gains and biases of sensors, by patterns of their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

import numpy as np

from mj import MjModel
from mj.sysid._src import signal_modifier
from mj.sysid._src.parameter import Parameter, ParameterDict
from mj.sysid._src.timeseries import TimeSeries

_TARGETS = ("predicted", "measured", "both")


class SignalTransform:
    """Changes of predicted and measured signals before they are compared.

    Patterns are those of :mod:`fnmatch`, for example ``*_pos``. Values are those of the parameters of these names in the
    dictionary that ``apply`` gets.

    >>> transform = SignalTransform()
    >>> transform.delay("*_pos", Parameter("delay", 0.01, 0, 0.05))

    Pass it to ``build_residual_fn(..., signal_transform=transform)``, or ``apply`` as ``modify_residual``.

    Args:
        normalize: whether residuals are divided by the size of the measured signals.
    """

    def __init__(self, normalize: bool = True):
        self.normalize = normalize
        self._delays: list[tuple[str, Parameter]] = []
        self._gains: list[tuple[str, str, str]] = []
        self._biases: list[tuple[str, str, str]] = []
        self._enabled_sensors: list[str] | None = None
        self._sensor_weights: Mapping[str, float] | None = None

    def delay(self, pattern: str, param: Parameter) -> None:
        """Delay predicted signals by a parameter, s. Of several patterns that match, the last counts."""
        self._delays.append((pattern, param))

    def gain(self, pattern: str, param: Parameter, target: str = "both") -> None:
        """Multiply signals by a parameter.

        Args:
            pattern: which signals.
            param: the factor.
            target: ``predicted``, ``measured`` or ``both``.
        """
        self._gains.append((pattern, param.name, _checked(target)))

    def bias(self, pattern: str, param: Parameter, target: str = "both") -> None:
        """Add a parameter to signals, after gains.

        Args:
            pattern: which signals.
            param: the summand.
            target: ``predicted``, ``measured`` or ``both``.
        """
        self._biases.append((pattern, param.name, _checked(target)))

    def enable_sensors(self, sensor_names: Sequence[str]) -> None:
        """Compare these sensors only."""
        self._enabled_sensors = list(sensor_names)

    def set_sensor_weights(self, weights: Mapping[str, float]) -> None:
        """Weight the residuals of sensors, by their names."""
        self._sensor_weights = weights

    def _resolve_delays(self, sensor_names: Sequence[str], params: ParameterDict) -> dict[str, float]:
        """Return the delay of each signal that a pattern matches."""
        return {
            name: float(params[param.name].value.flat[0])
            for pattern, param in self._delays
            for name in sensor_names
            if fnmatchcase(name, pattern)
        }

    def _compute_delay_bounds(self) -> tuple[float, float]:
        """Return the least and the greatest delay that the bounds of the parameters allow."""
        if not self._delays:
            return 0.0, 0.0
        lower, upper = zip(*(param.get_bounds() for _, param in self._delays), strict=True)
        return float(np.min(np.concatenate(lower))), float(np.max(np.concatenate(upper)))

    def _matches(
        self, rules: list[tuple[str, str, str]], ts: TimeSeries, target: str, params: ParameterDict
    ) -> Iterator[tuple[str, Parameter]]:
        """Yield each signal with a parameter that is applied to it, in order of the rules."""
        for pattern, key, of in rules:
            if of in (target, "both"):
                for name in ts.signal_mapping or ():
                    if fnmatchcase(name, pattern):
                        yield name, params[key]

    def _apply_gains_biases(self, ts: TimeSeries, target_label: str, params: ParameterDict) -> TimeSeries:
        """Return a series with the gains, then the biases, of ``predicted`` or ``measured`` signals."""
        data = np.array(ts.data, dtype=np.float64)
        for name, param in self._matches(self._gains, ts, target_label, params):
            data[..., ts.get_indices(name)[1]] *= param.value
        for name, param in self._matches(self._biases, ts, target_label, params):
            data[..., ts.get_indices(name)[1]] += param.value
        return TimeSeries(ts.times, data, ts.signal_mapping)

    def _apply_gains_biases_reference(self, ts: TimeSeries, target_label: str, params: ParameterDict) -> TimeSeries:
        """Return it by one copy for each signal: the definition, to which tests compare."""
        for name, param in self._matches(self._gains, ts, target_label, params):
            ts = signal_modifier.apply_gain(ts, name, param)
        for name, param in self._matches(self._biases, ts, target_label, params):
            ts = signal_modifier.apply_bias(ts, name, param)
        return ts

    def apply(
        self,
        params: ParameterDict,
        sensordata_predicted: TimeSeries,
        sensordata_measured: TimeSeries,
        model: MjModel,
        return_pred_all: bool,
        state: np.ndarray | None = None,
        sensor_weights: Mapping[str, float] | None = None,
    ) -> tuple[np.ndarray, TimeSeries, TimeSeries]:
        """Transform signals, and return their residual.

        Measured times are kept as far as the prediction covers them for all delays within bounds.

        Args:
            params: parameters with their present values.
            sensordata_predicted: all sensors as simulated.
            sensordata_measured: all sensors as measured.
            model: the model that was simulated.
            return_pred_all: whether all sensors are returned, not only those that are enabled.
            state: simulated states; not used.
            sensor_weights: weights by names of sensors, in place of those that are set.

        Returns:
            The residual (n, columns), and predicted and measured signals at the measured times.
        """
        predicted, measured = sensordata_predicted, sensordata_measured
        measured = signal_modifier.apply_delayed_ts_window(measured, predicted, *self._compute_delay_bounds())
        delays = self._resolve_delays(list(predicted.signal_mapping or ()), params)
        predicted = signal_modifier.apply_resample_and_delay(predicted, measured.times, 0.0, delays)
        predicted = self._apply_gains_biases(predicted, "predicted", params)
        measured = self._apply_gains_biases(measured, "measured", params)
        weights = sensor_weights or self._sensor_weights
        residual = signal_modifier.weighted_diff(predicted.data, measured.data, model, weights)
        if self.normalize:
            residual = signal_modifier.normalize_residual(residual, measured.data)
        if return_pred_all or self._enabled_sensors is None:
            return residual, predicted, measured
        columns = signal_modifier.get_sensor_indices(model, self._enabled_sensors)
        if predicted.signal_mapping and measured.signal_mapping:
            predicted, measured = (TimeSeries.slice_by_name(ts, self._enabled_sensors) for ts in (predicted, measured))
        else:
            predicted, measured = (TimeSeries(ts.times, ts.data[:, columns]) for ts in (predicted, measured))
        return residual[:, columns], predicted, measured


def _checked(target: str) -> str:
    if target not in _TARGETS:
        raise ValueError(f"target must be one of {', '.join(_TARGETS)}; got {target!r}")
    return target
