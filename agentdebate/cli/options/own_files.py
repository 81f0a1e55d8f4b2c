"""The files that a command writes, each of which has to be one of its own."""

from pathlib import Path

from agentdebate.errors import UsageError
from agentdebate.store.place import is_url


def check_own(**files: str | Path | None) -> None:
    """Raise UsageError where two options, by their names, say one file: the one would write over the other."""
    taken: dict[Path, str] = {}
    for name, file in files.items():
        if file is None or is_url(file):
            continue
        option = f"--{name.replace('_', '-')}"
        first = taken.setdefault(Path(file).absolute(), option)
        if first != option:
            raise UsageError(f"{first} and {option} are both {file}: name two files")
