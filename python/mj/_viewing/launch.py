"""MuJoCo's names for views: ``viewer.launch`` and its like."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from .handle import Handle, Wish, view

FRAME = 1 / 60
"""Longest time of steps between two looks at what users ask for, s."""


def launch_passive(
    model: Any,
    data: Any,
    *,
    key_callback: Callable[[int], object] | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> Handle:
    """Shows a simulation in a browser while the program steps it; see :func:`mj.view`.

    Args:
        model: the model.
        data: its data.
        key_callback: called by ``sync``, in the program's thread, with the code of each key that a user pressed on the page.
        show_left_ui: accepted for programs of MuJoCo's.
        show_right_ui: accepted for programs of MuJoCo's.
    """
    return view(model, data, key_callback=key_callback)


def launch(
    model: Any = None,
    data: Any = None,
    *,
    loader: Callable[[], tuple[Any, ...]] | None = None,
    show_left_ui: bool = True,
    show_right_ui: bool = True,
) -> None:
    """Shows a simulation in a browser, runs it in real time, and returns when the page is closed.

    Args:
        model: the model.
        data: its data; made where there is none.
        loader: returns a model and its data; called again where the page asks for it.
        show_left_ui: accepted for programs of MuJoCo's.
        show_right_ui: accepted for programs of MuJoCo's.
    """
    from .. import _core

    if model is None:
        if loader is None:
            raise ValueError("`launch` needs a model or a loader; a file is shown by `launch_from_path`")
        model, data = loader()[:2]
    elif data is None:
        data = _core.MjData(model)
    with view(model, data) as handle:
        _Run(handle, loader).until_closed()


def launch_from_path(path: str) -> None:
    """Shows the model of a file in a browser, and runs it in real time; see :func:`launch`."""
    from .. import _core

    def load() -> tuple[Any, Any]:
        model = _core.MjModel.from_xml_path(path)
        return model, _core.MjData(model)

    launch(loader=load)


class _Run:
    """A simulation that keeps pace with the clock, and does what users ask for."""

    def __init__(self, handle: Handle, loader: Callable[[], tuple[Any, ...]] | None) -> None:
        self.handle, self.loader = handle, loader
        self.paused, self.speed, self.reached = False, 1.0, 0.0

    def until_closed(self) -> None:
        due, last = 0.0, time.monotonic()
        while self.handle.is_running():
            start = time.monotonic()
            elapsed, last = start - last, start
            for wish in self.handle._exchange((self.paused, self.speed, self.reached)):
                self.do(wish)
            due = 0.0 if self.paused else due + self.speed * elapsed
            before = self.handle.d.time
            while due > 0 and time.monotonic() - start < FRAME:
                self.step()
                due -= max(self.handle.m.opt.timestep, 1e-9)
            if not self.paused and elapsed > 0:
                self.reached += 0.1 * ((self.handle.d.time - before) / elapsed - self.reached)
            due = min(due, 0.0) if time.monotonic() - start >= FRAME else due
            time.sleep(max(0.0, FRAME / 4 - (time.monotonic() - start)))

    def step(self) -> None:
        from .._functions import mj_step

        mj_step(self.handle.m, self.handle.d)

    def do(self, wish: Wish) -> None:
        from .._functions import mj_forward, mj_resetData, mj_resetDataKeyframe

        word, number = wish
        model, data = self.handle.m, self.handle.d
        if word == "pause":
            self.paused = bool(number)
        elif word == "step":
            self.paused = True
            for _ in range(max(0, int(number))):
                self.step()
        elif word == "speed":
            self.speed = number
        elif word == "reset":
            mj_resetData(model, data)
        elif word == "keyframe" and 0 <= number < model.nkey:
            mj_resetDataKeyframe(model, data, int(number))
        elif word == "reload" and self.loader is not None:
            self.handle._model, self.handle._data = self.loader()[:2]
        mj_forward(self.handle.m, self.handle.d)
