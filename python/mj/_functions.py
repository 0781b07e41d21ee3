"""The functions of the reference, native ones and those that need no engine."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from . import _core, _later
from ._drawing import mjr, mjv
from ._drawing.textures import file_pixels
from ._specs.edit.copy_back import last_with_changes
from ._printing import (  # noqa: F401
    mj_printData,
    mj_printFormattedData,
    mj_printFormattedModel,
    mj_printFormattedScene,
    mj_printModel,
    mj_printScene,
)

# How names of the reference start.
PREFIXES = ("mj_", "mju_", "mjd_", "mjv_", "mjr_", "get_mj", "set_mj")

globals().update(_later.FUNCTIONS)

for _module in (mjv, mjr):
    globals().update({name: value for name, value in vars(_module).items() if name.startswith(("mjv_", "mjr_"))})

# All that the native module has under the reference's names.
globals().update({name: value for name, value in vars(_core).items() if name.startswith(PREFIXES)})

_realloc_con_efc, _realloc_island = _core._realloc_con_efc, _core._realloc_island


def mj_saveLastXML(filename: str | os.PathLike, m: Any) -> None:  # noqa: N802
    """Writes the model that was loaded last as MJCF, with the numbers that were changed in ``m``, if it is given."""
    text = _core._last_xml()
    if text is None:
        raise ValueError("mj_saveLastXML: no model was loaded from MJCF")
    if m is not None:
        text = last_with_changes(m) or text
    with open(os.fspath(filename), "w", encoding="utf-8") as file:
        file.write(text)


def mj_printSchema(*args: Any) -> Any:  # noqa: N802
    """Returns the schema of MJCF, as plain text or HTML: ``mj_printSchema(flg_html, flg_pad)``.

    Each element stands with its kind and attributes: ``!`` once, ``?`` at most once, ``*`` any number of times, ``R`` any
    number of times and within itself. ``flg_pad`` indents elements of HTML by a style in place of spaces.

    In an older form, ``mj_printSchema(filename, buffer, buffer_sz, flg_html, flg_pad)``, the schema is written to a file,
    or to a buffer of ``ctypes`` where ``filename`` is None; its length is returned.
    """
    if len(args) == 2:
        return _core._schema(*map(bool, args))
    if len(args) != 5:
        raise TypeError(f"mj_printSchema takes 2 arguments, flg_html and flg_pad, or 5 in its older form, not {len(args)}")
    filename, buffer, size, html, pad = args
    text = _core._schema(bool(html), bool(pad))
    if filename is not None:
        with open(os.fspath(filename), "w", encoding="utf-8") as file:
            file.write(text)
    elif len(text) >= min(size, len(buffer)):
        raise ValueError(f"`buffer` must hold {len(text) + 1} bytes, not {min(size, len(buffer))}")
    else:
        buffer.value = text.encode()
    return len(text)


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


def mj_resetCallbacks() -> None:  # noqa: N802
    """Unsets all callbacks of the simulation."""
    for name, setter in vars(_core).items():
        if name.startswith("set_mjcb_"):
            setter(None)


def mjv_defaultCamera(cam: Any) -> None:  # noqa: N802
    """Sets a camera to its defaults."""
    cam._assign(type(cam)())


def mjv_defaultFreeCamera(m: Any, cam: Any) -> None:  # noqa: N802
    """Sets a camera to look at the middle of a model, from a distance and angles that the model gives."""
    cam._assign(type(cam)())
    view = m.vis.global_
    cam.lookat[:] = m.stat.center
    cam.distance = 1.5 * m.stat.extent
    cam.azimuth, cam.elevation, cam.orthographic = view.azimuth, view.elevation, view.orthographic


def mjv_defaultOption(opt: Any) -> None:  # noqa: N802
    """Sets options of drawing to their defaults."""
    opt._assign(type(opt)())


def mjv_defaultPerturb(pert: Any) -> None:  # noqa: N802
    """Sets a perturbation to its defaults."""
    pert._assign(type(pert)())


def mjv_defaultFigure(fig: Any) -> None:  # noqa: N802
    """Sets a figure to its defaults."""
    fig._assign(type(fig)())


def mj_getCache() -> None:  # noqa: N802
    """Returns None: files are read anew whenever a model is compiled."""


def mj_getCacheSize(cache: None) -> int:  # noqa: N802
    """Returns 0, the size of the cache of files in bytes."""
    return 0


def mj_getCacheCapacity(cache: None) -> int:  # noqa: N802
    """Returns 0, the capacity of the cache of files in bytes."""
    return 0


def mj_setCacheCapacity(cache: None, size: int) -> int:  # noqa: N802
    """Returns 0: there is no cache of files."""
    return 0


def mj_clearCache(cache: None) -> None:  # noqa: N802
    """Does nothing: there is no cache of files."""


def mj_loadTexture(m: Any, texid: int) -> tuple[np.ndarray, int]:  # noqa: N802
    """Returns a copy of a texture's pixels, and its colour space; those of a texture by reference are read from its file."""
    if not 0 <= texid < m.ntex:
        raise ValueError(f"texture {texid} is out of range: there are {m.ntex}")
    if m.tex_adr[texid] < 0:
        return file_pixels(m, int(texid))
    shape = tuple(int(n[texid]) for n in (m.tex_height, m.tex_width, m.tex_nchannel))
    adr = int(m.tex_adr[texid])
    return m.tex_data[adr : adr + math.prod(shape)].reshape(shape).copy(), int(m.tex_colorspace[texid])


def mj_embedAssets(m: Any) -> Any:  # noqa: N802
    """Returns a copy of a model with all of its assets in it: every model that was compiled has them."""
    from ._structs import MjModel

    if not isinstance(m, MjModel):
        raise TypeError(f"`m` must be an MjModel, not {type(m).__name__}")
    return type(m)(m)
