"""The results of a run: a line an item, what they come to together, and what has to be said beside them."""

from collections.abc import Iterable, Iterator

from agentdebate.debates.outcome import outcome_of
from agentdebate.meta.prose import number_of
from agentdebate.models.prices import PriceTable, prices
from agentdebate.report.run_tables.comparisons import comparison_blocks
from agentdebate.report.run_tables.coverage import coverage_blocks
from agentdebate.report.run_tables.rows import Row, Rows
from agentdebate.report.run_tables.tally import Tally
from agentdebate.report.text_table import Block, TextTable, cell


def result_blocks(tally: Tally, *, see: str, priced: PriceTable | None = None) -> Iterator[Block]:
    """The items with their scores, what they come to together, and what has to be said beside them.

    `see` is the command that prints all of the run, `priced` the prices it was given; None for those of the project.
    """
    if tally.outcomes.candidates:
        yield from comparison_blocks(tally, see=see)
        yield from tally.outcomes.blocks()
        yield from tally.outcomes.candidate_blocks()
    else:
        yield from item_blocks(tally, see=see)
        yield from tally.aspects.blocks()
    yield from coverage_blocks(tally.coverage.coverages)
    yield from tally.stages.blocks()
    yield from tally.prompts.blocks(priced or prices())
    for line in tally.shortfall.lines():
        yield f"{line}; {see} says which"
    if tally.note:
        yield from ("", tally.note)


def item_blocks(tally: Tally, *, see: str = "") -> Iterator[Block]:
    """A line an item: its scores, and the rounds of its debates. `see` is the command that prints all of the run, if one does."""
    shown: dict[str, list[Row]] = {}
    for row in tally.first.rows:
        shown.setdefault(row["id"], []).append(row)
    aspects = list(tally.aspects.names)
    lines = [[name, *_scores(of_item, aspects), _rounds(of_item)] for name, of_item in shown.items()]
    yield TextTable("Verdicts", ["item", *aspects, "rounds"], lines, numeric=[*aspects, "rounds"])
    if any(_unsettled(row) for of_item in shown.values() for row in of_item):
        yield "* not settled: the debate ended without agreement"
    if tally.items > len(shown):
        all_of_them = f"; {see} prints all of them" if see else ""
        yield f"... and {number_of(tally.items - len(shown), 'more item')}{all_of_them}"


def _scores(rows: Rows, aspects: Iterable[str]) -> list[str]:
    found = {
        name: cell(score) + ("*" if _unsettled(row) else "")
        for row in rows
        for name, score in row["scores"].items()
    }
    without = {name: outcome_of(row).cell for row in rows for name in row["aspects"]}
    return [found.get(name, (without[name] or "none") if name in without else "") for name in aspects]


def _unsettled(row: Row) -> bool:
    return row["settled"] is False


def _rounds(rows: Rows) -> int | None:
    """The rounds of an item's debates together."""
    used = [row["rounds"] for row in rows if row["rounds"] is not None]
    return sum(used) if used else None
