"""A critic's turn: an objection to the scores on the table from features that the scorer did not use, or none."""

from dataclasses import dataclass

from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.claims import NO_ISSUE
from agentdebate.offline.features import find, force
from agentdebate.offline.matter import Matter
from agentdebate.offline.naming import joined
from agentdebate.offline.wording import pick


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
    matter: Matter
    score: float
    direction: int
    sentence: str
    strength: float


def criticise(case: CaseFile) -> str:
    """The strongest argument not yet made against each number, or the stop word.

    The critic takes up the aspects on which it differs most, and there every text, so that their order is nothing to it.
    """
    severity = _SEVERITIES.get(case.context.card, _PLAIN)
    scores = case.filled(case.history.scores(of=case.history.others))
    taken: list[list[_Argument]] = []
    for matters in case.by_aspect:
        found = [_arguments(case, matter, scores[matter.key], severity) for matter in matters]
        strongest = [max(each, key=lambda one: (one.strength, one.sentence)) for each in found if each]
        if strongest:
            taken.append(strongest)
    taken.sort(key=lambda each: -max(argument.strength for argument in each))
    chosen = _distinct([argument for strongest in taken for argument in strongest], severity.aspects)
    if not chosen:
        return _content(case)
    return "\n\n".join(_objection(argument) for argument in chosen)


def _arguments(case: CaseFile, matter: Matter, score: float, severity: Severity) -> list[_Argument]:
    found = []
    stand = matter.share(score)
    for name, trust in matter.profile.critic.items():
        finding = find(matter.reading, name) if trust >= severity.trust else None
        if finding is None or not _fresh(case, finding.weak, finding.strong):
            continue
        direction = 1 if finding.value > stand else -1
        sentence = finding.towards(direction)
        strength = trust * force(finding, direction, stand)
        least = max(severity.strength, _PRAISE) if direction > 0 else severity.strength
        if sentence and strength >= least and direction in _directions(case, matter):
            found.append(_Argument(matter, score, direction, sentence, strength))
    return found


def _fresh(case: CaseFile, *sentences: str) -> bool:
    return not any(sentence and case.history.said(sentence) for sentence in sentences)


def _directions(case: CaseFile, matter: Matter) -> tuple[int, ...]:
    """Where this critic may still argue: not against what it has argued for."""
    argued = [claim for claim in case.history.claims(case.history.own) if claim.matter == matter.key]
    return (argued[-1].direction,) if argued else (-1, 1)


def _distinct(arguments: list[_Argument], aspects: int) -> list[_Argument]:
    """Each sentence once for a text, and no more aspects than are wanted."""
    first: dict[tuple[str, str], _Argument] = {}
    rated: set[str] = set()
    for argument in arguments:
        key = argument.matter.label, argument.sentence
        if key not in first and (len(rated) < aspects or argument.matter.line.rated in rated):
            rated.add(argument.matter.line.rated)
            first[key] = argument
    return list(first.values())


def _objection(argument: _Argument) -> str:
    low = argument.direction > 0
    score, name = argument.matter.written(argument.score), argument.matter.name
    kind = "harsh" if low else "generous"
    if argument.matter.ranked:
        openers: tuple[str, ...] = (
            f"Place {score} for {name} is too {kind}.",
            f"Putting {name} in place {score} is too {kind}.",
        )
    else:
        openers = (
            f"A score of {score} for {name} is too {'low' if low else 'high'}.",
            f"Giving {name} {_article(score)} {score} is too {kind}.",
            f"For {name}, {score} is too {'low' if low else 'high'}.",
        )
    return f"{pick(argument.sentence, openers)} {argument.sentence} {_consequence(argument)}"


def _article(number: str) -> str:
    return "an" if number[0] == "8" or number.partition(".")[0] in ("11", "18") else "a"


def _consequence(argument: _Argument) -> str:
    down = argument.direction < 0
    if argument.strength > 0.4:  # noqa: PLR2004 - two fifths of the scale is far off by any standard
        return "That alone puts the text far " + ("below" if down else "above") + " this score."
    general = argument.matter.ranked or argument.matter.topic == "Overall"
    name = "quality" if general else argument.matter.topic.lower()
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
    return pick(argument.sentence[::-1], closers)


def _content(case: CaseFile) -> str:
    scores = case.history.scores(of=case.history.others)
    named = joined(
        [
            f"{matter.written(scores[matter.key])} for {matter.name}"
            for matter in case.matters
            if matter.key in scores
        ]
    )
    ground = (
        f"I have read the text again, and I can live with {named}."
        if named
        else "I have read the text again."
    )
    return f"{ground}\n\n{NO_ISSUE}"
