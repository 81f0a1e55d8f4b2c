"""The scorer's answer to objections: each is checked against the text, then conceded or turned down with a reason."""

from dataclasses import dataclass

from agentdebate.models.offline_judge import opening
from agentdebate.models.offline_judge.case_file import CaseFile
from agentdebate.models.offline_judge.claims import Check, Claim, check
from agentdebate.models.offline_judge.closing import closing_lines, share_of, snap, step_of, written
from agentdebate.models.offline_judge.features import FEATURES
from agentdebate.tasks import Aspect

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
        return opening.score(case)
    scores, paragraphs = {}, []
    for aspect in case.aspects:
        current = standing.get(aspect.name, case.opening(aspect))
        answers = _answers(case, aspect, current, [claim for claim in claims if claim.aspect == aspect.name])
        paragraphs += [answer.text for answer in answers]
        scores[aspect.name] = answers[-1].score if answers else current
    if not paragraphs:
        paragraphs = [_unmoved(case)]
    return "\n\n".join([*paragraphs, closing_lines(case.aspects, scores)])


def _answers(case: CaseFile, aspect: Aspect, current: float, claims: list[Claim]) -> list[_Answer]:
    answers: list[_Answer] = []
    for claim in claims:
        score = answers[-1].score if answers else current
        answers.append(_answer(case, aspect, claim, score))
    return answers


def _answer(case: CaseFile, aspect: Aspect, claim: Claim, score: float) -> _Answer:
    checked = check(claim, case.reading, case.profile(aspect), aspect, score)
    stand = share_of(aspect.scale, score)
    lean = claim.direction * (case.opinion(aspect).value - stand)
    stays = f"{aspect.title} stays at {written(aspect.scale, score)}"
    if checked.trouble:
        return _Answer(score, f"I looked for that and cannot confirm it: {checked.trouble}. {stays}.")
    if checked.strength <= 0:
        return _Answer(score, f"The text does not bear that out. {_counter(checked, claim)}{stays}.")
    moved = _moved(aspect, claim, checked, stand)
    # On a scale of few values one step is a long way, and takes the more to go.
    bar = max(_BAR, step_of(aspect.scale) / 2) - _RESISTANCE * lean
    if checked.strength < bar or moved == score:
        return _Answer(
            score,
            f"{_granted(checked, claim)}, but it weighs too little. {_ground(case, aspect, claim)}{stays}.",
        )
    change = f"{'raise' if claim.direction > 0 else 'lower'} {aspect.title.lower()} from"
    numbers = f"{written(aspect.scale, score)} to {written(aspect.scale, moved)}"
    return _Answer(moved, f"{_granted(checked, claim)}, and it counts. I {change} {numbers}.")


def _moved(aspect: Aspect, claim: Claim, checked: Check, stand: float) -> float:
    """The score after a concession: at least a step, and never past what the evidence itself would give."""
    size = max(step_of(aspect.scale), _STEP * checked.strength)
    implied = checked.finding.value if checked.finding else stand
    target = stand + claim.direction * size
    # Half a step of slack: a scale of few values must not make every concession impossible.
    slack = claim.direction * step_of(aspect.scale) / 2
    target = min(target, implied + slack) if claim.direction > 0 else max(target, implied + slack)
    return snap(aspect.scale, target)


def _granted(checked: Check, claim: Claim) -> str:
    about = FEATURES[checked.finding.feature].label if checked.finding else "this"
    quote = f": “{claim.quotes[0]}” is there to see" if claim.quotes else ""
    return f"You have a point about {about}{quote}"


def _counter(checked: Check, claim: Claim) -> str:
    sentence = checked.finding.towards(-claim.direction) if checked.finding else ""
    return f"{sentence} " if sentence else ""


def _ground(case: CaseFile, aspect: Aspect, claim: Claim) -> str:
    """The scorer's strongest reason against moving."""
    findings = case.opinion(aspect).findings
    best = max(findings, key=lambda each: -claim.direction * each[0] * each[1].value, default=None)
    sentence = best[1].towards(-claim.direction) if best else ""
    return f"{sentence} " if sentence else ""


def _unmoved(case: CaseFile) -> str:
    if case.history.news:
        return "I have heard nothing that speaks against the text, so what I said stands."
    return "Nothing has been said since, so what I said stands."
