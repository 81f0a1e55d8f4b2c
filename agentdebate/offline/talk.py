"""Memory of a speaker: numbers, and arguments for a text or against it, checked against the text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentdebate.models.base import Context, Heard
from agentdebate.offline.features import FeatureValue
from agentdebate.offline.matter import Matter

NO_ISSUE = "NO ISSUE"
_FLOOR = "floor"
_NO_TALK = frozenset(["evidence", "plan", "selection", "roster"])
"""Kinds of messages without arguments about the texts."""
_QUOTED = re.compile(r"“[^“”]*”")
_LONGEST = 16_000
"""Characters of a message that are looked at."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument that a matter's number is too low (`direction` 1) or too high (-1), with the finding that it is made of."""

    matter: str
    direction: int
    sender: str
    finding: FeatureValue

    @property
    def identity(self) -> tuple[object, ...]:
        """Key that is the same for an argument in another's mouth."""
        return self.matter, self.direction, self.finding.feature

    @property
    def sentence(self) -> str:
        """Words of the argument."""
        return self.finding.towards(self.direction)

    def strength(self, stand: float) -> float:
        """Degree to which the text bears it out against a stand, up to 1; 0 or less where it does not."""
        return self.direction * (self.finding.value - stand)


class Talk:
    """The memory of a speaker at one turn, without plans and evaluators' scores."""

    def __init__(self, context: Context, matters: Sequence[Matter]) -> None:
        heard = [one for one in context.heard if one.kind not in _NO_TALK and one.sender != _FLOOR]
        spoken = [at for at, one in enumerate(heard) if one.sender == context.agent]
        last = spoken[-1] if spoken else -1
        self._matters = matters
        self.own = [heard[at] for at in spoken]
        self.others = [one for one in heard if one.sender != context.agent]
        self.news = heard[last + 1 :]
        """Messages of others since the speaker last spoke."""
        self._before = [one for one in heard[: max(last, 0)] if one.sender != context.agent]

    def __repr__(self) -> str:
        return f"<Talk of {len(self.own) + len(self.others)} messages>"

    @property
    def latest(self) -> list[Heard]:
        """The last message of each of the others."""
        found: dict[str, Heard] = {}
        for message in self.others:
            found.pop(message.sender, None)
            found[message.sender] = message
        return list(found.values())

    def numbers(self, messages: Sequence[Heard]) -> dict[str, float]:
        """The latest number for each matter in these messages."""
        found: dict[str, float] = {}
        for message in messages:
            found.update(numbers_in(message, self._matters))
        return found

    def arguments(self, messages: Sequence[Heard]) -> list[Argument]:
        """The arguments in these messages, each once: passed on it is the same argument."""
        found: dict[object, Argument] = {}
        for message in messages:
            for argument in _arguments(message, self._matters):
                found.setdefault(argument.identity, argument)
        return list(found.values())

    def new_arguments(self) -> list[Argument]:
        """Arguments that the speaker has not answered yet."""
        answered = {one.identity for one in self.arguments(self._before)}
        return [one for one in self.arguments(self.news) if one.identity not in answered]

    def said(self, sentence: str) -> bool:
        """Tell whether anybody has said a sentence."""
        return any(sentence in message.text for message in (*self.own, *self.others))


def numbers_in(message: Heard, matters: Sequence[Matter]) -> dict[str, float]:
    """The numbers that a message gives: those of its ballot, or else of its last lines. A critique gives none."""
    found: dict[str, float] = {}
    for matter in matters:
        number = message.scores.get(matter.key)
        if not message.scores and message.kind != "critique":
            number = _stated(message.text, matter)
        if number is not None and number in matter.scale:
            found[matter.key] = number
    return found


def _stated(text: str, matter: Matter) -> float | None:
    """The number in the last line that begins with the matter's title."""
    lines = [
        line.partition(": ")[2]
        for line in text.split("\n")
        if line.startswith(f"{matter.line.aspect.title}: ")
    ]
    grades = dict(matter.scale.grades)
    try:
        return grades[lines[-1]] if lines and lines[-1] in grades else float(lines[-1])
    except (IndexError, ValueError):  # no such line, or one that goes on in words
        return None


def _arguments(message: Heard, matters: Sequence[Matter]) -> Iterator[Argument]:
    """The arguments of a judge like this one, by its very sentences: nothing else is understood."""
    for paragraph in message.text[:_LONGEST].split("\n"):
        for matter in _meant(paragraph, matters) if "“" in paragraph else ():
            for name in matter.profile.features:
                finding = matter.text.find(name)
                for direction in (-1, 1):
                    sentence = finding.towards(direction) if finding else ""
                    if finding and sentence and sentence in paragraph:
                        yield Argument(matter.key, direction, message.sender, finding)


def _meant(words: str, matters: Sequence[Matter]) -> Sequence[Matter]:
    """The matters that some words name, quotes apart; all of them where they name none."""
    bare = _QUOTED.sub(" ", words)
    of_text = [one for one in matters if one.label and one.label in bare] or matters
    return [one for one in of_text if one.topic.lower() in bare.lower()] or of_text
