"""Two runs debate by debate: what both judged, and by how much their scores differ."""

from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from agentdebate.store._debates import DEBATES, SCORES
from agentdebate.store.database import Database
from agentdebate.store.reader import of_run

Way = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class ScorePair:
    """Scores of one debate in two runs."""

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
    """Differences between the scores of one name, over all debates that both runs scored."""

    name: str
    n: int
    up: int
    down: int
    mean: float
    """The mean of the second less the first."""
    size: float
    """The mean of how far they are apart, whichever way."""


_A, _B = SCORES.alias("score_a"), SCORES.alias("score_b")
_DEBATE_A, _DEBATE_B = DEBATES.alias("debate_a"), DEBATES.alias("debate_b")
_CHANGE = _B.c.score - _A.c.score
_UP, _DOWN = _CHANGE > 0, _CHANGE < 0


class RunPairs:
    """Matches the debates of two runs by their ids: the item, and the aspects. Every method raises StoreError."""

    def __init__(self, database: Database, first: str, second: str) -> None:
        self._database, self._runs = database, (first, second)

    def __repr__(self) -> str:
        return f"<RunPairs of {self._runs}>"

    def count(self) -> int:
        """Number of debates that ended in both runs."""
        return int(self._database.scalar(self._debates(sa.select(sa.func.count()))))

    def changes(self) -> list[ScoreChange]:
        """Differences of scores, by their names."""
        up, down = (sa.func.sum(sa.case((way, 1), else_=0)) for way in (_UP, _DOWN))
        means = (sa.func.avg(_CHANGE), sa.func.avg(sa.func.abs(_CHANGE)))
        query = self._scores(sa.select(_A.c.name, sa.func.count(), up, down, *means))
        rows = self._database.rows(query.group_by(_A.c.name).order_by(_A.c.name))
        return [ScoreChange(*row) for row in rows]

    def pairs(self, name: str, *, way: Way | None = None, start: int = 0, most: int = 50) -> list[ScorePair]:
        """The debates with both scores, those that differ most first; `way` leaves those that went up or down."""
        human = sa.func.coalesce(_A.c.human, _B.c.human)
        query = self._scores(sa.select(_DEBATE_A.c.id, _A.c.score, _B.c.score, human)).where(
            _A.c.name == name
        )
        if way is not None:
            query = query.where(_UP if way == "up" else _DOWN)
        query = query.order_by(sa.func.abs(_CHANGE).desc(), _DEBATE_A.c.id)
        return [ScorePair(*row) for row in self._database.rows(query.offset(start).limit(most))]

    def count_flips(self) -> int:
        """Number of comparisons of texts that have another winner, or other ones, in the second run."""
        return int(self._database.scalar(self._flips(sa.func.count())))

    def flips(self, *, start: int = 0, most: int = 50) -> list[tuple[str, str, str]]:
        """Comparisons with another winner, each with the winners of both runs as JSON lists."""
        query = self._flips(_DEBATE_A.c.id, *self._winners()).order_by(_DEBATE_A.c.id)
        return [(str(name), a, b) for name, a, b in self._database.rows(query.offset(start).limit(most))]

    def _debates(self, query: "sa.Select[Any]") -> "sa.Select[Any]":
        """The debates that ended in both runs."""
        first, second = self._runs
        same = sa.and_(of_run(_DEBATE_B, second), _DEBATE_B.c.id == _DEBATE_A.c.id)
        return query.select_from(_DEBATE_A).join(_DEBATE_B, same).where(of_run(_DEBATE_A, first))

    def _scores(self, query: "sa.Select[Any]") -> "sa.Select[Any]":
        """The scores that both runs gave for the same thing."""
        query = self._debates(query).join(_A, _A.c.debate == _DEBATE_A.c.number)
        same = sa.and_(_B.c.debate == _DEBATE_B.c.number, _B.c.name == _A.c.name)
        return query.join(_B, same).where(_A.c.score.is_not(None), _B.c.score.is_not(None))

    def _flips(self, *columns: Any) -> "sa.Select[Any]":
        first, second = self._winners()
        return self._debates(sa.select(*columns)).where(first != "[]", second != "[]", first != second)

    def _winners(self) -> "tuple[sa.ColumnElement[str], sa.ColumnElement[str]]":
        """The winners of both debates, as JSON."""
        as_json: Any = sa.type_coerce if self._database.dialect == "sqlite" else sa.cast
        rows = (as_json(one.c.row, sa.JSON)["winners"] for one in (_DEBATE_A, _DEBATE_B))
        first, second = (row.as_string() for row in rows)
        return first, second
