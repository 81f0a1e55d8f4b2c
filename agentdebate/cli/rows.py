"""The rows of a run, as Record.row() gives them: their order, their names, and what can be said of all of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agentdebate.cli.console import number, offline_note, one_line
from agentdebate.store.reader import RunHead

MOST = 20
"""Items that a table shows before it says how many more there are."""

_NAMED = 5
"""Lost agents that are named before it is said how many more there are."""

Rows = Sequence[Mapping[str, Any]]
"""Records as Record.row() gives them."""


def ordered(rows: Rows, items: Iterable[str], aspects: Iterable[str]) -> Rows:
    """The rows by the place of their item and then of their aspects in these orders."""
    place = {name: number for number, name in enumerate(dict.fromkeys(items))}
    rank = {name: number for number, name in enumerate(aspects)}

    def key(row: Mapping[str, Any]) -> tuple[int, int]:
        first = row["aspects"][0] if row["aspects"] else ""
        return place.get(row["id"], len(place)), rank.get(first, len(rank))

    return sorted(rows, key=key)


def aspect_order(head: RunHead) -> list[str]:
    """The order of a run's aspects, as far as it is known."""
    aspects = head.configuration.get("aspects") or []
    return [aspects] if isinstance(aspects, str) else list(aspects)


def note_of(rows: Rows) -> str | None:
    """What has to be said beside these verdicts."""
    return offline_note(model for row in rows for model in row["models"])


def short_rows(rows: Rows) -> Rows:
    """The rows whose verdicts do without some of their ballots, samples or agents."""
    return [row for row in rows if row["missing"] or row["lost"]]


def shortfall(rows: Rows) -> str | None:
    """In words: how many verdicts do without ballots, samples or agents, and which agents were lost in how many."""
    short = short_rows(rows)
    if not short:
        return None
    lost = Counter(name for row in short for name in dict.fromkeys(one["agent"] for one in row["lost"]))
    agents = ", ".join(f"{name} in {count}" for name, count in lost.most_common(_NAMED))
    more = f", and {number(len(lost) - _NAMED, 'more agent')}" if len(lost) > _NAMED else ""
    named = f" (lost: {agents}{more})" if lost else ""
    return one_line(f"{number(len(short), 'verdict')} without some of the ballots or samples{named}")


def failures_by_kind(rows: Rows) -> list[tuple[str, int, Mapping[str, Any]]]:
    """Every kind of failure with how often it came, the most frequent first, and the first row of it."""
    failed = [row for row in rows if row["failure"]]
    kinds = Counter(row["failure"]["error"] for row in failed)
    first = {row["failure"]["error"]: row for row in reversed(failed)}
    return [(kind, count, first[kind]) for kind, count in kinds.most_common()]


def name_of(row: Mapping[str, Any]) -> str:
    """What a row's debate is called within its run."""
    return f"{row['id']}/{'+'.join(row['aspects'])}"


def aspect_names(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Every aspect that the rows are about, in the order in which they come."""
    return list(dict.fromkeys(name for row in rows for name in row["aspects"]))


def candidate_names(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Every candidate that the rows compare, in the order in which they come; none where nothing is compared."""
    return list(dict.fromkeys(name for row in rows for name in row.get("candidates", ())))


def score_names(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """What the rows have scores of: aspects, or each aspect of each candidate ("overall.answer_1")."""
    names = (
        f"{aspect}.{candidate}" if candidate else aspect
        for row in rows
        for aspect in row["aspects"]
        for candidate in row.get("candidates") or ("",)
    )
    return list(dict.fromkeys(names))
