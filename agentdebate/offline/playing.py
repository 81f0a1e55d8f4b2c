"""Playing roles: each compares the texts from its own standpoint and votes for one of them (DRPE, Section 3.2)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from agentdebate.ballots.lineup import Player
from agentdebate.errors import RequestRefused
from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.finding import Finding
from agentdebate.offline.matter import Matter
from agentdebate.offline.opinion import Opinion, weigh
from agentdebate.offline.profiles import overall
from agentdebate.offline.standpoint import Standpoint
from agentdebate.offline.wording import pick

_DIGITS = 9
"""Digits to which values are told apart: what is less is the arithmetic's."""
_FOR = ("{} has more of what I look for", "{} serves me better", "I get more from {}")
_AGAINST = ("{} falls short", "{} has this against it", "{} gives me less")
_NOTABLE = 0.005
"""Difference that is worth a sentence."""
_KEY = re.compile(r"“\W*\w{1,2}\W*”")
"""A quotation that could be the number or the letter of a text."""
_FORM = re.compile(
    r"\b(?i:votes?|roles?|reasons?|choices?|preference|winner|verdict|better|best)\b[^“”]{0,12}?"
    r"(?:[:：=>¦–—-]|\b[A-Z]\b|\d)|[{}]"
)
"""Words in a quote that could be taken for a line of our own."""


@dataclass(frozen=True, slots=True)
class _Stand:
    """A text from a standpoint."""

    matter: Matter
    opinion: Opinion

    @property
    def rank(self) -> tuple[float, float, int, str, str]:
        """What it is sorted by, the best first. Nothing in it depends on the position in which the text is shown."""
        reading = self.matter.reading
        whole = weigh(reading, overall(reading.kind)).value
        raw = reading.text.raw
        field = self.matter.line.candidate or ""
        return -round(self.opinion.value, _DIGITS), -round(whole, _DIGITS), len(raw), raw, field


def play(case: CaseFile) -> str:
    """A reason and a vote for each of the roles, under its title; for one role, or none, only these."""
    if not case.compares:
        raise RequestRefused(
            f"a vote is between texts, and task {case.context.task.name!r} has one; take a task that compares",
            model="offline",
        )
    players = case.context.players
    if len(players) > 1:
        return "\n\n".join(_part(case, number, player) for number, player in enumerate(players, 1))
    standpoint = Standpoint.of_player(players[0]) if players else Standpoint.of_card(case.context.card)
    reason, label = _vote(case, standpoint, most=2)
    return f"{reason}\n\nVote: {label}"


def _part(case: CaseFile, number: int, player: Player) -> str:
    reason, label = _vote(case, Standpoint.of_player(player), most=1)
    return f"Role {number}: {' '.join(player.title.split())}\nReason: {reason}\nVote: {label}"


def _vote(case: CaseFile, standpoint: Standpoint, *, most: int) -> tuple[str, str]:
    stands = [_Stand(matter, standpoint.opinion(matter)) for matter in case.by_aspect[0]]
    best, second, *_ = sorted(stands, key=lambda each: each.rank)
    return _reason(best, second, standpoint.own, most), best.matter.label


def _reason(best: _Stand, second: _Stand, own: frozenset[str], most: int) -> str:
    """What speaks for the first and against the second."""
    ahead, behind = best.matter.label, second.matter.label
    if best.matter.reading.text.words == second.matter.reading.text.words:
        return f"{ahead} and {behind} are the same, word for word, so I can only take one of them."
    good = _sentences(best.opinion, second.opinion, own, 1)
    bad = _sentences(second.opinion, best.opinion, own, -1)
    for_it = _sound(good, most)
    # To say of the one what has been said of the other tells less than another point does.
    told = [feature for feature, sentence in good if sentence in for_it]
    against = _sound([each for each in bad if each[0] not in told], most) or _sound(bad, most)
    said = [f"{_lead(for_it[0], _FOR, ahead)}: {' '.join(for_it)}"] if for_it else []
    said += [f"{_lead(against[0], _AGAINST, behind)}: {' '.join(against)}"] if against else []
    return " ".join(said) or f"{ahead} and {behind} come to much the same for me, and I lean to {ahead}."


def _sentences(one: Opinion, other: Opinion, own: frozenset[str], direction: int) -> list[tuple[str, str]]:
    """What tells one text from the other in this direction, by feature.

    What the standpoint itself looks at comes first, then the strongest difference.
    """
    rival = {finding.feature: finding for _, finding in other.findings}
    pulls: list[tuple[float, Finding]] = []
    for weight, finding in one.findings:
        if finding.feature in rival:
            pulls.append((weight * direction * (finding.value - rival[finding.feature].value), finding))
    pulls.sort(key=lambda each: (each[1].feature not in own, -each[0], each[1].feature))
    said = [(finding.feature, finding.towards(direction)) for pull, finding in pulls if pull > _NOTABLE]
    return [(feature, sentence) for feature, sentence in said if sentence]


def _sound(sentences: Sequence[tuple[str, str]], most: int) -> list[str]:
    """The first sentences in which nothing is quoted that a reader of votes might stumble over."""
    return list(
        islice(
            (sentence for _, sentence in sentences if not (_FORM.search(sentence) or _KEY.search(sentence))),
            most,
        )
    )


def _lead(sentence: str, ways: Sequence[str], label: str) -> str:
    return pick(sentence, ways).format(label)
