"""A statement about the text, put to a decision model: the probability that it is true."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agentdebate.errors import MalformedReply, UsageError
from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.json_endpoint import JsonEndpoint, parted
from agentdebate.evaluators.model_options import PremiseOptions
from agentdebate.evaluators.references import Single, take_apart
from agentdebate.models.dialects.decisions import DECISIONS, SYSTEM_ONE, DecisionOptions, Wire
from agentdebate.models.dialects.questions import DecisionQuestion
from agentdebate.options import takes


class StatementOptions(PremiseOptions):
    """Options of the statement, and of what the text is given with."""

    statement: str
    """Statement about the text, such as "The text says nothing that the source does not say."."""


class StatementProbability:
    """The probability, from 0 to 1, that a decision model gives a statement about the text and its source."""

    range = Range(0.0, 1.0)

    def __init__(
        self, model: str, wire: Wire, options: StatementOptions, connection: DecisionOptions
    ) -> None:
        self._model, self._wire, self._options, self._extra = model, wire, options, connection.extra
        provider = wire.provider
        self._endpoint = JsonEndpoint(f"{provider.name}/{model}", wire.path, connection, provider)
        self._question = DecisionQuestion("statement", "Statement", options.statement, ("false", "true"))

    def __repr__(self) -> str:
        return f"<StatementProbability {self._model} at {self._endpoint.place}>"

    @property
    def name(self) -> str:
        """The protocol and the model."""
        return f"{self._wire.provider.name}-{self._model.rpartition('/')[2].lower()}"

    @property
    def version(self) -> str:
        """The model, its endpoint and the options. What the endpoint runs under that name, it alone knows."""
        sent = json.dumps(self._extra, sort_keys=True)
        return f"{self.name}; {self._endpoint.place}; {sent}; {self._options.model_dump_json(exclude={'premise'})}"

    @property
    def premise(self) -> str:
        """The item's field that the model is given."""
        return self._options.premise

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score a pair, in order. Raises ModelError; ContentFiltered where the model declines to answer."""
        apart = take_apart(pairs, field=self.premise, uses_premise=True)
        return await apart.scored(self._probability, self._options.references)

    async def aclose(self) -> None:
        """Close the connections. Safe to call twice."""
        await self._endpoint.aclose()

    async def _probability(self, single: Single) -> float:
        state = {self.premise: single.premise, "text": single.hypothesis}
        body = {"model": self._model, **self._wire.asked(state, [self._question]), **self._extra}
        return await self._endpoint.post(body, self._read)

    def _read(self, body: bytes) -> float:
        found = self._wire.read(body, [self._question])
        if found is None:
            raise MalformedReply("there is no answer in the reply")
        return found[1][0][1]


def _opened(wire: Wire, model: str, options: Mapping[str, Any]) -> StatementProbability:
    name = wire.provider.name
    if not model.strip():
        raise UsageError(f"name a model: {name}/MODEL")
    return StatementProbability(
        model.strip(), wire, *parted(StatementOptions, DecisionOptions, options, name)
    )


@takes(StatementOptions, DecisionOptions)
def open_decisions(model: str, **options: Any) -> StatementProbability:
    """decisions/MODEL: how probable a decision model of OpenAI's holds a statement about the text. The options are those of StatementOptions and of an endpoint. Raises UsageError."""
    return _opened(DECISIONS, model, options)


@takes(StatementOptions, DecisionOptions)
def open_system_one(model: str, **options: Any) -> StatementProbability:
    """systemone/MODEL: how probable a decision model of TypeSafe's, or an open one, holds a statement about the text. The options are those of decisions/MODEL. Raises UsageError."""
    return _opened(SYSTEM_ONE, model, options)
