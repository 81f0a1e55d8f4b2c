"""A transcript as a conversation: by sitting and round, with turns that were taken at the same time side by side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agentdebate.ballots.ballot import Reading
from agentdebate.store.run_tables import RunCall
from agentdebate.talk.messages import (
    Ask,
    Brief,
    Evidence,
    Failure,
    Forget,
    Message,
    Reply,
    Tell,
    Verdict,
)
from agentdebate.viewer.quotes import Quotes, Text


@dataclass(frozen=True)
class Card:
    """One message that says something."""

    seq: int
    turn: int
    """Number as people count, from 1."""
    agent: str
    kind: str
    purpose: str
    model: str
    text: Text
    line: str
    """Ballots, or what else it has, in short."""
    read: tuple[str, ...]
    """Reading of its ballots, in words."""
    shown: str
    """The numbers of the messages that its speaker was shown, as ranges; empty where no one was shown anything."""
    calls: tuple[RunCall, ...]
    failed: bool
    passed_on: str = ""
    """Turns that a relay repeats."""


@dataclass
class Step:
    """Turns that were taken at the same time, or one alone; or what the floor did, in a line."""

    round: int
    cards: list[Card] = field(default_factory=list)
    note: str = ""
    seq: int = 0


@dataclass
class Section:
    """A round of a sitting."""

    sitting: str
    round: int
    steps: list[Step] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Name of its anchor."""
        return f"s{self.sitting or 1}-r{self.round}"

    @property
    def title(self) -> str:
        """Title in the outline."""
        return f"Round {self.round}" if self.round else "Before the first round"


class Conversation:
    """Puts a transcript in order."""

    def __init__(
        self,
        calls: Sequence[RunCall],
        *,
        shown: Mapping[int, frozenset[int]],
        quotes: Quotes,
    ) -> None:
        self._calls: dict[int, list[RunCall]] = {}
        for call in calls:
            self._calls.setdefault(call.ask, []).append(call)
        self._shown, self._quotes = shown, quotes
        self._turns: Mapping[int, int] = {}
        self._asks: dict[int, Ask] = {}
        self._open: dict[str, set[int]] = {}
        self._steps: dict[str, list[Step]] = {}
        self._current: dict[str, Step] = {}

    def sections(self, messages: Sequence[Message]) -> list[Section]:
        """The rounds of every sitting, in order."""
        self._turns = turn_numbers(messages)
        for message in messages:
            self._take(message)
        sections = list[Section]()
        for sitting, steps in self._steps.items():
            for step in steps:
                if not step.cards and not step.note:
                    continue
                if not sections or (sections[-1].sitting, sections[-1].round) != (sitting, step.round):
                    sections.append(Section(sitting, step.round))
                sections[-1].steps.append(step)
        return sections

    def _take(self, message: Message) -> None:
        if isinstance(message, Brief | Verdict):
            return  # each has a place of its own on the page
        sitting = _sitting(message)
        if isinstance(message, Ask):
            self._asks[message.seq] = message
            if not self._open.setdefault(sitting, set()):
                self._current[sitting] = self._step(sitting, message.round)
            self._open[sitting].add(message.seq)
        elif isinstance(message, Reply | Failure | Evidence):
            self._said(sitting, message)
        else:
            step = self._step(sitting, message.round)
            step.note, step.seq = _note(message, self._turns), message.seq

    def _said(self, sitting: str, message: Reply | Failure | Evidence) -> None:
        answers = None if isinstance(message, Evidence) else message.answers
        waiting = self._open.get(sitting, set())
        step = self._current[sitting] if answers in waiting else self._step(sitting, message.round)
        step.cards.append(self._card(message, answers))
        if answers is not None:
            waiting.discard(answers)

    def _step(self, sitting: str, round_: int) -> Step:
        step = Step(round_)
        self._steps.setdefault(sitting, []).append(step)
        return step

    def _card(self, message: Reply | Failure | Evidence, answers: int | None) -> Card:
        ask = self._asks.get(answers) if answers is not None else None
        agent = (message.agent or message.sender) if isinstance(message, Failure) else message.sender
        text = f"{message.error}: {message.reason}" if isinstance(message, Failure) else message.text
        return Card(
            seq=message.seq,
            turn=self._turns[message.seq],
            agent=agent,
            kind=message.kind,
            purpose=ask.purpose if ask else "",
            model=message.model if isinstance(message, Reply) else "",
            text=self._quotes.said(text),
            line=message.line() if isinstance(message, Reply) else "",
            read=tuple(dict.fromkeys(reading_words(cast.ballot.reading) for cast in message.carried))
            if isinstance(message, Reply)
            else (),
            shown=ranges(self._shown.get(message.seq, ())),
            calls=tuple(self._calls.get(answers, ())) if answers is not None else (),
            failed=isinstance(message, Failure),
            passed_on=_turns(ask.hearing, self._turns)
            if ask and ask.hearing and isinstance(message, Reply) and not message.model
            else "",
        )


_READ: Mapping[str, str] = {
    "schema": "held to a schema",
    "text": "found in the text",
    "repaired": "read after broken JSON was mended",
    "expected": "the expectation over the tokens of the score",
}


def reading_words(reading: Reading) -> str:
    """Say how a ballot was read from a reply."""
    parts = [_READ[reading.how]]
    if reading.rule:
        parts.append(f"by the rule {reading.rule}")
    if reading.mass is not None:
        parts.append(f"which hold {reading.mass:.1%} of the probability")
    if reading.attempts > 1:
        parts.append(f"at attempt {reading.attempts}")
    if reading.ends is not None:
        parts.append("from the first {:,} and the last {:,} characters".format(*reading.ends))
    return ", ".join(parts)


def _sitting(message: Message) -> str:
    names = (message.sender, *message.to)
    return next((number for name in names if (number := name.partition("#")[2])), "")


def turn_numbers(messages: Iterable[Message]) -> dict[int, int]:
    """Number the messages that say something, by their numbers in the transcript: 1, 2, 3."""
    said = (one.seq for one in messages if not isinstance(one, Brief | Ask | Tell | Forget | Verdict))
    return {seq: turn for turn, seq in enumerate(said, 1)}


def _note(message: Message, turns: Mapping[int, int]) -> str:
    """Tell what the floor did, in a line."""
    to = ", ".join(message.to)
    if isinstance(message, Tell):
        return f"{to} {_hear(message)} {_turns(message.heard, turns)}"
    if isinstance(message, Forget):
        instead = (
            f", and {_hear(message)} {_turns(message.instead, turns)} instead" if message.instead else ""
        )
        return f"{to} {'forgets' if len(message.to) == 1 else 'forget'} {_turns(message.dropped, turns)}{instead}"
    return f"{message.kind} by {message.sender}: {message.line()}"


def _hear(message: Message) -> str:
    return "hears" if len(message.to) == 1 else "hear"


def _turns(numbers: Iterable[int], turns: Mapping[int, int]) -> str:
    """Name turns by the numbers of their messages: "turns 1-4, 7", or the task where none of them is a turn."""
    found = [turns[number] for number in numbers if number in turns]
    return f"turn{'' if len(found) == 1 else 's'} {ranges(found).replace(' ', ', ')}" if found else "the task"


def shown_to(messages: Sequence[Message], calls: Iterable[RunCall]) -> dict[int, frozenset[int]]:
    """Map the number of each reply to the numbers of the messages that its speaker was shown.

    That is what its model call was shown; of a speaker without a model, what it remembered when it was asked.
    """
    called = {call.ask: frozenset(call.shown) for call in calls}
    briefs = {said.seq for said in messages if isinstance(said, Brief)}
    found = dict[int, frozenset[int]]()
    memories = dict[str, set[int]]()
    asked = dict[int, frozenset[int]]()
    for said in messages:
        for hearer in said.to:
            memory = memories.setdefault(hearer, set())
            if isinstance(said, Forget):
                memory.difference_update(said.dropped)
            memory.update(said.brings)
            if isinstance(said, Ask):
                asked[said.seq] = frozenset(memory)
        if isinstance(said, Reply):
            found[said.seq] = called.get(said.answers, asked.get(said.answers, frozenset())) | briefs
            memories.setdefault(said.sender, set()).add(said.seq)
    return found


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in few words: "1-4 7 9-12"."""
    spans = list[list[int]]()
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return " ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in spans)
