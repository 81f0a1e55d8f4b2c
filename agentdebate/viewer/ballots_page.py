"""The page of a debate's ballots by round: what changed, word by word, and after hearing whom."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from agentdebate.meta.dynamics import Move, moves
from agentdebate.meta.talk import talk_of
from agentdebate.store.run_head import RunHead
from agentdebate.talk.messages import CastBallot, Message, Reply, Ruling
from agentdebate.viewer.colours import Colours, colours_of
from agentdebate.viewer.conversation import reading_words, turn_numbers
from agentdebate.viewer.debate_page import DebateHead, debate_head
from agentdebate.viewer.query import RunQuery
from agentdebate.viewer.shelf import Shelf

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_MOST = 3_000
"""Words and spaces beyond which two texts are not compared word by word."""


@dataclass(frozen=True)
class Change:
    """Words that are in both texts, or in one of them only."""

    kind: Literal["same", "gone", "new"]
    text: str


@dataclass(frozen=True)
class Given:
    """One rating of a ballot, beside that of the agent's ballot before."""

    name: str
    score: float
    before: float | None

    @property
    def change(self) -> float | None:
        """Change from the ballot before; None where there was none."""
        return None if self.before is None else self.score - self.before


@dataclass(frozen=True)
class BallotCell:
    """A ballot, beside the one before it of the same agent."""

    message: int
    ratings: tuple[Given, ...]
    line: str
    reason: tuple[Change, ...]
    read: str
    confidence: float | None
    ruling: bool
    decided: bool
    """True if the verdict is this ballot's."""


@dataclass(frozen=True)
class BallotsPage:
    """The ballots of a debate."""

    head: DebateHead
    rounds: tuple[int, ...]
    agents: Mapping[str, tuple[tuple[BallotCell, ...], ...]]
    """The ballots of each agent, by rounds."""
    moves: tuple[Move, ...]
    stayed: int
    """Number of ballots that are like the agent's next one."""
    colours: Colours
    turns: Mapping[int, int]


def ballots_page(
    shelf: Shelf, head: RunHead, debate: str, asked: RunQuery, *, at: int | None = None
) -> BallotsPage:
    """The page of a debate's ballots. Raises UsageError and StoreError."""
    reader = shelf.reader()
    messages, calls = reader.messages(head.id, debate), reader.calls(head.id, debate)
    cast = [
        (one, isinstance(said, Ruling))
        for said in messages
        if isinstance(said, Reply)
        for one in said.carried
    ]
    rounds = tuple(sorted({one.round for one, _ in cast}))
    pairs = _moves(messages)
    moved = tuple(one for one in pairs if one.moved)
    top = debate_head(shelf, head, debate, messages, calls, asked=asked, at=at)
    return BallotsPage(
        head=top,
        rounds=rounds,
        agents=_agents(cast, rounds, top.verdict.deciding if top.verdict else None),
        moves=moved,
        stayed=len(pairs) - len(moved),
        colours=colours_of(shelf, head, messages),
        turns=turn_numbers(messages),
    )


def _agents(
    cast: Sequence[tuple[CastBallot, bool]], rounds: Sequence[int], deciding: int | None
) -> dict[str, tuple[tuple[BallotCell, ...], ...]]:
    before: dict[str, CastBallot] = {}
    cells: dict[str, dict[int, list[BallotCell]]] = {}
    for one, ruling in cast:
        cell = _cell(one, before.get(one.agent), ruling=ruling, decided=one.message == deciding)
        cells.setdefault(one.agent, {}).setdefault(one.round, []).append(cell)
        before[one.agent] = one
    return {agent: tuple(tuple(own.get(number, ())) for number in rounds) for agent, own in cells.items()}


def _cell(one: CastBallot, before: CastBallot | None, *, ruling: bool, decided: bool) -> BallotCell:
    known: Mapping[str, float] = before.ballot.scores if before else {}
    ballot = one.ballot
    return BallotCell(
        message=one.message,
        ratings=tuple(Given(name, score, known.get(name)) for name, score in ballot.scores.items()),
        line=ballot.line() if ballot.given else "",
        reason=tuple(word_changes(before.ballot.reason if before else ballot.reason, ballot.reason)),
        read=reading_words(ballot.reading),
        confidence=None if ballot.confidence is None else ballot.confidence.value,
        ruling=ruling,
        decided=decided,
    )


def _moves(messages: Sequence[Message]) -> list[Move]:
    """List the pairs of a ballot and the agent's next one, without the choices that scores of a single text would be."""
    talk = talk_of(messages)
    return [one for one in moves([talk]) if not isinstance(one.values[1], str) or talk.candidates]


def word_changes(before: str, after: str) -> list[Change]:
    """The later text, with what went and what came; of texts that are too long all words went, and all came."""
    one, other = _WORD.findall(before), _WORD.findall(after)
    if max(len(one), len(other)) > _MOST:
        return [Change("same", after)] if before == after else [Change("gone", before), Change("new", after)]
    return list(_changes(one, other))


def _changes(one: list[str], other: list[str]) -> Iterator[Change]:
    matcher = SequenceMatcher(lambda word: word.isspace(), one, other, autojunk=False)
    for kind, start, stop, there, until in matcher.get_opcodes():
        gone, new = "".join(one[start:stop]), "".join(other[there:until])
        if kind == "equal":
            yield Change("same", new)
        else:
            yield from _changed(gone, new)


def _changed(gone: str, new: str) -> Iterator[Change]:
    if gone:
        yield Change("gone", gone)
    if new:
        yield Change("new", new)
