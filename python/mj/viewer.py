"""Stand-in for MuJoCo's window: programs import it, and what opens a window raises."""

from ._later import Refused, refusing

__all__ = ["Handle", "launch", "launch_from_path", "launch_passive"]


class Handle(Refused):
    """A window that a program keeps up to date."""


launch = refusing("viewer.launch", "drawing")
launch_passive = refusing("viewer.launch_passive", "drawing")
launch_from_path = refusing("viewer.launch_from_path", "drawing")
