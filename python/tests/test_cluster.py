"""Work on a local Ray cluster gives the bits of a single process, even where a worker is killed."""

import os
import signal
import threading
import time

import mj
import numpy as np
import pytest
from mj.rollout import rollout

pytest.importorskip("ray")
from mj.cluster import Cluster, SamplingControl  # noqa: E402

CART = """
<mujoco><option timestep="0.01"/><worldbody><geom type="plane" size="9 9 1" pos="0 0 -1"/>
  <body><joint name="slide" type="slide" axis="1 0 0" damping="0.1"/><geom size="0.1" mass="1"/>
    <body><joint name="hinge" axis="0 1 0" damping="0.01"/><geom type="capsule" fromto="0 0 0 0 0 0.5" size="0.02"/></body>
  </body></worldbody>
  <actuator><motor joint="slide" ctrllimited="true" ctrlrange="-5 5"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor></mujoco>"""


@pytest.fixture(scope="module")
def model():
    return mj.MjModel.from_xml_string(CART)


@pytest.fixture(scope="module")
def cluster(model):
    import ray

    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    with Cluster(model, workers=2, threads=1) as cluster:
        yield cluster
    ray.shutdown()


def starts(model, n):
    rng = np.random.default_rng(0)
    size = mj.mj_stateSize(model, mj.mjtState.mjSTATE_FULLPHYSICS)
    state = np.zeros((n, size))
    state[:, 1:] = 0.1 * rng.standard_normal((n, size - 1))
    return state, rng.uniform(-5, 5, (n, 50, model.nu))


def test_rollouts_are_those_of_one_process(model, cluster):
    state, control = starts(model, 301)
    expected = rollout(model, mj.MjData(model), state, control)
    for ours, theirs in zip(cluster.rollout(state, control), expected, strict=True):
        assert np.array_equal(ours, theirs)


def test_a_killed_workers_chunks_are_run_again(model, cluster):
    n = 4000
    state, control = starts(model, n)
    control = np.tile(control, (1, 10, 1))
    expected = rollout(model, mj.MjData(model), state, control)
    before = cluster.processes

    def kill():
        time.sleep(0.3)
        os.kill(before[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    ours = cluster.rollout(state, control)
    killer.join()
    for a, b in zip(ours, expected, strict=True):
        assert np.array_equal(a, b)
    assert len(cluster.processes) == 2 and before[0] not in cluster.processes


def test_a_function_on_the_workers_makes_the_results(model, cluster):
    state, control = starts(model, 50)
    ends = cluster.rollout(state, control, reduce=lambda states, sensors, controls: states[:, -1])
    assert np.array_equal(ends, rollout(model, mj.MjData(model), state, control)[0][:, -1])


def test_a_sweep_is_simulated_with_each_models_parameters(model, cluster):
    masses = np.tile(model.body_mass, (20, 1))
    masses[:, 1] = np.linspace(0.5, 3, 20)
    control = np.full((1, 1, 1), 1.0)
    states, _ = cluster.sweep({"body_mass": masses}, nstep=30, control=control)
    for mass, state in zip(masses, states, strict=True):
        one = mj.MjModel.from_xml_string(CART)
        one.body_mass[:] = mass
        data = mj.MjData(one)
        mj.mj_setConst(one, data)
        mj.mj_resetData(one, data)
        data.ctrl[:] = 1
        mj.mj_step(one, data, nstep=30)
        assert np.array_equal(state[-1, 1 : 1 + model.nq], data.qpos)


def test_sampling_holds_a_pole_up(model, cluster):
    # Inside of a function, so that it is sent to the workers: they can't import this module.
    def cost(states, sensors, controls):
        angle, velocity = states[:, :, 2], states[:, :, 4]
        return (1 - np.cos(angle)).sum(axis=1) + 0.01 * (velocity**2).sum(axis=1)

    data = mj.MjData(model)
    data.qpos[1] = 0.2
    control = SamplingControl(cluster, model, cost, horizon=40, samples=64, noise=2.0, hold=5)
    state = np.empty(mj.mj_stateSize(model, mj.mjtState.mjSTATE_FULLPHYSICS))
    for _ in range(60):
        mj.mj_getState(model, data, state, mj.mjtState.mjSTATE_FULLPHYSICS)
        data.ctrl[:] = control.update(state)[0]
        mj.mj_step(model, data)
        control.advance()
    assert abs(data.qpos[1]) < 0.1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: c.rollout(np.zeros((2, 3, 4))), "at most 2 axes"),
        (lambda c: c.rollout(np.zeros((2, 5)), np.zeros((3, 4, 1))), "different numbers"),
        (lambda c: c.rollout(np.zeros((2, 9))), "must be 5"),
        (lambda c: c.sweep({}), "is empty"),
        (lambda c: c.sweep({"body_mas": np.ones((2, 3))}), "body_mas"),
    ],
)
def test_wrong_arguments_are_refused(cluster, call, message):
    with pytest.raises((ValueError, AttributeError), match=message):
        call(cluster)
