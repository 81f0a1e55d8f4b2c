"""Options by name, read as what they are: every complaint names whose they are, which one, and what would do."""

import inspect
from collections.abc import Callable, Collection, Mapping
from enum import Enum, auto
from types import NoneType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from agentdebate.errors import UsageError, nearest
from agentdebate.wrong_values import problem_and_type, problem_and_value

Options = TypeVar("Options", bound=BaseModel)
Opener = TypeVar("Opener", bound=Callable[..., Any])

NO_FILES = NONE, WRITE, TASK = "none", "write", "task"
"""Words in the place of a file: for nothing of the kind, for what is written and not kept, and for the task's own."""


class OptionKind(Enum):
    """Content of an option, which its type declares: `Annotated[str, OptionKind.ADDRESS]`.

    Numbers, switches and choices (`Literal`) need no declaration, nor does a text of what is built in. A plug-in's text of which nothing is
    declared may hold any of these.
    """

    ADDRESS = auto()
    """Address that requests go to."""
    VARIABLE = auto()
    """Environment variable that holds a key."""
    SECRET = auto()
    """Headers, and whatever else goes along with requests."""
    FILE = auto()
    """File that is read or written."""
    TEXT = auto()
    """Text that is none of these."""


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


def takes(*kinds: type[BaseModel]) -> Callable[[Opener], Opener]:
    """Declare that the options of what is registered are the fields of these classes."""

    def declared(opener: Opener) -> Opener:
        vars(opener)["takes"] = kinds
        return opener

    return declared


def option_kind(taker: Any, name: str) -> OptionKind | None:
    """Return what an option is declared to hold; None where nothing says so, and it may hold anything.

    `taker` is a class of options, or something registered: its parameters are its options, or else what it `takes`.
    """
    takers: tuple[Any, ...] = getattr(taker, "takes", (taker,))
    kind = next((one for one in takers if name in _types(one)), takers[0])
    hint = _types(kind).get(name)
    declared = [one for one in getattr(hint, "__metadata__", ()) if isinstance(one, OptionKind)]
    owners = [one for one in getattr(kind, "__mro__", ()) if name in getattr(one, "model_fields", ())]
    built_in = (owners or [kind])[-1].__module__.startswith("agentdebate.")
    return next(iter(declared), OptionKind.TEXT if built_in or _is_plain(hint) else None)


def _types(taker: Any) -> dict[str, Any]:
    """The parameters of something with their types; none where these cannot be told."""
    try:
        parameters = inspect.signature(taker, eval_str=True).parameters
    except (NameError, TypeError, ValueError):
        return {}
    return {name: one.annotation for name, one in parameters.items()}


def _is_plain(hint: Any) -> bool:
    """Tell whether a type has numbers, switches and choices alone."""
    if get_origin(hint) is Literal:
        return True
    inner = get_args(hint)[:1] if get_origin(hint) is Annotated else get_args(hint)
    return all(map(_is_plain, inner)) if inner else hint in (int, float, bool, NoneType, ...)
