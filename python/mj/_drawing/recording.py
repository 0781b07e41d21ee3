"""Recordings that play in a browser and in notebooks."""

from __future__ import annotations

import html
import os
from typing import Any

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


class Page:
    """A page inside a notebook."""

    def __init__(self, page: str, height: int):
        self.page, self.height = page, height

    def _repr_html_(self) -> str:
        return _frame(self.page, self.height)


def show(recording: Any, height: int = 480) -> Any:
    """Returns what shows a recording in a notebook: the last expression of a cell plays.

    Args:
        recording: a ``Recording``, or the path of a page that one has saved.
        height: height in pixels.
    """
    if isinstance(recording, Recording):
        page = recording.page
    elif isinstance(recording, (str, os.PathLike)):
        with open(os.fspath(recording), encoding="utf-8") as file:
            page = file.read()
    else:
        raise TypeError(f"`recording` must be a Recording or the path of a page, not {type(recording).__name__}")
    try:
        from IPython.display import HTML
    except ImportError:
        return Page(page, height)
    return HTML(_frame(page, height))
