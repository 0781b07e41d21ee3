"""Fields of batches: which there are, and errors about those that are not."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np

from .. import _absent, _core
from .._enums import mjtState
from .._structs import _EMPTY

# Fields of the state, by component.
STATE_FIELDS = {
    name.lower(): getattr(mjtState, f"mjSTATE_{name}")
    for name in "TIME QPOS QVEL ACT HISTORY CTRL QFRC_APPLIED XFRC_APPLIED EQ_ACTIVE MOCAP_POS MOCAP_QUAT USERDATA PLASTIC".split()
} | {"qacc_warmstart": mjtState.mjSTATE_WARMSTART, "plugin_state": mjtState.mjSTATE_PLUGIN}

_COUNTS = "ncon nefc ne nf nl nJ nA nisland nidof".split()
# Counts that say how much memory is used: none is set aside.
_MEMORY = "pstack pbase parena maxuse_stack maxuse_arena maxuse_con maxuse_efc nY".split()


def _data_fields() -> frozenset[str]:
    absent = [name for names in _absent.DATA.values() for name in names.split() if not name.startswith("efm_")]
    return frozenset([*STATE_FIELDS, *(n for n, _ in _core._data_fields() if "." not in n), *_COUNTS, *absent])


def _model_fields() -> frozenset[str]:
    names = [name for name, shape in _EMPTY._fields() if shape or name.startswith("opt.")] + ["bvh_aabb"]
    probe = _core.Batch(_EMPTY, 1, 1)
    return frozenset(name for name in names if probe.expand(name) is not None)


# Fields of MjData that `bind` takes, and of MjModel that `expand` takes.
DATA_FIELDS = _data_fields()
MODEL_FIELDS = _model_fields()


def template(data: Any, name: str) -> np.ndarray | None:
    """Returns a field of MjData as an array; None if it is none."""
    value = getattr(data, name, None)
    if isinstance(value, np.ndarray):
        return value
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return np.zeros((), np.int32) if is_count else None


def is_structural(field: str, part: np.ndarray) -> bool:
    """Returns whether a field of the model holds addresses, counts, numbers of elements or types."""
    named = field.endswith(("adr", "num", "id", "type")) and not field.endswith("contype")
    return named and part.dtype.kind in "iu"


def near(name: str, names: Any) -> str:
    """Returns a hint with names that are nearly this one."""
    found = difflib.get_close_matches(name, list(names), 3)
    return f" (did you mean {', '.join(map(repr, found))}?)" if found else ""


def attribute_hint(name: str) -> str:
    """Returns a hint for an attribute that a batch does not have."""
    if name.startswith("__"):
        return ""
    if name in MODEL_FIELDS:
        return f"; {name} is an MjModel field: use expand({name!r})"
    return _option_hint(name) or near(name, DATA_FIELDS)


def _option_hint(name: str) -> str:
    return f"; {name} is an MjOption field: use expand('opt.{name}')" if f"opt.{name}" in MODEL_FIELDS else ""


def not_bindable(data: Any, name: str) -> ValueError:
    """Makes the error for a name that is no field of data in a batch."""
    if name in MODEL_FIELDS:
        return ValueError(f"{name} is an MjModel field: use expand({name!r})")
    of_one = template(data, name)
    if name in _MEMORY or (of_one is not None and not of_one.shape):
        return ValueError(f"{name} is not one of the MjData scalars bind() accepts: {', '.join(sorted(_COUNTS))}")
    if of_one is not None:
        return ValueError(f"{name} is in the arena: its size changes from step to step, and it cannot be bound")
    return ValueError(f"{name} is not an MjData array field{_option_hint(name) or near(name, DATA_FIELDS)}")


def not_expandable(model: Any, name: str) -> ValueError:
    """Makes the error for a name of which simulations can't have values of their own."""
    if name in DATA_FIELDS:
        return ValueError(f"{name} is an MjData field: use bind({name!r})")
    if isinstance(getattr(model, name, None), np.ndarray):
        return ValueError(f"{name} is asset data or derived from structure: all simulations share it")
    return ValueError(f"{name} is not an expandable MjModel field{_option_hint(name) or near(name, MODEL_FIELDS)}")


def output_error(name: str) -> ValueError:
    """Makes the error for writing a result."""
    return ValueError(f"{name} is computed by every call and cannot be written; write fields of the state or of the model")
