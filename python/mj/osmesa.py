"""Stand-in for contexts of osmesa: none is needed."""

from .gl_context import GLContext

__all__ = ["GLContext"]
