"""Results of a run's verdicts, as tables: by item, by score, by winner, and by kind of failure."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from statistics import fmean
from typing import Any

from agentdebate.debates.outcome import FAILURE, OutcomeCounts, outcome_of
from agentdebate.debates.record import offline_note
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.prose import number_of
from agentdebate.meta.run_rows import about_of, choice_of, judged
from agentdebate.meta.talk import grouped
from agentdebate.report.coverage import coverage_told
from agentdebate.report.grid import Block, Columns, Grid, cell_text
from agentdebate.visible import one_line

Row = Mapping[str, Any]
"""A record as Record.row() gives it."""

MOST = 20
"""Items that a table shows before it says how many more there are."""

_SCORES: Columns = {
    "score": lambda one: one[0],
    "verdicts": lambda one: len(one[1]),
    "mean": lambda one: _mean(one[1]),
    "lowest": lambda one: min(one[1], default=None),
    "highest": lambda one: max(one[1], default=None),
}
"""Columns of a score."""
_PEOPLE: Columns = {"people": lambda one: _mean(one[2]), "n": lambda one: len(one[2])}
"""Columns of people's scores, where there are some."""
_FAILURES: Columns = {
    "count": len,
    "failure": lambda rows: rows[0]["failure"]["error"],
    "for example": lambda rows: debate_name(rows[0]),
}


@dataclass(frozen=True)
class RunResults:
    """The records of a run, item by item; `aspects` is their order as far as it is known."""

    rows: Sequence[Row]
    aspects: Sequence[str] = ()

    @property
    def ended(self) -> OutcomeCounts:
        """Numbers of debates by their ending."""
        return OutcomeCounts(Counter(outcome_of(row).name for row in self.rows))

    @cached_property
    def coverages(self) -> list[Coverage]:
        """Coverage, aspect by aspect."""
        return [replace(coverage(one), judge="") for one in judged(self.rows, "judge")]

    @property
    def note(self) -> str | None:
        """Note beside verdicts of the offline judge."""
        return offline_note(model for row in self.rows for model in row["models"])

    @property
    def short(self) -> list[Row]:
        """The verdicts without some of their ballots, samples or agents."""
        return [row for row in self.rows if row["missing"] or row["lost"]]

    def blocks(self, *, see: str) -> Iterator[Block]:
        """The items, what they come to together, and what has to be said beside them. `see` is the command that prints all."""
        yield from (*self.items(see=see), "", self._of_scores())
        won = Counter((about_of(row), choice_of(row)) for row in self.rows if choice_of(row))
        if won:
            lines = [(*pair, count) for pair, count in won.items()]
            yield from ("", Grid("Winners", ["aspect", "winner", "verdicts"], lines, ["verdicts"]))
        yield coverage_told(self.coverages)
        if self.short:
            yield f"{number_of(len(self.short), 'verdict')} without some of the ballots, samples or agents; {see} says which"
        unsent = Counter(what for row in self.rows for what in row.get("unsent") or ())
        for what, count in unsent.items():
            yield one_line(
                f"not sent, since the model does not take it: {what}, in {number_of(count, 'debate')}"
            )
        if self.note:
            yield from ("", self.note)

    def items(self, *, see: str = "") -> Iterator[Block]:
        """A line an item: its scores, who won where texts are compared, and the rounds of its debates."""
        columns: dict[str, Any] = {"item": lambda rows: rows[0]["id"]}
        columns |= {name: partial(_score, name=name) for name in self._names}
        compared = dict.fromkeys(about_of(row) for row in self.rows if row["candidates"])
        columns |= {f"winner, {about}": partial(_winner, about=about) for about in compared}
        columns["rounds"] = lambda rows: sum(row["rounds"] or 0 for row in rows)
        unsettled = any(row["settled"] is False for row in self.rows)
        notes = ["* not settled: the debate ended without agreement"] if unsettled else []
        shown = list(grouped(self.rows, lambda row: row["id"]).values())
        yield Grid.of("Verdicts", shown[:MOST], columns, notes=notes)
        if len(shown) > MOST:
            yield f"... and {number_of(len(shown) - MOST, 'more item')}; {see} prints all of them"

    def failure_blocks(self, worded: Callable[[str], str] = str) -> Iterator[Block]:
        """A line a kind of failure, the most frequent first, with an example; `worded` puts its reason into the reader's words."""
        failed = [row for row in self.rows if outcome_of(row) is FAILURE]
        kinds = sorted(grouped(failed, lambda row: row["failure"]["error"]).values(), key=len, reverse=True)
        columns = {**_FAILURES, "reason": lambda rows: one_line(worded(str(rows[0]["failure"]["reason"])))}
        if kinds:
            yield from ("", Grid.of("Failures", kinds, columns, numeric=["count"]))

    @cached_property
    def _names(self) -> list[str]:
        """The names of the scores, those of the aspects whose order is known first."""
        names = dict.fromkeys(name for row in self.rows for name in score_names(row))
        order = {name: place for place, name in enumerate(self.aspects)}
        return sorted(names, key=lambda name: order.get(name.partition(".")[0], len(order)))

    def _of_scores(self) -> Grid:
        """A line a score: how many verdicts have it, its mean and ends, and the mean of people's scores if there are any."""
        found = [(name, self._values("scores", name), self._values("human", name)) for name in self._names]
        if not any(people for _, _, people in found):
            return Grid.of("Scores", found, _SCORES)
        note = "people: the mean of the n scores of people's"
        return Grid.of("Scores", found, {**_SCORES, **_PEOPLE}, notes=[note])

    def _values(self, of: str, name: str) -> list[float]:
        return [value for row in self.rows if (value := row[of].get(name)) is not None]


def ended_words(ended: OutcomeCounts, *, beside_verdicts: str = "") -> str:
    """Say in which ways debates ended, and how many; `beside_verdicts` stands behind the verdicts."""
    verdicts, *others = (number_of(count, noun) for count, noun in ended.nouns)
    return ", ".join([f"{verdicts}{beside_verdicts}", *others])


def usage_line(row: Mapping[str, Any]) -> str:
    """Calls and tokens in words."""
    tokens = f"{row['prompt_tokens']} prompt and {row['completion_tokens']} completion tokens"
    return f"{number_of(row['calls'], 'call')}, {tokens}"


def debate_name(row: Row) -> str:
    """Name a row's debate within its run."""
    return f"{row['id']}/{'+'.join(row['aspects'])}"


def score_names(row: Row) -> list[str]:
    """The scores that a debate can have: of its aspects, or of each candidate ("overall.answer_1")."""
    if not row["candidates"]:
        return list(row["aspects"])
    return [f"{aspect}.{name}" for aspect in row["aspects"] for name in row["candidates"]]


def _mean(values: Sequence[float]) -> str | None:
    return f"{fmean(values):.3f}" if values else None


def _score(rows: Sequence[Row], name: str) -> str:
    """A score of an item, or why there is none."""
    for row in rows:
        if name in row["scores"]:
            return cell_text(float(row["scores"][name])) + ("*" if row["settled"] is False else "")
    ends = (outcome_of(row).cell or "none" for row in rows if name in score_names(row))
    return next(ends, "")


def _winner(rows: Sequence[Row], about: str) -> str | None:
    """The text that won, "tie", or why there is none."""
    return next((choice_of(row) or outcome_of(row).cell for row in rows if about_of(row) == about), "")
