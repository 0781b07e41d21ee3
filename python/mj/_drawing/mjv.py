"""Functions that fill scenes, and move what is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._arguments import matching, numbers
from .._errors import FatalError
from .._scene import MjvCamera, MjvGeom, MjvGLCamera, MjvOption, MjvPerturb, MjvScene

if TYPE_CHECKING:
    from .._structs import MjData, MjModel

mjv_moveCamera = _core.mjv_moveCamera
mjv_applyPerturbPose = _core.mjv_applyPerturbPose
mjv_applyPerturbForce = _core.mjv_applyPerturbForce

# Shapes of mjtGeom.
SPHERE, CAPSULE, CYLINDER, ARROW, ARROW1, ARROW2, LINE = 2, 3, 5, 100, 101, 102, 103


def with_visual(m: Any) -> Any:
    """Takes over what users wrote to the options of rendering of a model, and returns it."""
    visual = matching("m", m, _core.MjModel).__dict__.get("vis")
    if visual is not None:
        visual.apply(m)
    return m


def _pair(m: Any, d: Any) -> tuple[Any, Any]:
    return with_visual(m), matching("d", d, _core.MjData)


def _scene(scn: Any) -> MjvScene:
    return matching("scn", scn, MjvScene)


def mjv_updateScene(  # noqa: N802
    m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, cam: MjvCamera, catmask: int, scn: MjvScene
) -> None:
    """Fills a scene with all that is shown of a state: geoms of the categories in ``catmask``, lights, cameras, skins."""
    native = _scene(scn)._push(geoms=False)
    native._update(*_pair(m, d), opt, pert, cam, int(catmask))
    scn._pull()


def mjv_addGeoms(  # noqa: N802
    m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, catmask: int, scn: MjvScene
) -> None:
    """Appends the geoms of some categories to a scene."""
    _scene(scn)._push()._add_geoms(*_pair(m, d), opt, pert, int(catmask))
    scn._pull()


def mjv_makeLights(m: MjModel, d: MjData, scn: MjvScene) -> None:  # noqa: N802
    """Replaces the lights of a scene."""
    _scene(scn)._push()._make_lights(*_pair(m, d))
    scn._pull()


def mjv_updateCamera(m: MjModel, d: MjData, cam: MjvCamera, scn: MjvScene) -> None:  # noqa: N802
    """Brings the cameras of a scene up to date."""
    _scene(scn)._push()._update_camera(*_pair(m, d), cam)
    scn._pull()


def mjv_updateSkin(m: MjModel, d: MjData, scn: MjvScene) -> None:  # noqa: N802
    """Brings the vertices of a scene's skins up to date."""
    _scene(scn)._push()._update_skins(*_pair(m, d))
    scn._pull()


def mjv_initGeom(geom: MjvGeom, type: int, size: Any, pos: Any, mat: Any, rgba: Any) -> None:  # noqa: N802
    """Sets shape, size (3), position (3), orientation (9) and colour (4) of a geom, and all else to defaults.

    What is None has its default too.
    """
    matching("geom", geom, MjvGeom)
    size = [0.1, 0.1, 0.1] if size is None else numbers("size", size, 3)
    if type == SPHERE:
        size = [size[0]] * 3
    elif type in (CAPSULE, CYLINDER):
        size = [size[0], size[0], size[1]]
    values = {
        "size": size,
        "pos": np.zeros(3) if pos is None else numbers("pos", pos, 3),
        "mat": np.eye(3) if mat is None else numbers("mat", mat, 9).reshape(3, 3),
        "rgba": (0.5, 0.5, 0.5, 1) if rgba is None else numbers("rgba", rgba, 4),
        "texuniform": 0, "texrepeat": 0, "texcoord": 0, "emission": 0, "reflectance": 0, "modelrbound": 0,
    }  # fmt: skip
    geom.type = type
    for name in ("dataid", "matid", "texid", "specular", "shininess", "label"):
        values[name] = MjvGeom.DEFAULTS[name]
    for name, value in values.items():
        geom._array(name)[...] = value


def mjv_connector(geom: MjvGeom, type: int, width: float, from_: Any, to: Any) -> None:  # noqa: N802
    """Sets shape, size and pose of a geom that connects two points: a capsule, a cylinder, an arrow or a line."""
    matching("geom", geom, MjvGeom)
    if type not in (CAPSULE, CYLINDER, ARROW, ARROW1, ARROW2, LINE):
        raise FatalError(f"a connector is a capsule, cylinder, arrow or line, not of type {type}")
    start, end = numbers("from_", from_, 3), numbers("to", to, 3)
    length = float(np.linalg.norm(end - start))
    centred = type in (CAPSULE, CYLINDER)
    quat, mat = np.empty(4), np.empty(9)
    _core.mju_quatZ2Vec(quat, end - start)
    _core.mju_quat2Mat(mat, quat)
    geom.type = type
    geom.size = (width, width, length / 2 if centred else length)
    geom.pos = (start + end) / 2 if centred else start
    geom.mat = mat.reshape(3, 3)


def _write(name: str, out: Any, values: Any) -> None:
    """Writes numbers to an array that a caller gave, if it did."""
    if out is None:
        return
    if not isinstance(out, np.ndarray) or out.size != len(values):
        raise TypeError(f"`{name}` must be an array of {len(values)} numbers, not {np.shape(out)}")
    out[...] = np.reshape(values, out.shape)


def mjv_cameraInModel(headpos: Any, forward: Any, up: Any, scn: MjvScene) -> None:  # noqa: N802
    """Writes the pose of a scene's camera in the model's space: position, forward, up (3 each)."""
    _in_space(headpos, forward, up, scn, in_room=False)


def mjv_cameraInRoom(headpos: Any, forward: Any, up: Any, scn: MjvScene) -> None:  # noqa: N802
    """Writes the pose of a scene's camera in the room's space: position, forward, up (3 each)."""
    _in_space(headpos, forward, up, scn, in_room=True)


def _in_space(headpos: Any, forward: Any, up: Any, scn: Any, in_room: bool) -> None:
    frame = _core._scene_frame(_scene(scn)._push(geoms=False), in_room)
    for name, out, values in zip(("headpos", "forward", "up"), (headpos, forward, up), frame):
        _write(name, out, values)


def mjv_frustumHeight(scn: MjvScene) -> float:  # noqa: N802
    """Returns the height that a scene's camera sees at distance 1."""
    return _core._scene_height(_scene(scn)._push(geoms=False))


def mjv_cameraFrame(headpos: Any, forward: Any, up: Any, right: Any, d: MjData, cam: MjvCamera) -> None:  # noqa: N802
    """Writes the pose of a camera: position, forward, up, right (3 each)."""
    frame = _core._camera_frame(matching("d", d, _core.MjData), cam)
    for name, out, values in zip(("headpos", "forward", "up", "right"), (headpos, forward, up, right), frame):
        _write(name, out, values)


def mjv_cameraFrustum(zver: Any, zhor: Any, zclip: Any, m: MjModel, cam: MjvCamera) -> None:  # noqa: N802
    """Writes what a camera sees on its near plane: down and up, left and right; and the distances of near and far plane."""
    frustum = _core._camera_frustum(with_visual(m), cam)
    for name, out, values in zip(("zver", "zhor", "zclip"), (zver, zhor, zclip), frustum):
        _write(name, out, values)


def _between(scene: MjvScene) -> MjvGLCamera:
    """Returns the camera between both eyes of a scene."""
    middle = MjvGLCamera()
    for name, column in _core._scene_camera(scene._push(geoms=False)).items():
        middle._array(name)[...] = column[0]
    return middle


def mjv_averageCamera(cam1: MjvGLCamera, cam2: MjvGLCamera) -> MjvGLCamera:  # noqa: N802
    """Returns the camera between two."""
    scene = MjvScene()
    for eye, camera in enumerate((cam1, cam2)):
        scene.camera[eye]._assign(matching(f"cam{eye + 1}", camera, MjvGLCamera))
    return _between(scene)


def mjv_camera2GLCamera(m: MjModel, d: MjData, cam: MjvCamera) -> MjvGLCamera:  # noqa: N802
    """Returns pose and frustum of a camera."""
    scene = MjvScene()
    mjv_updateCamera(m, d, cam, scene)
    return _between(scene)


def mjv_alignToCamera(res: Any, vec: Any, forward: Any) -> None:  # noqa: N802
    """Writes ``vec`` (3), turned about z so that its y axis points where ``forward`` (3) does."""
    x, y, z = numbers("vec", vec, 3)
    ahead = numbers("forward", forward, 3)[:2]
    length = np.linalg.norm(ahead)
    ahead = ahead / length if length > 1e-15 else np.array([1.0, 0.0])
    _write("res", res, [x * ahead[1] + y * ahead[0], -x * ahead[0] + y * ahead[1], z])


def _transformation(scn: Any) -> tuple[np.ndarray, np.ndarray, float]:
    scene = _scene(scn)
    if scene.scale < 1e-15:
        raise FatalError(f"`scale` of the scene must be positive: it is {scene.scale}")
    if not scene.enabletransform:
        return np.zeros(3), np.array([1.0, 0, 0, 0]), 1.0
    return scene.translate.astype(float), scene.rotate.astype(float), scene.scale


def mjv_room2model(modelpos: Any, modelquat: Any, roompos: Any, roomquat: Any, scn: MjvScene) -> None:  # noqa: N802
    """Writes a pose of the room's space in the model's."""
    translate, rotate, scale = _transformation(scn)
    back, turn, pos, quat = np.empty(3), np.empty(4), np.empty(3), np.empty(4)
    _core.mju_negPose(back, turn, translate, rotate)
    _core.mju_mulPose(pos, quat, back, turn, numbers("roompos", roompos, 3), numbers("roomquat", roomquat, 4))
    _write("modelpos", modelpos, pos / scale)
    _write("modelquat", modelquat, quat)


def mjv_model2room(roompos: Any, roomquat: Any, modelpos: Any, modelquat: Any, scn: MjvScene) -> None:  # noqa: N802
    """Writes a pose of the model's space in the room's."""
    translate, rotate, scale = _transformation(scn)
    pos, quat = np.empty(3), np.empty(4)
    given = scale * numbers("modelpos", modelpos, 3), numbers("modelquat", modelquat, 4)
    _core.mju_mulPose(pos, quat, translate, rotate, *given)
    _write("roompos", roompos, pos)
    _write("roomquat", roomquat, quat)


def mjv_moveModel(m: MjModel, action: int, reldx: float, reldy: float, roomup: Any, scn: MjvScene) -> None:  # noqa: N802
    """Moves the model in front of the camera with the mouse."""
    _core._move_model(_scene(scn)._push(), m, int(action), (reldx, reldy), roomup)
    scn._pull()


def mjv_initPerturb(m: MjModel, d: MjData, scn: MjvScene, pert: MjvPerturb) -> None:  # noqa: N802
    """Starts to perturb the selected body: its pose is the reference."""
    _core._start_perturb(_scene(scn)._push(geoms=False), *_pair(m, d), pert)


def mjv_movePerturb(  # noqa: N802
    m: MjModel, d: MjData, action: int, reldx: float, reldy: float, scn: MjvScene, pert: MjvPerturb
) -> None:
    """Moves the reference of a perturbation with the mouse."""
    native = _scene(scn)._push(geoms=False)
    _core._move_perturb(native, *_pair(m, d), int(action), (reldx, reldy), pert)


def mjv_select(  # noqa: N802
    m: MjModel, d: MjData, vopt: MjvOption, aspectratio: float, relx: float, rely: float, scn: MjvScene, selpnt: Any, geomid: Any,
    flexid: Any, skinid: Any,
) -> int:  # fmt: skip
    """Finds what a place of the picture shows, and returns its body, -1 if there is none.

    The place counts from the lower left corner, 0 to 1. Writes the point (3), and the numbers of geom, flex and skin (1
    each), -1 where it is none.
    """
    native = _scene(scn)._push(geoms=False)
    body, point, ids = _core._select(native, *_pair(m, d), vopt, aspectratio, (relx, rely))
    _write("selpnt", selpnt, point)
    for name, out, number in zip(("geomid", "flexid", "skinid"), (geomid, flexid, skinid), ids):
        _write(name, out, [number])
    return body
