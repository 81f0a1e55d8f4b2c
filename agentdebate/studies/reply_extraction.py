"""`read="model=NAME"`: a model looks up the judgement in each recorded reply that our reader refuses."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import anyio
from anyio.from_thread import start_blocking_portal

from agentdebate.ballots.json_objects import as_object
from agentdebate.ballots.plain import bounded, spoken
from agentdebate.ballots.replies.choices import TIE
from agentdebate.ballots.sheet import ballot_schema, closed_object
from agentdebate.errors import ModelError, UsageError, raise_only
from agentdebate.meta.replies import Extraction, Refused
from agentdebate.models.base import ChatMessage, Completion, Model, ModelRequest, Sampling
from agentdebate.models.prices import prices, total_cost
from agentdebate.models.registry import model as open_model
from agentdebate.project.project import Project
from agentdebate.prompts.foreign_text import fenced
from agentdebate.prompts.prompts import Prompts
from agentdebate.tasks import Aspect

NONE = "none"
"""The answer where a reply gives no judgement."""
_CHOICE = "choice"
_TOGETHER = 8
"""Calls at once."""


class ReplyExtractor:
    """Asks a model about replies, one call each, and no more than `most` calls in all. What it answers counts by the schema alone."""

    def __init__(self, model: Model | str, most: int, *, project: Project | None = None) -> None:
        if model == "offline":
            raise UsageError("read='model=offline': the offline judge computes scores, and reads no replies")
        self._model, self._left = model, most
        self._project = project or Project.here()
        self._part = Prompts(self._project).part("extract")

    def __repr__(self) -> str:
        return f"<ReplyExtractor of {self._model}: {self._left} calls left>"

    def __call__(self, refused: Sequence[Refused], /) -> Extraction:
        """Ask about each of these replies as long as calls are left. Raises UserError for a model that cannot be opened."""
        asked = refused[: self._left]
        self._left -= len(asked)
        name = self._model if isinstance(self._model, str) else self._model.name
        if not asked:
            return Extraction(name, unasked=len(refused))
        with start_blocking_portal() as portal:  # the caller may be inside a running event loop
            answers = portal.call(self._ask, asked)
        return self._extraction(name, answers, len(refused) - len(asked))

    async def _ask(self, refused: Sequence[Refused]) -> dict[Refused, Completion | ModelError]:
        """Open the model, and ask it; one that was given stays open."""
        if not isinstance(self._model, str):
            return await self._answers(self._model, refused)
        model = open_model(self._model)
        try:
            return await self._answers(model, refused)
        finally:
            await model.aclose()

    async def _answers(
        self, model: Model, refused: Sequence[Refused]
    ) -> dict[Refused, Completion | ModelError]:
        """What the model answers to each, in their order, or why it does not."""
        answers = dict[Refused, Completion | ModelError]()
        limiter = anyio.CapacityLimiter(_TOGETHER)

        async def ask(one: Refused) -> None:
            async with limiter:
                try:
                    answers[one] = await model.complete(self._request(one))
                except ModelError as error:
                    answers[one] = error

        try:
            async with anyio.create_task_group() as group:
                for one in refused:
                    group.start_soon(ask, one)
        except ExceptionGroup as error:
            raise_only(error)
        return {one: answers[one] for one in refused}

    def _request(self, refused: Refused) -> ModelRequest:
        text = fenced("The reply", bounded(spoken(refused.text)))
        said = self._part.render(texts=[text], aspects=refused.aspects, candidates=refused.labels)
        return ModelRequest(
            (ChatMessage("user", said),), Sampling(temperature=0, max_tokens=4000), _schema(refused)
        )

    def _extraction(
        self, name: str, answers: Mapping[Refused, Completion | ModelError], unasked: int
    ) -> Extraction:
        given = {one: said for one, said in answers.items() if isinstance(said, Completion)}
        usages = [(said.model, said.usage) for said in given.values()]
        table = prices(project=self._project)
        cost, price = total_cost(usages, table, otherwise=name), table.price_of(name)
        return Extraction(
            name,
            {one: dict(_scores(_object(said), one.aspects)) for one, said in given.items()},
            {
                one: choice
                for one, said in given.items()
                if (choice := _object(said).get(_CHOICE)) in (*one.labels, TIE) and one.labels
            },
            calls=len(answers),
            tokens=sum(usage.tokens for _, usage in usages),
            money="" if cost is None or price is None else f"{cost:.4f} {price.currency}",
            failures=tuple(str(said) for said in answers.values() if isinstance(said, ModelError)),
            unasked=unasked,
        )


def _schema(refused: Refused) -> dict[str, Any]:
    """The JSON schema of an answer."""
    if refused.labels:
        return closed_object({_CHOICE: {"type": "string", "enum": [*refused.labels, TIE, NONE]}})
    numbers = ballot_schema(refused.aspects, reasoned=False)["properties"]
    none = {"type": "string", "enum": [NONE]}
    return closed_object({name: {"anyOf": [number, none]} for name, number in numbers.items()})


def _object(answer: Completion) -> dict[str, Any]:
    """The JSON object that an answer is; empty for any other answer, which gives no judgement."""
    return dict(as_object(spoken(answer.text).strip()) or ())


def _scores(said: Mapping[str, Any], aspects: Sequence[Aspect]) -> Iterator[tuple[str, float]]:
    """The scores in an answer: nothing but values that the schema has."""
    for aspect in aspects:
        value, scale = said.get(aspect.name), aspect.scale
        if scale.grades:
            value = dict(scale.grades).get(value) if isinstance(value, str) else None
        if isinstance(value, int | float) and not isinstance(value, bool) and value in scale:
            yield aspect.name, float(value)
