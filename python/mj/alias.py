"""Run programs that were written for MuJoCo with this package.

After :func:`as_mujoco`, ``import mujoco`` gives a module ``mujoco`` with the
attributes of ``mj``, and ``mujoco.x`` is ``mj.x``. Nothing is written to disk.

    import mj

    mj.as_mujoco()
    import gymnasium

Without a change to the program, ``python -m mj run SCRIPT.py``,
``python -m mj -m MODULE`` and ``python -m mj -c CODE`` do the same.

What programs see:

- ``mujoco.__version__`` and ``mujoco.mj_versionString()`` are ``"4.0.0"`` and
  ``mujoco.mj_version()`` is ``mujoco.mjVERSION_HEADER``, the version of the
  interface. ``mj.__version__`` is the version of this package.
- Classes and enumerations are those of ``mj``, and so are their names in pickles:
  these load with and without the alias wherever ``mj`` is installed.
- The modules ``mujoco._structs``, ``_enums``, ``_functions``, ``_specs``,
  ``_constants``, ``_callbacks``, ``_errors``, ``_render``, ``_rollout``, ``_batch``,
  ``_simulate`` and ``_version`` hold the names that programs import from them.
- ``mujoco.mjx`` and ``mujoco_warp`` raise ``ImportError``: they read MuJoCo's
  structures by address.

Processes that a program starts follow it: multiprocessing with any start method,
``subprocess`` with ``sys.executable``, and what builds on them. They find the
variable ``MJ_AS_MUJOCO`` and, on ``PYTHONPATH``, a ``sitecustomize`` module of this
package, which runs any other afterwards. A process whose ``PYTHONPATH`` is
replaced needs the start-up hook, ``python -m mj install-hook``; it acts only where
the variable is set. Processes with an environment of their own, without the
variable, and interpreters with the options ``-S``, or without the hook ``-E`` or
``-I``, do not follow.
"""

import importlib
import importlib.util
import os
import sys
import types

__all__ = ["as_mujoco"]

STARTUP_DIR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_startup")


def _load_finder() -> types.ModuleType:
    """Return the module of the finder, which a start-up hook may have loaded."""
    name = "_mj_alias_finder"
    if name not in sys.modules:
        path = os.path.join(STARTUP_DIR, f"{name}.py")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


def as_mujoco(children: bool = True) -> types.ModuleType:
    """Make ``import mujoco`` resolve to this package in this process.

    Call it before anything imports ``mujoco``. A second call does nothing.

    Args:
        children: whether processes started from now on follow.

    Returns:
        The module ``mujoco``.

    Raises:
        RuntimeError: if another ``mujoco`` is imported, or if a fork server runs
            whose processes would not follow.
    """
    finder = _load_finder()
    loaded = finder.foreign()
    if loaded is not None:
        raise RuntimeError(
            f"{loaded.__name__} is imported already, from"
            f" {getattr(loaded, '__file__', None)}, and modules may hold objects of it."
            " Call mj.as_mujoco() before anything imports mujoco, or run the program"
            " with `python -m mj run SCRIPT.py`."
        )
    if children:
        _prepare_children(finder)
    finder.install()
    return importlib.import_module("mujoco")


def _prepare_children(finder: types.ModuleType) -> None:
    """Set the environment that makes new processes follow."""
    if not finder.wanted() and _fork_server_runs():
        raise RuntimeError(
            "A fork server of multiprocessing runs already, and the processes that it"
            " starts would not use mj as mujoco. Call mj.as_mujoco() before the first"
            " process is started, or mj.as_mujoco(children=False)."
        )
    os.environ[finder.VARIABLE] = "1"
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if STARTUP_DIR not in paths:
        os.environ["PYTHONPATH"] = os.pathsep.join([STARTUP_DIR, *filter(None, paths)])


def _fork_server_runs() -> bool:
    module = sys.modules.get("multiprocessing.forkserver")
    server = getattr(module, "_forkserver", None)
    return getattr(server, "_forkserver_pid", None) is not None
