"""Choices in raw replies of judges that compare texts: a label, or a score for each text, found by a pattern."""

import re
from collections import Counter
from collections.abc import Sequence
from math import fsum

from agentdebate.ballots.fold import spoken
from agentdebate.ballots.markup import plain
from agentdebate.ballots.numbers import Value
from agentdebate.ballots.tokens import pieces_of
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.choosing import TIE
from agentdebate.meta.replies import NO_SCORE, READ, Account, How, Policy, ReadReplies, texts_in

CHOICE = "choice"
"""Under which name a row's choice stands in the field READ."""

NO_CHOICE = "no choice in it"


def read_choices(
    rows: Sequence[Row], aspect: str, field: str, how: How, policy: Policy = "leave-out"
) -> ReadReplies:
    """Every row with the choice that its replies make.

    A pattern with one group finds a label: of several samples the most frequent one counts, a tie where several are equally
    frequent. One with a group for each text finds scores: those of all samples are added, and the choice is the number of
    the text with the most, from 1, or a tie. Raises UsageError for another way of reading; DataError for what is no reply.
    """
    if how.way != "pattern":
        raise UsageError(
            f"--read {how.way} finds scores; a choice is found by pattern=REGEX, with a group for the label, such as "
            r"pattern=\[\[([ABC])\]\], or with one for each text's score"
        )
    if policy not in ("leave-out", "text"):
        raise UsageError(f"--unreadable {policy} is for scores: a reply that cannot be read makes no choice")
    pattern, problems, replies = how.compiled(aspect), Counter[str](), 0
    read: list[Row] = []
    for row in rows:
        found = [_found(text, pattern) for text in texts_in(row, field)]
        replies += len(found)
        problems.update(one for one in found if isinstance(one, str))
        known = [one for one in found if not isinstance(one, str)]
        whole = policy == "leave-out" or len(known) == len(found)
        read.append(Row(row.path, row.line, {**row.data, READ: {CHOICE: _choice(known) if whole else None}}))
    return ReadReplies(tuple(read), (Account(aspect, replies, dict(problems)),))


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
    best = [name for name, total in sums.items() if total == max(sums.values())]
    return best[0] if len(best) == 1 else TIE
