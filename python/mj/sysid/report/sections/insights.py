"""Warnings about an identification."""

from __future__ import annotations

from typing import Any

import numpy as np

from mj.sysid._src.parameter import ParameterDict
from mj.sysid.report.sections.base import ReportSection

# Distance from a bound, as a fraction of the range, up to which a parameter is at it.
_AT_BOUND = 1e-3


class AutomatedInsights(ReportSection):
    """Warnings about parameters that ended at their bounds.

    Args:
        title: begins the title, which tells the number of warnings.
        parameter_dict: parameters after the identification.
        anchor: name of its place in the page.
        collapsible: whether readers can close it.
    """

    def __init__(
        self, title: str, parameter_dict: ParameterDict, anchor: str = "insights", collapsible: bool = True
    ):
        self._insights = _insights(parameter_dict)
        count = sum(insight["type"] == "warning" for insight in self._insights)
        title = f"{title}: {count} warning{'' if count == 1 else 's'}"
        super().__init__(collapsible=collapsible, is_open=count > 0, title=title, anchor=anchor)

    @property
    def template_filename(self) -> str:
        return "insights.html"

    def get_context(self) -> dict[str, Any]:
        return {"title": self.title, "insights": self._insights}


def _insights(params: ParameterDict) -> list[dict[str, str]]:
    out = []
    lower, upper = params.get_bounds()
    near = np.maximum(_AT_BOUND * (upper - lower), 1e-8)
    values = params.as_vector()
    for name, value, low, high, distance in zip(
        params.get_non_frozen_parameter_names(), values, lower, upper, near, strict=True
    ):
        for side, bound in (("lower", low), ("upper", high)):
            if abs(value - bound) < distance:
                text = f"{name} is {value:.4g}; its {side} bound is {bound:.4g}"
                out.append({"type": "warning", "title": f"At the {side} bound", "message": text})
                break
    return out or [{"type": "success", "title": "No warnings", "message": "all parameters are within their bounds"}]
