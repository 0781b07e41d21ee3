"""Renderers, by the names of their modules in the reference."""
