"""Tests of parameters, signals and changes of specifications for system identification."""

import copy
import pickle
import re
import sys

import numpy as np
import pytest

pytest.importorskip("mj._core", exc_type=ImportError)

import mj
from mj import sysid
from mj.sysid._src import model_modifier, signal_modifier
from mj.sysid._src.parameter import InertiaType, Parameter, ParameterDict

BODIES = """
<mujoco>
  <worldbody>
    <body name="box" pos="0 0 1"><freejoint name="loose"/><geom type="box" size=".1 .2 .3" pos=".1 .2 .3" euler="10 20 30"/></body>
    <body name="arm"><joint name="hinge" axis="0 1 0"/><geom size=".1" pos="0 0 .3"/><site name="tip"/>
      <body><joint type="ball"/><geom size=".1" pos=".2 0 0"/></body></body>
  </worldbody>
  <actuator>
    <position name="servo" joint="hinge" kp="40" kv="3"/><general name="slow" joint="hinge" dyntype="integrator"/>
    <motor joint="hinge"/>
  </actuator>
  <sensor><jointpos name="angle" joint="hinge"/><gyro name="turn" site="tip"/><jointvel joint="hinge"/></sensor>
</mujoco>
"""


def spec():
    return mj.MjSpec.from_string(BODIES)


def parameters():
    params = ParameterDict()
    params.add(Parameter("a", 1.0, 0.0, 4.0, modifier=lambda s, p: setattr(s, "modelname", f"{p.value[0]}")))
    params.add(Parameter("kept", 7.0, 0.0, 9.0, frozen=True))
    params.add(Parameter("m", [[1, 2], [3, 4]], 0, [[5, 5], [5, 6]]))
    return params


def test_parameters_are_one_vector_without_those_that_are_frozen():
    params = parameters()
    assert params.size == 5 and len(params) == 3 and "kept" in params and list(params) == ["a", "kept", "m"]
    np.testing.assert_array_equal(params.as_vector(), [1, 1, 2, 3, 4])
    np.testing.assert_array_equal(params.as_vector(include_frozen=True), [1, 7, 1, 2, 3, 4])
    assert params.get_non_frozen_parameter_names() == ["a", "m[0,0]", "m[0,1]", "m[1,0]", "m[1,1]"]
    params.update_from_vector(np.array([0.5, 1.5, 2.5, 3.5, 4.5]))
    np.testing.assert_array_equal(params["m"].value, [[1.5, 2.5], [3.5, 4.5]])
    params["kept"].value[:] = 8
    np.testing.assert_array_equal(params.get_bounds(), [[0] * 5, [4, 5, 5, 5, 6]])
    params.randomize(np.random.default_rng(0))
    assert np.all((params.as_vector() >= 0) & (params.as_vector() <= params.get_bounds()[1]))
    assert params["m"].value.shape == (2, 2) and params["kept"].value == 8
    params.reset()
    np.testing.assert_array_equal(params.as_vector(include_frozen=True), [1, 7, 1, 2, 3, 4])


def test_values_move_off_their_bounds():
    params = parameters()
    params.update_from_vector(np.array([4, 0, 1e-4, 2.5, 6]))
    assert params.move_off_bounds(fraction=0.1) is params
    np.testing.assert_allclose(params.as_vector(), [3.6, 0.5, 0.5, 2.5, 5.4])
    assert params["kept"].value == 7


def test_copies_and_files_hold_values_and_bounds(tmp_path):
    params = parameters()
    params.update_from_vector(np.arange(5) / 2)
    twin = copy.deepcopy(params)
    twin["a"].value[:] = 3
    assert params["a"].value == 0 and twin["a"].modifier is params["a"].modifier
    s = spec()
    twin["a"].apply_modifier(s)
    assert s.modelname == "3.0"
    loaded = [pickle.loads(pickle.dumps(params))]
    if pytest.importorskip("yaml"):
        params.save_to_disk(tmp_path / "p.yaml")
        loaded.append(ParameterDict.load_from_disk(tmp_path / "p.yaml"))
    for other in loaded:
        np.testing.assert_array_equal(other.as_vector(True), params.as_vector(True))
        np.testing.assert_array_equal(other.as_nominal_vector(True), params.as_nominal_vector(True))
        np.testing.assert_array_equal(other.get_bounds(), params.get_bounds())
        assert other["kept"].frozen and other["m"].shape == (2, 2)
        other["a"].apply_modifier(s)
    assert Parameter.__module__ == "mj.sysid" and s.modelname == "3.0"


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda p: p.update_from_vector(np.zeros(4)), "5 elements that are not frozen; got 4"),
        (lambda p: p["m"].update_from_vector(np.zeros(3)), "`m` has 4 elements; got 3"),
        (lambda p: p.update(ParameterDict({"a": p["a"]})), "['a'] are in the dictionary"),
        (lambda p: Parameter("b", [1, 2], [0, 0, 0], 3), "min_value has shape (3,)"),
        (lambda p: Parameter("b", 1, 2, 0), "is above max_value"),
        (lambda p: p.compare_parameters(np.zeros(5), np.zeros(4)), "predicted_params has 4 elements; expected 5"),
    ],
)
def test_wrong_parameters_are_told(wrong, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        wrong(parameters())


def test_tables_of_parameters():
    params = parameters()
    initial, found = np.array([0, 1, 2, 3, 4.0]), np.array([0.5, 1.01, 2, 3, 5.999])
    plain = re.sub("\033\\[\\d+m", "", params.compare_parameters(initial, found, params.as_vector()))
    row = next(line for line in plain.splitlines() if "m[0,0]" in line)
    assert row.count("1.0%") == 2 and " 1.0100" in row
    # There is no percentage of zero.
    assert next(line for line in plain.splitlines() if line.startswith("| a ")).count("%") == 1
    assert len({len(line) for line in plain.splitlines()[:-2]}) == 1
    assert plain.endswith(f"RMS Delta: {np.sqrt(np.mean((found - initial) ** 2)):.4g}")
    assert "RMSE: \n" in params.compare_parameters(initial, found)
    assert "\033[35m 5.9990" in params.compare_parameters(initial, found)  # at its bound
    assert "[1,1]" in str(params) and "shape=(2, 2)" in str(params["m"]) and "kept" in params.get_parameter_info()


def test_series_between_their_times():
    times, at = np.array([0.0, 1.0, 1.5, 3.0, 4.0, 6.0]), np.linspace(-1, 7, 33)
    ts = sysid.TimeSeries(times, np.stack([times**2, np.sin(times)], axis=1))
    expected = np.stack([np.interp(at, times, column) for column in ts.data.T], axis=1)
    np.testing.assert_allclose(ts.interpolate(at), expected, atol=1e-14)
    np.testing.assert_array_equal(ts.interpolate(np.array([-1, 1.4, 1.5, 9]), "zoh"), ts.data[[0, 1, 2, -1]])
    assert ts.get(2.0)[1].shape == (2,) and ts.get(2.0)[1][0] == pytest.approx(2.25 + 6.75 / 3)
    assert sysid.TimeSeries(times[:1], ts.data[:1]).interpolate(3.0).shape == (1, 2)
    resampled = ts.resample(target_dt=0.7)
    assert resampled.times[0] == 0 and resampled.times[-1] == 6 and len(resampled) == 10
    # Rounding adds no step.
    late = sysid.TimeSeries(np.array([10.0, 11.996]), np.zeros(2))
    assert len(late.resample(target_dt=0.004)) == 500
    with pytest.raises(ValueError, match="steps of 1e-300 s; expected at most"):
        late.resample(target_dt=1e-300)
    with pytest.raises(ValueError, match="unknown interpolation `nearest`"):
        ts.interpolate(1.0, "nearest")
    pytest.importorskip("scipy")
    for method, degree in (("quadratic", 2), ("cubic", 3), ("quintic", 5)):
        curve = sysid.TimeSeries(times, times**degree)
        np.testing.assert_allclose(curve.interpolate(at, method), np.clip(at, 0, 6) ** degree, rtol=1e-9, atol=1e-9)


def test_signals_have_the_columns_of_the_model(tmp_path):
    model = spec().compile()
    qpos, qvel, act, ctrl = sysid.TimeSeries.compute_all_state_mappings(model)
    assert list(qpos) == ["box_qpos", "hinge_qpos", "joint_2_qpos"] and list(act) == ["slow_act"]
    np.testing.assert_array_equal(qpos["joint_2_qpos"][1], [8, 9, 10, 11])
    np.testing.assert_array_equal(qvel["joint_2_qvel"][1], model.nq + np.array([7, 8, 9]))
    assert act["slow_act"][1] == model.nq + model.nv and list(ctrl) == ["servo_ctrl", "slow_ctrl", "actuator_2_ctrl"]
    assert list(sysid.TimeSeries.compute_all_sensor_mapping(model)) == ["angle", "turn", "sensor_2"]

    times = np.arange(4.0)
    names = ["turn", ("loose", sysid.SignalType.MjStateQVel), "slow_act"]
    ts = sysid.TimeSeries.from_names(times, np.arange(40.0).reshape(4, 10), model, names)
    assert list(ts.signal_mapping) == ["turn", "box_qvel", "slow_act"]
    part = sysid.TimeSeries.slice_by_name(ts, ["slow_act", "turn"])
    np.testing.assert_array_equal(part.data[0], [0, 1, 2, 9])
    np.testing.assert_array_equal(part.get_indices("slow_act")[1], [3])
    part.save_to_disk(tmp_path / "ts.npz")
    loaded = sysid.TimeSeries.load_from_disk(tmp_path / "ts.npz")
    assert loaded.get_indices("turn")[0] is sysid.SignalType.MjSensor
    np.testing.assert_array_equal(loaded.data, part.data)
    for names, message in ((["turn"], "expected (4, 3)"), (["servo_ctrl"], "Could not resolve signal 'servo_ctrl'")):
        with pytest.raises(ValueError, match=re.escape(message)):
            sysid.TimeSeries.from_names(times, np.zeros((4, 2)), model, names)
    with pytest.raises(ValueError, match="there is no signal `tun`; there are"):
        ts.get_indices("tun")


def test_delays_gains_and_biases():
    model, times = spec().compile(), np.linspace(0, 2, 401)
    waves = np.stack([np.sin(3 * times + i) for i in range(model.nsensordata)], axis=1)
    ts = sysid.TimeSeries.from_names(times, waves, model)
    late = sysid.apply_delay(ts, "turn", Parameter("delay", 0.1, 0, 1))
    np.testing.assert_allclose(late.data[50:, 1], np.sin(3 * (times[50:] - 0.1) + 1), atol=1e-4)
    np.testing.assert_array_equal(late.data[:, 0], waves[:, 0])
    assert not np.shares_memory(late.data, ts.data)

    at, delays = times[100:300], {"turn": 0.05, "angle": -0.02}
    moved = sysid.apply_resample_and_delay(ts, at, 0.0, delays)
    np.testing.assert_allclose(moved.data[:, 2], np.sin(3 * (at - 0.05) + 2), atol=1e-4)
    shifts = signal_modifier._build_per_column_delays(ts, 0.0, delays, True)
    np.testing.assert_array_equal(moved.data, signal_modifier._apply_resample_and_delay_columnwise(ts, at, shifts))

    transform = sysid.SignalTransform()
    gain, bias = Parameter("gain", 2, 0, 3), Parameter("bias", 0.5, 0, 1)
    transform.gain("t*", gain, target="measured")
    transform.bias("*", bias)
    params = ParameterDict({"gain": gain, "bias": bias})
    for target, factor in (("measured", 2), ("predicted", 1)):
        out = transform._apply_gains_biases(ts, target, params)
        np.testing.assert_array_equal(out.data[:, 1], factor * waves[:, 1] + 0.5)
        np.testing.assert_array_equal(out.data, transform._apply_gains_biases_reference(ts, target, params).data)
    with pytest.raises(ValueError, match="has no times from"):
        sysid.apply_delayed_ts_window(ts, ts, -3.0, -2.5)


def test_weights_are_of_all_columns_of_a_sensor():
    model = spec().compile()
    difference = sysid.weighted_diff(np.zeros((2, 5)), np.ones((2, 5)), model, {"turn": 3.0})
    np.testing.assert_array_equal(difference, [[1, 3, 3, 3, 1]] * 2)
    measured = np.array([[3.0, 0], [4, 0]])
    np.testing.assert_allclose(sysid.normalize_residual(np.ones((2, 2)), measured), [[2**0.5 / 5, 1]] * 2)
    with pytest.raises(ValueError, match="the model has no sensor `turm`"):
        sysid.get_sensor_indices(model, ["angle", "turm"])


def test_states_by_names():
    model = spec().compile()
    state = sysid.create_initial_state(model, np.array([0.3]), np.arange(6.0), None, ["hinge_qpos"], ["box_qvel"])
    data = mj.MjData(model)
    mj.mj_setState(model, data, state, mj.mjtState.mjSTATE_FULLPHYSICS)
    assert data.qpos[7] == 0.3 and data.qpos[2] == 1
    np.testing.assert_array_equal(data.qvel[:7], [0, 1, 2, 3, 4, 5, 0])
    for arguments, message in (
        (dict(qpos=np.zeros(3)), "qpos has 3 elements; expected 12"),
        (dict(qpos=np.zeros(1), qpos_names=["hing_qpos"]), "the model has no ['hing_qpos']"),
        (dict(qpos=np.zeros(12), act_names=["slow_act"]), "act_names are given without act"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            sysid.create_initial_state(model, **arguments)


def mass_matrix(model):
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    full = np.zeros((model.nv, model.nv))
    mj.mj_fullM(model, data, full)
    return full


@pytest.mark.parametrize("kind", InertiaType)
def test_inertia_parameters_leave_a_body_as_it_is_and_scale_it(kind):
    s = spec()
    model = s.compile()
    before = mass_matrix(model)
    param = sysid.body_inertia_param(s, model, "box", kind, scale_rot_inertia=True)
    param.apply_modifier(s)
    np.testing.assert_allclose(mass_matrix(s.compile()), before, rtol=1e-9, atol=1e-9)
    assert np.all((param.min_value < param.value) & (param.value < param.max_value))
    # Twice the density.
    param.value[0] = param.value[0] + np.log(2) / 2 if kind is InertiaType.Pseudo else 2 * param.value[0]
    param.apply_modifier(s)
    after = mass_matrix(s.compile())
    np.testing.assert_allclose(after[:6, :6], 2 * before[:6, :6], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(after[6:, 6:], before[6:, 6:])


def test_factor_of_the_pseudo_inertia():
    alpha, d, s12, s23, s13, t = 0.3, np.array([0.1, -0.2, 0.4]), 0.5, 0.6, 0.7, np.array([1.0, 2, 3])
    factor = np.array([[0, s12, s13, t[0]], [0, 0, s23, t[1]], [0, 0, 0, t[2]], [0, 0, 0, 0]])
    factor = np.exp(alpha) * (factor + np.diag(np.exp([*d, 0])))
    pi = model_modifier.pi_from_theta(np.array([alpha, *d, s12, s23, s13, *t]))
    np.testing.assert_allclose(model_modifier.pseudoinertia_from_pi(pi), factor @ factor.T)


def test_any_ten_numbers_are_a_physical_inertia():
    rng = np.random.default_rng(3)
    for theta in rng.normal(size=(20, 10)):
        pi = model_modifier.pi_from_theta(theta)
        pseudo = model_modifier.pseudoinertia_from_pi(pi)
        assert np.linalg.eigvalsh(pseudo)[0] > 0 and pi[0] == pytest.approx(np.exp(2 * theta[0]))
        np.testing.assert_allclose(pi[1:4] / pi[0], theta[7:])
        np.testing.assert_allclose(model_modifier.theta_from_pseudoinertia(pseudo), theta, atol=1e-6)
        s = spec()
        model_modifier.apply_body_theta_inertia(s, "arm", theta)
        np.testing.assert_allclose(model_modifier.pi_from_body(s, "arm"), pi, rtol=1e-9, atol=1e-9 * np.abs(pi).max())


def test_gains_of_servos():
    s = spec()
    sysid.apply_pdgain(s, "servo", np.array([50, 4]))
    assert model_modifier.get_actuator_pd_gains(s.compile(), "servo") == (50, 4)
    for wrong, message in (
        (lambda: sysid.apply_pgain(s, "slow", 1), "actuator `slow` is not a position servo"),
        (lambda: sysid.apply_dgain(s, "none", 1), "the specification has no actuator `none`"),
        (lambda: sysid.apply_pdgain(s, "servo", [1, 2, 3]), "expected (2,)"),
        (lambda: model_modifier.apply_body_mass_ipos(s, "box", mass=[1, 2]), "mass of body `box` has shape (2,)"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            wrong()


def test_visual_elements_are_removed_and_others_stay():
    mesh = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"'
    s = mj.MjSpec.from_string(f"""
    <mujoco><asset><mesh name="both" {mesh}/><mesh name="seen" {mesh}/>
      <texture type="2d" name="t" builtin="flat" width="4" height="4"/><material name="m" texture="t"/></asset>
      <worldbody><geom type="mesh" mesh="both" material="m"/><body><freejoint/><geom size="1" material="m"/>
      <geom type="mesh" mesh="both" contype="0" conaffinity="0"/><geom type="mesh" mesh="seen" contype="0" conaffinity="0"/>
      <site name="s" material="m"/></body></worldbody></mujoco>""")
    model = sysid.remove_visuals(s).compile()
    assert (model.ngeom, model.nmesh, model.nmat, model.ntex, model.nsite) == (2, 1, 0, 0, 1)
    assert s.compile().ngeom == 4


def test_a_package_that_is_not_installed_is_told(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(ModuleNotFoundError, match=re.escape("needs the package pyyaml: pip install 'mj-physics[sysid]'")):
        parameters().save_to_disk(tmp_path / "p.yaml")
