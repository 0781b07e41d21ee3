"""Gains of position servos, and access to elements of specifications by name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mj import MjModel, MjSpec, mj_name2id, mjtBias, mjtDyn, mjtGain, mjtObj


def find(spec: MjSpec, kind: str, name: str) -> Any:
    element = getattr(spec, kind)(name)
    if element is None:
        raise ValueError(f"the specification has no {kind} `{name}`")
    return element


def is_position_actuator(actuator: Any) -> bool:
    """Return whether an actuator of a model or of a specification is a position servo."""
    return bool(
        actuator.gaintype == mjtGain.mjGAIN_FIXED
        and actuator.biastype == mjtBias.mjBIAS_AFFINE
        and actuator.dyntype in (mjtDyn.mjDYN_NONE, mjtDyn.mjDYN_FILTEREXACT)
        and actuator.gainprm[0] == -actuator.biasprm[1]
    )


def get_actuator_pd_gains(model: MjModel, actuator_name: str) -> tuple[float, float]:
    """Return the gains of position and of velocity of a position servo."""
    if mj_name2id(model, mjtObj.mjOBJ_ACTUATOR, actuator_name) < 0:
        raise ValueError(f"the model has no actuator `{actuator_name}`")
    actuator = model.actuator(actuator_name)
    _require_position(actuator, actuator_name)
    return -float(actuator.biasprm[1]), -float(actuator.biasprm[2])


def _require_position(actuator: Any, name: str) -> None:
    if not is_position_actuator(actuator):
        raise ValueError(f"actuator `{name}` is not a position servo")


def _set_gains(spec: MjSpec, name: str, p: ArrayLike | None, d: ArrayLike | None) -> MjSpec:
    actuator = find(spec, "actuator", name)
    _require_position(actuator, name)
    if p is not None:
        gain = number(p, f"gain of actuator `{name}`")
        actuator.gainprm[0], actuator.biasprm[1] = gain, -gain
    if d is not None:
        actuator.biasprm[2] = -number(d, f"gain of actuator `{name}`")
    return spec


def number(value: ArrayLike, of: str) -> float:
    array = np.asarray(value, dtype=np.float64)
    if array.size != 1:
        raise ValueError(f"{of} has shape {array.shape}; expected a number")
    return float(array.item())


def apply_pgain(spec: MjSpec, actuator_name: str, value: ArrayLike) -> MjSpec:
    """Set the gain of position of a position servo, and return the specification."""
    return _set_gains(spec, actuator_name, value, None)


def apply_dgain(spec: MjSpec, actuator_name: str, value: ArrayLike) -> MjSpec:
    """Set the gain of velocity of a position servo, and return the specification."""
    return _set_gains(spec, actuator_name, None, value)


def apply_pdgain(spec: MjSpec, actuator_name: str, value: ArrayLike) -> MjSpec:
    """Set the gains of position and of velocity (2) of a position servo, and return the specification."""
    gains = np.ravel(value)
    if gains.size != 2:
        raise ValueError(f"gains of actuator `{actuator_name}` have shape {np.shape(value)}; expected (2,)")
    return _set_gains(spec, actuator_name, gains[0], gains[1])
