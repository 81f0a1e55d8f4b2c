"""Frozen models out of values that are right already, without a second look at them.

pydantic checks what comes from files, callers and models. What the engine itself says, thousands of times a minute, is made
here: the same classes, a fifth of the time. The caller answers for the values and their types.
"""

from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel

Made = TypeVar("Made", bound=BaseModel)

_new, _set = object.__new__, object.__setattr__
_slots = vars(BaseModel)
_set_fields, _set_names = _slots["__dict__"].__set__, _slots["__pydantic_fields_set__"].__set__
_set_extra, _set_private = _slots["__pydantic_extra__"].__set__, _slots["__pydantic_private__"].__set__
"""What puts into a model all that it is made of, without looking each up by its name."""


@lru_cache(maxsize=256)
def _blank(kind: type[BaseModel]) -> tuple[dict[str, Any], set[str]]:
    """The fields of a kind in their order, with their defaults, and their names.

    The fields are those of an instance that was filled one by one: copies of them share its keys, as Python's instances do
    (PEP 412), and take a third of the memory of a dictionary with keys of its own.
    """
    fields = kind.model_fields
    first = kind.__new__(kind)
    for name, field in fields.items():
        _set(first, name, None if field.is_required() else field.get_default())
    return first.__dict__, set(fields)


def made(kind: type[Made], /, **values: Any) -> Made:
    """A model of a kind that has no private attributes, with these values and its defaults. Nothing is checked."""
    blank, names = _blank(kind)
    model = _new(kind)
    _set_fields(model, blank | values)
    _set_names(model, names)
    _set_extra(model, None)
    _set_private(model, None)
    return model


def light(model: Made) -> Made:
    """A model that was just made and checked, in a third of its memory: as `made` would have made it, with these values."""
    blank, names = _blank(type(model))
    _set_fields(model, blank | model.__dict__)
    _set_names(model, names)
    return model


def changed(model: Made, /, **values: Any) -> Made:
    """The model with other values in some fields, as `model_copy(update=values)` gives it. Nothing is checked."""
    other = _new(type(model))
    said = model.__pydantic_fields_set__
    _set_fields(other, model.__dict__ | values)
    _set_names(other, said if said.issuperset(values) else {*said, *values})
    _set_extra(other, model.__pydantic_extra__)
    _set_private(other, model.__pydantic_private__)
    return other
