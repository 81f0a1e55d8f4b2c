"""Choices in raw replies of judges that compare texts: a label, or a score for each text, found by a pattern."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum

from agentdebate.ballots.fold import spoken
from agentdebate.ballots.markup import plain
from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.pieces import pieces_of
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.replies import NO_SCORE, READ, Account, How, Policy, ReadReplies, texts_in
from agentdebate.meta.talk import TIE

CHOICE = "choice"
"""Under which name a row's choice stands in the field READ."""

NO_CHOICE = "no choice in it"


def read_choices(
    rows: Sequence[Row],
    aspect: str,
    field: str,
    how: How,
    policy: Policy = "leave-out",
    *,
    turned: str | None = None,
) -> ReadReplies:
    """Every row with the choice that its replies make.

    A pattern with one group finds a label: of several samples the most frequent one counts, a tie where several are equally
    frequent. One with a group for each text finds scores: those of all samples are added, and the choice is the number of
    the text with the most, from 1, or a tie. `turned` is the field of replies about two texts in the other order: the mean
    score of a text there is added to that in `field`, and without either there is no choice ("Large Language Models are
    not Fair Evaluators", Wang et al. 2023, section 3.2). Raises UsageError for another way of reading; DataError for what
    is no reply.
    """
    pattern = _pattern(aspect, how, policy, turned)
    problems, replies, read = Counter[str](), 0, list[Row]()
    for row in rows:
        orders = []
        for name in (field, turned) if turned else (field,):
            found = [_found(text, pattern) for text in texts_in(row, name)]
            replies += len(found)
            problems.update(one for one in found if isinstance(one, str))
            known = [one for one in found if not isinstance(one, str)]
            orders.append(known if policy == "leave-out" or len(known) == len(found) else [])
        choice = _choice(orders[0]) if turned is None else _of_both(orders[0], orders[1])
        read.append(Row(row.path, row.line, {**row.data, READ: {CHOICE: choice}}))
    return ReadReplies(tuple(read), (Account(aspect, replies, dict(problems)),))


def _pattern(aspect: str, how: How, policy: Policy, turned: str | None) -> re.Pattern[str]:
    """The pattern by which replies are read. Raises UsageError for what finds no choice."""
    if how.way != "pattern":
        raise UsageError(
            f"--read {how.way} finds scores; a choice is found by pattern=REGEX, with a group for the label, such as "
            r"pattern=\[\[([ABC])\]\], or with one for each text's score"
        )
    if policy not in ("leave-out", "text"):
        raise UsageError(f"--unreadable {policy} is for scores: a reply that cannot be read makes no choice")
    pattern = how.compiled(aspect)
    if turned is not None and pattern.groups != 2:  # noqa: PLR2004 - two texts can be turned around
        raise UsageError(
            "--choice: of replies in both orders the scores of two texts are added, so --read takes a pattern with 2 groups, not "
            f"{pattern.groups}"
        )
    return pattern


Found = tuple[str, ...] | tuple[float, ...]
"""What a reply says: one label, or a score for each text."""


def _found(text: str, pattern: re.Pattern[str]) -> Found | str:
    """What a reply says, or why it says nothing."""
    match = pattern.search(spoken(text))
    if match is None:
        return NO_CHOICE
    if pattern.groups < 2:  # noqa: PLR2004 - two texts have two scores
        label = (match[pattern.groups] or "").strip()
        return (label,) if label else NO_CHOICE
    scores = [_number(group) for group in match.groups()]
    known = tuple(score for score in scores if score is not None)
    return known if len(known) == len(scores) else NO_SCORE


def _number(text: str | None) -> float | None:
    pieces = pieces_of(plain(text or ""), [])
    values = [piece.numbers for piece in pieces if isinstance(piece, Value)]
    return values[0][0] if len(values) == 1 and len(values[0]) == 1 else None


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
