"""Differentiates steps of the reference engine for `cargo xtask control --python`.

usage: planner.py MODEL TIMESTEP

Says the sizes nq, nv, na, nu as four 64-bit integers. Then reads states from stdin (qpos, qvel, act, ctrl, as 64-bit
floating-point numbers) and answers each with the matrices A and B of `mjd_transitionFD`.
"""

import sys

import mujoco
import numpy as np

model = mujoco.MjModel.from_xml_path(sys.argv[1])
model.opt.timestep = float(sys.argv[2])
model.opt.tolerance, model.opt.iterations = 1e-12, 200
data = mujoco.MjData(model)
sizes = [model.nq, model.nv, model.na, model.nu]
nx = 2 * model.nv + model.na
a, b = np.zeros((nx, nx)), np.zeros((nx, model.nu))
count = 8 * (model.nq + model.nv + model.na + model.nu)
out = sys.stdout.buffer
out.write(np.array(sizes, dtype=np.int64).tobytes())
out.flush()
while len(request := sys.stdin.buffer.read(count)) == count:
    state = np.frombuffer(request)
    data.qpos[:], data.qvel[:], data.act[:], data.ctrl[:] = np.split(
        state, np.cumsum([model.nq, model.nv, model.na])
    )
    mujoco.mjd_transitionFD(model, data, 1e-6, True, a, b, None, None)
    out.write(a.tobytes())
    out.write(b.tobytes())
    out.flush()
