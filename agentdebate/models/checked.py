"""What models of the user's own give, checked where it comes in: sums, tables and the store take it for granted."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat, ValidationError

from agentdebate.models.base import Completion, Finish, Model, ModelRequest, spelled
from agentdebate.models.wrapper import Wrapper
from agentdebate.wrong_values import WrongValue, plain_problem, problem_and_value

_MOST_TOKENS, _MOST_CALLS = 10**12, 10**6
"""What one completion may say that it cost: sums over a run of millions of debates are still numbers that databases take."""
_OURS = __name__.partition(".")[0]
_CLASSES = {"usage": "Usage", "logprobs": "TokenLogprob"}
"""What lies in fields that hold objects."""


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
        _Said.model_validate(given)
    except ValidationError as error:
        raise _wrong(error, model) from error
    return given


def _wrong(error: ValidationError, model: str) -> WrongValue:
    first = error.errors(include_url=False)[0]
    field = ".".join(map(str, first["loc"]))
    problem = problem_and_value(first)
    if first["type"] in {"tuple_type", "model_attributes_type"}:
        kind = "tuple" if first["type"] == "tuple_type" else _CLASSES[str(first["loc"][0])]
        problem = problem.replace(plain_problem(first), f"it is a {kind}", 1)
    return WrongValue(f"in a completion of the model {model!r}, {field!r}: {problem}", option=field)


class _Given(BaseModel):
    """What an object says, whatever its class made sure of: nothing is checked of what `model_copy` and `model_construct` make."""

    model_config = ConfigDict(strict=True, extra="ignore", from_attributes=True)


_Tokens = Annotated[int, Field(ge=0, le=_MOST_TOKENS)]


class _Usage(_Given):
    calls: Annotated[int, Field(ge=0, le=_MOST_CALLS)]
    prompt_tokens: _Tokens
    cached_tokens: _Tokens
    completion_tokens: _Tokens
    reasoning_tokens: _Tokens
    cache_write_tokens: _Tokens


class _Token(_Given):
    token: str
    logprob: float
    top: tuple[tuple[str, float], ...]


class _Said(_Given):
    text: str
    model: str
    usage: _Usage
    finish: Annotated[Finish, BeforeValidator(spelled)]
    structured: bool
    logprobs: tuple[_Token, ...] | None
    latency: Annotated[FiniteFloat, Field(ge=0)]
    request_id: str | None
    others: tuple[str, ...]
    lost: tuple[str, ...]
    cached: bool
    cut: tuple[Annotated[int, Field(ge=0, le=_MOST_CALLS)], ...]
