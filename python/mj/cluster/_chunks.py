"""The work of a call: rows that are cut into chunks, and their results in order."""

from __future__ import annotations

from typing import Any

import numpy as np

# Shorter chunks would cost more to send than to simulate.
LEAST_SECONDS = 0.05
# A chunk whose workers are lost this often is not run again: it may be what ends them.
MOST_LOSSES = 3


class Chunk:
    """Rows ``first`` to ``end`` of a call."""

    def __init__(self, first: int, end: int) -> None:
        self.first, self.end, self.losses = first, end, 0

    def __len__(self) -> int:
        return self.end - self.first


class Work:
    """Rows of a call that are not simulated yet, and results."""

    def __init__(self, n: int, inputs: dict[str, Any]) -> None:
        self.n, self.inputs = n, inputs
        self._next, self._lost, self._done = 0, [], 0
        self._results: tuple[np.ndarray, ...] | None = None

    @property
    def done(self) -> bool:
        """Whether all results are there."""
        return self._done == self.n

    @property
    def rest(self) -> int:
        """Number of rows that no worker has been given."""
        return self.n - self._next

    def take(self, size: int) -> Chunk | None:
        """Returns a chunk that was lost, or the next rows; none if all are given out."""
        if self._lost:
            return self._lost.pop()
        if self._next == self.n:
            return None
        chunk = Chunk(self._next, min(self._next + size, self.n))
        self._next = chunk.end
        return chunk

    def lose(self, chunk: Chunk) -> None:
        """Takes a chunk back whose worker is lost.

        Raises:
            RuntimeError: if that happened to it too often.
        """
        chunk.losses += 1
        if chunk.losses > MOST_LOSSES:
            raise RuntimeError(
                f"trajectories {chunk.first} to {chunk.end - 1} were given to {chunk.losses} workers, and all were lost"
            )
        self._lost.append(chunk)

    def of(self, chunk: Chunk) -> dict[str, Any]:
        """Returns a chunk's part of the inputs. Arrays of one row are for all."""
        return {name: _rows(value, chunk) for name, value in self.inputs.items()}

    def finish(self, chunk: Chunk, results: tuple[np.ndarray, ...]) -> None:
        """Takes the results of a chunk."""
        if self._results is None:
            self._results = tuple(np.empty((self.n, *r.shape[1:]), r.dtype) for r in results)
        for whole, part in zip(self._results, results, strict=True):
            whole[chunk.first : chunk.end] = part
        self._done += len(chunk)

    def results(self) -> tuple[np.ndarray, ...]:
        """Returns the results of all rows, in order."""
        assert self._results is not None and self.done
        return self._results


def _rows(value: Any, chunk: Chunk) -> Any:
    if isinstance(value, dict):
        return {name: _rows(v, chunk) for name, v in value.items()}
    if not isinstance(value, np.ndarray):
        return value
    if len(value) == 1:
        return np.repeat(value, len(chunk), axis=0)
    return value[chunk.first : chunk.end]


def size(seconds_per_row: float | None, least: int, rest: int, workers: int) -> int:
    """Returns the number of rows of the next chunk.

    The first are one row a thread, to learn how long a row takes. Later ones take at least 50 ms, and longer where much
    is left, so that each worker gets some eight chunks.
    """
    if seconds_per_row is None:
        return least
    long_enough = int(np.ceil(2 * LEAST_SECONDS / max(seconds_per_row, 1e-9)))
    return max(least, long_enough, rest // (8 * workers))
