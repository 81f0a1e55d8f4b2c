"""Where a critic stands to the score by what it says beside the stop word: for it, against it, or not to be told."""

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Literal, NamedTuple

from agentdebate.ballots.anchors import anchors_of
from agentdebate.ballots.approval import approves
from agentdebate.ballots.critic_words import ADVERSATIVE, CONCESSION, OPENING_ADVERSATIVE, OPENING_CONCESSION
from agentdebate.ballots.demand import denies_a_demand, held_against
from agentdebate.ballots.fault import finds_fault
from agentdebate.ballots.sentences import Phrase
from agentdebate.tasks import Aspect

Weight = Literal["plain", "turn", "concession", "afterthought"]
"""What a part of a sentence counts for beside the others: "but ..." for more, "although ..." for less, before the main clause or
behind it."""
Stance = Literal["for", "against", "unknown"]

_approving = itemgetter(1)
_CONTRASTS = (
    rf"\b(?:(?P<turn>{ADVERSATIVE})|(?P<concession>{CONCESSION}))\b"
    rf"|(?:^\W{{0,8}}|[,;:] ?|\band )(?:(?P<opens_turn>{OPENING_ADVERSATIVE})|(?P<opens_concession>{OPENING_CONCESSION}))\b"
)
_CONTRAST = re.compile(rf"(?:(?<!\w)|(?=[,;:]))(?:{_CONTRASTS})")
"""Looked for where a word or a mark begins; what stands inside words is most of a text, and is passed over at once."""
_MARKS = " ,.:"
[_CONTRAST_WORDS] = anchors_of(_CONTRASTS).lists


class Remark(NamedTuple):
    """A part of a sentence, and what it counts for."""

    said: Phrase
    weight: Weight = "plain"


def remarks_of(said: Phrase) -> Iterator[Remark]:
    """The parts of a sentence between its words of contrast."""
    if _CONTRAST_WORDS.isdisjoint(said.words):
        if said.text.strip(_MARKS):
            yield Remark(said)
        return
    start = 0
    weight: Weight = "plain"
    for mark in _CONTRAST.finditer(said.text):
        yield from _remarks(Phrase(said.text[start : mark.start()]), weight)
        start, weight = mark.end(), _weight(mark)
    yield from _remarks(Phrase(said.text[start:]), weight)


def _weight(mark: re.Match[str]) -> Weight:
    """What a word of contrast makes of what follows it. Behind a main clause, "while" sets something against it."""
    if mark["turn"] or mark["opens_turn"]:
        return "turn"
    if not mark.start():
        return "concession"
    return "turn" if mark["opens_concession"] else "afterthought"


def _remarks(said: Phrase, weight: Weight) -> Iterator[Remark]:
    if weight == "concession":
        conceded, _, main = said.text.partition(",")
        yield Remark(Phrase(conceded), "concession")
        said, weight = Phrase(main), "plain"
    if said.text.strip(_MARKS):
        yield Remark(said, weight)


def stance(remarks: Iterable[Remark], aspects: Sequence[Aspect]) -> Stance:
    """What remarks come to. Criticism of the score decides; a fault counts where nothing is said for the score before it, or
    where it is set against that by a word like "but".
    """
    met: list[Remark] = []
    main: list[tuple[Remark, bool]] = []
    against = False
    for one in remarks:
        met.append(one)
        if one.weight in {"concession", "afterthought"}:
            continue
        held = held_against(one.said, aspects)
        if held.still:
            return "against"
        against = against or held.against
        main.append((one, held.denied or approves(one.said)))
    if any(map(_approving, main)):
        return "against" if _is_turned(main) else "for"
    return "against" if against else _without_approval(met, aspects)


def is_for(said: Phrase, aspects: Sequence[Aspect]) -> bool:
    """Whether a remark says that the score may stand, or that no other is called for."""
    return approves(said) or denies_a_demand(said, aspects)


def _without_approval(remarks: Sequence[Remark], aspects: Sequence[Aspect]) -> Stance:
    """A fault in the main clauses, or something conceded to the score there, is an objection."""
    faults = (finds_fault(one.said) for one in remarks if one.weight != "concession")
    conceded = (is_for(one.said, aspects) for one in remarks if one.weight == "concession")
    return "against" if any(faults) or any(conceded) else "unknown"


def _is_turned(remarks: Iterable[tuple[Remark, bool]]) -> bool:
    """Whether a fault is set against the approval, and no approval follows; with each remark, whether it approves."""
    turned = False
    for remark, approving in remarks:
        if approving:
            turned = False
        elif remark.weight == "turn" and finds_fault(remark.said):
            turned = True
    return turned
