"""What can be said of a run: whether it has ended, is being worked on, or was stopped."""

from pathlib import Path

from agentdebate.store.crew import Crew
from agentdebate.store.lock import is_held, state
from agentdebate.store.reader import Reader


def state_of(reader: Reader, store: str | Path, run: str, crew: Crew | None = None) -> str:
    """`ended`, `running` or `stopped`; of a run of a queue also `queued` or `stopping`. `running, or stopped` where nobody knows.

    `crew` is that of the run, where it is at hand.
    """
    ended = reader.ended(run)
    crew = None if ended else crew or reader.crew(run)
    if crew is None or not crew.entered:
        return state(store, run, ended=ended)
    return crew.state


def is_over(reader: Reader, store: str | Path, run: str) -> bool | None:
    """Whether nobody is at work on a run, or will be without being told; None where that cannot be known."""
    crew = None if reader.ended(run) else reader.crew(run)
    if crew is not None and crew.entered:
        return crew.state == "stopped"
    held = is_held(store, run)
    return None if held is None else not held
