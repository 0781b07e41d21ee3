"""Textures that a model holds by reference: their files are read when a renderer is made."""

from __future__ import annotations

import html
import warnings
from typing import Any

import numpy as np

from .. import _core

# Names of mjtTexture.
KINDS = ("2d", "cube", "skybox")


def by_reference(model: Any) -> list[tuple[int, int, int, int, bytes]]:
    """Returns the pixels of textures that the model lacks: number, height, width, channels, bytes.

    A file that can't be read is told as a warning, and what has the texture is drawn without it.
    """
    found = []
    for i in np.flatnonzero(model.tex_adr < 0):
        try:
            pixels, _ = file_pixels(model, int(i))
            found.append((int(i), *pixels.shape, pixels.tobytes()))
        except (OSError, ValueError) as error:
            text = f"texture {i}: not uploaded: {error}"
            callback = _core.get_mju_user_warning()
            if callback is None:
                warnings.warn(text, RuntimeWarning, stacklevel=2)
            else:
                callback(text)
    return found


def file_pixels(model: Any, number: int) -> tuple[np.ndarray, int]:
    """Reads the file of a texture: its pixels (height, width, channels), and its colour space."""
    path = html.escape(model._texture_file(number))
    channels = max(3, int(model.tex_nchannel[number]))
    kind = KINDS[int(model.tex_type[number])]
    text = f'<mujoco><asset><texture name="t" type="{kind}" file="{path}" nchannel="{channels}"/></asset></mujoco>'
    read = _core._load_text(text, {})
    shape = [int(read._take(name)[0]) for name in ("tex_height", "tex_width", "tex_nchannel")]
    return read._take("tex_data").reshape(shape).copy(), int(read._take("tex_colorspace")[0])
