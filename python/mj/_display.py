"""Models and data as they are shown: one line, or a table in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any

# Counts of a model in its table, each with words.
_COUNTS = {
    "nq": "coordinates", "nv": "degrees of freedom", "nu": "controls", "na": "activations", "nbody": "bodies",
    "njnt": "joints", "ngeom": "geoms", "nsite": "sites", "ntendon": "tendons", "nactuator": "actuators",
    "nsensor": "sensors", "neq": "equality constraints", "nmesh": "meshes", "nhfield": "height fields", "nkey": "keyframes",
}  # fmt: skip

# Bodies in the tree of a model; more are counted.
_MOST_BODIES = 50


def _name(m: Any) -> str:
    return m.names[: m.names.find(b"\0")].decode()


def model(m: Any) -> str:
    """Returns one line about a model."""
    return (
        f"<MjModel {_name(m)!r}: nq {m.nq}, nv {m.nv}, nu {m.nu}, na {m.na}, {m.nbody} bodies, {m.njnt} joints, "
        f"{m.ngeom} geoms, {m.nactuator} actuators, {m.nsensor} sensors>"
    )


def data(d: Any) -> str:
    """Returns one line about data."""
    m = d.model
    raised = int(d.warning.number.sum())
    warnings = f", {raised} warnings: see mj.explain" if raised else ""
    return (
        f"<MjData of {_name(m)!r} at time {d.time:g} s: nq {m.nq}, nv {m.nv}, {d.ncon} contacts, {d.nefc} constraint rows"
        f"{warnings}>"
    )


def _table(caption: str, rows: list[tuple[str, str, str]]) -> str:
    cells = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{escape(value)}</td><td>{escape(words)}</td></tr>"
        for name, value, words in rows
    )
    return f"<table><caption>{escape(caption)}</caption>{cells}</table>"


def model_html(m: Any) -> str:
    """Returns a table of a model's sizes and options, and the tree of its bodies."""
    rows = [(name, str(getattr(m, name)), words) for name, words in _COUNTS.items() if getattr(m, name)]
    rows += [
        ("opt.timestep", f"{m.opt.timestep:g} s", "time step"),
        ("opt.gravity", " ".join(f"{x:g}" for x in m.opt.gravity), "gravity, m/s²"),
        ("body_subtreemass[0]", f"{m.body_subtreemass[0]:.6g} kg", "mass"),
    ]
    return _table(f"MjModel {_name(m)}", rows) + _bodies(m)


def _bodies(m: Any) -> str:
    """Returns the tree of bodies with their joints, folded."""
    names, joints = m._all_names(1), m._all_names(3)
    depth = [0] * m.nbody
    lines = []
    for b in range(1, min(m.nbody, 1 + _MOST_BODIES)):
        depth[b] = depth[int(m.body_parentid[b])] + 1
        first, count = int(m.body_jntadr[b]), int(m.body_jntnum[b])
        held = ", ".join(joints[j] or f"joint {j}" for j in range(first, first + count))
        lines.append("  " * (depth[b] - 1) + (names[b] or f"body {b}") + (f": {held}" if held else ""))
    if m.nbody - 1 > _MOST_BODIES:
        lines.append(f"and {m.nbody - 1 - _MOST_BODIES} more")
    if not lines:
        return ""
    return f"<details><summary>bodies and joints</summary><pre>{escape(chr(10).join(lines))}</pre></details>"


def data_html(d: Any) -> str:
    """Returns a table of a state."""
    rows = [
        ("time", f"{d.time:g} s", "simulation time"),
        ("ncon", str(d.ncon), "contacts"),
        ("nefc", str(d.nefc), "constraint rows"),
        ("warning.number", str(int(d.warning.number.sum())), "warnings since the last reset: see mj.explain"),
    ]
    return _table(f"MjData of {_name(d.model)}", rows)
