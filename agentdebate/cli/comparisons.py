"""The tables of a run that compares texts: a line a comparison, a line an aspect, a line a candidate."""

from collections.abc import Mapping
from statistics import fmean
from typing import Any

from agentdebate.cli.console import number, out, table
from agentdebate.cli.rows import MOST, Rows, candidate_names

TIE = "tie"
FAILED = "failed"


def winner_of(row: Mapping[str, Any]) -> str:
    """The field of the best candidate; "tie" where several are equally good, "failed" where there is no verdict."""
    if row["failure"]:
        return FAILED
    return row["winner"] or TIE


def print_comparisons(rows: Rows, *, see: str, most: int = MOST) -> None:
    """A line a comparison: each candidate's score, the winner, and whether all orders or samples came to the same.

    `see` is the command that shows the run.
    """
    candidates = candidate_names(rows)
    with_aspect, with_agreed = len(_abouts(rows)) > 1, _agreeable(rows)
    head = ["item", *(["aspect"] if with_aspect else []), *candidates, "winner"]
    lines: list[list[object]] = [
        [
            row["id"],
            *([_about(row)] if with_aspect else []),
            *(score_of(row, name) for name in candidates),
            winner_of(row),
            *([row["agreed"]] if with_agreed else []),
        ]
        for row in rows[:most]
    ]
    head += ["agreed"] if with_agreed else []
    table("Verdicts", head, lines, numeric=candidates, whole=[*candidates, "winner"])
    _say_what_is_shown(rows[:most], with_agreed=with_agreed)
    if len(rows) > most:
        out(f"... and {number(len(rows) - most, 'more comparison')}; {see} --json prints all of them")


def print_outcomes(rows: Rows) -> None:
    """A line an aspect: verdicts and failures, and how many of the verdicts have a winner, are ties, and agreed."""
    with_agreed, with_people = _agreeable(rows), any(peoples_best(row) for row in rows)
    lines: list[list[object]] = []
    for about in _abouts(rows):
        judged = [row for row in rows if _about(row) == about and not row["failure"]]
        failures = sum(_about(row) == about for row in rows) - len(judged)
        ties = sum(winner_of(row) == TIE for row in judged)
        agreed = f"{sum(row['agreed'] is True for row in judged)} of {len(judged)}"
        ends = [*([agreed] * with_agreed), *([_with_people(judged)] * with_people)]
        lines.append([about, len(judged), failures, len(judged) - ties, ties, *ends])
    more = [*(["agreed"] * with_agreed), *(["with people"] * with_people)]
    head = ["aspect", "verdicts", "failures", "won", "ties", *more]
    out()
    table("Outcomes", head, lines, numeric=head[1:])
    if with_people:
        out(
            "with people: how often the winner is the text that people found best, a tie being a winner of its own"
        )


def print_candidates(rows: Rows) -> None:
    """A line a candidate and aspect: how often it won, and the scores that it got in how many verdicts."""
    lines: list[list[object]] = []
    for about in _abouts(rows):
        judged = [row for row in rows if _about(row) == about]
        wins = [winner_of(row) for row in judged]
        for candidate in candidate_names(judged):
            scores = [score for row in judged if (score := score_of(row, candidate)) is not None]
            figures = [f"{fmean(scores):.3f}", min(scores), max(scores)] if scores else ["", "", ""]
            lines.append([about, candidate, wins.count(candidate), *figures, len(scores)])
    head = ["aspect", "candidate", "wins", "mean", "lowest", "highest", "n"]
    out()
    table("Candidates", head, lines, numeric=head[2:], whole=["candidate"])
    out("mean, lowest and highest: of the n verdicts with a score of the candidate")


def peoples_best(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The candidates that people's scores put first: one, or all that tie; none where people did not score them all."""
    scores = {
        name: sum(row["human"].get(f"{aspect}.{name}") or 0.0 for aspect in row["aspects"])
        for name in row["candidates"]
        if any(row["human"].get(f"{aspect}.{name}") is not None for aspect in row["aspects"])
    }
    if not scores or len(scores) < len(row["candidates"]):
        return ()
    return tuple(name for name, score in scores.items() if score == max(scores.values()))


def _with_people(judged: Rows) -> str:
    """How often the winners are people's, of how many verdicts that people have judged too."""
    both = [(set(best), set(row["winners"])) for row in judged if (best := peoples_best(row))]
    return f"{sum(best == won for best, won in both)} of {len(both)}"


def score_of(row: Mapping[str, Any], candidate: str) -> float | None:
    """A candidate's score, summed over the aspects that were judged together; None where it has none."""
    names = [f"{aspect}.{candidate}" for aspect in row["aspects"]]
    return sum(row["scores"][name] for name in names) if names[0] in row["scores"] else None


def _say_what_is_shown(rows: Rows, *, with_agreed: bool) -> None:
    if any(len(row["aspects"]) > 1 for row in rows):
        out("a score is the sum over the aspects that were judged together")
    if with_agreed:
        out("agreed: whether every order or sample came to the same winner")


def _about(row: Mapping[str, Any]) -> str:
    return "+".join(row["aspects"])


def _abouts(rows: Rows) -> list[str]:
    """What the debates are about, one aspect or several together, in the order in which they come."""
    return list(dict.fromkeys(_about(row) for row in rows))


def _agreeable(rows: Rows) -> bool:
    """Whether anything was asked several times, so that the answers could agree."""
    return any(row["agreed"] is not None for row in rows)
