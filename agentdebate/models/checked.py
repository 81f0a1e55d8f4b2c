"""What models of the user's own give, checked where it comes in: sums, tables and the store take it for granted."""

from dataclasses import fields
from typing import Any

from pydantic import ValidationError

from agentdebate.codec import read
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.wrapper import Wrapper
from agentdebate.usage import Usage
from agentdebate.wrong_values import WrongValue, problem_and_value

_OURS = __name__.partition(".")[0]
_MOST = 10**12
"""Tokens that one completion may say it cost: sums over a run of millions of debates are still numbers that databases take."""
_COUNTS = tuple(one.name for one in fields(Usage))


class Checked(Wrapper):
    """A model of the user's own, with what it gives checked."""

    def __repr__(self) -> str:
        return f"<Checked {self.model!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """The completion of the model in it. Raises WrongValue, and what the model raises."""
        return check_completion(await self.model.complete(request), self.name)


def checked(model: Model) -> Model:
    """The model, with what it gives checked unless it does that itself, as all models of this package do."""
    inner: Any = model
    while type(inner).__module__.partition(".")[0] == _OURS and type(inner) is not Checked:
        if Wrapper not in type(inner).__mro__:  # as isinstance has it, which asks an abstract class in Python
            return model
        inner = inner.model
    return model if type(inner) is Checked else Checked(model)


def check_completion(given: object, model: str) -> Completion:
    """The completion that a model gave. Raises WrongValue, which fails the debate alone and names the field and what it may be."""
    if not isinstance(given, Completion):
        kind = type(given).__name__
        raise WrongValue(f"complete() of the model {model!r} gives a Completion, not {kind}")
    try:
        found = read(Completion, given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _wrong(model, ".".join(map(str, first["loc"])), problem_and_value(first)) from error
    for name in _COUNTS:
        if getattr(found.usage, name) > _MOST:
            raise _wrong(model, f"usage.{name}", f"it is at most {_MOST}, not {getattr(found.usage, name)}")
    return found


def _wrong(model: str, field: str, problem: str) -> WrongValue:
    return WrongValue(f"in a completion of the model {model!r}, {field!r}: {problem}", option=field)
