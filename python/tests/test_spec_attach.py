"""Attaching specs to one another."""

import math

import mj
import pytest

CHILD = """
<mujoco model="child">
  <default><default class="c"><geom rgba="1 0 0 1"/></default></default>
  <asset><material name="m"/></asset>
  <worldbody>
    <geom name="floor" size=".1"/>
    <body name="a" euler="0 0 90"><joint name="j" range="-90 90"/><geom name="g" class="c" material="m" size=".1"/></body>
    <body name="b" pos="1 0 0"><joint name="k"/><geom name="h" size=".1"/></body>
  </worldbody>
  <contact><exclude name="ab" body1="a" body2="b"/></contact>
  <actuator><motor name="first" joint="j"/><motor name="second" joint="k"/></actuator>
  <keyframe><key name="pose" qpos=".5 .7" ctrl="1 2"/></keyframe>
</mujoco>
"""


@pytest.fixture
def child():
    return mj.MjSpec.from_string(CHILD)


@pytest.fixture
def parent():
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="base")
    body.add_joint(name="slide", type=mj.mjtJoint.mjJNT_SLIDE)
    body.add_geom(size=[0.1, 0, 0])
    spec.add_key(name="start", qpos=[0.25])
    return spec


def test_a_whole_spec_comes_with_all_that_it_has(parent, child):
    body, actuator = child.body("a"), child.actuator("first")
    frame = parent.attach(child, prefix="x-", frame=parent.body("base").add_frame(pos=[0, 0, 1]))
    assert frame.parent is parent.body("base") and child.parent is parent
    assert parent.body("x-a") is body and parent.actuator("x-first") is actuator and actuator.target == "x-j"
    assert body.name == "x-a" and body.geoms[0].material == "x-m" and body.geoms[0].classname.name == "x-c"
    assert [e.name for e in parent.excludes] == ["x-ab"] and parent.find_default("x-main") is not None
    model = parent.compile()
    assert model.key("start").qpos.tolist() == [0.25, 0, 0]
    assert model.key("x-pose").qpos.tolist() == [0, 0.5, 0.7] and model.key("x-pose").ctrl.tolist() == [1, 2]
    assert model.geom("x-floor").bodyid == 1 and model.body("x-b").pos.tolist() == [1, 0, 1]
    assert mj.MjSpec.from_string(parent.to_xml()).compile().nbody == 4
    with pytest.raises(ValueError, match="attached by reference"):
        child.compile()


def test_a_body_brings_what_refers_to_it_alone(parent, child):
    body = parent.worldbody.add_frame().attach_body(child.body("a"), "x-", "-y")
    assert body.name == "x-a-y" and [a.name for a in parent.actuators] == ["x-first-y"] and parent.excludes == []
    assert [b.name for b in child.bodies] == ["world", "x-a-y", "b"] and child.parent is None
    assert parent.compile().key("x-pose-y").qpos.tolist() == [0, 0.5]


def test_edits_of_the_child_arrive(parent, child):
    body = parent.worldbody.add_frame().attach_body(child.body("a"), "x-", "")
    body.pos = [1, 2, 3]
    body.add_geom(name="late", size=[0.1, 0, 0])
    model = parent.compile()
    assert model.body("x-a").pos.tolist() == [1, 2, 3] and model.geom("late").bodyid == model.body("x-a").id


@pytest.mark.parametrize("degree", [True, False])
def test_angles_are_those_of_the_childs_unit(parent, child, degree):
    parent.compiler.degree = degree
    parent.worldbody.add_frame().attach_body(child.body("a"), "x-", "")
    model = parent.compile()
    assert model.joint("x-j").range == pytest.approx([-math.pi / 2, math.pi / 2])
    assert model.body("x-a").quat == pytest.approx([math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    again = mj.MjSpec.from_string(parent.to_xml()).compile()
    assert again.joint("x-j").range == pytest.approx([-math.pi / 2, math.pi / 2])


def test_a_site_gives_the_place(parent, child):
    site = parent.body("base").add_site(name="s", pos=[0, 0, 2])
    site.attach_body(child.body("b"), prefix="x-")
    assert parent.compile().body("x-b").pos.tolist() == [1, 0, 2]


def test_a_frame_comes_with_what_is_in_it(parent):
    child = mj.MjSpec.from_string(
        "<mujoco><worldbody><frame name='f' pos='1 0 0'><body name='in'><geom size='.1'/></body></frame>"
        "<body name='out'><geom size='.1'/></body></worldbody></mujoco>"
    )
    frame = parent.body("base").attach_frame(child.frame("f"), "x-")
    assert frame.name == "x-f" and [b.name for b in parent.bodies] == ["world", "base", "x-in"]
    assert parent.compile().body("x-in").pos.tolist() == [1, 0, 0]


def test_copies_may_be_attached_again_and_again(parent, child):
    parent.copy_during_attach = True
    frame = parent.worldbody.add_frame()
    for prefix in ("p-", "q-"):
        parent.attach(child, prefix=prefix, frame=frame)
    assert child.body("a").name == "a" and child.parent is None and child.compile().nbody == 3
    assert parent.compile().nbody == 6 and [m.name for m in parent.materials] == ["p-m", "q-m"]


def test_what_cannot_be_attached_changes_nothing(parent, child):
    frame = parent.worldbody.add_frame(name="here")
    before = parent.to_xml()
    other = mj.MjSpec()
    other.worldbody.add_body(name="base").add_geom(size=[1, 0, 0])
    for act, error in [
        (lambda: parent.attach(other, prefix="", frame=frame), "repeated name 'base' in body"),
        (lambda: frame.attach_body(other.body("base"), ""), "repeated name 'base' in body"),
        (lambda: parent.attach(child), "One of frame or site"),
        (lambda: parent.attach(child, frame="nowhere"), "Frame not found"),
        (lambda: parent.attach(child, site="nowhere"), "Site not found"),
        (lambda: parent.attach(child, site="s", frame="here"), "Only one of frame or site"),
        (lambda: parent.attach(parent, frame=frame), "attached to itself"),
        (lambda: frame.attach_body(parent.body("base")), "in the parent spec"),
        (lambda: frame.attach_body(child.worldbody), "world body cannot be attached"),
    ]:
        with pytest.raises(ValueError, match=error):
            act()
        assert parent.to_xml() == before
    parent.attach(child, prefix="x", frame=frame)
    with pytest.raises(ValueError, match="already attached"):
        parent.attach(child, prefix="y", frame=frame)
    with pytest.raises(ValueError, match="Cannot delete element from an attached"):
        child.delete(child.geoms[0])


def test_merging_settles_options(parent, child):
    parent.compiler.conflict = mj.mjtConflict.mjCONFLICT_MERGE
    parent.option.timestep, child.option.timestep = 0.005, 0.001
    child.option.integrator = mj.mjtIntegrator.mjINT_RK4
    parent.attach(child, prefix="x", frame=parent.worldbody.add_frame())
    assert parent.option.timestep == 0.001 and parent.option.integrator == mj.mjtIntegrator.mjINT_RK4
