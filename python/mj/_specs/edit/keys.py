"""Keyframes while the tree changes: their numbers move with the elements that they belong to."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _enums

_SIZES = {"mjJNT_FREE": (7, 6), "mjJNT_BALL": (4, 3), "mjJNT_SLIDE": (1, 1), "mjJNT_HINGE": (1, 1)}


def _activations(actuator: Any) -> int:
    if actuator.actdim > 0:
        return actuator.actdim
    return int(actuator.dyntype != _enums.mjtDyn.mjDYN_NONE)


def layout(spec: Any) -> tuple[list[tuple[Any, dict[str, int]]], dict[str, int]]:
    """Returns the elements that have numbers in keyframes, with how many of each field, and all counts."""
    out: list[tuple[Any, dict[str, int]]] = []
    for body in spec._bodies():
        if body.mocap:
            out.append((body, {"mpos": 3, "mquat": 4}))
        for joint in body._children["joint"]:
            nq, nv = _SIZES[joint.type.name]
            out.append((joint, {"qpos": nq, "qvel": nv}))
    out += [(a, {"act": _activations(a), "ctrl": 1}) for a in spec._lists["actuator"]]
    total = dict.fromkeys(("qpos", "qvel", "act", "ctrl", "mpos", "mquat"), 0)
    for _, counts in out:
        for name, count in counts.items():
            total[name] += count
    return out, total


def save(spec: Any) -> None:
    """Notes the numbers of keyframes by the elements that they belong to, before the structure changes."""
    keys = [key for key in spec._lists["key"] if key._saved is None]
    if not keys:
        return
    elements, total = layout(spec)
    for key in keys:
        given = {name: np.array(getattr(key, name)) for name in total}
        if any(len(numbers) not in (0, total[name]) for name, numbers in given.items()):
            continue
        key._saved = {}
        at = dict.fromkeys(total, 0)
        for element, counts in elements:
            of = key._saved[element] = {}
            for name, count in counts.items():
                if len(given[name]):
                    of[name] = given[name][at[name] : at[name] + count]
                at[name] += count


def rebuilt(spec: Any, key: Any) -> Any:
    """Returns a keyframe for the present structure; what no element gave is not a number."""
    if key._saved is None:
        return key
    new = type(key)(key)
    elements, total = layout(spec)
    for name in total:
        saved = [key._saved.get(element, {}).get(name) for element, counts in elements if name in counts]
        counts = [counts[name] for _, counts in elements if name in counts]
        if all(numbers is None for numbers in saved):
            setattr(new, name, [])
            continue
        pairs = zip(saved, counts, strict=True)
        parts = [np.full(n, np.nan) if x is None or len(x) != n else x for x, n in pairs]
        setattr(new, name, np.concatenate(parts))
    return new


def settle(spec: Any, model: Any) -> None:
    """Writes the numbers of a compiled model to keyframes whose structure had changed."""
    for row, key in enumerate(spec._lists["key"]):
        if key._saved is None:
            continue
        given = {name for numbers in key._saved.values() for name in numbers}
        key._saved = None
        for name in ("qpos", "qvel", "act", "ctrl", "mpos", "mquat"):
            if name in given:
                setattr(key, name, np.asarray(getattr(model, f"key_{name}")[row]).reshape(-1))
