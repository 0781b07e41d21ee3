"""Regulators, trajectories, sampling planners and tasks."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import mj
import numpy as np
import pytest
from mj import control

PENDULUM = """
<mujoco>
  <option timestep="0.02" tolerance="1e-12" integrator="implicitfast"/>
  <worldbody><body>
    <joint name="hinge" axis="0 1 0" damping="0.05"/>
    <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02" mass="0.5"/>
    <site name="tip" pos="0 0 -0.5"/>
  </body></worldbody>
  <actuator><motor joint="hinge" ctrlrange="-1 1" ctrllimited="true"/></actuator>
  <sensor><framepos name="tip" objtype="site" objname="tip"/></sensor>
</mujoco>
"""


@pytest.fixture
def pendulum():
    model = mj.MjModel.from_xml_string(PENDULUM)
    return model, mj.MjData(model)


def upright():
    cost = control.Cost().add("effort", control.control(), running=0.01)
    cost.add("upright", control.position([np.pi]), running=0.0, terminal=50.0)
    return cost.add("rest", control.velocity(), running=1e-4, terminal=5.0)


def test_lqr_is_the_limit_of_the_riccati_iteration():
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(4, 4)), rng.normal(size=(4, 2))
    Q, R = np.diag([1.0, 2, 3, 4]), np.array([[2.0, 0.5], [0.5, 1]])
    K, P = control.lqr(A, B, Q, R)
    S = Q
    for _ in range(1000):
        G = np.linalg.solve(R + B.T @ S @ B, B.T @ S @ A)
        S = Q + A.T @ S @ (A - B @ G)
    assert np.allclose(K, G, atol=1e-9) and np.allclose(P, S, atol=1e-8)


@pytest.mark.parametrize(
    "arguments",
    [
        (np.ones((2, 3)), np.ones((2, 1)), np.eye(2), np.eye(1)),
        (np.eye(2), np.ones((3, 1)), np.eye(2), np.eye(1)),
        (np.eye(2) * np.nan, np.ones((2, 1)), np.eye(2), np.eye(1)),
        (np.eye(2), np.ones((2, 1)), [[1, 1], [0, 1]], np.eye(1)),
        (np.eye(2), np.ones((2, 1)), np.eye(2), [[-1.0]]),
        (np.eye(2), np.zeros((2, 0)), np.eye(2), np.zeros((0, 0))),
        (2 * np.eye(2), np.zeros((2, 1)), np.eye(2), np.eye(1)),
    ],
)
def test_lqr_refuses(arguments):
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        control.lqr(*arguments)


def test_a_regulator_holds_a_pendulum_upright(pendulum):
    model, data = pendulum
    data.qpos[:] = np.pi
    cost = control.Cost().add("angle", control.position([np.pi])).add("effort", control.control(), running=0.1)
    regulator = control.Regulator(model, cost, data)
    assert regulator.K.shape == (1, 2) and regulator.P.shape == (2, 2)
    data.qpos[:] += 0.1
    for _ in range(300):
        data.ctrl[:] = regulator.control(data)
        mj.mj_step(model, data)
    assert abs(data.qpos[0] - np.pi) < 1e-3


def test_ilqr_swings_a_pendulum_up(pendulum):
    model, data = pendulum
    data.qpos[:] = 0.01
    seen = []
    planner = control.Ilqr(model, upright(), steps=150)
    found = planner.solve(data, progress=lambda n, i: seen.append(i))
    costs = [i.cost for i in found.iterations]
    assert seen == found.iterations and all(b <= a for a, b in zip(costs, costs[1:])) and costs[-1] < 0.1 * 247
    assert abs(found.qpos[-1, 0] - np.pi) < 0.1 and abs(found.qvel[-1, 0]) < 0.5
    assert found.states.shape == (151, 2) and found.controls.shape == (150, 1) and found.gains.shape == (150, 1, 2)
    assert np.abs(found.controls).max() <= 1 and data.qpos[0] == 0.01
    again = control.Ilqr(model, upright(), steps=150, threads=2).solve(data)
    assert np.array_equal(found.controls, again.controls)
    assert len(planner.solve(data, progress=lambda n, i: False).iterations) == 1
    with pytest.raises(ZeroDivisionError):
        planner.solve(data, progress=lambda n, i: 1 / 0)


def test_constraints_hold(pendulum):
    model, data = pendulum
    cost = control.Cost().add("effort", control.control(), running=0.01).add("tip", control.sensor("tip", [0.3, 0, -0.4]))
    cost.within("slow", control.velocity(), -0.8, 0.8)
    found = control.Ilqr(model, cost, steps=50).solve(data)
    assert found.violation < 2e-3 and np.abs(found.qvel).max() < 0.81


def test_residuals_by_sensor_point_and_function_agree(pendulum):
    model, data = pendulum
    data.qpos[:] = 0.4
    goal = [0.1, 0.0, -0.3]
    cost = control.Cost().add("sensor", control.sensor("tip", goal)).add("point", control.point("site", "tip", goal))
    cost.add("function", control.function(lambda m, d: d.site("tip").xpos - goal, 3, "pos"))
    found = cost.residuals(data)
    assert np.array_equal(found["sensor"], found["point"]) and np.array_equal(found["sensor"], found["function"])
    plans = []
    for residual in (control.sensor("tip", goal), control.function(lambda m, d: d.site_xpos[0] - goal, 3, "pos")):
        cost = control.Cost().add("tip", residual).add("effort", control.control(), running=0.01)
        plans.append(control.Ilqr(model, cost, steps=20, threads=2).solve(data).controls)
    assert np.allclose(*plans, atol=1e-9)
    for wrong in (lambda m, d: 1 / 0, lambda m, d: [1.0], lambda m, d: "x"):
        cost = control.Cost().add("wrong", control.function(wrong, 3))
        with pytest.raises((ZeroDivisionError, ValueError, TypeError)):
            control.Ilqr(model, cost, steps=5).solve(data)
        with pytest.raises((ZeroDivisionError, ValueError, TypeError)):
            control.Sampler(model, cost, steps=5, samples=4).improve(data)


@pytest.mark.parametrize("method", ["predictive", "cem", "mppi"])
def test_samplers_have_the_same_bits_for_any_number_of_threads(pendulum, method):
    model, data = pendulum
    runs = []
    for threads in (1, 3):
        sampler = control.Sampler(model, upright(), method, steps=40, samples=16, seed=3, threads=threads)
        assert sampler.best is None
        first = sampler.improve(data)
        runs.append((first, sampler.improve(data, 4), sampler.knots.tobytes(), sampler.best.states.tobytes()))
    assert runs[0] == runs[1] and runs[0][1] < runs[0][0]
    assert sampler.knots.shape == (6, 1) and sampler.control(3).shape == (1,)


@pytest.mark.parametrize("kind", ["ilqr", "sampler"])
def test_an_agent_turns_a_pendulum(pendulum, kind):
    model, data = pendulum
    cost = control.Cost().add("angle", control.position([1.0])).add("effort", control.control(), running=1e-3)
    planner = control.Ilqr(model, cost, steps=30) if kind == "ilqr" else control.Sampler(model, cost, "cem", steps=30)
    agent = control.Agent(planner, every=5, iterations=2)
    for _ in range(100):
        data.ctrl[:] = agent.control(data)
        mj.mj_step(model, data)
    assert abs(data.qpos[0] - 1.0) < 0.15
    assert agent.rate.plans == 20 and agent.rate.hertz > 0


@pytest.mark.parametrize("with_function", [False, True])
def test_an_agent_plans_beside_the_simulation(pendulum, with_function):
    model, data = pendulum
    angle = control.function(lambda m, d: [d.qpos[0] - 1.0], 1, "pos") if with_function else control.position([1.0])
    cost = control.Cost().add("angle", angle).add("effort", control.control(), running=1e-3)
    planner = control.Sampler(model, cost, "cem", steps=20, samples=8 if with_function else 32)
    with control.AsyncAgent(planner, iterations=2) as agent:
        for _ in range(200):
            data.ctrl[:] = agent.control(data)
            mj.mj_step(model, data)
            time.sleep(2e-3)
        assert np.isfinite(data.qpos).all() and agent.rate.plans > 2 and agent.age >= 0
        assert with_function or abs(data.qpos[0] - 1.0) < 0.3
    with pytest.raises(ValueError, match="closed"):
        agent.control(data)
    # Without a `with` block the thread ends with the object.
    control.AsyncAgent(control.Ilqr(model, cost, steps=5)).control(data)


def test_an_agent_tells_of_failures():
    model = mj.MjModel.from_xml_string(PENDULUM)
    cost = control.Cost().add("wrong", control.function(lambda m, d: [1 / 0], 1))
    agent = control.AsyncAgent(control.Sampler(model, cost, steps=5, samples=4))
    with pytest.raises((ZeroDivisionError, ValueError)):
        for _ in range(1000):
            agent.control(mj.MjData(model))


def test_an_agent_that_is_left_ends_with_the_program(tmp_path):
    program = tmp_path / "left.py"
    program.write_text(
        "import mj\nfrom mj import control\n"
        f"model = mj.MjModel.from_xml_string('''{PENDULUM}''')\n"
        "cost = control.Cost().add('a', control.function(lambda m, d: [d.qpos[0]], 1))\n"
        "agent = control.AsyncAgent(control.Ilqr(model, cost, steps=20))\n"
        "agent.control(mj.MjData(model))\n"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(mj.__file__).parents[1])}
    subprocess.run([sys.executable, program], check=True, timeout=60, env=environment)


def test_tasks_run():
    assert "acrobot" in control.tasks()
    task = control.Task("double_pendulum")
    outcome = task.run(seed=0)
    assert outcome.success and outcome.states.shape[1] == task.model().nq + task.model().nv
    with pytest.raises(ValueError, match="the tasks are acrobot"):
        control.Task("acrobat")
    with pytest.raises(ValueError, match="seed"):
        task.run(seed=-1)


def test_wrong_arguments_end_in_exceptions(pendulum):
    model, data = pendulum
    cost = upright()
    other = mj.MjData(mj.MjModel.from_xml_string("<mujoco/>"))
    wrong = [
        lambda: control.Ilqr(model, cost, steps=0),
        lambda: control.Ilqr(model, cost, steps=-1),
        lambda: control.Ilqr(model, cost, steps=10**30),
        lambda: control.Ilqr(model, cost, steps=1 << 20, threads=10**9),
        lambda: control.Ilqr(model, cost, tolerance=float("nan")),
        lambda: control.Ilqr(model, cost, penalty=0),
        lambda: control.Ilqr(model, cost, steps=5).solve(data, np.zeros((5, 1)) * np.nan),
        lambda: control.Ilqr(model, cost, steps=5).solve(other),
        lambda: control.Sampler(model, cost, "best"),
        lambda: control.Sampler(model, cost, samples=0),
        lambda: control.Sampler(model, cost, samples=1 << 16, steps=1 << 20),
        lambda: control.Sampler(model, cost, knots=200),
        lambda: control.Sampler(model, cost, "cem", samples=4, elites=5),
        lambda: control.Sampler(model, cost, noise=-1),
        lambda: control.Agent(control.Ilqr(model, cost), every=0),
        lambda: control.Ilqr(model, control.Cost().add("x", control.position([1, 2]), running=1)),
        lambda: control.Ilqr(model, control.Cost().add("x", control.position([np.nan]))),
        lambda: control.Ilqr(model, control.Cost().add("x", control.velocity([7]))),
        lambda: control.Ilqr(model, control.Cost().add("x", control.sensor("tap"))),
        lambda: control.Ilqr(model, control.Cost().add("x", control.point("light", "tip"))),
        lambda: control.Ilqr(model, control.Cost().add("x", control.velocity(), "l3")),
        lambda: control.Ilqr(model, control.Cost().add("x", control.velocity(), "l2", width=0)),
        lambda: control.Ilqr(model, control.Cost().add("x", control.velocity(), running=-1)),
        lambda: control.Ilqr(model, control.Cost().within("x", control.velocity(), 1, -1)),
        lambda: control.Cost().add("x", control.control(), terminal=1),
        lambda: control.Cost().add("x", control.velocity(), running=float("inf")),
        lambda: control.function(lambda m, d: [], 10**12),
        lambda: control.Regulator(model, cost, other),
    ]
    for i, call in enumerate(wrong):
        with pytest.raises((ValueError, TypeError)) as error:
            call()
        assert len(str(error.value)) > 10, i
    for call in (
        lambda: control.Ilqr(None, cost), lambda: control.Ilqr(model, None), lambda: control.Ilqr(model, cost).solve(None),
        lambda: control.Agent(None), lambda: control.AsyncAgent(None), lambda: control.Cost().add("x", None), lambda: control.Ilqr(model, cost, steps=1.5),
        lambda: control.lqr(None, None, None, None), lambda: control.Ilqr(model, cost, steps=5).solve(data, np.zeros(3)),
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError)):
            call()


def test_a_planner_serves_one_thread_at_a_time(pendulum):
    model, data = pendulum
    planner = control.Ilqr(model, upright(), steps=20)
    raised = []

    def inside(n, i):
        thread = threading.Thread(target=lambda: raised.append(pytest.raises(RuntimeError, planner.solve, mj.MjData(model))))
        thread.start()
        thread.join()
        return False

    planner.solve(data, progress=inside)
    assert len(raised) == 1


def test_positions_are_optimized_through_inverse_dynamics():
    model = mj.MjModel.from_xml_string(PENDULUM.replace("implicitfast", "Euler").replace(' damping="0.05"', ""))
    data = mj.MjData(model)
    cost = control.Cost().add("goal", control.position([1.0]), running=0, terminal=1e5)
    cost.add("rest", control.velocity(), running=0, terminal=1e4)
    direct = control.Direct(model, cost, steps=50)
    assert direct.efforts.tolist() == [[1e-3, -np.inf, np.inf]]
    with pytest.raises(ValueError, match="no trajectory yet"):
        direct.controls()
    seen = []
    path = direct.solve(data, progress=lambda n, cost: seen.append(cost))
    assert path.converged and len(seen) == path.iterations and abs(path.qpos[-1, 0] - 1) < 1e-2
    for force in path.forces:
        data.qfrc_applied[:] = force
        mj.mj_step(model, data)
    assert np.allclose(data.qpos, path.qpos[-1], atol=1e-9)
    # Motors reach 1 N m, and forces that are limited to that are the controls.
    direct.efforts = [[1e-3, -1, 1]]
    path = direct.solve(mj.MjData(model))
    assert path.force_violation < 1e-3 and np.allclose(direct.controls(), path.forces, atol=2e-3)
    with pytest.raises(ValueError, match="weight"):
        direct.efforts = [[-1, 0, 0]]
    with pytest.raises(TypeError, match="qpos"):
        direct.solve(data, np.zeros(3))
    with pytest.raises(ValueError, match="weights of their own"):
        control.Direct(model, control.Cost().add("effort", control.control()), steps=5)
    with pytest.raises(KeyError, match="stop"):
        direct.solve(data, progress=lambda n, cost: (_ for _ in ()).throw(KeyError("stop")))


def test_a_task_is_planned():
    seen = []
    plan = control.Task("cart_pole").plan(progress=lambda n, i: seen.append(i.cost))
    assert len(seen) == len(plan.iterations) and plan.cost == pytest.approx(min(seen))
    assert plan.controls.shape[0] + 1 == len(plan.qpos) and plan.costs.sum() == pytest.approx(plan.cost)
    short = control.Task("cart_pole").plan(progress=lambda n, i: False)
    assert len(short.iterations) == 1
    with pytest.raises(ValueError, match="regulator"):
        control.Task("double_pendulum").plan()
