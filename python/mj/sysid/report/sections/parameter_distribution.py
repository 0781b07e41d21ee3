"""Plots of parameters between their bounds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from mj.sysid._src.parameter import ParameterDict
from mj.sysid.report.sections.base import ReportSection
from mj.sysid.report.utils import Element, elements, figure_html, grid, plotly_script_tag

# Half widths of confidence intervals, as fractions of the range, up to which a parameter is well determined, and above
# which it is undetermined.
_SHARP, _VAGUE = 0.005, 0.5

_CAPTION = (
    "Identified values with confidence intervals, nominal values (x) and bounds (dashed). Green: the interval is less than"
    " 0.5 % of the range. Red: it is wider than the range, or infinite. Grey: frozen."
)


class ParameterDistribution(ReportSection):
    """Plots of identified and nominal values between the bounds, with confidence intervals.

    Args:
        title: title.
        opt_params: parameters after the identification.
        initial_params: parameters before.
        confidence_intervals: half of the width of the interval of each element that is not frozen.
        height_per_param: least height of a plot, pixels.
        anchor: name of its place in the page.
        collapsible: whether readers can close it.
    """

    def __init__(
        self,
        title: str,
        opt_params: ParameterDict,
        initial_params: ParameterDict,
        confidence_intervals: np.ndarray | None = None,
        height_per_param: int = 60,
        anchor: str = "",
        collapsible: bool = True,
    ):
        super().__init__(collapsible=collapsible, title=title, anchor=anchor)
        self._elements = elements(opt_params, initial_params, confidence_intervals)
        self._height = height_per_param

    @property
    def template_filename(self) -> str:
        return "plot_generic.html"

    def header_includes(self) -> Iterable[str]:
        return (plotly_script_tag(),)

    def get_context(self) -> dict[str, Any]:
        plot = figure_html(self._build_figure(), f"{self.title} distribution") if self._elements else None
        return {"title": self.title, "plot_div": plot, "caption": _CAPTION}

    def _build_figure(self) -> Any:
        titles = [e.name + ("*" if e.frozen else "") for e in self._elements]
        figure, places = grid(len(self._elements), 8, titles, horizontal_spacing=0.03)
        told: set[str] = set()
        for e, (row, col) in zip(self._elements, places, strict=True):
            name, colour, bar = _judged(e)
            points = [(name, colour, "circle" if e.frozen else "diamond", e.value, bar)]
            if not e.frozen:
                points.append(("nominal", "black", "x", e.nominal, None))
            for label, shade, symbol, y, error in points:
                figure.add_scatter(
                    x=[0],
                    y=[y],
                    mode="markers",
                    marker={"symbol": symbol, "size": 10, "color": shade},
                    error_y=None if error is None else {"array": [error], "thickness": 1.5, "color": shade},
                    name=label,
                    legendgroup=label,
                    showlegend=label not in told,
                    hovertemplate=f"{label}: %{{y:.5g}}" + _interval_text(e, label) + "<extra></extra>",
                    row=row,
                    col=col,
                )
                told.add(label)
            for bound in (e.lower, e.upper):
                figure.add_hline(y=bound, line_dash="dash", line_color="steelblue", row=row, col=col)
            margin = 0.2 * (e.upper - e.lower) or 0.2 * abs(e.value) or 1.0
            low, high = min(e.lower, e.value), max(e.upper, e.value)
            figure.update_yaxes(range=[low - margin, high + margin], row=row, col=col)
        figure.update_xaxes(range=[-1, 1], showgrid=False, zeroline=False, showticklabels=False)
        figure.update_layout(height=max(figure.layout.height, self._height * places[-1][0]))
        return figure


def _judged(e: Element) -> tuple[str, str, float | None]:
    """Return label, colour and error bar of an identified value."""
    extent = e.upper - e.lower
    if e.frozen:
        return "frozen", "grey", None
    if e.interval is None or extent <= 0:
        return "identified", "royalblue", e.interval
    if not e.interval <= _VAGUE * extent:
        return "undetermined", "firebrick", extent
    if e.interval <= _SHARP * extent:
        return "well determined", "seagreen", e.interval
    return "identified", "royalblue", e.interval


def _interval_text(e: Element, label: str) -> str:
    return "" if e.interval is None or label == "nominal" else f" ± {e.interval:.4g}"
