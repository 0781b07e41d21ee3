"""Flexes and plugins: arrays, elements of specs, and what they compile to."""

import copy
import pickle
from pathlib import Path

import mj
import numpy as np
import pytest

CLOTH = """
<mujoco>
  <worldbody>
    <body name="frame" pos="0 0 1">
      <flexcomp name="cloth" type="grid" dim="2" count="4 3 1" spacing="0.1 0.1 0.1" radius="0.01" mass="0.5"
                pos="0.1 0 0" quat="0.6 0.8 0 0">
        <edge equality="true"/>
      </flexcomp>
    </body>
  </worldbody>
</mujoco>
"""

PID = """
<mujoco>
  <extension>
    <plugin plugin="mujoco.pid"><instance name="soft"><config key="kp" value="2"/></instance></plugin>
  </extension>
  <worldbody><body><joint name="hinge"/><geom size="0.1" pos="0.1 0 0"/></body></worldbody>
  <actuator>
    <plugin name="shared" joint="hinge" plugin="mujoco.pid" instance="soft"/>
    <plugin name="own" joint="hinge" plugin="mujoco.pid" actdim="1">
      <config key="kp" value="1"/><config key="ki" value="5"/>
    </plugin>
  </actuator>
</mujoco>
"""


def same(one, two):
    """Check that two models have the same arrays."""
    for name in sorted(mj._structs.MODEL_ARRAYS):
        a, b = getattr(one, name), getattr(two, name)
        assert np.array_equal(a, b), name


def test_arrays_of_flexes():
    model = mj.MjModel.from_xml_string(CLOTH)
    assert (model.nflex, model.nflexvert, model.nflexelem, model.nflexedge) == (1, 12, 12, 23)
    assert model.flex_vertnum.tolist() == [12] and model.flex_radius.tolist() == [0.01]
    assert model.flex_edge.shape == (23, 2) and model.flex_friction.shape == (1, 3)
    data = mj.MjData(model)
    data.qvel[:] = np.sin(np.arange(model.nv))
    mj.mj_forward(model, data)
    ends = data.flexvert_xpos[model.flex_edge]
    assert np.allclose(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), data.flexedge_length, rtol=1e-12)
    assert data.flexelem_aabb.shape == (12, 6)
    dense = np.zeros((model.nflexedge, model.nv))
    for row, (n, adr) in enumerate(zip(model.flexedge_J_rownnz, model.flexedge_J_rowadr, strict=True)):
        at = slice(adr, adr + n)
        dense[row, model.flexedge_J_colind[at]] = data.flexedge_J[at]
    assert np.allclose(dense @ data.qvel, data.flexedge_velocity, atol=1e-12)
    assert np.abs(data.flexedge_velocity).max() > 1e-6


def test_copies_and_pickles_keep_flexes():
    model = mj.MjModel.from_xml_path(str(Path(__file__).resolve().parents[2] / "models/drapery.xml"))
    data = mj.MjData(model)
    mj.mj_step(model, data, nstep=300)
    assert (data.contact.flex >= 0).any()
    for other in (copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        assert np.array_equal(other.flexvert_xpos, data.flexvert_xpos)
        for name in ("flex", "elem", "vert", "geom"):
            assert np.array_equal(getattr(other.contact, name), getattr(data.contact, name)), name


def test_flexcomps_are_elements():
    spec = mj.MjSpec.from_string(CLOTH)
    flex = spec.flex("cloth")
    assert flex is spec.flexes[0] and len(spec.bodies) == 14
    assert list(flex.vertbody) == [f"cloth_{i}" for i in range(12)]
    assert spec.equalities[0].name1 == "cloth" and spec.equalities[0].type == mj.mjtEq.mjEQ_FLEX
    text = spec.to_xml()
    assert "<flexcomp" not in text and '<flex name="cloth"' in text
    same(mj.MjSpec.from_string(CLOTH).compile(), mj.MjModel.from_xml_string(CLOTH))
    flex.radius = 0.02
    assert spec.compile().flex_radius.tolist() == [0.02]


def test_make_flex_is_flexcomp():
    spec = mj.MjSpec()
    frame = spec.worldbody.add_body(name="frame", pos=[0, 0, 1])
    flex = frame.make_flex(
        "cloth", dim=2, count=[4, 3, 1], spacing=[0.1] * 3, radius=0.01, mass=0.5, equality=1, pos=[0.1, 0, 0],
        quat=[0.6, 0.8, 0, 0],
    )  # fmt: skip
    assert flex is spec.flexes[0] and flex.radius == 0.01
    same(spec.compile(), mj.MjModel.from_xml_string(CLOTH))
    # Files and copies have all of it, too.
    same(mj.MjModel.from_xml_string(spec.to_xml()), spec.copy().compile())
    assert mj.MjModel.from_xml_string(spec.to_xml()).nflexvert == 12


def test_make_flex_of_a_mesh():
    spec = mj.MjSpec()
    spec.add_mesh(name="sheet").make_plate([3, 3])
    body = spec.worldbody.add_body(name="body")
    with pytest.raises(ValueError, match="mesh 'none' not found"):
        body.make_flex("a", type="mesh", mesh="none")
    flex = body.make_flex("sheet", type="mesh", mesh="sheet", dim=2, equality=1)
    assert spec.compile().nflexvert == len(flex.vertbody) > 4


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"dim": 7}, "dim"),
        ({"dim": 2, "count": [3, 3]}, "count must have 3 elements"),
        ({"equality": 2}, "edge equality"),
        ({"type": "donut"}, "type"),
        ({"mass": float("nan")}, "mass"),
        ({"count": [10**6, 10**6, 1], "dim": 2}, "too many"),
        ({"type": "mesh", "file": "none.obj"}, "none.obj"),
    ],
)
def test_make_flex_refuses(arguments, problem):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="body")
    with pytest.raises(ValueError, match=problem):
        body.make_flex("flex", **arguments)
    assert len(spec.bodies) == 2 and not spec.flexes and not spec.equalities
    with pytest.raises(ValueError, match="must have name"):
        spec.worldbody.add_body().make_flex("flex")


def test_attached_flexes_have_new_names():
    parent = mj.MjSpec()
    parent.attach(mj.MjSpec.from_string(CLOTH), frame=parent.worldbody.add_frame(), prefix="left-")
    assert parent.flexes[0].name == "left-cloth" and parent.flexes[0].vertbody[0] == "left-cloth_0"
    assert parent.equalities[0].name1 == "left-cloth"
    assert parent.compile().nflex == 1


def test_plugins():
    model = mj.MjModel.from_xml_string(PID)
    assert (model.nplugin, model.npluginstate) == (2, int(model.plugin_statenum.sum()))
    assert model.actuator_plugin.tolist() == [0, 1]
    data = mj.MjData(model)
    data.ctrl[:] = 1.0
    mj.mj_step(model, data, nstep=10)
    assert data.nplugin == 2 and data.plugin_state.shape == (model.npluginstate,)
    assert data.qfrc_actuator[0] != 0.0
    for other in (copy.copy(data), pickle.loads(pickle.dumps(data))):
        assert np.array_equal(other.plugin_state, data.plugin_state) and np.array_equal(other.act, data.act)


def test_plugins_of_specs():
    same(mj.MjSpec.from_string(PID).compile(), mj.MjModel.from_xml_string(PID))
    same(mj.MjModel.from_xml_string(mj.MjSpec.from_string(PID).to_xml()), mj.MjModel.from_xml_string(PID))
    spec = mj.MjSpec()
    body = spec.worldbody.add_body()
    body.add_joint(name="hinge")
    body.add_geom(size=[0.1, 0, 0], pos=[0.1, 0, 0])
    spec.activate_plugin("mujoco.pid")
    plugin = spec.add_plugin(name="soft", plugin_name="mujoco.pid", active=True)
    plugin.config = {"kp": "2"}
    motor = spec.add_actuator(name="shared", target="hinge", trntype=mj.mjtTrn.mjTRN_JOINT)
    motor.plugin = plugin
    motor.plugin.active = True
    model = spec.compile()
    assert model.nplugin == 1 and bytes(model.plugin_attr).split(b"\0")[0] == b"2"
    plugin.config = {"wrong": "1"}
    with pytest.raises(ValueError, match="unrecognized attribute 'plugin:wrong'"):
        spec.compile()


def test_attached_plugins_have_new_names():
    parent = mj.MjSpec()
    parent.attach(mj.MjSpec.from_string(PID), frame=parent.worldbody.add_frame(), prefix="left-")
    assert parent.plugins[0].name == "left-soft"
    assert parent.actuators[0].plugin.name == "left-soft"
    assert parent.compile().nplugin == 2


def test_rays_meet_flexes():
    model = mj.MjModel.from_xml_string(
        """<mujoco><worldbody><flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" pos="0 0 1" radius=".01" dim="2"/>
        </worldbody></mujoco>"""
    )
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    vertid, normal = np.zeros(1, np.int32), np.zeros(3)

    def ray(pnt, vec, *parts):
        return mj.mj_rayFlex(model, data, 0, *parts, 0, pnt, vec, vertid, normal)

    # A ball around the vertex in the middle, from above.
    assert ray([0, 0, 2], [0, 0, -1], True, False, False, False) == pytest.approx(0.99)
    assert vertid[0] == 4 and np.allclose(normal, [0, 0, 1])
    # Between vertices there are triangles alone.
    assert ray([0.03, 0.06, 2], [0, 0, -2], True, False, False, False) == -1 and vertid[0] == -1
    assert ray([0.03, 0.06, 2], [0, 0, -2], False, False, True, False) == pytest.approx(0.5)
    with pytest.raises((IndexError, ValueError), match="flex"):
        mj.mj_rayFlex(model, data, 0, True, True, True, True, 3, [0, 0, 2], [0, 0, -1])
