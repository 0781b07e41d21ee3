"""Command line: run programs with this package in place of MuJoCo."""

import os
import runpy
import sys
import types

from mj._hook import hook_status, install_hook, remove_hook
from mj.alias import as_mujoco

_USAGE = """\
usage: python -m mj run SCRIPT.py [ARGUMENTS]   run a script
       python -m mj -m MODULE [ARGUMENTS]       run a module, such as pytest
       python -m mj -c CODE [ARGUMENTS]         run code

In the program, and in the processes that it starts, `import mujoco` resolves to mj.

       python -m mj install-hook    make processes follow that replace PYTHONPATH
       python -m mj remove-hook     undo install-hook
       python -m mj hook-status     tell whether the hook is installed

The hook is a file in the site-packages of this environment. It acts only in processes
where the variable MJ_AS_MUJOCO is 1, as it is in those started from the first three
commands.
"""


def _set_first_path(entry: str) -> None:
    """Replace the entry of ``sys.path`` that ``python -m`` has added."""
    if not sys.flags.safe_path and sys.path:
        sys.path[0] = entry


def _run_code(code: types.CodeType, path: str | None) -> None:
    """Run code as the main module, which it stays until the interpreter ends."""
    module = types.ModuleType("__main__")
    if path is not None:
        module.__file__ = path
        module.__cached__ = None
    sys.modules["__main__"] = module
    exec(code, vars(module))


def _run_script(path: str, arguments: list[str]) -> None:
    sys.argv = [path, *arguments]
    if os.path.isdir(path) or not path.endswith((".py", ".pyw")):
        # A directory or archive with a main module, or compiled code, perhaps.
        if os.path.isfile(path):
            _set_first_path(os.path.dirname(os.path.realpath(path)))
        runpy.run_path(path, run_name="__main__")
        return
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    _set_first_path(os.path.dirname(os.path.realpath(path)))
    _run_code(code, path)


def _run_module(name: str, arguments: list[str]) -> None:
    sys.argv = [name, *arguments]
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def _run_string(source: str, arguments: list[str]) -> None:
    sys.argv = ["-c", *arguments]
    _set_first_path("")
    _run_code(compile(source, "<string>", "exec", dont_inherit=True), None)


_PROGRAMS = {"run": _run_script, "-m": _run_module, "-c": _run_string}


def main(arguments: list[str]) -> int:
    """Run a command and return the exit status."""
    command, rest = (arguments[0] if arguments else None), arguments[1:]
    if command in ("-h", "--help"):
        print(_USAGE, end="")
        return 0
    if command in _PROGRAMS and rest:
        as_mujoco()
        _PROGRAMS[command](rest[0], rest[1:])
        return 0
    if command == "install-hook" and not rest:
        print(install_hook())
        return 0
    if command == "remove-hook" and not rest:
        print(remove_hook())
        return 0
    if command == "hook-status" and not rest:
        installed, message = hook_status()
        print(message)
        return 0 if installed else 1
    print(_USAGE, end="", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
