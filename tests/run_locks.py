"""The locks of runs, by their stores."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from agentdebate.store import session
from agentdebate.store.engine import open_database
from agentdebate.store.session import Session


@contextmanager
def hold(store: str | Path, run: str) -> Iterator[None]:
    """Hold the lock of a run."""
    with closing(open_database(store, create=True)) as database, closing(Session(database, run)) as held:
        held.open()
        yield


def is_held(store: str | Path, run: str) -> bool:
    """Tell whether a process holds the lock of a run."""
    with closing(open_database(store, create=True)) as database:
        return session.is_held(database, run)
