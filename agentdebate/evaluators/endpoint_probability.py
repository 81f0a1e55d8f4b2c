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

from agentdebate.errors import DataError, MalformedReply, RequestRefused, UsageError
from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.json_endpoint import JsonEndpoint, parted
from agentdebate.evaluators.language_model import CAUSAL, PLACES
from agentdebate.evaluators.model_options import Likelihood, PremiseOptions, Template
from agentdebate.evaluators.references import Single, shown, take_apart
from agentdebate.models.dialects.options import ChatOptions
from agentdebate.models.dialects.reply import loaded
from agentdebate.options import takes

_PROBE = "One, two, three, four, five,"
_HINT = "use an endpoint that returns the log-probabilities of the prompt (echo with logprobs), or a local language model"


class EndpointOptions(Likelihood, PremiseOptions):
    """Options of the prompt before the text, and of the score from the text's log-probabilities."""

    template: str = CAUSAL
    """Prompt of the model, with {premise} in it and {hypothesis} at its end."""


class _Logprobs(BaseModel):
    tokens: list[str] = Field(min_length=1)
    token_logprobs: list[FiniteFloat | None]


class _Choice(BaseModel):
    logprobs: _Logprobs | None = None


class _Reply(BaseModel):
    choices: list[_Choice] = Field(min_length=1)


def _read(body: bytes) -> _Logprobs | None:
    """The log-probabilities in a completion. Raises MalformedReply."""
    try:
        return _Reply.model_validate(loaded(body)).choices[0].logprobs
    except ValueError as error:
        reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        raise MalformedReply(f"no completion with log-probabilities: {reason}") from error


class EndpointProbability:
    """The log-probability or probability of the hypothesis after the premise, by a model that echoes its prompt.

    A prompt that does not fit the model is the endpoint's error: nothing is cut.
    """

    def __init__(self, model: str, options: EndpointOptions, connection: ChatOptions) -> None:
        self._model, self._options, self._extra = model, options, connection.extra
        self._before = Template.read(options.template, PLACES).before_hypothesis()
        self._endpoint = JsonEndpoint(f"openai/{model}", "/completions", connection)
        self._proving, self._proven = anyio.Lock(), False

    def __repr__(self) -> str:
        return f"<EndpointProbability {self._model} at {self._endpoint.place}>"

    @property
    def name(self) -> str:
        """Kind of evaluator and name of the model."""
        return f"endpoint-probability-{self._model.rpartition('/')[2].lower()}"

    @property
    def version(self) -> str:
        """The model, its endpoint and the options. What the endpoint runs under that name, it alone knows."""
        sent, options = (
            json.dumps(self._extra, sort_keys=True),
            self._options.model_dump_json(exclude={"premise"}),
        )
        return f"endpoint-probability; {self._model}; {self._endpoint.place}; {sent}; {options}"

    @property
    def range(self) -> Range:
        """Range of the scores: as given, else 0 to 1 for a probability, and -10 to 0 for a mean log-probability."""
        return self._options.expected

    @property
    def premise(self) -> str:
        """The item's field that the model is given."""
        return self._options.premise

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score a pair, in order.

        Raises ModelError; RequestRefused where the endpoint returns no log-probabilities of prompts, or not those of the
        prompt's tokens.
        """
        uses_premise = "premise" in self._before.places
        apart = take_apart(pairs, field=self.premise, uses_premise=uses_premise)
        await self._prove()
        return await apart.scored(self._probability, self._options.references)

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
                begins, _, _ = (await self._echoed(_PROBE))[-1]
                if begins < len(_PROBE):
                    raise self._refused(
                        "the endpoint's list of log-probabilities does not reach the token that it adds"
                    )
                self._proven = True

    async def _probability(self, single: Single) -> float:
        return self._options.score(await self._logprobs(single))

    async def _logprobs(self, single: Single) -> list[float]:
        """The log-probabilities of the tokens that hold any of the hypothesis."""
        given = self._before.fill(premise=single.premise)
        prompt = given + single.hypothesis
        tokens = await self._echoed(prompt)
        found = [value for begins, ends, value in tokens if ends > len(given) and begins < len(prompt)]
        known = [value for value in found if value is not None]
        if len(known) < len(found):
            raise DataError(
                f"nothing stands before {shown(single.hypothesis)}, so the endpoint gives no probability for its first token:"
                " use a template with some text before {hypothesis}"
            )
        return known

    async def _echoed(self, prompt: str) -> list[tuple[int, int, float | None]]:
        """Get the tokens of a prompt, and one more that the endpoint adds: beginning, end and log-probability."""
        # Some servers take a limit of 0 tokens for no limit.
        asked = {"max_tokens": 1, "temperature": 0, "echo": True, "logprobs": 1}
        found = await self._endpoint.post(
            {"model": self._model, "prompt": prompt, **asked, **self._extra}, _read
        )
        if found is None:
            raise self._refused("the endpoint gave no log-probabilities")
        start = "".join(found.tokens).find(prompt)  # what stands before it is a mark of the beginning
        if start < 0 or len(found.tokens) != len(found.token_logprobs):
            raise self._refused("the endpoint did not give the prompt's tokens back, each with its figure")
        ends = accumulate((len(token) for token in found.tokens), initial=-start)
        return [(*span, value) for span, value in zip(pairwise(ends), found.token_logprobs, strict=True)]

    def _refused(self, reason: str) -> RequestRefused:
        return RequestRefused(f"{reason}: {_HINT}", model=f"openai/{self._model}")


@takes(EndpointOptions, ChatOptions)
def open_endpoint_probability(model: str, **options: Any) -> EndpointProbability:
    """endpoint-probability/MODEL: how probable a model behind a completions endpoint holds the text (GPTScore). The options are those of EndpointOptions, and base_url, api_key_env,
    timeout, connections, extra, headers and transport of openai models. Raises UsageError.
    """
    if not model.strip():
        raise UsageError("name a model: endpoint-probability/meta-llama/Llama-3.1-8B")
    return EndpointProbability(
        model.strip(), *parted(EndpointOptions, ChatOptions, options, "endpoint-probability")
    )
