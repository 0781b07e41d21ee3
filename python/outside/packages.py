"""Other people's packages: their versions, and how their tests and examples are run."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

from environments import Environment
from outcomes import Outcomes

HERE = Path(__file__).parent
REFERENCE = "4.0.0"
# The last version of the reference that dm_control runs on.
REFERENCE_BEFORE = "3.17.0"
GYMNASIUM = "1.4.0"
DM_CONTROL = "1.0.50"
ROBOSUITE = "1.5.2"
MINK = "1.3.0"

# Run under this package; without an alias they see the reference.
ALIAS = ("-m", "mj")
# No context of OpenGL, which dm_control makes itself: its tests that draw fail under every engine.
NO_DRAWING = {"MUJOCO_GL": "disable"}
# Contexts come from the engine: this one's do nothing.
DRAWING = {"MUJOCO_GL": "egl"}
MODULES = "mjcf rl utils entities composer locomotion manipulation suite mujoco".split()


def pytest(
    env: Environment,
    work: Path,
    name: str,
    *arguments: str | Path,
    alias: bool = True,
    cwd: Path | None = None,
    drawing: dict[str, str] = NO_DRAWING,
) -> Outcomes:
    """Run pytest in a folder; a report of an earlier run is used again."""
    report = work / f"{name}.xml"
    if not report.exists():
        options = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "python_files=*_test.py test_*.py"]
        partial = report.with_suffix(".part")
        command = [*(ALIAS if alias else ()), *options, f"--junitxml={partial}", *arguments]
        env.run(*command, cwd=cwd or work, out=work / f"{name}.txt", env=drawing)
        if not partial.exists():
            raise RuntimeError(f"{name}: pytest wrote no report, see {work / name}.txt")
        partial.rename(report)
    return Outcomes.read(report)


def reference_tests(env: Environment, work: Path) -> dict[str, Outcomes]:
    """Run the tests in the reference's wheel, by file."""
    folder = work / "reference"
    if not (folder / "sysid").exists():
        for old in (folder, work / "unpacked"):
            shutil.rmtree(old, ignore_errors=True)
        download = [env.python, "-m", "pip", "download", "--quiet", "--no-deps", f"mujoco-core=={REFERENCE}"]
        subprocess.run([*download, "--dest", work], check=True)
        (wheel,) = work.glob("mujoco_core-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            kinds = ("_test.py", "/testdata/", "/sysid/tests/")
            wanted = [n for n in archive.namelist() if any(kind in n for kind in kinds)]
            archive.extractall(work / "unpacked", wanted)
        shutil.move(work / "unpacked/mujoco", folder)
    env.pip("absl-py", "etils[epath]", "pytest")
    # Tests look for their files in the package's own folder.
    where = "import mj, os; print(os.path.dirname(mj.__file__))"
    package = subprocess.run([env.python, "-c", where], check=True, capture_output=True, text=True, cwd=work).stdout.strip()
    shutil.copytree(folder / "testdata", Path(package) / "testdata", dirs_exist_ok=True)
    # Tests of contexts of OpenGL, which this package has none of.
    tests = sorted(p for p in folder.glob("*_test.py") if p.stem != "egl_test")
    out = {test.stem: pytest(env, work, f"reference_{test.stem}", test, drawing=DRAWING) for test in tests}
    return out | sysid_tests(env, work, folder / "sysid/tests")


def sysid_tests(env: Environment, work: Path, folder: Path) -> dict[str, Outcomes]:
    """Run the reference's tests of system identification, by file."""
    # Without colorama they skip themselves.
    env.pip("colorama", "pytest", "pyyaml", "scipy")
    tests = sorted(folder.glob("test_*.py"))
    return {f"sysid.{test.stem}": pytest(env, work, f"reference_sysid_{test.stem}", test) for test in tests}


def gymnasium(env: Environment, work: Path) -> Outcomes:
    """Run Gymnasium's tests of its environments, all but those that open windows."""
    env.install_without_engine(f"gymnasium=={GYMNASIUM}")
    env.pip("pytest", "imageio", "mock")
    source = work / "Gymnasium"
    if not source.exists():
        address = "https://github.com/Farama-Foundation/Gymnasium"
        subprocess.run(["git", "clone", "--quiet", "--depth=1", f"--branch=v{GYMNASIUM}", address, source], check=True)
    which = ("-k", "not mujoco_rendering or offscreen or metadata or rgb")
    return pytest(env, work, "gymnasium", source / "tests/envs/mujoco", *which, cwd=source, drawing=DRAWING)


def dm_control(env: Environment, work: Path, prefix: str, alias: bool) -> dict[str, Outcomes]:
    """Run dm_control's tests, by module."""
    if alias:
        env.install_without_engine(f"dm_control=={DM_CONTROL}")
    else:
        env.pip(f"dm_control=={DM_CONTROL}", f"mujoco=={REFERENCE_BEFORE}")
    env.pip("pytest", "mock", "h5py", "pillow")
    return {m: pytest(env, work, f"{prefix}_{m}", "--pyargs", f"dm_control.{m}", alias=alias) for m in MODULES}


def robosuite(env: Environment, work: Path) -> tuple[bool, str]:
    """Run episodes of robosuite's tasks; return whether all ended well, and what they printed."""
    env.install_without_engine(f"robosuite=={ROBOSUITE}", f"mink=={MINK}")
    return _script(env, work, "robosuite_episodes.py")


def mink(env: Environment, work: Path, models: Path) -> tuple[bool, str]:
    """Solve inverse kinematics with mink; return whether all poses were met, and what was printed."""
    env.install_without_engine(f"mink=={MINK}")
    env.pip("quadprog")
    return _script(env, work, "mink_arm.py", models / "arm_gripper.xml", "palm")


def _script(env: Environment, work: Path, name: str, *arguments: str | Path) -> tuple[bool, str]:
    out = work / f"{name}.txt"
    good = env.run(*ALIAS, "run", HERE / name, *arguments, cwd=work, out=out, env=NO_DRAWING) == 0
    return good, out.read_text()


def trajectories(env: Environment, reference: Environment, work: Path) -> tuple[bool, str]:
    """Compare trajectories of dm_control's and Gymnasium's tasks; return whether all agree, and a table."""
    reference.pip(f"mujoco-core=={REFERENCE}")
    env.install_without_engine(f"gymnasium=={GYMNASIUM}", f"dm_control=={DM_CONTROL}")
    env.pip("imageio")
    tasks, ours, theirs = work / "tasks.pkl", work / "ours.npz", work / "reference.npz"
    runs = [
        (env, (*ALIAS, "run", HERE / "collect.py", tasks)),
        (env, (HERE / "simulate.py", "mj", tasks, ours)),
        (reference, (HERE / "simulate.py", "mujoco", tasks, theirs)),
    ]
    for which, command in runs:
        out = work / "trajectories.txt"
        if which.run(*command, cwd=work, out=out, env=NO_DRAWING) != 0:
            raise RuntimeError(f"trajectories: {command} failed, see {out}")
    table = work / "trajectories.md"
    good = env.run(HERE / "compare.py", ours, theirs, cwd=work, out=table) == 0
    return good, table.read_text()
