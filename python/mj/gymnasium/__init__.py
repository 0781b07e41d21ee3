"""Vector environments for Gymnasium over :class:`mj.Batch`.

>>> import mj.gymnasium  # doctest: +SKIP
>>> envs = mj.gymnasium.Ant(num_envs=256)  # doctest: +SKIP
>>> observations, infos = envs.reset(seed=0)  # doctest: +SKIP

The tasks have the observations, rewards, terminations and resets of Gymnasium's
environments of version 5, and take their models from the installed package
``gymnasium``. They are registered as ``mj/Ant-v5``, ``mj/HalfCheetah-v5``,
``mj/Hopper-v5``, ``mj/Humanoid-v5``, ``mj/Pusher-v5``, ``mj/Reacher-v5`` and
``mj/Walker2d-v5`` for ``gymnasium.make_vec`` and, as single environments, for ``gymnasium.make``. Tasks of
your own derive from :class:`BatchVectorEnv`.
"""

from .legged import Ant, HalfCheetah, Hopper, Humanoid, Walker2d
from .pusher import Pusher
from .reacher import Reacher
from .single import SingleEnv
from .vector import BatchVectorEnv

__all__ = [
    "Ant", "BatchVectorEnv", "HalfCheetah", "Hopper", "Humanoid", "Pusher", "Reacher", "SingleEnv", "Walker2d", "register",
]  # fmt: skip


def register() -> None:
    """Registers the tasks with Gymnasium; importing this module does."""
    import gymnasium

    for task in (Ant, HalfCheetah, Hopper, Humanoid, Pusher, Reacher, Walker2d):
        name = f"mj/{task.__name__}-v5"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=lambda task=task, **options: SingleEnv(task, **options),
                vector_entry_point=task,
            )


register()
