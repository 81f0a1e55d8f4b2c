"""A completions endpoint as a model that says what it is made to say: the log-probabilities of a text given in advance.

OpenAI's completions API gives a prompt back with the log-probability of each of its tokens (echo and logprobs). vLLM and
others follow it. llama-cpp-python does where the model has a mark of beginning; for other models its figures stand one
token too late, so an endpoint first has to show that its list of tokens goes on behind the prompt. llama.cpp's own
server gives none.
"""

import json
import math
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agentdebate.errors import DataError, MalformedReply, RequestRefused
from agentdebate.evaluators.references import shown
from agentdebate.models.base import Completion, ModelRequest, TokenLogprob
from agentdebate.models.dialects.options import OpenAIOptions
from agentdebate.models.dialects.provider_endpoint import ProviderEndpoint
from agentdebate.models.dialects.reply import loaded
from agentdebate.models.single_flight import SingleFlight

_PATH = "/completions"
_PROBE = "One, two, three, four, five,"
_UNKNOWN = "\ufffd"
"""Stands in a token's text for bytes that are no whole character."""
_HINT = "use an endpoint that returns the log-probabilities of the prompt (echo with logprobs), or a local language model"


class _Logprobs(BaseModel):
    model_config = ConfigDict(extra="ignore")

    tokens: list[str]
    token_logprobs: list[float | None]
    text_offset: list[int] | None = None


class _Choice(BaseModel):
    model_config = ConfigDict(extra="ignore")

    text: str = ""
    logprobs: _Logprobs | None = None


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore")

    choices: list[_Choice] = Field(min_length=1)


class Echo:
    """A model that is given a text and made to say another: the last message of a request, after those before it.

    The completion's text is that message, and its log-probabilities are those of its tokens.
    """

    structured = False

    def __init__(self, model: str, options: OpenAIOptions) -> None:
        self._model, self._extra = model, options.extra
        self._endpoint = ProviderEndpoint(self.name, _PATH, options)
        self.settings: Mapping[str, Any] = options.settings(self._endpoint.address, self._endpoint.hide)
        """The options it was opened with, without keys."""
        self._proofs = SingleFlight[str, None]()
        self._proven = False

    def __repr__(self) -> str:
        return f"<Echo {self._model} at {self._endpoint.place}>"

    @property
    def name(self) -> str:
        """The provider and the model."""
        return f"openai/{self._model}"

    async def complete(self, request: ModelRequest) -> Completion:
        """The log-probabilities of the last message's tokens after the messages before it.

        Raises ModelError; RequestRefused where the endpoint gives no log-probabilities of the prompt, or not those
        of its tokens.
        """
        if not self._proven:
            await self._proofs.run(self.name, self._prove)
        *before, said = (message.content for message in request.messages)
        given = "".join(before)
        found = await self._echoed(given + said)
        spans = self._spans(found, given + said)
        logprobs = tuple(self._said(found, spans, len(given), said))
        return Completion(text=said, model=self._model, logprobs=logprobs)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()

    async def _prove(self) -> None:
        """Have the endpoint show, once, that the token after the prompt is in its list.

        A list that ends with the prompt although a token was made after it has one figure too few: they are those of
        other tokens.
        """
        if self._proven:  # by the one before, where somebody takes over
            return
        found = await self._echoed(_PROBE)
        if all(start < len(_PROBE) for start, _ in self._spans(found, _PROBE)):
            raise self._refused(
                "the endpoint's list of log-probabilities does not reach the token that it adds"
            )
        self._proven = True

    async def _echoed(self, prompt: str) -> _Logprobs:
        """The tokens of a prompt, and of one more that the endpoint adds."""
        # Some servers take a limit of 0 tokens for no limit.
        asked = {"max_tokens": 1, "temperature": 0, "echo": True, "logprobs": 1}
        body = {"model": self._model, "prompt": prompt, **asked, **self._extra}
        answer = await self._endpoint.post(json.dumps(body, allow_nan=False).encode())
        if not 200 <= answer.status < 300:  # noqa: PLR2004 - the range of success
            raise self._endpoint.failure(self._endpoint.problem(answer))
        found = self._read(answer.body).choices[0].logprobs
        if found is None or not found.tokens:
            raise self._refused("the endpoint gave no log-probabilities")
        return found

    def _read(self, body: bytes) -> _Reply:
        try:
            reply = _Reply.model_validate(loaded(body))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"])) or "the body"
            raise MalformedReply(f"no completion: {place}: {first['msg']}", model=self.name) from error
        except ValueError as error:
            raise MalformedReply(f"no completion: {error}", model=self.name) from error
        for choice in reply.choices:
            self._check_lengths(choice.logprobs)
        return reply

    def _check_lengths(self, found: _Logprobs | None) -> None:
        if found is None:
            return
        sizes = {len(found.tokens), len(found.token_logprobs), len(found.text_offset or found.tokens)}
        if len(sizes) > 1 or any(value is not None and math.isnan(value) for value in found.token_logprobs):
            raise MalformedReply(
                "tokens and log-probabilities in the reply do not belong together", model=self.name
            )

    def _spans(self, found: _Logprobs, prompt: str) -> list[tuple[int, int]]:
        """Where each token begins and ends in the prompt. What stands before the prompt ends at 0 or before."""
        sizes = [len(token) for token in found.tokens]
        joined = "".join(found.tokens).find(prompt)
        if joined >= 0:
            starts = [end - size - joined for end, size in zip(accumulate(sizes), sizes, strict=True)]
        elif found.text_offset is not None and _fits(found.text_offset, found.tokens, prompt):
            starts = found.text_offset
        else:
            raise self._refused("the endpoint did not give the prompt's tokens back")
        return _spans(starts, starts[-1] + max(sizes[-1], 1))

    def _said(
        self, found: _Logprobs, spans: list[tuple[int, int]], start: int, said: str
    ) -> list[TokenLogprob]:
        end = start + len(said)
        inside = [place for place, span in enumerate(spans) if span[1] > start and span[0] < end]
        if not inside or spans[inside[0]][0] > start or spans[inside[-1]][1] < end:
            raise self._refused("the endpoint gave log-probabilities for a part of the prompt only")
        tokens = []
        for place in inside:
            value = found.token_logprobs[place]
            if value is None:
                raise DataError(
                    f"nothing stands before {shown(said)}, so the endpoint gives no probability for its first token:"
                    " use a template with some text before {hypothesis}"
                )
            tokens.append(TokenLogprob(token=found.tokens[place], logprob=value))
        return tokens

    def _refused(self, reason: str) -> RequestRefused:
        return RequestRefused(f"{reason}: {_HINT}", model=self.name)


def _spans(starts: list[int], end: int) -> list[tuple[int, int]]:
    """Where tokens begin and end. Several that begin at one place are the bytes of one character, and end together."""
    ends = [end]
    for start, following in zip(reversed(starts[:-1]), reversed(starts[1:]), strict=True):
        ends.append(ends[-1] if start == following else following)
    return list(zip(starts, reversed(ends), strict=True))


def _fits(offsets: list[int], tokens: list[str], prompt: str) -> bool:
    """Whether the tokens that are whole text stand in the prompt where their offsets say, one behind the other."""
    whole = [
        (start, token)
        for start, token in zip(offsets, tokens, strict=True)
        if token and _UNKNOWN not in token and not token.startswith("bytes:") and start < len(prompt)
    ]
    right = all(prompt.startswith(token, start) for start, token in whole)
    return bool(whole) and right and offsets == sorted(offsets)
