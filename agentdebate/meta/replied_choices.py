"""Choices in raw replies of judges that compare texts: by our reader, or a label or a score for each text by a pattern."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import fsum

from agentdebate.ballots.plain import bounded, plain, spoken
from agentdebate.ballots.replies.choices import read_choice
from agentdebate.ballots.replies.numbers import numbers_in
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.replies import (
    COUNTS,
    KINDS,
    NO_SCORE,
    NOTHING,
    READ,
    Account,
    Extraction,
    Extractor,
    How,
    Policy,
    ReadReplies,
    Refused,
    texts_in,
)
from agentdebate.meta.talk import TIE

CHOICE = "choice"
"""Under which name a row's choice stands in the field READ."""

NO_CHOICE = "no choice in it"
_LABELS = ("Answer A", "Answer B")
"""What the two texts of a reply may be called; numbers, places and other nouns are known as well."""
_CALLED: Mapping[str, tuple[str, ...]] = {
    _LABELS[0]: ("1", "A", "a"),
    _LABELS[1]: ("2", "B", "b"),
    TIE: (TIE, "C", "c", "3"),
}
"""What the choice of a text, or of none, may be called by a judge; the first where no label is known."""


def read_choices(
    rows: Sequence[Row],
    aspect: str,
    field: str,
    how: How,
    policy: Policy = "leave-out",
    *,
    turned: str | None = None,
    labels: Sequence[str] = (),
    extractor: Extractor | None = None,
) -> ReadReplies:
    """Every row with the choice that its replies make.

    "auto" reads the choice between two texts, however the reply puts it: "1", "2" or "tie" as the texts were
    shown, or what `labels` has for these ("A", "B" and "C"). A pattern with one group finds a label: of several samples the most frequent one counts, a tie where several are equally
    frequent. One with a group for each text finds scores: those of all samples are added, and the choice is the number of
    the text with the most, from 1, or a tie. `turned` is the field of replies about two texts in the other order: the mean
    score of a text there is added to that in `field`, and without either there is no choice ("Large Language Models are
    not Fair Evaluators", Wang et al. 2023, section 3.2). `extractor` is asked about replies that our reader refuses. Raises UsageError for another way of reading; DataError for what
    is no reply.
    """
    _check(how, policy, turned)
    pattern = None if how.by_reader else _pattern(aspect, how, turned)
    extraction = extractor([*dict.fromkeys(_refusals(rows, field))]) if extractor else NOTHING
    problems, rules, replies, read = Counter[str](), Counter[str](), 0, list[Row]()
    for row in rows:
        orders, before = [], (replies, problems.total())
        for name in (field, turned) if turned else (field,):
            found = [_found(text, pattern, rules, labels, extraction) for text in texts_in(row, name)]
            replies += len(found)
            problems.update(one for one in found if isinstance(one, str))
            known = [one for one in found if not isinstance(one, str)]
            orders.append(known if policy == "leave-out" or len(known) == len(found) else [])
        counts = replies - before[0], problems.total() - before[1]
        choice = _choice(orders[0]) if turned is None else _of_both(orders[0], orders[1])
        read.append(Row(row.path, row.line, {**row.data, READ: {CHOICE: choice}, COUNTS: {CHOICE: counts}}))
    account = Account(aspect, replies, dict(problems), dict(rules))
    return ReadReplies(tuple(read), (account,), extraction)


def _refusals(rows: Sequence[Row], field: str) -> Iterator[Refused]:
    """The replies that our reader refuses, but for those that say nothing."""
    for row in rows:
        for text in texts_in(row, field):
            problem = read_choice(text, _LABELS).problem
            if problem is not None and problem.kind != "nothing":
                yield Refused(text, labels=_LABELS)


def _check(how: How, policy: Policy, turned: str | None) -> None:
    """Raise UsageError for a way of reading that finds no choice, and for what is only for scores."""
    if how.way not in ("auto", "model", "pattern"):
        raise UsageError(
            f"read='{how.way}' finds scores; a choice is found by auto, or by pattern=REGEX, with a group for the label, such as "
            r"pattern=\[\[([ABC])\]\], or with one for each text's score"
        )
    if how.by_reader and turned is not None:
        raise UsageError(
            "choice=...: of replies in both orders the scores of two texts are added, so read=... takes a pattern with 2 groups, not auto"
        )
    if policy not in ("leave-out", "text"):
        raise UsageError(f"unreadable='{policy}' is for scores: a reply that cannot be read makes no choice")


def _pattern(aspect: str, how: How, turned: str | None) -> re.Pattern[str]:
    """The pattern by which replies are read. Raises UsageError for one with too few groups."""
    pattern = how.compiled(aspect)
    if turned is not None and pattern.groups != 2:  # noqa: PLR2004 - two texts can be turned around
        raise UsageError(
            "choice=...: of replies in both orders the scores of two texts are added, so read=... takes a pattern with 2 groups, not "
            f"{pattern.groups}"
        )
    return pattern


Found = tuple[str, ...] | tuple[float, ...]
"""What a reply says: one label, or a score for each text."""


def _found(
    text: str,
    pattern: re.Pattern[str] | None,
    rules: Counter[str],
    labels: Sequence[str],
    extraction: Extraction,
) -> Found | str:
    """What a reply says, or why it says nothing; without a pattern our reader reads it, and the rule is counted."""
    if pattern is None:
        return _chosen(text, rules, labels, extraction)
    match = pattern.search(bounded(spoken(text)))
    if match is None:
        return NO_CHOICE
    if pattern.groups < 2:  # noqa: PLR2004 - two texts have two scores
        label = (match[pattern.groups] or "").strip()
        return (label,) if label else NO_CHOICE
    scores = [_number(group) for group in match.groups()]
    known = tuple(score for score in scores if score is not None)
    return known if len(known) == len(scores) else NO_SCORE


def _chosen(text: str, rules: Counter[str], labels: Sequence[str], extraction: Extraction) -> Found | str:
    read = read_choice(text, _LABELS)
    choice, rule = read.choice, read.rule
    if read.problem is not None:
        choice, rule = extraction.choices.get(Refused(text, labels=_LABELS)), extraction.rule
        if choice is None:
            return NO_CHOICE if read.problem.kind == "missing" else KINDS[read.problem.kind]
    rules[rule] += 1
    names = _CALLED[choice or TIE]
    return (next((name for name in names if name in labels), names[0]),)


def _number(text: str | None) -> float | None:
    found = numbers_in(plain(text or ""), None)
    return found[0] if len(found) == 1 else None


def _choice(found: Sequence[Found]) -> str | None:
    """The choice that the samples come to; None where there are none."""
    if not found:
        return None
    labels = Counter(one[0] for one in found if isinstance(one[0], str))
    sums: dict[str, float] = dict(labels)
    if not labels:
        sums = {
            str(place): fsum(map(float, scores)) for place, scores in enumerate(zip(*found, strict=True), 1)
        }
    return _most(sums)


def _of_both(found: Sequence[Found], turned: Sequence[Found]) -> str | None:
    """The choice by the mean scores of two texts in one order and in the other; None where either order has none."""
    if not (found and turned):
        return None
    # Means that are equal can differ in their last digits, so both orders' sums are brought to the same number of samples.
    return _most(
        {
            str(place + 1): len(turned) * fsum(float(one[place]) for one in found)
            + len(found) * fsum(float(one[1 - place]) for one in turned)
            for place in (0, 1)
        }
    )


def _most(sums: Mapping[str, float]) -> str:
    best = [name for name, total in sums.items() if total == max(sums.values())]
    return best[0] if len(best) == 1 else TIE
