"""Pictures of models, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._arguments import matching
from .._scene import MjrRect, MjvCamera, MjvOption, MjvScene
from .annotate import is_annotated
from .context import OFFSCREEN, MjrContext
from .mjr import mjr_readPixels, mjr_render, mjr_setBuffer
from .mjv import mjv_updateScene

# Kinds of cameras, a kind of element, all categories of geoms, the flag of scenes that shows segments.
FREE, FIXED, CAMERA, ALL, SEGMENT = 0, 2, 7, 7, 8


class Renderer:
    """Draws colours, depth in metres, or what is seen, of a model's states.

    >>> renderer = mj.Renderer(model, height=480, width=640)
    >>> renderer.update_scene(data, camera="side")
    >>> pixels = renderer.render()
    """

    # Before anything can fail: an object that was made in part is closed too.
    _mjr_context: MjrContext | None = None
    _gl_context = None

    def __init__(
        self,
        model: Any,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: Any = 150,
        *,
        shading: str = "phong",
        exposure: float = 0.0,
        tone_map: str = "neutral",
    ) -> None:
        """Opens the graphics driver, and takes the model's assets there.

        Args:
            model: the model.
            height: height of pictures in pixels.
            width: width of pictures in pixels.
            max_geom: most geoms of a scene.
            font_scale: size of labels, percent.
            shading: model of how surfaces reflect light: ``"phong"`` like MuJoCo's, or ``"physical"``: microfacets of metallic
                and rough materials, lit by the sky or by an image light too.
            exposure: of physical shading, stops: each doubles the brightness.
            tone_map: map from radiances to brightness, of physical shading: ``"neutral"``, ``"aces"`` or ``"clip"``.

        Raises:
            ValueError: if the picture is larger than the model's ``vis.global_.offwidth`` and ``offheight``, or a name is not
                known.
            RuntimeError: if there is no graphics driver.
        """
        matching("model", model, _core.MjModel)
        for name, size in (("width", width), ("height", height)):
            most = getattr(model.vis.global_, f"off{name}")
            if size > most:
                raise ValueError(
                    f"Image {name} {size} > framebuffer {name} {most}. Either reduce the image\n{name} or specify a larger"
                    f' offscreen framebuffer in the model XML using the\nclause:\n<visual>\n  <global off{name}="my_{name}"/>\n'
                    f"</visual>\nor set model.vis.global_.off{name}."
                )
            if size < 1:
                raise ValueError(f"Image {name} must be positive: it is {size}.")
        self._model, self._width, self._height = model, width, height
        self._scene = MjvScene(model, max_geom)
        self._scene_option = MjvOption()
        self._rect = MjrRect(0, 0, width, height)
        self._depth_rendering = self._segmentation_rendering = False
        context = MjrContext(model, int(font_scale))
        context.__dict__["_shading"] = (shading, exposure, tone_map)
        mjr_setBuffer(OFFSCREEN, context)
        context.device()
        self._mjr_context = context

    @property
    def model(self) -> Any:
        """The model."""
        return self._model

    @property
    def scene(self) -> MjvScene:
        """What is drawn: programs may add geoms to it after ``update_scene``."""
        return self._scene

    @property
    def height(self) -> int:
        """Height of pictures in pixels."""
        return self._height

    @property
    def width(self) -> int:
        """Width of pictures in pixels."""
        return self._width

    def enable_depth_rendering(self) -> None:
        """Makes ``render`` return depth in metres."""
        self._segmentation_rendering, self._depth_rendering = False, True

    def disable_depth_rendering(self) -> None:
        """Makes ``render`` return colours."""
        self._depth_rendering = False

    def enable_segmentation_rendering(self) -> None:
        """Makes ``render`` return what is seen: number and kind (``mjtObj``) of the element."""
        self._segmentation_rendering, self._depth_rendering = True, False

    def disable_segmentation_rendering(self) -> None:
        """Makes ``render`` return colours."""
        self._segmentation_rendering = False

    def update_scene(self, data: Any, camera: Any = -1, scene_option: Any = None) -> None:
        """Fills the scene from data.

        Args:
            data: a state of the model, whose poses are up to date.
            camera: number or name of a camera, -1 for the free one, or an ``MjvCamera``.
            scene_option: what is drawn; None for the default.

        Raises:
            ValueError: if there is no such camera.
        """
        if not isinstance(camera, MjvCamera):
            camera = self._camera(camera)
        mjv_updateScene(self._model, data, scene_option or self._scene_option, None, camera, ALL, self._scene)

    def _camera(self, camera: Any) -> MjvCamera:
        number, n = camera, self._model.ncam
        if isinstance(camera, str):
            number = _core.mj_name2id(self._model, CAMERA, camera)
            if number == -1:
                names = ", ".join(repr(name) for name in self._model._all_names(CAMERA) if name)
                raise ValueError(f'The camera "{camera}" does not exist. The model has {names or "none with a name"}.')
        if not isinstance(number, (int, np.integer)):
            raise TypeError(f"`camera` must be a number, a name or an MjvCamera, not {type(camera).__name__}")
        if not -1 <= number < n:
            raise ValueError(f"The camera id {number} is out of range [-1, {n}).")
        found = MjvCamera()
        if number == -1:
            from .._functions import mjv_defaultFreeCamera

            mjv_defaultFreeCamera(self._model, found)
        else:
            found.type, found.fixedcamid = FIXED, int(number)
        return found

    def render(self, *, out: np.ndarray | None = None) -> np.ndarray:
        """Returns the picture: colours (height, width, 3), depth (height, width) or what is seen (height, width, 2).

        Args:
            out: an array of that shape to write to, which is returned; numbers are cast to its type.

        Raises:
            RuntimeError: if the renderer is closed.
            ValueError: if ``out`` has another shape.
        """
        if self._mjr_context is None:
            raise RuntimeError("render cannot be called after close.")
        which = 1 if self._depth_rendering else 2 if self._segmentation_rendering else 0
        shape = (self._height, self._width, *((3,), (), (2,))[which])
        if out is not None and np.shape(out) != shape:
            mode = ("colours", "depth", "segmentation")[which]
            raise ValueError(f"Expected `out.shape == {shape}` for {mode}. Got `out.shape={np.shape(out)}` instead.")
        if which == 0 and is_annotated(self._scene):
            picture = np.empty(shape, np.uint8)
            mjr_render(self._rect, self._scene, self._mjr_context)
            mjr_readPixels(picture, None, self._rect, self._mjr_context)
            picture = picture[::-1]
        else:
            scene, device = self._scene._push(), self._mjr_context.device()
            picture = device._draw(scene, self._width, self._height, which == 0, which > 0)[which]
        if out is None:
            return picture
        np.copyto(out, picture, casting="unsafe")
        return out

    def close(self) -> None:
        """Gives the resources back; the renderer draws no more."""
        context, self._mjr_context = self._mjr_context, None
        if context is not None:
            context.free()

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
