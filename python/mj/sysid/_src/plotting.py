"""Pictures of rollouts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mj import (
    MjData,
    MjModel,
    MjvOption,
    MjvPerturb,
    Renderer,
    mj_forward,
    mj_setState,
    mjtCatBit,
    mjtLightType,
    mjtState,
    mjv_addGeoms,
)


def render_rollout(
    model: MjModel | Sequence[MjModel],
    data: MjData,
    state: np.ndarray,
    framerate: int,
    camera: str | int = -1,
    width: int = 640,
    height: int = 480,
    light_pos: Sequence[float] | None = None,
) -> list[np.ndarray]:
    """Draw trajectories over each other, and return pictures (height, width, 3).

    Args:
        model: model, or one for each trajectory; the first has the scene, of the others moving bodies are added.
        data: data to compute with; all models have its sizes.
        state: full states (nbatch, nstep, nstate).
        framerate: pictures in a second of the simulation.
        camera: name or index of the camera.
        width: width of the pictures, pixels.
        height: height of the pictures, pixels.
        light_pos: position (3) of one more light, which shines down.
    """
    nbatch, nstep, _ = state.shape
    models = [model] if isinstance(model, MjModel) else list(model)
    if len(models) == 1:
        models *= nbatch
    if len(models) != nbatch:
        raise ValueError(f"there are {len(models)} models for {nbatch} trajectories; expected one, or as many")
    option, perturb = MjvOption(), MjvPerturb()
    option.geomgroup[3] = 1
    frames: list[np.ndarray] = []
    with Renderer(models[0], height=height, width=width) as renderer:
        for step in range(nstep):
            if len(frames) >= step * models[0].opt.timestep * framerate:
                continue
            for i, shown in enumerate(models):
                mj_setState(shown, data, state[i, step], mjtState.mjSTATE_FULLPHYSICS)
                mj_forward(shown, data)
                if i == 0:
                    renderer.update_scene(data, camera, scene_option=option)
                else:
                    mjv_addGeoms(shown, data, option, perturb, mjtCatBit.mjCAT_DYNAMIC, renderer.scene)
            if light_pos is not None:
                _add_light(renderer, light_pos)
            frames.append(renderer.render())
    return frames


def _add_light(renderer: Renderer, pos: Sequence[float]) -> None:
    scene = renderer.scene
    if scene.nlight >= len(scene.lights):
        return
    light = scene.lights[scene.nlight]
    light.type = mjtLightType.mjLIGHT_SPOT
    light.pos, light.dir = pos, (0, 0, -1)
    light.ambient, light.diffuse, light.specular = (0, 0, 0), (0.8, 0.8, 0.8), (0.3, 0.3, 0.3)
    light.attenuation, light.cutoff, light.exponent = (1, 0, 0), 45, 10
    light.castshadow, light.headlight = 1, 0
    scene.nlight += 1
