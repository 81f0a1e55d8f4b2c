"""What the verdicts of a run come to, aspect by aspect."""

from dataclasses import dataclass, field

from agentdebate.cli.console import out, table
from agentdebate.cli.places import Names, Place
from agentdebate.cli.rows import Row
from agentdebate.cli.spread import Spread


@dataclass
class _Aspect:
    failures: int = 0
    settled: int = 0
    scores: Spread = field(default_factory=Spread)
    people: Spread = field(default_factory=Spread)


class AspectTable:
    """Counts verdicts and failures, and adds up scores."""

    def __init__(self) -> None:
        self.names = Names()
        """The aspects, in the order of the run."""
        self._aspects: dict[str, _Aspect] = {}
        self._with_people = False

    def __repr__(self) -> str:
        return f"<AspectTable of {list(self.names)}>"

    def take(self, row: Row, place: Place) -> None:
        """Take in a row."""
        self.names.note(row["aspects"], place)
        self._with_people = self._with_people or any(score is not None for score in row["human"].values())
        for name in row["aspects"]:
            self._count(self._aspects.setdefault(name, _Aspect()), name, row)

    def print(self) -> None:
        """Print a line an aspect: how many verdicts and failures, their mean, how many settled, and what people said."""
        head = ["aspect", "verdicts", "failures", "mean", "lowest", "highest", "settled", "people", "n"]
        lines = [_line(name, self._aspects[name]) for name in self.names]
        if not self._with_people:
            head, lines = head[:-2], [line[:-2] for line in lines]
        out()
        table("Aspects", head, lines, numeric=head[1:])
        if self._with_people:
            out("people: the mean of people's scores of the n judged items that have one")

    @staticmethod
    def _count(aspect: _Aspect, name: str, row: Row) -> None:
        aspect.failures += bool(row["failure"])
        if name not in row["scores"]:
            return
        aspect.scores.add(row["scores"][name])
        aspect.settled += bool(row["settled"])
        human = row["human"].get(name)
        if human is not None:
            aspect.people.add(human)


def _line(name: str, aspect: _Aspect) -> list[object]:
    judged, people = aspect.scores.count, aspect.people
    settled = f"{aspect.settled} of {judged}"
    of_people = [people.cells()[0], people.count]
    return [name, judged, aspect.failures, *aspect.scores.cells(), settled, *of_people]
