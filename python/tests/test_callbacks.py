"""Callbacks: what they see, what they change, what happens when they raise."""

import copy
import pickle
import threading

import numpy as np
import pytest

import mj

SLIDER = """<mujoco><option gravity="0 0 0"/><worldbody><body>
    <joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/></body></worldbody>
  <actuator><motor joint="x"/></actuator><sensor><user dim="1" needstage="vel" cutoff="5"/></sensor></mujoco>"""

USER = """<mujoco><option gravity="0 0 0"/><worldbody><body>
    <joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/></body></worldbody>
  <actuator><general joint="x" dyntype="user" gaintype="user" biastype="user" actdim="{dim}"/></actuator></mujoco>"""

SETTERS = [name for name in dir(mj) if name.startswith("set_mjcb_")] + ["set_mju_user_warning"]


@pytest.fixture(autouse=True)
def unset():
    yield
    for name in SETTERS:
        getattr(mj, name)(None)


@pytest.fixture
def slider():
    model = mj.MjModel.from_xml_string(SLIDER)
    return model, mj.MjData(model)


def test_control_sees_the_state_and_sets_controls(slider):
    model, data = slider
    seen = []

    def control(m, d):
        assert m is model and d is data
        seen.append((d.time, d.qpos[0], d.qvel[0]))
        d.ctrl[0] = 4

    mj.set_mjcb_control(control)
    mj.mj_step(model, data, nstep=2)
    assert [time for time, _, _ in seen] == [0, model.opt.timestep]
    assert data.ctrl[0] == 4 and data.qacc[0] == 2
    assert seen[1][2] == pytest.approx(2 * model.opt.timestep)


def test_passive_forces_are_added_to(slider):
    model, data = slider

    def passive(m, d):
        d.qfrc_passive[0] -= 7 * d.qpos[0]

    mj.set_mjcb_passive(passive)
    data.qpos[0] = 0.2
    mj.mj_forward(model, data)
    assert data.qacc[0] == pytest.approx(-0.7)


def test_sensors_are_written_and_cut_off(slider):
    model, data = slider
    stages = []

    def sensor(m, d, stage):
        stages.append(stage)
        d.sensordata[0] = 17

    mj.set_mjcb_sensor(sensor)
    mj.mj_forward(model, data)
    assert data.sensordata[0] == 5
    assert stages == [mj.mjtStage.mjSTAGE_VEL]


@pytest.mark.parametrize("dim", [1, 2])
def test_user_actuators(dim):
    model = mj.MjModel.from_xml_string(USER.format(dim=dim))
    data = mj.MjData(model)

    def rate(m, d, i):
        if dim == 2:
            d.act_dot[:] = [3, 4]
        return 3.0

    mj.set_mjcb_act_dyn(rate)
    mj.set_mjcb_act_gain(lambda m, d, i: 10 + d.actuator_length[i])
    mj.set_mjcb_act_bias(lambda m, d, i: -3 * d.actuator_velocity[i])
    data.qpos[0], data.qvel[0] = 0.2, 0.4
    data.act[-1] = 0.5
    mj.mj_forward(model, data)
    assert data.act_dot.tolist() == [3, 4][:dim]
    assert data.actuator_force[0] == pytest.approx(10.2 * 0.5 - 3 * 0.4)


def test_contact_filter():
    model = mj.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = mj.MjData(model)
    pairs = []

    def refuse(m, d, geom1, geom2):
        pairs.append((geom1, geom2))
        assert d.qpos.shape == (7,)
        return 1

    mj.mj_forward(model, data)
    assert data.ncon == 1
    mj.set_mjcb_contactfilter(refuse)
    mj.mj_forward(model, data)
    assert data.ncon == 0 and pairs == [(0, 1)]
    mj.set_mjcb_contactfilter(lambda m, d, a, b: 0)
    mj.mj_forward(model, data)
    assert data.ncon == 1


def test_an_exception_ends_the_call_with_the_state_as_it_was(slider):
    model, data = slider
    mj.set_mjcb_control(lambda m, d: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        mj.mj_step(model, data, nstep=10)
    assert data.time == 0
    mj.set_mjcb_control(None)
    mj.mj_step(model, data)
    assert data.time > 0


@pytest.mark.parametrize("name", SETTERS)
def test_setters_check(name):
    getter = getattr(mj, name.replace("set_", "get_"))
    assert getter() is None

    def f(*_):
        return 0

    getattr(mj, name)(f)
    assert getter() is f
    with pytest.raises(TypeError, match="callback"):
        getattr(mj, name)(3)
    assert getter() is f


@pytest.mark.parametrize("name", [name for name in SETTERS if name.startswith("set_mjcb")])
@pytest.mark.parametrize("result", [None, "text", object()])
def test_useless_results_raise_or_are_ignored(name, result):
    model = mj.MjModel.from_xml_string(USER.format(dim=1))
    data = mj.MjData(model)
    getattr(mj, name)(lambda *_: result)
    try:
        mj.mj_step(model, data)
    except TypeError:
        pass
    getattr(mj, name)(None)
    mj.mj_step(model, data)
    assert np.isfinite(data.qpos).all()


def test_copies_can_be_stepped_inside_a_callback(slider):
    model, data = slider
    inside = False

    def plan(m, d):
        nonlocal inside
        if inside:
            return
        inside = True
        ahead = copy.copy(d)
        mj.mj_step(m, ahead, nstep=5)
        assert ahead.time > d.time
        inside = False
        d.ctrl[0] = ahead.time

    mj.set_mjcb_control(plan)
    mj.mj_step(model, data)
    assert data.ctrl[0] == pytest.approx(5 * model.opt.timestep)


def test_endless_recursion_is_an_error(slider):
    model, data = slider
    mj.set_mjcb_control(lambda m, d: mj.mj_step(m, copy.copy(d)))
    with pytest.raises(RecursionError):
        mj.mj_step(model, data)


def test_stepping_inside_the_step_is_an_error(slider):
    model, data = slider
    mj.set_mjcb_control(lambda m, d: mj.mj_step(m, d))
    with pytest.raises(ValueError, match="hook"):
        mj.mj_step(model, data)


def test_stages_can_be_called_inside_a_callback(slider):
    model, data = slider

    def control(m, d):
        mj.mj_kinematics(m, d)
        jacp = np.zeros((3, m.nv))
        mj.mj_jacBody(m, d, jacp, None, 1)
        d.ctrl[0] = jacp[0, 0]

    mj.set_mjcb_control(control)
    mj.mj_step(model, data)
    assert data.ctrl[0] == 1


def test_another_thread_cannot_call_while_a_callback_has_the_data(slider):
    model, data = slider
    errors = []

    def call():
        try:
            mj.mj_forward(model, data)
        except RuntimeError as e:
            errors.append(str(e))

    def control(m, d):
        thread = threading.Thread(target=call)
        thread.start()
        thread.join()

    mj.set_mjcb_control(control)
    mj.mj_step(model, data)
    assert len(errors) == 1 and "another thread" in errors[0]


def test_warnings_reach_the_callback(slider):
    model, data = slider
    texts = []
    mj.set_mju_user_warning(texts.append)
    data.qpos[0] = np.nan
    mj.mj_step(model, data)
    assert len(texts) == 1 and "QPOS" in texts[0]


def test_data_pickles_with_its_results():
    model = mj.MjModel.from_xml_string(
        """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/>
        </body><body pos="1 0 0"><joint name="h" range="0.1 1"/><geom size=".1" contype="0" conaffinity="0"/></body></worldbody>
        <equality><joint joint1="h"/></equality></mujoco>"""
    )
    data = mj.MjData(model)
    mj.mj_step(model, data, nstep=7)
    again = pickle.loads(pickle.dumps(data))
    names = "time qpos qvel qacc qacc_warmstart xpos xmat cdof efc_J efc_force efc_state efc_aref efc_D efc_pos ncon nefc"
    for name in names.split():
        np.testing.assert_array_equal(getattr(again, name), getattr(data, name), err_msg=name)
    np.testing.assert_array_equal(again.contact.dist, data.contact.dist)
    forces = np.zeros((2, 6))
    for d, force in zip((data, again), forces, strict=True):
        mj.mj_contactForce(d.model, d, 0, force)
    np.testing.assert_array_equal(*forces)
    for _ in range(5):
        mj.mj_step(model, data)
        mj.mj_step(again.model, again)
    np.testing.assert_array_equal(again.qpos, data.qpos)


def test_timers_count_steps(slider):
    model, data = slider
    step = mj.mjtTimer.mjTIMER_STEP
    assert data.timer[step].number == 0
    mj.mj_step(model, data, nstep=3)
    assert data.timer[step].number == 3
    assert data.timer[step].duration > 0


def test_solver_statistics():
    model = mj.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    n = data.solver_niter[0]
    assert n > 0
    assert (data.solver.improvement[:n] >= 0).all() and data.solver.nactive[0] > 0
    assert (data.solver.gradient[n:] == 0).all()


def test_rollouts_and_batches_refuse_callbacks(slider):
    model, data = slider
    batch = mj.Batch(model, 2)
    mj.set_mjcb_control(lambda m, d: None)
    with pytest.raises(ValueError, match="mjcb_control"):
        batch.step()
    with pytest.raises(ValueError, match="mjcb_control"):
        mj.rollout.rollout(model, data, np.zeros((1, mj.mj_stateSize(model, mj.mjtState.mjSTATE_FULLPHYSICS))), nstep=2)
    mj.set_mjcb_control(None)
    batch.step()


@pytest.mark.parametrize("name", ["mj_printModel", "mj_saveLastXML"])
def test_descriptors_of_open_files_are_no_file_names(slider, name):
    model, _ = slider
    args = (model, 1) if name == "mj_printModel" else (1, model)
    with pytest.raises(TypeError):
        getattr(mj, name)(*args)
