"""Two runs debate by debate: what both judged, by how much their scores differ, and what only one of them has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from agentdebate.store._debates import DEBATES, SCORES
from agentdebate.store._runs import ITEMS, RUNS
from agentdebate.store.database import Database

Side = Literal["first", "second"]
Way = Literal["up", "down", "same", "flipped"]


@dataclass(frozen=True, slots=True)
class ScorePair:
    """What two runs gave one debate for one score."""

    debate: str
    first: float
    second: float
    human: float | None

    @property
    def change(self) -> float:
        """The second run's score less the first's."""
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """How the scores of one name differ over all debates that both runs scored."""

    name: str
    n: int
    up: int
    down: int
    mean: float | None
    """The mean of the second less the first."""
    size: float | None
    """The mean of how far they are apart, whichever way."""


_A, _B = SCORES.alias("score_a"), SCORES.alias("score_b")
_DEBATE_A, _DEBATE_B = DEBATES.alias("debate_a"), DEBATES.alias("debate_b")


class RunPairs:
    """Matches the debates of two runs by their ids: the item, and the aspects. Every method raises StoreError."""

    def __init__(self, database: Database, first: str, second: str) -> None:
        self._database = database
        self._runs = tuple(
            database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run)) or -1 for run in (first, second)
        )

    def __repr__(self) -> str:
        return f"<RunPairs of {self._runs}>"

    def only_in(self, side: Side, *, start: int = 0, most: int = 50) -> list[str]:
        """The debates that ended in one of the runs and not in the other."""
        query = self._only_in(side)
        return [
            str(name)
            for name in self._database.scalars(
                query.order_by(query.selected_columns[0]).offset(start).limit(most)
            )
        ]

    def count_alone(self) -> tuple[int, int]:
        """How many debates ended in the first run only, and how many in the second only."""
        here, there = (_DEBATE_B, _DEBATE_A) if self._second_leads else (_DEBATE_A, _DEBATE_B)
        both = sa.select(sa.func.count()).select_from(here.join(there, here.c.id == there.c.id))
        both = both.where(_DEBATE_A.c.run == self._runs[0], _DEBATE_B.c.run == self._runs[1])
        shared = int(self._database.scalar(both))
        first, second = self._sizes
        return first - shared, second - shared

    def scored(self, name: str) -> tuple[int, int]:
        """How many debates have a score of that name, in the first run and in the second."""
        known = SCORES.c.name == name, SCORES.c.score.is_not(None)
        counts = (sa.select(sa.func.count()).where(SCORES.c.run == run, *known) for run in self._runs)
        first, second = map(self._database.scalar, counts)
        return int(first), int(second)

    def changes(self, name: str) -> ScoreChange:
        """How the scores of a name differ."""
        pairs = self._joined(name).subquery()
        change = pairs.c.second - pairs.c.first
        up, down = (sa.func.sum(sa.case((way, 1), else_=0)) for way in (change > 0, change < 0))
        query = sa.select(sa.func.count(), up, down, sa.func.avg(change), sa.func.avg(sa.func.abs(change)))
        n, more, less, mean, size = self._database.rows(query.select_from(pairs))[0]
        return ScoreChange(name, n, more or 0, less or 0, mean, size)

    def pairs(self, name: str, *, way: Way | None = None, start: int = 0, most: int = 50) -> list[ScorePair]:
        """The debates with both scores, those that differ most first; `way` leaves those that went up, down or stayed."""
        pairs = self._joined(name).subquery()
        change = pairs.c.second - pairs.c.first
        query = sa.select(pairs.c.debate, pairs.c.first, pairs.c.second, pairs.c.human)
        wanted = {"up": change > 0, "down": change < 0, "same": change == 0}
        if way in wanted:
            query = query.where(wanted[way])
        query = query.order_by(sa.func.abs(change).desc(), pairs.c.debate).offset(start).limit(most)
        return [ScorePair(*row) for row in self._database.rows(query)]

    def count_flips(self) -> int:
        """How many comparisons of texts have another winner, or other ones, in the second run."""
        return int(self._database.scalar(sa.select(sa.func.count()).select_from(self._flips().subquery())))

    def flips(self, *, start: int = 0, most: int = 50) -> list[tuple[str, str, str]]:
        """These debates, with the winners of both runs as JSON lists."""
        query = self._flips().order_by(_DEBATE_A.c.id).offset(start).limit(most)
        return [(str(name), str(first), str(second)) for name, first, second in self._database.rows(query)]

    def _joined(self, name: str) -> "sa.Select[Any]":
        sides = [(_A, _DEBATE_A), (_B, _DEBATE_B)]
        (one, debate), (other, there) = sides[::-1] if self._second_leads else sides
        same = sa.and_(there.c.run == self._of[there], there.c.id == debate.c.id)
        source = one.join(debate, debate.c.number == one.c.debate).join(there, same)
        source = source.join(other, sa.and_(other.c.debate == there.c.number, other.c.name == one.c.name))
        columns = (
            _DEBATE_A.c.id.label("debate"),
            _A.c.score.label("first"),
            _B.c.score.label("second"),
            sa.func.coalesce(_A.c.human, _B.c.human).label("human"),
        )
        known = (
            one.c.run == self._of[debate],
            one.c.name == name,
            _A.c.score.is_not(None),
            _B.c.score.is_not(None),
        )
        return sa.select(*columns).select_from(source).where(*known)

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        """How many debates of each run have ended."""
        first, second = (
            int(self._database.scalar(sa.select(sa.func.count()).where(DEBATES.c.run == run)))
            for run in self._runs
        )
        return first, second

    @property
    def _second_leads(self) -> bool:
        """Whether pairs are looked for from the second run on, as it is the smaller one."""
        return self._sizes[1] < self._sizes[0]

    @property
    def _of(self) -> Mapping["sa.FromClause", int]:
        """The runs that the tables stand for."""
        return {_DEBATE_A: self._runs[0], _DEBATE_B: self._runs[1]}

    def _only_in(self, side: Side) -> "sa.Select[tuple[str]]":
        here, there = self._runs if side == "first" else self._runs[::-1]
        same = sa.exists().where(_DEBATE_B.c.run == there, _DEBATE_B.c.id == _DEBATE_A.c.id)
        return sa.select(_DEBATE_A.c.id).where(_DEBATE_A.c.run == here, ~same)

    def _flips(self) -> "sa.Select[Any]":
        same = sa.and_(_DEBATE_B.c.run == self._runs[1], _DEBATE_B.c.id == _DEBATE_A.c.id)
        first, second = self._winners(_DEBATE_A), self._winners(_DEBATE_B)
        query = sa.select(_DEBATE_A.c.id, first, second).select_from(_DEBATE_A.join(_DEBATE_B, same))
        judged = (first != "[]", second != "[]", first != second)
        return query.where(_DEBATE_A.c.run == self._runs[0], *judged)

    def _winners(self, debates: "sa.FromClause") -> "sa.ColumnElement[str]":
        """The winners of a debate, as JSON."""
        row = debates.c.row
        if self._database.dialect == "sqlite":
            return sa.func.json_extract(row, "$.winners")
        winners: sa.ColumnElement[str] = sa.cast(row, postgresql.JSON)["winners"].astext
        return winners


@dataclass(frozen=True, slots=True)
class Repeat:
    """Texts that several items share."""

    items: int
    """How many items have them."""
    first: str
    """The id of one of them."""
    texts: str
    """The digest that names the texts in the store."""


class Repeats:
    """Finds the items of one run whose texts are all the same, field by field. Raises StoreError."""

    def __init__(self, database: Database, run: str) -> None:
        self._database = database
        number = database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run))
        self._run: int = -1 if number is None else number

    def __repr__(self) -> str:
        return f"<Repeats in run {self._run}>"

    def part(self, *, start: int = 0, most: int = 50) -> tuple[list[Repeat], int]:
        """Some of them, those with the most items first, and how many texts are there more than once."""
        query = self._grouped().add_columns(sa.func.count().over())
        query = query.order_by(sa.text("items DESC"), sa.text("first")).offset(start).limit(most)
        rows = self._database.rows(query)
        if not rows and start:
            return [], self.part(most=1)[1]
        return [Repeat(*row[:-1]) for row in rows], rows[0][-1] if rows else 0

    def items(self, repeat: Repeat, most: int = 200) -> Sequence[str]:
        """The ids of the items that share them, the first so many."""
        query = sa.select(ITEMS.c.id).where(ITEMS.c.run == self._run, ITEMS.c.texts == repeat.texts)
        return [str(item) for item in self._database.scalars(query.order_by(ITEMS.c.id).limit(most))]

    def _grouped(self) -> "sa.Select[tuple[int, str, str]]":
        count = sa.func.count().label("items")
        query = sa.select(count, sa.func.min(ITEMS.c.id).label("first"), ITEMS.c.texts)
        return query.where(ITEMS.c.run == self._run).group_by(ITEMS.c.texts).having(sa.func.count() > 1)
