"""Tests that processes follow the alias of the process that starts them."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("mj._core", exc_type=ImportError)

from alias_processes import ROOT, python_fixture, script_fixture  # noqa: F401
from mj import alias

VERSION = "import mujoco; print(mujoco.__version__)"

WORKER = """
def version(_=None):
    import mujoco
    return mujoco.__version__
"""

PROGRAMS = {
    "subprocess": """
import subprocess, sys
code = "import mujoco; print(mujoco.__version__)"
def main():
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}])"
    for text in (code, outer):
        yield subprocess.check_output([sys.executable, "-c", text], text=True).strip()
""",
    "multiprocessing": """
import multiprocessing
def main():
    for method in multiprocessing.get_all_start_methods():
        with multiprocessing.get_context(method).Pool(2) as pool:
            yield from pool.map(version, range(2))
""",
    "futures": """
import concurrent.futures, multiprocessing
def main():
    for method in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context(method)
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
            yield from pool.map(version, range(2))
""",
    "gymnasium": """
import gymnasium
class Env(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-1, 1, (1,))
    action_space = gymnasium.spaces.Box(-1, 1, (1,))
    def reset(self, seed=None, options=None):
        return self.observation_space.sample(), {"version": version()}
def main():
    for context in ("spawn", "forkserver", "fork"):
        envs = gymnasium.vector.AsyncVectorEnv([Env] * 2, context=context)
        yield from map(str, envs.reset()[1]["version"])
        envs.close()
""",
    "joblib": """
import joblib
def main():
    yield from joblib.Parallel(n_jobs=2)(joblib.delayed(version)(i) for i in range(2))
""",
    "ray": """
import ray
def main():
    ray.init(num_cpus=1, include_dashboard=False)
    yield ray.get(ray.remote(version).remote())
    ray.shutdown()
""",
}

END = """
if __name__ == "__main__":
    print(sorted(set(main())))
"""


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("way", ["run", "call"])
def test_children_follow(python, script, program, way):
    if program in ("gymnasium", "joblib", "ray"):
        pytest.importorskip(program)
    text = WORKER + PROGRAMS[program] + END
    if way == "run":
        result = python("-m", "mj", "run", script(text))
    else:
        call = 'if __name__ == "__main__":\n    import mj\n    mj.as_mujoco()\n'
        result = python(script(call + text))
    assert result.stdout.strip().splitlines()[-1] == "['4.0.0']", result.stderr


def test_children_of_a_module_follow(python, tmp_path):
    (tmp_path / "program.py").write_text(WORKER + PROGRAMS["multiprocessing"] + END)
    assert python("-m", "mj", "-m", "program").stdout == "['4.0.0']\n"


def test_xdist_follows(python, script):
    pytest.importorskip("xdist")
    script(
        """
        import os, mujoco
        def test():
            assert os.environ["PYTEST_XDIST_WORKER"]
            assert mujoco.__version__ == "4.0.0"
        """,
        "test_it.py",
    )
    result = python("-m", "mj", "-m", "pytest", "-q", "-n", "2", "test_it.py")
    assert "1 passed" in result.stdout


def test_children_that_do_not_find_the_package_follow(python, script):
    path = script(f"""
        import sys
        sys.path.insert(0, {ROOT!r})
        import mj, subprocess
        mj.as_mujoco()
        code = "import mujoco, mj; print(mujoco.__version__, mj.__file__)"
        subprocess.run([sys.executable, "-c", code], check=True)
    """)
    result = python(path, variables={"PYTHONPATH": "other"})
    assert result.stdout.split() == ["4.0.0", os.path.join(ROOT, "mj", "__init__.py")]


def test_children_can_be_left_alone(python):
    result = python(
        "-c",
        "import mj, os, subprocess, sys; mj.as_mujoco(children=False);"
        "assert 'MJ_AS_MUJOCO' not in os.environ;"
        f"subprocess.run([sys.executable, '-c', {VERSION!r}])",
    )
    assert result.stdout == "other\n"


def test_a_fork_server_that_would_not_follow_is_an_error(python, script):
    path = script("""
        import multiprocessing
        import mj
        if __name__ == "__main__":
            with multiprocessing.get_context("forkserver").Pool(1) as pool:
                pool.map(abs, [1])
            try:
                mj.as_mujoco()
            except RuntimeError as error:
                print(error)
            mj.as_mujoco(children=False)
    """)
    assert "fork server" in python(path).stdout


def test_environment_is_kept(python):
    result = python(
        "-c",
        "import mj, os; mj.as_mujoco(); mj.as_mujoco();"
        "print(os.environ['PYTHONPATH']); print(os.environ['MJ_AS_MUJOCO'])",
        variables={"PYTHONPATH": ROOT},
    )
    assert result.stdout.split() == [os.pathsep.join([alias.STARTUP_DIR, ROOT]), "1"]


def test_other_sitecustomize_is_run(python, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(
        "import sys\nsys.marked = __name__, __file__\n"
    )
    code = (
        "import subprocess, sys; subprocess.run([sys.executable, '-c',"
        " 'import sys, mujoco, sitecustomize; print(mujoco.__version__, *sys.marked);"
        " print(sitecustomize.__file__ == sys.marked[1]);"
        ' print([p for p in sys.path if "_startup" in p])\'])'
    )
    paths = os.pathsep.join([str(tmp_path / "site"), "other", ROOT])
    result = python("-m", "mj", "-c", code, variables={"PYTHONPATH": paths})
    file = str(tmp_path / "site" / "sitecustomize.py")
    assert result.stdout.splitlines() == [f"4.0.0 sitecustomize {file}", "True", "[]"]


@pytest.fixture
def environment(tmp_path):
    """Return the interpreter of a new environment that finds the package by a file."""
    directory = tmp_path / "environment"
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", directory], check=True
    )
    windows = sys.platform == "win32"
    executable = directory / ("Scripts/python.exe" if windows else "bin/python")
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.check_output([executable, "-c", code], text=True).strip()
    paths = [str(tmp_path / "other"), ROOT, *filter(os.path.isdir, sys.path)]
    with open(os.path.join(site, "paths.pth"), "w") as file:
        file.write("\n".join(paths))
    return executable, site


def test_hook(python, environment):
    executable, site = environment

    def version(variable, *options):
        variables = {"PYTHONPATH": "", "MJ_AS_MUJOCO": variable}
        result = python(
            *options, "-c", VERSION, variables=variables, executable=executable
        )
        assert result.stderr == ""
        return result.stdout.strip()

    def command(name, status=0):
        result = python("-m", "mj", name, executable=executable, check=False)
        assert result.returncode == status, result.stderr
        return result.stdout

    before = set(os.listdir(site))
    assert "Not installed" in command("hook-status", 1)
    assert version("1") == "other"
    assert "Installed" in command("install-hook")
    assert "Installed" in command("install-hook")
    assert "Installed" in command("hook-status")
    assert set(os.listdir(site)) - before == {"_mj_as_mujoco.pth"}
    assert [version(v) for v in ("1", "0", "")] == ["4.0.0", "other", "other"]
    assert version("1", "-I") == "4.0.0"
    assert "Removed" in command("remove-hook")
    assert "no hook" in command("remove-hook")
    assert set(os.listdir(site)) == before
    assert version("1") == "other"
    with open(os.path.join(site, "_mj_as_mujoco.pth"), "w") as file:
        file.write("import os\n")
    assert "another copy" in command("hook-status", 1)


def test_hook_of_a_package_that_is_gone(python, environment):
    executable, site = environment
    python("-m", "mj", "install-hook", executable=executable)
    hook = os.path.join(site, "_mj_as_mujoco.pth")
    with open(hook) as file:
        line = file.read()
    with open(hook, "w") as file:
        file.write(line.replace("_startup", "_gone"))
    variables = {"PYTHONPATH": "", "MJ_AS_MUJOCO": "1"}
    result = python(
        "-c", VERSION, variables=variables, executable=executable, check=False
    )
    assert result.returncode != 0 and result.stdout == ""
    assert hook in result.stderr
    result = python("-c", VERSION, variables={"PYTHONPATH": ""}, executable=executable)
    assert result.stdout == "other\n" and result.stderr == ""


def test_hook_and_path_together(python, environment):
    executable, _ = environment
    python("-m", "mj", "install-hook", executable=executable)
    count = "import sys; print(sum('MujocoFinder' in str(f) for f in sys.meta_path))"
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    probe = f"{VERSION}; {count}"
    result = python("-m", "mj", "-c", code, probe, executable=executable)
    assert result.stdout.split() == ["4.0.0", "1"] and result.stderr == ""
