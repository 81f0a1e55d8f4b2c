"""A critic's turn: an objection to the scores on the table from features that the scorer did not use, or none."""

import zlib
from dataclasses import dataclass

from agentdebate.models.offline_judge.case_file import CaseFile
from agentdebate.models.offline_judge.claims import NO_ISSUE
from agentdebate.models.offline_judge.closing import share_of, written
from agentdebate.models.offline_judge.features import find, force
from agentdebate.tasks import Aspect


@dataclass(frozen=True, slots=True)
class Severity:
    """What a critic lets pass.

    `trust` is the least weight of a feature it argues from, `strength` the least disagreement that it speaks up for
    (a share of the scale times that weight), `aspects` how many aspects it objects to in one turn.
    """

    trust: float
    strength: float
    aspects: int


_PLAIN = Severity(trust=0.5, strength=0.2, aspects=2)
_SEVERITIES = {
    "critic-weak": Severity(trust=0.6, strength=0.35, aspects=1),
    "critic-moderate": Severity(trust=0.4, strength=0.12, aspects=3),
    "critic-strict": Severity(trust=0.0, strength=0.02, aspects=99),
}


_PRAISE = 0.1
"""Least disagreement at which any critic, however strict, speaks for a text."""


@dataclass(frozen=True, slots=True)
class _Argument:
    aspect: Aspect
    score: float
    direction: int
    sentence: str
    strength: float


def criticise(case: CaseFile) -> str:
    """The strongest argument not yet made against each score, or the stop word."""
    severity = _SEVERITIES.get(case.context.card, _PLAIN)
    scores = case.history.scores(of=case.history.others)
    strongest = []
    for aspect in case.aspects:
        score = scores.get(aspect.name, case.opening(aspect))
        arguments = _arguments(case, aspect, score, severity)
        if arguments:
            strongest.append(max(arguments, key=lambda each: each.strength))
    strongest.sort(key=lambda each: -each.strength)
    chosen = _distinct(strongest)[: severity.aspects]
    return "\n\n".join(_objection(argument) for argument in chosen) if chosen else _content(case, scores)


def _arguments(case: CaseFile, aspect: Aspect, score: float, severity: Severity) -> list[_Argument]:
    found = []
    stand = share_of(aspect.scale, score)
    for name, trust in case.profile(aspect).critic.items():
        finding = find(case.reading, name) if trust >= severity.trust else None
        if finding is None or not _fresh(case, finding.weak, finding.strong):
            continue
        direction = 1 if finding.value > stand else -1
        sentence = finding.towards(direction)
        strength = trust * force(finding, direction, stand)
        least = max(severity.strength, _PRAISE) if direction > 0 else severity.strength
        if sentence and strength >= least and direction in _directions(case, aspect):
            found.append(_Argument(aspect, score, direction, sentence, strength))
    return found


def _fresh(case: CaseFile, *sentences: str) -> bool:
    return not any(sentence and case.history.said(sentence) for sentence in sentences)


def _directions(case: CaseFile, aspect: Aspect) -> tuple[int, ...]:
    """Where this critic may still argue: not against what it has argued for."""
    argued = [claim for claim in case.history.claims(case.history.own) if claim.aspect == aspect.name]
    return (argued[-1].direction,) if argued else (-1, 1)


def _distinct(arguments: list[_Argument]) -> list[_Argument]:
    first: dict[str, _Argument] = {}
    for argument in arguments:
        first.setdefault(argument.sentence, argument)
    return list(first.values())


def _objection(argument: _Argument) -> str:
    level = "high" if argument.direction < 0 else "low"
    score = written(argument.aspect.scale, argument.score)
    name = argument.aspect.title.lower()
    openers = (
        f"A score of {score} for {name} is too {level}.",
        f"Giving {name} a {score} is too {'generous' if argument.direction < 0 else 'harsh'}.",
        f"For {name}, {score} is too {level}.",
    )
    opener = openers[_draw(argument.sentence, len(openers))]
    return f"{opener} {argument.sentence} {_consequence(argument)}"


def _consequence(argument: _Argument) -> str:
    down = argument.direction < 0
    if argument.strength > 0.4:  # noqa: PLR2004 - two fifths of the scale is far off by any standard
        return "That alone puts the text far " + ("below" if down else "above") + " this score."
    name = argument.aspect.title.lower()
    closers = (
        (
            "That should cost it something.",
            f"A reader who looks for {name} will notice.",
            "The score passes over that.",
        )
        if down
        else (
            "That deserves more credit.",
            "The score gives it no credit for that.",
            "That speaks for the text.",
        )
    )
    return closers[_draw(argument.sentence[::-1], len(closers))]


def _draw(sentence: str, choices: int) -> int:
    """A number below `choices` that depends on the words alone."""
    return zlib.crc32(sentence.encode("utf-8", "replace")) % choices


def _content(case: CaseFile, scores: dict[str, float]) -> str:
    known = [aspect for aspect in case.aspects if aspect.name in scores]
    named = " and ".join(
        f"{written(each.scale, scores[each.name])} for {each.title.lower()}" for each in known
    )
    ground = (
        f"I have read the text again, and I can live with {named}."
        if named
        else "I have read the text again."
    )
    return f"{ground}\n\n{NO_ISSUE}"
