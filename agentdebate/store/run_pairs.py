"""Two runs debate by debate: what both judged, and by how much their scores differ."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from agentdebate.store.database import Database
from agentdebate.store.reader import of_run
from agentdebate.store.schema import DEBATES, SCORES


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


class RunPairs:
    """Matches the debates of two runs by their ids: the item, and the aspects. Every method raises StoreError."""

    def __init__(self, database: Database, first: str, second: str) -> None:
        self._database, self._runs = database, (first, second)

    def count(self) -> int:
        """Number of debates that ended in both runs."""
        return int(self._database.scalar(self._debates(sa.func.count())))

    def changes(self) -> list[ScoreChange]:
        """Differences of scores, by their names."""
        up, down = (sa.func.sum(sa.case((way, 1), else_=0)) for way in (_CHANGE > 0, _CHANGE < 0))
        query = self._scores(
            _A.c.name, sa.func.count(), up, down, sa.func.avg(_CHANGE), sa.func.avg(sa.func.abs(_CHANGE))
        )
        rows = self._database.rows(query.group_by(_A.c.name).order_by(_A.c.name))
        return [ScoreChange(*row) for row in rows]

    def pairs(self, name: str, *, start: int = 0, most: int = 50) -> list[ScorePair]:
        """The debates with both scores, those that differ most first."""
        human = sa.func.coalesce(_A.c.human, _B.c.human)
        query = self._scores(_DEBATE_A.c.id, _A.c.score, _B.c.score, human).where(_A.c.name == name)
        query = query.order_by(sa.func.abs(_CHANGE).desc(), _DEBATE_A.c.id)
        return [ScorePair(*row) for row in self._database.rows(query.offset(start).limit(most))]

    def count_flips(self) -> int:
        """Number of comparisons of texts that have another winner, or other ones, in the second run."""
        return int(self._database.scalar(self._flips(sa.func.count())))

    def flips(self, *, start: int = 0, most: int = 50) -> list[tuple[str, str, str]]:
        """Comparisons with another winner, each with the winners of both runs as JSON lists."""
        query = self._flips(_DEBATE_A.c.id, *self._winners()).order_by(_DEBATE_A.c.id)
        return [(str(name), a, b) for name, a, b in self._database.rows(query.offset(start).limit(most))]

    def _debates(self, *columns: Any) -> "sa.Select[Any]":
        """Select of the debates that ended in both runs."""
        first, second = self._runs
        same = sa.and_(of_run(_DEBATE_B, second), _DEBATE_B.c.id == _DEBATE_A.c.id)
        query = sa.select(*columns).select_from(_DEBATE_A).join(_DEBATE_B, same)
        return query.where(of_run(_DEBATE_A, first))

    def _scores(self, *columns: Any) -> "sa.Select[Any]":
        """Select of the scores that both runs gave for the same thing."""
        same = sa.and_(_B.c.debate == _DEBATE_B.c.number, _B.c.name == _A.c.name)
        query = self._debates(*columns).join(_A, _A.c.debate == _DEBATE_A.c.number).join(_B, same)
        return query.where(_CHANGE.is_not(None))

    def _flips(self, *columns: Any) -> "sa.Select[Any]":
        first, second = self._winners()
        return self._debates(*columns).where(first != "[]", second != "[]", first != second)

    def _winners(self) -> "tuple[sa.ColumnElement[str], sa.ColumnElement[str]]":
        """The winners of both debates, as JSON."""
        as_json: Any = sa.type_coerce if self._database.dialect == "sqlite" else sa.cast
        rows = (as_json(one.c.row, sa.JSON)["winners"] for one in (_DEBATE_A, _DEBATE_B))
        first, second = (row.as_string() for row in rows)
        return first, second
