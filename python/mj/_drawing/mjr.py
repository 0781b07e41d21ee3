"""Functions that draw to buffers, and read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._arguments import matching
from .._records import Record
from .._scene import MjrRect, MjvFigure, MjvScene, _Drawn
from . import context as of, text
from .buffer import Buffer
from .context import AUX, OFFSCREEN, WINDOW, MjrContext, buffer
from .figure import draw_figure

if TYPE_CHECKING:
    from .._structs import MjModel

# Formats of pixels with blue first.
BGR = (0x80E0, 0x80E1)
# Map of depth with 0 at the near plane.
ZERO_NEAR = 0


class MjrRendererInfo(_Drawn):
    """What draws."""

    renderer = "classic"
    backend = "vulkan"


def mjr_defaultRendererInfo(info: MjrRendererInfo) -> None:  # noqa: N802
    """Does nothing: there is one renderer."""
    matching("info", info, MjrRendererInfo)


mjr_getRendererInfo = mjr_defaultRendererInfo


def _rect(rect: Any) -> tuple[int, int, int, int]:
    matching("viewport", rect, MjrRect)
    if rect.width < 0 or rect.height < 0:
        raise ValueError(f"width and height of a viewport must be non-negative: they are {rect.width} and {rect.height}")
    return rect.left, rect.bottom, rect.width, rect.height


def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """Draws a scene to a part of the buffer."""
    rect = _rect(viewport)
    if rect[2] > 0 and rect[3] > 0:
        of.draw(rect, scn, con)


def _pixels(name: str, array: Any, dtype: type, count: int) -> np.ndarray:
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        raise TypeError(f"`{name}` must be an array of {np.dtype(dtype)}, not {getattr(array, 'dtype', type(array).__name__)}")
    if array.size < count:
        raise ValueError(f"{name} buffer is too small: it holds {array.size} numbers, and the viewport has {count}")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name} buffer must be C-contiguous")
    return array.reshape(-1)[:count]


def mjr_readPixels(rgb: Any, depth: Any, viewport: MjrRect, con: MjrContext) -> None:  # noqa: N802
    """Reads colours, bytes, and depth, single precision, of a part of the buffer; either may be None.

    The bottom row is first. Depth lies between 0 and 1: at the near and far plane, or the other way round where
    ``con.readDepthMap`` is ``mjDEPTH_ZEROFAR``.
    """
    rect, source = _rect(viewport), buffer(con)
    count = rect[2] * rect[3]
    colours = None if rgb is None else _pixels("rgb", rgb, np.uint8, 3 * count)
    depths = None if depth is None else _pixels("depth", depth, np.float32, count)
    if colours is not None:
        pixels = source.cut(source.colours(), rect)
        colours[:] = (pixels[..., ::-1] if con.readPixelFormat in BGR else pixels).reshape(-1)
    if depths is not None:
        depths[:] = source.cut(source.depths(), rect).reshape(-1)
        if con.readDepthMap != ZERO_NEAR:
            np.subtract(1, depths, out=depths)


def mjr_drawPixels(rgb: Any, depth: Any, viewport: MjrRect, con: MjrContext) -> None:  # noqa: N802
    """Writes colours and depth to a part of the buffer; either may be None. The bottom row is first."""
    rect, target = _rect(viewport), buffer(con)
    count = rect[2] * rect[3]
    colours = None if rgb is None else _pixels("rgb", rgb, np.uint8, 3 * count)
    depths = None if depth is None else _pixels("depth", depth, np.float32, count)
    if colours is not None:
        target.paste(target.colours(), rect, colours.reshape(rect[3], rect[2], 3))
    if depths is not None:
        target.paste(target.depths(), rect, depths.reshape(rect[3], rect[2]))


def _copy(source: Buffer, target: Buffer, src: Any, dst: Any, color: bool, depth: bool) -> None:
    """Copies a part of a buffer to another, scaled to its size."""
    (_, _, w0, h0), (_, _, w1, h1) = from_, to = _rect(src), _rect(dst)
    if not (w0 and h0 and w1 and h1):
        return
    rows, columns = (np.arange(h1) * h0) // h1, (np.arange(w1) * w0) // w1
    for wanted, read in ((color, Buffer.colours), (depth, Buffer.depths)):
        if wanted:
            target.paste(read(target), to, source.cut(read(source), from_)[rows][:, columns])


def mjr_blitBuffer(src: MjrRect, dst: MjrRect, flg_color: int, flg_depth: int, con: MjrContext) -> None:  # noqa: N802
    """Copies from the present buffer to the other one: from the window off the screen, or back."""
    source, other = buffer(con), OFFSCREEN if con.currentBuffer == WINDOW else WINDOW
    target = con.__dict__["_buffers"][other]
    if other == WINDOW:
        target.reach(dst.left + dst.width, dst.bottom + dst.height)
    _copy(source, target, src, dst, bool(flg_color), bool(flg_depth))


def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:  # noqa: N802
    """Makes a context draw to its window's buffer, or to that off the screen."""
    buffer(con)
    if int(framebuffer) not in (WINDOW, OFFSCREEN):
        raise ValueError(f"`framebuffer` must be mjFB_WINDOW or mjFB_OFFSCREEN, not {framebuffer}")
    con.currentBuffer = int(framebuffer)
    mjr_restoreBuffer(con)


def mjr_restoreBuffer(con: MjrContext) -> None:  # noqa: N802
    """Makes a context draw to the buffer that was set, not to an auxiliary one."""
    buffer(con)
    con.__dict__["_aux_now"] = None
    of.make_current(con)


def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:  # noqa: N802
    """Changes the size of the buffer off the screen; its pixels are lost."""
    buffer(con)
    if width < 1 or height < 1:
        raise ValueError(f"width and height must be positive: they are {width} and {height}")
    con.offWidth, con.offHeight = width, height
    con.__dict__["_buffers"][OFFSCREEN] = Buffer(width, height)


def mjr_maxViewport(con: MjrContext) -> MjrRect:  # noqa: N802
    """Returns the rectangle of all pixels of the present buffer."""
    return MjrRect(0, 0, *buffer(con).size)


def _aux(index: int, con: Any, there: bool) -> int:
    buffer(con)
    if not 0 <= index < AUX or (there and index not in con.__dict__["_aux"]):
        raise ValueError(f"there is no auxiliary buffer {index}: mjr_addAux makes numbers 0 to {AUX - 1}")
    return int(index)


def mjr_addAux(index: int, width: int, height: int, samples: int, con: MjrContext) -> None:  # noqa: N802
    """Makes an auxiliary buffer, one of 10."""
    index = _aux(index, con, False)
    if width < 1 or height < 1:
        raise ValueError(f"width and height must be positive: they are {width} and {height}")
    con.auxWidth[index], con.auxHeight[index], con.auxSamples[index] = width, height, samples
    con.__dict__["_aux"][index] = Buffer(width, height)


def mjr_setAux(index: int, con: MjrContext) -> None:  # noqa: N802
    """Makes a context draw to an auxiliary buffer until its buffer is set or restored."""
    con.__dict__["_aux_now"] = _aux(index, con, True)
    of.make_current(con)


def mjr_blitAux(index: int, src: MjrRect, left: int, bottom: int, con: MjrContext) -> None:  # noqa: N802
    """Copies colours from an auxiliary buffer to the present one."""
    source, target = con.__dict__["_aux"][_aux(index, con, True)], con.__dict__["_buffers"][con.currentBuffer]
    _copy(source, target, src, MjrRect(left, bottom, src.width, src.height), True, False)


def _renew(m: Any, con: Any, number: int, count: int, what: str) -> None:
    buffer(con)
    matching("m", m, _core.MjModel)
    if not 0 <= number < count:
        raise ValueError(f"there is no {what} {number}: the model has {count}")
    con.renew(m)


def mjr_uploadTexture(m: MjModel, con: MjrContext, texid: int) -> None:  # noqa: N802
    """Takes a changed texture to the graphics card."""
    _renew(m, con, texid, m.ntex, "texture")


def mjr_uploadMesh(m: MjModel, con: MjrContext, meshid: int) -> None:  # noqa: N802
    """Takes a changed mesh to the graphics card."""
    _renew(m, con, meshid, m.nmesh, "mesh")


def mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: int) -> None:  # noqa: N802
    """Takes a changed height field to the graphics card."""
    _renew(m, con, hfieldid, m.nhfield, "height field")


def mjr_changeFont(fontscale: int, con: MjrContext) -> None:  # noqa: N802
    """Changes the size of texts: 50 to 300 percent."""
    buffer(con)
    if int(fontscale) not in of.FONTS:
        raise ValueError(f"`fontscale` must be one of {', '.join(map(str, of.FONTS))}, not {fontscale}")
    of.set_font(con, int(fontscale))


def mjr_rectangle(viewport: MjrRect, r: float, g: float, b: float, a: float) -> None:
    """Lays a colour over a rectangle of the buffer that was set last."""
    of.current().blend(_rect(viewport), (r, g, b, a))


def mjr_text(font: int, txt: str, con: MjrContext, x: float, y: float, r: float, g: float, b: float) -> None:
    """Writes a text; ``x`` and ``y`` are shares of the buffer's size, from its lower left corner."""
    target = buffer(con)
    width, height = target.size
    text.write(target, con, font, text.words(txt), round(x * width), round(y * height), (r, g, b))


def mjr_overlay(font: int, gridpos: int, viewport: MjrRect, overlay: str, overlay2: str, con: MjrContext) -> None:
    """Writes lines of text, in one column or two, at a place of a viewport."""
    text.overlay(buffer(con), con, font, int(gridpos), _rect(viewport), *map(text.words, (overlay, overlay2)))


def mjr_label(  # noqa: N802
    viewport: MjrRect, font: int, txt: str, r: float, g: float, b: float, a: float, rt: float, gt: float, bt: float, con: MjrContext
) -> None:
    """Writes a text in the middle of a coloured rectangle."""
    rect, target = _rect(viewport), buffer(con)
    target.blend(rect, (r, g, b, a))
    left, bottom, width, height = rect
    label = text.words(txt)
    wide, high = text.measure(con, font, label)
    text.write(target, con, font, label, left + max(0, (width - wide) // 2), bottom + (height - high) // 2, (rt, gt, bt))


def mjr_figure(viewport: MjrRect, fig: MjvFigure, con: MjrContext) -> None:
    """Draws a plot of lines."""
    rect = _rect(viewport)
    if rect[2] > 0 and rect[3] > 0:
        draw_figure(buffer(con), con, rect, matching("fig", fig, MjvFigure))


def mjr_findRect(x: int, y: int, nrect: int, rect: Any) -> int:  # noqa: N802
    """Returns the number of the first rectangle in which a point lies, -1 if it lies in none."""
    rects = [rect] if isinstance(rect, Record) else list(rect)
    for i, r in enumerate(rects[:nrect]):
        if r.left <= x < r.left + r.width and r.bottom <= y < r.bottom + r.height:
            return i
    return -1


def mjr_finish() -> None:
    """Does nothing: pictures are complete when they are read."""


def mjr_getError() -> int:  # noqa: N802
    """Returns 0: errors are raised where they happen."""
    return 0
