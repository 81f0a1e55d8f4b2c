"""The shape of a chat-completions reply, and the completion in it.

Endpoints differ in what they leave out or set to null, so only the text is demanded: a reply without usage,
id or model is still the reply that was paid for.
"""

from typing import Annotated, Any

from pydantic import BeforeValidator, FailFast, Field, ValidationError

from agentdebate.errors import ContentFiltered, MalformedReply, RequestRefused
from agentdebate.models.base import Completion, Finish, Sampling, TokenLogprob
from agentdebate.models.dialects.half_characters import read_shape
from agentdebate.models.dialects.loose import MARK, Count, Loose, Shape, counts, mapping, what_is_wrong
from agentdebate.models.dialects.problems import tidy
from agentdebate.usage import Usage

FINISH: dict[str, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filter",
    "refusal": "refusal",
}
"""How endpoints say that a text ends."""
_LEAST = -9999.0
"""The log-probability of a token that the endpoint calls impossible; minus infinity is no JSON."""
_MOST_CHOICES = 256
_ROUNDING = 1e-3
"""How far a log-probability may be above 0, which is as much as to say 0."""


def _joined_parts(value: object) -> object:
    """Content may be a list of parts; the text is in those that have some."""
    if not isinstance(value, list):
        return value.removeprefix(MARK) if isinstance(value, str) else value
    texts = [part if isinstance(part, str) else mapping(part).get("text") for part in value]
    return "".join(text for text in texts if isinstance(text, str)).removeprefix(MARK)


class _PromptDetails(Shape):
    cached_tokens: Count = 0
    cache_write_tokens: Count = 0


class _CompletionDetails(Shape):
    reasoning_tokens: Count = 0


class _Usage(Shape):
    prompt_tokens: Count = 0
    completion_tokens: Count = 0
    prompt_tokens_details: Annotated[_PromptDetails, BeforeValidator(mapping)] = _PromptDetails()
    completion_tokens_details: Annotated[_CompletionDetails, BeforeValidator(mapping)] = _CompletionDetails()

    def usage(self) -> Usage:
        return Usage(
            calls=1,
            prompt_tokens=self.prompt_tokens,
            cached_tokens=self.prompt_tokens_details.cached_tokens,
            cache_write_tokens=self.prompt_tokens_details.cache_write_tokens,
            completion_tokens=self.completion_tokens,
            reasoning_tokens=self.completion_tokens_details.reasoning_tokens,
        )


class _Alternative(Shape):
    token: str
    logprob: float | None

    @property
    def value(self) -> float:
        return _LEAST if self.logprob is None else max(self.logprob, _LEAST)  # NaN stays NaN


class _Token(_Alternative):
    top_logprobs: Annotated[tuple[_Alternative, ...] | None, FailFast()] = None

    def logprob_with(self, alternatives: int) -> TokenLogprob:
        top = (self.top_logprobs or ())[:alternatives]
        return TokenLogprob(
            token=self.token,
            logprob=min(self.value, 0.0),
            top=tuple((one.token, min(one.value, 0.0)) for one in top),
        )


class _Logprobs(Shape):
    content: Annotated[tuple[_Token, ...] | None, FailFast()] = None


class _Said(Shape):
    content: Annotated[str | None, BeforeValidator(_joined_parts)] = None
    refusal: Loose = None


class _Choice(Shape):
    message: _Said
    finish_reason: Loose = None
    logprobs: Any = None
    """Read where they were asked for."""

    @property
    def text(self) -> str:
        return self.message.content or self.message.refusal or ""

    @property
    def finish(self) -> Finish:
        if self.message.refusal and not self.message.content:
            return "refusal"
        return FINISH.get(self.finish_reason or "", "other")


class ChatReply(Shape):
    """The body of a reply, as far as it is read."""

    id: Loose = None
    model: Loose = None
    choices: Annotated[tuple[_Choice, ...], FailFast(), Field(max_length=_MOST_CHOICES)] = ()
    usage: Annotated[_Usage, BeforeValidator(counts("prompt_tokens", "completion_tokens"))] = _Usage()
    error: Any = None

    @classmethod
    def read(cls, body: bytes) -> "ChatReply":
        """The reply in a body. Raises MalformedReply, which says where the body goes wrong."""
        try:
            return read_shape(cls, body.removeprefix(MARK.encode()))
        except ValidationError as error:
            shown = tidy(body[:1000].decode("utf-8", "replace"))
            raise MalformedReply(f"this is not a chat completion: {what_is_wrong(error)}: {shown}") from error

    def completion(
        self,
        sampling: Sampling,
        *,
        structured: bool,
        model: str,
        latency: float,
        request_id: str | None = None,
    ) -> Completion:
        """The completion in it, for a request with these sampling parameters.

        `model` is its name where the reply gives none, and `request_id` goes before the reply's own. Raises
        ContentFiltered where the provider's filter stopped every choice, and RequestRefused where the endpoint passed
        over log-probabilities that were asked for.
        """
        choices = [choice for choice in self.choices if choice.finish != "filter"]
        if not choices:
            raise ContentFiltered("the provider's filter stopped the reply")
        first, others = choices[0], choices[1 : sampling.n]
        return Completion(
            text=first.text,
            model=tidy(self.model or "") or model,
            usage=self.usage.usage(),
            finish=first.finish,
            structured=structured,
            logprobs=_logprobs(first, sampling.logprobs),
            latency=latency,
            request_id=request_id or tidy(self.id or "") or None,
            others=tuple(choice.text for choice in others),
            cut=tuple(number for number, choice in enumerate(others) if choice.finish == "length"),
        )


def _logprobs(choice: _Choice, alternatives: int | None) -> tuple[TokenLogprob, ...] | None:
    if alternatives is None:
        return None
    content = _read_logprobs(choice.logprobs).content
    if content is None and choice.text and choice.finish != "refusal":
        raise RequestRefused(
            "the endpoint gave no log-probabilities: use one that does, or do not ask for them"
        ).about("logprobs")
    tokens = content or ()
    if not all(one.value <= _ROUNDING for token in tokens for one in (token, *(token.top_logprobs or ()))):
        raise MalformedReply("a log-probability in the reply is not a number of 0 or less")
    return tuple(token.logprob_with(alternatives) for token in tokens)


def _read_logprobs(found: object) -> _Logprobs:
    try:
        return _Logprobs() if found is None else _Logprobs.model_validate(found)
    except ValidationError as error:
        raise MalformedReply(
            f"the log-probabilities in the reply are none: {what_is_wrong(error)}"
        ) from error
