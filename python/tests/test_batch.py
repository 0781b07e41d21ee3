"""Batches: equal to a loop of steps, for any number of threads; parameters by simulation; misuse."""

import interrupted
import mj
import numpy as np
import pytest
from mj import batch as batches

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="box" pos="0 0 .3"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/><site name="s"/></body>
    <body name="arm" pos="1 0 .5"><joint name="h" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .5 0 0"/></body>
    <body name="m" mocap="true" pos="2 0 0"/>
  </worldbody>
  <actuator><position joint="h" kp="20"/></actuator>
  <sensor><accelerometer site="s"/><jointpos joint="h"/></sensor>
  <keyframe><key name="up" qpos="0 0 1 1 0 0 0 .5"/></keyframe>
</mujoco>
"""
N = 11


@pytest.fixture
def model():
    return mj.MjModel.from_xml_string(XML)


def run(model, threads, calls=12):
    batch = mj.Batch(model, N, threads=threads)
    fields = [batch.sensordata, batch.xpos, batch.ncon, batch.qfrc_constraint]
    rng, kept = np.random.default_rng(0), []
    batch.qvel = rng.normal(size=(N, model.nv))
    for call in range(calls):
        batch.step(rng.normal(size=(N, model.nu)), nstep=3)
        if call == 5:
            batch.reset(np.arange(N) % 4 == 1, "up")
        if call == 7:
            batch.step(mask=np.arange(N) % 2 == 0)
        kept.append([batch.get_state(), *(f.copy() for f in fields)])
    return kept


def test_bits_do_not_depend_on_threads(model):
    one = run(model, 1)
    for threads in (2, 3):
        for a, b in zip(one, run(model, threads), strict=True):
            assert all((x == y).all() for x, y in zip(a, b, strict=True))


def test_equal_to_a_loop_of_steps(model):
    batch, datas = mj.Batch(model, N, threads=2), [mj.MjData(model) for _ in range(N)]
    batch.qvel[:, 1] = np.arange(N)
    readings, contacts = batch.sensordata, batch.ncon
    for i, d in enumerate(datas):
        d.qvel[1] = i
    for k in range(20):
        batch.step(0.1 * k, nstep=5)
        for d in datas:
            d.ctrl[:] = 0.1 * k
            mj.mj_step(model, d, 5)
    for i, d in enumerate(datas):
        assert (batch.qpos[i] == d.qpos).all() and (batch.qacc_warmstart[i] == d.qacc_warmstart).all()
        assert (readings[i] == d.sensordata).all() and contacts[i] == d.ncon
    batch.forward()
    mj.mj_forward(model, datas[3])
    assert (batch.xpos[3] == batch.xpos[3]).all() and (readings[3] == datas[3].sensordata).all()


PARAMETERS = {
    "body_mass": lambda x, k: x * k,
    "body_inertia": lambda x, k: x * k,
    # That of a box with a free joint must stay at its centre.
    "body_ipos": lambda x, k: x + 0.01 * k * (np.arange(4) == 2)[:, None],
    "body_pos": lambda x, k: x + 0.01 * k,
    "geom_friction": lambda x, k: x * k,
    "geom_size": lambda x, k: x * (1 + 0.02 * k),
    "dof_damping": lambda x, k: x + 0.1 * k,
    "dof_armature": lambda x, k: x + 0.1 * k,
    "actuator_gainprm": lambda x, k: x * k,
    "actuator_biasprm": lambda x, k: x * k,
    "opt.gravity": lambda x, k: x * k,
    "opt.timestep": lambda x, k: x * (0.5 + 0.1 * k),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_by_simulation_is_that_of_a_model_of_its_own(model, name):
    change = PARAMETERS[name]
    batch = mj.Batch(model, 4, threads=2)
    values = batch.vary(name)
    values[...] = np.stack([change(values[i], 1 + i) for i in range(4)])
    batch.set_const()
    assert not batch.failed.any()
    batch.step(0.3, nstep=40)
    for i in range(4):
        own = mj.MjModel.from_xml_string(XML)
        data = mj.MjData(own)
        owner, _, field = name.rpartition(".")
        owner = own.opt if owner else own
        setattr(owner, field, change(np.array(getattr(owner, field)), 1 + i))
        mj.mj_setConst(own, data)
        data.ctrl[:] = 0.3
        mj.mj_step(own, data, 40)
        assert (batch.qpos[i] == data.qpos).all(), i
        assert (getattr(batch.get_model(i), "body_mass") == own.body_mass).all()


def test_a_simulation_that_diverges_is_counted(model):
    batch = mj.Batch(model, N)
    batch.qvel[3, 0] = np.inf
    batch.step(nstep=2)
    assert batch.warnings[3].sum() > 0 and batch.warnings[[0, 1, 2, 4]].sum() == 0
    assert np.isfinite(batch.qpos).all() and not batch.failed.any()
    batch.reset([3])
    assert batch.warnings.sum() == 0


def test_a_simulation_that_fails_keeps_its_state(model):
    batch = mj.Batch(model, N, threads=2)
    batch.vary("opt.solver")[[2, 5]] = 10
    batch.step()
    assert (np.flatnonzero(batch.failed) == [2, 5]).all() and "opt.solver" in batch.error(2)
    assert (batch.time[[2, 5]] == 0).all() and (np.delete(batch.time, [2, 5]) > 0).all()


def test_structure_is_the_same_in_all(model):
    batch = mj.Batch(model, 3)
    batch.vary("body_parentid")[1, 2] = 1
    batch.step()
    assert (batch.failed == [False, True, False]).all() and "structure" in batch.error(1)


def test_states_in_and_out(model):
    batch = mj.Batch(model, N)
    batch.step(nstep=4)
    spec = mj.mjtState.mjSTATE_QPOS | mj.mjtState.mjSTATE_CTRL
    state = batch.get_state(spec)
    assert state.shape == (N, model.nq + model.nu)
    state[:] = np.arange(state.shape[1])
    batch.set_state(state[:2], spec, mask=[3, 7])
    assert (batch.qpos[7] == np.arange(model.nq)).all() and (batch.ctrl[3] == model.nq).all() and batch.ctrl[2] == 0
    with pytest.raises(ValueError, match="shape"):
        batch.set_state(state, spec, mask=[1])
    with pytest.raises(ValueError, match="spec"):
        batch.get_state(-1)


def test_sleeping_models_work(model):
    model.opt.enableflags |= mj.mjtEnableBit.mjENBL_SLEEP
    batch, data = mj.Batch(model, 3, threads=2), mj.MjData(model)
    for _ in range(40):
        batch.step(nstep=25)
        mj.mj_step(model, data, 25)
    assert (batch.qpos == data.qpos).all()


def test_misuse(model):
    batch = mj.Batch(model, 3)
    for call in (
        lambda: mj.Batch(model, 0),
        lambda: mj.Batch(model, -1),
        lambda: mj.Batch(model, 3, threads=-1),
        lambda: mj.Batch(model, 3, threads=10**9),
        lambda: batch.step(np.zeros((4, 1))),
        lambda: batch.step(mask=[5]),
        lambda: batch.step(mask=[1, 0]),
        lambda: batch.reset(keyframe=7),
        lambda: setattr(batch, "xpos", 0),
        lambda: batch.xpos.__setitem__(0, 1),
        lambda: batch.vary("qpos"),
        lambda: batch.vary("mesh_vert"),
        lambda: batch.set_state(np.zeros(3)),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(mj.FatalError):
        batch.step(nstep=0)
    with pytest.raises((MemoryError, ValueError)):
        mj.Batch(model, 2**60)
    with pytest.raises(TypeError):
        mj.Batch(3, 3)
    with pytest.raises(KeyError):
        batch.body("none")
    with pytest.raises(IndexError):
        batch.error(3)
    for name, told in (("qpso", "qpos"), ("body_mass", "vary")):
        with pytest.raises(AttributeError, match=told):
            getattr(batch, name)
    with pytest.raises(AttributeError):
        batch.nothing = 3
    with pytest.raises((MemoryError, ValueError)):
        batches.Batch(model, 2).rollout(2**60)


def test_arrays_outlive_the_batch(model):
    batch = mj.Batch(model, N)
    batch.step()
    qpos, xpos, mass = batch.qpos, batch.xpos, batch.vary("body_mass")
    del batch
    assert np.isfinite(qpos).all() and (xpos == 0).all() and (mass == model.body_mass).all()
    qpos[:] = 1


def test_calls_from_two_threads_are_refused_or_done(model):
    import threading

    batch, refused = mj.Batch(model, 64, threads=2), []

    def work():
        for _ in range(50):
            try:
                batch.step(nstep=5)
            except RuntimeError as e:
                refused.append(str(e))

    threads = [threading.Thread(target=work) for _ in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert all("in progress" in e for e in refused)
    assert len(set(np.round(batch.time / model.opt.timestep).astype(int))) == 1


def test_interrupt_ends_a_long_step():
    code = f"""
import mj
batch = mj.Batch(mj.MjModel.from_xml_string({XML!r}), 8, threads=2)
print("ready", flush=True)
try:
    batch.step(nstep=10**9)
except KeyboardInterrupt:
    batch.step()
    print("interrupted", batch.time.max() < 1, flush=True)
"""
    out, _, seconds = interrupted.run(code)
    assert out == "interrupted True" and seconds < 5


def test_any_arguments_end_in_results_or_exceptions(model):
    import random

    rng = random.Random(0)
    values = [
        None, 0, 1, -1, 10**12, 1.5, "qpos", "x", [], [0, 1], [2], np.ones(3, bool), np.zeros((3, 1)), np.zeros((3, 3)),
        np.zeros(3, np.int32), np.arange(3, dtype=np.int32), np.zeros((3, 3), np.float32), np.zeros((3, 3))[:, ::2], float("nan"),
        ("qpos",), [(None, -1, np.zeros(3))], [("qpos", 0, np.zeros((3, 1, model.nq)))], 2**15 - 1, model, mj.MjData(model),
    ]  # fmt: skip
    objects = [mj.Batch(model, 3), batches.Batch(model, 3, 2), batches.Batch(model, 3, 1, True)._b]
    names = {o: [n for n in dir(type(o)) if not n.startswith("_")] for o in objects}
    for _ in range(6000):
        o = rng.choice(objects)
        name = rng.choice(names[o])
        try:
            if name in ("rollout", "step") and rng.random() < 0.5:
                getattr(o, name)(nstep=2)
            else:
                getattr(o, name)(*(rng.choice(values[:4] + values[5:]) for _ in range(rng.randrange(6))))
        except Exception as e:
            assert "panick" not in str(e) and type(e).__name__ != "PanicException", (name, e)
