"""Models, data and scenes as text files."""

from __future__ import annotations

import os
from typing import Any, TextIO

import numpy as np

from ._scene import MjvScene


def _write(file: TextIO, thing: Any, names: list[str], float_format: str) -> None:
    for name in names:
        value = getattr(thing, name)
        if not isinstance(value, np.ndarray):
            file.write(f"{name:24}{value}\n")
        elif value.size:
            rows = np.atleast_2d(value.reshape(len(value), -1) if value.ndim > 1 else value)
            file.write(f"{name}\n")
            for row in rows:
                numbers = (float_format % x if value.dtype.kind == "f" else str(x) for x in row.tolist())
                file.write(f"  {' '.join(numbers)}\n")


def _check(float_format: str) -> None:
    try:
        _ = float_format % 1.0
    except (TypeError, ValueError) as e:
        raise ValueError(f"`float_format` {float_format!r} does not format one number: {e}") from None


def mj_printFormattedModel(m: Any, filename: str, float_format: str) -> None:  # noqa: N802
    """Writes a model's sizes and fields to a text file, numbers in a format of ``printf``."""
    from ._structs import MODEL_ARRAYS, SIZES

    _check(float_format)
    with open(os.fspath(filename), "w", encoding="utf-8") as file:
        _write(file, m, list(SIZES), float_format)
        _write(file, m.opt, sorted(m.opt.FIELDS), float_format)
        _write(file, m, sorted(MODEL_ARRAYS), float_format)


def mj_printModel(m: Any, filename: str) -> None:  # noqa: N802
    """Writes a model's sizes and fields to a text file."""
    mj_printFormattedModel(m, filename, "%.6g")


def mj_printFormattedData(m: Any, d: Any, filename: str, float_format: str) -> None:  # noqa: N802
    """Writes data to a text file, numbers in a format of ``printf``."""
    from ._structs import DATA_ARRAYS

    _check(float_format)
    with open(os.fspath(filename), "w", encoding="utf-8") as file:
        _write(file, d, ["time", "ncon", "nefc", "ne", "nf", "nl"], float_format)
        _write(file, d, sorted(DATA_ARRAYS), float_format)


def mj_printData(m: Any, d: Any, filename: str) -> None:  # noqa: N802
    """Writes data to a text file."""
    mj_printFormattedData(m, d, filename, "%.6g")


def mj_printFormattedScene(s: MjvScene, filename: str, float_format: str) -> None:  # noqa: N802
    """Writes a scene's geoms, lights and cameras to a text file, numbers in a format of ``printf``."""
    _check(float_format)
    if not isinstance(s, MjvScene):
        raise TypeError(f"`s` must be an MjvScene, not {type(s).__name__}")
    parts = [("GEOM", s.__dict__["_geoms"], s.ngeom), ("LIGHT", s.__dict__["_lights"], s.nlight), ("CAMERA", s.camera, 2)]
    with open(os.fspath(filename), "w", encoding="utf-8") as file:
        for name, records, n in parts:
            file.write(f"{name}S {n}\n")
            for i in range(n):
                file.write(f"  {name} {i}\n")
                for field in records[i].FIELDS:
                    numbers = np.ravel(records[i]._array(field)).tolist()
                    words = (float_format % x if isinstance(x, float) else str(x) for x in numbers)
                    file.write(f"    {field:24}{' '.join(words)}\n")


def mj_printScene(s: MjvScene, filename: str) -> None:  # noqa: N802
    """Writes a scene's geoms, lights and cameras to a text file."""
    mj_printFormattedScene(s, filename, "%.6g")
