"""The tables of a run: a line an item, and a line an aspect."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from agentdebate.cli.console import offline_note, out, table
from agentdebate.results import Record

MOST = 20
"""Items that a table shows before it says how many more there are."""


@dataclass
class Tally:
    """What a run's tables are made of, gathered as the records come."""

    rows: list[Mapping[str, Any]] = field(default_factory=list)
    failures: list[Record] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Take in a record."""
        self.rows.append(record.row())
        if record.failure is not None:
            self.failures.append(record)

    @property
    def note(self) -> str | None:
        """What has to be said beside the verdicts."""
        return offline_note(model for row in self.rows for model in row["models"])


def print_results(tally: Tally) -> None:
    """The items with their scores, then the aspects with their means."""
    rows = sorted(tally.rows, key=lambda row: str(row["id"]))
    print_items(rows)
    print_aspects(rows)


def print_items(rows: Iterable[Mapping[str, Any]], *, most: int = MOST) -> None:
    """A line an item: its scores, and whether its debates settled."""
    items: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        items.setdefault(row["id"], []).append(row)
    aspects = aspect_names(row for rows in items.values() for row in rows)
    shown = list(items.items())[:most]
    lines = [[name, *_scores(of_item, aspects), _rounds(of_item), _ended(of_item)] for name, of_item in shown]
    table("Verdicts", ["item", *aspects, "rounds", "ended by"], lines, numeric=[*aspects, "rounds"])
    if len(items) > most:
        out(f"... and {len(items) - most} more items")


def print_aspects(rows: Iterable[Mapping[str, Any]]) -> None:
    """A line an aspect: how many verdicts and failures, their mean, how many settled."""
    kept = list(rows)
    lines = []
    for name in aspect_names(kept):
        about = [row for row in kept if name in row["aspects"]]
        judged = [row for row in about if name in row["scores"]]
        scores = [row["scores"][name] for row in judged]
        settled = f"{sum(bool(row['settled']) for row in judged)} of {len(judged)}"
        summary = [f"{fmean(scores):.3f}", min(scores), max(scores)] if scores else ["", "", ""]
        lines.append([name, len(judged), len(about) - len(judged), *summary, settled])
    head = ["aspect", "verdicts", "failures", "mean", "lowest", "highest", "settled"]
    table("Aspects", head, lines, numeric=head[1:])


def aspect_names(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Every aspect that the rows are about, in the order in which they come."""
    return list(dict.fromkeys(name for row in rows for name in row["aspects"]))


def _scores(rows: Iterable[Mapping[str, Any]], aspects: Iterable[str]) -> list[object]:
    found = {name: score for row in rows for name, score in row["scores"].items()}
    return [found.get(name, "failed") for name in aspects]


def _rounds(rows: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(str(row["rounds"]) if row["rounds"] is not None else "-" for row in rows)


def _ended(rows: Iterable[Mapping[str, Any]]) -> str:
    endings = [row["ended"] or row["failure"]["error"] for row in rows]
    return ", ".join(dict.fromkeys(endings))
