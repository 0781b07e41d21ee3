"""Gradients of simulations, against differences, by numpy, PyTorch and JAX."""

import mj
import numpy as np
import pytest
from mj.autodiff import Simulator

XML = """
<mujoco>
  <option timestep=".005" tolerance="1e-12" iterations="200"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="cube" pos="0 0 .28" euler="10 20 30"><freejoint/><geom name="cube" type="box" size=".1 .2 .3" mass="1"/></body>
    <body pos="1 0 .5"><joint name="hinge" axis="0 1 0" damping=".1"/><geom size=".05" pos=".2 0 0" mass=".3"/>
      <body pos=".4 0 0"><joint type="ball" damping=".02"/><geom size=".05" pos=".1 0 .1" mass=".2"/></body></body>
  </worldbody>
  <actuator><motor joint="hinge" gear="2"/><position joint="hinge" kp="3" timeconst=".1"/></actuator>
</mujoco>
"""
PARAMETERS = ("body_mass[cube]", "dof_damping[hinge]")
STEPS = 12


@pytest.fixture(name="case")
def _case():
    model = mj.MjModel.from_xml_string(XML)
    data = mj.MjData(model)
    rng = np.random.default_rng(0)
    data.qvel[:] = rng.normal(size=model.nv)
    simulator = Simulator(model, data, PARAMETERS)
    width = model.nq + model.nv + model.na
    return {
        "simulator": simulator,
        "ctrl": rng.normal(size=(STEPS, model.nu)),
        "start": simulator.start(),
        "values": np.array([1.2, 0.15]),
        "weights": rng.normal(size=(STEPS + 1, width)),
        "model": model,
    }


def _loss(case, **changes):
    inputs = {name: changes.get(name, case[name]) for name in ("ctrl", "start", "values")}
    return float((case["weights"] * case["simulator"].states(**inputs)).sum())


def _along(case, name, direction, eps=1e-6):
    """Returns the slope of the loss along a change of one input; quaternions stay unit ones."""
    ends = [_moved(case, name, sign * eps * direction) for sign in (1, -1)]
    return (_loss(case, **{name: ends[0]}) - _loss(case, **{name: ends[1]})) / (2 * eps)


def _moved(case, name, change):
    moved = case[name] + change
    if name == "start":
        for at in (3, 8):
            moved[at : at + 4] /= np.linalg.norm(moved[at : at + 4])
    return moved


def _check(case, by_ctrl, by_start, by_values, tolerance=1e-4):
    rng = np.random.default_rng(1)
    for name, gradient in (("ctrl", by_ctrl), ("start", by_start), ("values", by_values)):
        gradient = np.asarray(gradient, float)
        assert gradient.shape == case[name].shape
        for _ in range(3):
            direction = rng.normal(size=gradient.shape)
            if name == "start":
                # Within the tangent space of unit quaternions.
                for at in (3, 8):
                    q = case[name][at : at + 4]
                    direction[at : at + 4] -= q * (q @ direction[at : at + 4])
            want = _along(case, name, direction)
            assert np.sum(gradient * direction) == pytest.approx(want, rel=tolerance, abs=tolerance)


def test_numpy(case):
    by_start, by_ctrl, by_values = case["simulator"].gradient(case["weights"], case["ctrl"], case["start"], case["values"])
    _check(case, by_ctrl, by_start, by_values)


def test_the_model_stays(case):
    mass, states = case["model"].body("cube").mass.copy(), case["simulator"].start()
    case["simulator"].states(case["ctrl"], values=[5.0, 0.1])
    assert case["model"].body("cube").mass == mass
    assert (case["simulator"].start() == states).all()


def test_errors(case):
    simulator = case["simulator"]
    with pytest.raises(ValueError, match="expected nu = 2"):
        simulator.states(np.zeros((3, 5)), values=case["values"])
    with pytest.raises(ValueError, match="expected one for each"):
        simulator.states(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="nq \\+ nv \\+ na"):
        simulator.states(np.zeros((3, 2)), start=np.zeros(2), values=case["values"])
    with pytest.raises(ValueError, match="`by_states` has shape"):
        simulator.gradient(np.zeros((3, 2)), case["ctrl"], values=case["values"])
    with pytest.raises(ValueError, match="no_such"):
        Simulator(case["model"], parameters=["no_such[0]"]).states(np.zeros((3, 2)), values=[1.0])


def test_torch(case):
    torch = pytest.importorskip("torch")
    from mj.autodiff.torch import rollout

    inputs = [torch.tensor(case[name], requires_grad=True) for name in ("ctrl", "start", "values")]
    states = rollout(case["simulator"], *inputs)
    (states * torch.tensor(case["weights"])).sum().backward()
    _check(case, *(x.grad.numpy() for x in inputs))
    assert rollout(case["simulator"], inputs[0].float(), values=inputs[2].float()).dtype == torch.float32


def test_jax(case):
    jax = pytest.importorskip("jax")
    from mj.autodiff.jax import rollout

    jax.config.update("jax_enable_x64", True)

    @jax.jit
    def loss(ctrl, start, values):
        return (rollout(case["simulator"], ctrl, start, values) * case["weights"]).sum()

    inputs = [jax.numpy.asarray(case[name]) for name in ("ctrl", "start", "values")]
    found = jax.grad(loss, argnums=(0, 1, 2))(*inputs)
    _check(case, *found)
    many = jax.vmap(lambda ctrl: loss(ctrl, *inputs[1:]))(np.stack([case["ctrl"]] * 3))
    assert many.shape == (3,)
