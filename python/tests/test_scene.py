"""Scenes, cameras, selection, perturbation and recordings."""

import base64
import copy
import pickle
import zlib

import mj
import numpy as np
import pytest

BOX, SPHERE, CAPSULE, ARROW = (
    mj.mjtGeom.mjGEOM_BOX, mj.mjtGeom.mjGEOM_SPHERE, mj.mjtGeom.mjGEOM_CAPSULE, mj.mjtGeom.mjGEOM_ARROW
)  # fmt: skip
MODEL = """
<mujoco>
  <statistic extent="2" center="0 0 1"/>
  <worldbody>
    <light name="lamp" pos="0 0 4" diffuse=".1 .2 .3"/>
    <camera name="front" pos="0 -3 1" xyaxes="1 0 0 0 0 1" fovy="60"/>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="free" pos="0 0 1"><freejoint/><geom name="cube" type="box" size=".1 .2 .3" mass="2" rgba="1 0 0 .5"/></body>
    <body name="mocap" mocap="true" pos="1 0 1"><geom name="ghost" type="sphere" size=".1" contype="0" conaffinity="0"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def state():
    model = mj.MjModel.from_xml_string(MODEL)
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    return model, data


def _fixed():
    camera = mj.MjvCamera()
    camera.type, camera.fixedcamid = mj.mjtCamera.mjCAMERA_FIXED, 0
    return camera


def _scene(model, data, option=None, perturb=None, camera=None, maxgeom=20):
    scene = mj.MjvScene(model, maxgeom)
    mj.mjv_updateScene(model, data, option or mj.MjvOption(), perturb, camera or _fixed(), mj.mjtCatBit.mjCAT_ALL, scene)
    return scene


def test_geoms_lights_and_cameras_are_those_of_the_model(state):
    model, data = state
    scene = _scene(model, data)
    assert scene.ngeom == 3 and [g.objid for g in scene.geoms[: scene.ngeom]] == [0, 1, 2]
    cube = scene.geoms[1]
    assert (cube.type, cube.objtype, cube.segid) == (BOX, mj.mjtObj.mjOBJ_GEOM, 1)
    assert np.allclose(cube.size, (0.1, 0.2, 0.3)) and np.allclose(cube.pos, (0, 0, 1)) and np.allclose(cube.mat, np.eye(3))
    assert np.allclose(cube.rgba, (1, 0, 0, 0.5)) and cube.label == ""
    assert scene.nlight == 2 and scene.lights[0].headlight and scene.lights[1].id == 0
    assert np.allclose(scene.lights[1].diffuse, (0.1, 0.2, 0.3))
    for eye, side in zip(scene.camera, (-0.5, 0.5)):
        assert np.allclose(eye.pos, (side * model.cam_ipd[0], -3, 1)) and np.allclose(eye.forward, (0, 1, 0))
        assert np.isclose(eye.frustum_top, np.tan(np.deg2rad(30)) * eye.frustum_near)


def test_fields_are_live(state):
    model, data = state
    scene = _scene(model, data)
    first, sizes = scene.geoms[0], scene.geoms[1].size
    assert scene.geoms[0] is first
    sizes[:] = 7
    assert (scene.geoms[1].size == 7).all() and (scene.geoms.size[1] == 7).all()
    data.qpos[:3] = (1, 2, 3)
    mj.mj_forward(model, data)
    mj.mjv_updateScene(model, data, mj.MjvOption(), None, _fixed(), mj.mjtCatBit.mjCAT_ALL, scene)
    assert np.allclose(scene.geoms[1].pos, (1, 2, 3)) and np.allclose(sizes, (0.1, 0.2, 0.3))


def test_scenes_grow(state):
    model, data = state
    scene = mj.MjvScene(model, 1)
    assert scene.maxgeom == len(scene.geoms) == 1
    mj.mjv_updateScene(model, data, mj.MjvOption(), None, _fixed(), mj.mjtCatBit.mjCAT_ALL, scene)
    assert scene.ngeom == 3 <= scene.maxgeom and scene.status == 0
    scene.ngeom = scene.maxgeom + 1
    with pytest.raises(ValueError, match="`ngeom` of the scene is"):
        mj.mjv_frustumHeight(scene) and mj.mjv_makeLights(model, data, scene)


def test_options_and_categories(state):
    model, data = state
    option = mj.MjvOption()
    option.label, option.geomgroup[0] = mj.mjtLabel.mjLABEL_BODY, 0
    assert _scene(model, data, option).geoms[0].label == "free"
    option = mj.MjvOption()
    option.flags[mj.mjtVisFlag.mjVIS_COM] = 1
    scene = _scene(model, data, option)
    n = scene.ngeom
    mj.mjv_addGeoms(model, data, option, None, mj.mjtCatBit.mjCAT_DYNAMIC, scene)
    assert scene.ngeom == n + 2 and scene.geoms[n].segid == n
    option.frame = 99
    with pytest.raises(ValueError, match="`frame` is 99"):
        _scene(model, data, option)


def test_geoms_of_programs():
    geom = mj.MjvGeom()
    mj.mjv_initGeom(geom, CAPSULE, [0.1, 0.5, 9], None, None, None)
    assert np.allclose(geom.size, (0.1, 0.1, 0.5)) and np.allclose(geom.rgba, (0.5, 0.5, 0.5, 1)) and geom.dataid == -1
    mj.mjv_connector(geom, CAPSULE, 0.1, [0, 0, 0], [0, 4, 0])
    assert np.allclose(geom.pos, (0, 2, 0)) and np.allclose(geom.size, (0.1, 0.1, 2)) and np.allclose(geom.mat[:, 2], (0, 1, 0))
    mj.mjv_connector(geom, ARROW, 0.1, [0, 0, 0], [0, 4, 0])
    assert np.allclose(geom.pos, 0) and np.allclose(geom.size, (0.1, 0.1, 4))
    with pytest.raises(mj.FatalError, match="connector"):
        mj.mjv_connector(geom, BOX, 0.1, [0, 0, 0], [0, 4, 0])
    with pytest.raises(TypeError, match="`pos` must be 3 numbers"):
        mj.mjv_initGeom(geom, SPHERE, None, [1, 2], None, None)
    with pytest.raises(TypeError, match="`geom` must be"):
        mj.mjv_initGeom(None, SPHERE, None, None, None, None)


def test_cameras_move_and_tell_what_they_see(state):
    model, data = state
    camera = mj.MjvCamera()
    mj.mjv_defaultFreeCamera(model, camera)
    assert np.allclose(camera.lookat, (0, 0, 1)) and camera.distance == 3
    mj.mjv_moveCamera(model, mj.mjtMouse.mjMOUSE_ROTATE_H, 0.25, 0, camera)
    assert camera.azimuth == 45
    camera.azimuth, camera.elevation = 90, 0
    head, forward, up, right = np.zeros((4, 3))
    mj.mjv_cameraFrame(head, forward, up, right, data, camera)
    assert np.allclose([head, forward, up, right], [(0, -3, 1), (0, 1, 0), (0, 0, 1), (1, 0, 0)])
    vertical, horizontal, clip = np.zeros((3, 2), np.float32)
    mj.mjv_cameraFrustum(vertical, horizontal, clip, model, camera)
    assert np.allclose(vertical, clip[0] * np.tan(np.deg2rad(22.5))) and (horizontal == 0).all() and np.allclose(clip, (0.02, 100))
    scene = _scene(model, data, camera=camera)
    mj.mjv_cameraInModel(head, forward, up, scene)
    assert np.allclose(head, (0, -3, 1)) and np.isclose(mj.mjv_frustumHeight(scene), 2 * np.tan(np.deg2rad(22.5)))
    middle = mj.mjv_averageCamera(*scene.camera)
    assert middle == mj.mjv_camera2GLCamera(model, data, camera) and np.allclose(middle.pos, (0, -3, 1))
    with pytest.raises(ValueError, match="no member of mjtMouse"):
        mj.mjv_moveCamera(model, 99, 0, 0, camera)


def test_room_and_model_are_inverse(state):
    scene = _scene(*state)
    scene.enabletransform, scene.scale = 1, 2
    scene.translate[:], scene.rotate[:] = (1, 2, 3), (0.8, 0, 0.6, 0)
    room, turn, back, turned = np.zeros(3), np.zeros(4), np.zeros(3), np.zeros(4)
    mj.mjv_model2room(room, turn, [1, 0, -1], [0.6, 0.8, 0, 0], scene)
    mj.mjv_room2model(back, turned, room, turn, scene)
    assert np.allclose(back, (1, 0, -1)) and np.allclose(turned, (0.6, 0.8, 0, 0)) and not np.allclose(room, back)
    mj.mjv_moveModel(state[0], mj.mjtMouse.mjMOUSE_MOVE_H, 0.5, 0, [0, 0, 1], scene)
    assert not np.allclose(scene.translate, (1, 2, 3))
    aligned = np.zeros(3)
    mj.mjv_alignToCamera(aligned, [0, 1, 5], [3, 0, 4])
    assert np.allclose(aligned, (1, 0, 5))


def _select(model, data, scene, x, y):
    point, ids = np.zeros(3), np.zeros((3, 1, 1), np.int32)
    return mj.mjv_select(model, data, mj.MjvOption(), 1.0, x, y, scene, point, *ids), point, ids.ravel().tolist()


def test_selection(state):
    model, data = state
    scene = _scene(model, data)
    body, point, ids = _select(model, data, scene, 0.5, 0.5)
    assert body == 1 and ids == [1, -1, -1] and np.allclose(point, (0, -0.2, 1))
    assert _select(model, data, scene, 0.5, 0.99)[0] == -1
    assert _select(model, data, scene, 0.5, 0.1)[0] == 0
    with pytest.raises(ValueError, match="finite"):
        _select(model, data, scene, np.nan, 0.1)


def test_perturbation(state):
    model, data = state
    scene, perturb = _scene(model, data), mj.MjvPerturb()
    perturb.select = 1
    mj.mjv_initPerturb(model, data, scene, perturb)
    assert np.isclose(perturb.localmass, 2) and np.allclose(perturb.refselpos, (0, 0, 1))
    perturb.active = mj.mjtPertBit.mjPERT_TRANSLATE
    # Half a picture's height to the right, at 3 m.
    mj.mjv_movePerturb(model, data, mj.mjtMouse.mjMOUSE_MOVE_V, 0.5, 0, scene, perturb)
    assert np.allclose(perturb.refpos, (3 * np.tan(np.deg2rad(30)), 0, 1))
    mj.mjv_applyPerturbForce(model, data, perturb)
    assert np.allclose(data.xfrc_applied[1], (100 * 2 * perturb.refpos[0], 0, 0, 0, 0, 0))
    mj.mjv_applyPerturbPose(model, data, perturb, 0)
    assert np.allclose(data.qpos[:3], (0, 0, 1))
    mj.mjv_applyPerturbPose(model, data, perturb, 1)
    assert np.allclose(data.qpos[:3], perturb.refpos)
    perturb.select = 2
    perturb.refpos[:] = (4, 5, 6)
    mj.mjv_applyPerturbPose(model, data, perturb, 0)
    assert np.allclose(data.mocap_pos[0], (4, 5, 6))
    perturb.select = 99
    mj.mjv_applyPerturbForce(model, data, perturb)


def test_options_of_rendering_reach_scenes_and_files(state, tmp_path):
    model, data = state
    model.vis.rgba.com[:], model.vis.map.znear = (1, 0, 1, 1), 0.5
    option = mj.MjvOption()
    option.flags[mj.mjtVisFlag.mjVIS_COM] = 1
    scene = _scene(model, data, option)
    assert np.allclose(scene.camera[0].frustum_near, 1)
    assert np.allclose(scene.geoms[scene.ngeom - 1].rgba, (1, 0, 1, 1))
    for other in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert other.vis == model.vis
        assert np.allclose(_scene(other, mj.MjData(other)).camera[0].frustum_near, 1)


def test_copies_of_scenes(state):
    scene = _scene(*state)
    other = copy.deepcopy(scene)
    other.geoms[0].rgba[:] = 0
    assert other.ngeom == 3 and other.geoms[1] == scene.geoms[1] and other.geoms[0] != scene.geoms[0]


def test_pictures_are_shown_as_png():
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    head, _, tail = mj.show(pixels)._repr_html_().partition("base64,")
    data = base64.b64decode(tail.removesuffix('">'))
    assert head == '<img src="data:image/png;' and data.startswith(b"\x89PNG")
    at = data.index(b"IDAT")
    rows = zlib.decompress(data[at + 4 : at + 4 + int.from_bytes(data[at - 4 : at])])
    assert rows == b"".join(b"\0" + row.tobytes() for row in pixels)


def test_misuse_of_scenes(state):
    model, data = state
    other = mj.MjModel.from_xml_string("<mujoco/>")
    camera, option = _fixed(), mj.MjvOption()
    scene = mj.MjvScene(model, 5)
    cases = [
        (TypeError, "`scn` must be an MjvScene", lambda: mj.mjv_updateScene(model, data, option, None, camera, 7, None)),
        (TypeError, "`d` must be an MjData", lambda: mj.mjv_updateScene(model, None, option, None, camera, 7, scene)),
        (TypeError, "`m` must be an MjModel", lambda: mj.mjv_updateScene(data, data, option, None, camera, 7, scene)),
        (ValueError, "model", lambda: mj.mjv_updateScene(other, data, option, None, camera, 7, scene)),
        (ValueError, "maxgeom", lambda: mj.MjvScene(model, -1)),
        (TypeError, "`model` must be", lambda: mj.MjvScene(data, 5)),
        (IndexError, "there is no number 5", lambda: scene.geoms[5]),
        (TypeError, "`headpos`", lambda: mj.mjv_cameraInRoom(np.zeros(4), None, None, scene)),
    ]
    for error, words, call in cases:
        with pytest.raises(error, match=words):
            call()
    scene.geoms[0].type, scene.ngeom = 55, 1
    with pytest.raises(ValueError, match="`type` of geom 0 of the scene is 55"):
        mj.mjv_makeLights(model, data, scene)


def test_scenes_are_printed(state, tmp_path):
    scene = _scene(*state)
    mj.mj_printScene(scene, tmp_path / "scene.txt")
    lines = (tmp_path / "scene.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "GEOMS 3" and "LIGHTS 2" in lines and "CAMERAS 2" in lines
    mj.mj_printFormattedScene(scene, tmp_path / "scene.txt", "%.1f")
    assert "0.1 0.2 0.3" in (tmp_path / "scene.txt").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="`float_format`"):
        mj.mj_printFormattedScene(scene, tmp_path / "scene.txt", "%d %d")


def test_recordings(state, tmp_path):
    model, data = state
    recording = mj.Recording(model, title="Fall & rise")
    with pytest.raises(ValueError, match="nothing was recorded"):
        recording.page
    for _ in range(10):
        mj.mj_step(model, data, nstep=10)
        recording.add(data)
    assert len(recording) == 10
    recording.save(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page == recording.page and page.lower().startswith("<!doctype html") and "Fall &amp; rise" in page
    for shown in (mj.show(recording), mj.show(tmp_path / "a.html", height=99)):
        text = shown._repr_html_()
        assert text.startswith("<div><iframe srcdoc=") and "&lt;!doctype html" in text.lower()
    assert "height:99px" in text
    for wrong in (3, np.zeros((2, 2, 3)), np.zeros((2, 2), np.uint8)):
        with pytest.raises(TypeError, match="`what` must be a Recording"):
            mj.show(wrong)
    data.time = 0
    recording.add(data)
    with pytest.raises(ValueError, match="frame 10 is at 0 s"):
        recording.page


def test_surfaces_of_flexes_and_skins_are_arrays():
    def cloth(name, x):
        return f"""<body name="{name}" pos="{x} 0 1"><flexcomp name="{name}" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" mass="1" radius=".01"/>
          </body>"""

    model = mj.MjModel.from_xml_string(
        f"""<mujoco><worldbody>{cloth("a", 0)}{cloth("b", 2)}<body name="bone"><geom size=".1"/></body></worldbody>
        <deformable><skin vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="bone" bindpos="0 0 0" bindquat="1 0 0 0"
        vertid="0 1 2" vertweight="1 1 1"/></skin></deformable></mujoco>"""
    )
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    scene, option = mj.MjvScene(model, 100), mj.MjvOption()
    option.flags[mj.mjtVisFlag.mjVIS_SKIN] = 1
    mj.mjv_updateScene(model, data, option, None, mj.MjvCamera(), mj.mjtCatBit.mjCAT_ALL, scene)
    assert (scene.flexvertnum == [9, 9]).all() and (scene.flexvertadr == [0, 9]).all()
    assert np.allclose(scene.flexvert.reshape(-1, 3), data.flexvert_xpos)
    assert (scene.flexedge.reshape(-1, 2) == model.flex_edge).all()
    assert (scene.flexedgeadr == [0, model.flex_edgenum[0]]).all()
    faces = scene.flexfaceused
    assert faces[0] >= 8 and scene.flexface.size == scene.flexnormal.size == 9 * faces.sum()
    assert np.allclose(np.linalg.norm(scene.flexnormal.reshape(-1, 3), axis=1), 1, atol=1e-5)
    assert (scene.skinfacenum == [1]).all() and (scene.skinvertnum == [3]).all() and (scene.skinvertadr == [0]).all()
    assert np.allclose(scene.skinvert.reshape(3, 3), [[0, 0, 0], [1, 0, 0], [0, 1, 0]], atol=1e-6)
    assert np.allclose(np.abs(scene.skinnormal.reshape(3, 3)), [[0, 0, 1]] * 3, atol=1e-6)
    assert mj.MjvScene().flexvert.size == 0
