"""Contexts of a graphics library, which are not needed."""

from ...gl_context import GLContext

__all__ = ["GLContext"]
