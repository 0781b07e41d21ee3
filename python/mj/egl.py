"""Stand-in for contexts of egl: none is needed."""

from .gl_context import GLContext

__all__ = ["GLContext"]
