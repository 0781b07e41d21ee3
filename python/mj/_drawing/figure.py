"""Plots of lines."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from . import text

# Least span of an axis.
SPAN = 1e-5
# Forms of numbers at axes; others count as none.
FORM = re.compile(r"[^%]*%[-+ 0#]*\d{0,2}(\.\d{0,2})?[efgEFGd][^%]*")


def _points(fig: Any) -> list[np.ndarray]:
    """Returns the points of each line, those that are numbers."""
    lines = []
    for count, data in zip(fig.linepnt, fig.linedata):
        points = data[: 2 * int(np.clip(count, 0, len(data) // 2))].reshape(-1, 2)
        lines.append(points[np.isfinite(points).all(axis=1)])
    return lines


def _ranges(fig: Any, lines: list[np.ndarray]) -> np.ndarray:
    """Returns the ranges of both axes."""
    values = np.concatenate(lines)
    out = np.zeros((2, 2))
    for axis in (0, 1):
        low, high = (float(x) for x in fig.range[axis])
        given = low < high < np.inf and low > -np.inf
        if len(values) and (fig.flg_extend or not given):
            least, most = float(values[:, axis].min()), float(values[:, axis].max())
            low, high = (min(low, least), max(high, most)) if given else (least, most)
        if high - low < SPAN:
            middle = (low + high) / 2
            low, high = middle - SPAN / 2, middle + SPAN / 2
        if axis == 1:
            step = 10.0 ** np.floor(np.log10(high - low))
            low, high = np.floor(low / step) * step, np.ceil(high / step) * step
            if fig.flg_symmetric:
                high = max(abs(low), abs(high))
                low = -high
        out[axis] = low, high
    return out


def _label(form: str, x: float) -> str:
    return (form if FORM.fullmatch(form) else "%.3g") % x


class _Pane:
    """A part of a figure: its lower left corner and size."""

    def __init__(self, rect: tuple[int, int, int, int]):
        self.left, self.bottom, self.width, self.height = rect

    @property
    def rect(self) -> tuple[int, int, int, int]:
        return self.left, self.bottom, self.width, self.height

    def shrink(self, left: int = 0, right: int = 0, bottom: int = 0, top: int = 0) -> None:
        self.left, self.bottom = self.left + left, self.bottom + bottom
        self.width, self.height = self.width - left - right, self.height - bottom - top


def draw_figure(target: Any, con: Any, rect: tuple[int, int, int, int], fig: Any) -> None:
    """Draws a figure to a rectangle of a buffer."""
    lines = _points(fig)
    ranges = _ranges(fig, lines)
    fig.xaxisdata, fig.yaxisdata = ranges
    pane, pad, high = _Pane(rect), con.charHeight // 2, con.charHeight
    target.blend(rect, fig.figurergba)

    def centred(words: str, y: int) -> None:
        x = pane.left + max(0, (pane.width - text.measure(con, 0, words)[0]) // 2)
        text.write(target, con, 0, words, x, y, fig.textrgb)

    titles = text.words(fig.title).split("  ")
    title = titles[fig.subplot].strip() if 0 <= fig.subplot < len(titles) else ""
    if title:
        centred(title, pane.bottom + pane.height - pad - high)
    if fig.xlabel:
        centred(text.words(fig.xlabel), pane.bottom + pad)
    pane.shrink(bottom=(high + pad // 2) if fig.xlabel else 0, top=(high + pad) if title else 0)
    _tick_labels(target, con, fig, pane, ranges, pad)
    pane.shrink(pad, pad, pad, pad)
    if pane.width <= 1 or pane.height <= 1:
        return
    fig.xaxispixel = pane.left, pane.left + pane.width - 1
    fig.yaxispixel = pane.bottom, pane.bottom + pane.height - 1
    target.blend(pane.rect, fig.panergba)
    mask = np.zeros((pane.height, pane.width), bool)
    for axis, n in enumerate(np.clip(fig.gridsize, 0, 100)):
        at = np.rint(np.linspace(0, mask.shape[1 - axis] - 1, n)).astype(int) if n > 1 else np.zeros(0, int)
        mask[(slice(None), at) if axis == 0 else (at, slice(None))] = True
    target.blend(pane.rect, (*fig.gridrgb, 1), mask)
    for points, rgb in zip(lines, fig.linergb):
        if len(points):
            target.blend(pane.rect, (*rgb, 1), _line(points, ranges, pane, fig))
    if fig.flg_legend:
        _legend(target, con, fig, pane, pad)


def _tick_labels(target: Any, con: Any, fig: Any, pane: _Pane, ranges: np.ndarray, pad: int) -> None:
    """Writes the numbers at both axes, and takes their place from the pane."""
    if min(fig.gridsize) < 2:
        return
    counts = [min(20, int(n)) for n in fig.gridsize]
    shown = [bool(x) for x in fig.flg_ticklabel]
    ticks = [
        [_label(form, x) for x in np.linspace(*ranges[axis], counts[axis])] if shown[axis] else []
        for axis, form in enumerate(map(text.words, (fig.xformat, fig.yformat)))
    ]
    high = con.charHeight
    below = high + pad if shown[0] else 0
    aside = pad + max(text.measure(con, 0, words)[0] for words in [*ticks[1], text.words(fig.minwidth)]) if shown[1] else 0
    for i, words in enumerate(ticks[0]):
        wide = text.measure(con, 0, words)[0]
        x = pad + aside + (pane.width - 2 * pad - aside) * i // (counts[0] - 1)
        x -= 0 if i == 0 else wide if i == counts[0] - 1 else wide // 2
        text.write(target, con, 0, words, pane.left + x, pane.bottom + pad, fig.textrgb)
    for i, words in enumerate(ticks[1]):
        y = pad + below - high // 2 + (pane.height - 2 * pad - below) * i // (counts[1] - 1)
        x = aside - text.measure(con, 0, words)[0]
        text.write(target, con, 0, words, pane.left + x, pane.bottom + y, fig.textrgb)
    pane.shrink(left=aside, bottom=below)


def _line(points: np.ndarray, ranges: np.ndarray, pane: _Pane, fig: Any) -> np.ndarray:
    """Returns which pixels of a pane a line covers."""
    size = np.array([pane.width, pane.height])
    at = (points - ranges[:, 0]) / (ranges[:, 1] - ranges[:, 0]) * (size - 1)
    mask = np.zeros((pane.height, pane.width), bool)
    if fig.flg_barplot:
        half = max(1, pane.width // max(1, 2 * len(at)) - 1)
        for x, y in at:
            mask[: max(0, int(y) + 1), max(0, int(x) - half) : max(0, int(x) + half)] = True
        return mask
    # Far points leave the picture in the same direction.
    at = np.clip(at, -4 * size, 5 * size)
    steps = [np.linspace(a, b, int(np.abs(b - a).max()) + 2) for a, b in zip(at, at[1:])] or [at]
    centre = np.rint(np.concatenate(steps)).astype(int)
    wide = round(float(np.clip(np.nan_to_num(fig.linewidth), 1, 20)))
    for dx in range(-(wide // 2), wide - wide // 2):
        for dy in range(-(wide // 2), wide - wide // 2):
            x, y = centre[:, 0] + dx, centre[:, 1] + dy
            inside = (x >= 0) & (y >= 0) & (x < pane.width) & (y < pane.height)
            mask[y[inside], x[inside]] = True
    return mask


def _legend(target: Any, con: Any, fig: Any, pane: _Pane, pad: int) -> None:
    """Writes the names of lines in the upper right corner."""
    named = [(text.words(name), rgb) for name, rgb in zip(fig.linename, fig.linergb) if name]
    if not named:
        return
    wide = max(text.measure(con, 0, name)[0] for name, _ in named) + 2 * pad
    high = con.charHeight
    left, top = pane.left + pane.width - wide, pane.bottom + pane.height
    rows = len(named) + max(0, fig.legendoffset)
    target.blend((left, top - rows * high, wide, rows * high), fig.legendrgba)
    for i, (name, rgb) in enumerate(named, 1 + max(0, fig.legendoffset)):
        text.write(target, con, 0, name, left + pad, top - i * high, rgb)
