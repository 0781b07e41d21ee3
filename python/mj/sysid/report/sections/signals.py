"""Plots of signals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mj import MjModel
from mj.sysid._src.timeseries import SignalType, TimeSeries
from mj.sysid.report.sections.base import ReportSection
from mj.sysid.report.utils import figure_html, grid, plotly_script_tag

_COLOURS = ("#1f77b4", "#2ca02c", "#d62728", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f")


class SignalReport(ReportSection):
    """Plots of the signals of several series over each other, one plot for each scalar.

    Args:
        title: title.
        model: the model that has the signals.
        size_factor: factor of the height of plots.
        title_prefix: title of the plots.
        max_datapoints: number of points of a curve, above which it is resampled; None for all.
        resample_to_frequency: number of points in a second.
        anchor: name of its place in the page.
        ts_dict: the series by name; signals are those of the last that has names.
        collapsible: whether readers can close it.
    """

    def __init__(
        self,
        title: str,
        model: MjModel,
        size_factor: float = 1.0,
        title_prefix: str = "",
        max_datapoints: int | None = 300,
        resample_to_frequency: float | None = None,
        anchor: str = "",
        ts_dict: Mapping[str, TimeSeries] | None = None,
        collapsible: bool = True,
    ):
        super().__init__(collapsible=collapsible, title=title, anchor=anchor)
        if resample_to_frequency is not None and not resample_to_frequency > 0:
            raise ValueError(f"resample_to_frequency is {resample_to_frequency}; expected a positive number")
        self._model = model
        self._series = dict(ts_dict or {})
        self._size_factor = size_factor
        self._heading = title_prefix
        self._max_datapoints = max_datapoints
        self._frequency = resample_to_frequency

    @property
    def template_filename(self) -> str:
        return "plot_generic.html"

    def header_includes(self) -> Iterable[str]:
        return (plotly_script_tag(),)

    def get_context(self) -> dict[str, Any]:
        figure = self._build_figure()
        return {"title": self.title, "plot_div": None if figure is None else figure_html(figure, f"{self.title} signals")}

    def _columns(self) -> dict[str, int]:
        """Return the column of each scalar, by its name."""
        mapping = None
        for name, ts in self._series.items():
            if mapping is None and ts.data.ndim == 2:
                mapping = {f"{name}_{i}": (SignalType.CustomObs, np.array([i])) for i in range(ts.data.shape[1])}
        for ts in self._series.values():
            mapping = ts.signal_mapping or mapping
        out = {}
        for name, (_, columns) in (mapping or {}).items():
            for j, column in enumerate(columns):
                out[f"{name}[{j}]" if len(columns) > 1 else name] = int(column)
        return out

    def _build_figure(self) -> Any:
        columns = self._columns()
        if not columns:
            return None
        figure, places = grid(len(columns), 3, list(columns), shared_xaxes=True)
        curves = {name: self._thinned(ts) for name, ts in self._series.items()}
        for (row, col), column in zip(places, columns.values(), strict=True):
            for (name, ts), colour in zip(curves.items(), _COLOURS * len(curves), strict=False):
                line = {"width": 2, "color": colour, "dash": "dot" if name == "initial" else "solid"}
                figure.add_scatter(
                    x=ts.times,
                    y=ts.data[:, column],
                    mode="lines",
                    line=line,
                    opacity=0.8,
                    name=name,
                    legendgroup=name,
                    showlegend=(row, col) == (1, 1),
                    row=row,
                    col=col,
                )
        figure.update_xaxes(matches="x")
        figure.update_xaxes(title_text="time, s", row=places[-1][0])
        figure.update_layout(
            title_text=self._heading,
            height=figure.layout.height * self._size_factor,
            hovermode="x unified",
            legend={"orientation": "h", "yanchor": "top", "y": -0.12},
        )
        return figure

    def _thinned(self, ts: TimeSeries) -> TimeSeries:
        start, end = ts.times[0], ts.times[-1]
        if self._frequency is not None and end > start:
            ts = ts.resample(target_dt=1 / self._frequency)
        if self._max_datapoints and len(ts) > self._max_datapoints:
            ts = ts.resample(np.linspace(start, end, self._max_datapoints))
        return ts
