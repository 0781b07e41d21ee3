"""A simulation that a program steps, and a browser shows."""

from __future__ import annotations

import contextlib
import copy
import threading
import time
import webbrowser
from collections.abc import Callable
from typing import Any

from .. import _core
from .._scene import MjrRect, MjvCamera, MjvOption, MjvPerturb, MjvScene
from . import overlay

ALONE = 5.0
"""Seconds after which a page that was closed, and not loaded again, ends the view."""

Wish = tuple[str, float]


class Handle:
    """A view of a simulation: the program steps, and calls :meth:`sync` to show the state and to take what users change.

    Pages pull at bodies (``xfrc_applied``), move mocap bodies, and set controls, joints and equalities. ``cam``, ``opt`` and
    ``user_scn`` are the program's: what it writes to them is shown at the next call of :meth:`sync`.

    >>> with mj.view(model, data) as viewer:
    ...     while viewer.is_running():
    ...         mj.mj_step(model, data)
    ...         viewer.sync()
    """

    def __init__(
        self, model: Any, data: Any, host: str, port: int, key_callback: Callable[[int], object] | None = None
    ) -> None:
        """Starts to serve.

        Args:
            model: the model.
            data: its data.
            host: address of this machine at which the page is served; others than its own see it on another one.
            port: port of the page; 0 for any free one.
            key_callback: called by :meth:`sync` with the code of each key that a user pressed.
        """
        from .._functions import mjv_defaultFreeCamera

        self._model, self._data = model, data
        self._cam, self._opt, self._pert = MjvCamera(), MjvOption(), MjvPerturb()
        mjv_defaultFreeCamera(model, self._cam)
        self._user_scn = MjvScene(model, 1000)
        self._seen_cam, self._seen_opt = copy.copy(self._cam), copy.copy(self._opt)
        self._lock, self._watched = threading.RLock(), None
        self._key_callback = key_callback
        self._texts: list[overlay.Text] = []
        self._images: list[overlay.Image] = []
        self._figures: list[overlay.Image] = []
        self._native = _core.Viewer(host, port)
        self.sync()

    @property
    def url(self) -> str | None:
        """Address of the page, with the token that lets a browser in; None after :meth:`close`."""
        return self._native.url

    @property
    def m(self) -> Any:
        """The model."""
        return self._model

    @property
    def d(self) -> Any:
        """The data."""
        return self._data

    @property
    def cam(self) -> Any:
        """Camera through which the page looks after the program has written to it."""
        return self._cam

    @property
    def opt(self) -> Any:
        """Flags, groups, frames and labels that the page shows after the program has written to them."""
        return self._opt

    @property
    def pert(self) -> Any:
        """Perturbation of the program's own; those of pages are applied by :meth:`sync`."""
        return self._pert

    @property
    def user_scn(self) -> Any:
        """Scene whose first ``ngeom`` geoms are shown beside those of the model."""
        return self._user_scn

    @property
    def viewport(self) -> Any:
        """Rectangle of a picture; pages have sizes of their own."""
        return MjrRect(0, 0, 1280, 720)

    def is_running(self) -> bool:
        """Returns whether the view is open: until :meth:`close`, or some seconds after the last page was closed."""
        if self._native.url is None:
            return False
        if self._native.watchers:
            self._watched = time.monotonic()
        return self._watched is None or time.monotonic() - self._watched < ALONE

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """Returns a context in which no other thread syncs."""
        return self._lock

    def sync(self, state_only: bool = False) -> None:
        """Shows the state, and writes what users of the page changed to the data.

        Args:
            state_only: accepted for programs of MuJoCo's; a state is all that is copied.
        """
        for word, number in self._exchange(None):
            # Outside of the lock: it is the program's, and may sync.
            if word == "press" and self._key_callback is not None:
                self._key_callback(int(number))

    def _exchange(self, pace: tuple[bool, float, float] | None) -> list[Wish]:
        with self._lock:
            camera = None if self._cam == self._seen_cam else self._cam
            options = None if self._opt == self._seen_opt else self._opt
            if camera is not None or options is not None:
                self._native._look(camera, options)
                self._seen_cam, self._seen_opt = copy.copy(self._cam), copy.copy(self._opt)
            scene = self._user_scn
            geoms = scene.geoms.first(scene.ngeom) if scene.ngeom else None
            return self._native._sync(self._model, self._data, geoms, pace)

    def update_mesh(self, meshid: int) -> None:
        """Shows a mesh whose vertices the program has changed."""
        self._native._renew()

    def update_hfield(self, hfieldid: int) -> None:
        """Shows a height field whose heights the program has changed."""
        self._native._renew()

    def update_texture(self, texid: int) -> None:
        """Shows a texture whose pixels the program has changed."""
        self._native._renew()

    def set_texts(self, texts: Any) -> None:
        """Shows texts over the picture, in place of those of before, from the next :meth:`sync` on.

        Args:
            texts: one or a list of (font, place, left, right): an ``mjtFont`` or None, an ``mjtGridPos`` or None for the top left
                corner, and the lines of two columns, each a string or None.
        """
        self._texts = overlay.texts(texts)
        self._show_overlay()

    def set_images(self, viewports_images: Any) -> None:
        """Shows images over the picture, in place of those of before, from the next :meth:`sync` on.

        Args:
            viewports_images: one or a list of (rectangle, image): an ``MjrRect`` in pixels of :attr:`viewport`, to which the page
                stretches the image, and colours (height, width, 3), bytes.
        """
        self._images = overlay.images(viewports_images, self.viewport)
        self._show_overlay()

    def set_figures(self, viewports_figures: Any) -> None:
        """Shows plots over the picture, in place of those of before, from the next :meth:`sync` on.

        Args:
            viewports_figures: one or a list of (rectangle, figure): an ``MjrRect`` in pixels of :attr:`viewport`, and an
                ``MjvFigure``, which is drawn as it is now.
        """
        self._figures = overlay.figures(viewports_figures, self.viewport)
        self._show_overlay()

    def clear_texts(self) -> None:
        """Removes the texts."""
        self.set_texts([])

    def clear_images(self) -> None:
        """Removes the images."""
        self.set_images([])

    def clear_figures(self) -> None:
        """Removes the plots."""
        self.set_figures([])

    def _show_overlay(self) -> None:
        with self._lock:
            self._native._overlay(self._texts, self._images + self._figures)

    def close(self) -> None:
        """Ends the view; its pages say so."""
        self._native.close()

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def view(
    model: Any,
    data: Any,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    open_browser: bool = True,
    tell: Callable[[str], object] = print,
    key_callback: Callable[[int], object] | None = None,
) -> Handle:
    """Shows a simulation in a browser while the program steps it.

    Args:
        model: the model.
        data: its data.
        host: address at which the page is served: this machine alone, unless another one is asked for.
        port: port of the page; 0 for any free one.
        open_browser: whether a browser of this machine is opened.
        tell: called with the URL of the page.
        key_callback: called by ``sync`` with the code of each key that a user pressed on the page, as GLFW numbers keys: 32 for
            space, 65 for A, 257 for enter. Keys of the page work as well.

    Returns:
        The view; ``sync`` shows a state, ``close`` ends it.
    """
    handle = Handle(model, data, host, port, key_callback)
    tell(f"mj: the simulation is shown at {handle.url}")
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(handle.url,), daemon=True).start()
    return handle
