"""The page of all runs."""

import hashlib
import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.store.debate_list import ScoreMeans
from agentdebate.store.reader import RunHead
from agentdebate.viewer.live import run_mark
from agentdebate.viewer.shelf import GOES_ON, GOING_ON, Shelf
from agentdebate.visible import visible

PAGE = 25
"""Runs of a page."""
_NO_RESUME = frozenset({"ended", "running", "queued", "stopping"})
_PATIENCE = 0.06
"""Seconds after which what is not known yet of the runs further down waits for the next time that the page is asked for."""


@dataclass(frozen=True)
class RunSums:
    """What all debates of a run come to together."""

    means: tuple[ScoreMeans, ...]
    costs: Mapping[str, float | None]
    """Calls, tokens, money and seconds; empty where nobody asked."""


@dataclass(frozen=True)
class RunLine:
    """A run, in a line of the table."""

    head: RunHead
    state: str
    resume: str
    """The command that goes on with it; empty where it has ended or is running."""
    outcomes: OutcomeCounts
    planned: int | None
    """How many debates it is to have, where that is known."""
    models: tuple[str, ...]
    sums: RunSums | None
    """None where nobody asked, or there was no time to find it out."""
    going_on: tuple[str, ...] = ()
    """Debates that have been begun and have not ended, of a run that may grow."""

    @property
    def goes_on(self) -> bool:
        """Whether it may grow."""
        return self.state in GOES_ON

    @property
    def mark(self) -> str:
        """What a page of it has seen."""
        return run_mark(self.state, self.head.ended_debates, len(self.going_on))


@dataclass(frozen=True)
class RunsPage:
    """All runs of a store, the newest first, a page of them."""

    lines: tuple[RunLine, ...]
    damaged: tuple[str, ...]
    """The names of runs that cannot be read."""
    total: int
    page: int
    pages: int

    @property
    def mark(self) -> str:
        """What the page has seen: another one where a run has begun, ended or changed its state, or a debate has ended."""
        seen = "".join(f"{one.head.id} {one.mark} {one.head.failures}\n" for one in self.lines)
        return hashlib.blake2b(f"{self.total}\n{seen}".encode(), digest_size=8).hexdigest()


def runs_page(shelf: Shelf, page: int = 1, *, sums: bool = True) -> RunsPage:
    """The page of all runs; without means, agreement and costs where `sums` is false."""
    listed = shelf.reader().listed()[::-1]
    heads = [one for one in listed if isinstance(one, RunHead)]
    damaged = tuple(one for one in listed if isinstance(one, str))
    until = time.monotonic() + _PATIENCE
    some = islice(heads, (page - 1) * PAGE, page * PAGE)
    lines = tuple(
        run_line(shelf, head, sums=sums and (number == 0 or time.monotonic() < until), costs=True)
        for number, head in enumerate(some)
    )
    return RunsPage(lines, damaged, len(heads), page, max(-(-len(heads) // PAGE), 1))


def run_line(shelf: Shelf, head: RunHead, *, sums: bool = False, costs: bool = False) -> RunLine:
    """What is told of a run in a line; with `sums`, what its debates come to, which takes longest, and with `costs` what they took."""
    state = shelf.state(head.id)
    return RunLine(
        head=head,
        state=state,
        resume="" if state in _NO_RESUME else resume_command(shelf, head),
        outcomes=OutcomeCounts(head.outcomes),
        planned=head.configuration.get("debates"),
        models=head.models,
        sums=run_sums(shelf, head, costs=costs) if sums else None,
        going_on=tuple(shelf.reader().going_on(head.id)[:GOING_ON]) if state in GOES_ON else (),
    )


def run_sums(shelf: Shelf, head: RunHead, *, costs: bool = False) -> RunSums:
    """What all debates of a run come to; it is found out again when a further one has ended."""
    means = shelf.kept("means", head, "", lambda: tuple(shelf.debates(head.id).means()))
    return RunSums(means, shelf.kept("sums", head, "", shelf.debates(head.id).sums) if costs else {})


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
