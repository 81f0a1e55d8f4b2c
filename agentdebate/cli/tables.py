"""The tables of a run: a line an item, a line an aspect, a line a kind of failure."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from agentdebate.cli.comparisons import print_candidates, print_comparisons, print_outcomes
from agentdebate.cli.console import cell, number, out, table
from agentdebate.cli.options import STORE
from agentdebate.cli.rows import (
    MOST,
    Rows,
    aspect_names,
    candidate_names,
    failures_by_kind,
    name_of,
    note_of,
    ordered,
    shortfall,
)
from agentdebate.results import Record


@dataclass
class Tally:
    """What a run's tables are made of, gathered as the records come.

    `items` and `aspects` are the order of the tables, by id and name; what they do not name comes after, as it came.
    """

    items: Sequence[str] = ()
    aspects: Sequence[str] = ()
    kept: list[Mapping[str, Any]] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Take in a record."""
        self.kept.append(record.row())

    @property
    def rows(self) -> Rows:
        """The rows in the order of the items, and within an item of the aspects."""
        return ordered(self.kept, self.items, self.aspects)

    @property
    def failed(self) -> bool:
        """Whether any debate failed."""
        return any(row["failure"] for row in self.kept)

    @property
    def note(self) -> str | None:
        """What has to be said beside the verdicts."""
        return note_of(self.kept)


def see_run(run: str | None, store: str) -> str:
    """The command line that shows a run."""
    where = "" if store == STORE else f" --store {shlex.quote(store)}"
    return f"agentdebate show {run}{where}"


def see_debate(run: str, debate: str, store: str) -> str:
    """The command line that shows a debate."""
    where = "" if store == STORE else f" --store {shlex.quote(store)}"
    return f"agentdebate show {run} {shlex.quote(debate)}{where}"


def print_results(rows: Rows, *, see: str) -> None:
    """The items with their scores, what they come to together, and what has to be said beside them.

    `see` is the command that shows the run.
    """
    if candidate_names(rows):
        print_comparisons(rows, see=see)
        print_outcomes(rows)
        print_candidates(rows)
    else:
        print_items(rows, see=see)
        print_aspects(rows)
    print_stages(rows)
    short = shortfall(rows)
    if short:
        out(f"{short}; {see} --json says which")
    note = note_of(rows)
    if note:
        out(f"\n{note}")


def print_items(rows: Rows, *, see: str = "", most: int = MOST) -> None:
    """A line an item: its scores, and the rounds of its debates. `see` is the command that shows the run, if one does."""
    items: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        items.setdefault(row["id"], []).append(row)
    aspects = aspect_names(rows)
    shown = list(items.items())[:most]
    lines = [[name, *_scores(of_item, aspects), _rounds(of_item)] for name, of_item in shown]
    table("Verdicts", ["item", *aspects, "rounds"], lines, numeric=[*aspects, "rounds"])
    if any(_unsettled(row) for _, of_item in shown for row in of_item):
        out("* not settled: the debate ended without agreement")
    if len(items) > most:
        all_of_them = f"; {see} --json prints all of them" if see else ""
        out(f"... and {number(len(items) - most, 'more item')}{all_of_them}")


def print_aspects(rows: Rows) -> None:
    """A line an aspect: how many verdicts and failures, their mean, how many settled, and what people said."""
    lines = [
        _aspect_line(name, [row for row in rows if name in row["aspects"]]) for name in aspect_names(rows)
    ]
    head = ["aspect", "verdicts", "failures", "mean", "lowest", "highest", "settled", "people", "n"]
    with_people = any(score is not None for row in rows for score in row["human"].values())
    if not with_people:
        head, lines = head[:-2], [line[:-2] for line in lines]
    out()
    table("Aspects", head, lines, numeric=head[1:])
    if with_people:
        out("people: the mean of people's scores of the n judged items that have one")


def print_stages(rows: Rows) -> None:
    """A line a stage, where evaluators took part: how long it took and what it cost, in all and for a debate."""
    each: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        for name, stage in row.get("stages", {}).items():
            each.setdefault(name, []).append(stage)
    if not each:
        return
    lines = [
        [
            name,
            *(sum(stage[unit] for stage in several) for unit in ("calls", "tokens")),
            f"{sum(stage['seconds'] for stage in several):.3f}",
            f"{fmean(stage['seconds'] for stage in several):.4f}",
        ]
        for name, several in each.items()
    ]
    head = ["stage", "calls", "tokens", "seconds", "each"]
    out()
    table("Stages", head, lines, numeric=head[1:])
    out(
        "seconds: what evaluators computed for, and models took to answer, in all; each: the mean of a debate"
    )


def print_failures(rows: Rows) -> None:
    """A line a kind of failure, with an example."""
    kinds = failures_by_kind(rows)
    if kinds:
        head = ["count", "failure", "for example", "reason"]
        lines = [(count, kind, name_of(row), row["failure"]["reason"]) for kind, count, row in kinds]
        out()
        table("Failures", head, lines, numeric=["count"])


def _aspect_line(name: str, about: Rows) -> list[object]:
    judged = [row for row in about if name in row["scores"]]
    scores = [row["scores"][name] for row in judged]
    people = [row["human"][name] for row in judged if row["human"].get(name) is not None]
    settled = f"{sum(bool(row['settled']) for row in judged)} of {len(judged)}"
    summary = [f"{fmean(scores):.3f}", min(scores), max(scores)] if scores else ["", "", ""]
    of_people = [f"{fmean(people):.3f}", len(people)] if people else ["", 0]
    failed = sum(bool(row["failure"]) for row in about)
    return [name, len(judged), failed, *summary, settled, *of_people]


def _scores(rows: Rows, aspects: Iterable[str]) -> list[str]:
    found = {
        name: cell(score) + ("*" if _unsettled(row) else "")
        for row in rows
        for name, score in row["scores"].items()
    }
    judged = {name for row in rows for name in row["aspects"]}
    failed = {name for row in rows if row["failure"] for name in row["aspects"]}
    return [
        found.get(name, "failed" if name in failed else "none" if name in judged else "") for name in aspects
    ]


def _unsettled(row: Mapping[str, Any]) -> bool:
    return row["settled"] is False


def _rounds(rows: Rows) -> int | None:
    """The rounds of an item's debates together."""
    used = [row["rounds"] for row in rows if row["rounds"] is not None]
    return sum(used) if used else None
