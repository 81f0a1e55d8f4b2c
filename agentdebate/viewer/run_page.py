"""The page of one run: its items by aspects, or its debates, filtered and sorted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from agentdebate.debates.outcome import OUTCOMES, outcome_of
from agentdebate.meta.run_rows import scales_of
from agentdebate.meta.talks import first_talks
from agentdebate.models.prices import built_in
from agentdebate.store.debate_list import DebateFilter, DebateList
from agentdebate.store.run_head import RunHead
from agentdebate.studies.panel_worth import panel_lines, panels_of_agents
from agentdebate.studies.worth import worth_lines, worth_of
from agentdebate.viewer.query import RunQuery
from agentdebate.viewer.runs_page import RunLine, run_line
from agentdebate.viewer.score_pictures import Bars, Scatter, bars, scatter
from agentdebate.viewer.shelf import Shelf

PAGE = 50
"""Rows of a page."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Cell:
    """Result of one debate for one score."""

    debate: str
    score: float | None
    human: float | None
    instead: str
    """Text in place of a missing score: "failed"."""
    settled: bool | None

    @property
    def apart(self) -> float | None:
        """The score less people's."""
        return None if self.score is None or self.human is None else self.score - self.human


@dataclass(frozen=True)
class ItemLine:
    """An item, with the cells of its scores."""

    item: str
    group: str | None
    system: str | None
    cells: tuple[tuple[Cell, ...], ...]
    """Cells by the scores of the page, mostly one each."""
    winners: tuple[str, ...]
    rounds: int | None
    calls: int
    tokens: int
    money: float | None
    seconds: float | None


@dataclass(frozen=True)
class DebateLine:
    """A debate, with what it cost."""

    row: Row
    debate: str
    at: int
    """Place within what is filtered, from 0."""
    cells: tuple[Cell, ...]
    """Cells by the scores of the page."""
    outcome: str
    winners: tuple[str, ...]


@dataclass(frozen=True)
class Choices:
    """Choices that the filters offer."""

    outcomes: tuple[str, ...]
    ended: tuple[str, ...]
    groups: tuple[str, ...]
    systems: tuple[str, ...]


@dataclass(frozen=True)
class Pictures:
    """A run in pictures: how often each score, number of rounds and cost comes, and people's scores beside the judge's."""

    bars: tuple[Bars, ...]
    scatters: tuple[Scatter, ...]


@dataclass(frozen=True)
class RunPage:
    """A run with a page of its items or debates."""

    run: RunLine
    asked: RunQuery
    layout: str
    scores: tuple[str, ...]
    """The names of the scores that have columns."""
    with_people: bool
    compares: bool
    items: tuple[ItemLine, ...]
    debates: tuple[DebateLine, ...]
    found: int
    total: int
    pages: int
    choices: Choices
    damaged: tuple[str, ...]
    pictures: "Pictures | None"
    worth: tuple[str, ...] = ()
    """Worth of its talk, in lines."""
    summed: bool = False
    """True if a row is of several debates, whose rounds and costs are added up."""

    @property
    def starred(self) -> bool:
        """True if a cell has the star of what was not settled."""
        of_items = (cell for one in self.items for some in one.cells for cell in some)
        cells = chain(of_items, *(one.cells for one in self.debates))
        return any(cell.settled is False and cell.score is not None for cell in cells)


DRAWN = 10_000
"""Debates of a run beyond which its page has no pictures."""
_PICTURES = 3
"""Scores that have pictures."""
WIDEST = 6
"""Scores that have a column each; of a run with more, the first ones, and all of them on the page of a debate."""


def run_page(shelf: Shelf, head: RunHead, asked: RunQuery) -> RunPage:
    """The page that was asked for. Raises UsageError and StoreError."""
    debates = shelf.debates(head.id)
    run = run_line(shelf, head, sums=True)
    names = shelf.kept("scores", head, "", lambda: tuple(debates.score_names()))
    asked.check_scores(names)
    layout = asked.get("layout") or ("items" if len(names) > 1 else "debates")
    if asked.order.by != "id":  # an item has several debates, and no place among sorted ones
        layout = "debates"
    wanted = filter_of(shelf, head, asked)
    lay_out = _by_item if layout == "items" else _by_debate
    listed = lay_out(debates, asked, wanted=wanted, names=names[:WIDEST])
    return RunPage(
        run=run,
        asked=asked,
        layout=layout,
        scores=names[:WIDEST],
        with_people=any(shelf.reader().score_names(head.id).values()),
        compares=any("." in name for name in names) or any(row.get("candidates") for row in listed.rows),
        items=listed.items,
        debates=listed.debates,
        found=listed.found,
        total=listed.total,
        pages=max(-(-listed.found // PAGE), 1),
        choices=shelf.kept("choices", head, "", lambda: _choices(head, debates)),
        damaged=tuple(debates.damage.found),
        pictures=shelf.kept("pictures", head, "", lambda: _pictures(debates, head, names))
        if 0 < head.ended_debates <= DRAWN
        else None,
        worth=shelf.kept("worth", head, "", lambda: worth_told(shelf, head)),
        summed=len(listed.rows) > len(listed.items) > 0,
    )


def worth_told(shelf: Shelf, head: RunHead) -> tuple[str, ...]:
    """Say what the talk of a run was worth, and how many judges its panel is."""
    reader, talk = shelf.reader(), first_talks(shelf.reader(), head)
    worth = worth_lines({head.id: worth_of(reader, head, built_in(), talk)})
    return (*worth, *panel_lines(panels_of_agents(talk.talks), talk.part))


def _pictures(debates: DebateList, head: RunHead, names: Sequence[str]) -> Pictures:
    """Draw scores, rounds and what a debate cost: in money where every price is known, else in tokens."""
    rows, scales = debates.part(most=DRAWN), scales_of(head)
    values = {name: [row["scores"].get(name) for row in rows] for name in names[:_PICTURES]}
    values["rounds"] = [row.get("rounds") for row in rows]
    paid = [row["money"] for row in rows]
    if any(paid) and None not in paid:
        values["money of a debate"] = paid
    else:
        values["tokens of a debate"] = [
            row["prompt_tokens"] + row["completion_tokens"] or None for row in rows
        ]
    known = {name: [one for one in some if one is not None] for name, some in values.items()}
    points = (scatter(name, rows, scales.get(name)) for name in names[:_PICTURES])
    return Pictures(
        tuple(bars(name, some) for name, some in known.items() if some),
        tuple(one for one in points if one),
    )


@dataclass(frozen=True)
class _Listed:
    """The lines of a page, and how many there are on all of them."""

    rows: Sequence[Row]
    found: int
    total: int
    items: tuple[ItemLine, ...] = ()
    debates: tuple[DebateLine, ...] = ()


def _by_item(debates: DebateList, asked: RunQuery, *, wanted: DebateFilter, names: Sequence[str]) -> _Listed:
    ids = debates.items(wanted, start=(asked.page - 1) * PAGE, most=PAGE)
    rows = debates.of_items(ids)
    lines = (_item_line(item, [row for row in rows if row["id"] == item], names) for item in ids)
    return _Listed(rows, debates.count_items(wanted), debates.count_items(), items=tuple(lines))


def _by_debate(
    debates: DebateList, asked: RunQuery, *, wanted: DebateFilter, names: Sequence[str]
) -> _Listed:
    start, order = (asked.page - 1) * PAGE, asked.order
    rows = debates.part(wanted, order, start=start, most=PAGE)
    lines = (debate_line(row, start + at, names) for at, row in enumerate(rows))
    return _Listed(rows, debates.count(wanted, order), debates.count(), debates=tuple(lines))


def filter_of(shelf: Shelf, head: RunHead, asked: RunQuery) -> DebateFilter:
    """The filter, with what has to be looked for in the messages."""
    wanted = asked.filter()
    return replace(wanted, numbers=shelf.saying(head, asked.said)) if asked.said else wanted


def cells_of(row: Row, name: str) -> Cell | None:
    """Return the cell of a debate for one score; None where it is not about it."""
    if name not in row["scores"] and name.partition(".")[0] not in row["aspects"]:
        return None
    outcome = outcome_of(row)
    return Cell(
        debate=row["debate"],
        score=row["scores"].get(name),
        human=row["human"].get(name),
        instead="" if row["scores"].get(name) is not None else outcome.cell or "none",
        settled=row["settled"],
    )


def _item_line(item: str, rows: Sequence[Row], names: Sequence[str]) -> ItemLine:
    first: Row = rows[0] if rows else {}
    found = [[cells_of(row, name) for row in rows] for name in names]
    return ItemLine(
        item=item,
        group=first.get("group"),
        system=first.get("system"),
        cells=tuple(tuple(cell for cell in cells if cell is not None) for cells in found),
        winners=tuple(winner for row in rows for winner in row.get("winners", ())),
        rounds=_sum(rows, "rounds"),
        calls=sum(row["calls"] for row in rows),
        tokens=sum(row["prompt_tokens"] + row["completion_tokens"] for row in rows),
        money=_sum(rows, "money"),
        seconds=_sum(rows, "seconds"),
    )


def _sum(rows: Sequence[Row], name: str) -> Any:
    """The sum of what is known; None where nothing is."""
    known = [row[name] for row in rows if row.get(name) is not None]
    return sum(known) if known else None


def debate_line(row: Row, at: int, names: Sequence[str]) -> DebateLine:
    """A debate in a line, at its place within what is filtered."""
    missing = Cell(row["debate"], None, None, "", None)
    cells = tuple(cells_of(row, name) or missing for name in names)
    return DebateLine(row, row["debate"], at, cells, outcome_of(row).name, tuple(row.get("winners", ())))


def _choices(head: RunHead, debates: DebateList) -> Choices:
    outcomes = (name for name in dict.fromkeys((*OUTCOMES, *head.outcomes)) if head.outcomes.get(name))
    values = (tuple(debates.values(column)) for column in ("ended", "item_group", "system"))
    return Choices(tuple(outcomes), *values)
