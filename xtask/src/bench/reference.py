"""Times steps of the reference engine for `cargo xtask bench`.

Reads one request a line from stdin, a JSON object, and answers each with one line:

  {"model": path, "steps": n, "warmup": w or null, "seed": s or null, "solver": number or null}
  -> {"us": least microseconds a step over 20 chunks, "contacts": mean, "buffer": bytes, "arena": bytes}
  or {"error": what went wrong}

Controls are the noise of `mj bench`, held for blocks of ten steps; without a seed they stay as they are. `buffer` is the fixed memory of mjData; `arena` the
most of its arena that was in use at once since the reset.
"""

import json
import sys
import time

import mujoco
import numpy as np

BLOCK = 10
CHUNKS = 20


def uniform(seed, blocks, count):
    """Stateless noise in [0, 1), one row a block; 64-bit integers wrap around."""
    b = np.arange(blocks, dtype=np.uint64)[:, None]
    i = np.arange(count, dtype=np.uint64)[None, :]
    first = np.uint64((seed * 0x9E3779B97F4A7C15 + 1) % 2**64)
    z = first + b * np.uint64(0xD1B54A32D192ED03) + i * np.uint64(0x8CB92BA72F3D8DD7)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * 2.0**-53


def controls(m, blocks, seed):
    """The controls of every block, about key 0's where the model has one."""
    if seed is None:
        return np.tile(m.key_ctrl[0] if m.nkey else np.zeros(m.nu), (blocks, 1))
    each = lambda a: a if len(a) == m.nu else np.repeat(a, m.actuator_ctrlnum, axis=0)
    limited = each(m.actuator_ctrllimited).astype(bool)
    low, high = np.where(limited[:, None], each(m.actuator_ctrlrange), [-1.0, 1.0]).T
    middle = np.clip(m.key_ctrl[0], low, high) if m.nkey else (low + high) / 2
    noise = 2 * uniform(seed, blocks, m.nu) - 1
    return np.clip(middle + (high - low) / 4 * noise, low, high)


def measure(m, steps, warmup, seed):
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    warm = (max(100, steps // 10) if warmup is None else warmup) // BLOCK
    chunk = max(1, steps // BLOCK // CHUNKS)
    ctrl = iter(controls(m, warm + chunk * CHUNKS, seed))
    for _ in range(warm):
        d.ctrl[:] = next(ctrl)
        mujoco.mj_step(m, d, BLOCK)
    times, contacts = [], []
    for _ in range(CHUNKS):
        start = time.perf_counter()
        for _ in range(chunk):
            d.ctrl[:] = next(ctrl)
            mujoco.mj_step(m, d, BLOCK)
        times.append((time.perf_counter() - start) * 1e6 / (chunk * BLOCK))
        contacts.append(d.ncon)
    return {
        "us": min(times),
        "contacts": float(np.mean(contacts)),
        "buffer": int(d.nbuffer),
        "arena": int(d.maxuse_arena),
    }


def main():
    print(json.dumps({"version": mujoco.__version__, "date": time.strftime("%Y-%m-%d")}), flush=True)
    path = model = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["model"] != path:
                path, model = None, None
                model = mujoco.MjModel.from_xml_path(request["model"])
                path, solver = request["model"], model.opt.solver
            model.opt.solver = solver if request["solver"] is None else request["solver"]
            answer = measure(model, request["steps"], request["warmup"], request["seed"])
        except Exception as e:
            answer = {"error": str(e)}
        print(json.dumps(answer), flush=True)


main()
