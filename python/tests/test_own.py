"""What the package has beyond MuJoCo's interface: words, lists of problems, solvers, impulses, convex parts, pictures."""

import copy
import pickle

import mj
import numpy as np
import pytest

BALL = """
<mujoco model="ba&lt;ll">
  <option cone="elliptic" tolerance="1e-12"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 {height}"><freejoint name="free"/><geom name="skin" size=".1" mass="2"/></body>
  </worldbody>
</mujoco>
"""


def ball(height=1.0):
    model = mj.MjModel.from_xml_string(BALL.format(height=height))
    return model, mj.MjData(model)


def test_all_problems_of_a_model_come_at_once():
    text = "<mujoco>\n  <worldbody>\n    <geom sze='1'/>\n    <bdy/>\n  </worldbody>\n</mujoco>"
    with pytest.raises(ValueError, match="line 3") as caught:
        mj.MjModel.from_xml_string(text)
    error = caught.value
    assert type(error) is mj.LoadError
    first, second = error.diagnostics
    assert (first.severity, first.line, first.column, first.end_column) == ("error", 3, 11, 14)
    assert (second.line, second.column) == (4, 6)
    assert "sze" in first.message and "`size`" in first.suggestion and "body" in second.suggestion
    assert first.file == "string.xml" and str(first).startswith("string.xml:3:11: error: ")
    again = pickle.loads(pickle.dumps(error))
    assert again.diagnostics == error.diagnostics and str(again) == str(error)


def test_errors_of_specs_have_diagnostics(tmp_path):
    with pytest.raises(mj.LoadError) as caught:
        mj.MjSpec.from_string("<mujoco><worldbody><geom sze='1'/><geom tpe='1'/></worldbody></mujoco>")
    assert [d.column for d in caught.value.diagnostics] == [26, 41]
    spec = mj.MjSpec()
    for name in "ab":
        body = spec.worldbody.add_body(name=name)
        body.add_joint(name=f"j{name}", type=mj.mjtJoint.mjJNT_HINGE)
    with pytest.raises(mj.LoadError) as caught:
        spec.compile()
    assert len(caught.value.diagnostics) >= 2
    assert all(d.line is None and d.file is None for d in caught.value.diagnostics)


def test_a_file_that_is_not_there_is_a_diagnostic(tmp_path):
    with pytest.raises(ValueError) as caught:
        mj.MjModel.from_xml_path(tmp_path / "none.xml")
    assert "none.xml" in str(caught.value) and len(caught.value.diagnostics) == 1


def test_a_state_is_explained():
    model, data = ball()
    assert mj.explain(data) == "nothing unusual"
    data.qvel[2] = np.nan
    assert mj.explain(data) == "qvel[2] is NaN: joint `free` of body `ball`"
    mj.mj_step(model, data)
    assert "velocity of joint `free` is not finite" in mj.explain(data)
    assert "see mj.explain" in repr(data)
    model, data = ball(0.05)
    mj.mj_forward(model, data)
    assert "geom `floor` and geom `skin` are 0.05 m inside of each other" in mj.explain(data)
    # Another model's names, where one is given.
    assert mj.explain(data, model) == mj.explain(data)
    with pytest.raises(TypeError):
        mj.explain(None)


def test_solvers_agree_on_the_force_that_carries_a_ball():
    _, data = ball(0.0995)
    problem = mj.solvers.record(data)
    assert (problem.nv, problem.nefc, problem.ne, problem.nf) == (6, 3, 0, 0)
    assert not problem.contradictory
    found = {s.solver: s for s in problem.compare()}
    assert found.keys() == mj.solvers.ABOUT.keys() and {"newton", "complementarity"} <= found.keys()
    newton = found["newton"]
    assert newton.qacc.shape == (6,) and newton.efc_force.shape == (3,)
    for name in ("newton", "cg", "pgs", "cone-gs"):
        solution = found[name]
        assert np.isclose(solution.cost, newton.cost, rtol=1e-6)
        assert solution.stationarity < 1e-6 and solution.feasibility < 1e-6
        # M (qacc - qacc_smooth) = J' f: the ball's 2 kg.
        assert np.isclose(2 * (solution.qacc[2] + 9.81), solution.efc_force[0], rtol=1e-6)
    # Exact laws: the contact point keeps its reference acceleration to rounding.
    assert found["complementarity"].laws < 1e-9
    with pytest.raises(ValueError, match="newton, cg, pgs"):
        problem.solve("newtn")
    assert problem.solve("cg", iterations=1).niter == 1


def test_a_problem_is_the_same_after_writing_and_reading(tmp_path):
    _, data = ball(0.0995)
    problem = mj.solvers.record(data)
    problem.save(tmp_path / "problem.npz")
    for again in (mj.solvers.load(tmp_path / "problem.npz"), pickle.loads(pickle.dumps(problem)), copy.copy(problem)):
        for name, array in problem.arrays().items():
            assert np.array_equal(again.arrays()[name], array), name
        assert np.array_equal(again.solve("newton").qacc, problem.solve("newton").qacc)
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    (tmp_path / "text.npz").write_text("no archive")
    np.save(tmp_path / "one.npy", np.zeros(3))
    for name in ("other.npz", "text.npz", "one.npy"):
        with pytest.raises(ValueError):
            mj.solvers.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        mj.solvers.load(tmp_path / "none.npz")


def test_steps_use_the_solver_that_is_chosen():
    model, data = ball(0.0995)
    exact = copy.copy(data)
    mj.solvers.use(exact, "complementarity")
    again = copy.copy(exact)
    data.qvel[0] = exact.qvel[0] = again.qvel[0] = 1
    for d in (data, exact, again):
        mj.mj_step(model, d, nstep=20)
    assert not np.array_equal(data.qvel, exact.qvel) and abs(data.qvel[0] - exact.qvel[0]) < 0.05
    assert np.array_equal(exact.qvel, again.qvel)
    mj.solvers.use(exact, None)
    exact.qpos[:], exact.qvel[:], exact.qacc_warmstart[:] = data.qpos, data.qvel, data.qacc_warmstart
    mj.mj_step(model, exact)
    mj.mj_step(model, data)
    assert np.array_equal(exact.qpos, data.qpos)
    with pytest.raises(ValueError, match="the solvers are"):
        mj.solvers.use(data, "impulse")
    with pytest.raises(TypeError, match="`data` must be an MjData"):
        mj.solvers.use(model, "newton")


def test_impulses_stop_a_ball_and_agree_with_free_fall():
    model, data = ball(1.0)
    pipeline = mj.ImpulsePipeline(model)
    pipeline.step(data, nstep=100)
    # Semi-implicit Euler in free fall: v = -g n h.
    assert np.isclose(data.qvel[2], -9.81 * 100 * model.opt.timestep) and np.isclose(data.time, 0.2)
    assert (pipeline.ncon, pipeline.nefc) == (0, 0) and pipeline.impulses.shape == (0,)
    pipeline.step(data, nstep=1000)
    assert pipeline.ncon == 1 and abs(data.qvel[2]) < 1e-3 and abs(data.qpos[2] - 0.1) < 5e-3
    # At rest the impulse of a step carries the weight: m g h.
    assert np.isclose(pipeline.impulses[0], 2 * 9.81 * model.opt.timestep, rtol=1e-2)
    assert pipeline.niter >= 1


def test_misuse_of_the_impulse_pipeline_is_told():
    model, data = ball()
    with pytest.raises(ValueError, match="semi-implicit"):
        mj.ImpulsePipeline(model, integrator="Euler")
    with pytest.raises(ValueError, match="kappa"):
        mj.ImpulsePipeline(model, kappa=-1)
    with pytest.raises(ValueError):
        mj.ImpulsePipeline(model).step(mj.MjData(mj.MjModel.from_xml_string("<mujoco/>")))
    data.qvel[0] = np.inf
    with pytest.raises(ValueError, match="not finite"):
        mj.ImpulsePipeline(model).step(data)
    sleepy = mj.MjModel.from_xml_string("<mujoco><option><flag sleep='enable'/></option></mujoco>")
    with pytest.raises(ValueError, match="sleeping"):
        mj.ImpulsePipeline(sleepy)


def corner():
    """An L of two boxes: 5 units of volume, its hull has 7."""
    vertices, faces = [], []
    sides = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
    for low, high in (((0, 0, 0), (3, 1, 1)), ((0, 1, 0), (1, 3, 1))):
        first = len(vertices)
        vertices += [[(high if i >> k & 1 else low)[k] for k in range(3)] for i in range(8)]
        for a, b, c, d in sides + first:
            faces += [[a, b, c], [a, c, d]]
    return mj.Surface(np.array(vertices, float), np.array(faces))


def test_a_mesh_is_split_into_convex_parts(tmp_path):
    whole = corner()
    assert np.isclose(whole.volume(), 5)
    parts = mj.decompose(whole, voxels=32)
    assert len(parts) > 1 and abs(sum(p.volume() for p in parts) - 5) < 0.25
    for vertices, faces in parts:
        a, b, c = (vertices[faces[:, k]] for k in range(3))
        normals = np.cross(b - a, c - a)
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        assert (normals @ vertices.T - np.sum(normals * a, axis=1)[:, None] < 1e-9).all()
    assert len(mj.decompose(whole, most=1)) == 1
    text = "".join(f"v {x} {y} {z}\n" for x, y, z in whole.vertices)
    text += "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in whole.faces)
    (tmp_path / "corner.obj").write_text(text)
    from_file = mj.decompose(tmp_path / "corner.obj", voxels=32)
    assert len(from_file) == len(parts)
    spec = mj.MjSpec()
    body = spec.worldbody.add_body()
    body.add_freejoint()
    for i, part in enumerate(parts):
        spec.add_mesh(name=f"part {i}", uservert=part.vertices.ravel(), userface=part.faces.ravel())
        body.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname=f"part {i}", density=1)
    assert abs(spec.compile().body_mass[1] - 5) < 0.25


@pytest.mark.parametrize(
    "mesh, settings",
    [
        (None, {}),
        (3, {}),
        ((np.zeros((3, 2)), np.zeros((1, 3), int)), {}),
        ((np.eye(3), [[0, 1, 7]]), {}),
        ((np.eye(3), [[0, 1, -1]]), {}),
        ((np.full((3, 3), np.nan), [[0, 1, 2]]), {}),
        ((np.eye(3), [[0, 1, 2]]), {}),
        ((np.zeros((0, 3)), np.zeros((0, 3), int)), {}),
        (corner(), {"voxels": 10**6}),
        (corner(), {"most": 0}),
        (corner(), {"concavity": float("nan")}),
    ],
)
def test_meshes_and_settings_that_can_not_be_are_told(mesh, settings):
    with pytest.raises((TypeError, ValueError, OverflowError)):
        mj.decompose(mesh, **settings)


def test_objects_show_what_they_are():
    model, data = ball(0.0995)
    mj.mj_step(model, data)
    assert repr(model).startswith("<MjModel 'ba<ll': nq 7, nv 6, nu 0") and "2 bodies" in repr(model)
    assert repr(data).startswith("<MjData of 'ba<ll' at time 0.002 s") and "1 contacts" in repr(data)
    page = model._repr_html_()
    assert "ba&lt;ll" in page and "ba<ll" not in page and "degrees of freedom" in page and "ball: free" in page
    assert "0.002 s" in data._repr_html_()
    assert "3 rows" in repr(mj.solvers.record(data))
    assert mj.MjModel.from_xml_string("<mujoco/>")._repr_html_()
    assert "(nbody, 3), float64; m" in mj.MjData.xpos.__doc__


def test_any_arguments_end_in_results_or_exceptions():
    model, data = ball(0.0995)
    values = [
        None, 0, -1, 3, 1.5, float("nan"), "x", b"a", [], [1, 2, 3], np.zeros((3, 7)), np.eye(3), (np.eye(3), [[0, 1, 2]]),
        model, data, mj.MjModel.from_xml_string("<mujoco/>"), 10**12,
    ]  # fmt: skip
    functions = [
        mj.step_derivative, mj.inverse_derivative, mj.explain, mj.solvers.use, mj.solvers.record, mj.solvers.load, mj.decompose, mj.ImpulsePipeline,
        mj.ImpulsePipeline(model).step, mj.solvers.Problem, mj.solvers.record(data).solve, mj.LoadError,
    ]  # fmt: skip
    rng = np.random.default_rng(0)
    done = 0
    for _ in range(3000):
        f = functions[rng.integers(len(functions))]
        arguments = [values[i] for i in rng.integers(len(values), size=rng.integers(1, 3))]
        if f.__name__ == "step" and 10**12 in [a for a in arguments if isinstance(a, int)]:
            continue
        try:
            f(*arguments)
            done += 1
        except Exception as error:
            assert str(error) or isinstance(error, (OverflowError, StopIteration))
    assert done > 50


def test_problems_of_any_numbers_end_in_results_or_exceptions():
    _, data = ball(0.0995)
    arrays = mj.solvers.record(data).arrays()
    rng = np.random.default_rng(1)
    names, solved = sorted(arrays), 0
    for _ in range(400):
        wrong = {name: array.copy() for name, array in arrays.items()}
        for _ in range(rng.integers(1, 3)):
            name = names[rng.integers(len(names))]
            array = wrong[name].ravel()
            if array.size:
                array[rng.integers(array.size)] = rng.choice([np.nan, np.inf, -1, 0, 1e300, -1e300, 0.5, 7])
            wrong[name] = array.reshape(wrong[name].shape) if rng.random() < 0.8 else array[:-1]
        if abs(np.nan_to_num(wrong["settings"])[:3:2]).max(initial=0) > 1000:
            continue  # as many iterations as these would take
        try:
            problem = mj.solvers._problem_of_arrays(wrong)
            for name in mj.solvers.ABOUT:
                problem.solve(name)
            solved += 1
        except ValueError:
            pass
    assert solved > 20
