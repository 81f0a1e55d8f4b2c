"""Replies of DEBATE's critic from a seed: eight kinds, each with what it comes to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from agentdebate.tasks import Aspect
from replies import case
from replies.reasons import GENERAL
from replies.wording import Half, fill, read_rows

Outcome = Literal["agrees", "objects", "unclear"]
"""`unclear` is the stop word quoted or reported: the critic has to be asked what it means."""

OUTCOMES: Mapping[str, Outcome] = {
    "last-line": "agrees",
    "last-sentence": "agrees",
    "prose": "unclear",
    "mention": "unclear",
    "other-words": "objects",
    "contradictory": "agrees",
    "objection": "objects",
    "part": "unclear",
}
"""What a reply of each kind comes to."""

EACH = 25
"""Replies of a kind in each half."""

_SPELLINGS = (*["NO ISSUE"] * 3, "NO ISSUES", "NO_ISSUES", "NO_ISSUE", "No issue", "no issue")
_HARMLESS = tuple(
    sentence
    for sentence in GENERAL
    if not any(word in sentence for word in ("lose", "missing", "short", "slips", "gained", "editor"))
)
"""Sentences that could not be taken for an objection."""


@dataclass(frozen=True, slots=True)
class Critique:
    """A critic's reply about a score on an aspect, its kind and what it comes to."""

    text: str
    kind: str
    aspect: Aspect
    outcome: Outcome


def critiques(half: Half, *, seed: int = 1) -> Iterator[Critique]:
    """EACH replies of every kind; the same ones for the same seed."""
    rng = Random(f"{half} {seed}")
    replies: dict[str, list[str]] = {}
    for row in read_rows(half, "critics"):
        replies.setdefault(row["kind"], []).append(row["text"])
    for kind, wordings in replies.items():
        for number in range(EACH):
            yield _critique(rng, kind, wordings[number % len(wordings)])


def _critique(rng: Random, kind: str, wording: str) -> Critique:
    of = case.case(rng, case.middling, several=False)
    spelling = rng.choice(_SPELLINGS)
    lower = next(number for number in iter(lambda: case.draw(rng, of.scale), None) if number < of.score)
    slots = {**case.slots(rng, of), "sw": spelling, "o": case.shown(lower)}
    said = fill(wording, slots, rng)
    said = said[0].upper() + said[1:] if spelling.islower() and said.startswith(spelling) else said
    before = " ".join(fill(one, slots, rng) for one in rng.sample(_HARMLESS, rng.choice((0, 0, 1, 2, 4))))
    space = "\n\n" if said[0] in "-|1" else rng.choice((" ", "\n\n", "\n"))
    return Critique(f"{before}{space}{said}" if before else said, kind, of.aspects[0], OUTCOMES[kind])
