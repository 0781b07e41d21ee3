"""Outcomes of tests, read from the reports that pytest writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree


@dataclass
class Outcomes:
    """Tests that passed, that were skipped, and that failed, with the first lines of their messages."""

    passed: set[str] = field(default_factory=set)
    skipped: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, report: Path) -> Outcomes:
        """Read a report in JUnit's format."""
        out = cls()
        for case in ElementTree.parse(report).iter("testcase"):
            # Named alike in every environment.
            where = (case.get("classname") or "").rpartition("site-packages.")[2]
            name = f"{where}.{case.get('name')}".strip(".")
            bad = next((e for kind in ("failure", "error") for e in case.findall(kind)), None)
            if bad is not None:
                message = (bad.get("message") or bad.text or "").strip()
                out.failed[name] = message.splitlines()[0] if message else ""
            elif case.find("skipped") is not None:
                out.skipped.add(name)
            else:
                out.passed.add(name)
        return out

    def update(self, other: Outcomes) -> None:
        """Add the outcomes of more tests."""
        self.passed |= other.passed
        self.skipped |= other.skipped
        self.failed |= other.failed
