"""Mean, lowest and highest of numbers that come one after the other."""

from fractions import Fraction


class Spread:
    """Counts and adds up numbers. The sum is exact, so that no mean depends on the order in which they come."""

    def __init__(self) -> None:
        self.count = 0
        self._total = Fraction()
        self._ends: tuple[float, float] | None = None

    def __repr__(self) -> str:
        return f"<Spread of {self.count} numbers>"

    def add(self, value: float) -> None:
        """Take in a number."""
        self.count += 1
        self._total += Fraction(value)
        low, high = self._ends or (value, value)
        self._ends = min(low, value), max(high, value)

    @property
    def total(self) -> float:
        """The sum."""
        return float(self._total)

    @property
    def mean(self) -> float:
        """The mean. Raises ZeroDivisionError where there is none."""
        return self.total / self.count

    def cells(self) -> list[object]:
        """Mean, lowest and highest, as tables show them."""
        return [f"{self.mean:.3f}", *self._ends] if self._ends else ["", "", ""]
