"""A simulation that a program steps, and a browser shows."""

from __future__ import annotations

import contextlib
import copy
import threading
import time
import webbrowser
from collections.abc import Callable
from typing import Any, NoReturn

from .. import _core
from .._scene import MjrRect, MjvCamera, MjvOption, MjvPerturb, MjvScene

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

    def __init__(self, model: Any, data: Any, host: str, port: int) -> None:
        """Starts to serve.

        Args:
            model: the model.
            data: its data.
            host: address of this machine at which the page is served; others than its own see it on another one.
            port: port of the page; 0 for any free one.
        """
        from .._functions import mjv_defaultFreeCamera

        self._model, self._data = model, data
        self._cam, self._opt, self._pert = MjvCamera(), MjvOption(), MjvPerturb()
        mjv_defaultFreeCamera(model, self._cam)
        self._user_scn = MjvScene(model, 1000)
        self._seen_cam, self._seen_opt = copy.copy(self._cam), copy.copy(self._opt)
        self._lock, self._watched = threading.RLock(), None
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
        self._exchange(None)

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

    def set_figures(self, viewports_figures: Any) -> NoReturn:
        """Raises: pages show plots of their own."""
        _no_overlay("figures")

    def set_texts(self, texts: Any) -> NoReturn:
        """Raises: labels of geoms in ``user_scn`` are shown."""
        _no_overlay("texts")

    def set_images(self, viewports_images: Any) -> NoReturn:
        """Raises: pages show no images over the picture."""
        _no_overlay("images")

    def clear_figures(self) -> None:
        """Does nothing: there are none."""

    def clear_texts(self) -> None:
        """Does nothing: there are none."""

    def clear_images(self) -> None:
        """Does nothing: there are none."""

    def close(self) -> None:
        """Ends the view; its pages say so."""
        self._native.close()

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _no_overlay(what: str) -> NoReturn:
    raise NotImplementedError(f"pages show no {what} over the picture; `user_scn` takes geoms with labels")


def view(
    model: Any,
    data: Any,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    open_browser: bool = True,
    tell: Callable[[str], object] = print,
) -> Handle:
    """Shows a simulation in a browser while the program steps it.

    Args:
        model: the model.
        data: its data.
        host: address at which the page is served: this machine alone, unless another one is asked for.
        port: port of the page; 0 for any free one.
        open_browser: whether a browser of this machine is opened.
        tell: called with the URL of the page.

    Returns:
        The view; ``sync`` shows a state, ``close`` ends it.
    """
    handle = Handle(model, data, host, port)
    tell(f"mj: the simulation is shown at {handle.url}")
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(handle.url,), daemon=True).start()
    return handle
