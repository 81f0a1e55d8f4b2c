"""A rule by its name: a pure function that a package registered, whose options are its keyword-only parameters."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pydantic import AfterValidator, BaseModel, ConfigDict, PydanticUserError, create_model

from agentdebate import plugins
from agentdebate.errors import AgentDebateError, UsageError
from agentdebate.options import read_options
from agentdebate.visible import shortened

NAME = "rule"
"""Key of a table that names the rule; the others are its options."""


_LONGEST = 200
"""Characters of something registered that an error shows."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A registered function with the values of its options."""

    kind: str
    """Name of such rules in errors."""
    name: str
    function: Callable[..., Any]
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, group: str, said: object, *, kind: str) -> "Rule":
        """The rule that a name says, or a table with the key "rule" and options. Raises UsageError.

        `group` is where it is registered, `kind` what such rules are called in errors.
        """
        name, given = _parts(said, kind)
        function = plugins.load(plugins.find(group, name, f"there is no {kind} {name!r}"))
        of = f"the {kind} {name!r}"
        if isinstance(function, type) or not callable(function) or inspect.iscoroutinefunction(function):
            found = shortened(repr(function), _LONGEST)
            raise UsageError(
                f"{of} is registered and is not a function that is defined without async: {found}"
            )
        options = read_options(_checked_options(of, name, function), given, of=of)
        return cls(kind, name, function, {one: getattr(options, one) for one in type(options).model_fields})

    def __call__(self, *seen: object) -> Any:
        """Call the function. Raises StrategyError for what it raises, but for an error of ours."""
        return plugins.call(f"the {self.kind} {self.name!r}", self.function, *seen, **self.options)


def readable(read: Callable[[Any], object]) -> AfterValidator:
    """Have a value of an option read when it is given; where that fails, pydantic's error names the option."""

    def check(said: Any) -> Any:
        try:
            read(said)
        except AgentDebateError as error:
            raise ValueError(str(error)) from error
        return said

    return AfterValidator(check)


def rule_name(said: object) -> str | None:
    """The name in what an option says; None where it says none."""
    name = said.get(NAME) if isinstance(said, Mapping) else said
    return name if isinstance(name, str) else None


def _parts(said: object, kind: str) -> tuple[str, dict[str, Any]]:
    """The name of a rule, and its options."""
    if isinstance(said, str):
        return said, {}
    if not isinstance(said, Mapping) or not isinstance(said.get(NAME), str):
        raise UsageError(f'a {kind} is a name, or a table {{{NAME} = "NAME"}} with its options')
    options = dict(said)
    return options.pop(NAME), options


def _checked_options(of: str, name: str, function: Callable[..., Any]) -> type[BaseModel]:
    """Call `_options_of`. Raises UsageError where the types of the options cannot be told."""
    try:
        return _options_of(name, function)
    except (NameError, TypeError, ValueError, PydanticUserError) as error:
        raise UsageError(f"{of}: the types of its options cannot be told: {error}") from error


@lru_cache(maxsize=256)
def _options_of(name: str, function: Callable[..., Any]) -> type[BaseModel]:
    """The keyword-only parameters of a function as the fields of a model; made once, since that takes a millisecond."""
    parameters = inspect.signature(function, eval_str=True).parameters.values()
    fields: dict[str, Any] = {
        one.name: (_type(one), ... if one.default is one.empty else one.default)
        for one in parameters
        if one.kind is one.KEYWORD_ONLY
    }
    return create_model(name, __config__=ConfigDict(extra="forbid", frozen=True), **fields)


def _type(parameter: inspect.Parameter) -> Any:
    return Any if parameter.annotation is parameter.empty else parameter.annotation
