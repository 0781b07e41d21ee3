"""Differences of measured and simulated signals, as functions of parameters."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from mj import MjData, MjModel, MjSpec
from mj.sysid._src import _signals, model_modifier, signal_modifier
from mj.sysid._src._interpolation import count_steps
from mj.sysid._src.parameter import ParameterDict
from mj.sysid._src.signal_transform import SignalTransform
from mj.sysid._src.timeseries import SignalType, TimeSeries
from mj.sysid._src.trajectory import ModelSequences, SystemTrajectory, sysid_rollout

# Compiles a specification with parameters.
BuildModelFn: TypeAlias = Callable[[ParameterDict, MjSpec], MjModel]

# Simulates in place of `sysid_rollout`, with its arguments and `param_dicts`, all by name.
CustomRolloutFn: TypeAlias = Callable[..., Sequence[SystemTrajectory]]

# Returns a residual (n, columns) and the predicted and measured signals that it compares. Called as
# modify_residual(params, predicted, measured, model, return_pred_all, state=states), with sensor_weights if there are any.
ModifyResidualFn: TypeAlias = Callable[..., tuple[np.ndarray, TimeSeries, TimeSeries]]

# Lists with an entry for each sequence: residuals, predicted signals, measured signals.
Residuals: TypeAlias = tuple[list[np.ndarray], list[list[TimeSeries]], list[list[TimeSeries]]]

_NUM_CPUS = os.cpu_count() or 1


def construct_ts_from_defaults(
    state_ts: TimeSeries,
    pred_sensordata: TimeSeries,
    measured_sensordata: TimeSeries,
    enabled_observations: Sequence[tuple[str, SignalType]] | None = None,
) -> tuple[TimeSeries, TimeSeries]:
    """Return measured signals, and the predicted ones in these columns.

    Args:
        state_ts: simulated states, without the time.
        pred_sensordata: simulated sensors.
        measured_sensordata: measured sensors and states, with names.
        enabled_observations: names and types of the signals to return; by default all that were measured.

    Raises:
        ValueError: if signals have no names, a signal was not measured, has another type, or is not one of a model.
    """
    known = measured_sensordata.signal_mapping
    if known is None:
        raise ValueError("measured signals have no names; make them by TimeSeries.from_names")
    wanted = dict(enabled_observations) if enabled_observations else {name: kind for name, (kind, _) in known.items()}
    for name, kind in wanted.items():
        if name not in known:
            raise ValueError(f"signal `{name}` was not measured; there are {list(known)}")
        if known[name][0] != kind:
            raise ValueError(f"signal `{name}` was measured as {known[name][0].name}, not as {kind.name}")
    measured = TimeSeries.slice_by_name(measured_sensordata, list(wanted))
    columns = measured.signal_mapping or {}
    predicted = np.zeros((len(pred_sensordata), *measured.data.shape[1:]))
    for name, kind in wanted.items():
        if kind is SignalType.MjSensor:
            source = pred_sensordata
            # Columns without names are those of the model.
            place = known[name][1] if source.signal_mapping is None else source.get_indices(name)[1]
        elif kind in (SignalType.MjStateQPos, SignalType.MjStateQVel, SignalType.MjStateAct):
            source = state_ts
            place = source.get_indices(name)[1]
        else:
            raise ValueError(f"signal `{name}` of type {kind.name} is not one that is simulated: pass modify_residual")
        predicted[..., columns[name][1]] = source.data[..., place]
    return measured, TimeSeries(pred_sensordata.times, predicted, columns)


def _default_residual(
    states: TimeSeries,
    predicted: TimeSeries,
    measured: TimeSeries,
    model: MjModel,
    resample_true: bool,
    sensor_weights: Mapping[str, float] | None,
    enabled_observations: Sequence[tuple[str, SignalType]],
) -> tuple[np.ndarray, TimeSeries, TimeSeries]:
    """Return the residual of signals at measured times, each column divided by its size."""
    measured, predicted = construct_ts_from_defaults(states, predicted, measured, enabled_observations)
    if resample_true:
        measured = signal_modifier.apply_delayed_ts_window(measured, predicted, 0.0, 0.0)
        predicted = predicted.resample(measured.times)
    else:
        # Simulated signals begin after the first step; the first measured ones are those of the initial state.
        if len(measured) != len(predicted) + 1:
            raise ValueError(
                f"without resampling, sensors need one sample for each control: {len(predicted) + 1}; got {len(measured)}"
            )
        measured = TimeSeries(measured.times[1:], measured.data[1:], measured.signal_mapping)
    difference = signal_modifier.weighted_diff(predicted.data, measured.data)
    for name, weight in (sensor_weights or {}).items():
        signal_modifier.get_sensor_indices(model, name)  # raises if there is none
        if name in (measured.signal_mapping or {}):
            difference[:, measured.get_indices(name)[1]] *= weight
    return signal_modifier.normalize_residual(difference, measured.data), predicted, measured


def _at_steps(control: TimeSeries, timestep: float) -> TimeSeries:
    """Return controls at the times of the steps of a simulation that begins with the first."""
    start = control.times[0]
    return control.resample(start + timestep * np.arange(count_steps(start, control.times[-1], timestep) + 1))


def model_residual(
    x: np.ndarray,
    params: ParameterDict,
    build_model: Callable[[ParameterDict], MjModel],
    traj_measured: SystemTrajectory | Sequence[SystemTrajectory],
    modify_residual: ModifyResidualFn | None = None,
    custom_rollout: CustomRolloutFn | None = None,
    n_threads: int = _NUM_CPUS,
    return_pred_all: bool = False,
    resample_true: bool = True,
    sensor_weights: Mapping[str, float] | None = None,
    enabled_observations: Sequence[tuple[str, SignalType]] = (),
) -> tuple[np.ndarray, list[TimeSeries], list[TimeSeries]]:
    """Return the residual of one model, for one or several vectors of parameters.

    All simulations run in one parallel rollout.

    Args:
        x: vector (nx), or several (nx, m).
        params: parameters; they are left with values of ``x``.
        build_model: returns the model with the values of parameters.
        traj_measured: measured trajectory, or several of equal length.
        modify_residual: compares signals, in place of a comparison at the measured times.
        custom_rollout: simulates, in place of :func:`sysid_rollout`.
        n_threads: number of threads.
        return_pred_all: passed to ``modify_residual``.
        resample_true: whether controls are interpolated to the steps of the model, and simulated signals to the measured
            times; otherwise samples are taken as steps.
        sensor_weights: weights of residuals by names of sensors.
        enabled_observations: names and types of the signals to compare; by default all that were measured.

    Returns:
        The residual (nr) or (nr, m), and predicted and measured signals of each simulation.
    """
    measured = [traj_measured] if isinstance(traj_measured, SystemTrajectory) else list(traj_measured)
    points = x.reshape(-1, 1) if x.ndim == 1 else x
    count = points.shape[1]

    def at(i: int) -> ParameterDict:
        params.update_from_vector(points[:, i])
        return params

    models = [build_model(at(i)) for i in range(count)]
    controls = [trajectory.control for trajectory in measured]
    if resample_true:
        controls = [_at_steps(control, models[0].opt.timestep) for control in controls]
    qpos, qvel, act = _signals.all_states(models[0])
    arguments: dict[str, Any] = {
        "models": [model for model in models for _ in measured],
        "datas": [MjData(models[0]) for _ in range(max(1, min(n_threads, count * len(measured))))],
        "control_signal": controls * count,
        "initial_states": [trajectory.initial_state for trajectory in measured] * count,
        "rollout_signal_mapping": _signals.all_sensors(models[0]),
        "rollout_state_mapping": qpos | qvel | act,
        "ctrl_mapping": _signals.all_controls(models[0]),
    }
    if custom_rollout is None:
        simulated = sysid_rollout(**arguments)
    else:
        simulated = custom_rollout(**arguments, param_dicts=[at(i).copy() for i in range(count)])

    residuals, predictions, records = [], [], []
    for k, model in enumerate(arguments["models"]):
        states, sensors, true = simulated[k].state, simulated[k].sensordata, measured[k % len(measured)].sensordata
        if states is None:
            raise ValueError("custom_rollout returned a trajectory without states")
        if modify_residual is not None:
            weights = {} if sensor_weights is None else {"sensor_weights": sensor_weights}
            out = modify_residual(
                at(k // len(measured)), sensors, true, model, return_pred_all, state=states.data, **weights
            )
        else:
            # The first column is the time.
            values = TimeSeries(states.times, states.data[:, 1:], arguments["rollout_state_mapping"])
            out = _default_residual(values, sensors, true, model, resample_true, sensor_weights, enabled_observations)
        residual_k, predicted, record = out
        if not _signals.equal_mappings(predicted.signal_mapping, record.signal_mapping):
            names = [None if ts.signal_mapping is None else list(ts.signal_mapping) for ts in (predicted, record)]
            raise ValueError(f"predicted signals {names[0]} are in other columns than the measured ones {names[1]}")
        residuals.append(residual_k)
        predictions.append(predicted)
        records.append(record)
    stacked = np.stack(residuals)
    return stacked.ravel() if x.ndim == 1 else stacked.reshape(count, -1).T, predictions, records


def residual(
    x: np.ndarray,
    params: ParameterDict,
    models_sequences: Sequence[ModelSequences],
    build_model: BuildModelFn = model_modifier.apply_param_modifiers,
    modify_residual: ModifyResidualFn | None = None,
    custom_rollout: CustomRolloutFn | None = None,
    n_threads: int = _NUM_CPUS,
    return_pred_all: bool = False,
    resample_true: bool = True,
    sensor_weights: Mapping[str, float] | None = None,
    enabled_observations: Sequence[tuple[str, SignalType]] = (),
) -> Residuals:
    """Return the residuals of all sequences of all models, as :func:`model_residual` does for one model.

    Args:
        x: vector (nx), or several (nx, m).
        params: parameters; they are left with values of ``x``.
        models_sequences: models with their measured sequences.
        build_model: compiles a specification with the values of parameters.
        modify_residual: compares signals.
        custom_rollout: simulates.
        n_threads: number of threads.
        return_pred_all: passed to ``modify_residual``.
        resample_true: whether controls and signals are interpolated.
        sensor_weights: weights of residuals by names of sensors.
        enabled_observations: names and types of the signals to compare.

    Returns:
        Residuals, predicted signals and measured signals: lists with an entry for each sequence.
    """
    results = [
        model_residual(
            x,
            params,
            lambda values, spec=sequences.spec: build_model(values, spec),  # type: ignore[misc]
            trajectory,
            modify_residual,
            custom_rollout,
            n_threads,
            return_pred_all,
            resample_true,
            sensor_weights,
            enabled_observations,
        )
        for sequences in models_sequences
        for trajectory in sequences.measured_rollout
    ]
    return [r for r, _, _ in results], [p for _, p, _ in results], [m for _, _, m in results]


def build_residual_fn(
    *, signal_transform: SignalTransform | None = None, **captured_kwargs: Any
) -> Callable[..., Residuals]:
    """Return the function ``f(x, params, **kwargs)`` that is :func:`residual` with given arguments.

    Args:
        signal_transform: compares signals; its method ``apply`` is taken as ``modify_residual``.
        **captured_kwargs: arguments of :func:`residual`.
    """
    if signal_transform is not None:
        if captured_kwargs.get("modify_residual") is not None:
            raise ValueError("signal_transform and modify_residual are given; expected one of them")
        captured_kwargs["modify_residual"] = signal_transform.apply

    def built_residual_fn(x: np.ndarray, params: ParameterDict, **kwargs: Any) -> Residuals:
        return residual(x, params, **(captured_kwargs | kwargs))

    return built_residual_fn
