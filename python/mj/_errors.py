"""The exceptions of the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["Diagnostic", "FatalError", "LoadError", "UnexpectedError"]


class FatalError(Exception):
    """The engine could not go on with the given model, data or arguments.

    The data of the call that failed may be in any state; reset it before use.
    """

    __module__ = "mj"


class UnexpectedError(Exception):
    """The engine failed in a way that points to an error in this package."""

    __module__ = "mj"


@dataclass(frozen=True)
class Diagnostic:
    """One problem of a model.

    Lines and columns count from 1, columns in characters. ``end_line`` and ``end_column``
    are those after the last character. All five of ``file`` and these are None where the
    problem has no place in a text, as with elements that a program made.
    """

    message: str
    severity: str = "error"
    suggestion: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None

    __module__ = "mj"

    def __str__(self) -> str:
        """Returns place, severity, message and suggestion in one line."""
        place = "" if self.file is None else f"{self.file}:{self.line}:{self.column}: "
        suggestion = f" ({self.suggestion})" if self.suggestion else ""
        return f"{place}{self.severity}: {self.message}{suggestion}"


class LoadError(ValueError):
    """A model did not load: all of its problems at once.

    The text of the exception shows every problem with its place in the source.
    ``diagnostics`` lists them: warnings first, each in the order of the text.
    """

    __module__ = "mj"

    def __init__(self, message: str, diagnostics: Iterable[Any] = ()):
        """Makes an error from its text, and diagnostics or what the native module tells of them."""
        super().__init__(message)
        self.diagnostics: list[Diagnostic] = [
            problem if isinstance(problem, Diagnostic) else _diagnostic(*problem) for problem in diagnostics
        ]


def _diagnostic(severity: str, message: str, suggestion: str | None, place: Any) -> Diagnostic:
    if place is None:
        return Diagnostic(message, severity, suggestion)
    file, (line, column), (end_line, end_column) = place
    return Diagnostic(message, severity, suggestion, file, line, column, end_line, end_column)
