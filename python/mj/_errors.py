"""The exceptions of the engine."""

__all__ = ["FatalError", "UnexpectedError"]


class FatalError(Exception):
    """The engine could not go on with the given model, data or arguments.

    The data of the call that failed may be in any state; reset it before use.
    """

    __module__ = "mj"


class UnexpectedError(Exception):
    """The engine failed in a way that points to an error in this package."""

    __module__ = "mj"
