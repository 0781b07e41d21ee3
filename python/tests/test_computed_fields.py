"""Fields that are computed when they are read: paths of tendons, matrices of integrators, the dual, bounding volumes."""

import copy
import pickle

import mj
import numpy as np
import pytest

BODIES = """
<worldbody>
  <geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .09"><freejoint/><geom size=".1"/>
    <body pos=".3 0 0"><joint range="0 1" limited="true" margin=".01" damping="10"/><geom size=".05"/></body>
  </body>
  <body pos="3 0 1"><joint axis="0 1 0" frictionloss="1" damping=".3"/><geom size=".1" pos=".1 0 0"/>
    <body pos=".2 0 0"><joint axis="0 1 0" range="0 1" limited="true" margin=".1"/><geom size=".1" pos=".1 0 0"/></body>
    <body pos=".2 .3 0"><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body>
  </body>
  <body pos="7 0 .1"><freejoint/><geom size=".1 .2 .15" type="box"/></body>
</worldbody>
"""


def simulation(options=""):
    model = mj.MjModel.from_xml_string(f"<mujoco><option {options}/>{BODIES}</mujoco>")
    data = mj.MjData(model)
    data.qvel[:] = np.random.default_rng(0).normal(size=model.nv) * 0.3
    return model, data


def dense(values, rownnz, rowadr, colind, shape):
    out = np.zeros(shape)
    for i in range(shape[0]):
        entries = slice(rowadr[i], rowadr[i] + rownnz[i])
        out[i, colind[entries]] = values[entries]
    return out


def inertia(model, data):
    full = np.zeros((model.nv, model.nv))
    mj.mj_fullM(model, data, full)
    return full


def factored(model, ld):
    """Multiplies L'DL out."""
    ld = dense(ld, model.M_rownnz, model.M_rowadr, model.M_colind, (model.nv, model.nv))
    lower = np.tril(ld, -1) + np.eye(model.nv)
    return lower.T @ np.diag(np.diag(ld)) @ lower


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("options", ['solver="PGS"', 'solver="Newton" noslip_iterations="2"'])
def test_the_dual_is_what_its_name_says(options, jacobian):
    model, data = simulation(f'{options} jacobian="{jacobian}"')
    assert data.nY == data.nA == 0
    mj.mj_forward(model, data)
    n, nv = data.nefc, model.nv
    assert n > 5 and data.efc_Y.size == data.nY and data.efc_AR.size == data.nA
    if jacobian == "sparse":
        jac = dense(data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind, (n, nv))
        y = dense(data.efc_Y, data.efc_Y_rownnz, data.efc_Y_rowadr, data.efc_Y_colind, (n, nv))
        ar = dense(data.efc_AR, data.efc_AR_rownnz, data.efc_AR_rowadr, data.efc_AR_colind, (n, n))
        assert data.nA < n * n
    else:
        jac, y, ar = (x.reshape(n, -1) for x in (data.efc_J, data.efc_Y, data.efc_AR))
    expected = jac @ np.linalg.solve(inertia(model, data), jac.T)
    np.testing.assert_allclose(y @ y.T, expected, atol=1e-9 * np.abs(expected).max())
    np.testing.assert_allclose(ar, expected + np.diag(data.efc_R), atol=1e-9 * np.abs(expected).max())


def test_a_primal_solver_shows_no_dual():
    model, data = simulation()
    mj.mj_forward(model, data)
    assert data.nefc > 0 and data.nY == data.nA == data.efc_AR.size == 0


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "discrete"])
def test_the_factor_of_a_step_is_that_of_inertia_and_damping(integrator):
    model, data = simulation(f'integrator="{integrator}"')
    assert not data.qH.any() and not data.qHDiagInv.any()
    mj.mj_step(model, data)
    expected = inertia(model, data) + model.opt.timestep * np.diag(model.dof_damping)
    np.testing.assert_allclose(factored(model, data.qH), expected, atol=1e-9)
    diagonal = data.qH[model.M_rowadr + model.M_rownnz - 1]
    np.testing.assert_allclose(data.qHDiagInv, 1 / diagonal)


def test_the_derivative_of_forces_is_their_difference():
    model, data = simulation('integrator="implicit"')
    before, velocity, h = copy.copy(data), data.qvel.copy(), 1e-6
    mj.mj_step(model, data)
    nv = model.nv
    pattern = (model.D_rownnz, model.D_rowadr, model.D_colind, (nv, nv))
    derivative = dense(data.qDeriv, *pattern)

    def force(velocity):
        before.qvel = velocity
        mj.mj_forward(model, before)
        return before.qfrc_passive - before.qfrc_bias

    columns = [(force(velocity + h * e) - force(velocity - h * e)) / (2 * h) for e in np.eye(nv)]
    within = dense(np.ones(model.nD), *pattern) > 0
    np.testing.assert_allclose(derivative, np.where(within, np.transpose(columns), 0), atol=1e-6)
    factors = dense(data.qLU, *pattern)
    upper, lower = np.triu(factors, 1) + np.eye(nv), np.tril(factors)
    np.testing.assert_allclose(upper @ lower, inertia(model, data) - model.opt.timestep * derivative, atol=1e-9)


def test_maps_between_patterns_find_the_entries_of_the_inertia():
    model, data = simulation()
    mj.mj_forward(model, data)
    pattern = (model.D_rownnz, model.D_rowadr, model.D_colind, (model.nv, model.nv))
    values = np.where(model.mapM2D < 0, 0, data.M[model.mapM2D])
    np.testing.assert_allclose(dense(values, *pattern), inertia(model, data))
    np.testing.assert_array_equal(model.mapM2D[model.mapD2M], np.arange(model.nC))


TENDONS = """
<mujoco>
  <worldbody>
    <site name="a" pos="0 0 1"/><site name="side" pos=".5 0 1.3"/>
    <geom name="drum" type="cylinder" size=".1 .3" pos=".5 0 .95" euler="90 0 0"/>
    <body pos="1.5 0 1"><joint axis="0 1 0" name="hinge"/><geom size=".1"/><site name="b" pos="0 0 -.3"/></body>
  </worldbody>
  <tendon>
    <fixed><joint joint="hinge" coef="1"/></fixed>
    <spatial><site site="a"/><geom geom="drum" sidesite="side"/><site site="b"/><pulley divisor="2"/><site site="b"/>
      <site site="a"/></spatial>
  </tendon>
</mujoco>
"""


def test_paths_of_tendons_are_as_long_as_the_tendons():
    model = mj.MjModel.from_xml_string(TENDONS)
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    assert data.ten_wrapnum.tolist() == [0, 7] and data.wrap_xpos.shape == (model.nwrap, 6)
    points, objects = data.wrap_xpos.reshape(-1, 3)[:7], data.wrap_obj.reshape(-1)[:7]
    drum = model.geom("drum").id
    assert objects.tolist() == [-1, drum, drum, -1, -2, -1, -1]
    across = points[1:3] - model.geom("drum").pos
    np.testing.assert_allclose(np.linalg.norm(across[:, [0, 2]], axis=1), 0.1)
    straight = np.linalg.norm(np.diff(points, axis=0), axis=1)
    cosine = across[0] @ across[1] / 0.01
    length = straight[0] + 0.1 * np.arccos(cosine) + straight[2] + straight[5] / 2
    assert data.ten_length[1] == pytest.approx(length)


def test_volumes_hold_what_is_below_them():
    rng = np.random.default_rng(3)
    geoms = "".join(f'<geom type="box" size=".1 .05 .02" pos="{" ".join(map(str, rng.normal(size=3)))}"/>' for _ in range(9))
    vertices = " ".join(map(str, rng.normal(size=30)))
    model = mj.MjModel.from_xml_string(
        f'<mujoco><asset><mesh name="m" vertex="{vertices}"/></asset><worldbody><body><freejoint/>{geoms}</body>'
        '<geom type="mesh" mesh="m"/></worldbody></mujoco>'
    )
    trees = [(0, 0, 1), (1, 1, 9)]
    trees = [(model.body_bvhadr[b], model.body_bvhnum[b], n) for _, b, n in trees]
    trees.append((model.mesh_bvhadr[0], model.mesh_bvhnum[0], model.nmeshface))
    assert sum(num for _, num, _ in trees) == model.nbvh
    for adr, num, leaves in trees:
        nodes = range(adr, adr + num)
        assert num == 2 * leaves - 1 and len({*model.bvh_nodeid[nodes]} - {-1}) == leaves
        for i in nodes:
            box, children = model.bvh_aabb[i], model.bvh_child[i]
            assert (children[0] < 0) == (model.bvh_nodeid[i] >= 0)
            if children[0] >= 0:
                inner = model.bvh_aabb[adr + children]
                np.testing.assert_allclose(box[:3] - box[3:], (inner[:, :3] - inner[:, 3:]).min(0))
                np.testing.assert_allclose(box[:3] + box[3:], (inner[:, :3] + inner[:, 3:]).max(0))
                np.testing.assert_array_equal(model.bvh_depth[adr + children], model.bvh_depth[i] + 1)


def test_volumes_follow_the_model():
    model = mj.MjModel.from_xml_string(f"<mujoco>{BODIES}</mujoco>")
    boxes = model.bvh_aabb
    before = boxes.copy()
    boxes[0] = 1
    model.geom_size[1] *= 2
    mj.mj_setConst(model, mj.MjData(model))
    assert model.bvh_aabb is boxes
    row = int(np.flatnonzero(model.bvh_nodeid == 1)[0])
    np.testing.assert_allclose(boxes[row, 3:], 2 * before[row, 3:])


def test_who_sleeps_is_pickled():
    model = mj.MjModel.from_xml_string(
        '<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="9 9 1"/>'
        '<body pos="0 0 .0999"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
        '<body pos="2 0 3"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    )
    data = mj.MjData(model)
    mj.mj_step(model, data, nstep=300)
    assert (data.tree_asleep >= 0).tolist() == [True, False]
    copied = pickle.loads(pickle.dumps(data))
    np.testing.assert_array_equal(copied.tree_asleep, data.tree_asleep)
    np.testing.assert_array_equal(copied.body_awake, data.body_awake)
    mj.mj_step(model, data, nstep=50)
    mj.mj_step(copied.model, copied, nstep=50)
    np.testing.assert_array_equal(copied.qpos, data.qpos)
    assert (copied.tree_asleep >= 0).tolist() == [True, False]
