"""Collect the models of dm_control's suite and of Gymnasium's environments, with the states where their episodes begin.

    python -m mj run collect.py OUT

Both packages build some of their models by program: what they give to the engine is recorded. Writes a pickle: for each
task its name, the text of the model, its files, and the state of the first step.
"""

import pickle
import sys
import zlib
from pathlib import Path

import mj
import numpy as np

SEED = 7


class Recorder:
    """Keeps what the last model was made from."""

    def __init__(self) -> None:
        self.text = ""
        self.files: dict[str, bytes] = {}
        self._text, self._path = mj._core._load_text, mj._core._load_path
        mj._core._load_text, mj._core._load_path = self.load_text, self.load_path

    def load_text(self, text: str, files: dict[str, bytes]) -> object:
        """Load a text, and keep it."""
        self.text, self.files = text, dict(files)
        return self._text(text, files)

    def load_path(self, path: str, files: dict[str, bytes]) -> object:
        """Load a file, and keep it with the files beside it."""
        folder = Path(path).parent
        self.text = Path(path).read_text()
        beside = {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.stat().st_size < 1 << 24}
        self.files = beside | dict(files)
        self.files.pop(Path(path).name, None)
        return self._path(path, files)


def entry(name: str, recorder: Recorder, model: object, data: object) -> dict:
    """Return what a simulation starts from."""
    state = {field: np.array(getattr(data, field)) for field in ("qpos", "qvel", "act", "mocap_pos", "mocap_quat")}
    options = {field: np.array(getattr(model.opt, field)) for field in ("timestep", "disableflags", "enableflags")}
    return {"name": name, "text": recorder.text, "files": recorder.files, "state": state, "options": options}


def suite(recorder: Recorder) -> list[dict]:
    """Collect the tasks of dm_control's suite."""
    from dm_control import suite

    out = []
    for domain, task in suite.ALL_TASKS:
        env = suite.load(domain, task, task_kwargs={"random": SEED})
        try:
            env.reset()
        except RuntimeError as e:
            # One observes by drawing: its episode begins as the model does.
            print(f"{domain}-{task}: {e}")
        out.append(entry(f"{domain}-{task}", recorder, env.physics.model.ptr, env.physics.data.ptr))
    return out


def gymnasium(recorder: Recorder) -> list[dict]:
    """Collect Gymnasium's environments of version 5."""
    import gymnasium

    out = []
    for name, spec in gymnasium.envs.registry.items():
        if name.endswith("-v5") and "mujoco" in str(spec.entry_point):
            env = gymnasium.make(name)
            env.reset(seed=SEED)
            out.append(entry(name, recorder, env.unwrapped.model, env.unwrapped.data))
    return out


def main() -> None:
    """Write the pickle."""
    recorder = Recorder()
    tasks = gymnasium(recorder) + suite(recorder)
    for task in tasks:
        task["seed"] = zlib.crc32(task["name"].encode())
    Path(sys.argv[1]).write_bytes(pickle.dumps(tasks))
    print(f"{len(tasks)} tasks")


if __name__ == "__main__":
    main()
