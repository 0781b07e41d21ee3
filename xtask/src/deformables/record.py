"""Records what undamped and bent flexes are in the reference, as text.

usage: record.py GOLDEN < SCENES

SCENES is a JSON object. `falling` has models by name, names of `integrators`, the number of `steps` between two records and
the number of `records` after the first: a line has the name SCENE:INTEGRATOR, and for each record the energy of gravity, of
motion, and of elements and hinges. The reference doesn't report the last, so it is computed from its results. `chaotic` is a
model that falls from a number of `starts`: a line has the name starts:INTEGRATOR, and for each start the greatest kinetic
energy, the greatest change of the sum, and its mean change in the last third of the time. `held` is a list
of models with a name, positions and a load on the dofs: a line has the name balance:NAME and how much of the load the elastic
forces leave, or energy:NAME and the energy of elements and hinges where there is no load.
"""

import json
import sys

import mujoco
import numpy as np


def of_elements(m, d, f):
    edges, record = (3, 21) if m.flex_dim[f] == 2 else (6, 24)
    count = m.flex_elemnum[f]
    edge = m.flex_elemedge[m.flex_elemedgeadr[f] :][: count * edges].reshape(count, edges) + m.flex_edgeadr[f]
    elongation = d.flexedge_length[edge] ** 2 - m.flexedge_length0[edge] ** 2
    numbers = m.flex_stiffness[m.flex_stiffnessadr[f] :][: count * record].reshape(count, record)
    i, j = np.triu_indices(edges)
    form = np.zeros((count, edges, edges))
    form[:, i, j] = form[:, j, i] = numbers[:, : len(i)]
    return 0.25 * np.einsum("ei,eij,ej", elongation, form, elongation)


def of_hinges(m, d, f):
    first, count = m.flex_edgeadr[f], m.flex_edgenum[f]
    records = m.flex_bending[m.flex_bendingadr[f] :][: count * 17].reshape(count, 17)
    ends, flaps = m.flex_edge[first : first + count], m.flex_edgeflap[first : first + count]
    inner = flaps[:, 1] >= 0
    x = d.flexvert_xpos[m.flex_vertadr[f] :][np.hstack([ends, flaps])[inner]]
    x = x - x[:, :1]
    form, factor = records[inner, :16].reshape(-1, 4, 4), records[inner, 16]
    volume = np.einsum("ei,ei->e", np.cross(x[:, 1], x[:, 2]), x[:, 3])
    return 0.5 * np.einsum("eik,eij,ejk", x, form, x) + factor @ volume


def elastic(m, d):
    elements = sum(of_elements(m, d, f) for f in range(m.nflex) if m.flex_stiffnessadr[f] >= 0)
    return elements + sum(of_hinges(m, d, f) for f in range(m.nflex) if m.flex_bendingadr[f] >= 0)


def energies(m, d):
    mujoco.mj_forward(m, d)
    return [d.energy[0], d.energy[1], elastic(m, d)]


def falls(xml, integrator, steps, records, start=None):
    m = mujoco.MjModel.from_xml_string(xml)
    m.opt.integrator = getattr(mujoco.mjtIntegrator, "mjINT_" + integrator.upper())
    d = mujoco.MjData(m)
    if start is not None:
        d.qpos += 1e-9 * np.sin((np.arange(m.nq) + 1) * (start + 1))
    numbers = energies(m, d)
    for _ in range(records):
        mujoco.mj_step(m, d, steps)
        numbers += energies(m, d)
    return numbers


def measured(numbers):
    parts = np.reshape(numbers, (-1, 3))
    change = parts.sum(1) - parts[0].sum()
    return parts[:, 1].max(), np.abs(change).max(), change[len(change) * 2 // 3 :].mean()


def held(xml, qpos, load):
    m = mujoco.MjModel.from_xml_string(xml)
    d = mujoco.MjData(m)
    d.qpos[:] = qpos
    mujoco.mj_forward(m, d)
    if not np.any(load):
        return "energy", elastic(m, d)
    return "balance", np.linalg.norm(d.qfrc_spring + load) / np.linalg.norm(load)


def main():
    asked = json.load(sys.stdin)
    falling = asked["falling"]
    steps, records = falling["steps"], falling["records"]
    with open(sys.argv[1], "w") as out:
        print("# Flexes in MuJoCo 4.0.0, by `cargo xtask deformables --python PYTHON`.", file=out)
        for name, xml in falling["scenes"].items():
            for integrator in falling["integrators"]:
                numbers = falls(xml, integrator, steps, records)
                print(f"{name}:{integrator}", *(f"{x:.14g}" for x in numbers), file=out)
        for integrator in falling["integrators"]:
            starts = range(asked["starts"])
            numbers = [x for k in starts for x in measured(falls(asked["chaotic"], integrator, steps, records, k))]
            print(f"starts:{integrator}", *(f"{x:.10g}" for x in numbers), file=out)
        for case in asked["held"]:
            quantity, number = held(case["xml"], case["qpos"], case["load"])
            print(f"{quantity}:{case['name']} {number:.10g}", file=out)


if __name__ == "__main__":
    main()
