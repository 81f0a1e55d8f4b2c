"""The page of all runs."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.store.debate_list import ScoreMeans
from agentdebate.store.run_head import RunHead
from agentdebate.viewer.shelf import GOES_ON, GOING_ON, Shelf
from agentdebate.visible import visible

PAGE = 25
"""Rows of a page."""


@dataclass(frozen=True)
class RunLine:
    """A run, in a line of the table."""

    head: RunHead
    state: str
    resume: str
    """The command that goes on with it; empty where it has ended or is running."""
    outcomes: OutcomeCounts
    planned: int | None
    """Number of debates that it is to have, where known."""
    means: tuple[ScoreMeans, ...] = ()
    """Means of its scores; empty where it was not asked for."""
    costs: Mapping[str, float | None] | None = None
    """Calls, tokens, money and seconds; None where it was not asked for."""
    going_on: tuple[str, ...] = ()
    """Debates that have been begun and have not ended, of a run that may grow."""

    @property
    def models(self) -> tuple[str, ...]:
        """The models of its agents."""
        return self.head.models

    @property
    def cell(self) -> Mapping[str, str]:
        """Cell of a sweep, and the kind, where that is a control; empty where it belongs to none."""
        return self.head.sweep

    @property
    def goes_on(self) -> bool:
        """True where it may grow."""
        return self.state in GOES_ON


@dataclass(frozen=True)
class RunsPage:
    """All runs of a store, the newest first, a page of them."""

    rows: tuple[tuple[RunLine, ...], ...]
    """A run each, or the runs of a sweep in the order in which they were begun: a control stands behind its cell."""
    damaged: tuple[str, ...]
    """The names of runs that cannot be read."""
    total: int
    page: int
    pages: int


def runs_page(shelf: Shelf, page: int = 1) -> RunsPage:
    """The page of all runs."""
    listed = shelf.reader().listed()[::-1]
    heads = [one for one in listed if isinstance(one, RunHead)]
    damaged = tuple(one for one in listed if isinstance(one, str))
    groups: dict[str, list[RunHead]] = {}
    for head in heads:
        groups.setdefault(head.sweep.get("name", head.id), []).insert(0, head)
    some = list(groups.values())[(page - 1) * PAGE : page * PAGE]
    rows = tuple(tuple(run_line(shelf, head, sums=True) for head in group) for group in some)
    return RunsPage(rows, damaged, len(groups), page, max(-(-len(groups) // PAGE), 1))


def run_line(shelf: Shelf, head: RunHead, *, sums: bool = False) -> RunLine:
    """A run in a line; with `sums`, what its debates come to and what they took."""
    state, debates = shelf.state(head.id), shelf.debates(head.id)
    return RunLine(
        head=head,
        state=state,
        resume="" if state == "ended" or state in GOES_ON else resume_command(shelf, head),
        outcomes=OutcomeCounts(head.outcomes),
        planned=head.configuration.get("debates"),
        means=shelf.kept("means", head, "", lambda: tuple(debates.means())) if sums else (),
        costs=shelf.kept("sums", head, "", debates.sums) if sums else None,
        going_on=tuple(shelf.reader().going_on(head.id)[:GOING_ON]) if state in GOES_ON else (),
    )


def resume_command(shelf: Shelf, head: RunHead, *more: str) -> str:
    """The command that goes on with a run; of one that was begun in Python, the call."""
    queued = shelf.reader().crew(head.id) is not None
    if not head.configuration.get("command"):
        how = f"work({head.id!r}, ..." if queued else f"evaluate(..., resume={head.id!r}"
        return f"{how}{', retry_failed=True' if more else ''})"
    verb = "work" if queued else "resume"
    return " ".join(
        ["agentdebate", verb, *(shlex.quote(visible(word)) for word in (head.id, *shelf.where)), *more]
    )
