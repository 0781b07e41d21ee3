"""Reports from sections."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from mj.sysid._src._optional import require
from mj.sysid.report.sections.base import ReportSection

TEMPLATE_DIR = Path(__file__).parent / "templates"


class ReportBuilder:
    """A report of sections, one after the other.

    Args:
        title: title of the page.
        global_context: more values for the template of the page.
    """

    def __init__(self, title: str, global_context: dict[str, Any] | None = None):
        jinja2 = require("jinja2")
        self._title = title
        self._global_context = global_context or {}
        self._sections: list[ReportSection] = []
        self._env = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATE_DIR), autoescape=True)

    def add_section(self, section: ReportSection) -> None:
        """Add a section at the end."""
        self._sections.append(section)

    def build(self) -> str:
        """Return the page."""
        includes: dict[str, None] = {}
        sections = [self._rendered(section, includes) for section in self._sections]
        return self._env.get_template("layout.html").render(
            report_title=self._title, sections=sections, header_includes=list(includes), **self._global_context
        )

    def _rendered(self, section: ReportSection, includes: dict[str, None]) -> dict[str, Any]:
        """Return the parts of a section, and add its tags for the head of the page."""
        children = [self._rendered(child, includes) for child in getattr(section, "sections", [])]
        includes.update(dict.fromkeys(filter(None, section.header_includes())))
        template = self._env.get_template(section.template_filename)
        return {
            "title": section.title,
            "anchor": section.anchor or _anchor(section.title),
            "collapsible": section.collapsible,
            "is_open": section.is_open,
            "content": template.render(section.get_context() | {"child_sections": children}),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.build(), encoding="utf-8")


def _anchor(title: str) -> str:
    return re.sub(r"[^\w-]+", "-", title.lower()).strip("-")
