"""Pictures: colours, depth and what is seen; buffers, texts and figures; misuse."""

import base64
import gc
import threading
import weakref
from pathlib import Path

import mj
import numpy as np
import pytest

HUMANOID = Path(__file__).parents[2] / "models/humanoid.xml"
GEOM, WIDTH, HEIGHT = 5, 160, 120
FLOOR = """
<mujoco>
  <statistic extent="1"/>
  <visual><quality offsamples="0"/><map znear="0.1" zfar="20"/></visual>
  <worldbody>
    <camera name="above" pos="0 0 3"/>
    <camera name="flat" pos="0 0 3" projection="orthographic" fovy="2"/>
    <geom name="floor" type="plane" size="5 5 .1" zaxis="0 .3 1" rgba="1 1 1 1"/>
    <geom name="box" type="box" pos="9 9 0" size=".1 .1 .1"/>
  </worldbody>
</mujoco>
"""


def _load(text=FLOOR):
    model = mj.MjModel.from_xml_string(text)
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    return model, data


@pytest.fixture(scope="module")
def humanoid():
    model = mj.MjModel.from_xml_path(str(HUMANOID))
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    return model, data


def test_middle_of_the_picture_shows_the_body_the_camera_looks_at(humanoid):
    model, data = humanoid
    with mj.Renderer(model, HEIGHT, WIDTH) as renderer:
        renderer.enable_segmentation_rendering()
        for name in ("head", "chest"):
            camera = mj.MjvCamera()
            camera.lookat[:] = data.geom(name).xpos
            camera.distance, camera.azimuth, camera.elevation = 1, 180, -10
            renderer.update_scene(data, camera)
            seen = renderer.render()
            assert seen.shape == (HEIGHT, WIDTH, 2) and seen.dtype == np.int32
            assert tuple(seen[HEIGHT // 2, WIDTH // 2]) == (model.geom(name).id, GEOM)


def test_nothing_is_minus_one(humanoid):
    model, data = humanoid
    with mj.Renderer(model, HEIGHT, WIDTH) as renderer:
        camera = mj.MjvCamera()
        camera.lookat[:], camera.elevation = (0, 0, 50), 80
        renderer.update_scene(data, camera)
        renderer.enable_segmentation_rendering()
        assert (renderer.render() == -1).all()


@pytest.mark.parametrize("camera", ["above", "flat"])
def test_depth_of_a_plane(camera):
    model, data = _load()
    # Odd sizes: a pixel lies on the axis.
    with mj.Renderer(model, 51, 51) as renderer:
        renderer.enable_depth_rendering()
        renderer.update_scene(data, camera)
        depth = renderer.render()
    assert depth.shape == (51, 51) and depth.dtype == np.float32
    rows = 1 - (2 * np.arange(51) + 1) / 51
    if camera == "flat":
        # The plane is 0.3 y + z = 0; the picture is 2 m high.
        expected = 3 + 0.3 * rows
    else:
        expected = 3 / (1 - 0.3 * rows * np.tan(np.deg2rad(45 / 2)))
    assert np.allclose(depth, expected[:, None], rtol=1e-5)


def test_rendering_leaves_the_interpreter_to_others(humanoid):
    model, data = humanoid
    done = threading.Event()
    pictures = []

    def draw():
        with mj.Renderer(model, HEIGHT, WIDTH) as renderer:
            for _ in range(5):
                renderer.update_scene(data_of_thread)
                pictures.append(renderer.render())
        done.set()

    data_of_thread = mj.MjData(model)
    mj.mj_forward(model, data_of_thread)
    thread = threading.Thread(target=draw)
    thread.start()
    with mj.Renderer(model, HEIGHT, WIDTH) as renderer:
        renderer.update_scene(data)
        mine = renderer.render()
    thread.join()
    assert done.is_set() and all((picture == mine).all() for picture in pictures)


def test_out_is_written_and_returned():
    model, data = _load()
    with mj.Renderer(model, 20, 30) as renderer:
        renderer.update_scene(data, "above")
        expected = renderer.render()
        assert expected.shape == (20, 30, 3) and expected.dtype == np.uint8 and expected.max() > 100
        for out in (np.zeros((20, 30, 3), np.int64), np.zeros((20, 30, 3), order="F"), np.zeros((40, 30, 3), np.uint8)[::2]):
            assert renderer.render(out=out) is out
            assert (out == expected).all()
        with pytest.raises(ValueError, match=r"out.shape == \(20, 30, 3\)"):
            renderer.render(out=np.zeros((30, 20, 3), np.uint8))
        renderer.enable_depth_rendering()
        with pytest.raises(ValueError, match="for depth"):
            renderer.render(out=np.zeros((20, 30, 3), np.uint8))


def test_what_users_add_to_the_scene_is_drawn():
    model, data = _load()
    with mj.Renderer(model, 50, 50) as renderer:
        renderer.update_scene(data, "above")
        before = renderer.render()
        scene = renderer.scene
        scene.ngeom += 1
        red = np.array([1, 0, 0, 1], np.float32)
        mj.mjv_initGeom(scene.geoms[scene.ngeom - 1], mj.mjtGeom.mjGEOM_SPHERE, [0.2, 0, 0], [0, 0, 1], np.eye(3).ravel(), red)
        after = renderer.render()
        assert (before[25, 25] > 50).all() and after[25, 25, 0] > 50 and (after[25, 25, 1:] < 50).all()
        assert (after[2, 2] == before[2, 2]).all()


def test_options_of_rendering_are_live():
    model, data = _load()
    with mj.Renderer(model, 20, 20) as renderer:
        renderer.update_scene(data, "above")
        bright = renderer.render().mean()
        model.vis.headlight.diffuse[:] = model.vis.headlight.ambient[:] = 0.05
        renderer.update_scene(data, "above")
        assert renderer.render().mean() < bright / 2


def test_larger_than_the_buffer_is_refused():
    model, data = _load()
    for arguments, name in (((481, 10), "height 481 > framebuffer height 480"), ((10, 641), "width 641 > framebuffer width 640")):
        with pytest.raises(ValueError, match=name):
            mj.Renderer(model, *arguments)
    with pytest.raises(ValueError, match="must be positive"):
        mj.Renderer(model, 0, 10)
    model.vis.global_.offheight = 500
    mj.Renderer(model, 481, 10).close()


def test_closed_renderers_and_cameras_that_are_not_there():
    model, data = _load()
    renderer = mj.Renderer(model, 20, 20)
    for camera, error in (("side", "does not exist.*'above'"), (2, r"2 is out of range \[-1, 2\)"), (-2, "-2 is out")):
        with pytest.raises(ValueError, match=error):
            renderer.update_scene(data, camera)
    with pytest.raises(TypeError, match="`camera`"):
        renderer.update_scene(data, 0.5)
    fixed = mj.MjvCamera()
    fixed.type, fixed.fixedcamid = mj.mjtCamera.mjCAMERA_FIXED, 7
    with pytest.raises(ValueError, match="no camera 7"):
        renderer.update_scene(data, fixed)
    renderer.close()
    renderer.close()
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()


def test_textures_by_reference_are_read_from_their_files(tmp_path):
    pixels = np.full((4, 4, 3), (200, 50, 50), np.uint8)
    text = mj.show(pixels)._repr_html_()
    (tmp_path / "a.png").write_bytes(base64.b64decode(text.partition("base64,")[2].removesuffix('">')))
    text = f"""<mujoco><compiler passthrough="{{}}"/>
      <asset><texture name="t" type="2d" file="{tmp_path / "a.png"}"/><material name="t" texture="t"/></asset>
      <worldbody><camera name="above" pos="0 0 2"/><geom type="plane" size="1 1 .1" material="t"/></worldbody></mujoco>"""
    pictures = []
    for kind in ("none", "textures"):
        model, data = _load(text.format(kind))
        assert (mj.mj_loadTexture(model, 0)[0] == pixels).all()
        with mj.Renderer(model, 20, 20) as renderer:
            renderer.update_scene(data, "above")
            pictures.append(renderer.render())
    assert (pictures[0] == pictures[1]).all() and pictures[0][10, 10, 0] > 2 * pictures[0][10, 10, 1]
    (tmp_path / "a.png").unlink()
    with pytest.warns(RuntimeWarning, match="texture 0: not uploaded: .*a.png"):
        mj.Renderer(model, 20, 20).close()
    with pytest.raises(ValueError, match="a.png"):
        mj.mj_loadTexture(model, 0)


def test_two_eyes_side_by_side():
    model, data = _load()
    model.vis.global_.ipd = 0.5
    camera = mj.MjvCamera()
    camera.lookat[:], camera.azimuth, camera.elevation = 0, 0, -89
    with mj.Renderer(model, 20, 60) as renderer, mj.Renderer(model, 20, 30) as left:
        for one in (renderer, left):
            one.enable_depth_rendering()
            one.update_scene(data, camera)
        renderer.scene.stereo = mj.mjtStereo.mjSTEREO_SIDEBYSIDE
        left.scene.camera[1] = left.scene.camera[0]
        both, one = renderer.render(), left.render()
    assert np.allclose(both[:, :30], one) and not np.allclose(both[:, 30:], one)


def test_scenes_that_were_never_filled_are_black():
    model, _ = _load()
    with mj.Renderer(model, 20, 30) as renderer:
        assert (renderer.render() == np.zeros((20, 30, 3))).all()
        renderer.enable_segmentation_rendering()
        assert (renderer.render() == -np.ones((20, 30, 2))).all()


def test_renderers_are_freed():
    model, _ = _load()
    renderer = mj.Renderer(model, 20, 20)
    gone = weakref.ref(renderer)
    del renderer
    gc.collect()
    assert gone() is None


def _context(width=64, height=48):
    model, data = _load()
    model.vis.global_.offwidth, model.vis.global_.offheight = width, height
    context = mj.MjrContext(model, mj.mjtFontScale.mjFONTSCALE_100)
    mj.mjr_setBuffer(mj.mjtFramebuffer.mjFB_OFFSCREEN, context)
    return model, data, context


def _read(context, rect):
    rgb = np.empty((rect.height, rect.width, 3), np.uint8)
    depth = np.empty((rect.height, rect.width), np.float32)
    mj.mjr_readPixels(rgb, depth, rect, context)
    return rgb, depth


def test_buffers_have_the_bottom_row_first():
    model, data, context = _context()
    whole = mj.mjr_maxViewport(context)
    assert (whole.width, whole.height) == (64, 48)
    scene, camera = mj.MjvScene(model, 10), mj.MjvCamera()
    camera.type, camera.fixedcamid = mj.mjtCamera.mjCAMERA_FIXED, 0
    mj.mjv_updateScene(model, data, mj.MjvOption(), None, camera, mj.mjtCatBit.mjCAT_ALL, scene)
    mj.mjr_render(whole, scene, context)
    with mj.Renderer(model, 48, 64) as renderer:
        renderer.update_scene(data, camera)
        expected = renderer.render()
        renderer.enable_depth_rendering()
        distance = renderer.render()[::-1].astype(float)
    rgb, depth = _read(context, whole)
    assert (rgb == expected[::-1]).all()
    assert np.allclose(depth, 20 * (distance - 0.1) / (distance * 19.9), atol=1e-6)
    context.readDepthMap = mj.mjtDepthMap.mjDEPTH_ZEROFAR
    assert np.allclose(_read(context, whole)[1], 1 - depth, atol=1e-6)
    # A part of it, twice: the lower left quarter.
    part = mj.MjrRect(0, 0, 32, 24)
    assert (_read(context, part)[0] == rgb[:24, :32]).all()


def test_ids_as_colours():
    model, data, context = _context()
    whole = mj.mjr_maxViewport(context)
    scene = mj.MjvScene(model, 10)
    camera = mj.MjvCamera()
    camera.type, camera.fixedcamid = mj.mjtCamera.mjCAMERA_FIXED, 0
    mj.mjv_updateScene(model, data, mj.MjvOption(), None, camera, mj.mjtCatBit.mjCAT_ALL, scene)
    scene.flags[[mj.mjtRndFlag.mjRND_SEGMENT, mj.mjtRndFlag.mjRND_IDCOLOR]] = 1
    scene.geoms[0].segid = 70000
    mj.mjr_render(whole, scene, context)
    rgb = _read(context, whole)[0].astype(int)
    assert (rgb @ [1, 256, 65536] == 70001).all()
    scene.flags[mj.mjtRndFlag.mjRND_IDCOLOR] = 0
    mj.mjr_render(whole, scene, context)
    colour = np.unique(_read(context, whole)[0].reshape(-1, 3), axis=0)
    assert len(colour) == 1 and 25 <= colour.min() and colour.max() <= 230
    scene.geoms[0].segid = -1
    mj.mjr_render(whole, scene, context)
    assert (_read(context, whole)[0] == 0).all()


def test_rectangles_texts_labels_and_figures():
    _, _, context = _context()
    whole = mj.mjr_maxViewport(context)
    mj.mjr_rectangle(whole, 0, 0, 0, 1)
    mj.mjr_rectangle(mj.MjrRect(10, 5, 20, 8), 0, 0, 1, 0.5)
    rgb = _read(context, whole)[0]
    assert (rgb[5:13, 10:30, 2] == 128).all() and rgb[..., 2].sum() == 128 * 160
    for draw in (
        lambda: mj.mjr_text(mj.mjtFont.mjFONT_NORMAL, "text", context, 0.1, 0.5, 1, 0, 0),
        lambda: mj.mjr_text(mj.mjtFont.mjFONT_SHADOW, "töxt", context, 0.1, 0.5, 1, 0, 0),
        lambda: mj.mjr_label(whole, mj.mjtFont.mjFONT_BIG, "label", 0, 0, 0, 0, 1, 0, 0, context),
        lambda: mj.mjr_overlay(0, mj.mjtGridPos.mjGRID_TOPRIGHT, whole, b"a\nb", "1\n2", context),
    ):
        mj.mjr_rectangle(whole, 0, 0, 0, 1)
        draw()
        assert 10 < (_read(context, whole)[0][..., 0] > 100).sum() < 800
    figure = mj.MjvFigure()
    figure.title, figure.xlabel, figure.linename[0] = "title", b"x", b"line"
    figure.linedata[0][:6] = (0, 0, 1, 2, 3, np.nan)
    figure.linepnt[0], figure.linergb[0] = 3, (1, 0, 1)
    mj.mjr_rectangle(whole, 0, 0, 0, 1)
    mj.mjr_figure(whole, figure, context)
    rgb = _read(context, whole)[0].astype(int)
    assert ((rgb[..., 0] > 200) & (rgb[..., 1] < 60)).sum() > 5
    assert figure.xaxisdata.tolist() == [0, 1] and figure.yaxisdata.tolist() == [0, 2]


def test_physical_shading_lights_by_the_sky():
    sky = "<asset><texture type='skybox' builtin='flat' rgb1='{0}' rgb2='{0}' width='8' height='8'/></asset>"
    ball = "<worldbody><geom size='.3' rgba='1 1 1 1'/></worldbody>"
    visual = "<visual><headlight active='0'/><quality offsamples='0'/></visual>"

    def middle(grey, **options):
        model, data = _load(f"<mujoco>{visual}{sky.format(grey)}{ball}</mujoco>")
        with mj.Renderer(model, 40, 40, **options) as renderer:
            renderer.update_scene(data)
            return renderer.render()[20, 20].astype(int)

    physical = {"shading": "physical", "tone_map": "clip"}
    # A white ball in a grey room has the room's colour; in a black one it is black. Phong's doesn't see the room.
    assert np.abs(middle(".5 .5 .5", **physical) - 128).max() <= 4
    assert middle("0 0 0", **physical).max() == 0
    assert (middle(".5 .5 .5") == middle("0 0 0")).all()
    assert middle(".2 .2 .2", exposure=1.0, **physical)[0] > middle(".2 .2 .2", **physical)[0] + 10
    for wrong in ({"shading": "cel"}, {"tone_map": "film"}, {"exposure": float("nan")}):
        with pytest.raises(ValueError, match="expected|there are"):
            middle("0 0 0", **{**physical, **wrong})


def test_labels_frames_and_depth_in_place_of_colours():
    model, data = _load()
    with mj.Renderer(model, 100, 100) as renderer:
        option = mj.MjvOption()
        renderer.update_scene(data, "above", option)
        plain = renderer.render()
        option.label = mj.mjtLabel.mjLABEL_GEOM
        renderer.update_scene(data, "above", option)
        assert renderer.scene.geoms[0].label == "floor"
        changed = (renderer.render() != plain).any(axis=2)
        # The label is to the upper right of the origin.
        assert changed[20:51, 50:].sum() > 30 and changed.sum() == changed[20:52, 49:].sum()
        renderer.update_scene(data, "above")
        renderer.scene.framewidth, renderer.scene.framergb[:] = 3, (0, 1, 0)
        picture = renderer.render()
        assert (picture[:, :3] == [0, 255, 0]).all() and (picture[3:-3, 3:-3] == plain[3:-3, 3:-3]).all()
        renderer.scene.framewidth, renderer.scene.flags[mj.mjtRndFlag.mjRND_DEPTH] = 0, 1
        picture = renderer.render()
        # Near is bright.
        assert (picture[..., :1] == picture).all() and picture[0, 50, 0] < picture[99, 50, 0]


def test_copies_between_buffers():
    _, _, context = _context()
    whole, half = mj.mjr_maxViewport(context), mj.MjrRect(0, 0, 32, 24)
    mj.mjr_rectangle(half, 1, 0, 0, 1)
    mj.mjr_blitBuffer(half, whole, 1, 0, context)
    mj.mjr_setBuffer(mj.mjtFramebuffer.mjFB_WINDOW, context)
    assert (_read(context, whole)[0] == [255, 0, 0]).all()
    mj.mjr_addAux(3, 10, 10, 0, context)
    mj.mjr_setAux(3, context)
    mj.mjr_rectangle(mj.MjrRect(0, 0, 10, 10), 0, 1, 0, 1)
    mj.mjr_restoreBuffer(context)
    mj.mjr_blitAux(3, mj.MjrRect(0, 0, 5, 5), 1, 2, context)
    green = (_read(context, whole)[0] == [0, 255, 0]).all(axis=2)
    assert green[2:7, 1:6].all() and green.sum() == 25
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8)
    mj.mjr_drawPixels(pixels, None, mj.MjrRect(62, 46, 3, 2), context)
    assert (_read(context, mj.MjrRect(62, 46, 2, 2))[0] == pixels.reshape(2, 3, 3)[:, :2]).all()


def test_misuse_of_contexts():
    model, _, context = _context()
    whole = mj.mjr_maxViewport(context)
    blind = mj.MjvScene(model, 1)
    blind.camera[0].frustum_near = 1
    cases = [
        (ValueError, "rgb buffer is too small", lambda: mj.mjr_readPixels(np.zeros(5, np.uint8), None, whole, context)),
        (TypeError, "float32, not float64", lambda: mj.mjr_readPixels(None, np.zeros((48, 64)), whole, context)),
        (ValueError, "non-negative", lambda: mj.mjr_render(mj.MjrRect(0, 0, -1, 5), mj.MjvScene(), context)),
        (TypeError, "`viewport`", lambda: mj.mjr_render((0, 0, 1, 5), mj.MjvScene(), context)),
        (ValueError, "too large", lambda: mj.mjr_render(mj.MjrRect(0, 0, 20000, 5), mj.MjvScene(), context)),
        (ValueError, "camera 0 is not valid", lambda: (mj.mjr_render(whole, blind, context), _read(context, whole))),
        (ValueError, "`framebuffer`", lambda: mj.mjr_setBuffer(2, context)),
        (ValueError, "`fontscale`", lambda: mj.MjrContext(model, 99)),
        (ValueError, "`gridpos`", lambda: mj.mjr_overlay(0, 9, whole, "a", "", context)),
        (ValueError, "auxiliary buffer 4", lambda: mj.mjr_setAux(4, context)),
        (ValueError, "no texture 0", lambda: mj.mjr_uploadTexture(model, context, 0)),
        (ValueError, "width and height must be positive", lambda: mj.mjr_resizeOffscreen(0, 5, context)),
    ]
    for error, words, call in cases:
        with pytest.raises(error, match=words):
            call()
    context.free()
    context.free()
    with pytest.raises(ValueError, match="freed"):
        mj.mjr_maxViewport(context)
    with pytest.raises(ValueError, match="no model"):
        mj.mjr_maxViewport(mj.MjrContext())


def test_contexts_of_graphics_libraries_do_nothing():
    from mj import egl, glfw, osmesa
    from mj.rendering.classic import gl_context

    for module in (egl, glfw, osmesa, gl_context):
        with module.GLContext(640, 480) as context:
            context.make_current()
            context.free()
