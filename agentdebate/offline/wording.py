"""A view put into words: what is said of one text, and of several side by side. No number is in it."""

import zlib
from collections.abc import Mapping, Sequence

from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.matter import Matter
from agentdebate.offline.naming import joined
from agentdebate.offline.opinion import Reason
from agentdebate.offline.view import View

_TOP, _HIGH, _MIDDLE, _LOW = 0.95, 0.7, 0.45, 0.2
_CLEAR = 0.15
"""Lead, as a share of the scale, that is more than a narrow one."""
_UNKNOWN = (
    "Whether it is true cannot be checked without knowledge of the matter; I go by how specific it is and by whether"
    " it agrees with itself."
)


def paragraphs(case: CaseFile, views: Mapping[str, View], numbers: Mapping[str, float]) -> list[str]:
    """A paragraph for each aspect."""
    turn = len(case.history.own)
    if not case.compares:
        return [_of_one(views[matter.key], numbers, turn) for matter in case.matters]
    return [
        _of_several([views[matter.key] for matter in matters], numbers, turn) for matters in case.by_aspect
    ]


def pick(sentence: str, choices: Sequence[str]) -> str:
    """One of several ways to put it, which depends on the words alone."""
    return choices[zlib.crc32(sentence.encode("utf-8", "replace")) % len(choices)]


def tiers(matters: Sequence[Matter], numbers: Mapping[str, float]) -> list[list[Matter]]:
    """Texts by how good their numbers say that they are, best first; those that are as good together."""
    shares = {matter.key: matter.share(numbers[matter.key]) for matter in matters}
    levels = sorted(set(shares.values()), reverse=True)
    return [[matter for matter in matters if shares[matter.key] == level] for level in levels]


def _of_one(view: View, numbers: Mapping[str, float], turn: int) -> str:
    title = view.matter.title
    if not view.own.findings:
        return f"{title} has nothing to rest on here: {_lack(view)}"
    verdict = _verdict(title, view.matter.share(numbers[view.matter.key]))
    reasons = [reason.sentence for reason in view.reasons(turn)]
    return " ".join([verdict, *_caveat(view), *reasons, *_granted(view, reasons)])


def _of_several(views: Sequence[View], numbers: Mapping[str, float], turn: int) -> str:
    by_key = {view.matter.key: view for view in views}
    ranks = tiers([view.matter for view in views], numbers)
    topic = views[0].matter.topic
    general = views[0].matter.ranked or topic == "Overall"
    opening = "On the whole" if general else f"On {topic.lower()}"
    order = f"{opening}, {_order(ranks, numbers)}"
    lines = [_candidate(view, turn) for view in by_key.values()]
    return "\n".join([" ".join([order, *_caveat(views[0])]), *lines])


def _candidate(view: View, turn: int) -> str:
    label = view.matter.label
    if not view.own.findings:
        return f"{label} has nothing to rest on: {_lack(view)}"
    said: list[str] = []
    before = 0
    reasons = view.reasons(turn)
    for reason in reasons:
        if reason.direction != before:
            said.append(_lead(label, reason, first=before == 0))
        said.append(reason.sentence)
        before = reason.direction
    return " ".join([*(said or [f"{label} gives little to quote."]), *_granted(view, said)])


def _lead(label: str, reason: Reason, *, first: bool) -> str:
    good = reason.direction > 0
    if not first:
        return "But it has this to its credit." if good else "But this counts against it."
    ways = (
        (f"{label} has this in its favour.", f"This speaks for {label}.", f"{label} does well here.")
        if good
        else (f"{label} has this against it.", f"This speaks against {label}.", f"{label} falls short here.")
    )
    return pick(reason.sentence, ways)


def _granted(view: View, said: Sequence[str]) -> list[str]:
    """What another has rightly brought up, where one has not said it oneself."""
    for argument in view.granted:
        if argument.sentence and argument.sentence not in said:
            return [f"I give {argument.sender} this: {argument.sentence}"]
    return []


def _caveat(view: View) -> list[str]:
    guessed = view.matter.reading.kind == "answer" and "sums" in view.matter.profile.scorer
    return [_UNKNOWN] if guessed else []


def _order(ranks: list[list[Matter]], numbers: Mapping[str, float]) -> str:
    names = [joined([matter.label for matter in rank]) for rank in ranks]
    if len(ranks) == 1:
        return f"I see {names[0]} level."
    if [len(rank) for rank in ranks] == [1, 1]:
        first, last = (rank[0].share(numbers[rank[0].key]) for rank in ranks)
        lead = "" if ranks[0][0].ranked else "clearly " if first - last > _CLEAR else "narrowly "
        return f"{names[0]} is {lead}ahead of {names[1]}."
    return f"I would put {names[0]} first, {', '.join(f'then {name}' for name in names[1:])}."


def _verdict(name: str, value: float) -> str:
    if value >= _TOP:
        return f"{name} is hard to fault here."
    if value >= _HIGH:
        return f"{name} is good on the whole, with something left to wish for."
    if value >= _MIDDLE:
        return f"{name} is mixed."
    if value >= _LOW:
        return f"{name} is weak."
    return f"{name} is all but absent."


def _lack(view: View) -> str:
    if not view.matter.reading.text.words:
        return "the text under judgement has no words to read."
    return "the text offers nothing that this aspect could be measured by, so the middle of the scale stands."
