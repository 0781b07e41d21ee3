"""Windows of simulations: pages that this process serves to a browser."""

from .handle import Handle, view
from .launch import launch, launch_from_path, launch_passive

__all__ = ["Handle", "launch", "launch_from_path", "launch_passive", "view"]
