"""The start-up hook: a file that ``site`` reads when an interpreter starts."""

import os
import sys
import sysconfig

from mj.alias import STARTUP_DIR

_FILE = "_mj_as_mujoco.pth"

# ``site`` runs a line that begins with ``import``; it must be one line.
_LINE = (
    'import os; os.environ.get("MJ_AS_MUJOCO", "") in ("", "0") or exec({program!r})\n'
)

# ``site`` prints other errors and ignores them; the process would then use MuJoCo.
_PROGRAM = """\
import sys
sys.path.insert(0, {path!r})
try:
    import _mj_alias_finder
except ImportError as error:
    raise SystemExit(
        "MJ_AS_MUJOCO is set, but mj is not where its start-up hook expects it"
        " (%s). Install the hook anew or remove it: " % error + {hook!r}
    )
finally:
    sys.path.pop(0)
_mj_alias_finder.start()
"""


def hook_path() -> str:
    """Return the path of the hook of the running environment."""
    return os.path.join(sysconfig.get_path("purelib"), _FILE)


def _line() -> str:
    return _LINE.format(program=_PROGRAM.format(path=STARTUP_DIR, hook=hook_path()))


def install_hook() -> str:
    """Write the hook and return a message."""
    path = hook_path()
    with open(path, "w", encoding="utf-8") as file:
        file.write(_line())
    return (
        f"Installed {path}.\nInterpreters of {sys.prefix} use mj as mujoco if"
        " MJ_AS_MUJOCO=1 is set."
    )


def remove_hook() -> str:
    """Remove the hook and return a message."""
    path = hook_path()
    try:
        os.remove(path)
    except FileNotFoundError:
        return f"There is no hook: {path} does not exist."
    return f"Removed {path}."


def hook_status() -> tuple[bool, str]:
    """Return whether a hook of this package is installed, and a message."""
    path = hook_path()
    try:
        with open(path, encoding="utf-8") as file:
            line = file.read()
    except FileNotFoundError:
        return False, f"Not installed: {path} does not exist."
    if line != _line():
        return (
            False,
            f"{path} belongs to another copy or version of mj; install it anew.",
        )
    return True, f"Installed: {path}."
