"""The functions of the reference, native ones and those that need no engine."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from . import _core

# How names of the reference start.
PREFIXES = ("mj_", "mju_", "mjd_", "get_mj", "set_mj")

# All that the native module has under the reference's names.
globals().update({name: value for name, value in vars(_core).items() if name.startswith(PREFIXES)})


def mj_saveLastXML(filename: str | os.PathLike, m: Any) -> None:  # noqa: N802
    """Writes the model that was loaded last as MJCF."""
    text = _core._last_xml()
    if text is None:
        raise ValueError("mj_saveLastXML: no model was loaded from MJCF")
    with open(filename, "w", encoding="utf-8") as file:
        file.write(text)


def mj_defaultOption(opt: Any) -> None:  # noqa: N802
    """Sets options to their defaults."""
    opt._assign(type(opt)())


def mj_defaultVisual(vis: Any) -> None:  # noqa: N802
    """Sets options of rendering to their defaults."""
    vis._assign(type(vis)())


def mj_defaultSolRefImp(solref: Any, solimp: Any) -> None:  # noqa: N802
    """Writes the default reference (2) and impedance (5) of constraints."""
    for name, array, values in (("solref", solref, [0.02, 1]), ("solimp", solimp, [0.9, 0.95, 0.001, 0.5, 2])):
        if array is not None and np.shape(array) != (len(values),):
            raise TypeError(f"`{name}` must be an array of {len(values)} numbers, not of shape {np.shape(array)}")
        if array is not None:
            array[:] = values


def mj_defaultLROpt(opt: Any) -> None:  # noqa: N802
    """Sets the settings for ranges of lengths to their defaults."""
    defaults = {"mode": 1, "useexisting": 1, "accel": 20, "timeconst": 1, "timestep": 0.01, "inttotal": 10}
    defaults |= {"interval": 2, "tolrange": 0.05, "uselimit": 0, "maxforce": 0}
    for name, value in defaults.items():
        setattr(opt, name, value)


def mj_loadTexture(m: Any, texid: int) -> tuple[np.ndarray, int]:  # noqa: N802
    """Returns a copy of a texture's pixels, and its colour space."""
    if not 0 <= texid < m.ntex:
        raise IndexError(f"there is no texture {texid}: textures are numbered from 0 to {m.ntex - 1}")
    shape = tuple(int(n[texid]) for n in (m.tex_height, m.tex_width, m.tex_nchannel))
    adr = int(m.tex_adr[texid])
    return m.tex_data[adr : adr + math.prod(shape)].reshape(shape).copy(), int(m.tex_colorspace[texid])
