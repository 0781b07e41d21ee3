"""Helpers of sections."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from mj.sysid._src._optional import require
from mj.sysid._src.parameter import ParameterDict


def plotly_script_tag() -> str:
    """Return the script tag that holds Plotly, so that reports open without a network."""
    return f"<script>{require('plotly.offline').get_plotlyjs()}</script>"


def figure_html(figure: Any, name: str) -> str:
    """Return a figure of Plotly as HTML; its picture is saved under a name."""
    config = {
        "displaylogo": False,
        "responsive": True,
        "toImageButtonOptions": {"format": "svg", "filename": name},
    }
    return figure.to_html(full_html=False, include_plotlyjs=False, config=config)


def grid(count: int, columns: int, titles: list[str], **options: Any) -> tuple[Any, list[tuple[int, int]]]:
    """Return a figure of Plotly with plots in rows, and row and column of each."""
    columns = max(1, min(count, columns))
    rows = max(1, -(-count // columns))
    figure = require("plotly.subplots").make_subplots(
        rows=rows, cols=columns, subplot_titles=titles, vertical_spacing=min(0.08, 0.35 / rows), **options
    )
    figure.update_layout(template="plotly_white", height=max(320, 220 * rows), margin={"l": 50, "r": 30, "t": 70, "b": 50})
    figure.update_annotations(font_size=11)
    return figure, [(i // columns + 1, i % columns + 1) for i in range(count)]


def get_text_color(bg_color_hex: str) -> str:
    """Return ``black`` or ``white``, whichever is legible on a colour, for example ``#ff8080``.

    Source: relative luminance of the Web Content Accessibility Guidelines 2.0.
    """
    digits = bg_color_hex.lstrip("#")
    if len(digits) != 6:
        return "black"
    channels = np.array([int(digits[i : i + 2], 16) for i in (0, 2, 4)]) / 255
    linear = np.where(channels <= 0.03928, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return "black" if linear @ [0.2126, 0.7152, 0.0722] > 0.4 else "white"


@dataclasses.dataclass(frozen=True)
class Element:
    """An element of a parameter: its name, values, bounds, and half of the width of its confidence interval."""

    name: str
    value: float
    initial: float
    nominal: float
    lower: float
    upper: float
    frozen: bool
    interval: float | None


def elements(
    identified: ParameterDict, initial: ParameterDict, intervals: np.ndarray | None = None
) -> list[Element]:
    """Return all elements of parameters, those that are frozen too.

    Args:
        identified: parameters after an identification.
        initial: parameters before.
        intervals: half of the width of the confidence interval of each element that is not frozen.
    """
    free = iter([] if intervals is None else np.ravel(intervals).tolist())
    out = []
    for key, param in identified.items():
        before = initial[key]
        numbers = (param.as_vector(), before.as_vector(), before.as_nominal_vector(), *param.get_bounds())
        for name, row in zip(param.element_names(key), np.transpose(numbers).tolist(), strict=True):
            value, start, nominal, lower, upper = row
            interval = None if param.frozen else next(free, None)
            out.append(Element(name, value, start, nominal, lower, upper, param.frozen, interval))
    return out
