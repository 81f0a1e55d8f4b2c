"""How sure an agent is of its ballot: as it says itself, by the tokens of its judgement, or by repeats of the question."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from typing import Any, TypeGuard

from agentdebate.agents.reply_kind import Doubt, Fields, Read, ReplyKind, texts_of
from agentdebate.ballots.ballot import Ballot, Confidence, Source
from agentdebate.ballots.confidence import KEY, confidence_over, stated_confidence
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.errors import RequestRefused, StrategyError
from agentdebate.models.base import Completion

FORM, STRUCTURED = "form-confidence", "form-confidence-schema"
"""The prompt parts that ask for a line, and for a key."""
FEWEST = 2
"""Repeats from which something can be told."""


def check_confidence(kind: ReplyKind, source: Source, spec: ReplySpec) -> None:
    """Raise StrategyError where nobody can be asked how sure of it they are."""
    ballot = next((one for one in fields(kind.message) if one.name == "ballot"), None)
    if ballot is None or not (ballot.default is MISSING or kind.places):
        raise StrategyError(
            f"a reply of the kind {kind.name!r} carries no ballot that somebody could be sure of"
        )
    if source == "asked" and any(line.aspect.name == KEY for line in spec.lines):
        raise StrategyError(
            f'an aspect is called {KEY!r}, which is how agents say how sure they are: confidence = "repeats"'
        )
    if source == "repeats" and spec.samples < FEWEST:
        raise StrategyError(
            "to tell a confidence from repeats takes several samples: give the agents sampling with n = 5"
        )
    if source == "repeats" and any(line.aspect.scale.step is None for line in spec.lines):
        raise StrategyError(
            "repeats that may give any number on a scale never come to the same: give the scale steps, or confidence "
            '= "asked" or "log-probabilities"'
        )
    if source == "log-probabilities" and kind.places is None:
        raise StrategyError(
            f"it is not known which tokens of a {kind.name!r} are its judgement: its ReplyKind has no places"
        )


def with_confidence_key(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema of an object, with a key for the confidence behind the others."""
    number = {"type": "integer", "minimum": 0, "maximum": 100}
    return {
        **schema,
        "properties": {**schema.get("properties", {}), KEY: number},
        "required": [*schema.get("required", ()), KEY],
    }


def read_confidently(kind: ReplyKind, completion: Completion, spec: ReplySpec, source: Source) -> Read:
    """A reply with the confidence of its ballot.

    A reply that does not say how sure it is, where it was asked, is in doubt. Raises RequestRefused where log-probabilities
    were wanted and the model gave none.
    """
    if source == "asked":
        return _asked(kind, completion, spec)
    if source == "repeats":
        return _repeated(kind, completion, spec)
    return _likely(kind, completion, spec)


def _asked(kind: ReplyKind, completion: Completion, spec: ReplySpec) -> Read:
    stated = stated_confidence(completion.text)
    read = kind.fields_of(replace(completion, text=stated.rest), spec)
    if not _carries(read):
        return read
    if stated.confidence is None:
        return Doubt(read, stated.problem)
    said = f"{read['text']}\nConfidence: {stated.confidence.value:.0%}"
    return {**_sure(read, stated.confidence), "text": said}


def _likely(kind: ReplyKind, completion: Completion, spec: ReplySpec) -> Read:
    if completion.logprobs is None:
        raise RequestRefused(
            'it gave no log-probabilities: take a model that gives them, or confidence = "asked" or "repeats"',
            model=completion.model,
        )
    read = kind.fields_of(completion, spec)
    if not _carries(read) or kind.places is None:
        return read
    tokens = [(one.token, one.logprob) for one in completion.logprobs]
    value = confidence_over(tokens, completion.text, kind.places(completion.text, spec, read["ballot"]))
    return read if value is None else _sure(read, Confidence(value=value, source="log-probabilities"))


def _repeated(kind: ReplyKind, completion: Completion, spec: ReplySpec) -> Read:
    """The judgement that most repeats came to, the first of several such; it is as sure as they are many."""
    each = [
        kind.fields_of(replace(completion, text=text, finish="length" if cut_off else "stop"), spec)
        for text, cut_off in texts_of(completion)
    ]
    read = [one for one in each if _carries(one)]
    if not read:
        return each[0]
    count = Counter(one["ballot"].ratings for one in read)
    most = max(count.values())
    first = next(one for one in read if count[one["ballot"].ratings] == most)
    if len(read) < FEWEST:
        return first
    return _sure(first, Confidence(value=most / len(read), source="repeats", repeats=len(read)))


def _carries(read: Read) -> TypeGuard[Fields]:
    """Whether a reply could be read, and has a ballot."""
    return isinstance(read, Mapping) and isinstance(read.get("ballot"), Ballot)


def _sure(read: Fields, confidence: Confidence) -> Fields:
    return {**read, "ballot": replace(read["ballot"], confidence=confidence)}
