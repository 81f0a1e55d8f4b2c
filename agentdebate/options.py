"""Options by name, read as what they are: every complaint names whose they are, which one, and what would do."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from agentdebate.errors import UsageError, nearest
from agentdebate.visible import shortened

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Options = TypeVar("Options", bound=BaseModel)

_NUMBER, _WHOLE, _SWITCH = "it is a number", "it is a whole number", "it is true or false"
_PLAIN: Mapping[str, str] = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float", "int_parsing_size"), _WHOLE),
    **dict.fromkeys(("float_type", "float_parsing"), _NUMBER),
    **dict.fromkeys(("bool_type", "bool_parsing"), _SWITCH),
    **dict.fromkeys(("list_type", "tuple_type"), "it is a list"),
    "string_type": "it is text",
    "dict_type": "it is a table of names and values",
    "literal_error": "it is {expected}",
    "finite_number": "it is a finite number",
    "greater_than": "it is more than {gt:g}",
    "greater_than_equal": "it is at least {ge:g}",
    "less_than": "it is less than {lt:g}",
    "less_than_equal": "it is at most {le:g}",
}
"""What is said of a value instead of pydantic's own words, by the kind of error."""
_LONGEST = 200
"""Characters of a value that an error shows."""


def read_options(
    kind: type[Options],
    given: Mapping[str, Any],
    *,
    of: str,
    fixed: Mapping[str, Any] | None = None,
    beside: Collection[str] = (),
) -> Options:
    """Options by name as a `kind`, whose fields they are; values may be text, as they are on the command line.

    `of` says whose options they are, in errors; `fixed` are fields that are no options and have these values; `beside`
    are options that somebody else reads. Raises UsageError, which does not show the value of a field with `repr=False`.
    """
    decided = fixed or {}
    check_names(given, names(kind) - decided.keys(), of=of, beside=beside)
    try:
        return kind.model_validate({**decided, **given})
    except ValidationError as error:
        raise wrong_value(error, of=of, hidden=_hidden(kind)) from error


def names(kind: type[BaseModel]) -> frozenset[str]:
    """What the options of a kind are called."""
    return frozenset(field.alias or name for name, field in kind.model_fields.items())


def check_names(
    given: Collection[str], known: Collection[str], *, of: str, beside: Collection[str] = ()
) -> None:
    """Raise UsageError for an option that there is not, with the nearest one that there is, `beside` among them."""
    for name in given:
        if name not in known:
            hint = nearest(name, {*known, *beside})
            raise UsageError(f"{of} has no option {name!r}. {hint}", option=name)


def wrong_value(error: ValidationError, *, of: str, hidden: Collection[str] = ()) -> UsageError:
    """What is wrong with an option's value, in words; not the value of an option that is `hidden`."""
    first = error.errors(include_url=False)[0]
    option = ".".join(map(str, first["loc"])) or "options"
    problem = first["msg"].removeprefix("Value error, ")
    secret = not first["loc"] or first["loc"][0] in hidden
    told = problem.endswith(("?", "."))  # a hint at what is nearest names the value itself
    value = "" if secret or told else f", not {shortened(repr(first['input']), _LONGEST)}"
    return UsageError(f"{of}, option {option!r}: {problem}{value}", option=option.partition(".")[0])


def plain_problem(found: "ErrorDetails") -> str:
    """What pydantic found wrong with a value, as we say it: "it is a whole number"; where we have no words, in its own."""
    words = _PLAIN.get(found["type"])
    return words.format(**found.get("ctx", {})) if words else found["msg"].removeprefix("Value error, ")


def in_words(error: Exception) -> str:
    """What an error says; of data made in code that does not fit its class, the first thing that is wrong, and where."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    place = ".".join((error.title, *map(str, first["loc"])))
    return f"{place}: {first['msg']}, not {shortened(repr(first['input']), _LONGEST)}"


def _hidden(kind: type[BaseModel]) -> frozenset[str]:
    return frozenset(field.alias or name for name, field in kind.model_fields.items() if not field.repr)
