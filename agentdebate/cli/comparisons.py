"""The table of a run that compares texts: a line a comparison."""

from agentdebate.cli.console import number, out, table
from agentdebate.cli.outcomes import score_of, winner_of
from agentdebate.cli.rows import Rows
from agentdebate.cli.tally import Tally
from agentdebate.meta.judged_rows import about_of


def print_comparisons(tally: Tally, *, see: str) -> None:
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
    table("Verdicts", head, lines, numeric=candidates, whole=[*candidates, "winner"])
    _say_what_is_shown(rows, with_agreed=with_agreed)
    if tally.rows > most:
        out(f"... and {number(tally.rows - most, 'more comparison')}; {see} --json prints all of them")


def _say_what_is_shown(rows: Rows, *, with_agreed: bool) -> None:
    if any(len(row["aspects"]) > 1 for row in rows):
        out("a score is the sum over the aspects that were judged together")
    if with_agreed:
        out("agreed: whether every order or sample came to the same winner")
