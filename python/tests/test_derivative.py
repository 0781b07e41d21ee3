"""Closed-form derivatives of a step against differences of the step, and against formulas."""

import mj
import numpy as np
import pytest

CART = """
<mujoco>
  <option timestep="0.01" tolerance="1e-15" iterations="200" integrator="{integrator}"/>
  <worldbody>
    <body><joint type="slide" axis="1 0 0" damping=".3" stiffness="2"/><geom size=".1" mass="2"/>
      <body><joint name="h" axis="0 1 0" damping=".02"/><geom pos="0 0 .5" size=".1" mass="1"/></body>
    </body>
  </worldbody>
  <actuator><general joint="h" dyntype="filter" dynprm=".1" gainprm="3"/></actuator>
</mujoco>
"""

CONTACTS = """
<mujoco>
  <option timestep="0.005" tolerance="1e-15" iterations="200" cone="{cone}"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 .098"><freejoint/><geom size=".1" mass="1"/></body>
    <body pos="1 0 .098" euler="0 90 0"><freejoint/><geom type="capsule" size=".1 .2" mass="1"/></body>
    <body pos="3 0 1"><joint name="j" axis="0 1 0" range="-10 10" limited="true"/><geom size=".1" pos="0 0 .4"/></body>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
</mujoco>
"""


def differences(model, data):
    nx = 2 * model.nv + model.na
    a, b = np.zeros((nx, nx)), np.zeros((nx, model.nu))
    mj.mjd_transitionFD(model, data, 1e-6, True, a, b, None, None)
    return a, b


def test_a_mass_on_a_spring_has_the_derivative_of_the_textbook():
    model = mj.MjModel.from_xml_string(
        """<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody>
        <body><joint type="slide" axis="1 0 0" stiffness="5"/><geom size=".1" mass="2"/></body></worldbody>
        <actuator><motor gear="3"/></actuator></mujoco>""".replace("<joint ", "<joint name='s' ").replace("<motor ", "<motor joint='s' ")
    )
    h, k, m, gear = 0.01, 5.0, 2.0, 3.0
    a, b = mj.step_derivative(model, mj.MjData(model))
    # Semi-implicit Euler: v' = v + h (gear u - k x) / m, x' = x + h v'.
    assert np.allclose(a, [[1 - h * h * k / m, h], [-h * k / m, 1]], atol=1e-14)
    assert np.allclose(b, [[h * h * gear / m], [h * gear / m]], atol=1e-14)


def test_parameters_by_name_have_columns():
    model = mj.MjModel.from_xml_string(CART.format(integrator="implicitfast"))
    data = mj.MjData(model)
    data.qpos[:], data.qvel[:], data.act[:], data.ctrl[:] = [0.2, 0.7], [1, -2], [0.4], [0.8]
    names = ["body_mass[2]", "dof_damping[h]", "actuator_gainprm[0,0]", "jnt_axis[h,1]"]
    found = mj.step_derivative(model, data, parameters=names)
    assert found.P.shape == (2 * model.nv + model.na, len(names))
    assert found.parameters_by_differences == ["jnt_axis[h,1]"]

    def end(damping):
        model.dof_damping[1] = damping
        other = mj.MjData(model)
        other.qpos[:], other.qvel[:], other.act[:], other.ctrl[:] = data.qpos, data.qvel, data.act, data.ctrl
        mj.mj_step(model, other)
        return other.qvel.copy()

    assert np.allclose(found.P[2:4, 1], (end(0.02 + 1e-6) - end(0.02 - 1e-6)) / 2e-6, rtol=1e-6)
    with pytest.raises(ValueError, match="no field `body_weight`"):
        mj.step_derivative(model, data, parameters=["body_weight[1]"])


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_closed_form_agrees_with_differences(integrator):
    model = mj.MjModel.from_xml_string(CART.format(integrator=integrator))
    data = mj.MjData(model)
    data.qpos[:], data.qvel[:], data.act[:], data.ctrl[:] = [0.2, 0.7], [1, -2], [0.4], [0.8]
    before = data.qpos.copy(), data.qvel.copy(), data.act.copy(), data.time
    found = mj.step_derivative(model, data)
    assert found.differences == {}
    assert all(np.array_equal(x, y) for x, y in zip(before, (data.qpos, data.qvel, data.act, data.time)))
    for mine, theirs in zip(found, differences(model, data)):
        assert mine.shape == theirs.shape
        assert np.allclose(mine, theirs, atol=1e-6)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_contacts_are_in_closed_form_too(cone):
    model = mj.MjModel.from_xml_string(CONTACTS.format(cone=cone))
    data = mj.MjData(model)
    data.qvel[:] = np.linspace(-0.2, 0.3, model.nv)
    mj.mj_step(model, data, nstep=5)
    assert data.ncon >= 3
    found = mj.step_derivative(model, data)
    assert not found.differences
    by_differences = mj.step_derivative(model, data, differences=True)
    assert set(by_differences.differences) == {"position", "velocity", "activation", "control"}
    for mine, inverse, whole in zip(found, by_differences, differences(model, data)):
        assert np.allclose(mine, inverse, atol=1e-4 * abs(mine).max())
        assert np.allclose(mine, whole, atol=1e-4 * abs(mine).max())


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_sensors_have_rows(cone):
    text = CONTACTS.format(cone=cone).replace("</mujoco>", """<sensor><jointpos joint="j"/><jointvel joint="j"/>
        <actuatorfrc actuator="m"/><framelinacc objtype="body" objname="c"/><subtreelinvel body="c"/></sensor></mujoco>""")
    text = text.replace("<motor ", "<motor name='m' ").replace('euler="0 90 0"', 'euler="0 90 0" name="c"')
    model = mj.MjModel.from_xml_string(text)
    data = mj.MjData(model)
    data.qvel[:] = np.linspace(-0.2, 0.3, model.nv)
    mj.mj_step(model, data, nstep=5)
    found = mj.step_derivative(model, data, sensors=True, parameters=["body_mass[c]"])
    nx = 2 * model.nv + model.na
    c, d = np.zeros((model.nsensordata, nx)), np.zeros((model.nsensordata, model.nu))
    mj.mjd_transitionFD(model, data, 1e-6, True, None, None, c, d)
    assert np.allclose(found.C, c, atol=1e-4 * abs(c).max()) and np.allclose(found.D, d, atol=1e-6)
    assert found.S.shape == (model.nsensordata, 1) and found.S[:3].tolist() == [[0], [0], [0]]
    assert mj.step_derivative(model, data).C is None
    with pytest.raises(ValueError, match="sensors"):
        mj.step_derivative(model, data, sensors=True, differences=True)


@pytest.mark.parametrize("actuation", [False, True])
def test_inverse_dynamics_in_closed_form_agrees_with_differences(actuation):
    model = mj.MjModel.from_xml_string(CONTACTS.format(cone="elliptic"))
    data = mj.MjData(model)
    data.qvel[:] = np.linspace(-0.2, 0.3, model.nv)
    mj.mj_step(model, data, nstep=5)
    mj.mj_forward(model, data)
    found = mj.inverse_derivative(model, data, actuation=actuation, parameters=["opt.gravity[2]"])
    assert not found.differences
    want = [np.zeros((model.nv, model.nv)) for _ in range(3)]
    mj.mjd_inverseFD(model, data, 1e-7, actuation, *want, *[None] * 4)
    for mine, theirs in zip(found, want):
        # Ours has a column a dof, theirs a row.
        assert np.allclose(mine, theirs.T, atol=1e-4 * abs(mine).max())
    assert np.allclose(found.P[[2, 8], 0], [-1, -1])
    with pytest.raises(ValueError, match="no field"):
        mj.inverse_derivative(model, data, parameters=["nonsense[0]"])


def test_arguments_that_do_not_fit_are_told():
    model = mj.MjModel.from_xml_string(CART.format(integrator="Euler"))
    other = mj.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(ValueError, match="model"):
        mj.step_derivative(other, mj.MjData(model))
    rk4 = mj.MjModel.from_xml_string(CART.format(integrator="RK4"))
    with pytest.raises(ValueError, match="(?i)RK4|runge"):
        mj.step_derivative(rk4, mj.MjData(rk4))
    with pytest.raises(TypeError):
        mj.step_derivative(model, None)
