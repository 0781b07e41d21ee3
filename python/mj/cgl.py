"""Stand-in for contexts of cgl: none is needed."""

from .gl_context import GLContext

__all__ = ["GLContext"]
