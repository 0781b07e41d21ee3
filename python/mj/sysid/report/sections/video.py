"""Films of trajectories."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mj import MjData, MjModel, MjSpec
from mj import rollout as _rollout
from mj.sysid._src._optional import require
from mj.sysid._src.parameter import ParameterDict
from mj.sysid._src.plotting import render_rollout
from mj.sysid._src.residual import BuildModelFn
from mj.sysid._src.trajectory import SystemTrajectory
from mj.sysid.report.sections.base import ReportSection

# Colours of the geoms of moving bodies.
_INITIAL, _NOMINAL, _IDENTIFIED = (1.0, 0.0, 0.0, 0.5), (0.0, 1.0, 0.0, 0.4), (0.0, 0.0, 1.0, 1.0)


def caption(initial: bool = True, nominal: bool = True, identified: bool = True) -> str:
    """Return the names of models that are drawn, in their colours, as HTML."""
    shown = {"initial": ("initial", initial), "nominal": ("nominal", nominal), "optimized": ("identified", identified)}
    return ", ".join(f"<span class='color-{key}'>{name}</span>" for key, (name, drawn) in shown.items() if drawn)


def generate_video_from_trajectories(
    initial_params: ParameterDict,
    opt_params: ParameterDict,
    _build_model: BuildModelFn,
    trajectories: Sequence[SystemTrajectory],
    model_spec: MjSpec,
    output_filepath: str | os.PathLike[str],
    render_initial: bool = True,
    render_nominal: bool = True,
    render_opt: bool = True,
    height: int = 480,
    width: int = 640,
    fovy: float = 60,
    camera: str | int = -1,
    fps: int = 60,
) -> Path:
    """Simulate measured trajectories with several values of the parameters, and write a film of them over each other.

    Args:
        initial_params: parameters before the identification.
        opt_params: parameters after.
        _build_model: compiles a specification with the values of parameters.
        trajectories: the trajectories, whose initial states and controls are taken; they follow each other in the film.
        model_spec: the specification; it is not changed.
        output_filepath: the film.
        render_initial: whether the initial model is drawn, in red.
        render_nominal: whether the nominal model is drawn, in green.
        render_opt: whether the identified model is drawn, in blue.
        height: height, pixels.
        width: width, pixels.
        fovy: vertical field of view of the free camera, degrees.
        camera: name or index of the camera.
        fps: pictures in a second.

    Returns:
        The path of the film.
    """
    imageio = require("imageio.v2", "imageio[ffmpeg]")
    nominal = initial_params.copy()
    nominal.reset()
    shown = [(initial_params, _INITIAL, render_initial), (nominal, _NOMINAL, render_nominal)]
    shown.append((opt_params, _IDENTIFIED, render_opt))
    models = [_coloured(_build_model(params, model_spec.copy()), rgba) for params, rgba, drawn in shown if drawn]
    if not models:
        raise ValueError("no model is to be drawn: expected one of render_initial, render_nominal and render_opt")
    view = models[0].vis.global_
    view.fovy, view.offwidth, view.offheight = fovy, width, height
    datas = [MjData(model) for model in models]
    with imageio.get_writer(os.fspath(output_filepath), fps=fps, quality=8) as writer:
        for trajectory in trajectories:
            control = trajectory.control.resample(target_dt=models[0].opt.timestep).data
            states, _ = _rollout.rollout(models, datas, trajectory.initial_state, control)
            assert states is not None
            for frame in render_rollout(
                models, datas[0], states, fps, camera=camera, width=width, height=height
            ):
                writer.append_data(frame)
    return Path(output_filepath)


def _coloured(model: MjModel, rgba: tuple[float, float, float, float]) -> MjModel:
    model.geom_rgba[np.asarray(model.geom_bodyid) > 0] = rgba
    return model


class VideoPlayer(ReportSection):
    """Film in the folder of the report.

    Args:
        title: title.
        video_filepath: the film.
        anchor: name of its place in the page.
        width: width, pixels or as in CSS.
        height: height, pixels; None for that of the film.
        autoplay: whether it plays at once; browsers ask for ``muted`` then.
        controls: whether there are buttons.
        muted: whether it has no sound.
        loop: whether it plays again and again.
        caption: text below, as HTML.
        collapsible: whether readers can close it.
    """

    def __init__(
        self,
        title: str,
        video_filepath: str | os.PathLike[str],
        anchor: str = "",
        width: int | str = 800,
        height: int | None = 450,
        autoplay: bool = False,
        controls: bool = True,
        muted: bool = False,
        loop: bool = True,
        caption: str = caption(),
        collapsible: bool = True,
    ):
        super().__init__(collapsible=collapsible, title=title, anchor=anchor)
        flags = {"autoplay": autoplay, "controls": controls, "muted": muted, "loop": loop}
        self._context = {
            "title": title,
            "video_filepath": Path(video_filepath).name,
            "width": width,
            "height": height,
            "flags": [name for name, wanted in flags.items() if wanted],
            "caption": caption,
        }

    @property
    def template_filename(self) -> str:
        return "video.html"

    def get_context(self) -> dict[str, Any]:
        return self._context
