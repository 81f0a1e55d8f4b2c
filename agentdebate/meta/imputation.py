"""Value of a missing judgement: nothing, a wrong one, a tie, or a value."""

from dataclasses import replace
from math import isfinite
from typing import Literal, TypeVar

from agentdebate.errors import UsageError
from agentdebate.meta.judgements import (
    LARGEST,
    Choices,
    EntryT,
    Judged,
    Judgements,
    is_score,
)
from agentdebate.meta.labels import in_order
from agentdebate.meta.measures import ORDERED

Missing = Literal["left-out", "wrong", "tie"] | float
"""Value that a missing judgement counts as.

"left-out": its text has no part in the figure, and is counted. "wrong": never right; of choices a label that people
never give, of scores the end of the scale that is farthest from people's score. "tie": of choices, the label of a tie. A
number: of scores this score, of choices the label that reads so.
"""

LEFT_OUT: Missing = "left-out"
WAYS = ("left-out", "wrong", "tie")

WRONG = ""
"""The label of a choice that is missing and counts as wrong. No label of people's is empty."""

ChoicesT = TypeVar("ChoicesT", bound=Choices)


def missing_as(text: str) -> Missing:
    """Read "left-out", "wrong", "tie" or a number. Raises UsageError."""
    word = text.strip()
    if word in ("left-out", "leave-out"):
        return "left-out"
    if word in ("wrong", "tie"):
        return word  # type: ignore[return-value]  # it is one of the two
    value = _number(word)
    if value is None or abs(value) > LARGEST:
        raise UsageError(f"missing=... is {', '.join(WAYS)} or a number, not {text!r}")
    return value


def check_for_scores(missing: Missing) -> None:
    """Raise UsageError for what a missing score cannot count as."""
    _check(missing)
    if missing == "tie":
        raise UsageError(
            "missing='tie' is for choices: of scores a missing one is left-out, wrong (the end of the scale that is farthest "
            "from people's score) or a number"
        )


def imputed(entry: EntryT, missing: Missing, statistic: str = "") -> tuple[EntryT, int]:
    """The judgements with others in the place of those that are missing, and how many these are.

    Only texts that people have judged get one. Raises UsageError for what a missing one cannot count as: a tie of scores or where
    no label is that of a tie, a number that no label reads, and "wrong" where nothing could be, or the scale is not known.
    """
    if isinstance(entry, Choices):
        _check(missing)
    else:
        check_for_scores(missing)
    if missing == "left-out":
        return entry, 0
    if isinstance(entry, Choices):
        return _with_choices(entry, missing, statistic)
    if not isinstance(entry, Judgements):
        raise TypeError(f"{entry!r:.80} holds neither scores nor choices")
    lacking = [is_score(row.human) and not is_score(row.score) for row in entry.rows]
    rows = tuple(
        replace(row, score=_score(row, missing, entry)) if lacks else row
        for row, lacks in zip(entry.rows, lacking, strict=True)
    )
    return replace(entry, rows=rows), sum(lacking)


def _with_choices(choices: ChoicesT, missing: Missing, statistic: str) -> tuple[ChoicesT, int]:
    lacking = [row.score is None and row.human is not None for row in choices.rows]
    labels, label = missing_label(choices, missing)
    if missing == "wrong" and statistic not in ORDERED:
        labels = (*labels, WRONG)
    elif missing == "wrong" and any(lacking) and len(labels) < 2:  # noqa: PLR2004 - one other to be wrong by
        raise UsageError(f"missing='wrong': {choices.aspect} has one label only, so no choice of it is wrong")
    rows = tuple(
        replace(row, score=label if label is not None else _wrong(row, choices, statistic)) if lacks else row
        for row, lacks in zip(choices.rows, lacking, strict=True)
    )
    return replace(choices, rows=rows, labels=labels), sum(lacking)


def _check(missing: Missing) -> None:
    """Raise UsageError for what a missing judgement cannot count as."""
    known = (
        missing in WAYS if isinstance(missing, str) else not isinstance(missing, bool) and is_score(missing)
    )
    if not known:
        raise UsageError(f"a missing judgement counts as {', '.join(WAYS)} or a number, not {missing!r}")


def _score(row: Judged, missing: Missing, judgements: Judgements) -> float:
    """The score of a text that has none; people's is known."""
    if isinstance(missing, int | float):
        return float(missing)
    scale = judgements.scale
    if scale is None:
        raise UsageError(
            f"missing='wrong' has to know the scale of {judgements.aspect!r}, whose farther end is the worst score: scale='1-5', "
            f"or scale='{judgements.aspect}=1-5'; or take missing='left-out' or a number"
        )
    of_people = judgements.people_scale or scale
    human = row.human if is_score(row.human) else of_people.low
    if not of_people.low <= human <= of_people.high:
        whose = "people's" if judgements.people_scale else "the judge's"
        raise UsageError(
            f"missing='wrong' takes people's scores to be on {whose} scale, {of_people.ends}, and that of {row.id!r} is {human:g}: "
            "scale='people=SCALE' declares theirs; or take missing='left-out' or a number"
        )
    # The end that is farthest from where people's score lies on their scale; the lower one from the middle.
    return scale.high if of_people.high - human > human - of_people.low else scale.low


def missing_label(choices: Choices, missing: Missing) -> tuple[tuple[str, ...], str | None]:
    """The labels, and the one that every missing choice counts as; None where it counts as wrong.

    Raises UsageError where no label is that of a tie, or reads like the number.
    """
    if missing == "wrong":
        return choices.labels, None
    if missing == "tie":
        if choices.tie is None:
            raise UsageError(
                f"missing='tie': no label of {choices.aspect!r} stands for a tie ({', '.join(choices.labels)}); labels=... says which, "
                "as in TIE=tie"
            )
        # A vote of several may be a tie though none was.
        return in_order((*choices.labels, choices.tie), choices.tie), choices.tie
    label = next((one for one in choices.labels if _number(one) == float(missing)), None)
    if label is None:
        raise UsageError(
            f"missing='{float(missing):g}' is none of the labels that people choose from ({', '.join(choices.labels)}); of choices a "
            "missing one is left-out, wrong or tie"
        )
    return choices.labels, label


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None


def _wrong(row: Judged, choices: Choices, statistic: str) -> str:
    """A label that is not people's: one of its own, or where labels have an order the end of it that is farthest."""
    if statistic not in ORDERED:
        return WRONG
    own, last = choices.labels.index(str(row.human)), len(choices.labels) - 1
    return choices.labels[last if last - own > own else 0]
