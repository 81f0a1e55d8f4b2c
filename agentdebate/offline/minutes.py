"""A summary of a talk: who holds what and for which reasons, and whether they agree. No opinion of its own."""

import re

from agentdebate.models.base import Heard
from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.history import scores_in
from agentdebate.offline.leaning import leaning
from agentdebate.offline.naming import joined, labels_of

_LONGEST = 900
"""Characters of one message that a summary keeps."""
_CLOSING = re.compile(r"^[^:\n]{1,80}: -?\d[\d.]{0,15}$")


def summarise(case: CaseFile) -> str:
    """What each speaker said last, with the scores they stand at, and where they agree and differ."""
    latest = case.history.latest
    if not latest:
        return "Nothing has been said yet."
    accord = _accord(case, latest)
    return "\n\n".join([*(_entry(case, message) for message in latest), *([accord] if accord else [])])


def _entry(case: CaseFile, message: Heard) -> str:
    scores = scores_in(message, case.matters)
    stand = ", ".join(
        f"{matter.written(scores[matter.key])} for {matter.name}"
        for matter in case.matters
        if matter.key in scores
    )
    lines = [line.strip() for line in message.text.split("\n")]
    words = _clipped(" ".join(line for line in lines if line and not _CLOSING.match(line)))
    return f"{message.sender} says: {words}" + (f" (It gives {stand}.)" if stand else "")


def _clipped(words: str) -> str:
    """The words up to the end of a sentence, and never up to the middle of a quote."""
    if len(words) <= _LONGEST:
        return words
    head = words[:_LONGEST]
    if head.rfind("“") > head.rfind("”"):
        head = head[: head.rfind("“")]
    whole = max(head.rfind(mark) for mark in (". ", ".” ", "! ", "? "))
    return (head[: whole + 1] if whole > 0 else head.rpartition(" ")[0]) + " ..."


def _accord(case: CaseFile, latest: list[Heard]) -> str:
    """Where texts are compared: who puts which of them first."""
    labels = labels_of(case.matters)
    stands = {message.sender: leaning(message, case.matters) for message in latest} if labels else {}
    known = {sender: first for sender, first in stands.items() if first}
    if len(known) < 2:  # noqa: PLR2004 - to agree takes two
        return ""
    if len(set(known.values())) == 1:
        return f"They agree: {_preference(next(iter(known.values())), labels, one=False)}."
    each = [f"{sender} {_preference(first, labels, one=True)}" for sender, first in known.items()]
    return f"They differ: {', '.join(each)}."


def _preference(first: frozenset[str], labels: list[str], *, one: bool) -> str:
    ending = "s" if one else ""
    if len(first) == len(labels):
        return f"{'sees' if one else 'all see'} no difference between the texts"
    names = joined([label for label in labels if label in first])
    return f"{'' if one else 'all '}put{ending} {names} first"
