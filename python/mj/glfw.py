"""Stand-in for contexts of glfw: none is needed."""

from .gl_context import GLContext

__all__ = ["GLContext"]
