"""Packages of the extra ``sysid``, imported when they are needed."""

from __future__ import annotations

import importlib
from typing import Any


def require(module: str, package: str | None = None) -> Any:
    """Import a module of an optional package.

    Args:
        module: name of the module.
        package: name under which the package is installed, if it is another one.

    Returns:
        The module.

    Raises:
        ModuleNotFoundError: if the package is not installed; the message says how to install it.
    """
    top = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != top:
            raise
        raise ModuleNotFoundError(
            f"this part of mj.sysid needs the package {package or top}: pip install 'mj-physics[sysid]'",
            name=error.name,
        ) from None
