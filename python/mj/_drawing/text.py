"""Texts in a raster font of 5 by 7 points."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

# Five columns for each character from the space to the tilde, as bits from the top row down.
_GLYPHS = bytes.fromhex(
    "0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649552250 0005030000 001c224100 0041221c00"
    "14083e0814 08083e0808 0050300000 0808080808 0060600000 2010080402 3e5149453e 00427f4000 4261514946 2141454b31"
    "1814127f10 2745454539 3c4a494930 0171090503 3649494936 064949291e 0036360000 0056360000 0814224100 1414141414"
    "0041221408 0201510906 324979413e 7e1111117e 7f49494936 3e41414122 7f4141221c 7f49494941 7f09090901 3e4149497a"
    "7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f020c027f 7f0408107f 3e4141413e 7f09090906 3e4151215e"
    "7f09192946 4649494931 01017f0101 3f4040403f 1f2040201f 3f4038403f 6314081463 0708700807 6151494543 007f414100"
    "0204081020 0041417f00 0402010204 4040404040 0001020400 2054545478 7f48444438 3844444420 384444487f 3854545418"
    "087e090102 0c5252523e 7f08040478 00447d4000 2040443d00 7f10284400 00417f4000 7c04180478 7c08040478 3844444438"
    "7c14141408 081414187c 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c 4428102844 0c5050503c"
    "4464544c44 0008364100 00007f0000 0041360800 0804081008".replace(" ", "")
)
_WIDTH, _HEIGHT = 6, 9
# Points of a large font, for one of a normal one.
_BIG = 1.5
SHADOW, BIG = 1, 2
TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT, TOP, BOTTOM, LEFT, RIGHT = range(8)


def _point(scale: int, big: bool) -> int:
    """Returns the size of a point in pixels."""
    return max(1, round(scale / 100 * (_BIG if big else 1)))


def height(scale: int, big: bool) -> int:
    """Returns the height of a line in pixels."""
    return _HEIGHT * _point(scale, big)


def advance(scale: int, big: bool) -> int:
    """Returns the width of a character in pixels."""
    return _WIDTH * _point(scale, big)


@functools.lru_cache(maxsize=256)
def _mask(text: str, point: int) -> np.ndarray:
    """Returns which pixels of a line of text are drawn, bottom row first."""
    out = np.zeros((_HEIGHT, max(1, _WIDTH * len(text))), bool)
    for i, character in enumerate(text):
        code = ord(character) - 32
        if not 0 <= 5 * code < len(_GLYPHS):
            code = ord("?") - 32
        columns = np.frombuffer(_GLYPHS, np.uint8, 5, 5 * code)
        # The lowest bit is the top row; one row lies below the letters.
        out[1:8, _WIDTH * i : _WIDTH * i + 5] = (columns[None, :] >> np.arange(6, -1, -1)[:, None]) & 1
    return out.repeat(point, 0).repeat(point, 1)


def words(text: Any) -> str:
    """Returns a text that is given as a string, as bytes, or not at all."""
    return text.decode(errors="replace") if isinstance(text, bytes) else str(text or "")


def measure(con: Any, font: int, text: str) -> tuple[int, int]:
    """Returns width and height of a line of text in pixels."""
    big = font == BIG
    return advance(con.fontScale, big) * len(text), height(con.fontScale, big)


def write(target: Any, con: Any, font: int, text: str, x: int, y: int, rgb: Any) -> None:
    """Writes a line of text from its lower left corner on."""
    if not text:
        return
    mask = _mask(text, _point(con.fontScale, font == BIG))
    rows, columns = mask.shape
    if font == SHADOW:
        target.blend((x + 1, y - 1, columns, rows), (0, 0, 0, 0.5), mask)
    target.blend((x, y, columns, rows), (*rgb, 1), mask)


def overlay(target: Any, con: Any, font: int, place: int, rect: tuple[int, int, int, int], first: str, second: str) -> None:
    """Writes lines of text, in one column or two, at a place of a rectangle."""
    if not 0 <= place <= RIGHT:
        raise ValueError(f"`gridpos` must be a member of mjtGridPos, not {place}")
    columns = [(first, 0.7 if second else 1.0)] + [(second, 1.0)] * bool(second)
    if second and place in (TOP_RIGHT, BOTTOM_RIGHT, RIGHT):
        columns.reverse()
    skip = 0
    for text, grey in columns:
        skip += _column(target, con, font, place, rect, skip, text, grey)


def _column(
    target: Any, con: Any, font: int, place: int, rect: tuple[int, int, int, int], skip: int, text: str, grey: float
) -> int:
    """Writes a column of an overlay, and returns its width."""
    left, bottom, width, height_ = rect
    pad, lines = 5, text.split("\n")
    high = measure(con, font, "")[1]
    w = pad + max(measure(con, font, line)[0] for line in lines) + 8
    h = pad + (high + pad) * len(lines) - pad
    x = {TOP: 1, BOTTOM: 1, TOP_RIGHT: 2, BOTTOM_RIGHT: 2, RIGHT: 2}.get(place, 0)
    y = {BOTTOM_LEFT: 0, BOTTOM_RIGHT: 0, BOTTOM: 0, LEFT: 1, RIGHT: 1}.get(place, 2)
    at_x = left + (skip + pad, (width - w) // 2 - 1 - pad + skip, width - skip - 1 - pad - w)[x]
    at_y = bottom + (pad, (height_ - h) // 2 - 1 - pad, height_ - 1 - pad - h)[y]
    target.blend((at_x, at_y, w, h), (0, 0, 0, 0.5))
    for i, line in enumerate(lines):
        write(target, con, font, line, at_x + pad, at_y + h - (high + pad) * (i + 1) + pad // 2, [grey] * 3)
    return w
