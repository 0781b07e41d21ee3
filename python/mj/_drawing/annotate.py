"""Labels of geoms, and the frame around a picture: what is written over a scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from . import text

# Flags of scenes that show depth and segments: these stay as they are.
DEPTH, SEGMENT = 7, 8


def is_annotated(scn: Any) -> bool:
    """Returns whether there is more to draw than what the graphics card does."""
    return bool(scn.flags[DEPTH]) or scn.framewidth > 0 or len(_labelled(scn)) > 0


def _labelled(scn: Any) -> np.ndarray:
    """Returns the numbers of geoms with labels."""
    if scn.flags[SEGMENT]:
        return np.zeros(0, int)
    return np.flatnonzero(scn.__dict__["_geoms"].first(max(0, type(scn).ngeom.__get__(scn)))["label"] != "")


def annotation(scn: Any, native: Any, con: Any, rect: tuple[int, int, int, int]) -> Callable[[Any], None] | None:
    """Returns what writes labels and frame of a scene, as it is now, to a buffer; None if there is nothing to write."""
    labelled, frame = _labelled(scn), int(scn.framewidth)
    geoms = scn.__dict__["_geoms"].first(len(scn.__dict__["_geoms"]))
    if len(labelled) == 0 and frame <= 0:
        return None
    places = [
        (*place, label)
        for pos, label in zip(geoms["pos"][labelled], geoms["label"][labelled])
        if (place := _place(pos, scn, native, rect)) is not None
    ]
    rgb = scn.framergb.copy()

    def write(target: Any) -> None:
        left, bottom, width, height = rect
        for x, y, label in places:
            text.write(target, con, text.SHADOW, label, x, y, (1, 1, 1))
        if frame > 0:
            for edge in (
                (left, bottom, width, frame), (left, bottom + height - frame, width, frame),
                (left, bottom, frame, height), (left + width - frame, bottom, frame, height),
            ):  # fmt: skip
                target.blend(edge, (*rgb, 1))

    return write


def _place(pos: Any, scn: Any, native: Any, rect: tuple[int, int, int, int]) -> tuple[int, int] | None:
    """Returns the pixel where a point lies; None outside of the picture."""
    eye = {name: np.asarray(column[0], float) for name, column in _core._scene_camera(native).items()}
    if scn.enabletransform:
        turned = np.empty(3)
        _core.mju_rotVecQuat(turned, scn.scale * np.asarray(pos, float), scn.rotate.astype(float))
        pos = turned + scn.translate
    away = pos - eye["pos"]
    depth = float(away @ eye["forward"])
    if not eye["frustum_near"] <= depth <= eye["frustum_far"]:
        return None
    left, bottom, width, height = rect
    half = (eye["frustum_top"] - eye["frustum_bottom"]) / 2
    middle = (eye["frustum_top"] + eye["frustum_bottom"]) / 2
    wide = eye["frustum_width"] or half * width / height
    on_plane = 1.0 if eye["orthographic"] else eye["frustum_near"] / depth
    x = (float(away @ np.cross(eye["forward"], eye["up"])) * on_plane - eye["frustum_center"]) / wide
    y = (float(away @ eye["up"]) * on_plane - middle) / half
    if not (abs(x) <= 1 and abs(y) <= 1):
        return None
    return left + int((x + 1) / 2 * width), bottom + int((y + 1) / 2 * height)
