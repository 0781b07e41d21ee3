"""Tests of identifications: residuals, optimization, confidence, results on disk, and reports."""

import logging
import pickle
import re

import numpy as np
import pytest

pytest.importorskip("mj._core", exc_type=ImportError)
pytest.importorskip("scipy", reason="identification needs it")

import mj
from mj import rollout, sysid

OSCILLATOR = """
<mujoco>
  <option timestep="0.004" gravity="0 0 0"/>
  <worldbody><body name="mass"><joint name="x" type="slide" axis="1 0 0" stiffness="20" damping="0.5"/>
    <geom size=".1" mass="0.7"/></body></worldbody>
  <actuator><motor name="push" joint="x"/></actuator>
  <sensor><jointpos name="pos" joint="x"/><jointvel name="vel" joint="x"/></sensor>
</mujoco>
"""
FREE = """
<mujoco>
  <option timestep="0.01" gravity="0 0 0" integrator="RK4"/>
  <worldbody><body name="box"><freejoint/><geom type="box" size=".1 .15 .2" density="100" pos=".02 0 .01"/><site name="s"/></body></worldbody>
  <actuator>
    <motor site="s" gear="1 0 0 0 0 0"/><motor site="s" gear="0 1 0 0 0 0"/><motor site="s" gear="0 0 1 0 0 0"/>
    <motor site="s" gear="0 0 0 1 0 0"/><motor site="s" gear="0 0 0 0 1 0"/><motor site="s" gear="0 0 0 0 0 1"/>
  </actuator>
  <sensor><gyro name="gyro" site="s"/><velocimeter name="velocity" site="s"/></sensor>
</mujoco>
"""


def measure(text, waves, duration, start=0.0):
    """Simulate a model, and return its specification, initial state, controls and sensors."""
    spec = mj.MjSpec.from_string(text)
    model = spec.compile()
    times = start + np.arange(round(duration / model.opt.timestep)) * model.opt.timestep
    control = sysid.TimeSeries.from_control_names(times, waves(times), model) if model.nu == 1 else None
    control = control or sysid.TimeSeries(times, waves(times))
    initial = sysid.create_initial_state(model, mj.MjData(model).qpos)
    initial[0] = start
    state, sensors = rollout.rollout(model, mj.MjData(model), initial, control.data[:-1])
    return spec, initial, control, sysid.TimeSeries.from_names(state[0, :, 0], sensors[0], model)


def push(times):
    return (4 * np.sin(7 * times) + 3 * np.sin(2.5 * times + 1))[:, None]


def oscillator_parameters():
    params = sysid.ParameterDict()
    joint = {"stiffness": (30.0, 5, 60), "damping": (1.0, 0.1, 3)}
    for name, (value, low, high) in joint.items():

        def modify(spec, p, name=name):
            getattr(spec.joint("x"), name)[0] = p.value[0]

        params.add(sysid.Parameter(name, value, low, high, modifier=modify))
    return params


@pytest.fixture(scope="module")
def noisy():
    """Two sequences of the oscillator, with noise; sensors are sampled unevenly."""
    rng, parts = np.random.default_rng(5), []
    for start in (0.0, 10.0):
        spec, initial, control, sensors = measure(OSCILLATOR, push, 2.0, start)
        times = np.sort(rng.uniform(start, start + 1.99, 300))
        data = sensors.interpolate(times) + 1e-3 * rng.standard_normal((300, 2))
        parts.append((initial, control, sysid.TimeSeries(times, data, sensors.signal_mapping)))
    return sysid.ModelSequences("oscillator", spec, ["first", "second"], *map(list, zip(*parts, strict=True)))


@pytest.mark.parametrize("optimizer", ["mujoco", "scipy", "scipy_parallel_fd"])
def test_stiffness_and_damping_are_found_within_their_intervals(noisy, optimizer):
    residual_fn = sysid.build_residual_fn(models_sequences=[noisy])
    params = oscillator_parameters()
    found, result = sysid.optimize(params, residual_fn, optimizer=optimizer, verbose=False)
    np.testing.assert_array_equal(params.as_vector(), [30, 1])
    covariance, intervals = sysid.calculate_intervals(residual_fn(found.as_vector(), found)[0], result.jac)
    off = np.abs(found.as_vector() - [20, 0.5])
    assert np.all(off < 2 * intervals) and np.all(intervals < [0.05, 0.01])
    np.testing.assert_allclose(np.sqrt(np.diag(covariance)) * 1.96, intervals, rtol=1e-2)
    assert result.cost == pytest.approx(0.5 * sum(r @ r for r in residual_fn(result.x, found)[0]))


def test_several_vectors_at_once_give_the_residuals_of_each(noisy):
    x = np.array([[20.0, 25, 31], [0.5, 1, 0.7]])
    params = oscillator_parameters()
    transform = sysid.SignalTransform()
    gain = sysid.Parameter("gain", 1.1, 0.5, 2)
    transform.gain("pos", gain)
    params.add(gain)
    x = np.vstack([x, [1, 1.2, 0.8]])
    for options in ({}, {"signal_transform": transform}):
        fn = sysid.build_residual_fn(models_sequences=[noisy, noisy[1:]], **options)
        together = fn(x, params)[0]
        assert [r.shape[1] for r in together] == [3, 3, 3]
        for i in range(3):
            for many, one in zip(together, fn(x[:, i], params)[0], strict=True):
                np.testing.assert_array_equal(many[:, i], one)


def test_a_delay_of_a_sensor_is_found():
    spec, initial, control, sensors = measure(OSCILLATOR, push, 3.0)
    late = sysid.apply_delay(sensors, "vel", sysid.Parameter("true", 0.0123, 0, 1))
    params, delay = oscillator_parameters(), sysid.Parameter("delay", 0.0, 0.0, 0.03)
    params["damping"].frozen = True  # frozen parameters are not applied: the specification has the true value
    params.add(delay)
    transform = sysid.SignalTransform()
    transform.delay("vel", delay)
    sequences = sysid.ModelSequences("oscillator", spec, "late", initial, control, late)
    fn = sysid.build_residual_fn(models_sequences=[sequences], signal_transform=transform)
    found, _ = sysid.optimize(params, fn, verbose=False)
    np.testing.assert_allclose(found.as_vector(), [20, 0.0123], rtol=1e-3)
    # The measurement is cut for all delays within bounds.
    assert fn(found.as_vector(), found)[2][0][0].times[-1] < sensors.times[-1] - 0.02


def test_all_ten_inertial_numbers_of_a_body_are_found():
    spec, initial, control, sensors = measure(
        FREE, lambda t: np.stack([np.sin((3 + i) * t + i) * (1 if i < 3 else 0.05) for i in range(6)], axis=1), 1.0
    )
    true = sysid.model_modifier.theta_inertia_from_body(spec, "box")
    param = sysid.body_inertia_param(spec, spec.compile(), "box", sysid.InertiaType.Pseudo)
    param.value = true + 0.1 * np.random.default_rng(2).uniform(-1, 1, 10)
    params = sysid.ParameterDict({param.name: param})
    sequences = sysid.ModelSequences("box", spec, "shaken", initial, control, sensors)
    found, _ = sysid.optimize(params, sysid.build_residual_fn(models_sequences=[sequences]), verbose=False)
    np.testing.assert_allclose(found.as_vector(), true, atol=1e-5)


def test_measured_signals_may_be_in_any_order_and_states_too():
    spec, initial, control, sensors = measure(OSCILLATOR, push, 0.5)
    model = spec.compile()
    state, _ = rollout.rollout(model, mj.MjData(model), initial, control.data[:-1])
    data = np.column_stack([sensors.data[:, 1], state[0, :, 1:]])
    names = ["vel", ("x", sysid.SignalType.MjStateQPos), "x_qvel"]
    mixed = sysid.TimeSeries.from_names(sensors.times, data, model, names)
    sequences = sysid.ModelSequences("oscillator", spec, "mixed", initial, control, mixed, allow_missing_sensors=True)
    params = sysid.ParameterDict()
    residuals, predicted, _ = sysid.residual(np.zeros(0), params, [sequences])
    np.testing.assert_allclose(residuals[0], 0, atol=1e-12)
    assert list(predicted[0][0].signal_mapping) == ["vel", "x_qpos", "x_qvel"]
    chosen = sysid.residual(
        np.zeros(0),
        params,
        [sequences],
        enabled_observations=[("x_qvel", sysid.SignalType.MjStateQVel)],
        sensor_weights={"vel": 2.0},
    )
    assert chosen[0][0].shape == sensors.times.shape
    for wrong, message in (
        ([("pos", sysid.SignalType.MjSensor)], "`pos` was not measured"),
        ([("vel", sysid.SignalType.MjStateQVel)], "measured as MjSensor"),
    ):
        with pytest.raises(ValueError, match=message):
            sysid.residual(np.zeros(0), params, [sequences], enabled_observations=wrong)


def test_several_trajectories_and_rollouts_of_a_program():
    """Trajectories without controls, as parts of one; simulated by a function that sees the parameters."""
    spec = mj.MjSpec.from_string(
        "<mujoco><worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    model = spec.compile()
    times = np.arange(61) * model.opt.timestep
    initial = sysid.create_initial_state(model, np.array([0, 0, 1, 1, 0, 0, 0]), np.array([1, 0, 0, 3, 2, 1.0]))
    nothing = sysid.TimeSeries(times, np.zeros((61, 0)))
    (whole,) = sysid.sysid_rollout(model, mj.MjData(model), nothing, initial)
    observed = sysid.TimeSeries.from_names(whole.state.times, whole.state.data[:, 1:8], model, ["b_qpos"])
    parts = whole.replace(sensordata=observed).split(20)
    drag = sysid.Parameter("drag", 0.5, 0, 1, modifier=lambda s, p: setattr(s.option, "density", 100 * p.value[0]))
    params, seen = sysid.ParameterDict({"drag": drag}), []

    def simulate(param_dicts, **kwargs):
        seen.extend(p["drag"].value[0] for p in param_dicts)
        return sysid.sysid_rollout(**kwargs)

    def build(p):
        return sysid.apply_param_modifiers(p, spec)

    x = np.array([[0.0, 0.5, 1.0]])
    together, predicted, _ = sysid.model_residual(x, params, build, parts, custom_rollout=simulate)
    assert seen == [0, 0.5, 1] and together.shape[1] == 3 and len(predicted) == 9
    np.testing.assert_allclose(together[:, 0], 0, atol=1e-10)
    assert np.abs(together[:, 2]).max() > np.abs(together[:, 1]).max() > 1e-5
    for i in range(3):
        one = sysid.model_residual(x[:, i], params, build, parts)[0]
        np.testing.assert_array_equal(together[:, i], one)


@pytest.mark.filterwarnings("ignore:invalid value")
def test_steps_to_where_simulations_diverge_are_not_taken():
    spec, initial, control, sensors = measure(OSCILLATOR, push, 1.0)
    sequences = sysid.ModelSequences("oscillator", spec, "calm", initial, control, sensors)

    def explode(spec, p):
        spec.joint("x").stiffness[0] = p.value[0] if p.value[0] > limit else -1e9

    limit = 19.5
    params = sysid.ParameterDict({"k": sysid.Parameter("k", 36, 1, 1000, modifier=explode)})
    calm, wild = (sysid.residual(np.array([k]), params, [sequences])[0][0] for k in (20.0, 18.0))
    assert calm.shape == wild.shape and np.all(np.isfinite(calm)) and np.isnan(wild[-1]) and not np.isnan(wild[0])
    fn = sysid.build_residual_fn(models_sequences=[sequences])
    params.reset()
    diverged = []

    def recorded(x, p):
        out = fn(x, p)
        diverged.append(np.isnan(out[0][0]).any())
        return out

    found, _ = sysid.optimize(params, recorded, verbose=False)
    assert found["k"].value == pytest.approx(20, rel=1e-4) and sum(diverged) > 3


def test_trajectories_are_split_saved_and_told(tmp_path):
    spec, initial, control, _ = measure(OSCILLATOR, push, 0.5)
    model = spec.compile()
    (whole,) = sysid.sysid_rollout(model, mj.MjData(model), control, initial)
    assert len(whole) == 124 and whole.get_sensordata_slice("joint_vel").shape == (124, 1)
    parts = whole.split(40)
    assert len(parts) == 3 and parts[0].sensordata.signal_mapping is not None
    rows = slice(40, 80)
    state, _ = rollout.rollout(model, mj.MjData(model), parts[1].initial_state, parts[1].control.data)
    np.testing.assert_allclose(state[0], whole.state.data[rows], atol=1e-12)
    whole.save_to_disk(tmp_path / "t.npz")
    loaded = sysid.SystemTrajectory.load_from_disk(tmp_path / "t.npz", model)
    np.testing.assert_array_equal(loaded.state.data, whole.state.data)
    assert loaded.control.signal_mapping.keys() == {"push_ctrl"}
    with pytest.raises(ValueError, match="Control data dimension is 2; expected 1"):
        whole.replace(control=sysid.TimeSeries(control.times, np.zeros((125, 2)))).check_compatible()
    with pytest.raises(ValueError, match="numbers differ"):
        sysid.ModelSequences("m", spec, ["a", "b"], initial, control, whole.sensordata)


def test_intervals_are_those_of_linear_regression():
    from scipy import stats

    rng = np.random.default_rng(4)
    jac, residual = rng.normal(size=(40, 3)), rng.normal(size=40)
    covariance, intervals = sysid.calculate_intervals([residual[:15], residual[15:]], jac, alpha=0.1)
    expected = residual @ residual / 37 * np.linalg.inv(jac.T @ jac)
    np.testing.assert_allclose(covariance, expected, rtol=1e-10)
    np.testing.assert_allclose(intervals, stats.t.ppf(0.95, 37) * np.sqrt(np.diag(expected)), rtol=1e-10)
    jac[:, 2] = jac[:, 1]
    assert np.isfinite(sysid.calculate_intervals([residual], jac)[1]).tolist() == [True, False, False]
    assert sysid.calculate_intervals([residual], None)[0].shape == (0, 0)


def test_starts_that_are_bad_are_told(caplog):
    params = sysid.ParameterDict()
    for name in "ab":
        params.add(sysid.Parameter(name, 1.0, 1.0, 10.0))

    def residual_fn(x, p):
        return [np.stack([x[0] - 2, 2 * x[0] - 4])], None, None

    found, _ = sysid.optimize(params, residual_fn, verbose=False, check_conditioning=True)
    assert found["a"].value == pytest.approx(2)
    assert "cond(J^T J)" in caplog.text and "2 of 2 elements" in caplog.text
    for param in params.values():
        param.frozen = True
    found, result = sysid.optimize(params, residual_fn)
    assert result.x.size == 0 and "nothing to optimize" in caplog.text
    with pytest.raises(ValueError, match="unknown optimizer 'newton'"):
        sysid.optimize(params, residual_fn, optimizer="newton")


def test_verbose_prints_and_logs(noisy, capsys, caplog):
    with caplog.at_level(logging.INFO, "mj.sysid"):
        sysid.optimize(oscillator_parameters(), sysid.build_residual_fn(models_sequences=[noisy]), max_iters=1)
    assert "iter: 0" in capsys.readouterr().out and "| Identified" in caplog.text


@pytest.fixture(scope="module")
def identified(noisy):
    params = oscillator_parameters()
    params.add(sysid.Parameter("<i>kept</i>", [1, 2], 0, 3, frozen=True))
    fn = sysid.build_residual_fn(models_sequences=[noisy])
    return params, *sysid.optimize(params, fn, verbose=False), fn


def test_results_are_written(noisy, identified, tmp_path):
    pytest.importorskip("yaml")
    params, found, result, fn = identified
    sysid.save_results(tmp_path / "new" / "folder", [noisy], params, found, result, fn)
    folder = tmp_path / "new" / "folder"
    loaded = sysid.ParameterDict.load_from_disk(folder / "params_x_hat.yaml")
    np.testing.assert_array_equal(loaded.as_vector(), found.as_vector())
    confidence = pickle.loads((folder / "confidence.pkl").read_bytes())
    assert confidence["cov"].shape == (2, 2) and confidence["intervals"].shape == (2,)
    np.testing.assert_array_equal(pickle.loads((folder / "results.pkl").read_bytes()).x, result.x)
    model = mj.MjModel.from_xml_path(str(folder / "oscillator.xml"))
    assert model.jnt_stiffness[0] == pytest.approx(found["stiffness"].value[0])


def test_report_has_all_sections(noisy, identified, tmp_path):
    pytest.importorskip("plotly")
    pytest.importorskip("jinja2")
    params, found, result, fn = identified
    report = sysid.default_report(
        [noisy], params, found, fn, result, title="A & B", save_path=tmp_path / "r", generate_videos=False
    )
    page = (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    assert "<title>A &amp; B</title>" in page and "&lt;i&gt;kept&lt;/i&gt;[1]*" in page
    anchors = re.findall(r'<details id="([\w-]+)"', page)
    assert anchors == [
        *("insights", "parameters", "control_signals", "oscillator-first", "oscillator-second", "observations"),
        *("oscillator-first", "oscillator-second", "param_dist", "cov", "opt"),
    ]
    assert page.count("Plotly.newPlot(") == 2 + 2 + 1 + 3
    assert f"{found['damping'].value[0]:.5g}" in page and "Log: 0 warnings" in page
    assert page.count("plotly.js v") == 1  # the script, once
    assert "well determined" in page and page.count("background: #ff0000; color: white") == 1
    found = found.copy()
    found["damping"].value[:] = 3
    scipy_result = type(result)(x=found.as_vector(), jac=None)
    report = sysid.default_report([noisy], params, found, fn, scipy_result, generate_videos=False).build()
    assert "Log: 1 warning<" in report and "damping is 3; its upper bound is 3" in report
    assert "there is no covariance" in report and 'id="opt"' not in report
    with pytest.raises(ValueError, match="generate_videos needs save_path"):
        sysid.default_report([noisy], params, found, fn, result)


def test_films_show_models_in_their_colours(noisy, identified, tmp_path):
    from mj.sysid.report.sections.video import VideoPlayer, generate_video_from_trajectories

    pytest.importorskip("imageio_ffmpeg")
    import imageio.v2

    params, found, _, _ = identified
    path = generate_video_from_trajectories(
        *(params, found, sysid.apply_param_modifiers, noisy.measured_rollout[:1], noisy.spec, tmp_path / "f.mp4"),
        **dict(render_initial=False, height=48, width=64, fps=5),
    )
    frames = np.array([frame for frame in imageio.v2.get_reader(path)], dtype=float)
    assert frames.shape[1:] == (48, 64, 3) and 9 <= len(frames) <= 11
    red, green, blue = (frames[..., i].max() for i in range(3))
    assert blue > 3 * red and blue > 60
    context = VideoPlayer("film", path, muted=True).get_context()
    assert context["video_filepath"] == "f.mp4" and context["flags"] == ["controls", "muted", "loop"]
