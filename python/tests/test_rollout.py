"""Rollouts: equal to a loop of steps, for any number of threads; misuse ends in exceptions."""

import os
import subprocess
import sys

import interrupted
import mj
import numpy as np
import pytest
from mj import rollout

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .3"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/><site name="s"/></body>
    <body name="arm" pos="1 0 .2"><joint name="h" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .5 0 0"/></body>
    <body name="m" mocap="true" pos="2 0 0"/>
  </worldbody>
  <actuator><general joint="h" dyntype="filter" dynprm=".1" gainprm="20"/></actuator>
  <sensor><accelerometer site="s"/><jointpos joint="h"/></sensor>
</mujoco>
"""
FULL = mj.mjtState.mjSTATE_FULLPHYSICS


@pytest.fixture
def model():
    return mj.MjModel.from_xml_string(XML)


def starts(model, n):
    data, rng = mj.MjData(model), np.random.default_rng(3)
    out = np.zeros((n, mj.mj_stateSize(model, FULL)))
    for row in out:
        data.qvel[:] = rng.normal(size=model.nv)
        mj.mj_getState(model, data, row, FULL)
    return out


def by_hand(models, initial, control, spec=mj.mjtState.mjSTATE_CTRL):
    n, nstep = control.shape[:2]
    state = np.zeros((n, nstep, initial.shape[1]))
    sensordata = np.zeros((n, nstep, models[0].nsensordata))
    for i, m in enumerate(models):
        d = mj.MjData(m)
        mj.mj_setState(m, d, initial[i], FULL)
        for k in range(nstep):
            mj.mj_setState(m, d, control[i, k], spec)
            mj.mj_step(m, d)
            mj.mj_getState(m, d, state[i, k], FULL)
            sensordata[i, k] = d.sensordata
    return state, sensordata


@pytest.mark.parametrize("threads", [0, 1, 2, 3])
@pytest.mark.parametrize("chunk", [None, 1, 4])
def test_equal_to_a_loop_of_steps(model, threads, chunk):
    n, nstep = 9, 20
    initial, control = starts(model, n), np.random.default_rng(0).normal(size=(n, nstep, model.nu))
    datas = [mj.MjData(model) for _ in range(max(threads, 1))]
    with rollout.Rollout(nthread=threads) as pool:
        for _ in range(2):
            state, sensordata = pool.rollout(model, datas, initial, control, chunk_size=chunk)
    expected = by_hand([model] * n, initial, control)
    assert (state == expected[0]).all() and (sensordata == expected[1]).all()


def test_a_model_for_each_rollout(model):
    models = []
    for i in range(4):
        models.append(mj.MjModel.from_xml_string(XML))
        models[-1].body("arm").mass[:] *= 1 + i
    initial, control = starts(model, 4), np.ones((4, 10, 1))
    state, _ = rollout.rollout(models, [mj.MjData(model) for _ in range(2)], initial, control)
    assert (state == by_hand(models, initial, control)[0]).all()
    assert not (state[0] == state[1]).all()


def test_outputs_in_place_and_broadcast(model):
    n, nstep = 3, 4
    initial = starts(model, 1)
    state = np.zeros((n, nstep, initial.shape[1]))
    got, sensordata = rollout.rollout(model, mj.MjData(model), initial, 0.5, state=state)
    assert got is state
    expected = by_hand([model] * n, np.repeat(initial, n, 0), np.full((n, nstep, 1), 0.5))
    assert (state == expected[0]).all() and (sensordata == expected[1]).all()


def test_other_inputs_are_controls_too(model):
    spec = mj.mjtState.mjSTATE_QFRC_APPLIED | mj.mjtState.mjSTATE_MOCAP_POS
    initial = starts(model, 2)
    control = np.random.default_rng(1).normal(size=(2, 5, mj.mj_stateSize(model, spec)))
    state, _ = rollout.rollout(model, mj.MjData(model), initial, control, control_spec=spec)
    assert (state == by_hand([model] * 2, initial, control, spec)[0]).all()


def test_what_diverges_ends_and_is_repeated(model):
    initial = starts(model, 2)
    initial[0, 8] = 1e11
    state, _ = rollout.rollout(model, mj.MjData(model), initial, nstep=5)
    assert (state[0, 1:] == state[0, 0]).all()
    assert (np.diff(state[1, :, 0]) > 0).all()


def test_data_holds_the_end_and_arrays_show_it(model):
    data = mj.MjData(model)
    qpos = data.qpos
    state, _ = rollout.rollout(model, data, starts(model, 1), nstep=3)
    assert data.time == state[0, -1, 0] and (qpos == state[0, -1, 1 : 1 + model.nq]).all()


def test_misuse(model):
    data, initial = mj.MjData(model), starts(model, 2)
    other = mj.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    native = rollout.Rollout(nthread=0).rollout_
    ctrl = int(mj.mjtState.mjSTATE_CTRL)
    with pytest.raises(ValueError, match="same MjData"):
        rollout.rollout(model, [data, data], initial)
    with pytest.raises(ValueError, match="models are not compatible"):
        rollout.rollout([model, other], data, initial)
    with pytest.raises(ValueError, match="data\\[0\\]"):
        rollout.rollout(model, mj.MjData(other), initial)
    with pytest.raises(ValueError, match="nthread"):
        rollout.Rollout(nthread=-1)
    with pytest.raises(ValueError, match="empty"):
        rollout.rollout([], data, initial)
    with pytest.raises(TypeError, match="data\\[0\\]"):
        rollout.rollout(model, [3], initial)
    with pytest.raises((MemoryError, ValueError)):
        rollout.rollout(model, data, initial, nstep=2**62)
    with pytest.raises((MemoryError, ValueError)):
        rollout.rollout(model, data, initial, nstep=2**40)
    with pytest.raises(ValueError, match="state0.size"):
        native.rollout([model] * 2, [data], 1, ctrl, initial[:, 1:])
    with pytest.raises(ValueError, match="control.size"):
        native.rollout([model] * 2, [data], 3, ctrl, initial, None, np.zeros((2, 2, 1)))
    with pytest.raises(ValueError, match="state.size"):
        native.rollout([model] * 2, [data], 3, ctrl, initial, None, None, np.zeros(5))
    with pytest.raises(ValueError, match="4 rollouts need"):
        native.rollout([model] * 3, [data], 1, ctrl, np.zeros((4, initial.shape[1])))
    with pytest.raises(TypeError, match="float32"):
        native.rollout([model] * 2, [data], 1, ctrl, initial, None, None, np.zeros((2, 1, initial.shape[1]), np.float32))
    with pytest.raises(ValueError, match="control_spec"):
        native.rollout([model] * 2, [data], 1, -1, initial)
    read_only = np.zeros((2, 1, initial.shape[1]))
    read_only.flags.writeable = False
    with pytest.raises(TypeError, match="read-only"):
        rollout.rollout(model, data, initial, state=read_only)


def test_closed_threads_are_refused(model):
    pool = rollout.Rollout(nthread=2)
    pool.close()
    with pytest.raises(RuntimeError, match="after thread pool shutdown"):
        pool.rollout(model, mj.MjData(model), starts(model, 1))


def test_a_call_on_data_in_use_is_refused(model):
    import threading

    data, initial = mj.MjData(model), starts(model, 1)
    thread = threading.Thread(target=lambda: rollout.rollout(model, data, initial, nstep=20000))
    thread.start()
    refused = False
    while thread.is_alive() and not refused:
        try:
            mj.mj_forward(model, data)
        except RuntimeError:
            refused = True
    thread.join()
    assert refused


def test_a_forked_process_starts_threads_of_its_own(model):
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    code = f"""
import os, mj, numpy as np
from mj import rollout
m = mj.MjModel.from_xml_string({XML!r})
d = [mj.MjData(m) for _ in range(2)]
x = np.zeros((8, mj.mj_stateSize(m, {int(FULL)}))); x[:, 4] = 1
call = lambda: rollout.rollout(m, d, x, nstep=3, persistent_pool=True)[0].sum()
before = call()
pid = os.fork()
if pid == 0:
    os._exit(0 if call() == before else 1)
assert os.waitpid(pid, 0)[1] == 0
"""
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", code], timeout=60).returncode == 0


@pytest.mark.parametrize("threads", [1, 3])
def test_interrupt_ends_a_long_rollout(threads):
    code = f"""
import mj, numpy as np
from mj import rollout
m = mj.MjModel.from_xml_string({XML!r})
d = [mj.MjData(m) for _ in range({threads})]
x = np.zeros((8, mj.mj_stateSize(m, {int(FULL)}))); x[:, 4] = 1
print("ready", flush=True)
try:
    rollout.Rollout(nthread={threads}).rollout_.rollout([m] * 8, d, 10_000_000, 64, x)
except KeyboardInterrupt:
    mj.mj_step(m, d[0])
    print("interrupted", flush=True)
"""
    out, status, seconds = interrupted.run(code)
    assert out == "interrupted" and status == 0 and seconds < 5


def test_no_rollouts_and_no_steps(model):
    state, sensordata = rollout.rollout(model, mj.MjData(model), starts(model, 2)[:0], nstep=4)
    assert state.shape[:2] == (0, 4) and sensordata.shape == (0, 4, model.nsensordata)
    assert rollout.rollout(model, mj.MjData(model), starts(model, 2), nstep=0)[0].shape[:2] == (2, 0)
