"""Which debates of a run a name means."""

from agentdebate.errors import UsageError, nearest
from agentdebate.store.reader import Reader
from agentdebate.visible import shortened

FEW = 5
"""Debates that an error message names as examples."""

COMPARED = 5000
"""Debates whose names are compared with one that is not there."""


def named(reader: Reader, run: str, name: str) -> list[str]:
    """The debate of that name, or all debates about the item of that name. Raises UsageError."""
    found = begun(reader, run, name)
    if not found:
        raise UsageError(f"run {run} has no debate or item {name!r}. {_instead(reader, run, name)}".strip())
    return found


def begun(reader: Reader, run: str, name: str) -> list[str]:
    """The debates that a name means so far."""
    return [name] if reader.has(run, name) else reader.debates(run, item=name)


def _instead(reader: Reader, run: str, name: str) -> str:
    """What the user may have meant: of a large run the first debates are looked at, for comparing takes its time."""
    known = reader.debates(run, most=COMPARED)
    hint = nearest(name, [*known, *(debate.rpartition("/")[0] for debate in known)])
    if not hint.startswith("Known"):
        return hint
    number = f"{len(known)} debate{'' if len(known) == 1 else 's'}"
    count = number if len(known) < COMPARED else f"{COMPARED} debates and more"
    return (
        f"It has {count}, such as {', '.join(shortened(one, 100) for one in known[:FEW])}." if known else ""
    )
