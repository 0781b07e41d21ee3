"""Records what the reference engine computes for a set of models, one compressed npz file a model.

usage: oracle.py MODELS_DIR GOLDEN_DIR [MODEL...]      (MODEL: path relative to MODELS_DIR; default: all)

A golden file holds, under path-like names:

  model/<field>            the compiled model: what physics depends on, storage details left out
  forward/<k>/in/<name>    a state: what `mj dump --state` reads
  forward/<k>/out/<field>  results of a forward evaluation there, with a solver run to convergence
  inverse/<k>/in, out      the same for inverse dynamics, with a random acceleration
  step/0/in, out           a start and where 20 ordinary steps lead from it
  meta/version             the reference's version, as three integers

Beside it, GOLDEN_DIR/transition/MODEL.npz holds Jacobians of a step (centered differences), by integrator:

  transition/<k>/in/<name>  a state in motion, and the integrator's number
  transition/<k>/out        A, B, C and D

State 0 is the model's start (its first keyframe where it has one); states 1, 2, ... follow after 21, 63, 189 ... more
steps under random controls; from the second on, random forces act on joints and bodies too.
"""

import os
import sys
import xml.etree.ElementTree as ET

import mujoco
import numpy as np

SEED = 11
STATES = 4
STEPS = 20
MAX_SPEED = 1e4

# Inputs of a state file.
STATE = ("qpos qvel act ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat eq_active "
         "qacc_warmstart userdata plastic history").split()

# Fields of the compiled model that say how the reference stores it, not what it means.
STORAGE = set("""
    narena nbuffer nnames nnames_map npaths signature njmax nconmax nemax names_map plugin plugin_attr plugin_attradr
    mapM2D mapD2M mapM2M D_diag D_rownnz D_rowadr D_colind B_rownnz B_rowadr B_colind nB nD nM nC M_rownnz M_rowadr
    M_colind dof_Madr nJmom nJten nJfe ten_J_rownnz ten_J_rowadr ten_J_colind
    efm0_L efm0_L_colind efm0_L_rowadr efm0_L_rownnz efm0_dofid efmC_perm nefm0L nefm0dof nefmCvert
    body_plugin geom_plugin actuator_plugin sensor_plugin mesh_pathadr hfield_pathadr
    body_user jnt_user geom_user site_user cam_user tendon_user actuator_user sensor_user
    nbvh nbvhstatic nbvhdynamic bvh_aabb bvh_child bvh_depth bvh_nodeid body_bvhadr body_bvhnum flex_bvhadr flex_bvhnum
    noct oct_aabb oct_child oct_coeff oct_depth
    npolygonmax nmeshpoly nmeshpolyvert nmeshpolymap nmeshdegmax nmeshgraph nmeshnormal nmeshtexcoord
""".split())
# What only rendering or lookup by name uses, and the internals of meshes.
STORAGE_PREFIXES = ("mat_", "tex_", "light_", "skin_", "cam_", "text_", "name_", "names", "paths", "mesh_")

RESULTS = """
    xpos xquat xmat xipos xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat subtree_com cdof cinert
    ten_length actuator_length crb cvel cdof_dot ten_velocity actuator_velocity qfrc_bias qfrc_spring qfrc_damper
    qfrc_gravcomp qfrc_fluid qfrc_passive subtree_linvel subtree_angmom act_dot actuator_force qfrc_actuator qfrc_smooth
    qacc_smooth ne nf nl nefc efc_type efc_pos efc_margin efc_frictionloss efc_diagA efc_KBIP efc_D efc_R efc_vel efc_aref
    qacc qfrc_constraint efc_force sensordata energy
""".split()
CONTACT = "dist pos frame includemargin friction solref solreffriction solimp dim geom".split()


def numbers(x):
    """An array in the narrowest type that holds its values exactly."""
    x = np.asarray(x)
    if x.dtype == bool:
        return x
    if x.dtype.kind in "iu":
        return x.astype(np.int32 if np.all(np.abs(x.astype(np.int64)) < 2**31) else np.int64)
    return x.astype(np.float64)


def model_arrays(m):
    out = {}
    for prefix, part in (("", m), ("opt.", m.opt), ("stat.", m.stat)):
        for name in dir(part):
            if name.startswith("_") or (not prefix and (name in STORAGE or name.startswith(STORAGE_PREFIXES))):
                continue
            value = getattr(part, name)
            if callable(value) or not isinstance(value, (np.ndarray, int, float, np.generic)):
                continue
            out[prefix + name] = numbers(value)
    return out


def from_rows(nrow, ncol, nnz, adr, col, values):
    """A dense matrix from compressed rows."""
    out = np.zeros((nrow, ncol))
    for r in range(nrow):
        s = slice(adr[r], adr[r] + nnz[r])
        out[r, col[s]] = values[s]
    return out


def results(m, d):
    out = {n: numbers(getattr(d, n)) for n in RESULTS if hasattr(d, n)}
    mass = np.zeros((m.nv, m.nv))
    if m.nv:
        mujoco.mj_fullM(m, d, mass)
    out["M_dense"] = mass
    if mujoco.mj_isSparse(m):
        out["efc_J_dense"] = from_rows(d.nefc, m.nv, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind, d.efc_J.ravel())
    else:
        out["efc_J_dense"] = np.array(d.efc_J).reshape(d.nefc, m.nv)
    out["ten_J_dense"] = from_rows(m.ntendon, m.nv, m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind, d.ten_J)
    out["actuator_moment_dense"] = from_rows(
        m.nout, m.nv, d.moment_rownnz, d.moment_rowadr, d.moment_colind, d.actuator_moment)
    out.update({"contact." + n: numbers(getattr(d.contact, n)) for n in CONTACT})
    return out


def state(d, **more):
    out = {n: numbers(getattr(d, n)) for n in STATE if hasattr(d, n)}
    out["time"] = np.float64(d.time)
    out.update(more)
    return out


def tightened(path):
    """The model with a solver that runs to convergence, so that results don't depend on where it stops."""
    m = mujoco.MjModel.from_xml_path(path)
    m.opt.iterations, m.opt.tolerance, m.opt.ls_iterations, m.opt.ls_tolerance = 500, 1e-15, 100, 1e-6
    return m


def started(m):
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    return d


def control_bounds(m):
    limited = m.actuator_ctrllimited.astype(bool) if m.nu else np.zeros(0, bool)
    bounds = m.actuator_ctrlrange.reshape(-1, 2) if m.nu else np.zeros((0, 2))
    return np.where(limited, bounds[:, 0], -1.0), np.where(limited, bounds[:, 1], 1.0)


def copy_state(source, target, names):
    for n in names:
        if hasattr(source, n):
            getattr(target, n)[:] = getattr(source, n)
    target.time = source.time


def record(path):
    out = {"meta/version": numbers([int(x) for x in mujoco.__version__.split(".")[:3]])}

    def put(group, arrays):
        # An array that isn't there is empty.
        out.update({f"{group}/{n}": v for n, v in arrays.items() if v.size})

    m = mujoco.MjModel.from_xml_path(path)
    put("model", model_arrays(m))

    rng = np.random.default_rng(SEED)
    tight, d = tightened(path), started(m)
    low, high = control_bounds(m)
    for k in range(STATES):
        for _ in range(7 * 3**k if k else 0):
            d.ctrl[:] = low + (high - low) * rng.random(m.nu)
            mujoco.mj_step(m, d)
        if not np.isfinite(d.qpos).all() or np.abs(d.qvel).max(initial=0) > MAX_SPEED:
            break

        f = mujoco.MjData(tight)
        copy_state(d, f, [n for n in STATE if "applied" not in n])
        if k > 1:
            f.qfrc_applied[:] = 0.1 * rng.standard_normal(m.nv)
            f.xfrc_applied[1:] = 0.1 * rng.standard_normal((m.nbody - 1, 6))
        put(f"forward/{k}/in", state(f))
        # Energy and subtree velocities are always part of a dump.
        tight.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
        mujoco.mj_forward(tight, f)
        mujoco.mj_subtreeVel(tight, f)
        put(f"forward/{k}/out", results(tight, f))

        if m.nv:
            i = mujoco.MjData(tight)
            copy_state(d, i, "qpos qvel act ctrl mocap_pos mocap_quat eq_active plastic".split())
            i.qacc[:] = rng.standard_normal(m.nv)
            put(f"inverse/{k}/in", state(i, qacc=np.array(i.qacc)))
            mujoco.mj_inverse(tight, i)
            put(f"inverse/{k}/out", {"qfrc_inverse": np.array(i.qfrc_inverse)})
            put(f"inverse/{k}/out", {"contact." + n: numbers(getattr(i.contact, n)) for n in CONTACT})

    d = started(m)
    put("step/0/in", state(d))
    for _ in range(STEPS):
        mujoco.mj_step(m, d)
    put("step/0/out", {"qpos": np.array(d.qpos), "qvel": np.array(d.qvel)})
    return out


# Jacobians: step of differences, steps before them, and dofs up to which the discrete integrator is recorded too.
EPS = 1e-6
MOVING_STEPS = 30
SMALL = 14


def by_state(m, d):
    """Centered differences of a step by positions and velocities, each step from a copy of the whole state.

    The model has no activations, controls or sensors, which would need columns and rows of their own.
    """
    assert not (m.na or m.nu or m.nsensordata)

    def stepped(column, eps):
        c = mujoco.MjData(m)
        mujoco.mj_copyData(c, m, d)
        if column < m.nv:
            dq = np.zeros(m.nv)
            dq[column] = 1
            mujoco.mj_integratePos(m, c.qpos, dq, eps)
        else:
            c.qvel[column - m.nv] += eps
        mujoco.mj_step(m, c)
        return c

    A = np.zeros((2 * m.nv, 2 * m.nv))
    for k in range(2 * m.nv):
        minus, plus = stepped(k, -EPS), stepped(k, EPS)
        dq = np.zeros(m.nv)
        mujoco.mj_differentiatePos(m, dq, 2 * EPS, minus.qpos, plus.qpos)
        A[:, k] = np.concatenate([dq, (plus.qvel - minus.qvel) / (2 * EPS)])
    return A


def transitions(path):
    """Jacobians of a step from a state in motion."""
    out = {}
    rk4, implicit, discrete = (int(getattr(mujoco.mjtIntegrator, "mjINT_" + n)) for n in ("RK4", "IMPLICIT", "DISCRETE"))
    m = tightened(path)
    # Conjugate gradients stop at an error that differences by 1e-6 show.
    m.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    # Runge-Kutta's method has no such Jacobians.
    own = implicit if m.opt.integrator == rk4 else int(m.opt.integrator)
    low, high = control_bounds(m)
    for k, integrator in enumerate([own] + [discrete] * (m.nv <= SMALL)):
        m.opt.integrator = integrator
        d = started(m)
        d.qvel[:] += 0.3 * np.sin(np.arange(m.nv) + 1.0)
        d.ctrl[:] = low + (high - low) * (0.5 + 0.3 * np.cos(np.arange(m.nu) + 1.0))
        for _ in range(MOVING_STEPS):
            mujoco.mj_step(m, d)
        out.update({f"transition/{k}/in/{n}": v for n, v in state(d, integrator=np.int32(integrator)).items() if v.size})
        if (m.flex_dim == 1).any():
            # mjd_transitionFD doesn't put back the frames of rods (docs/lab/differences.md).
            blocks = {"A": by_state(m, d)}
        else:
            nx = 2 * m.nv + m.na
            shapes = {"A": (nx, nx), "B": (nx, m.nu), "C": (m.nsensordata, nx), "D": (m.nsensordata, m.nu)}
            blocks = {n: np.zeros(shape) for n, shape in shapes.items()}
            mujoco.mjd_transitionFD(m, d, EPS, True, *(b if b.size else None for b in blocks.values()))
        out.update({f"transition/{k}/out/{n}": b for n, b in blocks.items() if b.size})
    return out


def save(path, arrays):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    np.savez_compressed(path, **arrays)
    print(f"wrote   {path}  {os.path.getsize(path) // 1024} KiB")


def main():
    models, golden, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    if not names:
        for folder, _, files in os.walk(models):
            names += [os.path.relpath(os.path.join(folder, f), models) for f in files if f.endswith(".xml")]
    failed = 0
    for name in sorted(names):
        path = os.path.join(models, name)
        try:
            if ET.parse(path).getroot().tag == "mujocoinclude":
                continue  # a part of other models
        except ET.ParseError:
            pass  # the reference may be more tolerant
        try:
            arrays, jacobians = record(path), transitions(path)
        except Exception as e:  # a model that the reference refuses; say so and go on
            print(f"failed  {name}: {e}")
            failed += 1
            continue
        file = os.path.splitext(name)[0] + ".npz"
        save(os.path.join(golden, file), arrays)
        if jacobians:
            save(os.path.join(golden, "transition", file), jacobians)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
