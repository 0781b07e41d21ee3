"""Rollouts, parameter sweeps and sampling-based control on the machines of a Ray cluster (extra ``ray``).

>>> import mj, numpy as np
>>> from mj.cluster import Cluster
>>> model = mj.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
>>> with Cluster(model) as cluster:                                     # doctest: +SKIP
...     state, sensordata = cluster.rollout(np.zeros((1000, 14)), nstep=100)

Each machine runs one worker, which gets the model once and simulates on all its processors. Work is cut into chunks
of at least 50 ms. Results are in order and the same, bit for bit, for any number of workers and threads; the chunk of
a worker that is lost is run again.
"""

from ._cluster import Cluster
from ._control import SamplingControl

__all__ = ["Cluster", "SamplingControl"]
