"""Arrays of models and data: live both ways, for life, and safe."""

import copy
import gc
import pickle
import threading
import weakref

import mj
import numpy as np
import pytest

XML = """
<mujoco model="test">
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 0.3"><freejoint/><geom name="ball" size=".1"/></body>
    <body name="arm"><joint name="hinge" axis="0 1 0" damping="0.1"/><geom name="rod" type="capsule" size=".02 .2"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""


@pytest.fixture
def model():
    return mj.MjModel.from_xml_string(XML)


@pytest.fixture
def data(model):
    return mj.MjData(model)


def test_an_array_is_one_object_and_shows_the_present(model, data):
    qpos, xpos = data.qpos, data.xpos
    before = xpos.copy()
    mj.mj_step(model, data, nstep=50)
    assert data.qpos is qpos and data.xpos is xpos
    assert qpos[2] != 0.3 and not np.array_equal(before, xpos)


def test_what_is_written_is_what_the_next_call_reads(model, data):
    data.qpos[2] = 2
    mj.mj_forward(model, data)
    assert data.body("ball").xpos[2] == 2
    model.opt.gravity[2] = 0
    model.body_mass[1] *= 2
    mj.mj_setConst(model, data)
    mj.mj_forward(model, data)
    assert data.qacc[2] == pytest.approx(0)
    assert model.body_subtreemass[1] == model.body_mass[1]


def test_every_field_is_written_to_by_assignment(model, data):
    data.ctrl = 0.5
    data.qvel = range(7)
    np.testing.assert_array_equal(data.ctrl, [0.5])
    np.testing.assert_array_equal(data.qvel, np.arange(7.0))
    with pytest.raises(AttributeError, match="qpos"):
        data.qpso = 1
    with pytest.raises(ValueError):
        data.qpos = [1, 2]


def test_structure_is_read_only(model):
    with pytest.raises(ValueError, match="read-only"):
        model.body_parentid[1] = 2
    with pytest.raises(ValueError):
        model.geom_type.setflags(write=True)


def test_arrays_outlive_what_they_were_taken_from(model, data):
    qpos, mass = data.qpos, model.body_mass
    qpos[0] = 7
    del data, model
    gc.collect()
    assert qpos[0] == 7 and mass.shape == (3,)


def test_weak_references_to_arrays(data):
    reference = weakref.ref(data.qpos)
    gc.collect()
    assert reference() is data.qpos


def test_copies_are_independent(model, data):
    mj.mj_step(model, data, nstep=10)
    for other in (copy.copy(data), copy.deepcopy(data)):
        np.testing.assert_array_equal(other.qpos, data.qpos)
        other.qpos[0] = 9
        assert data.qpos[0] != 9
    other = copy.copy(model)
    other.geom_size[1] = 0.2
    assert model.geom_size[1, 0] == 0.1
    assert pickle.loads(pickle.dumps(model)).nbody == model.nbody


def test_an_integer_field_refuses_numbers_that_are_none(model):
    with pytest.raises(TypeError, match="iterations"):
        model.opt.iterations = 1.5
    model.opt.integrator = 99
    with pytest.raises(ValueError, match="opt.integrator"):
        mj.MjData(model)


def test_arguments_that_do_not_fit_are_named(model, data):
    other = mj.MjData(mj.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"))
    with pytest.raises(ValueError):
        mj.mj_step(model, other)
    with pytest.raises(IndexError, match="body"):
        mj.mj_jacBody(model, data, np.zeros((3, model.nv)), None, 10**6)
    with pytest.raises(TypeError, match="name"):
        mj.mj_name2id(model, 1, None)
    with pytest.raises(TypeError, match="jacp"):
        mj.mj_jacBody(model, data, np.zeros((3, 2)), None, 1)
    with pytest.raises(TypeError, match="float64"):
        mj.mj_jacBody(model, data, np.zeros((3, model.nv), np.float32), None, 1)
    with pytest.raises(ValueError, match="from_xml_path"):
        mj.MjModel.from_xml_string("model.xml")


def test_a_second_thread_on_the_same_data_is_told(model):
    model.opt.timestep = 1e-4
    data = mj.MjData(model)
    errors = []

    def work():
        for _ in range(200):
            try:
                mj.mj_step(model, data, nstep=200)
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("MjData" in error for error in errors)
    assert np.isfinite(data.qpos).all()


def test_contacts_can_be_read_and_written(model, data):
    data.qpos[2] = 0.09
    mj.mj_forward(model, data)
    contacts = data.contact
    assert len(contacts) == data.ncon == len(contacts.dist) > 0
    contacts[0].pos = [1, 2, 3]
    np.testing.assert_array_equal(contacts.pos[0], [1, 2, 3])
    force = np.zeros(6)
    mj.mj_contactForce(model, data, 0, force)
    assert force[0] > 0
    with pytest.raises(ValueError, match="no contact"):
        mj.mj_contactForce(model, data, 50, force)


def test_slices_of_contacts_are_lists_of_contacts():
    model = mj.MjModel.from_xml_string(
        """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
    )
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    part = data.contact[1:3]
    assert len(part) == 2
    np.testing.assert_array_equal(part.dist, data.contact.dist[1:3])
    assert part[0].geom2 == 1 and [c.geom1 for c in part] == [0, 0]
    part[0].dist = -0.5
    assert data.contact[1].dist == -0.5


def test_rows_of_equality_constraints_may_lack_the_last_number():
    model = mj.MjModel.from_xml_string(
        """<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/></body></worldbody>
        <equality><weld body1="a" torquescale="3"/><connect body1="a" body2="world" anchor="0 0 0"/></equality></mujoco>"""
    )
    last = model.eq_data[:, 11].copy()
    model.eq_data[0] = np.arange(11.0)
    model.eq_data[1][:] = np.arange(11.0)
    assert (model.eq_data[:, :11] == np.arange(11)).all() and (model.eq_data[:, 11] == last).all()
    model.eq_data[:] = 5
    assert (model.eq_data == 5).all()
    with pytest.raises(ValueError):
        model.eq_data[0] = np.zeros(10)
