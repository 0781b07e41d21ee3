from typing import Any, Generic, Self, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

_S = TypeVar("_S", bound=np.generic)
_T = TypeVar("_T")

class Array(Generic[_S]):
    """An array of a model or data: the same object at each access, with the present values."""

    name: str
    @overload
    def __get__(self, owner: None, kind: Any = None) -> Self: ...
    @overload
    def __get__(self, owner: object, kind: Any = None) -> NDArray[_S]: ...
    def __set__(self, owner: object, value: ArrayLike) -> None: ...

class Live(Generic[_T]):
    """A field that takes more types than it gives."""

    @overload
    def __get__(self, owner: None, kind: Any = None) -> Self: ...
    @overload
    def __get__(self, owner: object, kind: Any = None) -> _T: ...
    def __set__(self, owner: object, value: Any) -> None: ...

Absent = Array
Snapshot = Array
Asked = Array

def refuse(owner: Any, name: str) -> AttributeError: ...
