"""Tables of covariance and correlation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mj.sysid._src.parameter import ParameterDict
from mj.sysid.report.sections.base import ReportSection
from mj.sysid.report.utils import get_text_color


class Covariance(ReportSection):
    """Tables of the covariance and correlation of identified parameters.

    Args:
        title: title.
        covariance: covariance (nx, nx).
        parameter_dict: the parameters.
        anchor: name of its place in the page.
        collapsible: whether readers can close it.
    """

    def __init__(
        self,
        title: str,
        covariance: ArrayLike,
        parameter_dict: ParameterDict,
        anchor: str = "",
        collapsible: bool = True,
    ):
        super().__init__(collapsible=collapsible, title=title, anchor=anchor)
        self._covariance = np.array(covariance, dtype=np.float64)
        self._names = parameter_dict.get_non_frozen_parameter_names()

    @property
    def template_filename(self) -> str:
        return "covariance.html"

    def get_context(self) -> dict[str, Any]:
        covariance = self._covariance
        if covariance.size == 0:
            message = "there is no covariance: the optimizer gave no Jacobian, or all parameters are frozen"
            return {"title": self.title, "message": message, "tables": []}
        finite = np.abs(covariance[np.isfinite(covariance)])
        largest = float(finite.max(initial=0.0)) or 1.0
        correlation = correlations(covariance)
        off_diagonal = np.where(np.eye(len(correlation), dtype=bool), 0.0, correlation)
        tables = [
            {"title": "Covariance", "rows": _cells(covariance, covariance / largest)},
            {"title": "Correlation", "rows": _cells(correlation, off_diagonal)},
        ]
        return {"title": self.title, "dim_names": self._names, "tables": tables}


def correlations(covariance: np.ndarray) -> np.ndarray:
    """Return the correlation matrix of a covariance matrix; 0 where there is no variance."""
    deviation = np.sqrt(np.abs(np.diag(covariance)))
    product = np.outer(deviation, deviation)
    known = np.isfinite(covariance) & np.isfinite(product) & (product > 0)
    return np.divide(covariance, product, out=np.zeros_like(covariance), where=known)


def _cells(values: np.ndarray, shades: np.ndarray) -> list[list[dict[str, str]]]:
    """Return numbers with colours: from white for a shade of 0 to red for 1 and -1."""
    rows = []
    for row, row_shades in zip(values, np.nan_to_num(np.abs(shades), nan=0.0, posinf=1.0), strict=True):
        cells = []
        for value, shade in zip(row, row_shades, strict=True):
            other = round(255 * (1 - min(float(shade), 1.0)))
            colour = f"#ff{other:02x}{other:02x}"
            cells.append({"text": f"{value:.3g}", "bgcolor": colour, "textcolor": get_text_color(colour)})
        rows.append(cells)
    return rows
