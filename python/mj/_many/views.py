"""Named access to batches: `batch.joint("hinge").qpos` in all simulations."""

from __future__ import annotations

from typing import Any

import numpy as np

from .fields import MODEL_FIELDS, STATE_FIELDS, is_structural, near, output_error


class Named:
    """Fields of one element in all simulations, with the attributes that views of MjData and MjModel have.

    Fields of data are bound. Those of the model are read without giving each simulation
    a value; writing one does.
    """

    _batch: Any
    _data: Any
    _model: Any
    id: int
    name: str

    def __init__(self, batch: Any, kind: str, key: int | str):
        model = getattr(batch.model, kind)(key)
        data = getattr(batch._data, kind, None)
        self.__dict__.update(_batch=batch, _kind=kind, _model=model, _data=data and data(key))
        self.__dict__.update(id=model.id, name=model.name)

    def __getattr__(self, attribute: str) -> np.ndarray:
        return self._part(attribute, write=False)

    def __setattr__(self, attribute: str, value: Any) -> None:
        if attribute in ("id", "name") or attribute.startswith("_"):
            raise AttributeError(f"{attribute} is read-only")
        self._part(attribute, write=True)[...] = value

    def _part(self, attribute: str, write: bool) -> np.ndarray:
        """Returns the part of a field that belongs to the element, (nsim, ...)."""
        for view, of in ((self._data, self._of_data), (self._model, self._of_model)):
            found = view._fields.get(attribute) if view is not None else None
            if found is None:
                continue
            field, rows = found
            one = getattr(view, attribute)
            if not one.size:
                return np.broadcast_to(one, (self._batch.nsim, *one.shape))
            array = of(attribute, field, one, write)
            if array.shape[1:] == one.shape:
                return array
            return array[:, rows(self._batch.model, self.id)].reshape(self._batch.nsim, *one.shape)
        if self._data is not None and hasattr(self._data, attribute):
            raise AttributeError(f"{self._kind} {attribute} is not a slice of a field that the batch binds or expands")
        names = [*self._model._fields, *(self._data._fields if self._data is not None else ())]
        raise AttributeError(f"{attribute} is not a field of a {self._kind}{near(attribute, names)}")

    def _of_data(self, attribute: str, field: str, one: np.ndarray, write: bool) -> np.ndarray:
        if write and field not in STATE_FIELDS:
            raise output_error(f"{self._kind} {attribute}")
        return self._batch.bind(field)

    def _of_model(self, attribute: str, field: str, one: np.ndarray, write: bool) -> np.ndarray:
        """Returns the field in all simulations, or the element's part of it alone."""
        batch = self._batch
        if batch._models is not None:
            if write:
                raise ValueError(f"{field} comes from the caller models (set_models): edit them and call set_models again")
            models = [batch._model_of(i) for i in range(batch.nsim)]
            parts = np.stack([getattr(getattr(m, self._kind)(self.id), attribute) for m in models])
            parts.flags.writeable = False
            return parts
        if field in batch._expanded:
            return batch.expand(field)
        if write and is_structural(field, one):
            raise ValueError(f"{field} is structural: it cannot differ between simulations")
        if write:
            return batch.expand(field)
        values = batch.expanded(field) if field in MODEL_FIELDS else None
        return np.broadcast_to(one, (batch.nsim, *one.shape)) if values is None else values
