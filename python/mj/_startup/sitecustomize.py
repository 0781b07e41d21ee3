"""Start-up module of interpreters that follow the alias of their parent.

The directory of this file is on ``PYTHONPATH`` there, so ``site`` imports this
module in place of any other of its name, which is run afterwards. Interpreters of
any version may start with that path; those that cannot load the finder go on
without.
"""

import importlib.machinery
import importlib.util
import os
import sys

_DIRECTORY = os.path.dirname(os.path.abspath(__file__))


def _run_next():
    # type: () -> None
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


if sys.version_info >= (3, 7):
    import _mj_alias_finder

    _mj_alias_finder.start()

# Leave the path as it would be without this module.
sys.path[:] = [p for p in sys.path if os.path.abspath(p or os.curdir) != _DIRECTORY]
_run_next()
