"""Who works on a run, in words: how many, how fast, and what they lost."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from agentdebate.meta.prose import number_of
from agentdebate.report.text_table import Block, TextTable
from agentdebate.runs.progress_line import duration
from agentdebate.store.crew import Crew


def workers_in_words(crew: Crew) -> str:
    """How many workers a run has, how fast they are together, and how many leases were lost."""
    lost = [f"{number_of(crew.lost, 'lease')} lost"] if crew.lost else []
    working = [str(len(crew.working)), f"{crew.rate:.1f}/s"] if crew.working else []
    return ", ".join(working + lost)


def crew_record(crew: Crew) -> dict[str, Any]:
    """The queue of a run and its workers, for JSON."""
    workers = [{**asdict(one), "rate": one.rate} for one in crew.workers]
    together = {"left": crew.left, "held": crew.held, "rate": crew.rate, "lost": crew.lost}
    return {"state": crew.state, **together, "workers": workers}


def crew_blocks(crew: Crew) -> Iterator[Block]:
    """A line on the queue, and a line a worker."""
    yield (
        f"queue: {number_of(crew.left, 'debate')} left, {crew.held} of them held by {number_of(len(crew.working), 'worker')}"
        f", {number_of(crew.lost, 'lease')} lost"
    )
    lines = [
        [one.name, one.state, one.debates, f"{one.rate:.1f}", one.held, one.lost, duration(one.seconds), f"{one.seen:.0f} s ago"]
        for one in crew.workers
    ]  # fmt: skip
    if lines:
        head = ["worker", "state", "debates", "a second", "held", "lost", "worked", "seen"]
        yield TextTable("Workers", head, lines, numeric=head[2:6])
