"""Nonlinear least squares with box bounds.

``least_squares`` minimizes ``norm(residual(x))`` over ``lower <= x <= upper``,
with the half of the sum of squares as the norm if no other is given. The names
and arguments are those of ``mujoco.minimize``.
"""

from mj.minimize._differences import check_jacobian, check_norm, jacobian_fd
from mj.minimize._norm import Norm, Quadratic
from mj.minimize._solver import IterLog, Status, Verbosity, least_squares

__all__ = [
    "IterLog",
    "Norm",
    "Quadratic",
    "Status",
    "Verbosity",
    "check_jacobian",
    "check_norm",
    "jacobian_fd",
    "least_squares",
]

for _name in __all__:
    # Pickles and messages name the public path.
    globals()[_name].__module__ = __name__
del _name
