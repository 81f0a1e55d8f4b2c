"""From a completion to what a message of the wanted kind says, or to what is wrong with it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.fold import spoken
from agentdebate.ballots.objection import read_objection
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.sheet import fill_in, read_sheet
from agentdebate.errors import StrategyError
from agentdebate.lineup import Line
from agentdebate.messages import Critique, Reply, Ruling, Score, Statement, Summary
from agentdebate.models.base import Completion

Fields = Mapping[str, Any]
"""The fields of a message that come out of the completion."""

CONTRADICTION = (
    "The reply says that there is no issue and objects to the score as well; it can only be one of the two."
)


def read_opinion(completion: Completion, lines: Sequence[Line]) -> Fields | Problem:
    """A reply that carries a ballot."""
    cut_off = completion.finish == "length"
    ballot = read_sheet(completion.text, lines, structured=completion.structured, cut_off=cut_off)
    if isinstance(ballot, Problem):
        return ballot
    return {"ballot": ballot, "text": _as_prose(ballot, completion.text, lines)}


def read_critique(completion: Completion, lines: Sequence[Line]) -> Fields | Problem:
    """A critic's reply. One that contradicts itself is marked, and is no agreement."""
    objection = read_objection(completion.text, aspects=[line.aspect for line in lines])
    if isinstance(objection, Problem):
        return objection
    reading = "contradictory" if objection.contradictory else "clear"
    return {"text": completion.text.strip(), "no_issue": objection.no_issue, "reading": reading}


def read_talk(completion: Completion, lines: Sequence[Line]) -> Fields | Problem:  # noqa: ARG001 - one signature
    """Free talk: anything but silence."""
    text = completion.text.strip()
    return {"text": text} if text else Problem("nothing", "The reply is empty.")


REPLIES: Mapping[str, tuple[type[Reply], Callable[[Completion, Sequence[Line]], Fields | Problem]]] = {
    "statement": (Statement, read_talk),
    "summary": (Summary, read_talk),
    "score": (Score, read_opinion),
    "ruling": (Ruling, read_opinion),
    "critique": (Critique, read_critique),
}
"""The kinds that agents can be asked for: the message's class and the reader of its text."""

BALLOT_KINDS = frozenset({"score", "ruling"})
"""The kinds that carry a ballot."""


def read_reply(kind: str, completion: Completion, lines: Sequence[Line]) -> Fields | Problem:
    """What a completion says as a message of this kind. Raises StrategyError for a kind that nobody can be asked for."""
    if completion.finish == "refusal":
        return Problem("refusal", "The reply declines to answer.")
    said = spoken(completion.text)  # without the thinking that some models put before it
    aloud = completion if said == completion.text else completion.model_copy(update={"text": said})
    return reply_type(kind)[1](aloud, lines)


def reply_type(kind: str) -> tuple[type[Reply], Callable[[Completion, Sequence[Line]], Fields | Problem]]:
    """The class and reader of a kind. Raises StrategyError where there is none."""
    if kind not in REPLIES:
        raise StrategyError(f"no agent can be asked for a {kind!r}; the kinds are {', '.join(REPLIES)}")
    return REPLIES[kind]


def _as_prose(ballot: Ballot, text: str, lines: Sequence[Line]) -> str:
    """What the others get to hear: a reply in JSON becomes its reason and its scores."""
    if ballot.reason == text.strip():
        return ballot.reason
    return "\n".join(([ballot.reason, ""] if ballot.reason else []) + fill_in(ballot, lines))
