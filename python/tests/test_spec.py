"""MjSpec: elements are live, models round-trip, and edits arrive."""

import copy
import pathlib
import pickle

import mj
import numpy as np
import pytest

MODELS = sorted((pathlib.Path(__file__).parents[2] / "models").glob("*.xml"))

ARM = """
<mujoco model="arm">
  <default><geom size=".1"/><default class="thin"><geom size=".05" rgba="1 0 0 1"/></default></default>
  <asset><material name="steel"/></asset>
  <worldbody>
    <frame name="mount" pos="0 0 1" euler="0 0 90">
      <body name="upper"><joint name="shoulder" range="-90 90"/><geom name="upper" class="thin" material="steel"/>
        <body name="lower" pos="0 0 .5"><joint name="elbow"/><geom name="lower"/><site name="tip"/><site name="heel" pos="0 0 .1"/></body>
      </body>
    </frame>
  </worldbody>
  <tendon><spatial name="line"><site site="tip"/><site site="heel"/></spatial></tendon>
  <actuator><position name="servo" joint="elbow" kp="3"/></actuator>
  <sensor><framepos name="where" objtype="site" objname="tip"/></sensor>
  <keyframe><key name="home" qpos=".5 .7" ctrl=".2"/></keyframe>
</mujoco>
"""


def differences(a, b, tolerance=0.0):
    """Names of the arrays of two models that differ by more than a tolerance."""
    out = []
    for name in sorted(mj._structs.MODEL_ARRAYS):
        x, y = getattr(a, name), getattr(b, name)
        if x.shape != y.shape or not np.allclose(x, y, rtol=0, atol=tolerance, equal_nan=x.dtype.kind == "f"):
            out.append(name)
    return out


@pytest.fixture
def spec():
    return mj.MjSpec.from_string(ARM)


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_models_compile_as_when_they_are_loaded(path):
    loaded = mj.MjModel.from_xml_path(str(path))
    spec = mj.MjSpec.from_file(str(path))
    assert differences(loaded, spec.compile()) == []
    assert differences(loaded, spec.copy().compile()) == []
    assert differences(loaded, pickle.loads(pickle.dumps(spec)).compile()) == []
    saved = mj.MjSpec.from_string(spec.to_xml())
    saved.modelfiledir = spec.modelfiledir
    assert differences(loaded, saved.compile(), 1e-9) == []


def test_fields_are_live(spec):
    geom = spec.geom("lower")
    size, user = geom.size, geom.userdata
    size[0] = 0.3
    geom.userdata = [1, 2, 3]
    user[1] = 5
    assert geom.size is size and list(geom.userdata) == [1, 5, 3]
    geom.size = [0.4, 0, 0]
    assert size[0] == 0.4
    model = spec.compile()
    assert model.geom("lower").size[0] == 0.4
    assert model.geom_user[model.geom("lower").id].tolist() == [1, 5, 3]


def test_elements_stay_the_same_objects(spec):
    body = spec.body("lower")
    assert spec.bodies[2] is body and body.parent is spec.body("upper")
    assert spec.body("upper").frame is spec.frame("mount") and spec.geom("upper").classname.name == "thin"
    assert spec.worldbody.parent is None and body.alt is body.alt
    spec.compile()
    assert spec.body("lower") is body and body.id == 2


def test_names_are_found_after_changes(spec):
    spec.geom("lower").name = "hand"
    assert spec.geom("lower") is None and spec.geom("hand").name == "hand"
    with pytest.raises(ValueError, match="repeated name 'upper' in geom"):
        spec.geom("hand").name = "upper"
    spec.worldbody.add_geom(name="lower", size=[1, 0, 0])
    assert spec.geom("lower").parent is spec.worldbody


def test_classes_give_values_when_elements_are_made(spec):
    thin = spec.find_default("thin")
    thick = spec.add_default("thick", thin)
    thick.geom.size[0] = 0.7
    geom = spec.body("lower").add_geom(thick, name="new")
    assert geom.size[0] == 0.7 and geom.rgba.tolist() == [1, 0, 0, 1]
    again = mj.MjSpec.from_string(spec.to_xml())
    assert again.geom("new").classname.name == "thick" and again.geom("new").size[0] == 0.7
    spec.delete(thick)
    assert spec.find_default("thick") is None and geom.classname is spec.default


def test_deleting_takes_what_refers_to_it(spec):
    elbow = spec.joint("elbow")
    spec.delete(spec.body("lower"))
    assert (
        spec.actuators == [] and spec.tendons == [] and spec.sensors == [] and spec.joints == [spec.joint("shoulder")]
    )
    model = spec.compile()
    assert model.key_qpos.tolist() == [[0.5]] and list(spec.key("home").qpos) == [0.5]
    assert elbow.name == "elbow" and elbow.parent is None and elbow.id == -1
    with pytest.raises(IndexError, match="Invalid index -1"):
        model.bind(elbow)


def test_a_deleted_element_takes_nothing_new(spec):
    body = spec.body("upper")
    spec.delete(body)
    with pytest.raises(ValueError, match="was deleted"):
        body.add_geom()
    with pytest.raises(ValueError, match="was deleted"):
        spec.worldbody.add_frame().attach_body(body)


def test_frames_hold_elements_of_their_body(spec):
    body = spec.body("lower")
    outer = body.add_frame(pos=[1, 0, 0])
    inner = outer.add_frame(pos=[0, 1, 0])
    geom = inner.add_geom(size=[0.1, 0, 0], name="far")
    assert geom.parent is body and geom.frame is inner and inner.frame is outer
    assert spec.compile().geom("far").pos.tolist() == [1, 1, 0]
    with pytest.raises(ValueError, match="can't be in itself"):
        outer.set_frame(inner)
    with pytest.raises(ValueError, match="mismatched parents"):
        geom.set_frame(spec.frame("mount"))


def test_bind_reads_and_writes_fields_of_elements(spec):
    model = spec.compile()
    data = mj.MjData(model)
    joints = spec.joints
    data.bind(joints).qpos = [0.1, 0.2]
    assert data.qpos.tolist() == [0.1, 0.2] and model.bind(joints).id == [0, 1]
    assert data.bind(spec.joint("elbow")).qpos == 0.2
    mj.mj_forward(model, data)
    assert np.array_equal(data.bind(spec.sensor("where")).data, data.site("tip").xpos)
    spec.worldbody.add_geom(size=[1, 0, 0])
    with pytest.raises(ValueError, match="does not match"):
        model.bind(joints)


def test_recompiling_keeps_the_state(spec):
    spec.delete(spec.key("home"))
    model = spec.compile()
    data = mj.MjData(model)
    data.qpos[:] = [0.1, 0.2]
    data.ctrl[:] = 0.5
    mj.mj_step(model, data, nstep=10)
    first = spec.worldbody.add_body(name="new")
    first.add_freejoint()
    first.add_geom(size=[0.1, 0, 0])
    model2, data2 = spec.recompile(model, data)
    assert model2.nq == 9 and data2.time == data.time
    assert data2.qpos[:2].tolist() == data.qpos.tolist() and data2.ctrl.tolist() == [0.5]


@pytest.mark.parametrize(
    "duplicate", [mj.MjSpec.copy, copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_copies_stand_alone(spec, duplicate):
    spec.geom("lower").info = "noted"
    new = duplicate(spec)
    assert new.geom("lower").info == "noted" and new.geom("lower") is not spec.geom("lower")
    new.delete(new.body("lower"))
    new.geom("upper").size[0] = 9
    assert spec.compile().ngeom == 2 and spec.geom("upper").size[0] == 0.05
    assert new.compile().ngeom == 1


def test_the_engines_warnings_and_errors_are_pythons(spec):
    spec.option.timestep = -1.0
    with pytest.warns(UserWarning, match="time step"):
        spec.compile()
    spec.actuator("servo").target = "nothing"
    with pytest.raises(ValueError, match="nothing"):
        spec.compile()


def test_visual_options_and_statistics_arrive(spec):
    spec.visual.global_.fovy = 60
    spec.visual.map.zfar = 20
    spec.stat.extent = 3.0
    spec.option.gravity[2] = -1.5
    model = spec.compile()
    assert model.vis.global_.fovy == 60 and model.vis.map.zfar == 20 and model.stat.extent == 3
    assert model.opt.gravity.tolist() == [0, 0, -1.5]
    again = mj.MjSpec.from_string(spec.to_xml())
    assert again.visual == spec.visual and again.stat.extent == 3


def test_pixels_become_a_texture():
    spec = mj.MjSpec()
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8)
    texture = spec.add_texture(name="t", type=mj.mjtTexture.mjTEXTURE_2D, width=3, height=2)
    texture.data = pixels.tobytes()
    assert spec.compile().texture("t").data.reshape(-1).tolist() == pixels.tolist()
    texture.data = b"123"
    with pytest.raises(ValueError, match="3 bytes of pixels, not 18"):
        spec.compile()


def test_archives_round_trip(tmp_path):
    cube = "\n".join(f"v {x} {y} {z}" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))
    spec = mj.MjSpec()
    spec.add_mesh(name="cube", file="cube.obj")
    spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="cube")
    with pytest.raises(ValueError, match="cube.obj"):
        spec.compile()
    spec.assets = {"cube.obj": cube}
    spec.to_zip(tmp_path / "model.zip")
    again = mj.MjSpec.from_zip(tmp_path / "model.zip")
    assert differences(spec.compile(), again.compile()) == []


def test_a_timer_tells_how_long_a_compilation_took(spec):
    assert not spec.timer.any()
    spec.add_texture(name="t", builtin=mj.mjtBuiltin.mjBUILTIN_CHECKER, width=64, height=64)
    spec.compile()
    timer = mj.mjtCTimer
    assert spec.timer[timer.mjCTIMER_TOTAL] >= spec.timer[timer.mjCTIMER_ASSETS] > 0
    assert spec.timer[timer.mjCTIMER_TEXTURE] > 0
