"""Recordings that play in a browser and in notebooks."""

from __future__ import annotations

import base64
import html
import os
import struct
import zlib
from typing import Any

import numpy as np

from .. import _core
from .._scene import MjvCamera, MjvOption, MjvScene
from .mjv import mjv_updateScene, with_visual

ALL = 7


class Recording(_core.Recording):
    """States of a simulation as one HTML page that plays without a network.

    >>> recording = mj.Recording(model)
    >>> for _ in range(300):
    ...     mj.mj_step(model, data, nstep=5)
    ...     recording.add(data)
    >>> recording.save("walk.html")
    """

    def __init__(
        self, model: Any, camera: Any = None, scene_option: Any = None, title: str = "", autoplay: bool = True
    ) -> None:
        """Makes a recording without frames.

        Args:
            model: the model.
            camera: an ``MjvCamera`` with which the page begins; None for the free one.
            scene_option: what is drawn; None for the default.
            title: title of the page; empty for the model's name.
            autoplay: whether the page plays as soon as it is open.
        """
        from .._functions import mjv_defaultFreeCamera

        self.model, self.title, self.autoplay = with_visual(model), title, autoplay
        self.option = MjvOption() if scene_option is None else scene_option
        self.scene = MjvScene(model)
        if camera is None:
            camera = MjvCamera()
            mjv_defaultFreeCamera(model, camera)
        self.camera = camera

    def add(self, data: Any) -> None:
        """Appends a frame: what data show, at their time. Times may not go back."""
        mjv_updateScene(self.model, data, self.option, None, self.camera, ALL, self.scene)
        self.add_scene(data, self.scene)

    def add_scene(self, data: Any, scene: MjvScene) -> None:
        """Appends a frame: a scene that the caller filled, at the time of data."""
        self._add(data, scene._push())

    @property
    def page(self) -> str:
        """The text of the page."""
        return self._page(self.title, bool(self.autoplay))

    def save(self, path: str | os.PathLike) -> None:
        """Writes the page to a file."""
        with open(os.fspath(path), "w", encoding="utf-8") as file:
            file.write(self.page)

    def _repr_html_(self) -> str:
        return _frame(self.page, 480)

    def __repr__(self) -> str:
        return f"<Recording of {len(self)} frames>"


def _frame(page: str, height: int) -> str:
    style = f"width:100%;height:{height}px;border:0"
    return f'<div><iframe srcdoc="{html.escape(page)}" style="{style}" allowfullscreen></iframe></div>'


def _png(pixels: np.ndarray) -> bytes:
    """Encodes colours as PNG."""
    height, width, _ = pixels.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    # Each row begins with its filter: none.
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes())) + chunk(b"IEND", b"")


class Shown:
    """Text in HTML that a notebook shows."""

    def __init__(self, text: str):
        self.text = text

    def _repr_html_(self) -> str:
        return self.text


def show(what: Any, height: int = 480) -> Any:
    """Returns what shows a recording or a picture in a notebook, as the last expression of a cell.

    Args:
        what: a ``Recording``, the path of a page that one has saved, or colours (height, width, 3), uint8.
        height: height of the page in pixels.
    """
    if isinstance(what, np.ndarray) and what.dtype == np.uint8 and what.ndim == 3 and what.shape[2] == 3 and what.size:
        text = f'<img src="data:image/png;base64,{base64.b64encode(_png(what)).decode()}">'
    elif isinstance(what, Recording):
        text = _frame(what.page, height)
    elif isinstance(what, (str, os.PathLike)):
        with open(os.fspath(what), encoding="utf-8") as file:
            text = _frame(file.read(), height)
    else:
        raise TypeError(
            "`what` must be a Recording, the path of a page, or an array of uint8 of shape (height, width, 3), not"
            f" {type(what).__name__}"
        )
    try:
        from IPython.display import HTML
    except ImportError:
        return Shown(text)
    return HTML(text)
