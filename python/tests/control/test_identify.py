"""Parameters of a pendulum from simulated logs."""

import mj
import numpy as np
import pytest
from mj import identify

PENDULUM = """
<mujoco>
  <option timestep="0.01" integrator="implicitfast"/>
  <worldbody><body name="arm">
    <joint name="hinge" axis="0 1 0" damping="{damping}"/>
    <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02" mass="{mass}"/>
  </body></worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
</mujoco>
"""
NAMES = ["body_mass[arm]", "dof_damping[hinge]"]


def model_of(mass, damping):
    return mj.MjModel.from_xml_string(PENDULUM.format(mass=mass, damping=damping))


def measured(n=400, seed=0):
    model = model_of(0.6, 0.1)
    # Of a mass that differs, the inertia stays.
    model.body_mass[1], model.dof_damping[0] = 0.7, 0.08
    data, rng = mj.MjData(model), np.random.default_rng(seed)
    data.qpos[:] = 0.5
    ctrl = 0.8 * np.sin(0.07 * np.arange(n))[:, None]
    qpos, qvel = np.zeros((n, 1)), np.zeros((n, 1))
    for k in range(n):
        qpos[k], qvel[k] = data.qpos, data.qvel
        data.ctrl[:] = ctrl[k]
        mj.mj_step(model, data)
    qpos += 0.01 * qpos.std() * rng.normal(size=qpos.shape)
    qvel += 0.01 * qvel.std() * rng.normal(size=qvel.shape)
    return {"time": 0.01 * np.arange(n), "ctrl": ctrl, "qpos": qpos, "qvel": qvel}


def test_mass_and_damping_are_found(tmp_path):
    model, arrays = model_of(0.6, 0.1), measured()
    steps = []
    fit = identify.fit(model, identify.Log(model, **arrays), NAMES, progress=lambda i: steps.append(i))
    for name, true in zip(NAMES, (0.7, 0.08)):
        e = fit.estimates[name]
        assert abs(e.value - true) < 3 * e.std and e.std < 0.05 * true
    assert steps == fit.iterations and fit.correlation.shape == (2, 2) and fit.combinations == []
    assert fit.model.body_mass[1] == fit.estimates[NAMES[0]].value and model.body_mass[1] == 0.6
    fit.to_html(tmp_path / "fit.html")
    assert "<svg" in (tmp_path / "fit.html").read_text(encoding="utf-8") and "±" in fit.report()


def test_logs_are_read_from_files(tmp_path):
    model, arrays = model_of(0.6, 0.1), measured(20)
    np.savez(tmp_path / "log.npz", **arrays)
    rows = np.hstack([arrays["time"][:, None], arrays["ctrl"], arrays["qpos"], arrays["qvel"]])
    np.savetxt(tmp_path / "log.csv", rows, "%.17g", ",", header="time,ctrl[motor],qpos[hinge],qvel[hinge]", comments="")
    for log in (identify.Log.from_npz(model, tmp_path / "log.npz"), identify.Log.from_csv(model, tmp_path / "log.csv")):
        assert len(log) == 20 and np.array_equal(log.arrays()["qpos"], arrays["qpos"])
        assert np.isnan(log.arrays()["sensors"]).all()
    (tmp_path / "log.csv").write_text("time,qpos[hunge]\n0,1\n")
    with pytest.raises(ValueError, match="hunge"):
        identify.Log.from_csv(model, tmp_path / "log.csv")


def test_what_the_log_cannot_tell_is_told():
    model, arrays = model_of(0.6, 0.1), measured(100)
    # Both turn about the same axis.
    fit = identify.fit(model, identify.Log(model, **arrays), ["dof_armature[hinge]", "body_inertia[arm,1]"], threads=1)
    assert fit.combinations and "not told" in fit.report()
    assert set(fit.combinations[0].parts) <= set(fit.estimates)


def test_bounds_and_priors_hold():
    model = model_of(0.6, 0.1)
    log = identify.Log(model, **measured(100))
    fit = identify.fit(model, log, NAMES, 20, bounds={NAMES[0]: (0.5, 0.65)}, priors={NAMES[1]: (0.1, 1e-9)})
    assert fit.estimates[NAMES[0]].value <= 0.65 and abs(fit.estimates[NAMES[1]].value - 0.1) < 1e-6
    assert len(fit.windows) > 2


def test_a_whole_inertia_is_found():
    model, arrays = model_of(0.6, 0.1), measured(100)
    fit = identify.fit(model, identify.Log(model, **arrays), ["body_logcholesky[arm]"], 20)
    assert len(fit.estimates) == 10 and "body_logcholesky[arm,s12]" in fit.estimates
    assert list(fit.inertias)[:2] == ["body_mass[arm]", "body_ipos[arm,0]"] and fit.combinations
    assert fit.inertias["body_mass[arm]"].value == fit.model.body_mass[1]
    moments = fit.model.body_inertia[1]
    assert moments.min() > 0 and moments.sum() > 2 * moments.max()
    assert "fullinertia[arm,xx]" in fit.report()


def test_wrong_arguments_end_in_exceptions():
    model, arrays = model_of(0.6, 0.1), measured(20)
    log = identify.Log(model, **arrays)
    nothing = mj.MjModel.from_xml_string("<mujoco/>")
    wrong = [
        lambda: identify.Log(model),
        lambda: identify.Log(model, qpos=np.zeros((5, 2))),
        lambda: identify.Log(model, qpos=np.zeros((5, 1)), qvel=np.zeros((4, 1))),
        lambda: identify.Log(model, time=[0, 1, 5], qpos=np.zeros((3, 1))),
        lambda: identify.Log(model, time=[np.nan] * 3, qpos=np.zeros((3, 1))),
        lambda: identify.Log(nothing, qpos=np.zeros((5, 0))),
        lambda: identify.fit(model, log, []),
        lambda: identify.fit(model, log, ["body_weight[arm]"]),
        lambda: identify.fit(model, log, [NAMES[0]] * 2),
        lambda: identify.fit(model, log, ["body_logcholesky[arm]", "body_mass[arm]"]),
        lambda: identify.fit(model, log, ["body_logcholesky[world]"]),
        lambda: identify.fit(nothing, log, NAMES),
        lambda: identify.fit(model, log, NAMES, window=-1),
        lambda: identify.fit(model, log, NAMES, tolerance=2),
        lambda: identify.fit(model, log, NAMES, noise=float("nan")),
        lambda: identify.fit(model, log, NAMES, bounds={"x": (0, 1)}),
        lambda: identify.fit(model, log, NAMES, bounds={NAMES[0]: (1, 0)}),
        lambda: identify.fit(model, log, NAMES, bounds={NAMES[0]: (1, 2, 3)}),
        lambda: identify.fit(model, log, NAMES, priors={NAMES[0]: (1, -1)}),
        lambda: identify.fit(model, identify.Log(model, time=[0, 0.01]), NAMES),
        lambda: identify.fit(model, identify.Log(model, qpos=np.full((9, 1), 1e300)), NAMES, iterations=10**30),
    ]
    for i, call in enumerate(wrong):
        with pytest.raises(ValueError) as error:
            call()
        assert len(str(error.value)) > 10, i
    for call in (lambda: identify.fit(model, None, NAMES), lambda: identify.fit(model, log, "x"), lambda: identify.Log(None)):
        with pytest.raises(TypeError):
            call()
