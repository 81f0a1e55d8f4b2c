"""Replies that end in a ballot: a vote, a revision, a ruling, a form without reasons."""

from collections.abc import Sequence
from statistics import fmean

from agentdebate.offline.case import Case, View
from agentdebate.offline.matter import Matter
from agentdebate.offline.talk import Argument

_BAR = 0.2
"""Strength from which on an argument moves a score."""
_STEP = 0.5
"""Share of an argument's strength by which it moves a score."""
_GRADES = (
    (0.85, "hard to fault"),
    (0.6, "good on the whole"),
    (0.4, "mixed"),
    (0.15, "weak"),
    (0.0, "all but absent"),
)


def vote(case: Case) -> str:
    """A judgement from the view of the speaker's card, after what others have said."""
    views = case.views()
    numbers = case.numbers({view.matter.key: view.value for view in views})
    return case.ballot([view_in_words(view) for view in views], numbers)


def fill(case: Case) -> str:
    """The scorer's numbers without a reason (G-Eval, arXiv 2303.16634, Section 2.3)."""
    return case.ballot([], case.filled({}))


def revise(case: Case) -> str:
    """An answer to each new argument, and the numbers that stand after it."""
    standing = case.talk.numbers(case.talk.own)
    arguments = case.talk.new_arguments()
    if not standing and not arguments:
        return vote(case)
    numbers, paragraphs = case.filled(standing), list[str]()
    for matter in case.matters:
        for argument in arguments:
            if argument.matter == matter.key:
                numbers[matter.key], answer = _answered(matter, argument, numbers[matter.key])
                paragraphs.append(answer)
    return case.ballot(
        paragraphs or ["I have heard nothing new that I can find in the text, so what I said stands."],
        numbers,
    )


def rule(case: Case) -> str:
    """The last number given for each line, moved where an argument against it holds."""
    arguments, given = case.talk.arguments(case.talk.others), case.talk.numbers(case.talk.others)
    if not given:
        return vote(case)
    numbers, paragraphs = case.filled(given), list[str]()
    for matter in case.matters:
        about = [each for each in arguments if each.matter == matter.key]
        number, said = _ruled(matter, about, numbers[matter.key])
        numbers[matter.key] = number
        paragraphs.append(said)
    return case.ballot(paragraphs, numbers)


def view_in_words(view: View) -> str:
    """A paragraph on a view, with what it grants to others."""
    grade = next(words for least, words in _GRADES if view.value >= least)
    reasons = view.own.reasons or ["The text offers nothing by which this could be measured."]
    granted = [f"I give {one.sender} this: {one.sentence}" for one in view.granted]
    return " ".join([f"{capitalised(view.matter.name)} is {grade}.", *reasons, *granted[:1]])


def capitalised(name: str) -> str:
    """A name at the start of a sentence."""
    return name[:1].upper() + name[1:]


def _answered(matter: Matter, argument: Argument, number: float) -> tuple[float, str]:
    """The number after an argument, and what is said to it: the evidence decides, and bounds how far the number goes."""
    stays = f"{capitalised(matter.name)} stays at {matter.written(number)}."
    strength = argument.strength(matter.share(number))
    if strength <= 0:
        counter = argument.finding.towards(-argument.direction)
        return number, " ".join(filter(None, ["The text does not bear that out.", counter, stays]))
    moved = _moved(matter, argument, matter.share(number))
    if strength < _BAR or moved == number:
        return number, f"That is so, but it weighs too little. {stays}"
    change = "raise" if argument.direction > 0 else "lower"
    return (
        moved,
        f"You have a point. {argument.sentence} I {change} {matter.name}, which stood at {matter.written(number)}.",
    )


def _moved(matter: Matter, argument: Argument, stand: float) -> float:
    """The number after a concession: at least a step on, and no more than half a step past what the evidence is worth."""
    size = max(matter.step, _STEP * argument.strength(stand))
    most = argument.strength(stand) + matter.step / 2
    return matter.number(stand + argument.direction * min(size, most))


def _ruled(matter: Matter, arguments: Sequence[Argument], number: float) -> tuple[float, str]:
    """The number after all arguments together, if it goes where the strongest of them points."""
    stand = matter.share(number)
    sound = [each for each in arguments if each.strength(stand) >= _BAR]
    best = max(sound, key=lambda each: each.strength(stand), default=None)
    ruled = matter.number(fmean([matter.opinion.value, stand, *(each.finding.value for each in sound)]))
    if best is None or best.direction * (matter.share(ruled) - stand) <= 0:
        return (
            number,
            f"On {matter.name} I side with the score of {matter.written(number)}: no objection outweighs the text.",
        )
    told = f"On {matter.name} I side with the objection to {matter.written(number)}. {best.sentence}"
    return ruled, f"{told} Weighed with the rest, the text comes to {matter.written(ruled)}."
