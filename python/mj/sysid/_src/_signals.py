"""Signals of a model, and the columns of arrays that hold them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from enum import Enum
from typing import TypeAlias

import numpy as np

from mj import MjModel, mj_id2name, mj_name2id, mjtJoint, mjtObj


class SignalType(Enum):
    """Where the values of a signal come from."""

    MjSensor = 0
    CustomObs = 1
    MjStateQPos = 2
    MjStateQVel = 3
    MjStateAct = 4
    MjCtrl = 5


SignalMappingType: TypeAlias = dict[str, tuple[SignalType, np.ndarray]]

# A signal to look up: its name, with its type where several have that name.
SignalName: TypeAlias = str | tuple[str, SignalType]

# Ends of names of signals of state and control, after the name of the joint, body or actuator.
_SUFFIX = {
    SignalType.MjStateQPos: "_qpos",
    SignalType.MjStateQVel: "_qvel",
    SignalType.MjStateAct: "_act",
    SignalType.MjCtrl: "_ctrl",
}

# Numbers of coordinates and of velocities of joints that have several.
_WIDTHS = {mjtJoint.mjJNT_FREE: (7, 6), mjtJoint.mjJNT_BALL: (4, 3)}


def encode_signal_mapping(signal_mapping: SignalMappingType) -> str:
    """Return a mapping as JSON: for each name the value of its type and a list of its columns."""
    return json.dumps(
        {name: [kind.value, np.asarray(columns, dtype=int).tolist()] for name, (kind, columns) in signal_mapping.items()}
    )


def decode_signal_mapping(encoded: str) -> SignalMappingType:
    """Return the mapping that ``encode_signal_mapping`` wrote."""
    return {
        name: (SignalType(kind), np.asarray(columns, dtype=int)) for name, (kind, columns) in json.loads(encoded).items()
    }


def equal_mappings(a: SignalMappingType | None, b: SignalMappingType | None) -> bool:
    """Return whether two mappings have equal signals in equal columns."""
    if a is None or b is None:
        return a is b
    return a.keys() == b.keys() and all(a[k][0] == b[k][0] and np.array_equal(a[k][1], b[k][1]) for k in a)


def _name(model: MjModel, kind: mjtObj, index: int) -> str:
    """Return the name of an element, or one made of its kind and index if it has none."""
    return mj_id2name(model, kind, int(index)) or f"{kind.name.removeprefix('mjOBJ_').lower()}_{index}"


def _joint_signal(model: MjModel, joint: int) -> str:
    """Return the first part of names of signals of a joint: for a free joint, the name of its body."""
    if model.jnt_type[joint] == mjtJoint.mjJNT_FREE:
        return _name(model, mjtObj.mjOBJ_BODY, model.jnt_bodyid[joint])
    return _name(model, mjtObj.mjOBJ_JOINT, joint)


def all_sensors(model: MjModel) -> SignalMappingType:
    """Return the mapping of ``sensordata``."""
    mapping = {}
    for sensor in range(model.nsensor):
        start = model.sensor_adr[sensor]
        columns = np.arange(start, start + model.sensor_dim[sensor])
        mapping[_name(model, mjtObj.mjOBJ_SENSOR, sensor)] = (SignalType.MjSensor, columns)
    return mapping


def all_controls(model: MjModel) -> SignalMappingType:
    """Return the mapping of ``ctrl``."""
    names = (_name(model, mjtObj.mjOBJ_ACTUATOR, i) for i in range(model.nu))
    return {f"{name}_ctrl": (SignalType.MjCtrl, np.array([i])) for i, name in enumerate(names)}


def all_states(model: MjModel) -> tuple[SignalMappingType, SignalMappingType, SignalMappingType]:
    """Return the mappings of coordinates, velocities and activations in ``[qpos, qvel, act]``.

    A free joint has the name of its body.
    """
    qpos: SignalMappingType = {}
    qvel: SignalMappingType = {}
    act: SignalMappingType = {}
    # Bodies that move freely come first.
    free = model.jnt_type == mjtJoint.mjJNT_FREE
    for joint in [*np.flatnonzero(free), *np.flatnonzero(~free)]:
        kind = mjtJoint(int(model.jnt_type[joint]))
        nq, nv = _WIDTHS.get(kind, (1, 1))
        name = _joint_signal(model, joint)
        start, dof = model.jnt_qposadr[joint], model.nq + model.jnt_dofadr[joint]
        qpos[f"{name}_qpos"] = (SignalType.MjStateQPos, np.arange(start, start + nq))
        qvel[f"{name}_qvel"] = (SignalType.MjStateQVel, np.arange(dof, dof + nv))
    for actuator in range(model.nu):
        if model.actuator_actadr[actuator] >= 0:
            start = model.nq + model.nv + model.actuator_actadr[actuator]
            columns = np.arange(start, start + model.actuator_actnum[actuator])
            act[f"{_name(model, mjtObj.mjOBJ_ACTUATOR, actuator)}_act"] = (SignalType.MjStateAct, columns)
    return qpos, qvel, act


def _sensor(model: MjModel, name: str) -> tuple[str, int]:
    sensor = mj_name2id(model, mjtObj.mjOBJ_SENSOR, name)
    return name, int(model.sensor_dim[sensor]) if sensor >= 0 else 0


def _ctrl(model: MjModel, name: str) -> tuple[str, int]:
    return name, int(mj_name2id(model, mjtObj.mjOBJ_ACTUATOR, name) >= 0)


def _act(model: MjModel, name: str) -> tuple[str, int]:
    actuator = mj_name2id(model, mjtObj.mjOBJ_ACTUATOR, name)
    return name, int(model.actuator_actnum[actuator]) if actuator >= 0 else 0


def _joint(model: MjModel, name: str, which: int) -> tuple[str, int]:
    """Look up a joint, or a body that moves freely, and return its number of coordinates (0) or velocities (1)."""
    joint = mj_name2id(model, mjtObj.mjOBJ_JOINT, name)
    if joint < 0:
        body = mj_name2id(model, mjtObj.mjOBJ_BODY, name)
        first = model.body_jntadr[body] if body >= 0 else -1
        if first < 0 or model.jnt_type[first] != mjtJoint.mjJNT_FREE:
            return name, 0
        joint = first
    return _joint_signal(model, joint), _WIDTHS.get(mjtJoint(int(model.jnt_type[joint])), (1, 1))[which]


# How signals are looked up, in the order in which this is tried for a name without a type. Each returns the first part
# of the name of the signal, and the number of its columns: 0 if there is none.
_LOOKUP: dict[SignalType, Callable[[MjModel, str], tuple[str, int]]] = {
    SignalType.MjSensor: _sensor,
    SignalType.MjCtrl: _ctrl,
    SignalType.MjStateQPos: lambda model, name: _joint(model, name, 0),
    SignalType.MjStateQVel: lambda model, name: _joint(model, name, 1),
    SignalType.MjStateAct: _act,
}


def _find(
    model: MjModel, name: str, hint: SignalType | None, allowed: Collection[SignalType]
) -> tuple[str, SignalType, int]:
    kinds = [kind.name for kind in _LOOKUP if kind in allowed]
    if hint is not None and hint not in allowed:
        raise ValueError(f"Signal '{name}' has type {hint.name}, which is not allowed; expected one of {kinds}")
    for kind, look_up in _LOOKUP.items():
        if kind in allowed and hint in (None, kind):
            suffix = _SUFFIX.get(kind, "")
            base, width = look_up(model, name.removesuffix(suffix))
            if width > 0:
                return base + suffix, kind, width
    raise ValueError(f"Could not resolve signal '{name}': the model has none of that name of the types {kinds}")


def resolve(model: MjModel, names: Sequence[SignalName], allowed: Collection[SignalType]) -> SignalMappingType:
    """Return the mapping of an array whose columns hold signals of a model in the given order.

    Raises:
        ValueError: if the model has no signal of that name, or one of another type than ``allowed``.
    """
    mapping: SignalMappingType = {}
    start = 0
    for item in names:
        name, hint = (item, None) if isinstance(item, str) else item
        name, kind, width = _find(model, name, hint, allowed)
        mapping[name] = (kind, np.arange(start, start + width))
        start += width
    return mapping


def width(mapping: SignalMappingType) -> int:
    """Return the number of columns that a mapping needs."""
    return max((int(np.max(columns)) + 1 for _, columns in mapping.values() if np.size(columns)), default=0)
