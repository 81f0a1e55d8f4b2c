"""The scorer's answer to objections: each is checked against the text, then conceded or turned down with a reason."""

from dataclasses import dataclass

from agentdebate.offline import opening
from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.claims import Check, Claim, check
from agentdebate.offline.features import FEATURES
from agentdebate.offline.matter import Matter
from agentdebate.offline.text import quotable

_BAR = 0.2
"""Strength from which a claim moves a score that the scorer's own features neither support nor oppose."""
_RESISTANCE = 0.4
"""How much the bar rises with each share of the scale that the score would move away from the scorer's features."""
_STEP = 0.5
"""Share of a claim's strength that a concession moves the score by."""


@dataclass(frozen=True, slots=True)
class _Answer:
    score: float
    text: str


def revise(case: CaseFile) -> str:
    """Answer what has been claimed since the last turn; closing lines last. With no claim heard, think again."""
    history = case.history
    standing = history.scores(of=history.own)
    claims = history.new_claims()
    if not claims and not standing:
        return opening.vote(case)
    numbers, paragraphs = case.filled(standing), []
    for matter in case.matters:
        answers = _answers(matter, numbers[matter.key], claims)
        paragraphs += [answer.text for answer in answers]
        numbers[matter.key] = answers[-1].score if answers else numbers[matter.key]
    if not paragraphs:
        paragraphs = [_unmoved(case)]
    return "\n\n".join([*paragraphs, case.closing(numbers)])


def _answers(matter: Matter, current: float, claims: list[Claim]) -> list[_Answer]:
    answers: list[_Answer] = []
    for claim in claims:
        if claim.matter == matter.key:
            answers.append(_answer(matter, claim, answers[-1].score if answers else current))
    return answers


def _answer(matter: Matter, claim: Claim, score: float) -> _Answer:
    checked = check(claim, matter, score)
    stand = matter.share(score)
    lean = claim.direction * (matter.opinion().value - stand)
    stays = f"{_opening_word(matter.name)} stays at {matter.written(score)}"
    if checked.trouble:
        return _Answer(score, f"I looked for that and cannot confirm it: {checked.trouble}. {stays}.")
    if checked.strength <= 0:
        return _Answer(score, f"The text does not bear that out. {_counter(checked, claim)}{stays}.")
    moved = _moved(matter, claim, checked, stand)
    # On a scale of few values one step is a long way, and takes the more to go.
    bar = max(_BAR, matter.step / 2) - _RESISTANCE * lean
    if checked.strength < bar or moved == score:
        ground = _ground(matter, claim)
        return _Answer(score, f"{_granted(checked, claim)}, but it weighs too little. {ground}{stays}.")
    change = (
        f"{'raise' if claim.direction > 0 else 'lower'} {matter.name}, which stood at {matter.written(score)}"
    )
    return _Answer(moved, f"{_granted(checked, claim)}, and it counts. I {change}.")


def _moved(matter: Matter, claim: Claim, checked: Check, stand: float) -> float:
    """The score after a concession: at least a step, and never past what the evidence itself would give."""
    size = max(matter.step, _STEP * checked.strength)
    implied = checked.finding.value if checked.finding else stand
    target = stand + claim.direction * size
    # Half a step of slack: a scale of few values must not make every concession impossible.
    slack = claim.direction * matter.step / 2
    target = min(target, implied + slack) if claim.direction > 0 else max(target, implied + slack)
    return matter.number(target)


def _granted(checked: Check, claim: Claim) -> str:
    about = FEATURES[checked.finding.feature].label if checked.finding else "this"
    quote = quotable(claim.quotes[0]) if claim.quotes else ""
    return f"You have a point about {about}" + (f": “{quote}” is there to see" if quote else "")


def _counter(checked: Check, claim: Claim) -> str:
    sentence = checked.finding.towards(-claim.direction) if checked.finding else ""
    return f"{sentence} " if sentence else ""


def _ground(matter: Matter, claim: Claim) -> str:
    """The scorer's strongest reason against moving."""
    findings = matter.opinion().findings
    best = max(findings, key=lambda each: -claim.direction * each[0] * each[1].value, default=None)
    sentence = best[1].towards(-claim.direction) if best else ""
    return f"{sentence} " if sentence else ""


def _opening_word(name: str) -> str:
    return name[:1].upper() + name[1:]


def _unmoved(case: CaseFile) -> str:
    if case.history.news:
        return "I have heard nothing that speaks against the text, so what I said stands."
    return "Nothing has been said since, so what I said stands."
