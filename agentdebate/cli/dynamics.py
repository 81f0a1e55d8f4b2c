"""agentdebate dynamics: what talk did in the debates of a run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.console import number, offline_note, one_line, out, out_json, table
from agentdebate.cli.options import STORE, Json, StorePath
from agentdebate.cli.run_coverage import nothing_judged, print_coverage, warn_of_missing
from agentdebate.errors import UsageError
from agentdebate.meta.coverage import coverage
from agentdebate.meta.dynamics import Dynamics
from agentdebate.meta.dynamics import dynamics as count
from agentdebate.meta.flips import WITHIN
from agentdebate.meta.judged_rows import judged
from agentdebate.meta.talks import Talks, talks_of
from agentdebate.report.coverage_table import coverage_record
from agentdebate.store.reader import LAST, read_store

NONE = "-"
"""What stands in the place of a figure that there is not."""

Line = Mapping[str, Any]


def dynamics(
    run: str = LAST,
    /,
    *,
    within: Annotated[
        float, Parameter(help="A score is right where it is at most so many points from people's.")
    ] = WITHIN,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Count what happened in the debates of a run: who moved, which way, after hearing whom, and where it led.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    if not within >= 0:
        raise UsageError(f"--within is 0 or more points of the scale, not {within:g}")
    with read_store(store) as reader:
        head = reader.run(run)
        found = talks_of(reader, head)
        rows = list(reader.rows(head.id))
    note = offline_note(name for row in rows for name in row["models"])
    coverages = [coverage(one) for one in judged(rows, head.strategy)]
    warn_of_missing(coverages)
    counted = count(found.talks, within=within)
    code = 1 if nothing_judged(coverages) else 0
    if as_json:
        covered = [coverage_record(one) for one in coverages]
        ended = {f"debates_{one.cell}": count for one, count in found.ended.without}
        left = {**ended, "debates_not_ended": found.not_ended}
        out_json(
            {
                "run": head.id,
                "strategy": head.strategy,
                **left,
                "coverage": covered,
                **counted.row(),
                "note": note,
            }
        )
        return code
    _print(f"run {head.id}, strategy {head.strategy}", found, counted)
    print_coverage(coverages)
    if note:
        out(f"\n{note}")
    return code


def _print(title: str, found: Talks, counted: Dynamics) -> None:
    out(
        f"{one_line(title)}: {number(counted.debates, 'debate')} with a verdict; in {counted.with_moves} an agent cast more than one "
        f"ballot, of {counted.with_people} people's word is known"
    )
    without = [(count_, one.cell) for one, count_ in found.ended.without]
    for count_, what in (*without, (found.not_ended, "not ended")):
        if count_:
            out(f"{number(count_, 'debate')} {what}, and in no figure")
    for show in (_movement, _influence, _flips, _convergence, _pull, _wordiness):
        show(counted)


def _movement(counted: Dynamics) -> None:
    _table(
        "Moves",
        counted.movement,
        {
            "about": "about",
            "agent": "agent",
            "n": "n",
            "moved": lambda one: _share(one["moved"], one["n"]),
            "up": lambda one: _count(one["up"]),
            "down": lambda one: _count(one["down"]),
            "mean change": lambda one: _points(one["mean_change"], sign=True),
            "mean step": lambda one: _points(one["mean_step"]),
        },
        "n: from a ballot of an agent to its next one; mean change over all n, mean step over those that moved, in points",
        "No agent cast two ballots in a debate, so none can be seen to move.",
    )


def _influence(counted: Dynamics) -> None:
    _table(
        "Who moves whom",
        counted.influence,
        {
            "about": "about",
            "speaker": "speaker",
            "listener": "listener",
            "n": "n",
            "moved": lambda one: _share(one["moved"], one["n"]),
            "apart": "apart",
            "toward": lambda one: _share(one["toward"], one["apart"]),
            "reached": lambda one: _share(one["reached"], one["apart"]),
            "away": lambda one: _share(one["away"], one["apart"]),
        },
        "n: two ballots of the listener, with the speaker heard in between; apart: those in which the speaker had cast a "
        "ballot that said something else; toward it, reached it, away from it: of those",
    )


def _flips(counted: Dynamics) -> None:
    _table(
        "Right and wrong",
        counted.flips,
        {
            "about": "about",
            "of": "unit",
            "n": "n",
            "changed": "changed",
            "to right": "wrong_to_right",
            "to wrong": "right_to_wrong",
            "stayed right": "stayed_right",
            "stayed wrong": "stayed_wrong",
            "nearer": lambda one: _count(one["nearer"]),
            "farther": lambda one: _count(one["farther"]),
        },
        f"right: a choice that is people's, a score at most {counted.within:g} points from people's; nearer to it or farther; "
        "ballots: from one to the agent's next; debates: from the vote of the ballots before any talk to the verdict",
    )


def _convergence(counted: Dynamics) -> None:
    _table(
        "Convergence",
        counted.convergence,
        {
            "about": "about",
            "round": "round",
            "n": "n",
            "ballots": "ballots",
            "spread": lambda one: _points(one["spread"]),
            "deviation": lambda one: _points(one["deviation"]),
            "agreed": lambda one: _share(one["agreed"], one["n"]),
        },
        "n: casts with at least two ballots in the round; spread: highest less lowest, in points; deviation: population "
        "standard deviation; means over n; agreed: all the same",
    )


def _pull(counted: Dynamics) -> None:
    _table(
        "Pull by place in the speaking order",
        counted.pull,
        {
            "about": "about",
            "place": "place",
            "n": "n",
            "toward": lambda one: _share(one["toward"], one["n"]),
            "closed": lambda one: _points(one["closed"], sign=True),
            "verdicts": "verdicts",
            "equal": lambda one: _share(one["equal"], one["verdicts"]),
            "distance": lambda one: _points(one["distance"]),
        },
        "n: other agents that began elsewhere than the one at this place, heard it, and cast a ballot after that; toward: "
        "ended nearer to where it began; closed: the mean share of the distance, from -1 to 1; equal, distance: the verdict "
        "and that first ballot",
    )


def _wordiness(counted: Dynamics) -> None:
    _table(
        "Length against score",
        counted.wordiness,
        {
            "about": "about",
            "words of": "what",
            "n": "n",
            "mean words": lambda one: f"{one['words']:.1f}",
            "pearson": lambda one: _points(one["pearson"], sign=True),
            "spearman": lambda one: _points(one["spearman"], sign=True),
        },
        "replies: those that carry a ballot, and its score; texts: what is judged, and the verdict's score; pooled",
    )


def _table(
    title: str,
    found: Sequence[Any],
    columns: Mapping[str, str | Callable[[Line], object]],
    legend: str,
    without: str = "",
) -> None:
    """A table with what its columns mean beneath it; where there is nothing, a line that says why, if there is one.

    A column is one figure of a line, by its name, or made of several.
    """
    out()
    if not found:
        out(without or f"{title}: nothing to count")
        return
    figures = [asdict(one) for one in found]
    lines = [
        [one[show] if isinstance(show, str) else show(one) for show in columns.values()] for one in figures
    ]
    texts = ("about", "agent", "speaker", "listener", "of", "words of")
    table(title, list(columns), lines, numeric=[name for name in columns if name not in texts])
    out(legend)


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.0%})" if whole else NONE


def _count(value: int | None) -> object:
    return NONE if value is None else value


def _points(value: float | None, *, sign: bool = False) -> str:
    return NONE if value is None else f"{value:{'+' if sign else ''}.3f}"
