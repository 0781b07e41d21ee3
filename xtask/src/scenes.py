"""Records the abstract scenes of the reference engine for a set of models, one compressed npz file a model.

usage: scenes.py MODELS_DIR GOLDEN_DIR [MODEL...]      (MODEL: path relative to MODELS_DIR; default: all)

GOLDEN_DIR/scene/MODEL.npz holds one state in motion and the geoms of `mjv_updateScene` there, for the default options, each
flag toggled, each frame, each label, and a body that the mouse pulls and turns:

  scene/0/in/<name>     the state
  scene/0/out/case      kind and number of each case: 0 default, 1 flag, 2 frame, 3 label, 4 perturbation
  scene/0/out/count     number of geoms of each case
  scene/0/out/geom      rows of `row` of all geoms, case by case
  scene/0/out/row       different geoms: see FIELDS
  scene/0/out/text      rows of `label` of all geoms
  scene/0/out/label     different labels, 100 bytes each
  scene/0/out/light     lights: see LIGHT_FIELDS
  scene/0/out/camera    both cameras: see CAMERA_FIELDS
  scene/0/out/skinvert, skinnormal, flexface, flexnormal
                        vertices of skins; corners of the faces of flexes, one flex after the other
"""

import os
import sys
import xml.etree.ElementTree as ET

import mujoco
import numpy as np

SEED = 17
STEPS = 40
MAX_GEOMS = 20000

STATE = "qpos qvel act ctrl qfrc_applied xfrc_applied qacc_warmstart plastic".split()
FIELDS = ("type dataid objtype objid category matid texid texuniform texcoord segid castshadow emission specular shininess "
          "reflectance modelrbound texrepeat size pos mat rgba").split()
LIGHT_FIELDS = "id type texid headlight castshadow pos dir attenuation cutoff exponent ambient diffuse specular".split()
CAMERA_FIELDS = ("pos forward up frustum_center frustum_width frustum_bottom frustum_top frustum_near frustum_far "
                 "orthographic").split()

# The flag `sdfiter` shows points that the last searches between signed distances went through, a state of the reference's.
FLAGS = [i for i in range(int(mujoco.mjtVisFlag.mjNVISFLAG)) if i != mujoco.mjtVisFlag.mjVIS_SDFITER]
CASES = ([(0, 0)] + [(1, i) for i in FLAGS]
         + [(2, i) for i in range(1, int(mujoco.mjtFrame.mjNFRAME))]
         + [(3, i) for i in range(1, int(mujoco.mjtLabel.mjNLABEL))] + [(4, 0)])


def row(of, fields):
    return np.concatenate([np.ravel(getattr(of, n)).astype(np.float32) for n in fields])


def moved(path):
    m = mujoco.MjModel.from_xml_path(path)
    m.opt.iterations, m.opt.tolerance, m.opt.ls_iterations, m.opt.ls_tolerance = 500, 1e-15, 100, 1e-6
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    rng = np.random.default_rng(SEED)
    if m.nbody > 1:
        d.xfrc_applied[1:] = rng.normal(size=(m.nbody - 1, 6)) * m.body_mass[1:, None]
    if m.nu:
        limited = m.actuator_ctrllimited.astype(bool)
        low, high = np.where(limited, m.actuator_ctrlrange.T, [[-1.0], [1.0]])
        d.ctrl[:] = low + (high - low) * rng.random(m.nu)
    for _ in range(STEPS):
        mujoco.mj_step(m, d)
    mujoco.mj_forward(m, d)
    return m, d


def record(path):
    m, d = moved(path)
    scene = mujoco.MjvScene(m, MAX_GEOMS)
    rows, labels, counts = [], [], []
    for kind, i in CASES:
        option, camera, perturb = mujoco.MjvOption(), mujoco.MjvCamera(), mujoco.MjvPerturb()
        mujoco.mjv_defaultFreeCamera(m, camera)
        if kind == 1:
            option.flags[i] = 1 - option.flags[i]
        option.frame = i if kind == 2 else 0
        option.label = i if kind == 3 else 0
        if kind == 4:
            perturb.select = min(1, m.nbody - 1)
            perturb.active, perturb.active2 = 3, 1
            perturb.localpos[:] = [0.02, 0.01, 0.03]
            perturb.refselpos[:] = [0.1, 0.2, 0.9]
            perturb.refquat[:] = [0.8, 0.6, 0.0, 0.0]
            option.flags[mujoco.mjtVisFlag.mjVIS_SELECT] = 1
            option.label = mujoco.mjtLabel.mjLABEL_SELPNT
        # A new scene each time: infinite planes follow the camera of the last update.
        for eye in scene.camera:
            eye.pos[:] = 0
        mujoco.mjv_updateScene(m, d, option, perturb, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
        geoms = scene.geoms[: scene.ngeom]
        counts.append(len(geoms))
        rows += [row(g, FIELDS) for g in geoms]
        labels += [g.label.encode()[:100].ljust(100, b"\0") for g in geoms]
        if (kind, i) == (0, 0):
            lights = np.array([row(light, LIGHT_FIELDS) for light in scene.lights[: scene.nlight]], np.float32)
            cameras = np.array([row(eye, CAMERA_FIELDS) for eye in scene.camera], np.float32)
            surfaces = {"out/skinvert": scene.skinvert.copy(), "out/skinnormal": scene.skinnormal.copy()}
            faces = [slice(9 * a, 9 * (a + n)) for a, n in zip(scene.flexfaceadr, scene.flexfaceused)]
            for name in ("flexface", "flexnormal"):
                parts = [getattr(scene, name).ravel()[part] for part in faces]
                surfaces[f"out/{name}"] = np.concatenate(parts or [np.zeros(0)]).astype(np.float32)
    out = {f"in/{n}": np.asarray(getattr(d, n), float) for n in STATE if getattr(d, n).size}
    row_table, geom = np.unique(np.array(rows), axis=0, return_inverse=True)
    label_table, text = np.unique(np.array([np.frombuffer(b, np.uint8) for b in labels]), axis=0, return_inverse=True)
    out.update({"out/case": np.array(CASES, np.int32), "out/count": np.array(counts, np.int32),
                "out/geom": geom.ravel().astype(np.int32), "out/row": row_table, "out/text": text.ravel().astype(np.int32),
                "out/label": label_table, "out/light": lights, "out/camera": cameras})
    out.update({n: v for n, v in surfaces.items() if v.size})
    return {f"scene/0/{n}": v for n, v in out.items()}


def main():
    models, golden, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    if not names:
        names = sorted(f for f in os.listdir(models) if f.endswith(".xml"))
    for name in names:
        path = os.path.join(models, name)
        if ET.parse(path).getroot().tag == "mujocoinclude":
            continue
        file = os.path.join(golden, "scene", os.path.splitext(name)[0] + ".npz")
        os.makedirs(os.path.dirname(file), exist_ok=True)
        np.savez_compressed(file, **record(path))
        print(f"wrote   {file}  {os.path.getsize(file) // 1024} KiB")


if __name__ == "__main__":
    main()
