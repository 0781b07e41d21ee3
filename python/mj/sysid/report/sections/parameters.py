"""Table of parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from mj.sysid._src import _tables
from mj.sysid._src.parameter import ParameterDict
from mj.sysid.report.sections.base import ReportSection
from mj.sysid.report.utils import elements


class ParametersTable(ReportSection):
    """Table of initial, nominal and identified values, and bounds.

    Args:
        title: title.
        opt_params: parameters after the identification.
        initial_params: parameters before.
        anchor: name of its place in the page.
        collapsible: whether readers can close it.
    """

    def __init__(
        self,
        title: str,
        opt_params: ParameterDict,
        initial_params: ParameterDict,
        anchor: str = "",
        collapsible: bool = True,
    ):
        super().__init__(collapsible=collapsible, title=title, anchor=anchor)
        self._elements = elements(opt_params, initial_params)

    @property
    def template_filename(self) -> str:
        return "parameters_table.html"

    def get_context(self) -> dict[str, Any]:
        change = np.array([e.value - e.nominal for e in self._elements])
        relative = _tables.relative(change, np.array([e.nominal for e in self._elements]))
        rows = []
        for e, off, part in zip(self._elements, change, relative, strict=True):
            kind = "frozen" if e.frozen else _kind(part, _tables.at_bound(e.value, e.lower, e.upper))
            numbers = [e.initial, e.nominal, e.value, e.lower, e.upper, abs(off)]
            cells = [f"{number:.5g}" for number in numbers] + ["" if np.isnan(part) else f"{100 * part:.2f} %"]
            rows.append({"name": e.name + ("*" if e.frozen else ""), "cells": cells, "kind": kind})
        free = [off for e, off in zip(self._elements, change, strict=True) if not e.frozen]
        headers = "Parameter,Initial,Nominal,Identified,Lower bound,Upper bound,Change,Relative change".split(",")
        rmse = float(np.sqrt(np.mean(np.square(free)))) if free else 0.0
        return {"title": self.title, "headers": headers, "rows": rows, "overall_rmse": f"{rmse:.4g}"}


def _kind(relative: float, at_bound: bool) -> str:
    if at_bound:
        return "at-bound"
    return "near" if relative < 0.02 else "off" if relative < 0.1 else "far"
