"""Completions checked where they come in: those of the user's own models by their fields, and all by their length."""

from dataclasses import fields

from pydantic import ValidationError

from agentdebate.codec import read
from agentdebate.errors import ReplyTooLong
from agentdebate.models.base import Completion, Model, ModelRequest, Sampling
from agentdebate.models.wrapper import WrapperModel, layers
from agentdebate.usage import Usage
from agentdebate.wrong_values import WrongValue, problem_and_value

_OURS = __name__.partition(".")[0]
_MOST_TOKENS = 10**12
"""Tokens that one completion may say it cost: sums over a run of millions of debates are still numbers that databases take."""
MOST = 200_000
"""Bytes of a reply, in UTF-8. A longer one is never used, shown to others or stored."""
_ANSWER = 1 << 20
"""Bytes of an answer with one reply: five times the reply, for what is escaped, and for reasoning that comes beside it."""
_SAMPLE = 2 * MOST
"""Bytes for every further reply."""
_LOGPROB = 160
"""Bytes for one token with its log-probability, of which there is one for each alternative too."""
_TOKENS = 4096
"""Tokens of a reply for which no limit was asked for."""
_LARGEST = 32 << 20
_SURE = MOST // 4
"""Characters that cannot have more than MOST bytes, whatever they are: in UTF-8 one has at most four."""
_COUNTS = tuple(one.name for one in fields(Usage))


class Checked(WrapperModel):
    """A model of the user's own, with what it gives checked."""

    def __repr__(self) -> str:
        return f"<Checked {self.model!r}>"

    async def complete(self, request: ModelRequest) -> Completion:
        """The completion of the model in it. Raises WrongValue, and what the model raises."""
        return check_completion(await self.model.complete(request), self.name)


def checked(model: Model) -> Model:
    """The model, with what it gives checked unless it does that itself, as all models of this package do."""
    for one in layers(model):
        if type(one) is Checked:
            return model
        if type(one).__module__.partition(".")[0] != _OURS:
            return Checked(model)
    return model


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
        if getattr(found.usage, name) > _MOST_TOKENS:
            raise _wrong(
                model, f"usage.{name}", f"it is at most {_MOST_TOKENS}, not {getattr(found.usage, name)}"
            )
    return found


def largest_answer(sampling: Sampling) -> int:
    """The bytes up to which the answer to a request with these parameters is read."""
    size = _ANSWER + (sampling.n - 1) * _SAMPLE
    if sampling.logprobs is not None:
        size += sampling.n * (sampling.max_tokens or _TOKENS) * (1 + sampling.logprobs) * _LOGPROB
    return min(size, _LARGEST)


def check_size(completion: Completion, *, model: str = "") -> Completion:
    """The completion. Raises ReplyTooLong where it, or one of its further samples, has more than MOST bytes."""
    for text in (completion.text, *completion.others):
        if len(text) > _SURE and (size := len(text.encode("utf-8", "surrogatepass"))) > MOST:
            raise ReplyTooLong(
                f"a reply of {size:,} bytes is too long: {MOST:,} are read at most",
                size=size,
                usage=completion.usage,
                model=model,
            )
    return completion


def _wrong(model: str, field: str, problem: str) -> WrongValue:
    return WrongValue(f"in a completion of the model {model!r}, {field!r}: {problem}", option=field)
