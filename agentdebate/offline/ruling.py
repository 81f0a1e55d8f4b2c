"""A tie-breaker's turn: reads both sides, checks what they claim, and says whose side the text is on."""

from dataclasses import dataclass

from agentdebate.models.base import Heard
from agentdebate.offline import opening
from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.claims import Check, Claim, check
from agentdebate.offline.history import scores_in
from agentdebate.offline.matter import Matter


@dataclass(frozen=True, slots=True)
class _Trial:
    """A matter before the tie-breaker: who last gave it which number, and the claims about it with what they are worth.

    `balance` is what the scorer's features and the sound claims come to together.
    """

    matter: Matter
    latest: dict[str, float]
    checked: list[tuple[Claim, Check]]
    balance: float

    @property
    def sound(self) -> list[tuple[Claim, Check]]:
        """The claims that hold."""
        return [(claim, each) for claim, each in self.checked if each.strength > 0 and each.finding]


def rule(case: CaseFile) -> str:
    """Weigh the numbers that were given against the claims that hold, one by one; closing lines last."""
    given = [message for message in case.history.others if scores_in(message, case.matters)]
    if not given:
        return opening.vote(case)
    claims = case.history.claims(case.history.others)
    trials = [_trial(case, matter, given, claims) for matter in case.matters]
    ruled = case.numbers({trial.matter.key: trial.balance for trial in trials})
    numbers, paragraphs = {}, []
    for trial in trials:
        key = trial.matter.key
        numbers[key], text = _rule_on(trial, ruled[key])
        paragraphs.append(text)
    return "\n\n".join([*paragraphs, case.closing(numbers)])


def _trial(case: CaseFile, matter: Matter, given: list[Heard], claims: list[Claim]) -> _Trial:
    latest = _latest(case, matter, given)
    final = list(latest.values())[-1] if latest else 0.0
    checked = [(each, check(each, matter, final)) for each in claims if latest and each.matter == matter.key]
    return _Trial(matter, latest, checked, _balance(matter, [each for _, each in checked]))


def _rule_on(trial: _Trial, ruled: float) -> tuple[float, str]:
    matter, latest = trial.matter, trial.latest
    if not latest:
        return ruled, f"Nobody has scored {matter.name}; I read it for myself."
    side = min(latest, key=lambda sender: (abs(matter.share(latest[sender]) - trial.balance), sender))
    if ruled == latest[side] or not trial.sound or _against(trial, latest[side], ruled):
        return latest[side], _for_scorer(trial, side)
    return ruled, _for_critic(trial, side, ruled)


def _latest(case: CaseFile, matter: Matter, given: list[Heard]) -> dict[str, float]:
    """The last number of each who gave one. What was passed on counts only where nobody's own words were heard."""
    first_hand = [message for message in given if message.kind in ("score", "ruling")] or given
    latest: dict[str, float] = {}
    for message in first_hand:
        scores = scores_in(message, case.matters)
        if matter.key in scores:
            latest.pop(message.sender, None)
            latest[message.sender] = scores[matter.key]
    return latest


def _balance(matter: Matter, checks: list[Check]) -> float:
    opinion = matter.opinion()
    sides = [(weight, finding.value) for weight, finding in opinion.findings]
    sides += [(each.strength, each.finding.value) for each in checks if each.finding and each.strength > 0]
    total = sum(weight for weight, _ in sides)
    return sum(weight * value for weight, value in sides) / total if total else opinion.value


def _strongest(trial: _Trial) -> tuple[Claim, Check]:
    return max(trial.sound, key=lambda each: each[1].strength)


def _against(trial: _Trial, score: float, ruled: float) -> bool:
    """Whether the ruling would move the number away from where the claims point."""
    direction = _strongest(trial)[0].direction
    return direction * (trial.matter.share(ruled) - trial.matter.share(score)) <= 0


def _for_scorer(trial: _Trial, side: str) -> str:
    made = len(trial.checked)
    if not made:
        account = "Nothing that was said against it names its evidence."
    elif not trial.sound:
        account = f"I checked {_count(made, 'objection')} against the text, which bears out none of it."
    else:
        account = f"I checked {_count(made, 'objection')}; what holds of them is outweighed by the rest of the text."
    name = f"On {trial.matter.name} I side with {side}, at {trial.matter.written(trial.latest[side])}."
    reasons = [reason.sentence for reason in trial.matter.opinion().reasons()[:1]]
    return " ".join([name, account, *reasons])


def _for_critic(trial: _Trial, side: str, ruled: float) -> str:
    claim, checked = _strongest(trial)
    matter, score = trial.matter, trial.latest[side]
    evidence = checked.finding.towards(claim.direction) if checked.finding else ""
    level = "generous" if claim.direction < 0 else "harsh"
    name = f"On {matter.name} I side with the objection: {side}'s {matter.written(score)} is too {level}."
    return f"{name} {evidence} Weighed with the rest, the text comes to {matter.written(ruled)}."


def _count(number: int, noun: str) -> str:
    return f"one {noun}" if number == 1 else f"{number} {noun}s"
