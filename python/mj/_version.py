"""The versions of this package and of the interface that it implements.

- ``mj.__version__`` is the version of the distribution ``mj-physics``.
- ``mujoco.__version__``, where ``mujoco`` is the alias of :mod:`mj.alias`, is
  the version of the interface, ``"4.0.0"``: programs choose a branch by it.
  ``mj_versionString()`` returns the same text, ``mj_version()`` and
  ``mjVERSION_HEADER`` the same number, under both names of the package.
"""

import importlib.metadata

MUJOCO_VERSION = "4.0.0"

# 1000000 * major + 1000 * minor + patch.
MUJOCO_VERSION_HEADER = 4000000

try:
    __version__ = importlib.metadata.version("mj-physics")
except importlib.metadata.PackageNotFoundError:
    # Imported from a source tree that is not installed.
    __version__ = "0.0.0+unknown"
