"""Stand-ins for private modules of MuJoCo, from which programs import names."""

import re
import sys
import types

import mj
from mj._version import MUJOCO_VERSION

# What each module exposes, where this package or its native part has it.
_NAMES = {
    "_batch": r"Batch",
    "_callbacks": r"(get|set)_(mjcb|mju)_\w+",
    "_functions": r"(mj|mju|mjd|mjv)_\w+|_realloc_\w+",
    "_render": r"MjrContext|MjrRendererInfo|mjr_\w+",
    "_rollout": r"Rollout",
    "_simulate": r"Mutex|Simulate|set_glfw_dlhandle",
    "_specs": r"MjSpec|MjVfs|Mjs\w+|Mj\w+Vec|MjOption|MjStatistic|MjVisual\w*",
    "_structs": (
        r"Mj(Contact|Data|LROpt|LogConfig|LogMessage|Model|Option|PreContact|SolverStat"
        r"|Statistic|TimerStat|Visual|WarningStat|rRect|rVertexAttribute|v\w+)"
        r"|_Mj\w+|_recompile_spec_addr|mjv_averageCamera|mjv_camera2GLCamera"
    ),
}


def _sources() -> list[types.ModuleType]:
    core = sys.modules.get("mj._core")
    return [mj] if core is None else [mj, core]


class PrivateModule(types.ModuleType):
    """A module with those names of the package that match a pattern."""

    _pattern: "re.Pattern[str]"

    def __getattr__(self, name: str) -> object:
        if self._pattern.fullmatch(name):
            # mj.Batch is another class than the private one.
            for source in reversed(_sources()) if self.__name__.endswith("._batch") else _sources():
                if hasattr(source, name):
                    return getattr(source, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        names = {name for source in _sources() for name in dir(source)}
        return sorted(filter(self._pattern.fullmatch, names))


def build(fullname: str) -> types.ModuleType:
    """Return the stand-in for a module such as ``mujoco._functions``."""
    name = fullname.rpartition(".")[2]
    if name == "_version":
        module = types.ModuleType(fullname, "The version of the interface.")
        module.__version__ = MUJOCO_VERSION
        return module
    module = PrivateModule(fullname, f"Names of mj that MuJoCo has in {name}.")
    module._pattern = re.compile(_NAMES.get(name, r"(?!)"))
    for public in dir(module):
        vars(module)[public] = getattr(module, public)
    return module
