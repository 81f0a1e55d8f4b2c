"""The probability of a text given another, by a language model behind a completions endpoint.

The same measure as language_model.py's for a causal model (GPTScore, Fu et al. 2023; Fusion-Eval, Section 3.1), where the
model is too large for this machine. OpenAI's completions API gives a prompt back with the log-probability of each of its
tokens (echo and logprobs). vLLM and others follow it. Some servers' figures stand one token too late, so an endpoint first
has to show that its list of tokens goes on behind the prompt.
"""

import json
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import anyio
from pydantic import BaseModel, Field, FiniteFloat, ValidationError

from agentdebate.errors import DataError, MalformedReply, RequestRefused, UsageError, raise_only
from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.language_model import CAUSAL, PLACES
from agentdebate.evaluators.model_options import Likelihood, PremiseOptions, Template
from agentdebate.evaluators.references import Single, shown, take_apart
from agentdebate.models.base import ChatMessage, Completion, Model, ModelRequest, TokenLogprob
from agentdebate.models.dialects.options import OpenAIOptions, Reach
from agentdebate.models.dialects.provider_endpoint import ProviderEndpoint
from agentdebate.models.dialects.reply import loaded
from agentdebate.models.retry import Retrying
from agentdebate.options import read_options

_PATH = "/completions"
_PROBE = "One, two, three, four, five,"
_HINT = "use an endpoint that returns the log-probabilities of the prompt (echo with logprobs), or a local language model"


class EndpointOptions(Likelihood, PremiseOptions):
    """What the model is given before the text, and what becomes of the text's log-probabilities."""

    template: str = CAUSAL
    """What the model is given, with {premise} in it and {hypothesis} at its end."""


class _Logprobs(BaseModel):
    tokens: list[str] = Field(min_length=1)
    token_logprobs: list[FiniteFloat | None]

    def spans(self, prompt: str) -> list[tuple[int, int]] | None:
        """Where each token begins and ends in the prompt; None where they are not the prompt's."""
        ends = list(accumulate(len(token) for token in self.tokens))
        start = "".join(self.tokens).find(prompt)  # what stands before it is a mark of the beginning
        if start < 0 or len(self.tokens) != len(self.token_logprobs):
            return None
        return list(pairwise(end - start for end in (0, *ends)))


class _Choice(BaseModel):
    logprobs: _Logprobs | None = None


class _Reply(BaseModel):
    choices: list[_Choice] = Field(min_length=1)


class Echo:
    """A model that is given a text and made to say another: the last message of a request, after those before it.

    The completion's text is that message, and its log-probabilities are those of its tokens.
    """

    structured = False

    def __init__(self, model: str, options: OpenAIOptions) -> None:
        self._model, self._extra = model, options.extra
        self._endpoint = ProviderEndpoint(self.name, _PATH, options)
        self.address = self._endpoint.place
        self._proving, self._proven = anyio.Lock(), False

    def __repr__(self) -> str:
        return f"<Echo {self._model} at {self.address}>"

    @property
    def name(self) -> str:
        """The provider and the model."""
        return f"openai/{self._model}"

    async def complete(self, request: ModelRequest) -> Completion:
        """The log-probabilities of the last message's tokens after the messages before it.

        Raises ModelError; RequestRefused where the endpoint gives no log-probabilities of the prompt, or not those
        of its tokens.
        """
        await self._prove()
        *before, said = (message.content for message in request.messages)
        given = "".join(before)
        found = await self._echoed(given + said)
        end = len(given) + len(said)
        tokens = []
        for (begins, ends), token, value in zip(
            self._spans(found, given + said), found.tokens, found.token_logprobs, strict=True
        ):
            if ends > len(given) and begins < end:
                if value is None:
                    raise DataError(
                        f"the endpoint gives no probability for a token of {shown(said)}: where nothing stands before it, use a"
                        " template with some text before {hypothesis}"
                    )
                tokens.append(TokenLogprob(token=token, logprob=value))
        return Completion(text=said, model=self._model, logprobs=tuple(tokens))

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()

    async def _prove(self) -> None:
        """Have the endpoint show, once, that the token after the prompt is in its list.

        A list that ends with the prompt although a token was made after it has one figure too few: they are those of
        other tokens.
        """
        async with self._proving:
            if not self._proven:
                begins, _ = self._spans(await self._echoed(_PROBE), _PROBE)[-1]
                if begins < len(_PROBE):
                    raise self._refused(
                        "the endpoint's list of log-probabilities does not reach the token that it adds"
                    )
                self._proven = True

    async def _echoed(self, prompt: str) -> _Logprobs:
        """The tokens of a prompt, and of one more that the endpoint adds: some servers take a limit of 0 for no limit."""
        asked = {"max_tokens": 1, "temperature": 0, "echo": True, "logprobs": 1}
        body = {"model": self._model, "prompt": prompt, **asked, **self._extra}
        answer = await self._endpoint.post(json.dumps(body, allow_nan=False).encode())
        if not 200 <= answer.status < 300:  # noqa: PLR2004 - the range of success
            raise self._endpoint.failure(self._endpoint.problem(answer))
        try:
            found = _Reply.model_validate(loaded(answer.body)).choices[0].logprobs
        except ValueError as error:
            reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
            raise MalformedReply(
                f"no completion with log-probabilities: {reason}", model=self.name
            ) from error
        if found is None:
            raise self._refused("the endpoint gave no log-probabilities")
        return found

    def _spans(self, found: _Logprobs, prompt: str) -> list[tuple[int, int]]:
        spans = found.spans(prompt)
        if spans is None:
            raise self._refused("the endpoint did not give the prompt's tokens back, each with its figure")
        return spans

    def _refused(self, reason: str) -> RequestRefused:
        return RequestRefused(f"{reason}: {_HINT}", model=self.name)


class EndpointProbability:
    """The log-probability or probability of the hypothesis after the premise, by a model that echoes its prompt.

    A prompt that does not fit the model is the endpoint's error: nothing is cut.
    """

    def __init__(
        self, model: str, options: EndpointOptions | None = None, connection: OpenAIOptions | None = None
    ) -> None:
        self._options, self._model = options or EndpointOptions(), model
        self._before = Template.read(self._options.template, PLACES).before_hypothesis()
        connection = connection or OpenAIOptions()
        echo = Echo(model, connection)
        self._sent = f"{echo.address}; {json.dumps(connection.extra, sort_keys=True)}"
        self._echo: Model = Retrying(echo)

    def __repr__(self) -> str:
        return f"<EndpointProbability {self._echo!r}>"

    @property
    def name(self) -> str:
        """Its kind and the model's name."""
        return f"endpoint-probability-{self._model.rpartition('/')[2].lower()}"

    @property
    def version(self) -> str:
        """The model, its endpoint and the options. What the endpoint runs under that name, it alone knows."""
        options = self._options.model_dump_json(exclude={"premise"})
        return f"endpoint-probability; {self._model}; {self._sent}; {options}"

    @property
    def range(self) -> Range:
        """What was given; else 0 to 1 for a probability, and -10 to 0 for a mean log-probability."""
        return self._options.expected

    @property
    def premise(self) -> str:
        """The item's field that the model is given."""
        return self._options.premise

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score a pair, in order.

        Raises ModelError; RequestRefused where the endpoint returns no log-probabilities of prompts.
        """
        uses_premise = "premise" in self._before.places
        apart = take_apart(pairs, field=self.premise, uses_premise=uses_premise)
        scores = [0.0] * len(apart.singles)

        async def one(number: int) -> None:
            scores[number] = await self._score(apart.singles[number])

        try:
            async with anyio.create_task_group() as group:
                for number in range(len(scores)):
                    group.start_soon(one, number)
        except BaseExceptionGroup as errors:
            raise_only(errors)
        return apart.fold(scores, self._options.references)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._echo.aclose()

    async def _score(self, single: Single) -> float:
        given = self._before.fill(premise=single.premise)
        messages = ChatMessage("user", given), ChatMessage("assistant", single.hypothesis)
        completion = await self._echo.complete(ModelRequest(messages))
        return self._options.score([token.logprob for token in completion.logprobs or ()])


def open_endpoint_probability(model: str, **options: Any) -> EndpointProbability:
    """endpoint-probability/MODEL: how probable a model behind a completions endpoint holds the text (GPTScore). The options are those of EndpointOptions, and base_url, api_key_env,
    timeout, connections, extra, headers and transport of openai models. Raises UsageError.
    """
    if not model.strip():
        raise UsageError("name a model: endpoint-probability/meta-llama/Llama-3.1-8B")
    connection = {name: value for name, value in options.items() if name in Reach.model_fields}
    rest = {name: value for name, value in options.items() if name not in connection}
    chosen = read_options(EndpointOptions, rest, of="endpoint-probability")
    return EndpointProbability(
        model.strip(), chosen, OpenAIOptions.read(connection, of="endpoint-probability")
    )
