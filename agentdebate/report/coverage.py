"""Missing judgements: how many there are and what people say of those texts, as a table, as records and in sentences."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agentdebate.meta.coverage import NOTABLE, Coverage
from agentdebate.meta.prose import counted
from agentdebate.meta.reliability import ONE_LEFT_OUT
from agentdebate.report.figures import figure, percent
from agentdebate.report.grid import Columns, Grid, Number

_NAMED = 6
"""Judges and aspects that a caption names before it says how many more there are."""


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
    }


_TEXTS: Columns = {
    "judge": lambda one: ", ".join(filter(None, (one.judge, one.aspect))),
    "texts": "rows",
    "missing": "missing",
    "share": lambda one: percent(one.share),
}
_PEOPLE: Columns = {
    "people": lambda one: Number(one.of_judged.mean),
    "people, missing": lambda one: Number(one.of_missing.mean),
}
_NOTE = "people: the mean of people's scores over the texts that were judged, and over those that were not."


def coverage_grids(coverages: Sequence[Coverage]) -> tuple[Grid, ...]:
    """A table with a line a judge and aspect; none where nothing is missing and every reply could be read."""
    if not any(one.missing or one.unread for one in coverages):
        return ()
    columns = dict(_TEXTS)
    scored = any(of.mean is not None for one in coverages for of in (one.of_judged, one.of_missing))
    if scored:
        columns |= _PEOPLE
    if any((one.replies, one.unread) != (one.rows, one.missing) for one in coverages if one.replies):
        columns |= {"replies": "replies", "unread": "unread"}
    return (Grid.of("Missing judgements", coverages, columns, notes=[_NOTE] if scored else []),)


def coverage_sentences(coverages: Iterable[Coverage], above: float = NOTABLE) -> list[str]:
    """A sentence for each judge and aspect of which a larger share than `above` is missing, or could not be read."""
    return [sentence for one in coverages for sentence in _sentences(one, above)]


def uncompared_sentences(coverages: Iterable[Coverage]) -> list[str]:
    """A sentence for each aspect on which people have judged none of a judge's texts."""
    texts = {one.aspect: one.rows for one in coverages if one.uncompared and one.judge != ONE_LEFT_OUT}
    return [
        f"people have judged none of the {counted(rows, 'text')} on {aspect}, so there is nothing to compare with; data=... is the "
        "file with their judgements, and human=... or choice=... names the field"
        for aspect, rows in texts.items()
    ]


def coverage_told(coverages: Sequence[Coverage]) -> str:
    """Say what each judge lacks, for a caption without a coverage table."""
    told = coverage_sentences(coverages, 0)
    if not told:
        return "No judgement is missing." if coverages else ""
    more = [f"{len(told) - _NAMED} more judges or aspects lack judgements."] if len(told) > _NAMED else []
    return " ".join([*told[:_NAMED], *more])


def nothing_judged(coverages: Sequence[Coverage]) -> bool:
    """Decide whether there is a judge and an aspect without any judgement."""
    return any(one.empty for one in coverages)


def _name(one: Coverage) -> str:
    return ", ".join(filter(None, (one.judge, one.aspect)))


def _sentences(one: Coverage, above: float) -> Iterator[str]:
    if one.share > above:
        texts = counted(one.rows, "text")
        means = figure(one.of_missing.mean), figure(one.of_judged.mean)
        scored = one.of_missing.mean is not None or one.of_judged.mean is not None
        people = f"; people say {means[0]} of what is missing, and {means[1]} of the rest" if scored else ""
        yield f"{_name(one)}: {one.missing:,} of {texts} ({percent(one.share)}) without a judgement{people}."
    if one.unread_share > above and (one.unread, one.replies) != (one.missing, one.rows):
        replies = counted(one.replies, "reply", "replies")
        yield f"{_name(one)}: {one.unread:,} of {replies} ({percent(one.unread_share)}) empty or not readable."
