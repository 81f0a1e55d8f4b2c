"""Questions to a decision model, which writes no text: a distribution over the answers to each, told as a reply with tokens."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

from agentdebate.errors import MalformedReply, RequestRefused
from agentdebate.models.base import Context, ModelRequest, TokenLogprob
from agentdebate.models.dialects.reply import token_logprob

_PAIR, _LEVELS, _CHOICES = 2, 10, 255
"""Most answers of a question of each kind: a predicate has two, and TypeSafe's scores ten at most (2026-11-29)."""
_SHEETS = frozenset({"score", "ruling", "filled", "expected"})
"""The kinds of reply that a decision model gives: ballots of ratings."""


@dataclass(frozen=True, slots=True)
class DecisionQuestion:
    """A question: its name, its title in a form, what is asked, and its answers, the lowest first."""

    name: str
    title: str
    instructions: str
    labels: tuple[str, ...]

    @property
    def kind(self) -> Literal["predicate", "score", "choice"]:
        """The kind of question: a statement that is true or false, a score on a few levels, or a choice."""
        few: Literal["score", "choice"] = "score" if len(self.labels) <= _LEVELS else "choice"
        return "predicate" if len(self.labels) == _PAIR else few


Distribution = Sequence[float]
"""The probability of each answer, in the order of the answers."""


def ballot_asked(request: ModelRequest) -> Context:
    """The context of a request for a ballot of ratings. Raises RequestRefused where another reply is wanted."""
    context = request.context
    if context is None or context.reply not in _SHEETS:
        wanted = "replies to a prompt alone" if context is None else f"a {context.reply!r}"
        raise RequestRefused(f"a decision model writes no text: it gives ballots of ratings, not {wanted}")
    return context


def questions_of(context: Context) -> list[DecisionQuestion]:
    """The questions whose answers are the lines of a ballot; on a scale of two values a statement of the higher one.

    Raises RequestRefused for a scale of too many values.
    """
    found: list[DecisionQuestion] = []
    text = "" if context.candidates else f" of the {context.task.judged.replace('_', ' ')}"
    for aspect in (line.aspect for line in context.lines):
        scale, values = aspect.scale, aspect.scale.values or ()
        if not 0 < len(values) <= _CHOICES:
            why = f"{aspect.title} can be rated {scale}, and not in up to {_CHOICES} steps"
            raise RequestRefused(f"a decision model is given the answers: {why}")
        labels = tuple(scale.grade(value) or f"{value:g}" for value in values)
        order = "1 is the best place" if aspect.rank else f"{labels[-1]} is the most, {labels[0]} the least"
        end = f"The answer is {labels[1]}, not {labels[0]}." if len(labels) == _PAIR else f"({order}.)"
        asked = "\n".join([f"{aspect.title}{text}: {aspect.criterion}", *aspect.steps, end])
        found.append(DecisionQuestion(aspect.name, aspect.title, asked, labels))
    return found


def state_of(context: Context) -> dict[str, Any]:
    """The state that questions are about: the item's texts by name, and the talk so far, where the agent heard any."""
    labels = {one.field: one.label for one in context.candidates}
    texts = {labels.get(name, name): context.item.fields[name] for name in context.task.shown(context.item)}
    heard = [{"from": one.sender, "text": one.text} for one in context.heard]
    return {**texts, "discussion of the judges": heard} if heard else texts


def distribution(shares: Mapping[str, Any], question: DecisionQuestion) -> Distribution:
    """The shares of a question's answers, made to sum up to 1. Raises MalformedReply where one has none."""
    found = [shares.get(label) for label in question.labels]
    numbers = [one for one in found if is_share(one)]
    if len(numbers) != len(found) or not (whole := math.fsum(numbers)):
        raise MalformedReply(
            f"the answer on {question.title} has not a probability from 0 to 1 for each of its values"
        )
    return [one / whole for one in numbers]


def is_share(value: object) -> TypeGuard[float]:
    """Tell whether a value is a probability."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def told(
    questions: Sequence[DecisionQuestion], found: Sequence[Distribution]
) -> tuple[str, tuple[TokenLogprob, ...]]:
    """A form filled in with the most probable answers, and its tokens: an answer is one, with the others as its alternatives."""
    tokens: list[TokenLogprob] = []
    for one, shares in zip(questions, found, strict=True):
        top = [
            {"token": f"{label}\n", "logprob": math.log(share) if share else None}
            for label, share in zip(one.labels, shares, strict=True)
        ]
        best = max(range(len(top)), key=shares.__getitem__)
        tokens += [
            TokenLogprob(token=f"{one.title}: ", logprob=0.0),
            token_logprob(top[best], "logprob", top),
        ]
    return "".join(one.token for one in tokens), tuple(tokens)
