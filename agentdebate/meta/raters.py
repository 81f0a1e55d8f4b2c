"""Who rated texts one by one, and how much of the data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Raters:
    """Who rated, and how much of the data."""

    kind: str
    """What they are: "expert", "turker", "annotator"."""
    count: int
    """How many ratings a text has, those that have another number being left out."""
    named: bool
    """Whether each of them has a field of their own, so that they are the same throughout."""
    texts: int
    """How many texts there are."""
    rated: int
    """How many of them have single ratings."""
    systems: int = 0
    """How many systems the texts are by; 0 or 1 where that is not known."""
    rated_systems: int = 0
    """How many of them have rated texts."""
    other: str = ""
    """Whose scores judges are compared with, where that is not theirs: "expert"."""
