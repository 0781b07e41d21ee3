"""Functions and classes of the reference that this package does not have yet: they raise by name."""

from __future__ import annotations

from typing import Any, NoReturn

NAMES = {
    "libraries of plugins": "mj_loadPluginLibrary mj_loadAllPluginLibraries",
}


def refusing(name: str, needs: str) -> Any:
    """Return a function of that name that raises ``NotImplementedError``."""

    def function(*args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(f"{name} needs {needs}, which this package does not have yet")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Raises: {needs} are not there yet."
    return function


FUNCTIONS = {name: refusing(name, needs) for needs, names in NAMES.items() for name in names.split()}
