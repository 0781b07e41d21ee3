"""Files held in memory, from which models and their assets are loaded."""

import posixpath
from types import TracebackType


class MjVfs:
    """A set of named files in memory (virtual file system).

    ``vfs["name"] = data`` adds a file, ``del vfs["name"]`` removes it, and
    ``"name" in vfs`` tells whether it is there. A name may hold directories; it
    is normalized, so ``"./a//b.xml"`` and ``"a/b.xml"`` name one file. Case
    matters. A file cannot be replaced before it is removed.

    Functions that take a ``vfs`` argument look for the files that they read in it
    first. They ask :meth:`files`, which raises ``RuntimeError`` once the object is
    closed, as every other operation does. An object can be closed with
    :meth:`close` or by a ``with`` statement, and need not be.
    """

    __slots__ = ("__weakref__", "_files")

    def __init__(self) -> None:
        self._files: dict[str, bytes] | None = {}

    def files(self) -> dict[str, bytes]:
        """Return the contents by normalized name, as a new dictionary."""
        return dict(self._open())

    def close(self) -> None:
        """Drop all files. Closing again does nothing."""
        self._files = None

    def __setitem__(self, name: str, data: bytes) -> None:
        files = self._open()
        key = _normalized(name)
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(
                f"The content of {name!r} must be bytes, not {type(data).__name__};"
                " encode text first."
            )
        if key in files:
            raise ValueError(f"The file {name!r} is there already; delete it first.")
        files[key] = bytes(data)

    def __delitem__(self, name: str) -> None:
        files = self._open()
        key = _normalized(name)
        if key not in files:
            raise KeyError(name)
        del files[key]

    def __contains__(self, name: str) -> bool:
        return _normalized(name) in self._open()

    def __enter__(self) -> "MjVfs":
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._files is None:
            return "<MjVfs, closed>"
        return f"<MjVfs of {len(self._files)} files>"

    def _open(self) -> dict[str, bytes]:
        if self._files is None:
            raise RuntimeError("VFS is closed")
        return self._files


def _normalized(name: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"The name of a file must be a str, not {type(name).__name__}.")
    return posixpath.normpath(name) if name else name
