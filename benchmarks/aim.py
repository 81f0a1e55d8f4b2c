"""An aim, the figure that was measured, and whether it is met."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Aim:
    """A bound on a figure."""

    what: str
    figure: float | None
    """None where it was not measured."""
    bound: float
    least: bool = False
    """Whether the figure is to be at least the bound, and not at most."""
    unit: str = ""
    digits: int = 2

    @property
    def word(self) -> str:
        """Met, not met, or not measured."""
        if self.figure is None:
            return "not measured"
        met = self.figure >= self.bound if self.least else self.figure <= self.bound
        return "met" if met else "not met"

    def cells(self) -> tuple[str, str, str, str]:
        """The cells of a row: the aim, the bound, the figure, met or not."""
        bound = f"at {'least' if self.least else 'most'} {self.bound:,g}{self.unit}"
        figure = "" if self.figure is None else f"{self.figure:,.{self.digits}f}{self.unit}"
        return self.what, bound, figure, self.word


def aims_table(aims: Iterable[Aim]) -> list[str]:
    """The lines of a table of aims."""
    return table(("aim", "bound", "figure", ""), (aim.cells() for aim in aims))


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """The lines of a Markdown table."""
    names = list(head)
    lines = [names, ["---"] * len(names), *(list(row) for row in rows)]
    return ["| " + " | ".join(cells) + " |" for cells in lines]
