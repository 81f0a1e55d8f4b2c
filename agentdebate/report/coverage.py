"""Missing judgements: how many there are and what people say of those texts, as records and in sentences."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agentdebate.meta.coverage import NOTABLE, Coverage
from agentdebate.report.grid import figure, percent
from agentdebate.report.prose import counted
from agentdebate.visible import shortened

_LONGEST = 800
"""Characters of what a caption says of missing judgements; warnings and records have all."""


def coverage_record(one: Coverage) -> dict[str, Any]:
    """Counts, shares and people's means as a record."""
    return {
        "judge": one.judge,
        "aspect": one.aspect,
        "rows": one.rows,
        "judged": one.judged,
        "missing": one.missing,
        "share": one.share,
        "people_judged": one.of_judged.n,
        "people_missing": one.of_missing.n,
        "people_mean_judged": one.of_judged.mean,
        "people_mean_missing": one.of_missing.mean,
        "replies": one.replies,
        "unread": one.unread,
        "unread_share": one.unread_share,
        "people_mean_read": one.of_read.mean,
        "people_mean_unread": one.of_unread.mean,
        **({"other_answers": one.others} if one.others else {}),
    }


def coverage_sentences(coverages: Iterable[Coverage], above: float = NOTABLE) -> list[str]:
    """A sentence for each judge and aspect of which a larger share than `above` is missing, or could not be read."""
    return [sentence for one in coverages for sentence in _sentences(one, above)]


def uncompared_sentences(coverages: Iterable[Coverage]) -> list[str]:
    """A sentence for each aspect on which people have judged none of a judge's texts."""
    texts = {one.aspect: one.rows for one in coverages if one.uncompared}
    return [
        f"people have judged none of the {counted(rows, 'text')} on {aspect}: human=... or choice=... names the field of data=... "
        "with their judgements"
        for aspect, rows in texts.items()
    ]


def coverage_told(coverages: Sequence[Coverage]) -> str:
    """Say what each judge lacks, for a caption."""
    told = " ".join(coverage_sentences(coverages, 0)) or ("No judgement is missing." if coverages else "")
    return shortened(told, _LONGEST)


def nothing_judged(coverages: Sequence[Coverage]) -> bool:
    """Decide whether there is a judge and an aspect without any judgement."""
    return any(one.empty for one in coverages)


def _sentences(one: Coverage, above: float) -> Iterator[str]:
    name = ", ".join(filter(None, (one.judge, one.aspect)))
    if one.share > above:
        means = one.of_missing.mean, one.of_judged.mean
        people = (
            ""
            if means == (None, None)
            else f"; people say {figure(means[0])} of what is missing, and {figure(means[1])} of the rest"
        )
        yield f"{name}: {one.missing:,} of {counted(one.rows, 'text')} ({percent(one.share)}) without a judgement{people}."
    if one.unread_share > above and (one.unread, one.replies) != (one.missing, one.rows):
        replies = counted(one.replies, "reply")
        yield f"{name}: {one.unread:,} of {replies} ({percent(one.unread_share)}) empty or not readable."
    if one.others and not above:  # asked for, so no warning
        yield f"{name}: {one.others:,} of {counted(one.rows, 'text')} have an answer that people never give, which is wrong."
