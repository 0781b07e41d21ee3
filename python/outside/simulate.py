"""Simulate collected tasks, and write the states at steps 10, 100 and 1000.

    python simulate.py mj|mujoco TASKS OUT

Runs with either engine. With ``mujoco``, eight more runs are perturbed: at every step each coordinate and velocity is
changed by 1e-15, relative and absolute, times a normal random number.
"""

import pickle
import sys
from pathlib import Path

import numpy as np

STEPS = (10, 100, 1000)
PERTURBED = 8
SIZE = 1e-15
HOLD = 10


def controls(model: object, seed: int) -> np.ndarray:
    """Return random controls within their ranges, held for some steps, (STEPS[-1], nu)."""
    rng = np.random.default_rng(seed)
    limited = np.asarray(model.actuator_ctrllimited, bool)
    low, high = np.where(limited[:, None], model.actuator_ctrlrange, [-1.0, 1.0]).T
    drawn = rng.uniform(low, high, (STEPS[-1] // HOLD, model.nu))
    return np.repeat(drawn, HOLD, axis=0)


def run(engine: object, model: object, task: dict, perturb: np.random.Generator | None) -> np.ndarray:
    """Return the coordinates and velocities at the steps of interest, one row each."""
    data = engine.MjData(model)
    for field, value in task["state"].items():
        getattr(data, field)[...] = value
    ctrl, out = controls(model, task["seed"]), []
    for step in range(STEPS[-1]):
        data.ctrl[:] = ctrl[step]
        engine.mj_step(model, data)
        if perturb is not None:
            for x in (data.qpos, data.qvel):
                x += SIZE * (1 + np.abs(x)) * perturb.standard_normal(x.shape)
        if step + 1 in STEPS:
            out.append(np.concatenate([data.qpos, data.qvel]))
    return np.array(out)


def main() -> None:
    """Write the states."""
    name, tasks, out = sys.argv[1:]
    engine = __import__(name)
    states = {}
    for task in pickle.loads(Path(tasks).read_bytes()):
        model = engine.MjModel.from_xml_string(task["text"], task["files"])
        for field, value in task["options"].items():
            setattr(model.opt, field, value.item())
        runs = [run(engine, model, task, None)]
        if name == "mujoco":
            runs += [run(engine, model, task, np.random.default_rng(i)) for i in range(PERTURBED)]
        states[task["name"]] = np.array(runs)
    np.savez(out, **states)


if __name__ == "__main__":
    main()
