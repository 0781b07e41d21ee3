"""Calls in any order with any arguments end in results or exceptions."""

import random

import mj
import numpy as np
import pytest

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="a" pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s"/></body>
    <body name="b" pos="1 0 .3"><joint name="h" range="-1 1"/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <equality><connect body1="a" body2="b" anchor="0 0 0"/></equality>
  <tendon><fixed name="t"><joint joint="h" coef="2"/></fixed></tendon>
  <actuator><motor joint="h"/></actuator>
  <sensor><touch site="s"/></sensor>
</mujoco>
"""
OTHER = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"
FUNCTIONS = [name for name in dir(mj) if name.startswith(("mj_", "mju_", "mjd_")) and "save" not in name.lower()]
STAGES = """mj_collision mj_makeConstraint mj_fwdConstraint mj_referenceConstraint mj_fwdPosition mj_fwdVelocity mj_step1 mj_step2
mj_invConstraint mj_inverse mj_forward mj_step mj_rnePostConstraint mj_sensorAcc mj_resetData mj_crb mj_fwdAcceleration
mj_fwdActuation mj_Euler mj_implicit mj_passive mj_transmission mj_tendon""".split()


def values():
    big = np.zeros(16)
    unaligned = np.zeros(33, np.uint8)[1:].view(np.float64)
    overlapping = np.lib.stride_tricks.as_strided(big, (3, 3), (8, 0))
    return [
        None, 0, 1, -1, 3, 10**6, -(10**12), 1.5, float("nan"), "x", b"a", True, [], [1, 2, 3], big[:3], big[:6], big[::2],
        np.zeros((3, 7)), np.zeros((7, 3)).T, np.zeros(3, np.float32), np.zeros(1, np.int32), unaligned, overlapping,
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_calls_end_in_results_or_exceptions(seed, tmp_path, monkeypatch):
    # Some calls write files, under names of the pool.
    monkeypatch.chdir(tmp_path)
    rng = random.Random(seed)
    pairs = [(m := mj.MjModel.from_xml_string(xml), mj.MjData(m)) for xml in (XML, OTHER)]
    pool = values()
    fields = [name for name in dir(mj.MjData) if not name.startswith("_")]
    for _ in range(4000):
        model, data = rng.choice(pairs)
        arguments = [rng.choice(pool) for _ in range(rng.randrange(8))]
        try:
            match rng.randrange(6):
                case 0 | 1:
                    getattr(mj, rng.choice(STAGES))(model, data)
                case 2:
                    getattr(mj, rng.choice(FUNCTIONS))(model, data, *arguments)
                case 3:
                    getattr(mj, rng.choice(FUNCTIONS))(model, rng.choice(pairs)[1], *arguments)
                case 4:
                    getattr(mj, rng.choice(FUNCTIONS))(*arguments)
                case 5:
                    data.qpos[:] = rng.uniform(-0.3, 0.3)
                    getattr(data, rng.choice(fields))
                    for contact in data.contact:
                        contact.dim = rng.choice([0, 6, 77])
        except Exception:  # a panic is none: it derives from BaseException alone
            pass


def test_ids_of_materials_are_set_or_refused():
    model = mj.MjModel.from_xml_string(
        "<mujoco><asset><material name='m'/></asset><worldbody><geom size='1'/></worldbody></mujoco>"
    )
    model.geom_matid[0] = 0
    data = mj.MjData(model)
    model.geom_matid[0] = 7
    with pytest.raises(ValueError, match="geom_matid"):
        mj.mj_step(model, data)
    model.geom_matid[0] = -1
    mj.mj_step(model, data)
