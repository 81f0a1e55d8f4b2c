"""The table of a run that compares texts: a line a comparison."""

from collections.abc import Iterator

from agentdebate.meta.prose import number_of
from agentdebate.meta.run_rows import about_of
from agentdebate.report.run_tables.outcomes import score_of, winner_of
from agentdebate.report.run_tables.rows import Rows
from agentdebate.report.run_tables.tally import Tally
from agentdebate.report.text_table import Block, TextTable


def comparison_blocks(tally: Tally, *, see: str) -> Iterator[Block]:
    """A line a comparison: each candidate's score, the winner, and whether all orders or samples came to the same.

    `see` is the command that shows the run.
    """
    outcomes, most = tally.outcomes, tally.first.most
    candidates, rows = list(outcomes.candidates), tally.first.rows[:most]
    with_aspect, with_agreed = len(outcomes.abouts) > 1, outcomes.agreeable
    head = ["item", *(["aspect"] if with_aspect else []), *candidates, "winner"]
    lines: list[list[object]] = [
        [
            row["id"],
            *([about_of(row)] if with_aspect else []),
            *(score_of(row, name) for name in candidates),
            winner_of(row),
            *([row["agreed"]] if with_agreed else []),
        ]
        for row in rows
    ]
    head += ["agreed"] if with_agreed else []
    yield TextTable("Verdicts", head, lines, numeric=candidates, whole=[*candidates, "winner"])
    yield from _what_is_shown(rows, with_agreed=with_agreed)
    if tally.rows > most:
        yield f"... and {number_of(tally.rows - most, 'more comparison')}; {see} prints all of them"


def _what_is_shown(rows: Rows, *, with_agreed: bool) -> Iterator[str]:
    if any(len(row["aspects"]) > 1 for row in rows):
        yield "a score is the sum over the aspects that were judged together"
    if with_agreed:
        yield "agreed: whether every order or sample came to the same winner"
