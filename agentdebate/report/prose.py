"""Lists and counts in sentences."""

from collections.abc import Sequence


def listed(parts: Sequence[str]) -> str:
    """The parts as prose: "a, b and c"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def megabytes(count: int) -> str:
    """A size in bytes in words, with one decimal: 0.3 MB; never nothing."""
    return f"{max(count / 1e6, 0.1):,.1f} MB"


def counted(count: int, noun: str) -> str:
    """A count with its noun: 1 source, 1,600 texts, 2 replies."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("y") else f"{count:,} {noun}s"
