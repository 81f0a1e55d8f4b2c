"""Missing judgements: how many there are and what people say of those texts, as a table, as records and in sentences."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agentdebate.meta.ceiling import PEOPLE
from agentdebate.meta.coverage import NOTABLE, Coverage, People
from agentdebate.meta.prose import counted
from agentdebate.report.figures import figure, percent
from agentdebate.report.grid import Block, Grid, Number
from agentdebate.visible import one_line

FIGURES = (
    "rows", "judged", "missing", "share", "people_judged", "people_missing", "people_mean_judged", "people_mean_missing",
    "replies", "unread", "unread_share", "people_mean_read", "people_mean_unread",
)  # fmt: skip
"""The figures of a record besides judge and aspect."""
LABELS = ("people_labels_judged", "people_labels_missing", "people_labels_read", "people_labels_unread")
"""The shares of the labels that people choose, where they do."""
_NAMED = 6
"""Judges and aspects that a caption names before it says how many more there are."""


def coverage_record(one: Coverage) -> dict[str, Any]:
    """Counts, shares and people's means as a record; where texts were judged in both orders, the same of each order."""
    labels = dict(zip(LABELS, (dict(of.labels) for of in _people(one)), strict=True))
    names = ("judge", "aspect")
    orders = {
        order: {key: value for key, value in coverage_record(each).items() if key not in names}
        for order, each in zip(("first", "second"), one.orders, strict=False)
    }
    return {
        "judge": one.judge,
        "aspect": one.aspect,
        **dict(zip(FIGURES, coverage_figures(one), strict=True)),
        **(labels if any(labels.values()) else {}),
        **({"orders": orders} if orders else {}),
    }


def coverage_figures(one: Coverage) -> list[int | float | None]:
    """The values of `FIGURES`."""
    judged, missing, read, unread = _people(one)
    counts = [one.rows, one.judged, one.missing, one.share, judged.n, missing.n, judged.mean, missing.mean]
    return [*counts, one.replies, one.unread, one.unread_share, read.mean, unread.mean]


def coverage_grids(coverages: Sequence[Coverage]) -> tuple[Grid, ...]:
    """A table with a line a judge and aspect; none where nothing is missing and every reply could be read."""
    if not any(one.missing or one.unread for one in coverages):
        return ()
    scored = any(of.mean is not None for one in coverages for of in _people(one)[:2])
    replies = any((one.replies, one.unread) != (one.rows, one.missing) for one in coverages if one.replies)
    head = ["judge", "texts", "missing", "share"]
    head += ["people", "people, missing"] if scored else []
    head += ["replies", "unread"] if replies else []
    note = "people: the mean of people's scores over the texts that were judged, and over those that were not"
    rows = [_line(one, scored=scored, replies=replies) for one in coverages]
    return (Grid("Missing judgements", head, rows, notes=[note] if scored else []),)


def coverage_blocks(coverages: Sequence[Coverage]) -> Iterator[Block]:
    """The table of what is missing, where something is, and a word below it where that is much and not all."""
    for grid in coverage_grids(coverages):
        yield from ("", grid)
    for line in coverage_sentences(one for one in coverages if not one.empty or one.of_missing.n):
        yield one_line(line)


def coverage_sentences(coverages: Iterable[Coverage]) -> list[str]:
    """A sentence for each judge and aspect of which nothing was judged, or so much is missing that it has to be said."""
    return [sentence for one in coverages for sentence in _sentences(one, NOTABLE)]


def uncompared_sentences(coverages: Iterable[Coverage]) -> list[str]:
    """A sentence for each aspect on which people have judged none of a judge's texts."""
    texts = {one.aspect: one.rows for one in coverages if one.uncompared and one.judge != PEOPLE}
    return [
        f"people have judged none of the {counted(rows, 'text')} on {aspect}, so there is nothing to compare with; data=... is the "
        "file with their judgements, and human=... or choice=... names the field"
        for aspect, rows in texts.items()
    ]


def coverage_told(coverages: Sequence[Coverage]) -> str:
    """What each judge lacks, for a caption without a table of it."""
    lacking = [one for one in coverages if one.missing or one.unread]
    if not lacking:
        return "No judgement is missing." if coverages else ""
    more = (
        [f"{len(lacking) - _NAMED} more judges or aspects lack judgements."] if len(lacking) > _NAMED else []
    )
    return " ".join([*(line for one in lacking[:_NAMED] for line in _sentences(one, 0)), *more])


def nothing_judged(coverages: Sequence[Coverage]) -> bool:
    """Whether there is a judge and an aspect without any judgement."""
    return any(one.empty for one in coverages)


def _people(one: Coverage) -> tuple[People, People, People, People]:
    return one.of_judged, one.of_missing, one.of_read, one.of_unread


def _line(one: Coverage, *, scored: bool, replies: bool) -> list[object]:
    cells: list[object] = [_name(one), one.rows, one.missing, percent(one.share)]
    if scored:
        cells += [Number(one.of_judged.mean), Number(one.of_missing.mean)]
    return [*cells, *((one.replies, one.unread) if replies else ())]


def _name(one: Coverage) -> str:
    return ", ".join(filter(None, (one.judge, one.aspect)))


def _sentences(one: Coverage, above: float) -> Iterator[str]:
    people = one.of_judged.n or one.of_missing.n
    if one.rows and one.share > above:
        told = f"; {_said(one.of_missing, one.of_judged)}" if people else ""
        yield (
            f"{_name(one)}: {one.missing:,} of {counted(one.rows, 'text')} ({percent(one.share)}) without a judgement{told}."
        )
    same = (one.unread, one.replies) == (one.missing, one.rows) or one.missing == one.rows
    if one.unread_share > above and not same:
        what = counted(one.replies, "sample") if one.recorded else counted(one.replies, "reply", "replies")
        how = "empty" if one.recorded else "not readable"
        yield f"{_name(one)}: {one.unread:,} of {what} ({percent(one.unread_share)}) {how}; {_said(one.of_unread, one.of_read)}."


def _said(missing: People, rest: People) -> str:
    """What people say of texts that lack a judgement, and of the others."""
    return f"people say {_mean(missing)} of what is missing, and {_mean(rest)} of the rest"


def _mean(of: People) -> str:
    if of.labels:
        return _shares(of.labels)
    return "nothing" if of.mean is None else figure(of.mean)


def _shares(labels: Mapping[str, float]) -> str:
    often = sorted(labels, key=lambda label: (-labels[label], label))[:_NAMED]
    return ", ".join(f"{label} in {percent(labels[label])}" for label in often)
