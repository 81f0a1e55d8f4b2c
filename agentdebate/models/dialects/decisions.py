"""Decision models: OpenAI's decisions, and the System One protocol of TypeSafe and of open weights."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from agentdebate.errors import ContentFiltered, MalformedReply
from agentdebate.models import provider_keys
from agentdebate.models.base import ModelRequest
from agentdebate.models.dialects.chat_completions import usage_of
from agentdebate.models.dialects.dialect import Dialect
from agentdebate.models.dialects.endpoint_model import EndpointModel, Opener, RequestForm
from agentdebate.models.dialects.options import SamplingOptions
from agentdebate.models.dialects.questions import (
    DecisionQuestion,
    Distribution,
    ballot_asked,
    distribution,
    is_share,
    questions_of,
    state_of,
    told,
)
from agentdebate.models.dialects.reply import (
    Choice,
    Response,
    mapping,
    objects,
    read_object,
    text_or_none,
)
from agentdebate.models.provider_keys import Provider

_TAKEN = Dialect(
    drops=frozenset({"temperature", "top_p", "frequency_penalty", "presence_penalty"}),
    refuses=frozenset({"seed", "stop"}),
    single=True,
    holds=False,
    efforts=("none",),
)


@dataclass(frozen=True, slots=True)
class Wire:
    """A protocol of decision models: whose it is, how questions about a state are sent, and how answers come back."""

    provider: Provider
    path: str
    asked: Callable[[Mapping[str, Any], Sequence[DecisionQuestion]], dict[str, Any]]
    """The fields of a request beside the model."""
    answered: Callable[[Mapping[str, Any], DecisionQuestion], Mapping[str, Any]]
    """The probability of each label, in the answer to a question."""

    def read(
        self, body: bytes, questions: Sequence[DecisionQuestion]
    ) -> tuple[dict[str, Any], list[Distribution]] | None:
        """The reply and the distribution of each question's answers; None where there are no answers.

        Raises MalformedReply, and ContentFiltered where a question was declined.
        """
        said = read_object(body, "a decision")
        answers = said.get("answers")
        if isinstance(answers, list):
            answers = {str(one.get("name")): one for one in objects(answers)}
            if lost := [one.title for one in questions if one.name not in answers]:
                raise MalformedReply(f"the reply neither answers nor declines the question on {lost[0]}")
        if not isinstance(answers, dict):
            return None
        found: list[Distribution] = []
        for one in questions:
            answer = mapping(answers.get(one.name))
            if answer.get("type") in (None, "refusal"):
                raise ContentFiltered(f"the model declined to answer: {one.title}")
            found.append(distribution(self.answered(answer, one), one))
        return said, found


def _asked_of_openai(state: Mapping[str, Any], questions: Sequence[DecisionQuestion]) -> dict[str, Any]:
    """The fields of /v1/decisions, as of openai 3.57.0 (2026-11-29)."""
    each: list[dict[str, Any]] = []
    for one in questions:
        answers: Mapping[str, Any] = {
            "score": {"levels": [{"label": label} for label in one.labels]},
            "choice": {"choices": [{"value": label} for label in one.labels]},
        }.get(one.kind, {})
        each.append({"type": one.kind, "name": one.name, "instructions": one.instructions, **answers})
    part = {"type": "input_json", "data": state}
    unwritten = {
        "mode": "explicit"
    }  # and no mark: one request asks all of an item, so that what is cached is not read
    return {
        "input": [{"role": "user", "content": [part]}],
        "questions": each,
        "prompt_cache_options": unwritten,
    }


def _answered_by_openai(answer: Mapping[str, Any], question: DecisionQuestion) -> Mapping[str, Any]:
    if answer["type"] == "predicate":
        return _pair(question, answer.get("probability"))
    each = objects(answer.get("probabilities"))
    return {str(one.get("label", one.get("value"))): one.get("probability") for one in each}


def _asked_of_system_one(state: Mapping[str, Any], questions: Sequence[DecisionQuestion]) -> dict[str, Any]:
    """The fields of /v1/systemone, as of typesafe-sdk 0.7.5 (2026-11-29)."""
    each: dict[str, Any] = {}
    for one in questions:
        criteria = dict.fromkeys(one.labels) if one.kind == "choice" else [*one.labels]
        form = {"type": "noul"} if one.kind == "predicate" else {"type": one.kind, "criteria": criteria}
        each[one.name] = {**form, "instructions": one.instructions}
    return {"state": state, "questions": each}


def _answered_by_system_one(answer: Mapping[str, Any], question: DecisionQuestion) -> Mapping[str, Any]:
    if answer["type"] == "noul":
        return _pair(question, answer.get("noul"))
    shares = mapping(answer.get("probabilities"))
    places = {label: shares.get(str(at)) for at, label in enumerate(question.labels)}
    return places if answer["type"] == "score" else shares


def _pair(question: DecisionQuestion, share: object) -> Mapping[str, Any]:
    low, high = question.labels
    return {low: 1 - share, high: share} if is_share(share) else {}


DECISIONS = Wire(provider_keys.DECISIONS, "/decisions", _asked_of_openai, _answered_by_openai)
"""OpenAI's decisions."""
SYSTEM_ONE = Wire(provider_keys.SYSTEM_ONE, "/v1/systemone", _asked_of_system_one, _answered_by_system_one)
"""System One: TypeSafe's Jev, and the open models that llama.cpp and others serve."""


class DecisionOptions(SamplingOptions):
    """Options of an endpoint of decision models."""

    ours: ClassVar[frozenset[str]] = frozenset(("input", "model", "questions", "state"))


class DecisionModel(EndpointModel):
    """A model that answers questions with a probability for every answer: a line of a ballot is a question, all of them one request.

    It is sent the item and what its agent heard, not the prompt. It fills in the form with the most probable answers, whose tokens have the others
    as alternatives: so there are expected scores and confidences of it.
    """

    def __init__(self, model: str, options: SamplingOptions, provider: Provider) -> None:
        self._wire = DECISIONS if provider.name == DECISIONS.provider.name else SYSTEM_ONE
        super().__init__(model, provider, options, _TAKEN, self._wire.path)

    def body(self, request: ModelRequest, form: RequestForm) -> dict[str, Any]:  # noqa: ARG002 - as all have it
        """The body of a request. Raises RequestRefused where it is not for a ballot of ratings."""
        context = ballot_asked(request)
        asked = self._wire.asked(state_of(context), questions_of(context))
        return {"model": self._model, **asked, **self._extra}

    def read(self, body: bytes, form: RequestForm) -> Response | None:
        """The ballot in a body. Raises MalformedReply, and ContentFiltered where a question was declined."""
        questions = questions_of(ballot_asked(form.request))
        found = self._wire.read(body, questions)
        if found is None:
            return None
        said, shares = found
        text, tokens = told(questions, shares)
        usage = usage_of(said.get("usage"), "input", "output")
        return Response([Choice(text, "stop", tokens)], usage, text_or_none(said.get("model")))


open_decisions = Opener(DECISIONS.provider, DecisionModel, DecisionOptions, "a decision model of OpenAI's.")

open_system_one = Opener(
    SYSTEM_ONE.provider,
    DecisionModel,
    DecisionOptions,
    "a decision model of TypeSafe's, or an open one, by base_url.",
)
