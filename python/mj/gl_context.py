"""Contexts of a graphics library, for programs that make them: renderers here need none."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

__all__ = ["GLContext"]


class GLContext:
    """A context that does nothing: each renderer has a device of its own, on any thread."""

    def __init__(self, max_width: int = 0, max_height: int = 0) -> None:
        """Makes a context of any size."""

    def make_current(self) -> None:
        """Does nothing."""

    @contextlib.contextmanager
    def as_current(self) -> Iterator[None]:
        """Does nothing."""
        yield

    def free(self) -> None:
        """Does nothing."""

    def __enter__(self) -> GLContext:
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        self.free()

    def __del__(self) -> None:
        self.free()
