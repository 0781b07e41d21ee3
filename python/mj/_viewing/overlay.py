"""Texts, images and plots that a program shows over the picture."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from .._arguments import matching
from .._scene import MjrRect, MjvFigure

Text = tuple[int, int, str, str]
Image = tuple[tuple[float, float, float, float], np.ndarray]
# Size of texts in plots, percent.
SCALE = 100


def _entries(what: str, given: Any, size: int) -> list[tuple[Any, ...]]:
    """Returns a list of tuples, where one alone may be given."""
    entries = [given] if isinstance(given, tuple) else list(given)
    for entry in entries:
        if not isinstance(entry, tuple) or len(entry) != size:
            raise ValueError(f"`{what}` takes a tuple of {size} or a list of them, not {entry!r:.80}")
    return entries


def texts(given: Any) -> list[Text]:
    """Returns font, place and columns of texts."""
    out = []
    for font, place, left, right in _entries("texts", given, 4):
        out.append((int(font or 0), int(place or 0), str(left or ""), str(right or "")))
    return out


def _share(rect: Any, viewport: Any) -> tuple[float, float, float, float]:
    """Returns left, bottom, width and height as shares of a viewport."""
    rect = matching("viewport", rect, MjrRect)
    width, height = viewport.width, viewport.height
    return rect.left / width, rect.bottom / height, rect.width / width, rect.height / height


def images(given: Any, viewport: Any) -> list[Image]:
    """Returns places and copies of images."""
    out = []
    for rect, pixels in _entries("viewports_images", given, 2):
        array = np.asarray(pixels)
        if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3:
            raise ValueError(f"an image has shape {array.shape} of {array.dtype}; expected (height, width, 3) of uint8")
        out.append((_share(rect, viewport), np.ascontiguousarray(array)))
    return out


def figures(given: Any, viewport: Any) -> list[Image]:
    """Returns places and pictures of plots."""
    from .._drawing.buffer import Buffer
    from .._drawing.context import LARGEST, set_font
    from .._drawing.figure import draw_figure

    # All that plots need of a context.
    font: Any = SimpleNamespace()
    set_font(font, SCALE)
    out = []
    for rect, figure in _entries("viewports_figures", given, 2):
        share = _share(rect, viewport)
        width, height = int(rect.width), int(rect.height)
        if not (0 < width <= LARGEST and 0 < height <= LARGEST):
            raise ValueError(f"a plot of {width} x {height} pixels can't be drawn: both lie between 1 and {LARGEST}")
        target = Buffer(width, height)
        draw_figure(target, font, (0, 0, width, height), matching("figure", figure, MjvFigure))
        out.append((share, np.ascontiguousarray(target.rgb[::-1])))
    return out
