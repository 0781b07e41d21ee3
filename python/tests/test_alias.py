"""Tests of the alias of the package as ``mujoco``, in processes of their own."""

import os

import pytest

pytest.importorskip("mj._core", exc_type=ImportError)

from alias_processes import ROOT, python_fixture, script_fixture  # noqa: F401
from mj import alias


def test_module(python, script):
    path = script("""
        import importlib.util, importlib.resources, os, pathlib
        import mj
        module = mj.as_mujoco()
        import mujoco
        assert mujoco is module and type(mujoco).__name__ == "AliasModule"
        assert mujoco.__name__ == mujoco.__package__ == "mujoco"
        assert mujoco.__version__ == "4.0.0" and mujoco.__file__ == mj.__file__
        assert list(mujoco.__path__) == [os.path.dirname(mj.__file__)]
        assert mujoco.mjtGeom is mj.mjtGeom and mujoco.FatalError is mj.FatalError
        assert {n for n in dir(mj) if not n.startswith("_")} <= set(dir(mujoco))
        assert importlib.util.find_spec("mujoco").origin == mj.__file__
        assert importlib.resources.files("mujoco") == pathlib.Path(mj.__file__).parent
        assert not hasattr(mujoco, "no_such_name")
        mj.added_later = 1
        assert mujoco.added_later == 1
        assert mj.as_mujoco() is mujoco
        namespace = {}
        exec("from mujoco import *", namespace)
        assert namespace["mjtGeom"] is mj.mjtGeom and namespace["mjMAXVAL"] == 1e10
    """)
    python(path)


def test_submodules(python, script):
    path = script("""
        import importlib, sys
        import mj
        mj.as_mujoco()
        import mujoco
        import mujoco.minimize as minimize
        from mujoco import msh2obj
        import mj.minimize, mj.msh2obj
        assert minimize is mj.minimize is mujoco.minimize is sys.modules["mujoco.minimize"]
        assert msh2obj is mj.msh2obj and mj.minimize.__spec__.name == "mj.minimize"
        from mujoco.minimize import _solver
        assert _solver is mj.minimize._solver
        from mujoco._enums import mjtGeom
        from mujoco._constants import mjMAXVAL
        from mujoco._errors import FatalError
        assert mjtGeom is mujoco._enums.mjtGeom is mj.mjtGeom
        assert mujoco._version.__version__ == "4.0.0"
        for name in ("_structs", "_functions", "_specs", "_callbacks", "_render",
                     "_rollout", "_batch", "_simulate"):
            module = importlib.import_module("mujoco." + name)
            assert getattr(mujoco, name) is module is sys.modules["mujoco." + name]
            for public in dir(module):
                assert hasattr(module, public)
        try:
            import mujoco.no_such_module
        except ModuleNotFoundError as error:
            assert error.name == "mujoco.no_such_module", error
        else:
            raise AssertionError
        assert importlib.util.find_spec("mujoco.no_such_module") is None
    """)
    python(path)


def test_private_modules_expose_names_by_kind(python):
    python(
        "-c",
        "import mj; mj.mjr_x = 3; mj.as_mujoco();"
        "from mujoco import _functions, _structs, _specs, _render;"
        # Modules that exist are themselves; the others list what `mj` has of their kind.
        "assert _functions is mj._functions and _functions.mj_step is mj.mj_step;"
        "assert _structs is mj._structs and _structs.MjModel is mj.MjModel;"
        "assert _specs is mj._specs and _specs.MjSpec is mj.MjSpec and _specs.MjOption is mj.MjOption;"
        "assert _render.mjr_x == 3 and 'mjr_x' in dir(_render) and not hasattr(_render, 'MjModel');"
        "assert not hasattr(_functions, 'MjModel') and not hasattr(_structs, 'mjr_x')",
    )


@pytest.mark.parametrize("name", ["mujoco.mjx", "mujoco_warp"])
def test_packages_that_read_addresses_are_refused(python, name):
    result = python("-m", "mj", "-c", f"import {name}", check=False)
    assert result.returncode == 1
    assert "ImportError" in result.stderr
    assert "raw addresses are not supported" in result.stderr


def test_error_if_another_is_imported(python):
    for module in ("mujoco", "mujoco.mjx"):
        code = f"import {module}, mj; mj.as_mujoco()"
        result = python("-c", code, check=False)
        assert result.returncode == 1
        assert "RuntimeError: mujoco is imported already, from " in result.stderr
        assert os.path.join("other", "mujoco", "__init__.py") in result.stderr
        assert "python -m mj run" in result.stderr


def test_start_is_refused_if_another_was_imported(python):
    code = f"""
import sys, mujoco
sys.path.insert(0, {alias.STARTUP_DIR!r})
import _mj_alias_finder
_mj_alias_finder.start()
print("went on")
"""
    result = python("-c", code, variables={"MJ_AS_MUJOCO": "1"}, check=False)
    assert result.returncode == 1 and result.stdout == ""
    assert "was imported before" in result.stderr


def test_run_script(python, script, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "helper.py").write_text("import mujoco\n")
    path = script(
        """
        import sys, os, helper, mujoco
        assert helper.mujoco is mujoco and mujoco.__version__ == "4.0.0"
        assert __name__ == "__main__" and sys.modules["__main__"].__dict__ is globals()
        assert sys.path[0] == os.path.dirname(os.path.realpath(__file__)), sys.path
        print(sys.argv)
        sys.exit(7)
        """,
        "sub/script.py",
    )
    result = python("-m", "mj", "run", path, "-c", "--flag", check=False)
    assert result.returncode == 7, result.stderr
    assert result.stdout.strip() == str([str(path), "-c", "--flag"])


def test_run_directory(python, tmp_path):
    (tmp_path / "program").mkdir()
    (tmp_path / "program" / "__main__.py").write_text(
        "import mujoco\nprint(mujoco.__version__)"
    )
    assert python("-m", "mj", "run", "program").stdout == "4.0.0\n"


def test_run_module(python, tmp_path):
    (tmp_path / "program.py").write_text(
        "import mujoco, sys\n"
        "print(mujoco.__version__, __name__, __spec__.name, sys.argv[1:])"
    )
    result = python("-m", "mj", "-m", "program", "-x", "y")
    assert result.stdout.strip() == "4.0.0 __main__ program ['-x', 'y']"
    assert (
        "old MSH format" in python("-m", "mj", "-m", "mujoco.msh2obj", "--help").stdout
    )


def test_run_code(python):
    code = "import sys, mujoco; print(mujoco.__version__, sys.argv, repr(sys.path[0]))"
    result = python("-m", "mj", "-c", code, "a")
    assert result.stdout.strip() == "4.0.0 ['-c', 'a'] ''"


def test_usage(python):
    assert "usage:" in python("-m", "mj", "--help").stdout
    for arguments in ([], ["run"], ["-m"], ["unknown"], ["hook-status", "x"]):
        result = python("-m", "mj", *arguments, check=False)
        assert result.returncode == 2 and "usage:" in result.stderr


def test_pytest(python, script):
    script(
        "import mujoco\ndef test(): assert mujoco.__version__ == '4.0.0'", "test_it.py"
    )
    result = python("-m", "mj", "-m", "pytest", "-q", "test_it.py")
    assert "1 passed" in result.stdout


def test_a_process_without_the_variable_is_left_alone(python):
    code = "import mujoco; print(mujoco.__version__)"
    paths = {"PYTHONPATH": os.pathsep.join([alias.STARTUP_DIR, "other", ROOT])}
    assert python("-c", code, variables=paths).stdout == "other\n"
    off = {**paths, "MJ_AS_MUJOCO": "0"}
    assert python("-c", code, variables=off).stdout == "other\n"
    on = {**paths, "MJ_AS_MUJOCO": "1"}
    assert python("-c", code, variables=on).stdout == "4.0.0\n"


def test_the_start_of_a_process_does_not_import_the_package(python):
    paths = {"PYTHONPATH": os.pathsep.join([alias.STARTUP_DIR, "other", ROOT])}
    code = (
        "import sys; print([n for n in ('mj', 'numpy', 'mujoco') if n in sys.modules])"
    )
    assert python("-c", code, variables={**paths, "MJ_AS_MUJOCO": "1"}).stdout == "[]\n"
