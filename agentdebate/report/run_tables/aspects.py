"""What the verdicts of a run come to, aspect by aspect."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agentdebate.debates.outcome import VERDICT, OutcomeCounts, outcome_of
from agentdebate.report.run_tables.places import Names, Place
from agentdebate.report.run_tables.rows import Row
from agentdebate.report.run_tables.spread import Spread
from agentdebate.report.text_table import Block, TextTable


@dataclass
class _Aspect:
    ended: OutcomeCounts = field(default_factory=OutcomeCounts)
    settled: int = 0
    scores: Spread = field(default_factory=Spread)
    people: Spread = field(default_factory=Spread)


class AspectTable:
    """Counts verdicts and failures, and adds up scores."""

    def __init__(self) -> None:
        self.names = Names()
        """The aspects, in the order of the run."""
        self._aspects = defaultdict[str, _Aspect](_Aspect)
        self._with_people = False

    def __repr__(self) -> str:
        return f"<AspectTable of {list(self.names)}>"

    def take(self, row: Row, place: Place) -> None:
        """Take in a row."""
        self.names.note(row["aspects"], place)
        self._with_people = self._with_people or any(score is not None for score in row["human"].values())
        for name in row["aspects"]:
            self._count(self._aspects[name], name, row)

    def blocks(self) -> Iterator[Block]:
        """A line an aspect: how its debates ended, the scores' mean, how many settled, and what people said."""
        without = self._without()
        ends = [VERDICT.noun, *without]
        figures = ["mean", "lowest", "highest", "settled", "people", "n"]
        head = ["aspect", *(f"{noun}s" for noun in ends), *figures]
        lines = [_line(name, self._aspects[name], without) for name in self.names]
        if not self._with_people:
            head, lines = head[:-2], [line[:-2] for line in lines]
        yield ""
        yield TextTable("Aspects", head, lines, numeric=head[1:])
        if self._with_people:
            yield "people: the mean of people's scores of the n judged items that have one"

    def _without(self) -> list[str]:
        """In which ways debates ended without a judgement: failures, and whatever else occurred."""
        every = (one.noun for aspect in self._aspects.values() for one, _ in aspect.ended.without)
        return list(dict.fromkeys(every))

    @staticmethod
    def _count(aspect: _Aspect, name: str, row: Row) -> None:
        aspect.ended.add(outcome_of(row))
        if name not in row["scores"]:
            return
        aspect.scores.add(row["scores"][name])
        aspect.settled += bool(row["settled"])
        human = row["human"].get(name)
        if human is not None:
            aspect.people.add(human)


def _line(name: str, aspect: _Aspect, without: Sequence[str]) -> list[object]:
    judged, people = aspect.scores.count, aspect.people
    counts = {one.noun: count for one, count in aspect.ended.without}
    settled = f"{aspect.settled} of {judged}"
    of_people = [people.cells()[0], people.count]
    ends = [counts.get(noun, 0) for noun in without]
    return [name, judged, *ends, *aspect.scores.cells(), settled, *of_people]
