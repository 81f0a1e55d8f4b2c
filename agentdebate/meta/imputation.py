"""Value of a missing judgement: nothing, a wrong one, a tie, or a value."""

from dataclasses import replace
from math import nan
from typing import Any, Literal

from agentdebate.errors import UsageError
from agentdebate.meta.judgements import Choices, Entry, EntryT, Judged, Judgements, is_judgement, is_score
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


def imputed(entry: EntryT, missing: Missing) -> tuple[EntryT, int]:
    """The judgements with others in the place of those that are missing, and how many these are.

    Only texts that people have judged get one. Raises UsageError for what a missing one cannot count as: a tie of scores or where
    no label is that of a tie, a number of choices, and "wrong" of scores whose scale is not known.
    """
    missing = missing_as(str(missing))
    if missing == LEFT_OUT:
        return entry, 0
    lacking = [is_judgement(row.human) and not is_judgement(row.score) for row in entry.rows]
    more: dict[str, Any] = {}
    label: str | None = None
    if isinstance(entry, Choices):
        labels, label = missing_label(entry, missing)
        more = {"labels": (*labels, WRONG) if label is None else labels}
        label = label or WRONG
    rows = tuple(
        replace(row, score=_score(row, missing, entry) if label is None else label) if lacks else row
        for row, lacks in zip(entry.rows, lacking, strict=True)
    )
    return replace(entry, rows=rows, **more), sum(lacking)


def _score(row: Judged, missing: Missing, entry: Entry) -> float:
    """The score of a text that has none; people's is known."""
    if not isinstance(missing, str):
        return missing
    if missing == "tie" or not isinstance(entry, Judgements) or entry.scale is None:
        raise UsageError(
            f"a missing score of {entry.aspect!r} is left-out, a number, or wrong where its scale is known: scale='1-5', or "
            f"scale='{entry.aspect}=1-5'"
        )
    scale, of_people, human = entry.scale, entry.people_scale or entry.scale, row.human
    if not is_score(human) or not of_people.low <= human <= of_people.high:
        raise UsageError(
            f"missing='wrong' takes people's scores to be from {of_people.ends}, and that of {row.id!r} is {human}: "
            "scale='people=SCALE' declares theirs"
        )
    # The end that is farthest from where people's score lies on their scale; the lower one from the middle.
    return scale.high if of_people.high - human > human - of_people.low else scale.low


def missing_label(choices: Choices, missing: Missing) -> tuple[tuple[str, ...], str | None]:
    """The labels, and the one that every missing choice counts as; None where it counts as wrong.

    Raises UsageError where no label is that of a tie, and for a number.
    """
    if missing == "wrong":
        return choices.labels, None
    if missing != "tie" or choices.tie is None:
        raise UsageError(
            f"a missing choice of {choices.aspect!r} is left-out, wrong, or tie where a label stands for one ({', '.join(choices.labels)}): "
            "labels='TIE=tie'"
        )
    # A vote of several may be a tie though none was.
    return in_order((*choices.labels, choices.tie), choices.tie), choices.tie
