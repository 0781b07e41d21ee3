"""Contexts for drawing: a device of the graphics card, and framebuffers."""

from __future__ import annotations

import threading
import warnings
import weakref
from typing import Any

from .. import _core
from .._arguments import matching
from .._records import fields
from .._scene import MjvScene, _Drawn
from .annotate import DEPTH, annotation
from .buffer import Buffer, Picture
from .textures import by_reference
from .mjv import with_visual

WINDOW, OFFSCREEN = 0, 1
# Most auxiliary buffers.
AUX = 10
# Format of pixels: red first.
RGB = 0x1907
# Most pixels along a side of a viewport.
LARGEST = 16384
# Faces of scaled texts: percent.
FONTS = (50, 100, 150, 200, 250, 300)

# The context whose buffer was set last in a thread: functions without a context draw there.
_current = threading.local()


class MjrContext(_Drawn):
    """Resources for drawing scenes of a model: assets on the graphics card, buffers, sizes of texts.

    The graphics driver is opened when a scene is first drawn.
    """

    FIELDS = {
        **fields("f4", "lineWidth shadowClip shadowScale fogStart fogEnd"),
        **fields("f4", "fogRGBA", (4,)),
        **fields("i4", "shadowSize offWidth offHeight offSamples fontScale ntexture nskin charHeight charHeightBig"),
        **fields("i4", "glInitialized windowAvailable windowSamples windowStereo windowDoublebuffer"),
        **fields("i4", "currentBuffer readPixelFormat readDepthMap"),
        **fields("i4", "auxWidth auxHeight auxSamples", (AUX,)),
        **fields("i4", "charWidth charWidthBig", (127,)),
    }
    DEFAULTS = {"readPixelFormat": RGB}

    def __init__(self, model: Any = None, fontscale: int = 150) -> None:
        buffers: dict[int, Buffer] = {}
        self.__dict__.update(_model=None, _device=None, _buffers=buffers, _aux={}, _aux_now=None)
        # Model of shading, exposure, tone map.
        self.__dict__["_shading"] = ("phong", 0.0, "neutral")
        if model is None:
            return
        scale = int(fontscale)
        if scale not in FONTS:
            raise ValueError(f"`fontscale` must be one of {', '.join(map(str, FONTS))}, not {scale}")
        self.__dict__["_model"] = with_visual(matching("model", model, _core.MjModel))
        visual, extent = model.vis, model.stat.extent
        self.lineWidth, self.fogRGBA = visual.global_.linewidth, visual.rgba.fog
        self.shadowClip, self.shadowScale = visual.map.shadowclip * extent, visual.map.shadowscale
        self.fogStart, self.fogEnd = visual.map.fogstart * extent, visual.map.fogend * extent
        self.shadowSize, self.offSamples = visual.quality.shadowsize, visual.quality.offsamples
        self.offWidth, self.offHeight = max(visual.global_.offwidth, 1), max(visual.global_.offheight, 1)
        self.ntexture, self.nskin, self.glInitialized, self.windowAvailable = model.ntex, model.nskin, 1, 1
        set_font(self, scale)
        buffers[WINDOW] = Buffer(self.offWidth, self.offHeight)
        buffers[OFFSCREEN] = Buffer(self.offWidth, self.offHeight)
        make_current(self)

    def free(self) -> None:
        """Gives the resources back; the context draws no more."""
        self.__dict__.update(_model=None, _device=None, _buffers={}, _aux={}, _aux_now=None)
        self.glInitialized = 0

    def __copy__(self) -> Any:
        raise TypeError("a context can't be copied or pickled: make another one")

    def __reduce__(self) -> Any:
        return self.__copy__()

    def device(self) -> Any:
        """Returns the renderer on the graphics card, after opening it the first time."""
        of = self.__dict__
        buffer(self)
        if of["_device"] is None:
            of["_device"] = _core.Renderer(of["_model"], by_reference(of["_model"]), of["_shading"])
            _warn_once(of["_device"].warnings)
        return of["_device"]

    def renew(self, model: Any) -> None:
        """Takes the assets of a model to the graphics card anew, before the next scene."""
        self.__dict__.update(_model=with_visual(model), _device=None)


_warned: set[str] = set()


def _warn_once(messages: list[str]) -> None:
    for message in messages:
        if message not in _warned:
            _warned.add(message)
            warnings.warn(f"mj: {message}", RuntimeWarning, stacklevel=2)


def set_font(con: MjrContext, scale: int) -> None:
    """Sets the size of texts, percent."""
    from .text import advance, height

    con.fontScale = scale
    con.charHeight, con.charHeightBig = height(scale, False), height(scale, True)
    con.charWidth, con.charWidthBig = advance(scale, False), advance(scale, True)


def make_current(con: MjrContext) -> None:
    """Makes functions without a context draw to a context's buffer."""
    _current.context = weakref.ref(con)


def current() -> Buffer:
    """Returns the buffer of the context that was made or set last in this thread."""
    con = getattr(_current, "context", lambda: None)()
    if con is None:
        raise ValueError("there is no context to draw to: make an MjrContext first, and keep it")
    return buffer(con)


def buffer(con: Any) -> Buffer:
    """Returns the buffer to which a context draws now."""
    of = matching("con", con, MjrContext).__dict__
    if of["_model"] is None:
        raise ValueError("the context has no model: it was made without one, or freed")
    return of["_buffers"][con.currentBuffer] if of["_aux_now"] is None else of["_aux"][of["_aux_now"]]


def draw(rect: tuple[int, int, int, int], scn: Any, con: Any) -> None:
    """Draws a scene to a rectangle of a context's buffer."""
    target, device = buffer(con), con.device()
    left, bottom, width, height = rect
    if max(map(abs, rect)) > LARGEST:
        raise ValueError(f"a viewport of {width} x {height} pixels at {left}, {bottom} is too large: {LARGEST} is the limit")
    if con.currentBuffer == WINDOW:
        target.reach(left + width, bottom + height)
    native = matching("scn", scn, MjvScene)._push()
    scene = native._copy()
    eye = scn.__dict__["_cameras"][0]
    target.add(
        Picture(
            draw=lambda rgb, depth: device._draw(scene, width, height, rgb, depth),
            rect=rect,
            near=eye.frustum_near,
            far=eye.frustum_far,
            orthographic=bool(eye.orthographic),
            depth_shown=bool(scn.flags[DEPTH]),
            write=annotation(scn, native, con, rect),
        )
    )
