"""The tables of a run: a line an item, a line an aspect, a line a stage."""

import shlex
from collections.abc import Iterable

from agentdebate.cli.comparisons import print_comparisons
from agentdebate.cli.console import cell, number, out, table
from agentdebate.cli.options import STORE
from agentdebate.cli.rows import Row, Rows
from agentdebate.cli.run_coverage import print_coverage, warn_of_missing
from agentdebate.cli.tally import Tally
from agentdebate.debates.outcome import outcome_of
from agentdebate.models.prices import PriceTable, prices
from agentdebate.store.address import shown
from agentdebate.store.reader import LAST
from agentdebate.visible import visible


def see_run(run: str | None, store: str) -> str:
    """The command line that shows a run."""
    return f"agentdebate show {_word(run or LAST)}{_where(store)}"


def see_debate(run: str, debate: str, store: str) -> str:
    """The command line that shows a debate."""
    return f"agentdebate show {_word(run)} {_word(debate)}{_where(store)}"


def go_on(run: str, store: str, more: str = "", *, queued: bool = False) -> str:
    """The command line that goes on with a run, `queued` or not; `more` is what the user has to say once more."""
    return f"agentdebate {'work' if queued else 'resume'} {_word(run)}{_where(store)}{more}"


def print_results(tally: Tally, *, see: str, priced: PriceTable | None = None) -> None:
    """The items with their scores, what they come to together, and what has to be said beside them.

    `see` is the command that shows the run, `priced` the prices it was given; None for those of the project.
    """
    if tally.outcomes.candidates:
        print_comparisons(tally, see=see)
        tally.outcomes.print()
        tally.outcomes.print_candidates()
    else:
        print_items(tally, see=see)
        tally.aspects.print()
    coverages = tally.coverage.coverages
    print_coverage(coverages)
    warn_of_missing(coverages)
    tally.stages.print()
    tally.prompts.print(priced or prices())
    for line in tally.shortfall.lines():
        out(f"{line}; {see} --json says which")
    if tally.note:
        out(f"\n{tally.note}")


def print_items(tally: Tally, *, see: str = "") -> None:
    """A line an item: its scores, and the rounds of its debates. `see` is the command that shows the run, if one does."""
    shown: dict[str, list[Row]] = {}
    for row in tally.first.rows:
        shown.setdefault(row["id"], []).append(row)
    aspects = list(tally.aspects.names)
    lines = [[name, *_scores(of_item, aspects), _rounds(of_item)] for name, of_item in shown.items()]
    table("Verdicts", ["item", *aspects, "rounds"], lines, numeric=[*aspects, "rounds"])
    if any(_unsettled(row) for of_item in shown.values() for row in of_item):
        out("* not settled: the debate ended without agreement")
    if tally.items > len(shown):
        all_of_them = f"; {see} --json prints all of them" if see else ""
        out(f"... and {number(tally.items - len(shown), 'more item')}{all_of_them}")


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


def _where(store: str) -> str:
    return "" if store == STORE else f" --store {_word(shown(store))}"


def _word(text: str) -> str:
    """A word of a command line that can be copied into a shell."""
    return shlex.quote(visible(text))
