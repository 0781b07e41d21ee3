"""Step for long, with resets, copies, pickles and new models between, and check that memory does not grow.

    python soak.py [STEPS]

Prints the greatest memory so far now and then; fails if it grows by more than 2 % in the second half.
"""

import copy
import pickle
import resource
import sys
import time

import mj
import numpy as np

MODEL = """
<mujoco><worldbody><geom type="plane" size="2 2 1"/>
  <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="0 .1 .7"><freejoint/><geom size=".1"/></body>
  <body pos="1 0 .5"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/></body>
</worldbody><sensor><clock/></sensor></mujoco>"""
GROWTH = 1.02
BLOCK = 10_000


def block(model: mj.MjModel, rng: np.random.Generator) -> mj.MjModel:
    """Take ``BLOCK`` steps in ways that differ."""
    data = mj.MjData(model)
    for part in range(10):
        data.qvel[:] = rng.standard_normal(model.nv)
        for _ in range(50):
            mj.mj_step(model, data, nstep=BLOCK // 500)
            data.contact.dist.sum()
        kind = part % 5
        if kind == 0:
            mj.mj_resetData(model, data)
        elif kind == 1:
            data = copy.deepcopy(data)
            model = data.model
        elif kind == 2:
            data = pickle.loads(pickle.dumps(data))
            model = data.model
        elif kind == 3:
            model = mj.MjSpec.from_string(MODEL).compile()
            data = mj.MjData(model)
        else:
            mj.mj_copyData(mj.MjData(model), model, data)
    return model


def memory() -> float:
    """Return the greatest memory that this process had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Step, and return 1 if memory grew."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    model, rng = mj.MjModel.from_xml_string(MODEL), np.random.default_rng(0)
    start, half, count = time.perf_counter(), 0.0, max(steps // BLOCK, 10)
    for i in range(count):
        model = block(model, rng)
        if i + 1 == count // 2:
            half = memory()
        if (i + 1) % (count // 10) == 0:
            print(f"{(i + 1) * BLOCK} steps, {time.perf_counter() - start:.0f} s, {memory():.1f} MiB", flush=True)
    return int(memory() > GROWTH * half)


if __name__ == "__main__":
    sys.exit(main())
