"""Records what the reference makes of edits of compiled models, in one compressed npz file.

usage: edits.py MODELS_DIR EDITS GOLDEN

EDITS is a list of edits (tests/edits.txt says how). GOLDEN holds one array for each model, with a row for each of its
edits, in their order: qpos and qvel STEPS steps after the edit, and what the edit changed in the derived fields.
"""

import copy
import os
import sys

import mujoco
import numpy as np

BEFORE, STEPS = 30, 5
DERIVED = """
    body_subtreemass body_invweight0 body_sameframe body_margin body_contype body_conaffinity jnt_actuatorid
    dof_M0 dof_invweight0 dof_length tree_sleep_policy geom_size geom_rbound geom_aabb geom_fluid geom_sameframe
    site_sameframe cam_pos0 cam_poscom0 cam_mat0 light_pos0 light_poscom0 light_dir0 eq_data tendon_actuatorid
    tendon_length0 tendon_invweight0 actuator_length0 actuator_acc0
""".split()


def tightened(path):
    m = mujoco.MjModel.from_xml_path(path)
    m.opt.iterations, m.opt.tolerance, m.opt.ls_iterations, m.opt.ls_tolerance = 500, 1e-15, 100, 1e-6
    return m


def started(m):
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    d.ctrl[:] += 0.3
    for _ in range(BEFORE):
        mujoco.mj_step(m, d)
    return d


def selected(text):
    return slice(None) if text == "*" else int(text)


def changed(x, what, value):
    return {"=": x * 0 + value, "+": x + value, "*": x * value}[what]


def edit(m, field, row, column, what, value):
    part, name = (m.opt, field[4:]) if field.startswith("opt.") else (m, field)
    old = getattr(part, name)
    if not isinstance(old, np.ndarray):
        setattr(part, name, type(old)(changed(old, what, value)))
        return
    cells = old.reshape(1 if part is m.opt else len(old), -1)
    where = selected(row), selected(column)
    cells[where] = changed(cells[where], what, value)
    old[...] = cells.reshape(old.shape)


def derived(m):
    return np.concatenate([np.asarray(getattr(m, n), np.float64).ravel() for n in DERIVED])


def simulated(m, d, base):
    for _ in range(STEPS):
        mujoco.mj_step(m, d)
    return np.concatenate([d.qpos, d.qvel, derived(m) - derived(base)])


def record(base, row, column, field, what, value, constants):
    m, d, work = copy.copy(base), started(base), mujoco.MjData(base)
    edit(m, field, row, column, what, value)
    if constants:
        mujoco.mj_setConst(m, work)
    result = simulated(m, d, base)
    if np.array_equal(result, simulated(base, started(base), base)):
        raise ValueError(f"no effect of an edit of {field}")
    return result


def main():
    models, edits, golden = sys.argv[1:]
    rows = {}
    for line in open(edits):
        words = line.split("#")[0].split()
        if words:
            model, field, row, column, change = words[:5]
            base = tightened(os.path.join(models, model + ".xml"))
            result = record(base, row, column, field, change[0], float(change[1:]), words[5:] == ["set"])
            rows.setdefault(model, []).append(result)
    np.savez_compressed(golden, **{model: np.array(r) for model, r in rows.items()})
    print(f"wrote   {golden}  {os.path.getsize(golden) // 1024} KiB")


if __name__ == "__main__":
    main()
