"""A tie-breaker's turn: reads both sides, checks what they claim, and says whose side the text is on."""

from agentdebate.models.base import Heard
from agentdebate.models.offline_judge import opening
from agentdebate.models.offline_judge.case_file import CaseFile
from agentdebate.models.offline_judge.claims import Check, Claim, check
from agentdebate.models.offline_judge.closing import closing_lines, share_of, snap, written
from agentdebate.models.offline_judge.history import scores_in
from agentdebate.tasks import Aspect


def rule(case: CaseFile) -> str:
    """Weigh the scores that were given against the claims that hold, aspect by aspect; closing lines last."""
    given = [message for message in case.history.others if scores_in(message, case.aspects)]
    if not given:
        return opening.score(case)
    claims = case.history.claims(case.history.others)
    scores, paragraphs = {}, []
    for aspect in case.aspects:
        scores[aspect.name], text = _rule_on(case, aspect, given, claims)
        paragraphs.append(text)
    return "\n\n".join([*paragraphs, closing_lines(case.aspects, scores)])


def _rule_on(case: CaseFile, aspect: Aspect, given: list[Heard], claims: list[Claim]) -> tuple[float, str]:
    latest = _latest(case, aspect, given)
    if not latest:
        return case.opening(aspect), f"Nobody has scored {aspect.title.lower()}; I read it for myself."
    final = list(latest.values())[-1]
    checked = [
        (claim, check(claim, case.reading, case.profile(aspect), aspect, final))
        for claim in claims
        if claim.aspect == aspect.name
    ]
    sound = [(claim, each) for claim, each in checked if each.strength > 0 and each.finding]
    balance = _balance(case, aspect, [each for _, each in sound])
    side = min(latest, key=lambda sender: (abs(share_of(aspect.scale, latest[sender]) - balance), sender))
    ruled = snap(aspect.scale, balance)
    if ruled == latest[side] or not sound or _against(sound, aspect, latest[side], ruled):
        return latest[side], _for_scorer(
            case, aspect, (side, latest[side]), made=len(checked), held=len(sound)
        )
    return ruled, _for_critic(aspect, side, latest[side], ruled, sound)


def _latest(case: CaseFile, aspect: Aspect, given: list[Heard]) -> dict[str, float]:
    """The last score of each who gave one. What was passed on counts only where nobody's own words were heard."""
    first_hand = [message for message in given if message.kind in ("score", "ruling")] or given
    latest: dict[str, float] = {}
    for message in first_hand:
        scores = scores_in(message, case.aspects)
        if aspect.name in scores:
            latest.pop(message.sender, None)
            latest[message.sender] = scores[aspect.name]
    return latest


def _balance(case: CaseFile, aspect: Aspect, sound: list[Check]) -> float:
    """What the scorer's features and the critic's sound evidence come to together."""
    opinion = case.opinion(aspect)
    sides = [(weight, finding.value) for weight, finding in opinion.findings]
    sides += [(each.strength, each.finding.value) for each in sound if each.finding]
    total = sum(weight for weight, _ in sides)
    return sum(weight * value for weight, value in sides) / total if total else opinion.value


def _against(sound: list[tuple[Claim, Check]], aspect: Aspect, score: float, ruled: float) -> bool:
    """Whether the ruling would move the score away from where the claims point."""
    direction = max(sound, key=lambda each: each[1].strength)[0].direction
    return direction * (share_of(aspect.scale, ruled) - share_of(aspect.scale, score)) <= 0


def _for_scorer(case: CaseFile, aspect: Aspect, side: tuple[str, float], *, made: int, held: int) -> str:
    opinion = case.opinion(aspect)
    if not made:
        account = "Nothing that was said against it names its evidence."
    elif not held:
        account = f"I checked {_count(made, 'objection')} against the text, which bears out none of it."
    else:
        account = f"I checked {_count(made, 'objection')}; what holds of them is outweighed by the rest of the text."
    name = f"On {aspect.title.lower()} I side with {side[0]}, at {written(aspect.scale, side[1])}."
    return " ".join([name, account, *opinion.reasons()[:1]])


def _for_critic(
    aspect: Aspect, side: str, score: float, ruled: float, sound: list[tuple[Claim, Check]]
) -> str:
    claim, checked = max(sound, key=lambda each: each[1].strength)
    evidence = checked.finding.towards(claim.direction) if checked.finding else ""
    level = "high" if claim.direction < 0 else "low"
    name = f"On {aspect.title.lower()} I side with the objection: {side}'s {written(aspect.scale, score)} is too {level}."
    return f"{name} {evidence} Weighed with the rest, the text comes to {written(aspect.scale, ruled)}."


def _count(number: int, noun: str) -> str:
    return f"one {noun}" if number == 1 else f"{number} {noun}s"
