"""Plots of the course of an optimization."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mj.sysid._src._optional import require
from mj.sysid.report.sections.base import ReportSection
from mj.sysid.report.utils import figure_html, grid, plotly_script_tag

_BLUE, _RED, _ORANGE = "#1f77b4", "#d62728", "#ff7f0e"


class OptimizationTrace(ReportSection):
    """Plots of objective and parameters over the iterations.

    Args:
        title: title.
        objective: objective of each iteration.
        candidate: vector (nx) of each iteration.
        bounds: lower and upper bounds (nx).
        param_names: name of each element.
        log_diff: whether changes are plotted on a logarithmic scale.
        bound_eps: distance from a bound up to which a value is marked.
        dims_per_page: number of elements in a figure.
        anchor: name of its place in the page.
        collapsible: whether readers can close it.

    Raises:
        ValueError: if bounds or names are not as many as the elements.
    """

    def __init__(
        self,
        title: str,
        objective: Sequence[float] | None,
        candidate: Sequence[ArrayLike] | None,
        bounds: tuple[ArrayLike, ArrayLike] | None = None,
        param_names: Sequence[str] | None = None,
        log_diff: bool = True,
        bound_eps: float = 1e-3,
        dims_per_page: int = 6,
        anchor: str = "",
        collapsible: bool = True,
    ):
        super().__init__(collapsible=collapsible, title=title, anchor=anchor)
        self._objective = list(objective if objective is not None else [])
        self._values = np.array(candidate if candidate is not None else [], dtype=np.float64).reshape(
            -1 if candidate is not None and len(candidate) else 0, np.size(candidate[0]) if candidate else 0
        )
        count = self._values.shape[1]
        infinite = (np.full(count, -np.inf), np.full(count, np.inf))
        self._bounded = bounds is not None
        self._lower, self._upper = (np.ravel(np.asarray(b, dtype=np.float64)) for b in bounds or infinite)
        self._names = list(param_names) if param_names is not None else [f"Dim {i}" for i in range(count)]
        sizes = (len(self._lower), len(self._upper), len(self._names))
        if count and sizes != (count,) * 3:
            raise ValueError(f"there are {sizes} lower bounds, upper bounds and names; expected {count} of each")
        self._log_diff = log_diff
        self._bound_eps = bound_eps
        self._per_page = max(1, dims_per_page)

    @property
    def template_filename(self) -> str:
        return "optimization_trace.html"

    def header_includes(self) -> Iterable[str]:
        return (plotly_script_tag(),)

    def get_context(self) -> dict[str, Any]:
        figures = []
        if self._objective:
            figures.append(self._objective_figure())
        if len(self._values) > 1:
            starts = range(0, self._values.shape[1], self._per_page)
            figures += [self._page(slice(start, start + self._per_page)) for start in starts]
        if self._values.size:
            figures.append(self._heatmap())
        return {"title": self.title, "plots": [figure_html(figure, self.title) for figure in figures]}

    def _objective_figure(self) -> Any:
        figure, _ = grid(1, 1, [f"Objective: {self._objective[-1]:.4g} at the end"])
        figure.add_scatter(y=self._objective, mode="lines+markers", name="objective", line_color=_BLUE)
        figure.update_xaxes(title_text="iteration")
        if min(self._objective) > 0:
            figure.update_yaxes(type="log", exponentformat="power")
        return figure

    def _at_bound(self) -> np.ndarray:
        """Return which values are at a bound (iterations, nx)."""
        lower, upper = np.abs(self._values - self._lower), np.abs(self._values - self._upper)
        return (lower < self._bound_eps) | (upper < self._bound_eps)

    def _page(self, part: slice) -> Any:
        """Return a figure with values and changes of some elements."""
        indices = range(len(self._names))[part]
        titles = [title for i in indices for title in (self._names[i], f"change of {self._names[i]}")]
        figure, places = grid(len(titles), 2, titles, shared_xaxes=True)
        at_bound, iterations = self._at_bound(), np.arange(len(self._values))
        for k, i in enumerate(indices):
            (row, _), values = places[2 * k], self._values[:, i]
            colours = np.where(at_bound[:, i], _RED, _BLUE).tolist()
            figure.add_scatter(
                x=iterations,
                y=values,
                mode="lines+markers",
                line_color=_BLUE,
                marker={"color": colours, "size": 5},
                name=self._names[i],
                row=row,
                col=1,
            )
            for bound in (self._lower[i], self._upper[i]):
                if np.isfinite(bound):
                    figure.add_hline(y=bound, line_dash="dash", line_color="grey", opacity=0.5, row=row, col=1)
            change = np.diff(values)
            if self._log_diff:
                change = np.where(change == 0, np.nan, np.abs(change))
                figure.update_yaxes(type="log", exponentformat="power", row=row, col=2)
            figure.add_scatter(
                x=iterations[1:], y=change, mode="lines+markers", line_color=_ORANGE, marker_size=5, row=row, col=2
            )
        figure.update_xaxes(title_text="iteration", row=places[-1][0])
        figure.update_layout(showlegend=False)
        return figure

    def _heatmap(self) -> Any:
        """Return a figure with all elements, scaled to their bounds, or else to the range of their values."""
        values = self._values
        lower = np.where(np.isfinite(self._lower), self._lower, values.min(axis=0))
        upper = np.where(np.isfinite(self._upper), self._upper, values.max(axis=0))
        extent = np.where(upper > lower, upper - lower, 1.0)
        scaled = np.clip((values - lower) / extent, 0, 1)
        graphs = require("plotly.graph_objects")
        figure, _ = grid(1, 1, ["All parameters, as fractions of their ranges"])
        figure.add_trace(
            graphs.Heatmap(
                z=scaled.T,
                y=self._names,
                customdata=values.T,
                colorscale="RdBu",
                zmin=0,
                zmax=1,
                hovertemplate="iteration %{x}<br>%{y}: %{customdata:.5g}<extra></extra>",
            )
        )
        if self._bounded:
            where, which = np.nonzero(self._at_bound())
            names = [self._names[i] for i in which]
            figure.add_scatter(x=where, y=names, mode="markers", marker={"symbol": "x", "color": "black"}, name="at bound")
        figure.update_xaxes(title_text="iteration")
        figure.update_yaxes(autorange="reversed", type="category")
        figure.update_layout(height=max(320, 28 * len(self._names) + 130), showlegend=False)
        return figure
