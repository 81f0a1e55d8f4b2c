"""Positions of a debate's agents, and the messages that they had heard by then: read from its transcript alone."""

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import Merge, Merged, Rule, merge
from agentdebate.ballots.winners import winners
from agentdebate.talk.messages import Ask, Brief, Message, Reply, Ruling, Samples, Verdict, of_kind

Value = float | str
"""A score; or a choice, as the field of the text that is put first, or TIE."""

TIE = "tie"
"""Name of the choice where several texts share the first place."""

_Kind = TypeVar("_Kind", bound=Hashable)
_Case = TypeVar("_Case")
_SITTING = re.compile(r"#(\d+)$")


@dataclass(frozen=True)
class Stand:
    """Position of one agent at one moment: a ballot."""

    agent: str
    round: int
    seq: int
    """The number of the message that carried it."""
    asked: int
    """The number of the Ask that it answers: what was heard until then can have moved it."""
    values: Mapping[str, Value]
    """Scores by name ("coherence", "overall.answer_1"), and where texts are compared the choice by the aspects' names."""
    ballot: Ballot


@dataclass(frozen=True, slots=True)
class Hearing:
    """One agent hears what another said. What a relay passes on is heard from its first speaker."""

    listener: str
    speaker: str
    at: int
    """The number of the message that put it into the listener's memory."""
    said: int
    """The number of what is heard."""


@dataclass(frozen=True)
class Talk:
    """One debate as far as it can be counted."""

    debate: str
    about: tuple[str, ...]
    """The aspects that it was about."""
    candidates: tuple[str, ...]
    stands: tuple[Stand, ...]
    """Positions in the order in which they were taken, without rulings and repeated samples of one judgement."""
    hearings: tuple[Hearing, ...]
    """Messages heard before the listener was last asked for a word: later ones cannot change what it says."""
    order: tuple[str, ...]
    """Agents that cast ballots, in the order in which they were first asked for a word."""
    verdict: Mapping[str, Value]
    """Empty where there is none."""
    people: Mapping[str, Value]
    """People's judgements, as far as they are known."""
    ranks: Collection[str] = ()
    """The aspects whose numbers are places among the texts."""
    source: str = ""
    """Source of its texts; empty where it is not known."""

    def of(self, agent: str) -> tuple[Stand, ...]:
        """The stands of one agent, in order."""
        return tuple(stand for stand in self.stands if stand.agent == agent)

    def position(self, agent: str, seq: int) -> Stand | None:
        """Return an agent's position when message `seq` was said; None before its first ballot."""
        return next((stand for stand in reversed(self.of(agent)) if stand.seq <= seq), None)

    def heard(self, agent: str, *, after: int, until: int) -> tuple[Hearing, ...]:
        """Return the messages that an agent heard from others after one moment until another, both numbers of messages."""
        return tuple(one for one in self.hearings if one.listener == agent and after < one.at <= until)


def talk_of(
    transcript: Sequence[Message],
    *,
    debate: str = "",
    human: Mapping[str, float | None] | None = None,
    ranks: Collection[str] = (),
    source: str = "",
) -> Talk:
    """Read the positions and messages of a transcript.

    `human` are people's scores by name, `ranks` the aspects whose numbers are places, where the lowest is the best, `source` that of the texts.
    """
    about, candidates = next(((one.aspects, one.candidates) for one in of_kind(transcript, Brief)), ((), ()))
    stands = tuple(_stands(transcript, about, ranks))
    voters, asked = {stand.agent for stand in stands}, of_kind(transcript, Ask)
    last = {name: ask.seq for ask in asked for name in ask.to}
    verdicts = (_said(one.scores, about, one.winners) for one in of_kind(transcript, Verdict))
    scored = {name: score for name, score in (human or {}).items() if score is not None}
    return Talk(
        debate=debate,
        about=about,
        candidates=candidates,
        stands=stands,
        hearings=tuple(one for one in _hearings(transcript) if one.at <= last.get(one.listener, 0)),
        order=tuple(dict.fromkeys(name for ask in asked for name in ask.to if name in voters)),
        verdict=next(verdicts, {}),
        people=_said(scored, about, peoples_best(scored, about, candidates)),
        ranks=ranks,
        source=source,
    )


def seat_of(agent: str) -> str:
    """An agent's name without the number of its sitting: "critic#2" is "critic" again."""
    return _SITTING.sub("", agent)


def sitting_of(agent: str) -> int:
    """The number of the sitting that an agent takes part in, from 1."""
    found = _SITTING.search(agent)
    return int(found[1]) if found else 1


def _said(scores: Mapping[str, float], about: Sequence[str], best: Sequence[str]) -> dict[str, Value]:
    """Scores by name, and the choice by the names of the aspects where texts are compared."""
    return {**scores, **({choice_name(about): label(best)} if best else {})}


def choice_name(about: Sequence[str]) -> str:
    """Name the choice on these aspects for tables."""
    return "+".join(about)


def label(best: Sequence[str]) -> str:
    """A choice as one word."""
    return best[0] if len(best) == 1 else TIE


def peoples_best(
    human: Mapping[str, float | None], about: Sequence[str], candidates: Sequence[str]
) -> tuple[str, ...]:
    """The candidates that people's scores put first: one, or all that tie; none where people did not score them all."""
    ratings = [
        Rating(aspect=aspect, candidate=candidate, score=score)
        for aspect in about
        for candidate in candidates
        if (score := human.get(f"{aspect}.{candidate}")) is not None
    ]
    scored = {one.candidate for one in ratings} == set(candidates)
    return winners(ratings) if scored else ()


def _values(ratings: Sequence[Rating], about: Sequence[str], ranks: Collection[str]) -> dict[str, Value]:
    """The values of a ballot. Places count for the choice only where there is nothing else."""
    scores = [one for one in ratings if one.aspect not in ranks]
    best = winners(scores or ratings, lowest=not scores)
    return _said({rating.name: rating.score for rating in ratings}, about, best)


def _stands(transcript: Sequence[Message], about: Sequence[str], ranks: Collection[str]) -> Iterator[Stand]:
    for said in of_kind(transcript, Reply):
        if not isinstance(said, Ruling | Samples):
            for cast in said.carried:
                values = _values(cast.ballot.ratings, about, ranks)
                yield Stand(cast.agent, said.round, said.seq, said.answers, values, cast.ballot)


def _hearings(transcript: Sequence[Message]) -> Iterator[Hearing]:
    said = {message.seq: message for message in transcript}
    return (
        Hearing(listener, origin.sender, message.seq, origin.seq)
        for message in transcript
        for number in message.brings
        for origin in _origins(number, said)
        for listener in message.to
        if origin.sender != listener
    )


def _origins(number: int, said: Mapping[int, Message]) -> Iterator[Reply]:
    """Return the first speakers of it: a relay's message comes from what it had been given to pass on."""
    message = said.get(number)
    if isinstance(message, Reply) and message.model:
        yield message
    elif isinstance(message, Reply):
        ask = said.get(message.answers)
        for earlier in ask.hearing if isinstance(ask, Ask) else ():
            if earlier < number:
                yield from _origins(earlier, said)


def openings(talk: Talk) -> tuple[Stand, ...]:
    """The first ballot of every agent that had not heard anyone else by then, in the order in which they were cast."""
    firsts = {stand.agent: stand for stand in reversed(talk.stands)}
    return tuple(
        stand
        for stand in talk.stands
        if firsts[stand.agent] is stand and not talk.heard(stand.agent, after=0, until=stand.asked)
    )


def voted(
    stands: Sequence[Stand],
    about: Sequence[str],
    how: Merge | Rule = "average",
    *,
    ranks: Collection[str] = (),
) -> dict[str, Value]:
    """Merge ballots as if no one had spoken: scores by name, and the choice; empty without any.

    Each ballot weighs the same, whatever the strategy said: whose weight is whose is not in a transcript.
    """
    result = merge([stand.ballot for stand in stands], how, partial=True)
    return _values(result.ratings, about, ranks) if isinstance(result, Merged) else {}


def grouped(cases: Iterable[_Case], kind: Callable[[_Case], _Kind]) -> dict[_Kind, list[_Case]]:
    """The cases by their kind, kinds and cases in the order in which they come."""
    found: dict[_Kind, list[_Case]] = {}
    for case in cases:
        found.setdefault(kind(case), []).append(case)
    return found
