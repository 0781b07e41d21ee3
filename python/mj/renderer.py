"""The renderer, by the module's name in the reference."""

from ._drawing.renderer import Renderer
from .gl_context import GLContext

__all__ = ["GLContext", "Renderer"]
