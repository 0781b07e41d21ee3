"""Run other people's tests and examples on a wheel of this package, and write a page about them.

    python run.py WHEEL WORK PAGE [PACKAGE ...]

WORK keeps environments and reports of tests: without it all is fetched and run anew, which takes hours. Of the packages
``reference``, ``gymnasium``, ``dm_control``, ``robosuite``, ``mink`` and ``trajectories`` all are run if none is named.
"""

from __future__ import annotations

import sys
from pathlib import Path

import packages
from environments import Environment
from outcomes import Outcomes

MODELS = Path(__file__).resolve().parents[2] / "models"
PACKAGES = ("reference", "gymnasium", "dm_control", "robosuite", "mink", "trajectories")

HEAD = """# Packages that run on mj

Made by `cargo xtask python --outside`: tests and examples of other people's packages, unchanged, with `mj` as `mujoco`.
Nothing is drawn in these runs: tests that draw fail under every engine, and count as needing drawing.

| package | version | passed | of | |
| --- | --- | --- | --- | --- |
"""


class Page:
    """The page: a table, and sections with failures."""

    def __init__(self) -> None:
        self.rows: list[str] = []
        self.sections: list[str] = []

    def add(self, package: str, version: str, passed: int, of: int, remark: str = "") -> None:
        """Add a row of the table."""
        self.rows.append(f"| {package} | {version} | {passed} | {of} | {remark} |")
        print(self.rows[-1], flush=True)

    def tests(self, package: str, version: str, run: Outcomes, before: Outcomes | None = None) -> None:
        """Add a row for tests; with ``before``, of those that passed there."""
        wanted = run.passed | set(run.failed) if before is None else before.passed
        missing = sorted(wanted - run.passed)
        remark = "" if before is None else f"of those that pass with mujoco {packages.REFERENCE_BEFORE}"
        self.add(package, version, len(wanted & run.passed), len(wanted), remark)
        if missing:
            lines = [f"- `{name}`: {run.failed.get(name, 'not run')[:160]}" for name in missing]
            self.sections.append(f"## {package}: failures\n\n" + "\n".join(lines) + "\n")

    def text(self) -> str:
        """Return the page."""
        return HEAD + "\n".join(self.rows) + "\n\n" + "\n".join(self.sections)


def main() -> int:
    """Run the packages and write the page."""
    wheel, work, page_path = (Path(a).resolve() for a in sys.argv[1:4])
    chosen = sys.argv[4:] or PACKAGES
    if unknown := set(chosen) - set(PACKAGES):
        raise SystemExit(f"unknown packages {sorted(unknown)}: there are {', '.join(PACKAGES)}")
    work.mkdir(parents=True, exist_ok=True)
    for report in work.glob("*.xml"):
        # Reports about the reference stay; those of an older wheel of ours don't.
        if not report.name.startswith("before_") and report.stat().st_mtime < wheel.stat().st_mtime:
            report.unlink()
    ours, page, good = Environment(work / "ours"), Page(), True
    ours.pip("--force-reinstall", "--no-deps", wheel)
    ours.pip("numpy")
    if "reference" in chosen:
        for name, run in packages.reference_tests(ours, work).items():
            page.tests(f"mujoco: {name}", packages.REFERENCE, run)
    if "gymnasium" in chosen:
        page.tests("gymnasium", packages.GYMNASIUM, packages.gymnasium(ours, work))
    if "dm_control" in chosen:
        before = packages.dm_control(Environment(work / "before"), work, "before", alias=False)
        for name, run in packages.dm_control(ours, work, "dm_control", alias=True).items():
            page.tests(f"dm_control.{name}", packages.DM_CONTROL, run, before[name])
    for name, run, version in (
        ("robosuite", lambda: packages.robosuite(ours, work), packages.ROBOSUITE),
        ("mink", lambda: packages.mink(ours, work, MODELS), packages.MINK),
    ):
        if name in chosen:
            well, text = run()
            good &= well
            told = [line for line in text.splitlines() if line.endswith(("good", "bad", "met"))]
            page.add(name, version, int(well), 1, "; ".join(told))
    if "trajectories" in chosen:
        well, table = packages.trajectories(ours, Environment(work / "reference-engine"), work)
        good &= well
        page.sections.append("## Trajectories\n\n" + table)
    page_path.write_text(page.text())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
