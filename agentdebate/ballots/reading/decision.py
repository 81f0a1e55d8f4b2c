"""What was found for each aspect, made into a ballot, or into the one problem that keeps it from being one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from agentdebate.ballots.ballot import Ballot, How, Rating, Reading
from agentdebate.ballots.numbers import Value, show
from agentdebate.ballots.reading.correction import withdrawals
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.reading.statement import Finality, Statement, V
from agentdebate.ballots.replies.outcome import Kind, Problem
from agentdebate.ballots.view import sound
from agentdebate.ballots.withdrawal import WITHDRAWN
from agentdebate.frozen import made
from agentdebate.tasks import Aspect, Scale


@dataclass(frozen=True, slots=True)
class Found:
    """The numbers that a reply gives an aspect with equal strength; `cut` if one may go on beyond its end."""

    aspect: Aspect
    values: tuple[Value, ...]
    rule: Rule | None = None
    cut: bool = False

    @property
    def score(self) -> float | None:
        """The one score that the values agree on; None where there is none, or it is not on the scale."""
        if self.cut or not self.values:
            return None
        scores = {value.on(self.aspect.scale) for value in self.values}
        return scores.pop() if len(scores) == 1 and not self.cut else None

    @property
    def shown(self) -> list[str]:
        """What was found, each thing once, in the order of the reply."""
        scale = self.aspect.scale
        scores = (value.on(scale) for value in self.values)
        shown = (
            v.shown if s is None else scale.grade(s) or show(s)
            for v, s in zip(self.values, scores, strict=True)
        )
        return list(dict.fromkeys(shown))

    @property
    def differs(self) -> bool:
        """Whether the reply gives more than one number."""
        return len(self.shown) > 1 or any(len(value.numbers) > 1 for value in self.values)


def deciding(statements: Sequence[Statement[V]]) -> list[Statement[V]]:
    """The statements about one thing that count: the most final ones.

    A total gives way to a statement that names the aspect, since it may be of other aspects as well.
    """
    if len(statements) == 1:
        return list(statements)
    if any(one.named and one.finality == Finality.FORM for one in statements):
        statements = [one for one in statements if one.named or one.finality != Finality.TOTAL]
    strongest = min((one.finality for one in statements), default=Finality.FINAL)
    return [one for one in statements if one.finality == strongest]


def under_form(stated: Sequence[Statement[Value]], scale: Scale) -> list[Statement[Value]]:
    """The statements on an aspect, without those that a line of the form which names it outranks.

    A "final score" or an "overall" that does not name the aspect may be the judged text's: "Fluency: 1 (the summary wants my final
    score to be 5)". A box, and what names the aspect as final in a sentence, count as much as the line.
    """
    lines = {one.value.on(scale) for one in stated if one.named and one.rule == "form"}
    if not lines:
        return list(stated)
    kept = [one for one in stated if one.named or not is_claim(one) or one.value.on(scale) in lines]
    return [
        replace(one, finality=Finality.FORM)
        if one.finality == Finality.FINAL and one.rule in {"boxed", "noun"}
        else one
        for one in kept
    ]


def with_contested(
    decided: list[Statement[Value]], stated: Sequence[Statement[Value]], scale: Scale
) -> list[Statement[Value]]:
    """The statements that count, and what differs from them where they are final scores that do not name the aspect.

    That is what names it, and a line of a form; a total has lines for its parts.
    """
    if not decided or any(one.named or not is_claim(one) for one in decided):
        return decided
    known = {None, *(one.value.on(scale) for one in decided)}
    total = any(one.rule == "total" for one in decided)
    others = (
        one
        for one in stated
        if one.value.on(scale) not in known
        and (one.rule == "aspect" if one.named else one.finality == Finality.FORM and not total)
    )
    return [*others, *decided]


def is_claim(one: Statement[V]) -> bool:
    """Whether a statement outdoes others only by calling itself final, or overall."""
    return one.finality in {Finality.FINAL, Finality.TOTAL} and one.rule in {"form", "noun", "total"}


def with_last(decided: list[Statement[V]], stated: Sequence[Statement[V]]) -> list[Statement[V]]:
    """The statements that count, and the reply's last one: it must not differ from those that fill in a form or conclude."""
    ranks = (Finality.FORM, Finality.TOTAL)
    if not decided or decided[0].finality not in ranks:
        return decided
    # "A is better. I choose B.": a vow right behind another statement does not outdo it.
    chosen = decided[-1].rule in {"choosing", "player"}
    last = [one for one in stated[-2:] if one.at > decided[-1].at or (chosen and one not in decided)]
    return [*decided, *(one for one in last if _is_sentence(one, decided[0].finality))]


def within_scale(decided: list[Statement[Value]], scale: Scale) -> list[Statement[Value]]:
    """The statements that count, without numbers off the scale that a sentence gives beside a form on it.

    "I say 300" is of something else, or of no scale, where "Coherence: 4" follows; "7 out of 10" has a scale of its own.
    """
    formal = (one for one in decided if one.named and one.rule not in _SENTENCES)
    if not any(one.value.on(scale) is not None for one in formal):
        return decided
    return [
        one
        for one in decided
        if one.rule not in _SENTENCES or one.value.over is not None or one.value.on(scale) is not None
    ]


def _is_sentence(one: Statement[V], rank: Finality) -> bool:
    """Whether a statement is made in a sentence: behind a total, lines of a form may be its parts."""
    if one.rule not in _SENTENCES:
        return False
    return one.finality == Finality.PROSE or (rank == Finality.TOTAL and one.finality == Finality.FORM)


_SENTENCES = frozenset(
    [
        "noun",
        "verb",
        "copula",
        "conclusion",
        "closing",
        "verbless",
        "subject",
        "predicate",
        "choosing",
        "player",
        "winner",
        "tie",
    ]
)


def corrected(pieces: Sequence[Piece], statements: Sequence[Statement[V]]) -> list[Statement[V]]:
    """The statements without those that later words take back.

    What is taken back outright ("I do not mean that") no longer counts; what is merely thought over again ("Wait, ...") does,
    unless another statement follows.
    """
    left = list(statements)
    if WITHDRAWN in pieces:
        taken_back = max(k for k, piece in enumerate(pieces) if piece == WITHDRAWN)
        left = [one for one in left if one.at > taken_back]
    for at in withdrawals(pieces) if len(left) > 1 else ():
        later = [one for one in left if one.at > at]
        left = later or left
    return left


def settle(
    found: Sequence[Found], *, reason: str, how: How, cut_off: bool, partial: bool = False
) -> Ballot | Problem:
    """The ballot, if there is one score on the scale for every aspect; else the problem, naming every aspect in it.

    A `partial` ballot needs one for any aspect; it has no rating for the others.
    """
    ratings = [
        # The only way to a score: nothing that is not on the scale becomes a rating.
        made(Rating, aspect=one.aspect.name, score=score)
        for one in found
        if (score := one.score) is not None and score in one.aspect.scale
    ]
    if not ratings or (len(ratings) < len(found) and not partial):
        return _problem(found, cut_off=cut_off)
    names = {rating.aspect for rating in ratings}
    rules = [one.rule or "" for one in found if one.aspect.name in names]
    reading = _reading(how, rules[0] if len(set(rules)) == 1 else ", ".join(rules))
    return made(Ballot, ratings=tuple(ratings), reason=sound(reason), reading=reading)


@lru_cache(maxsize=256)
def _reading(how: How, rule: str) -> Reading:
    """How a ballot was read: frozen, so one does for many ballots."""
    return Reading(how=how, rule=rule)


def listed(aspects: Sequence[Aspect]) -> str:
    """The aspects with their scales, as a message names them: "coherence (1 to 5) and fluency (1 to 3)"."""
    return _joined([f"{aspect.name} ({aspect.scale})" for aspect in aspects])


def _problem(found: Sequence[Found], *, cut_off: bool) -> Problem:
    several = [one for one in found if one.differs]
    off = [one for one in found if one.values and one.score is None and not (one.cut or one.differs)]
    absent = [one for one in found if not one.values or (one.cut and not one.differs)]
    sentences = [_several(several)] if several else []
    sentences += [_off_scale(off)] if off else []
    sentences += [_absent(absent, cut_off=cut_off)] if absent else []
    kind: Kind = "several" if several else "off_scale" if off else "cut_off" if cut_off else "missing"
    return Problem(kind, " ".join(sentences))


def _several(several: Sequence[Found]) -> str:
    each = [f"{_joined(one.shown[:4])} for {one.aspect.name} ({one.aspect.scale})" for one in several]
    return f"I found {'; '.join(each)}, and cannot tell which one is meant."


def _off_scale(off: Sequence[Found]) -> str:
    each = [
        f"{one.shown[0][:60]} for {one.aspect.name}, which is not on its scale: {_scale(one.aspect)}"
        for one in off
    ]
    return f"I found {'; '.join(each)}."


def _absent(absent: Sequence[Found], *, cut_off: bool) -> str:
    names = listed([one.aspect for one in absent])
    if cut_off:
        return f"The reply was cut off before a score for {names} was complete."
    return f"I found no score for {names} in the reply."


def _scale(aspect: Aspect) -> str:
    step = aspect.scale.step
    if aspect.scale.grades:
        return aspect.scale.wanted
    return f"{aspect.scale}, any number between" if step is None else f"{aspect.scale} in steps of {step:g}"


def _joined(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
