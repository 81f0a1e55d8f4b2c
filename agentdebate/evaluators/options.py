"""The options of an evaluator: read by name, checked, and named in every complaint."""

import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agentdebate.errors import UsageError, nearest

Made = TypeVar("Made", bound=BaseModel)


def read(made: type[Made], name: str, rest: str, options: Mapping[str, Any], **fixed: Any) -> Made:
    """An evaluator that needs no model, and whose fields are its options; `fixed` are those that its name decides.

    Values may be text, as they are on the command line. Raises UsageError that names the evaluator and the option.
    """
    if rest:
        raise UsageError(f"evaluator {name!r} has no model: write {name!r}, not '{name}/{rest}'")
    _check_names(name, options, made.model_fields.keys() - fixed.keys())
    try:
        return made(**fixed, **options)
    except ValidationError as error:
        raise wrong_value(name, error) from error


def check_call(name: str, opener: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Raise UsageError for an option that the function has no parameter for, where it says which it takes."""
    parameters = tuple(inspect.signature(opener).parameters.values())[1:]
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        _check_names(name, options, {parameter.name for parameter in parameters})


def wrong_value(name: str, error: ValidationError) -> UsageError:
    """What is wrong with an option's value, in words."""
    first = error.errors(include_url=False)[0]
    option = ".".join(map(str, first["loc"]))
    if first["type"] == "missing_keyword_only_argument":
        return UsageError(f"evaluator {name!r} needs the option {option!r}: {name}:{option}=VALUE")
    return UsageError(f"evaluator {name!r}, option {option!r}: {first['msg']}, not {first['input']!r}")


def _check_names(name: str, options: Mapping[str, Any], known: Collection[str]) -> None:
    for option in options:
        if option not in known:
            raise UsageError(
                f"evaluator {name!r} has no option {option!r}. {nearest(option, {*known, 'as'})}"
            )
