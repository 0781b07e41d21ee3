"""Measured sequences with the specification to identify, and rollouts of many models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from mj import MjData, MjModel, MjSpec
from mj import rollout as _rollout
from mj.sysid._src import _signals
from mj.sysid._src._system import SystemTrajectory, create_initial_state
from mj.sysid._src.timeseries import SignalMappingType, TimeSeries

__all__ = [
    "ModelSequences",
    "SystemTrajectory",
    "arrays2traj",
    "create_initial_state",
    "sequence2array",
    "sysid_rollout",
    "timeseries2array",
]

_T = TypeVar("_T")


def _listed(value: _T | Sequence[_T], kind: type[_T]) -> list[_T]:
    return [value] if isinstance(value, kind) else list(value)  # type: ignore[arg-type]


class ModelSequences:
    """A specification with the sequences that were measured on the system.

    Args:
        name: name of the model, and of the file that results are saved to.
        spec: the specification, which parameters change.
        sequence_name: name of each sequence, or of the one.
        initial_state: full state (nstate) at the start of each sequence.
        control: controls (n, nu) of each sequence.
        sensordata: sensors (m, nsensordata) of each sequence.
        allow_missing_sensors: whether measured sensors may be fewer than those of the model.

    Raises:
        ValueError: if there are not as many of each, or their sizes are not those of the model.

    Attributes:
        gt_model: the model of the specification as it was given.
        measured_rollout: the sequences as trajectories.
    """

    def __init__(
        self,
        name: str,
        spec: MjSpec,
        sequence_name: str | Sequence[str],
        initial_state: np.ndarray | Sequence[np.ndarray],
        control: TimeSeries | Sequence[TimeSeries],
        sensordata: TimeSeries | Sequence[TimeSeries],
        allow_missing_sensors: bool = False,
    ):
        self.name = name
        self.spec = spec
        self.allow_missing_sensors = allow_missing_sensors
        self.gt_model = spec.compile()
        self.sequence_name: list[str] = _listed(sequence_name, str)
        self.initial_state: list[np.ndarray] = _listed(initial_state, np.ndarray)
        self.control: list[TimeSeries] = _listed(control, TimeSeries)
        self.sensordata: list[TimeSeries] = _listed(sensordata, TimeSeries)
        counts = {key: len(getattr(self, key)) for key in ("sequence_name", "initial_state", "control", "sensordata")}
        if len(set(counts.values())) > 1:
            raise ValueError(f"sequences of model `{name}`: numbers differ: {counts}")
        self.measured_rollout = [
            SystemTrajectory(self.gt_model, controls, sensors, state, None)
            for state, controls, sensors in zip(self.initial_state, self.control, self.sensordata, strict=True)
        ]
        for trajectory in self.measured_rollout:
            trajectory.check_compatible(allow_missing_sensors)

    def __getitem__(self, key: int | slice) -> ModelSequences:
        """Return one or some of the sequences."""
        return ModelSequences(
            self.name,
            self.spec,
            self.sequence_name[key],
            self.initial_state[key],
            self.control[key],
            self.sensordata[key],
            self.allow_missing_sensors,
        )


def timeseries2array(control_signal: TimeSeries | Sequence[TimeSeries]) -> tuple[np.ndarray, np.ndarray]:
    """Return controls (nbatch, n - 1, nu) and their times (nbatch, n - 1), without the first axis for one series.

    The last sample is left out: the state that it leads to was not measured.
    """
    if isinstance(control_signal, TimeSeries):
        return control_signal.data[:-1], control_signal.times[:-1]
    pairs = [timeseries2array(ts) for ts in control_signal]
    lengths = {len(times) + 1 for _, times in pairs}
    if len(lengths) > 1:
        raise ValueError(f"controls have {sorted(lengths)} samples; rollouts in one call need equal numbers")
    return np.stack([data for data, _ in pairs]), np.stack([times for _, times in pairs])


def sequence2array(initial_states: np.ndarray | Sequence[np.ndarray]) -> np.ndarray:
    """Return states as one array."""
    return initial_states if isinstance(initial_states, np.ndarray) else np.stack(list(initial_states))


def arrays2traj(
    models: MjModel | Sequence[MjModel],
    initial_states: np.ndarray | Sequence[np.ndarray],
    control: np.ndarray,
    control_times: np.ndarray,
    state: np.ndarray,
    sensordata: np.ndarray,
    signal_mapping: SignalMappingType,
    state_mapping: SignalMappingType,
    ctrl_mapping: SignalMappingType,
) -> list[SystemTrajectory]:
    """Return the trajectories of a rollout.

    Args:
        models: model, or one for each trajectory.
        initial_states: states (nstate) or (nbatch, nstate).
        control: controls (n, nu) or (nbatch, n, nu).
        control_times: times of controls (n) or (nbatch, n), s.
        state: states (nbatch, n, nstate), their first column being the time.
        sensordata: sensors (nbatch, n, nsensordata), at the times of the states.
        signal_mapping: columns of sensors.
        state_mapping: columns of states, without the time.
        ctrl_mapping: columns of controls.
    """
    nbatch = len(state)
    each_model = [models] * nbatch if isinstance(models, MjModel) else list(models)
    if len(each_model) == 1:
        each_model *= nbatch

    def each(array: np.ndarray, axes: int) -> np.ndarray:
        array = array if array.ndim > axes else array[np.newaxis]
        return np.broadcast_to(array, (nbatch, *array.shape[1:]))

    state, sensordata = np.array(state), np.array(sensordata)
    for model, rows, readings in zip(each_model, state, sensordata, strict=True):
        _mark_end(rows, readings, model.opt.timestep)
    starts = each(sequence2array(initial_states), 1)
    controls, control_at = each(control, 2), each(control_times, 1)
    return [
        SystemTrajectory(
            model=each_model[i],
            control=TimeSeries(control_at[i], controls[i], ctrl_mapping),
            sensordata=TimeSeries(state[i, :, 0], sensordata[i], signal_mapping),
            initial_state=starts[i],
            state=TimeSeries(state[i, :, 0], state[i], state_mapping),
        )
        for i in range(nbatch)
    ]


def _mark_end(state: np.ndarray, sensordata: np.ndarray, timestep: float) -> None:
    """Set the rows after the end of a simulation that diverged to NaN, with times that go on."""
    times = state[:, 0].copy()
    ends = np.flatnonzero(~(np.diff(times) > 0))
    if ends.size:
        after = ends[0] + 1
        times[after:] = timestep
        times[after - 1 :] = np.add.accumulate(times[after - 1 :])
        state[after:] = sensordata[after:] = np.nan
        state[:, 0] = times


def sysid_rollout(
    models: MjModel | Sequence[MjModel],
    datas: MjData | Sequence[MjData],
    control_signal: TimeSeries | Sequence[TimeSeries],
    initial_states: np.ndarray | Sequence[np.ndarray],
    rollout_signal_mapping: SignalMappingType | None = None,
    rollout_state_mapping: SignalMappingType | None = None,
    ctrl_mapping: SignalMappingType | None = None,
) -> Sequence[SystemTrajectory]:
    """Simulate models with given controls, in parallel.

    Args:
        models: model, or one for each trajectory.
        datas: data, one for each thread.
        control_signal: controls (n, nu), one sample for each step and one more, or those of each trajectory.
        initial_states: states (nstate) or (nbatch, nstate).
        rollout_signal_mapping: columns of sensors; by default they are looked up, as all three.
        rollout_state_mapping: columns of states, without the time.
        ctrl_mapping: columns of controls.

    Returns:
        The trajectories, of ``n - 1`` steps each; NaN after the end of a simulation that diverges.
    """
    if not rollout_signal_mapping or not rollout_state_mapping or not ctrl_mapping:
        model = models if isinstance(models, MjModel) else models[0]
        qpos, qvel, act = _signals.all_states(model)
        rollout_state_mapping = rollout_state_mapping or qpos | qvel | act
        rollout_signal_mapping = rollout_signal_mapping or _signals.all_sensors(model)
        ctrl_mapping = ctrl_mapping or _signals.all_controls(model)
    control, times = timeseries2array(control_signal)
    starts = sequence2array(initial_states)
    state, sensordata = _rollout.rollout(models, datas, starts, control)
    assert state is not None and sensordata is not None
    return arrays2traj(
        models,
        starts,
        control,
        times,
        state,
        sensordata,
        rollout_signal_mapping,
        rollout_state_mapping,
        ctrl_mapping,
    )
