"""The renderer."""

from ...renderer import GLContext, Renderer

__all__ = ["GLContext", "Renderer"]
