"""The page of a debate's ballots by round: what changed, word by word, and after hearing whom."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from agentdebate.meta.moves import moves
from agentdebate.meta.talk import talk_of
from agentdebate.store.reader import RunHead
from agentdebate.talk.messages import CastBallot, Message, Reply, Ruling, Verdict
from agentdebate.viewer.asked import Asked
from agentdebate.viewer.colours import Colours, colours_of
from agentdebate.viewer.conversation import reading_words, turn_numbers
from agentdebate.viewer.debate_page import DebateHead, debate_head
from agentdebate.viewer.shelf import Shelf

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_LEAST = 3
"""Words between two changes that do not belong to them."""
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
        """By how much it changed; None where there was none before."""
        return None if self.before is None else self.score - self.before


@dataclass(frozen=True)
class BallotCell:
    """A ballot, beside the one before it of the same agent."""

    message: int
    turn: int
    ratings: tuple[Given, ...]
    line: str
    reason: tuple[Change, ...]
    read: str
    confidence: float | None
    model: str
    ruling: bool
    decided: bool
    """Whether the verdict is this ballot's."""


@dataclass(frozen=True)
class MoveLine:
    """That an agent moved, and whom it had heard in between."""

    agent: str
    colour: int
    about: str
    before: str
    after: str
    change: float | None
    round: int
    message: int
    heard: tuple[tuple[str, int, int, int], ...]
    """Who was heard, the number of the message, its turn and the speaker's colour."""


@dataclass(frozen=True)
class AgentLine:
    """An agent's ballots, by the columns of the page."""

    agent: str
    colour: int
    cells: tuple[tuple[BallotCell, ...], ...]


@dataclass(frozen=True)
class BallotsPage:
    """The ballots of a debate."""

    head: DebateHead
    rounds: tuple[int, ...]
    agents: tuple[AgentLine, ...]
    moves: tuple[MoveLine, ...]
    stayed: int
    """How many pairs of a ballot and the agent's next one are alike."""


def ballots_page(
    shelf: Shelf, head: RunHead, debate: str, asked: Asked, *, at: int | None = None
) -> BallotsPage:
    """The page of a debate's ballots. Raises UsageError and StoreError."""
    reader = shelf.reader()
    messages, calls = reader.messages(head.id, debate), reader.calls(head.id, debate)
    colours = colours_of(shelf, head, messages)
    cast = [
        (one, isinstance(said, Ruling))
        for said in messages
        if isinstance(said, Reply)
        for one in said.carried
    ]
    rounds = tuple(sorted({one.round for one, _ in cast}))
    turns = turn_numbers(messages)
    lines, stayed = _moves(messages, colours, turns)
    return BallotsPage(
        head=debate_head(shelf, head, debate, messages, calls, asked=asked, at=at),
        rounds=rounds,
        agents=tuple(_agents(cast, rounds, colours, turns, _deciding(messages))),
        moves=tuple(lines),
        stayed=stayed,
    )


def _agents(
    cast: Sequence[tuple[CastBallot, bool]],
    rounds: Sequence[int],
    colours: Colours,
    turns: Mapping[int, int],
    deciding: int | None,
) -> list[AgentLine]:
    lines = []
    for agent in dict.fromkeys(one.agent for one, _ in cast):
        own = [pair for pair in cast if pair[0].agent == agent]
        cells: dict[int, list[BallotCell]] = {}
        before: CastBallot | None = None
        for one, ruling in own:
            cells.setdefault(one.round, []).append(
                _cell(one, before, turns[one.message], ruling=ruling, decided=one.message == deciding)
            )
            before = one
        lines.append(
            AgentLine(agent, colours.of(agent), tuple(tuple(cells.get(number, ())) for number in rounds))
        )
    return lines


def _cell(
    one: CastBallot, before: CastBallot | None, turn: int, *, ruling: bool, decided: bool
) -> BallotCell:
    known: Mapping[str, float] = before.ballot.scores if before else {}
    ballot = one.ballot
    return BallotCell(
        message=one.message,
        turn=turn,
        ratings=tuple(Given(name, score, known.get(name)) for name, score in ballot.scores.items()),
        line=ballot.line() if ballot.given else "",
        reason=tuple(word_changes(before.ballot.reason if before else ballot.reason, ballot.reason)),
        read=reading_words(ballot.reading),
        confidence=None if ballot.confidence is None else ballot.confidence.value,
        model=one.model,
        ruling=ruling,
        decided=decided,
    )


def _moves(
    messages: Sequence[Message], colours: Colours, turns: Mapping[int, int]
) -> tuple[list[MoveLine], int]:
    talk = talk_of(messages)
    found = [
        move
        for move in moves([talk])
        if not isinstance(move.after.values[move.about], str) or talk.candidates
    ]
    lines = [
        MoveLine(
            agent=move.after.agent,
            colour=colours.of(move.after.agent),
            about=move.about,
            before=_value(move.values[0]),
            after=_value(move.values[1]),
            change=move.change,
            round=move.after.round,
            message=move.after.seq,
            heard=tuple(
                (one.speaker, one.said, turns[one.said], colours.of(one.speaker)) for one in move.heard
            ),
        )
        for move in found
        if move.moved
    ]
    return lines, len(found) - len(lines)


def _value(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _deciding(messages: Sequence[Message]) -> int | None:
    return next((said.deciding for said in messages if isinstance(said, Verdict)), None)


def word_changes(before: str, after: str) -> list[Change]:
    """The later text, with what went and what came; of texts that are too long all words went, and all came."""
    one, other = _WORD.findall(before), _WORD.findall(after)
    if max(len(one), len(other)) > _MOST:
        return [Change("same", after)] if before == after else [Change("gone", before), Change("new", after)]
    return list(_changes(one, other))


def _changes(one: list[str], other: list[str]) -> Iterator[Change]:
    matcher = SequenceMatcher(lambda word: word.isspace(), one, other, autojunk=False)
    codes = matcher.get_opcodes()
    gone = new = ""
    for at, (kind, start, stop, there, until) in enumerate(codes):
        between = 0 < at < len(codes) - 1
        if kind == "equal" and not (between and _few(other[there:until])):
            yield from _changed(gone, new)
            gone = new = ""
            yield Change("same", "".join(other[there:until]))
        else:
            gone, new = gone + "".join(one[start:stop]), new + "".join(other[there:until])
    yield from _changed(gone, new)


def _changed(gone: str, new: str) -> Iterator[Change]:
    if gone:
        yield Change("gone", gone)
    if new:
        yield Change("new", new)


def _few(words: list[str]) -> bool:
    """Tell whether so few words stand between two changes that they read better as part of them."""
    return sum(word[0].isalnum() for word in words) < _LEAST
