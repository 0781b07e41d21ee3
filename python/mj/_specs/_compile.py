"""Compiling specs."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .. import _enums, _log
from .._errors import LoadError
from . import _checks
from ._assemble import build
from ._files import _vfs, gathered
from ._tree import HELD
from .edit import keys


def compile(spec: Any, vfs: Any = None) -> Any:  # noqa: A001
    """Compiles a spec."""
    from .._structs import MjModel

    files = _vfs(vfs)
    if spec._attached:
        raise ValueError("Error: cannot compile child spec if attached by reference to a parent spec")
    if vfs is not None and spec._assets:
        raise ValueError("files come from `vfs` or from the assets of the spec, not from both")
    _checks.check(spec)
    core, owners = build(spec)
    places = [_places(s) for s in owners]
    pixels = [
        (row, t.data)
        for row, t in enumerate(spec._lists["texture"])
        if t.data and t.builtin == _enums.mjtBuiltin.mjBUILTIN_NONE and not t.file
    ]
    try:
        with _log.compiling():
            made, told, times = core._compile(gathered(files, spec._assets), places, pixels)
    except LoadError as error:
        raise LoadError(_checks.told(str(error)), error.diagnostics) from None
    except ValueError as error:
        raise ValueError(_checks.told(str(error))) from None
    model = MjModel(made)
    timer = _enums.mjtCTimer
    spec._timer = np.zeros(int(timer.mjNCTIMER))
    read, textures, meshes, whole = times
    spec._timer[timer.mjCTIMER_TOTAL], spec._timer[timer.mjCTIMER_ASSETS] = whole, read + textures + meshes
    spec._timer[timer.mjCTIMER_TEXTURE], spec._timer[timer.mjCTIMER_MESH_LOAD] = textures, meshes
    _number(spec, model)
    keys.settle(spec, model)
    spec._signature = model.signature
    for text in [*spec._warnings, *told]:
        warnings.warn(text, UserWarning, stacklevel=3)
    return model


def _places(spec: Any) -> tuple[str, str, str, bool]:
    compiler = spec._compiler
    return spec.modelfiledir, compiler.meshdir, compiler.texturedir, spec.strippath


def _number(spec: Any, model: Any) -> None:
    """Notes the numbers of elements in the compiled model."""
    counts = {"body": model.nbody, "joint": model.njnt, "geom": model.ngeom, "site": model.nsite}
    counts |= {"camera": model.ncam, "light": model.nlight, "frame": -1, "pair": model.npair, "exclude": model.nexclude}
    codes = {k: getattr(_enums.mjtObj, "mjOBJ_" + k.upper(), None) for k in counts}
    for kind in (*HELD, "pair", "exclude"):
        elements = spec._all(kind)
        by_name = kind in ("pair", "exclude") or counts[kind] != len(elements)
        for row, element in enumerate(elements):
            element._id = row if kind != "frame" else -1
            if by_name and codes[kind] is not None:
                name = element.name
                found = model._find(int(codes[kind]), name) if name else None
                element._id = -1 if found is None else found
                if found is None and len(elements) == counts[kind]:
                    element._id = row
    spec._world._id = 0


def recompile(spec: Any, model: Any, data: Any, vfs: Any = None) -> tuple[Any, Any]:
    """Compiles a spec, and makes data with the state that older data has for the elements that were there."""
    from .._structs import MjData, MjModel

    if not isinstance(model, MjModel) or not isinstance(data, MjData):
        raise TypeError(f"recompile takes a model and its data, not {type(model).__name__} and {type(data).__name__}")
    before = _numbers(spec)
    new_model = compile(spec, vfs)
    new = MjData(new_model)
    new.time = data.time
    for element, old in before:
        now = element.id
        if old >= 0 and now >= 0 and not element._deleted:
            _carry(element._kind, (model, data, old), (new_model, new, now))
    return new_model, new


def _numbers(spec: Any) -> list[tuple[Any, int]]:
    out = [(element, element._id) for kind in ("body", "joint") for element in spec._all(kind)]
    return out + [(a, a._id if a._id >= 0 else row) for row, a in enumerate(spec._lists["actuator"])]


def _carry(kind: str, old: tuple[Any, Any, int], new: tuple[Any, Any, int]) -> None:
    """Copies the state of one element."""
    (m0, d0, i0), (m1, d1, i1) = old, new
    if kind == "joint" and i0 < m0.njnt and m0.jnt_type[i0] == m1.jnt_type[i1]:
        nq, nv = {0: (7, 6), 1: (4, 3)}.get(int(m1.jnt_type[i1]), (1, 1))
        for field, adr, count in (
            ("qpos", "jnt_qposadr", nq),
            ("qvel", "jnt_dofadr", nv),
            ("qacc_warmstart", "jnt_dofadr", nv),
        ):
            a, b = int(getattr(m0, adr)[i0]), int(getattr(m1, adr)[i1])
            getattr(d1, field)[b : b + count] = getattr(d0, field)[a : a + count]
    elif kind == "body" and i0 < m0.nbody:
        a, b = int(m0.body_mocapid[i0]), int(m1.body_mocapid[i1])
        if a >= 0 and b >= 0:
            d1.mocap_pos[b], d1.mocap_quat[b] = d0.mocap_pos[a], d0.mocap_quat[a]
    elif kind == "actuator" and i0 < m0.nactuator and m0.nu == m0.nactuator and m1.nu == m1.nactuator:
        d1.ctrl[i1] = d0.ctrl[i0]
        na, nb = int(m0.actuator_actnum[i0]), int(m1.actuator_actnum[i1])
        if na == nb and na > 0:
            a, b = int(m0.actuator_actadr[i0]), int(m1.actuator_actadr[i1])
            d1.act[b : b + nb] = d0.act[a : a + na]
