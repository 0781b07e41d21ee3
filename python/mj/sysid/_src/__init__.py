"""Modules of :mod:`mj.sysid`, with the names that programs import from ``mujoco.sysid._src``."""
