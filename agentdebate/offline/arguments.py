"""Arguments heard in talk: what others bring up for a text or against it, with what the text shows of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentdebate.models.base import Heard
from agentdebate.offline.claims import missing, read_claims
from agentdebate.offline.features import find
from agentdebate.offline.finding import Finding
from agentdebate.offline.matter import Matter


@dataclass(frozen=True, slots=True)
class Argument:
    """A feature that somebody brings up for a text (1) or against it (-1)."""

    sender: str
    matter: str
    direction: int
    finding: Finding

    @property
    def sentence(self) -> str:
        """The sentence that makes it, in a judge's own words; empty where there is nothing to quote."""
        return self.finding.towards(self.direction)

    def strength(self, stand: float) -> float:
        """How far the text bears it out against a stand, from 0 to 1; 0 or less: not at all."""
        return self.direction * (self.finding.value - stand)


@dataclass(frozen=True, slots=True)
class Misquote:
    """Words that somebody quotes from a text that does not have them."""

    sender: str
    words: str


def called(message: Heard) -> str:
    """What a speaker is called in the middle of a sentence; what is in a summary is nobody's own."""
    return "the summary" if message.kind == "summary" else message.sender


def heard_arguments(messages: Sequence[Heard], matters: Sequence[Matter]) -> list[Argument]:
    """The arguments in these messages, each once from whoever brings it up first."""
    found: dict[tuple[str, int, str], Argument] = {}
    for message in messages:
        for argument in list(_in_our_words(message, matters)) or _in_other_words(message, matters):
            found.setdefault((argument.matter, argument.direction, argument.finding.feature), argument)
    return list(found.values())


def misquotes(messages: Sequence[Heard], matters: Sequence[Matter]) -> list[Misquote]:
    """What the messages quote that stands nowhere."""
    known = {matter.key: matter for matter in matters}
    found = []
    for message in messages:
        for claim in read_claims(message.text, matters, "talk"):
            words = missing(claim, known[claim.matter])
            if words and not any(matter.reading.holds(words) for matter in matters):
                found.append(Misquote(called(message), words))
    return found


def _in_our_words(message: Heard, matters: Sequence[Matter]) -> Iterator[Argument]:
    """Arguments of a judge like this one, in its very sentences."""
    for matter in matters:
        for name in matter.profile.features:
            finding = find(matter.reading, name)
            for direction in (-1, 1):
                if finding and finding.towards(direction) and finding.towards(direction) in message.text:
                    yield Argument(called(message), matter.key, direction, finding)


def _in_other_words(message: Heard, matters: Sequence[Matter]) -> Iterator[Argument]:
    known = {matter.key: matter for matter in matters}
    for claim in read_claims(message.text, matters, "talk"):
        matter = known[claim.matter]
        if not claim.quotes or missing(claim, matter):
            continue
        for name in claim.features:
            finding = find(matter.reading, name) if name in matter.profile.features else None
            if finding is not None:
                yield Argument(called(message), matter.key, claim.direction, finding)
