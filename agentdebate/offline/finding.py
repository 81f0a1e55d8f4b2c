"""What one feature found in a text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A feature's value, and the sentences it can argue with; each sentence quotes the text, or is empty.

    `weak` argues that the text is worse than somebody thinks, `strong` that it is better.
    """

    feature: str
    value: float
    """0 is worst, 1 is best."""
    weak: str = ""
    strong: str = ""

    def towards(self, direction: int) -> str:
        """The sentence that argues upwards (1) or downwards (-1)."""
        return self.strong if direction > 0 else self.weak


def ramp(value: float, worst: float, best: float) -> float:
    """`value` on a line from 0 at `worst` to 1 at `best`, and no further. `worst` may be the larger of the two."""
    return min(1.0, max(0.0, (value - worst) / (best - worst)))


def mean(values: list[float]) -> float:
    """The arithmetic mean; a half where there is nothing to tell."""
    return sum(values) / len(values) if values else 0.5
