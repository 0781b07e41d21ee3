"""Fixtures that run interpreters, for the tests of the alias.

Every process finds a package ``mujoco`` on its path that stands for MuJoCo itself,
so that a process that does not follow the alias is noticed.
"""

import os
import subprocess
import sys
import textwrap

import mj
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(mj.__file__)))


@pytest.fixture(name="python")
def python_fixture(tmp_path):
    """Return a function that runs an interpreter and gives the finished process."""
    other = tmp_path / "other"
    for package in ("mujoco", "mujoco/mjx", "mujoco_warp"):
        (other / package).mkdir(parents=True)
        (other / package / "__init__.py").write_text('__version__ = "other"\n')
    env = {
        k: v for k, v in os.environ.items() if k not in ("MJ_AS_MUJOCO", "PYTHONPATH")
    }
    env["PYTHONPATH"] = os.pathsep.join([str(other), ROOT])

    def run(*arguments, variables=(), check=True, executable=sys.executable, **kwargs):
        command = [executable, *map(str, arguments)]
        result = subprocess.run(
            command, env={**env, **dict(variables)}, cwd=tmp_path, text=True,
            capture_output=True, timeout=300, **kwargs,
        )  # fmt: skip
        assert not check or result.returncode == 0, result.stdout + result.stderr
        return result

    return run


@pytest.fixture(name="script")
def script_fixture(tmp_path):
    """Return a function that writes a script and gives its path."""

    def write(text, name="script.py"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text))
        return path

    return write
