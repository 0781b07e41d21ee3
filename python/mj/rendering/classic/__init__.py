"""The renderer, by the names of its modules in the reference."""
