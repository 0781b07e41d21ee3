"""Framebuffers: pixels that pictures, texts and figures are drawn to, bottom row first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Picture:
    """A scene that is drawn when its pixels are first read: colours and depth each when they are."""

    draw: Any
    rect: tuple[int, int, int, int]
    near: float
    far: float
    orthographic: bool
    depth_shown: bool
    write: Any = None
    has_rgb: bool = False
    has_depth: bool = False

    def share(self, distance: np.ndarray) -> np.ndarray:
        """Returns where distances lie between the near plane, 0, and the far plane, 1, as a graphics library has it."""
        depth = np.clip(distance.astype(np.float64), self.near, self.far)
        share = (depth - self.near) / (self.far - self.near)
        return (share if self.orthographic else share * self.far / depth).astype(np.float32)


def _common(rect: tuple[int, int, int, int], target: np.ndarray) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Returns rows and columns that a rectangle shares with an array: in the array, and in the rectangle."""
    left, bottom, width, height = rect
    x0, y0 = max(left, 0), max(bottom, 0)
    x1, y1 = max(x0, min(left + width, target.shape[1])), max(y0, min(bottom + height, target.shape[0]))
    return (slice(y0, y1), slice(x0, x1)), (slice(y0 - bottom, y1 - bottom), slice(x0 - left, x1 - left))


class Buffer:
    """Colours and depth, 0 near and 1 far, of some pixels."""

    def __init__(self, width: int, height: int):
        self.rgb = np.zeros((height, width, 3), np.uint8)
        self.depth = np.ones((height, width), np.float32)
        self.pictures: list[Picture] = []

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.rgb.shape[1], self.rgb.shape[0]

    def reach(self, width: int, height: int) -> None:
        """Grows so that it has so many pixels at least."""
        w, h = max(width, self.size[0]), max(height, self.size[1])
        if (w, h) != self.size:
            old, self.rgb, self.depth = self, np.zeros((h, w, 3), np.uint8), np.ones((h, w), np.float32)
            self.rgb[: old.rgb.shape[0], : old.rgb.shape[1]] = old.rgb[:h, :w]

    def add(self, picture: Picture) -> None:
        """Draws a scene; what it covers is forgotten."""
        left, bottom, width, height = picture.rect
        for other in [*self.pictures]:
            x, y, w, h = other.rect
            if left <= x and bottom <= y and x + w <= left + width and y + h <= bottom + height:
                self.pictures.remove(other)
        self.pictures.append(picture)

    def paste(self, target: np.ndarray, rect: tuple[int, int, int, int], source: Any) -> None:
        """Writes pixels, or one value for all, to a rectangle of colours or depth, as far as it lies within."""
        there, of = _common(rect, target)
        target[there] = np.broadcast_to(source, (max(rect[3], 0), max(rect[2], 0), *target.shape[2:]))[of]

    def cut(self, source: np.ndarray, rect: tuple[int, int, int, int]) -> np.ndarray:
        """Returns a rectangle of colours or depth; zeros where it lies outside."""
        left, bottom, width, height = rect
        out = np.zeros((height, width, *source.shape[2:]), source.dtype)
        self.paste(out, (-left, -bottom, source.shape[1], source.shape[0]), source)
        return out

    def colours(self) -> np.ndarray:
        """Returns the colours, after drawing what lacks."""
        for picture in self.pictures:
            if not picture.has_rgb:
                picture.has_rgb = True
                if picture.depth_shown:
                    share = picture.share(picture.draw(False, True)[1][::-1])
                    self.paste(self.rgb, picture.rect, ((1 - share) * 255).astype(np.uint8)[..., None])
                else:
                    self.paste(self.rgb, picture.rect, picture.draw(True, False)[0][::-1])
                if picture.write is not None:
                    picture.write(self)
        return self.rgb

    def depths(self) -> np.ndarray:
        """Returns the depth, after drawing what lacks."""
        for picture in self.pictures:
            if not picture.has_depth:
                picture.has_depth = True
                self.paste(self.depth, picture.rect, picture.share(picture.draw(False, True)[1][::-1]))
        return self.depth

    def blend(self, rect: tuple[int, int, int, int], rgba: Any, mask: Any = 1.0) -> None:
        """Lays a colour over a rectangle, where the mask is not 0."""
        colours = self.colours()
        there, of = _common(rect, colours)
        rgba = np.nan_to_num(np.clip(np.asarray(rgba, np.float32), 0, 1))
        weight = np.broadcast_to(np.asarray(mask, np.float32), (max(rect[3], 0), max(rect[2], 0)))[of]
        below = colours[there].astype(np.float32)
        over = below + (255 * rgba[:3] - below) * (rgba[3] * weight)[..., None]
        colours[there] = np.rint(over).astype(np.uint8)
