"""A score with its reasons, before or amid a talk: what the scorer opens with, what a card says from its viewpoint."""

from agentdebate.models.offline_judge.case_file import CaseFile
from agentdebate.models.offline_judge.closing import closing_lines, share_of, snap, step_of, written
from agentdebate.models.offline_judge.opinion import Opinion
from agentdebate.tasks import Aspect

_SWAY = 0.3
"""How much of the distance to what others think, on average, one who hears them goes."""
_TOP, _HIGH, _MIDDLE, _LOW = 0.95, 0.7, 0.45, 0.2


def score(case: CaseFile) -> str:
    """Reasons with quoted evidence, then a closing line for each aspect."""
    card = case.context.card
    scores, paragraphs = {}, []
    for aspect in case.aspects:
        opinion = case.opinion(aspect, card=card)
        scores[aspect.name], note = _swayed(case, aspect, opinion.value)
        paragraphs.append(_paragraph(case, aspect, opinion, note))
    return "\n\n".join([*paragraphs, closing_lines(case.aspects, scores)])


def _paragraph(case: CaseFile, aspect: Aspect, opinion: Opinion, note: str) -> str:
    if not opinion.findings:
        return f"{aspect.title} has nothing to rest on here: {_lack(case)}"
    reasons = opinion.reasons(skip=len(case.history.own))
    return " ".join(
        [_verdict(aspect, case.opening(aspect, card=case.context.card)), *reasons, *([note] if note else [])]
    )


def _lack(case: CaseFile) -> str:
    if not case.reading.text.words:
        return "the text under judgement has no words to read."
    return "the text offers nothing that this aspect could be measured by, so the middle of the scale stands."


def _verdict(aspect: Aspect, score: float) -> str:
    name, value = aspect.title, share_of(aspect.scale, score)
    if value >= _TOP:
        return f"{name} is hard to fault here."
    if value >= _HIGH:
        return f"{name} is good on the whole, with something left to wish for."
    if value >= _MIDDLE:
        return f"{name} is mixed."
    if value >= _LOW:
        return f"{name} is weak."
    return f"{name} is all but absent."


def _swayed(case: CaseFile, aspect: Aspect, value: float) -> tuple[float, str]:
    """The score after hearing others, and a sentence about them where they think otherwise."""
    heard = [
        (message.sender, scores[aspect.name])
        for message in case.history.others
        if aspect.name in (scores := case.history.scores(of=[message]))
    ]
    latest = dict(heard)
    own = snap(aspect.scale, value)
    if not latest:
        return own, ""
    theirs = sum(share_of(aspect.scale, each) for each in latest.values()) / len(latest)
    sender, other = max(latest.items(), key=lambda each: abs(each[1] - own))
    if abs(theirs - value) < step_of(aspect.scale) / 2:
        return own, ""
    moved = snap(aspect.scale, value + _SWAY * (theirs - value))
    spoken = f"{sender} sees a {written(aspect.scale, other)} there"
    return (
        moved,
        f"{spoken}, which I take into account." if moved != own else f"{spoken}; I read it otherwise.",
    )
