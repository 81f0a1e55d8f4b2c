"""The page of a run's agreement with people: figures with what has to be said of them, points that lead to debates, and rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from agentdebate.errors import AgentDebateError
from agentdebate.meta.agreement import Agreement, confusion
from agentdebate.meta.conventions import CONVENTIONS
from agentdebate.meta.judgements import Choices, Judgements
from agentdebate.meta.levels import Level
from agentdebate.meta.measures import STATISTICS
from agentdebate.meta.run_rows import judged, people_judged, scales_of
from agentdebate.meta.talks import by_round, talks_of
from agentdebate.report.agree import AgreeOptions, agree
from agentdebate.report.figures import figure, interval, statistic_name
from agentdebate.report.grid import Grid, Number
from agentdebate.report.judge_tables import calibration_grids
from agentdebate.report.question import Question
from agentdebate.store.reader import RunHead
from agentdebate.viewer.asked import BadAddress
from agentdebate.viewer.runs_page import RunLine, run_line
from agentdebate.viewer.scatter import Scatter, scatter
from agentdebate.viewer.shelf import Shelf
from agentdebate.viewer.stored import Stored
from agentdebate.viewer.words import counted

MOST = 20_000
"""Debates of a run beyond which the page leaves its figures to the command line, which has the time and the memory."""
AT_ONCE = 500
"""Debates of a run up to which the page waits for its figures; of more, it is shown before they are there."""
_LABELS = 12
"""Texts beyond which a table of choices cannot be read."""


@dataclass(frozen=True)
class AgreementAsking:
    """Which agreement is wanted; what is empty is as `agree` has it."""

    statistic: str = ""
    level: str = ""
    convention: str = ""

    def __post_init__(self) -> None:
        known = (
            ("statistic", self.statistic, STATISTICS),
            ("level", self.level, get_args(Level)),
            ("convention", self.convention, tuple(CONVENTIONS)),
        )
        for name, given, values in known:
            if given and given not in values:
                raise BadAddress(f"{name} has to be one of {', '.join(values)}")

    def options(self, *, calibration: bool) -> AgreeOptions:
        """As `agree` takes them."""
        options = AgreeOptions(calibration=calibration)
        if self.statistic:
            options["statistic"] = self.statistic
        if self.level:
            options["level"] = self.level
        if self.convention:
            options["convention"] = self.convention
        return options


@dataclass(frozen=True)
class Figure:
    """One figure, as it is shown."""

    aspect: str
    statistic: str
    level: str
    value: str
    interval: str
    n: int
    missing: int


@dataclass(frozen=True)
class Confusion:
    """Which choice people made where the judge made which: a row a choice of people's."""

    about: str
    labels: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class AgreementPage:
    """How far a run agrees with people."""

    run: RunLine
    asked: AgreementAsking
    statistics: tuple[str, ...] = STATISTICS
    levels: tuple[str, ...] = get_args(Level)
    conventions: tuple[str, ...] = tuple(CONVENTIONS)
    figures: tuple[Figure, ...] = ()
    caption: str = ""
    """Convention, statistic, level, n, ties and intervals, in lines."""
    explanation: str = ""
    """The same at length."""
    scatters: tuple[Scatter, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    calibrations: tuple[Grid, ...] = ()
    rounds: tuple[Grid, ...] = ()
    problem: str = ""
    """Why there are no figures."""
    waiting: bool = False
    """Whether the figures are still being worked out."""
    by_people: bool = True
    """Whether people have scored anything, so that another statistic may be asked for."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """The caption, a line for each thing that it speaks of."""
        return tuple(self.caption.splitlines())


def agreement_page(
    shelf: Shelf, head: RunHead, asked: AgreementAsking | None = None, *, whole: bool = False
) -> AgreementPage:
    """The page of a run's agreement; where it cannot be worked out, it says why. Raises StoreError.

    Of a run with more debates than the page can wait for, it is there at once and the figures later, and of one with very many
    it names the command; with `whole` it waits for all of them.
    """
    asked = asked or AgreementAsking()
    if whole or head.ended_debates <= AT_ONCE:
        return shelf.kept("agreement", head, asked, lambda: _page(shelf, head, asked))
    if head.ended_debates > MOST:
        told = f"{too_many(head)} Of all of them: agentdebate agree {head.id}."
        return AgreementPage(run_line(shelf, head), asked, problem=told, by_people=False)
    meanwhile = AgreementPage(run_line(shelf, head), asked, waiting=True)
    return shelf.at_work("agreement", head, asked, lambda: _page(shelf, head, asked)) or meanwhile


def too_many(head: RunHead) -> str:
    """What is said of a run that is too large for the page."""
    return f"The run {head.id} has {counted(head.ended_debates, 'debate')}, and a page has figures of {MOST:,} at most."


def _page(shelf: Shelf, head: RunHead, asked: AgreementAsking) -> AgreementPage:
    run, reader = run_line(shelf, head), shelf.reader()
    rows, scales = list(reader.rows(head.id)), scales_of(head)
    entries = people_judged(judged(rows, head.strategy))
    rated = [one for one in entries if isinstance(one, Judgements)]
    chosen = [one for one in entries if isinstance(one, Choices)]
    if not entries:
        told = f"The run has no score of people's. With such scores in a file: agentdebate agree {head.id} --data FILE --on id."
        return AgreementPage(run, asked, problem=told, by_people=False)
    try:
        found = agree(Stored(reader, head), **asked.options(calibration=bool(rated)))
        rounds = _rounds(shelf, head, rows, asked)
    except AgentDebateError as error:  # nobody has scored the items, or this cannot be asked of them
        return AgreementPage(run, asked, problem=str(error))
    scatters = (scatter(one.aspect, rows, scales.get(one.aspect)) for one in rated)
    return AgreementPage(
        run,
        asked,
        figures=tuple(map(_figure, found.agreements)),
        caption=found.caption,
        explanation=found.explanation,
        scatters=tuple(one for one in scatters if one),
        confusions=tuple(_confusion(one) for one in chosen if len(one.labels) <= _LABELS),
        calibrations=calibration_grids(found.calibrations),
        rounds=rounds,
    )


def _figure(one: Agreement) -> Figure:
    return Figure(
        one.aspect,
        statistic_name(one.statistic),
        one.level,
        figure(one.value),
        interval(one.low, one.high),
        one.n,
        one.missing,
    )


def _confusion(one: Choices) -> Confusion:
    counted = confusion(one)
    rows = tuple((people, tuple(counted[people, choice] for choice in one.labels)) for people in one.labels)
    return Confusion(one.aspect, tuple(one.labels), rows)


def _rounds(
    shelf: Shelf, head: RunHead, rows: Sequence[Mapping[str, Any]], asked: AgreementAsking
) -> tuple[Grid, ...]:
    """Agreement by round, a table an aspect; nothing where there was one round."""
    question = Question(asked.statistic or None, asked.level or "pooled", None)  # type: ignore[arg-type]  # they were checked
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
