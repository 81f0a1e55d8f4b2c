"""Lookup of runs: those of a sweep, and those that a user names."""

from collections.abc import Iterable

from agentdebate.errors import UsageError
from agentdebate.store.reader import Reader, RunHead
from agentdebate.studies.cells import mark_of

PREFIX = "sweep-"
"""Prefix of a sweep's name."""


def runs_named(reader: Reader, texts: Iterable[str]) -> list[tuple[str, RunHead]]:
    """Runs with what they are called: RUN, LABEL=RUN, or a sweep's name for all of its runs. Raises UsageError."""
    found: list[tuple[str, RunHead]] = []
    for text in texts:
        name, equals, run = text.rpartition("=")
        if run.startswith(PREFIX):
            found += [(mark_of(head)["cell"], head) for head in sweep(reader, run)]
        else:
            head = reader.run(run)
            found.append((name if equals else head.id, head))
    return found


def sweep(reader: Reader, name: str) -> list[RunHead]:
    """The runs of a sweep, the newest of each cell. Raises UsageError where there is none."""
    marked = [head for head in reader.runs() if mark_of(head).get("name") == name]
    if not marked:
        known = sorted({str(mark_of(head)["name"]) for head in reader.runs() if mark_of(head)})
        raise UsageError(f"there is no sweep {name!r} in the store; it has {', '.join(known) or 'none'}")
    latest = {mark_of(head)["cell"]: head for head in marked}
    return list(latest.values())
