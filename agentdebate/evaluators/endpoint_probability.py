"""The probability of a text given another, by a language model behind a completions endpoint.

The same measure as language_model.py's for a causal model (GPTScore, Fu et al. 2023; Fusion-Eval, Section 3.1), where the
model is too large for this machine.
"""

import json
from collections.abc import Sequence
from typing import Any

import anyio

from agentdebate.errors import UsageError, raise_only
from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.echo import Echo
from agentdebate.evaluators.language_model import CAUSAL, PLACES
from agentdebate.evaluators.model_options import Likelihood, PremiseOptions, Template
from agentdebate.evaluators.references import Single, take_apart
from agentdebate.models.base import ChatMessage, Model, ModelRequest
from agentdebate.models.dialects.options import OpenAIOptions, Reach
from agentdebate.models.retry import Retrying
from agentdebate.options import read_options


class EndpointOptions(Likelihood, PremiseOptions):
    """What the model is given before the text, and what becomes of the text's log-probabilities."""

    template: str = CAUSAL
    """What the model is given, with {premise} in it and {hypothesis} at its end."""


class EndpointProbability:
    """The log-probability or probability of the hypothesis after the premise, by a model that echoes its prompt.

    A prompt that does not fit the model is the endpoint's error: nothing is cut.
    """

    def __init__(
        self, model: str, options: EndpointOptions | None = None, connection: OpenAIOptions | None = None
    ) -> None:
        self._options, self._model = options or EndpointOptions(), model
        self._before = Template.read(self._options.template, PLACES).before_hypothesis()
        echo = Echo(model, connection or OpenAIOptions())
        self._settings = echo.settings
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
        reached = {name: value for name, value in self._settings.items() if name in {"base_url", "extra"}}
        options = self._options.model_dump_json(exclude={"premise"})
        return f"endpoint-probability; {self._model}; {json.dumps(reached, sort_keys=True)}; {options}"

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
