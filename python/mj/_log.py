"""Messages to the console and to a file: the time that compiling a model takes, where its topic is on."""

from __future__ import annotations

import contextlib
import os
import time
import warnings
from collections.abc import Iterator

from ._enums import mjtLogTopic

__all__ = ["MjLogConfig"]


def _bit(topic: mjtLogTopic) -> int:
    return 1 << (int(topic) - 1)


# Topics that messages are written about.
_WRITTEN = _bit(mjtLogTopic.mjTOPIC_TIME_CMP)


def _topics_of_environment() -> int:
    """Reads the topics of the variable MUJOCO_LOG_TOPICS: names without their prefix, separated by commas."""
    names = os.environ.get("MUJOCO_LOG_TOPICS", "").lower().split(",")
    topics = {topic.name.removeprefix("mjTOPIC_").lower(): topic for topic in mjtLogTopic if topic}
    return sum({_bit(topics[name.strip()]) for name in names if name.strip() in topics})


class MjLogConfig:
    """Where messages go, and their topics, one bit for each of mjtLogTopic.

    ``MjLogConfig.get()`` returns a copy of the configuration of this process, ``set()`` makes one that of this process.
    Messages are written about compilation (``mjTOPIC_TIME_CMP``), and of the other topics none.
    """

    def __init__(self) -> None:
        self.logto_console = False
        self.logto_file = False
        self.logfile = ""
        self.topics = 0

    @staticmethod
    def get() -> MjLogConfig:
        """Returns a copy of the configuration of this process."""
        return _PRESENT._copy()

    def set(self) -> None:
        """Makes this the configuration of this process."""
        global _PRESENT
        others = [t.name for t in mjtLogTopic if t and self.topics & _bit(t) & ~_WRITTEN]
        if others:
            warnings.warn(f"messages are not written about {', '.join(others)}", UserWarning, stacklevel=2)
        _PRESENT = self._copy()

    def _copy(self) -> MjLogConfig:
        config = MjLogConfig()
        config.logto_console, config.logto_file = bool(self.logto_console), bool(self.logto_file)
        config.logfile, config.topics = str(self.logfile), int(self.topics)
        return config

    def __repr__(self) -> str:
        return (
            f"<MjLogConfig: topics {self.topics:#b}, console {'on' if self.logto_console else 'off'}, "
            f"file {self.logfile if self.logto_file else 'off'}>"
        )


def _at_start() -> MjLogConfig:
    config = MjLogConfig()
    config.logto_console = config.logto_file = True
    config.logfile, config.topics = "MUJOCO_LOG.TXT", _topics_of_environment()
    return config


_PRESENT = _at_start()


def info(topic: mjtLogTopic, text: str) -> None:
    """Writes a message of a topic, if the topic is on."""
    config = _PRESENT
    if not config.topics & _bit(topic):
        return
    if config.logto_console:
        print(f"INFO: {text}\n")
    if config.logto_file:
        with open(config.logfile, "a", encoding="utf-8") as file:
            file.write(f"INFO {time.ctime()}: {text}\n\n")


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Measures the compilation of a model, and writes how long it took."""
    start = time.perf_counter()
    yield
    milliseconds = 1e3 * (time.perf_counter() - start)
    info(mjtLogTopic.mjTOPIC_TIME_CMP, f"compile time (ms)\n  total: {milliseconds:12.1f}   (wall clock)")
