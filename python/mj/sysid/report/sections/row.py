"""Sections beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mj.sysid.report.sections.base import ReportSection


class RowSection(ReportSection):
    """Sections beside each other, under one title.

    Args:
        title: title.
        sections: the sections.
        anchor: name of its place in the page.
        collapsible: whether readers can close it.
        description: text above the sections.
    """

    def __init__(
        self,
        title: str,
        sections: Sequence[ReportSection],
        anchor: str = "",
        collapsible: bool = True,
        description: str = "",
    ):
        super().__init__(collapsible=collapsible, title=title, anchor=anchor)
        self.sections = list(sections)
        self._description = description

    @property
    def template_filename(self) -> str:
        return "row.html"

    def get_context(self) -> dict[str, Any]:
        return {"title": self.title, "description": self._description}
