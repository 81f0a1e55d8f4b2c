"""Which text somebody prefers, read from a ballot or from words."""

import re
from collections.abc import Mapping, Sequence

from agentdebate.models.base import Heard
from agentdebate.offline.history import scores_in
from agentdebate.offline.matter import Matter
from agentdebate.offline.naming import labels_of, pattern

_LEADS = (
    r"\s+(?:is|was|comes?|seems|looks|does|reads|has)\b(?:(?!\bnot\b|n't)[^.!?“”\n]){0,60}?"
    r"\b(?:ahead|better|best|stronger|strongest|superior|preferable|edge|first)\b"
)
_PREFERS = r"\b(?:prefer|favou?r|choose|pick|put|rank|back)s?\s+"
_LEVEL = re.compile(r"\b(?:level|equally good|a tie|tied|on a par)\b")


def leaning(message: Heard, matters: Sequence[Matter]) -> frozenset[str]:
    """The texts that a speaker puts first, all of them where it sees them level; none where it does not say."""
    scores = scores_in(message, matters)
    if scores:
        return foremost(matters, scores)
    labels = labels_of(matters)
    counts = {label: _praises(label, message.text) for label in labels}
    most = max(counts.values(), default=0)
    if not most:
        return frozenset(labels if _LEVEL.search(message.text) else ())
    return frozenset(label for label in labels if counts[label] == most)


def foremost(matters: Sequence[Matter], numbers: Mapping[str, float]) -> frozenset[str]:
    """The texts whose numbers are best over all aspects; a matter without a number counts for none."""
    sums: dict[str, float] = {}
    for matter in matters:
        if matter.key in numbers:
            sums[matter.label] = sums.get(matter.label, 0.0) + matter.share(numbers[matter.key])
    best = max(sums.values(), default=0.0)
    return frozenset(label for label, total in sums.items() if total >= best - 1e-9)


def _praises(label: str, text: str) -> int:
    name = pattern(label)
    return len(re.findall(rf"{name}{_LEADS}|{_PREFERS}{name}", text))
