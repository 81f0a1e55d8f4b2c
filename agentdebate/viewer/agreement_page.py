"""The page of a run's agreement with people: figures with what has to be said of them, points that lead to debates, and rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentdebate.errors import AgentDebateError
from agentdebate.meta.agreement import Agreement, confusion
from agentdebate.meta.figure import NO_RESAMPLES
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.run_rows import judged, people_judged, scales_of
from agentdebate.meta.talks import by_round, talks_of
from agentdebate.report.agree import agree
from agentdebate.report.grid import Grid, Number, statistic_name
from agentdebate.report.judge_tables import calibration_grids
from agentdebate.report.prose import counted
from agentdebate.report.question import Question
from agentdebate.store.run_head import RunHead
from agentdebate.viewer.runs_page import RunLine, run_line
from agentdebate.viewer.score_pictures import Scatter, scatter
from agentdebate.viewer.shelf import Shelf, Stored

MOST = 20_000
"""Debates of a run beyond which the page leaves its figures to the command line, which has the time and the memory."""
_LABELS = 12
"""Texts beyond which a table of choices cannot be read."""


@dataclass(frozen=True)
class AgreementPage:
    """Page of a run's agreement with people."""

    run: RunLine
    figures: tuple[Agreement, ...] = ()
    caption: str = ""
    """Convention, statistic, level, n, ties and intervals, in lines."""
    explanation: str = ""
    """Caption at length."""
    scatters: tuple[Scatter, ...] = ()
    confusions: tuple[Grid, ...] = ()
    """People's choices by row, the judge's by column."""
    calibrations: tuple[Grid, ...] = ()
    rounds: tuple[Grid, ...] = ()
    problem: str = ""
    """Reason why there are no figures."""


def agreement_page(shelf: Shelf, head: RunHead, *, whole: bool = False) -> AgreementPage:
    """The page of a run's agreement; where it cannot be worked out, it says why. Raises StoreError.

    Of a run with very many debates it names the command, unless the `whole` is wanted.
    """
    if head.ended_debates > MOST and not whole:
        told = f"{too_many(head)} Of all of them: agentdebate agree {head.id}."
        return AgreementPage(run_line(shelf, head), problem=told)
    return shelf.kept("agreement", head, "", lambda: _page(shelf, head))


def too_many(head: RunHead) -> str:
    """Say that a run is too large for the page."""
    return f"The run {head.id} has {counted(head.ended_debates, 'debate')}, and a page has figures of {MOST:,} at most."


def _page(shelf: Shelf, head: RunHead) -> AgreementPage:
    run, reader = run_line(shelf, head), shelf.reader()
    rows, scales = list(reader.rows(head.id)), scales_of(head)
    entries = people_judged(judged(rows, head.strategy))
    rated = [one for one in entries if one.labels is None]
    chosen = [one for one in entries if one.labels and len(one.labels) <= _LABELS]
    try:
        found = agree(Stored(reader, head), calibration=bool(rated))
        rounds = _rounds(shelf, head, rows)
    except AgentDebateError as error:  # nobody has scored the items, or this cannot be asked of them
        return AgreementPage(run, problem=str(error))
    scatters = (scatter(one.aspect, rows, scales.get(one.aspect)) for one in rated)
    return AgreementPage(
        run,
        figures=tuple(found.agreements),
        caption=found.caption,
        explanation=found.explanation,
        scatters=tuple(one for one in scatters if one),
        confusions=tuple(map(_confusion, chosen)),
        calibrations=calibration_grids(found.calibrations),
        rounds=rounds,
    )


def _confusion(one: Judgements) -> Grid:
    counted, labels = confusion(one), one.labels or ()
    rows = tuple((people, *(counted[people, choice] for choice in labels)) for people in labels)
    return Grid(f"{one.aspect}: people’s choice by row, the judge’s by column", ("people", *labels), rows)


def _rounds(shelf: Shelf, head: RunHead, rows: Sequence[Mapping[str, Any]]) -> tuple[Grid, ...]:
    """Agreement by round, a table an aspect; nothing where there was one round."""
    question = Question(bootstrap=NO_RESAMPLES)
    lines: dict[tuple[str, str], list[tuple[str, Number, int]]] = {}
    talks = talks_of(shelf.reader(), head).talks
    for number, entries in by_round(rows, talks):
        for one in entries:
            found = question.ask(one)
            name = f"round {number}" if number else "before the first round"
            key = one.aspect, statistic_name(found.statistic)
            lines.setdefault(key, []).append((name, Number(found.value), found.n))
    return tuple(
        Grid(about, ("ballots by then", statistic, "n"), tuple(some))
        for (about, statistic), some in lines.items()
        if len(some) > 1
    )
