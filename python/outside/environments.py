"""Virtual environments with other people's packages, with this package or with the reference as their engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

# Packages are installed without the engine that they ask for.
ENGINES = {"mujoco", "mujoco-core"}

_REQUIREMENTS = """
import importlib.metadata, json, sys
from packaging.requirements import Requirement
wanted = map(Requirement, importlib.metadata.requires(sys.argv[1]) or [])
print(json.dumps([str(r).split(";")[0] for r in wanted if r.marker is None or r.marker.evaluate({"extra": ""})]))
"""


class Environment:
    """A virtual environment."""

    def __init__(self, folder: Path) -> None:
        self.python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        if not self.python.exists():
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)

    def pip(self, *arguments: str | Path) -> None:
        """Install."""
        command = [self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]
        subprocess.run(command, check=True)

    def install_without_engine(self, *packages: str) -> None:
        """Install packages, ``name==version``, and all that they ask for but each other and an engine."""
        names = {p.split("==")[0].lower().replace("_", "-") for p in packages}
        self.pip("packaging")
        self.pip("--no-deps", *packages)
        wanted = []
        for name in names:
            found = subprocess.run([self.python, "-c", _REQUIREMENTS, name], check=True, capture_output=True, text=True)
            wanted += json.loads(found.stdout)
        known = ENGINES | names
        self.pip(*(w for w in wanted if _name(w) not in known))

    def run(self, *arguments: str | Path, cwd: Path, out: Path, env: dict[str, str] | None = None) -> int:
        """Run the interpreter, write what it prints to a file, and return its exit status."""
        with out.open("w") as text:
            command = subprocess.run(
                [self.python, *arguments],
                cwd=cwd,
                stdout=text,
                stderr=subprocess.STDOUT,
                env=os.environ | (env or {}),
                check=False,
            )
        return command.returncode


def _name(requirement: str) -> str:
    """Return the name that a requirement begins with."""
    end = next((i for i, c in enumerate(requirement) if not (c.isalnum() or c in "-_.")), len(requirement))
    return requirement[:end].lower().replace("_", "-")
