"""Simulations that machine-learning frameworks differentiate.

>>> import numpy as np, mj
>>> from mj.autodiff import Simulator
>>> m = mj.MjModel.from_xml_string("<mujoco><worldbody><body><joint type='slide'/><geom size='.1'/></body></worldbody></mujoco>")
>>> Simulator(m).states(np.zeros((3, 0))).shape
(4, 2)

:func:`mj.autodiff.torch.rollout` and :func:`mj.autodiff.jax.rollout` return the states of a simulation as a tensor, with gradients by
the first state, the controls of each step and parameters of the model. Each imports its framework, which ``pip install
"mj-physics[torch]"`` or ``"mj-physics[jax]"`` brings. :class:`Simulator` does the work for both, and for other frameworks.
"""

from ._simulator import Simulator

__all__ = ["Simulator"]
