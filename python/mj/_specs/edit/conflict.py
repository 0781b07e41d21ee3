"""Options of an attached spec that differ from those of its parent."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _enums
from ..._records import MjOption

_LEAST = "timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance".split()
_GREATEST = "iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints".split()
_FLAGS = "disableflags enableflags disableactuator".split()


def settle(spec: Any, child: Any) -> None:
    """Does with differing options what the spec's `conflict` says; nothing changes if there is an error."""
    policy = spec.compiler.conflict
    conflict = _enums.mjtConflict
    if policy == conflict.mjCONFLICT_WARNING:
        return
    usual = MjOption()
    merged: dict[str, Any] = {}
    for name in MjOption.FIELDS:
        ours, theirs, blank = (np.asarray(o._array(name)) for o in (spec.option, child.option, usual))
        if np.array_equal(ours, theirs) or np.array_equal(theirs, blank):
            continue
        if policy == conflict.mjCONFLICT_MERGE:
            if np.array_equal(ours, blank):
                merged[name] = theirs
                continue
            if name in _LEAST:
                merged[name] = np.minimum(ours, theirs)
                continue
            if name in _GREATEST:
                merged[name] = np.maximum(ours, theirs)
                continue
            if name in _FLAGS:
                merged[name] = ours | theirs
                continue
        elif np.array_equal(ours, blank):
            continue
        raise ValueError(f"Error: option {name!r} of the attached spec is {theirs}, and {ours} in its parent")
    for name, value in merged.items():
        spec.option._array(name)[...] = value
