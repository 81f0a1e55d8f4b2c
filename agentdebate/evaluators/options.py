"""The options of an evaluator: read by name, checked, and named in every complaint."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agentdebate.errors import UsageError
from agentdebate.options import check_names, read_options, wrong_value

Made = TypeVar("Made", bound=BaseModel)

_BESIDE = ("as",)
"""An option of every evaluator, which the registry reads."""


def read(made: type[Made], name: str, rest: str, options: Mapping[str, Any], **fixed: Any) -> Made:
    """An evaluator that needs no model, and whose fields are its options; `fixed` are those that its name decides.

    Raises UsageError that names the evaluator and the option.
    """
    if rest:
        raise UsageError(f"evaluator {name!r} has no model: write {name!r}, not '{name}/{rest}'")
    return read_options(made, options, of=_of(name), fixed=fixed, beside=_BESIDE)


def check_call(name: str, opener: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Raise UsageError for an option that the function has no parameter for, where it says which it takes."""
    parameters = tuple(inspect.signature(opener).parameters.values())[1:]
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        check_names(options, {parameter.name for parameter in parameters}, of=_of(name), beside=_BESIDE)


def wrong_call(name: str, error: ValidationError) -> UsageError:
    """What is wrong with the options of a function, in words."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "missing_keyword_only_argument":
        option = str(first["loc"][0])
        return UsageError(f"{_of(name)} needs the option {option!r}: {name}:{option}=VALUE", option=option)
    return wrong_value(error, of=_of(name))


def _of(name: str) -> str:
    return f"evaluator {name!r}"
