"""Base class of sections."""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import Any


class ReportSection(abc.ABC):
    """Section of a report.

    Args:
        collapsible: whether readers can close it.
        is_open: whether it is open at first.
        title: title.
        anchor: name of its place in the page; by default made of the title.
    """

    def __init__(self, collapsible: bool = True, is_open: bool = True, title: str = "", anchor: str = ""):
        self._collapsible = collapsible
        self._is_open = is_open
        self._title = title
        self._anchor = anchor

    @property
    @abc.abstractmethod
    def template_filename(self) -> str:
        """Name of the template, a file of the folder ``templates``."""

    @abc.abstractmethod
    def get_context(self) -> dict[str, Any]:
        """Return the values for the template."""

    @property
    def title(self) -> str:
        """Title."""
        return self._title

    @property
    def anchor(self) -> str:
        """Name of its place in the page; empty for one made of the title."""
        return self._anchor

    @property
    def collapsible(self) -> bool:
        """Whether readers can close it."""
        return self._collapsible

    @property
    def is_open(self) -> bool:
        """Whether it is open at first."""
        return self._is_open

    def header_includes(self) -> Iterable[str]:
        """Return tags for the head of the page, for example of scripts."""
        return ()
