"""What judges have not judged, as a table, as records and in sentences, and what a missing judgement counts as."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.ceiling import PEOPLE
from agentdebate.meta.coverage import NOTABLE, Coverage, People
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.measures import ORDERED
from agentdebate.meta.prose import counted, listed
from agentdebate.report.figures import NONE, figure, percent
from agentdebate.report.grid import Grid

HEAD = ("judge", "texts", "missing", "share")
_OF_PEOPLE = ("people", "people, missing")
_OF_REPLIES = ("replies", "unread", "share")
_OF_SAMPLES = ("samples", "empty", "share")
_ABOUT = "Missing judgements: how many texts remain, and how many of them have no judgement"
_MEANS = ", with the mean of people's scores over the texts that were judged (people) and over those that were not (people, missing)"
_NAMED = 12
"""Judges and aspects that a caption without a table names before it is said how many more there are."""
_LABELS = 6
"""Labels of people's whose shares are named before it is said how many more there are."""
RECORDED = (
    "rows", "judged", "missing", "share", "people_judged", "people_missing", "people_mean_judged", "people_mean_missing",
    "replies", "unread", "unread_share", "people_mean_read", "people_mean_unread",
)  # fmt: skip
"""The figures of a record besides judge and aspect."""
LABELS = ("people_labels_judged", "people_labels_missing", "people_labels_read", "people_labels_unread")
"""The shares of the labels that people choose, where they do."""
ORDERS = ("first", "second")


def coverage_grids(coverages: Sequence[Coverage]) -> tuple[Grid, ...]:
    """A table with a line a judge and aspect; none where nothing is missing and every reply could be read."""
    if not any(one.missing or one.unread for one in coverages):
        return ()
    scored = _scored(coverages)
    replies = any((one.replies, one.unread) != (one.rows, one.missing) for one in coverages if one.replies)
    recorded = all(one.recorded for one in coverages if one.replies)
    of_several = _OF_SAMPLES if recorded else _OF_REPLIES
    head = (*HEAD, *(_OF_PEOPLE if scored else ()), *(of_several if replies else ()))
    return (
        Grid(
            "Missing judgements",
            head,
            tuple(_line(one, scored=scored, replies=replies) for one in coverages),
        ),
    )


def coverage_record(one: Coverage) -> dict[str, Any]:
    """Names, counts, shares and people's means as a record; where people choose, the shares of their labels as well, and
    where texts were judged in both orders, the same of each.
    """
    labels = {name: dict(shares) for name, shares in zip(LABELS, _labels(one), strict=True)}
    orders = dict(zip(ORDERS, (_without_names(coverage_record(each)) for each in one.orders), strict=False))
    return {
        "judge": one.judge,
        "aspect": one.aspect,
        **dict(zip(RECORDED, _figures(one), strict=True)),
        **(labels if any(labels.values()) else {}),
        **({"orders": orders} if orders else {}),
    }


def _without_names(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in ("judge", "aspect")}


def _labels(one: Coverage) -> tuple[Mapping[str, float], ...]:
    return tuple(of.labels for of in (one.of_judged, one.of_missing, one.of_read, one.of_unread))


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


def coverage_caption(
    coverages: Sequence[Coverage], *, missing: Missing = LEFT_OUT, tabled: bool = True
) -> list[str]:
    """The same for a caption, with what it means for the figures, in which a missing judgement counts as `missing`.

    `tabled` says that the table of missing judgements stands beside it; without it every share is said here.
    """
    found = list(_shares_told(coverages))
    if tabled:
        found = coverage_sentences(coverages)
        if any(one.missing or one.unread for one in coverages):
            found.insert(0, f"{_ABOUT}{_MEANS if _scored(coverages) else ''}.")
    if missing == LEFT_OUT and any(not one.empty for one in coverages if one.notable):
        found.append(
            "What is missing need not be like the rest: a figure over the rest can be far from that of all texts."
        )
    return found


def _shares_told(coverages: Sequence[Coverage]) -> Iterator[str]:
    """What each judge lacks, whatever the share, where no table says it."""
    lacking = [one for one in coverages if one.missing or one.unread]
    for one in lacking[:_NAMED]:
        yield from _sentences(one, 0)
    if len(lacking) > _NAMED:
        most = max(max(one.share, one.unread_share) for one in lacking[_NAMED:])
        yield f"{len(lacking) - _NAMED} more judges or aspects lack judgements too, up to {percent(most)} of one."
    if coverages and not lacking:
        yield "No judgement is missing."


def _scored(coverages: Iterable[Coverage]) -> bool:
    """Whether people gave scores, of which there is a mean."""
    return any(one.of_judged.mean is not None or one.of_missing.mean is not None for one in coverages)


def missing_caption(agreements: Sequence[Agreement], missing: Missing, *, choices: bool) -> str:
    """What a missing judgement counts as. `choices` says whether texts are compared."""
    lacking, filled = any(one.missing for one in agreements), any(one.imputed for one in agreements)
    if not lacking and not filled:
        return "No judge lacks a judgement."
    if missing == "left-out" or not filled:
        return "Texts that lack people's judgement or the judge's are left out and counted; none is taken as a judgement or a tie."
    what = _counts_as(missing, {one.statistic for one in agreements if one.imputed}, choices=choices)
    most = max(one.imputed for one in agreements)
    rest = " Texts that lack people's judgement are left out and counted." if lacking else ""
    return f"A missing judgement of a judge's counts as {what} (in up to {counted(most, 'text')}).{rest}"


def _counts_as(missing: Missing, statistics: set[str], *, choices: bool) -> str:
    if missing == "tie":
        return "a tie"
    if missing != "wrong":
        return f"the {'choice' if choices else 'score'} {float(missing):g}"
    if not choices:
        return "wrong: for scores as the end of the scale that is farthest from people's score, the lower end from its middle"
    told = ["a label of its own that people never give"] if statistics - ORDERED else []
    if statistics & ORDERED:
        told.append(
            f"{'for statistics that take labels in their order ' if told else ''}the end of that order that is farthest from "
            "people's label"
        )
    return f"wrong: as {', and '.join(told)}"


def _line(one: Coverage, *, scored: bool, replies: bool) -> tuple[str, ...]:
    people = (figure(one.of_judged.mean), figure(one.of_missing.mean)) if scored else ()
    read = (f"{one.replies}", f"{one.unread}", percent(one.unread_share)) if one.replies else (NONE,) * 3
    return (
        ", ".join(filter(None, (one.judge, one.aspect))),
        f"{one.rows}",
        f"{one.missing}",
        percent(one.share),
        *people,
        *(read if replies else ()),
    )


def coverage_figures(one: Coverage | None) -> Sequence[object]:
    """The figures of RECORDED and LABELS for a line of CSV; empty cells where nothing is known."""
    if one is None:
        return [""] * len(RECORDED + LABELS)
    labels = ["; ".join(f"{label}: {share:.6g}" for label, share in of.items()) for of in _labels(one)]
    return [*("" if value is None else value for value in _figures(one)), *labels]


def _figures(one: Coverage) -> list[int | float | None]:
    return [
        one.rows,
        one.judged,
        one.missing,
        one.share,
        one.of_judged.n,
        one.of_missing.n,
        one.of_judged.mean,
        one.of_missing.mean,
        one.replies,
        one.unread,
        one.unread_share,
        one.of_read.mean,
        one.of_unread.mean,
    ]


def _sentences(one: Coverage, above: float) -> Iterator[str]:
    name = ", ".join(filter(None, (one.judge, one.aspect)))
    if one.rows and one.missing == one.rows:
        told = f"; {_people(one.of_missing, one.of_judged)}" if one.of_missing.n else ""
        none = "the only text has no" if one.rows == 1 else f"not one of {counted(one.rows, 'text')} has a"
        yield f"{name}: {none} judgement (100.0% missing){told}."
    elif one.share > above:
        part = f"{one.missing:,} of {counted(one.rows, 'text')} ({percent(one.share)})"
        known = one.of_missing.n or (one.of_judged.n and one.judge != PEOPLE)
        people = f"; {_people(one.of_missing, one.of_judged)}" if known else ""
        yield f"{name}: {part} {_lack(one)}{people}."
    same = (one.unread, one.replies) == (one.missing, one.rows) or one.missing == one.rows
    if one.unread_share > above and not same:
        of = counted(one.replies, "sample") if one.recorded else counted(one.replies, "reply", "replies")
        what = ("is empty" if one.unread == 1 else "are empty") if one.recorded else "could not be read"
        people = _people(one.of_unread, one.of_read)
        yield f"{name}: {one.unread:,} of {of} ({percent(one.unread_share)}) {what}; {people}."


def _lack(one: Coverage) -> str:
    """What texts are without; those of people as judges have ratings, and not by every one of them."""
    if one.judge == PEOPLE:
        return f"{'lacks' if one.missing == 1 else 'lack'} the judgement of an annotator"
    return f"{'has' if one.missing == 1 else 'have'} no judgement"


def _people(of: People, others: People) -> str:
    """What people say of these texts, and of the others."""
    if not of.n:
        return "people have judged nothing of what is missing"
    if not others.n:
        said = f"people choose {_shares(of.labels)}" if of.labels else f"people's mean is {_mean(of)}"
        return f"{said} of what is missing" if of.labels else f"{said} over what is missing"
    if of.labels:
        return (
            f"people choose {_shares(of.labels)} of what is missing, and {_shares(others.labels)} of the rest"
        )
    return f"people's mean is {_mean(of)} over what is missing and {_mean(others)} over the rest"


def _mean(of: People) -> str:
    return "not known" if of.mean is None else figure(of.mean)


def _shares(labels: Mapping[str, float]) -> str:
    if not labels:
        return "nothing"
    often = sorted(labels, key=lambda label: (-labels[label], label))
    named = [f"{label} in {percent(labels[label])}" for label in often[:_LABELS]]
    return listed([*named, *([f"{len(often) - _LABELS} more"] if len(often) > _LABELS else [])])
