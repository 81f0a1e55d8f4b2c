"""The debates of a run, or of two runs side by side, a page at a time: filtered, sorted and counted by the database."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import UsageError, nearest
from agentdebate.store.damage import UNREADABLE
from agentdebate.store.database import Database
from agentdebate.store.documents import unpacked
from agentdebate.store.reader import Reader, of_run, selected
from agentdebate.store.schema import DEBATES, DOCUMENTS, ITEMS, SAME_ITEM, SCORES, SORTED, Condition
from agentdebate.talk.envelope import message_in
from agentdebate.talk.messages import Verdict, words_of

OF_SCORES = ("score", "human", "apart")
"""Orders that need the name of a score as well: by the verdict's, by people's, by their distance."""


@dataclass(frozen=True)
class DebateOrder:
    """Order of debates; `name` is that of a score where `by` is score, human or apart.

    Those without a value come last. By a score only debates are listed that are about it.
    """

    by: str = "id"
    name: str | None = None
    descending: bool = False

    def __post_init__(self) -> None:
        known = ["id", *SORTED, *OF_SCORES]
        if self.by not in known:
            raise UsageError(f"debates are not sorted by {self.by!r}. {nearest(self.by, known)}")
        if self.of_scores and not self.name:
            raise UsageError(f"to sort by {self.by!r}, name the aspect")

    @property
    def of_scores(self) -> bool:
        """Tell whether it is by something of a score."""
        return self.by in OF_SCORES

    @property
    def directed(self) -> "sa.ColumnElement[Any]":
        """The expression to sort by, in its direction."""
        value: sa.ColumnElement[Any] = sa.func.abs(SCORES.c.score - SCORES.c.human)
        if self.by != "apart":
            value = (SCORES if self.of_scores else DEBATES).c[self.by]
        return (value.desc() if self.descending else value.asc()).nulls_last()


@dataclass(frozen=True)
class DebateFilter:
    """Conditions on debates. A field that is left as it is asks for nothing."""

    outcome: str | None = None
    settled: bool | None = None
    ended: str | None = None
    item_group: str | None = None
    system: str | None = None
    changed: bool | None = None
    """True for debates in which an agent has cast two ballots that differ."""
    find: str = ""
    """Words in the debate's id, whatever their case."""
    numbers: tuple[int, ...] | None = None
    """The numbers of the debates that are wanted, where something else has found them out."""

    @property
    def conditions(self) -> list[Condition]:
        """Conditions on the table of debates."""
        given = vars(self).items()
        found = [DEBATES.c[name] == value for name, value in given if name in DEBATES.c and value is not None]
        if self.find:
            found.append(DEBATES.c.id.icontains(self.find, autoescape=True))
        if self.numbers is not None:
            wanted: Any = sa.bindparam("numbers", self.numbers, expanding=True, literal_execute=True)
            found.append(DEBATES.c.number.in_(wanted))
        return found


EVERY = DebateFilter()
"""Asks for nothing."""
BY_ID = DebateOrder()
_FEWEST = 3
"""Pairs from which on a correlation says anything."""
_HAIR = 1e-12
"""Share of a spread that rounding leaves where there is none."""
_MANY = 200
"""Values of a column that are offered to choose from."""


@dataclass(frozen=True)
class ScoreMeans:
    """The mean of one score, that of people's of the same debates, how many there are of each, and how far the two agree."""

    name: str
    scores: int
    mean: float | None
    people: int
    """Debates that have both."""
    people_mean: float | None
    correlation: float | None
    """Pearson's r over them; None where it is not defined."""


class DebateList:
    """Lists the debates of one run that have ended. Every method raises StoreError."""

    def __init__(self, reader: Reader, run: str) -> None:
        self._reader, self._database, self.run, self.damage = reader, reader.database, run, reader.damage

    def count(self, wanted: DebateFilter = EVERY, order: DebateOrder = BY_ID) -> int:
        """Number of debates that a filter leaves of those that an order lists."""
        return int(self._database.scalar(self._selected(sa.func.count(), wanted, order)))

    def part(
        self, wanted: DebateFilter = EVERY, order: DebateOrder = BY_ID, *, start: int = 0, most: int = 50
    ) -> list[dict[str, Any]]:
        """`most` of the debates that a filter leaves, from `start` on, as Record.row() gave them, with "money" beside them."""
        number = DEBATES.c.number if wanted != EVERY or not order.of_scores else SCORES.c.debate
        query = self._selected(number, wanted, order).order_by(order.directed, number)
        numbers = self._database.scalars(query.offset(start).limit(most))
        found = self._rows(DEBATES.c.number.in_(numbers), DEBATES.c.number)
        place = {number: place for place, number in enumerate(numbers)}
        return sorted(found, key=lambda row: place[row.pop("number")])

    def items(self, wanted: DebateFilter = EVERY, *, start: int = 0, most: int = 50) -> list[str]:
        """The ids of the items that the debates which a filter leaves are about, sorted."""
        item = _item(wanted)
        query = sa.select(item).distinct().where(*self._where(wanted, item)).order_by(item)
        return list(map(str, self._database.scalars(query.offset(start).limit(most))))

    def count_items(self, wanted: DebateFilter = EVERY) -> int:
        """Number of items that the debates which a filter leaves are about."""
        item = _item(wanted)
        query = sa.select(sa.func.count(item.distinct())).where(*self._where(wanted, item))
        return int(self._database.scalar(query))

    def of_items(self, items: Sequence[str]) -> list[dict[str, Any]]:
        """The debates about these items, which are those of a page."""
        return self._rows(DEBATES.c.item.in_(items))

    def saying(self, words: str) -> Iterator[int]:
        """The numbers of the debates in which words were said, whatever their case, as they are found.

        A server looks through the talks itself; those of a file are decompressed here. What has the words anywhere is looked at once
        more, for they may stand in something that is not text.
        """
        sought = words.casefold()
        written = json.dumps(sought, ensure_ascii=False)[1:-1]
        query = selected(self.run, DEBATES.c.number, DOCUMENTS.c.talk, ITEMS.c.data).outerjoin(
            ITEMS, SAME_ITEM
        )
        query = query.join(DOCUMENTS, DOCUMENTS.c.debate == DEBATES.c.number).order_by(DEBATES.c.number)
        if self._database.dialect != "sqlite":
            query = query.where(DOCUMENTS.c.talk.icontains(written, autoescape=True))
        for row in self._database.stream(query):
            with suppress(*UNREADABLE):
                if _is_said(unpacked(row["talk"], item=row["data"]), sought, written):
                    yield row["number"]

    def values(self, column: str) -> list[str]:
        """The different values of a column that is sorted by, the first so many."""
        value = DEBATES.c[column]
        query = sa.select(value).distinct().where(of_run(DEBATES, self.run), value.is_not(None))
        return list(map(str, self._database.scalars(query.order_by(value).limit(_MANY))))

    def score_names(self) -> list[str]:
        """The names of the scores: the aspects, or aspects of candidates."""
        return list(self._reader.score_names(self.run))[:_MANY]

    def means(self) -> list[ScoreMeans]:
        """The means of all scores by name, taken by the database."""
        x, y, mean = SCORES.c.score, SCORES.c.human, sa.func.avg
        of_x, of_y, *products = (
            mean(one).filter((x * y).is_not(None)) for one in (x, y, x * x, y * y, x * y)
        )
        counts = (sa.func.count(x), mean(x), sa.func.count(x * y), of_y)
        query = sa.select(SCORES.c.name, *counts, of_x, *products)
        query = query.where(of_run(SCORES, self.run)).group_by(SCORES.c.name).order_by(SCORES.c.name)
        return [
            ScoreMeans(name, n, of_all, both, people, _pearson(both, (judge, people, *squares)))
            for name, n, of_all, both, people, judge, *squares in self._database.rows(query.limit(_MANY))
        ]

    def sums(self) -> Mapping[str, float | None]:
        """The costs of all debates together: calls, tokens, money, and how many have a known price."""
        names = ("calls", "tokens", "money", "seconds")
        sums = (sa.func.sum(DEBATES.c[name]) for name in names)
        query = sa.select(*sums, sa.func.count(DEBATES.c.money)).where(of_run(DEBATES, self.run))
        (found,) = self._database.rows(query)
        # A server adds up whole numbers into a decimal, with which no float can be divided.
        plain = (one if one is None or isinstance(one, float) else int(one) for one in found)
        return dict(zip((*names, "priced"), plain, strict=True))

    def _where(self, wanted: DebateFilter, column: "sa.Column[str]") -> list[Condition]:
        """Conditions on the rows of this run and a filter, in the table of a column."""
        return [of_run(column.table, self.run), *wanted.conditions]

    def _selected(self, value: Any, wanted: DebateFilter, order: DebateOrder) -> "sa.Select[Any]":
        """Selects something of the debates that a filter leaves and an order lists; of scores alone where that is enough."""
        if not order.of_scores:
            return sa.select(value).select_from(DEBATES).where(*self._where(wanted, DEBATES.c.item))
        query = sa.select(value).where(SCORES.c.name == order.name, *self._where(wanted, SCORES.c.name))
        if wanted == EVERY:
            return query.select_from(SCORES)
        return query.select_from(SCORES.join(DEBATES, DEBATES.c.number == SCORES.c.debate))

    def _rows(self, where: Condition, *more: "sa.Column[Any]") -> list[dict[str, Any]]:
        query = sa.select(DEBATES.c.id, DEBATES.c.row, DEBATES.c.money, *more).where(where)
        return list(self._reader.rows_of(self.run, query.order_by(DEBATES.c.id)))


def _is_said(talk: str, sought: str, written: str) -> bool:
    """Look for words in the messages of a debate; a verdict is passed over, as it repeats those of others."""
    if written not in talk.casefold():
        return False
    found = (message_in(line) for line in talk.split("\n") if written in line.casefold())
    return any(not isinstance(one, Verdict) and sought in words_of(one).casefold() for one in found)


def _item(wanted: DebateFilter) -> "sa.Column[str]":
    """The column of items: all that there are, where nothing is asked for of their debates."""
    return ITEMS.c.id if wanted == EVERY else DEBATES.c.item


def _pearson(pairs: int, means: Sequence[Any]) -> float | None:
    """Pearson's r by the means of x, the judge's scores, of y, people's, of their squares and of their products."""
    if pairs < _FEWEST:
        return None
    x, y, xx, yy, xy = means
    spread = (xx - x * x) * (yy - y * y)
    return (xy - x * y) / math.sqrt(spread) if spread > _HAIR * max(xx, 1.0) * max(yy, 1.0) else None


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
