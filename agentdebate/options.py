"""Options by name, read as what they are: every complaint names whose they are, which one, and what would do."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from agentdebate.errors import UsageError, nearest
from agentdebate.wrong_values import problem_and_type, problem_and_value

Options = TypeVar("Options", bound=BaseModel)


def read_options(
    kind: type[Options],
    given: Mapping[str, Any],
    *,
    of: str,
    fixed: Mapping[str, Any] | None = None,
    beside: Collection[str] = (),
) -> Options:
    """Options by name as a `kind`, whose fields they are; values may be text, as they are on the command line.

    `of` says whose options they are, in errors; `fixed` are fields that are not options and have these values; `beside`
    are options that somebody else reads. Raises UsageError, which does not show the value of a field with `repr=False`.
    """
    decided = fixed or {}
    check_names(given, names(kind) - decided.keys(), of=of, beside=beside)
    try:
        return kind.model_validate({**decided, **given})
    except ValidationError as error:
        raise wrong_value(error, of=of, hidden=_hidden(kind)) from error


def names(kind: type[BaseModel]) -> frozenset[str]:
    """Return the names of a kind's options."""
    return frozenset(field.alias or name for name, field in kind.model_fields.items())


def check_names(
    given: Collection[str], known: Collection[str], *, of: str, beside: Collection[str] = ()
) -> None:
    """Raise UsageError for an unknown option, with the nearest known one, `beside` among them."""
    for name in given:
        if name not in known:
            hint = nearest(name, {*known, *beside})
            raise UsageError(f"{of} has no option {name!r}. {hint}", option=name)


def wrong_value(error: ValidationError, *, of: str, hidden: Collection[str] = ()) -> UsageError:
    """Make the error for an option's wrong value; of a `hidden` option it names at most the value's type."""
    first = error.errors(include_url=False)[0]
    option = ".".join(map(str, first["loc"])) or "options"
    secret = not first["loc"] or first["loc"][0] in hidden
    problem = problem_and_type(first) if secret else problem_and_value(first)
    return UsageError(f"{of}, option {option!r}: {problem}", option=option.partition(".")[0])


def _hidden(kind: type[BaseModel]) -> frozenset[str]:
    return frozenset(field.alias or name for name, field in kind.model_fields.items() if not field.repr)
