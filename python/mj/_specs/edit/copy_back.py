"""Writing to a spec what was changed in a model that was compiled from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core, _enums

# By kind of element: prefix of the arrays of the model, and fields that compile to themselves.
_SAME: dict[str, tuple[str, str]] = {
    "geom": ("geom", "contype conaffinity condim priority friction solmix solref solimp margin gap group rgba"),
    "site": ("site", "group rgba"),
    "joint": ("jnt", "margin group axis"),
    "camera": ("cam", "fovy ipd"),
    "light": ("light", "attenuation cutoff exponent ambient diffuse specular"),
    "tendon": ("tendon", "margin width group rgba range"),
    "actuator": ("actuator", "gainprm biasprm dynprm ctrlrange forcerange actrange"),
    "body": ("body", "gravcomp"),
    "equality": ("eq", "solref solimp"),
    "material": ("mat", "rgba emission specular shininess reflectance"),
}


def copy_back(spec: Any, model: Any) -> None:
    """Writes what was changed; nothing is written if there is a change that the spec cannot express."""
    from ..._structs import MjModel

    if not isinstance(model, MjModel):
        raise TypeError(f"`model` must be an MjModel, not {type(model).__name__}")
    if spec._signature != model.signature:
        raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    for write in changes(spec, model, spec.compile()):
        write()


def last_with_changes(model: Any) -> str | None:
    """Returns the text of the model that was loaded last with what was changed in ``model``; None if nothing was."""
    from .._spec import MjSpec

    spec = MjSpec(_core.SpecCore._last())
    before = spec.compile()
    if before.signature != model.signature:
        raise ValueError("mj_saveLastXML: `m` is not the model that was loaded last")
    writes = changes(spec, model, before)
    for write in writes:
        write()
    return spec.to_xml() if writes else None


def changes(spec: Any, model: Any, before: Any) -> list[Callable[[], None]]:
    """Returns what writes the changes from the model ``before``, which the spec compiles to; it raises for a change that
    the spec cannot express."""
    writes: list[Callable[[], None]] = []
    for kind, (prefix, fields) in _SAME.items():
        for element in spec._all(kind):
            row = element.id
            for field in fields.split():
                new, old = _pair(model, before, f"{prefix}_{field}", row)
                if not np.array_equal(new, old):
                    writes.append(_write(element, field, new))
    writes += _options(spec, model, before)
    for kind, prefix in (("body", "body"), ("geom", "geom"), ("site", "site"), ("camera", "cam")):
        for element in spec._all(kind)[kind == "body" :]:
            writes += _poses(element, prefix, model, before)
    for joint in spec._all("joint"):
        writes += _joint(joint, model, before)
    for geom in spec._all("geom"):
        new, old = _pair(model, before, "geom_size", geom.id)
        if not np.array_equal(new, old):
            if geom.meshname or geom.hfieldname:
                raise ValueError(f"size of geom '{geom.name}' was changed in the model, but follows from other fields")
            if _has_ends(geom):
                writes += _free_of_ends(geom, "geom", model)
            writes.append(_write(geom, "size", new))
    for body in spec._all("body")[1:]:
        writes += _inertia(spec, body, model, before)
    return writes


def _options(spec: Any, model: Any, before: Any) -> list[Callable[[], None]]:
    out = []
    for name in model.opt.FIELDS:
        new, old = np.array(getattr(model.opt, name)), np.array(getattr(before.opt, name))
        if not np.array_equal(new, old):
            out.append(_write(spec.option, name, new))
    if model.nout == model.nactuator:
        for actuator in spec._all("actuator"):
            new, old = _pair(model, before, "actuator_gear", actuator.id)
            if not np.array_equal(new, old):
                out.append(_write(actuator, "gear", new))
    return out


def _pair(model: Any, before: Any, name: str, row: int) -> tuple[Any, Any]:
    return np.array(getattr(model, name)[row]), np.array(getattr(before, name)[row])


def _write(element: Any, field: str, value: Any) -> Callable[[], None]:
    value = value.item() if np.ndim(value) == 0 else np.asarray(value)

    def write() -> None:
        present = np.asarray(getattr(element, field))
        new = value
        if present.ndim and np.size(new) < present.size:
            new = np.concatenate([np.reshape(new, -1), present[np.size(new) :]])
        setattr(element, field, new)

    return write


def _quat_of(element: Any) -> np.ndarray:
    form = int(element.alt.type)
    names = {1: "axisangle", 2: "xyaxes", 3: "zaxis", 4: "euler"}
    if form not in names:
        return np.asarray(element.quat) / np.linalg.norm(element.quat)
    compiler = element.compiler
    numbers = getattr(element.alt, names[form]).tolist()
    return np.array(_core._spec_quat(form, numbers, compiler.degree, "".join(compiler.eulerseq)))


def _around(element: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns the pose of the frame that an element is in; none if that resizes."""
    pos, quat = np.zeros(3), np.array([1.0, 0, 0, 0])
    frame = element._frame
    while frame is not None:
        if np.any(np.asarray(frame.scale) != 1):
            return None
        q = _quat_of(frame)
        turned, product = np.zeros(3), np.zeros(4)
        _core.mju_rotVecQuat(turned, pos, q)
        _core.mju_mulQuat(product, q, quat)
        pos, quat = turned + frame.pos, product
        frame = frame._frame
    return pos, quat


def _poses(element: Any, prefix: str, model: Any, before: Any) -> list[Callable[[], None]]:
    out: list[Callable[[], None]] = []
    row = element.id
    (pos, old_pos), (quat, old_quat) = (_pair(model, before, f"{prefix}_{f}", row) for f in ("pos", "quat"))
    if np.array_equal(pos, old_pos) and np.array_equal(quat, old_quat):
        return out
    if _has_ends(element):
        return _free_of_ends(element, prefix, model)
    frame = _frame_of(element)
    if not np.array_equal(pos, old_pos):
        out.append(_write_pos(element, pos, frame))
    if not np.array_equal(quat, old_quat):
        out += _write_quat(element, quat, frame)
    return out


def _has_ends(element: Any) -> bool:
    return bool(np.isfinite(getattr(element, "fromto", [np.nan])[0]))


def _frame_of(element: Any) -> tuple[np.ndarray, np.ndarray]:
    """Returns the pose of the frame that an element is in."""
    frame = _around(element)
    if frame is None or getattr(element, "meshname", ""):
        raise ValueError(
            f"the pose of {element._kind} '{element.name}' was changed in the model, but follows from others"
        )
    return frame


def _write_pos(element: Any, pos: Any, frame: tuple[np.ndarray, np.ndarray]) -> Callable[[], None]:
    own = np.zeros(3)
    _core.mju_rotVecQuat(own, pos - frame[0], frame[1] * [1, -1, -1, -1])
    return _write(element, "pos", own)


def _write_quat(element: Any, quat: Any, frame: tuple[np.ndarray, np.ndarray]) -> list[Callable[[], None]]:
    own = np.zeros(4)
    _core.mju_mulQuat(own, frame[1] * [1, -1, -1, -1], quat)
    kind = _enums.mjtOrientation.mjORIENTATION_QUAT
    return [_write(element, "quat", own), lambda: setattr(element.alt, "type", kind)]


def _free_of_ends(element: Any, prefix: str, model: Any) -> list[Callable[[], None]]:
    """Gives an element between two points (``fromto``) the pose and size that it has in the model in their place."""
    frame = _frame_of(element)
    pos, quat, size = (np.array(getattr(model, f"{prefix}_{f}")[element.id]) for f in ("pos", "quat", "size"))
    clear = _write(element, "fromto", np.full(6, np.nan))
    return [clear, _write_pos(element, pos, frame), *_write_quat(element, quat, frame), _write(element, "size", size)]


def _joint(joint: Any, model: Any, before: Any) -> list[Callable[[], None]]:
    out = []
    row = joint.id
    angular = joint.type in (_enums.mjtJoint.mjJNT_HINGE, _enums.mjtJoint.mjJNT_BALL)
    unit = 180 / np.pi if angular and joint.compiler.degree else 1.0
    new, old = _pair(model, before, "jnt_range", row)
    if not np.array_equal(new, old):
        out.append(_write(joint, "range", new * unit))
    new, old = _pair(model, before, "jnt_stiffness", row)
    if not np.array_equal(new, old):
        out.append(_write(joint, "stiffness", np.atleast_1d(new)))
    adr = int(model.jnt_dofadr[row])
    for field in ("damping", "armature", "frictionloss"):
        new, old = _pair(model, before, f"dof_{field}", adr)
        if not np.array_equal(new, old):
            out.append(_write(joint, field, np.atleast_1d(new) if field == "damping" else new))
    return out


def _inertia(spec: Any, body: Any, model: Any, before: Any) -> list[Callable[[], None]]:
    pairs = {f: _pair(model, before, f"body_{f}", body.id) for f in ("mass", "inertia", "ipos", "iquat")}
    if all(np.array_equal(new, old) for new, old in pairs.values()):
        return []
    if spec.compiler.inertiafromgeom == _enums.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE:
        raise ValueError(f"the inertia of body '{body.name}' was changed in the model, but inertiafromgeom is 'true'")
    out = [_write(body, field, new) for field, (new, _) in pairs.items()]
    out.append(lambda: setattr(body.ialt, "type", _enums.mjtOrientation.mjORIENTATION_QUAT))
    out.append(lambda: setattr(body, "fullinertia", [np.nan, 0, 0, 0, 0, 0]))
    out.append(lambda: setattr(body, "explicitinertial", True))
    return out
