"""Value of a missing judgement: nothing, a wrong one, a tie, or a value."""

from dataclasses import replace
from math import nan
from typing import Literal

from agentdebate.errors import UsageError
from agentdebate.meta.judgements import Judged, Judgements, is_judgement, is_score
from agentdebate.meta.labels import in_order

Missing = Literal["left-out", "wrong", "tie"] | float
"""Value that a missing judgement counts as.

"left-out": its text has no part in the figure, and is counted. "wrong": never right; of choices a label that people
never give, of scores the end of the scale that is farthest from people's score. "tie": of choices, the label of a tie. A
number: of scores this score.
"""

LEFT_OUT: Missing = "left-out"
WAYS = ("left-out", "wrong", "tie")

WRONG = ""
"""The label of a choice that is missing and counts as wrong. No label of people's is empty."""


def missing_as(text: str) -> Missing:
    """Read "left-out", "wrong", "tie" or a number. Raises UsageError."""
    if text in WAYS:
        return text  # type: ignore[return-value]  # it is one of them
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not is_score(value):
        raise UsageError(f"missing=... is {', '.join(WAYS)} or a number, not {text!r}")
    return value


def imputed(entry: Judgements, missing: Missing) -> tuple[Judgements, int]:
    """The judgements with others in the place of those that are missing, and how many these are.

    Only texts that people have judged get one. Raises UsageError for what a missing one cannot count as: a tie of scores or where
    no label is that of a tie, a number of choices, and "wrong" of scores whose scale is not known.
    """
    missing = missing_as(str(missing))
    if missing == LEFT_OUT:
        return entry, 0
    labels = None if entry.labels is None else _labels(entry, missing)
    lacking = [is_judgement(row.human) and not is_judgement(row.score) for row in entry.rows]
    rows = tuple(
        replace(row, score=_value(row, missing, entry)) if lacks else row
        for row, lacks in zip(entry.rows, lacking, strict=True)
    )
    return replace(entry, rows=rows, labels=labels), sum(lacking)


def _labels(entry: Judgements, missing: Missing) -> tuple[str, ...]:
    """The labels, and the one that a missing choice counts as."""
    labels = entry.labels or ()
    if missing == "wrong":
        return (*labels, WRONG)
    if missing == "tie" and entry.tie is not None:  # a vote of several may be a tie though none was
        return in_order((*labels, entry.tie), entry.tie)
    raise UsageError(
        f"a missing choice of {entry.aspect!r} is left-out, wrong, or tie where a label stands for one ({', '.join(labels)}): labels='TIE=tie'"
    )


def _value(row: Judged, missing: Missing, entry: Judgements) -> float | str | None:
    """The judgement of a text that has none; people's is known."""
    if not isinstance(missing, str):
        return missing
    if entry.labels is not None:
        return WRONG if missing == "wrong" else entry.tie
    if missing == "tie" or entry.scale is None:
        raise UsageError(
            f"a missing score of {entry.aspect!r} is left-out, a number, or wrong where its scale is known: scale='1-5', or "
            f"scale='{entry.aspect}=1-5'"
        )
    scale, of_people, human = entry.scale, entry.people_scale or entry.scale, row.human
    if not is_score(human) or not of_people.low <= human <= of_people.high:
        raise UsageError(
            f"missing='wrong' takes people's scores to be from {of_people.ends}, and that of {row.id!r} is {human}: scale='people=SCALE'"
        )
    # The end that is farthest from where people's score lies on their scale; the lower one from the middle.
    return scale.high if of_people.high - human > human - of_people.low else scale.low
