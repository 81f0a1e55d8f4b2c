"""The debates of a run, a page at a time: filtered, sorted and counted by the database, which has an index of what is sorted by."""

import math
import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import sqlalchemy as sa

from agentdebate.debates.outcome import FAILURE, OutcomeCounts, outcome_of
from agentdebate.errors import UsageError, nearest
from agentdebate.store._debates import DEBATES, SCORES, SORTED
from agentdebate.store._in_flight import plain_json
from agentdebate.store._runs import ITEMS
from agentdebate.store.database import Database
from agentdebate.store.reader import Reader, RunHead, about_items, distinct
from agentdebate.store.schema import batches

OF_SCORES = ("score", "human", "apart")
"""What needs the name of a score as well: the verdict's, people's, how far they are apart."""


@dataclass(frozen=True)
class DebateOrder:
    """By what debates are sorted; `name` is that of a score where `by` is score, human or apart."""

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
        """Whether it is by something of a score."""
        return self.by in OF_SCORES

    @property
    def value(self) -> "sa.ColumnElement[object]":
        """What is sorted by."""
        if self.by == "apart":
            return sa.func.abs(SCORES.c.score - SCORES.c.human)
        return SCORES.c[self.by] if self.of_scores else DEBATES.c[self.by]

    def best(self, value: "sa.ColumnElement[Any]") -> "sa.ColumnElement[Any]":
        """The value that comes first."""
        return sa.func.max(value) if self.descending else sa.func.min(value)

    def directed(self, value: "sa.ColumnElement[object]") -> "sa.ColumnElement[object]":
        """A value, in the direction of the order."""
        return value.desc() if self.descending else value.asc()


Range = tuple[float | None, float | None]
"""The least and the most, both included; None where there is no bound."""

ANY: Range = (None, None)

_TIE = '%"winner":null,"winners":["%'
"""What stands in the row of a comparison that has several winners and no single one."""


@dataclass(frozen=True)
class DebateFilter:
    """What a debate has to be. Everything that is left as it is asks for nothing."""

    outcome: str | None = None
    settled: bool | None = None
    ended: str | None = None
    group: str | None = None
    system: str | None = None
    model: str | None = None
    """The name of a model that spoke in it."""
    rounds: Range = ANY
    aspect: str | None = None
    """The name of the score that `score` and `apart` are about; any score where it is None."""
    score: Range = ANY
    apart: float | None = None
    """How far the score is at least from people's, in points of the scale."""
    tie: bool = False
    """Whether several texts are equally good."""
    changed: bool = False
    """Whether an agent has to have cast two ballots that differ."""
    find: str = ""
    """Words in the debate's id, or in the row of one that failed, whatever their case."""
    numbers: tuple[int, ...] | None = None
    """The numbers of the debates that are wanted, where something else has found them out."""

    @property
    def about_scores(self) -> bool:
        """Whether it asks for something of a score."""
        return self.score != ANY or self.apart is not None


EVERY = DebateFilter()
"""Asks for nothing."""


def conditions(wanted: DebateFilter, run: int, dialect: str) -> list["sa.ColumnElement[bool]"]:
    """What holds of the debates of a run that are wanted."""
    same = {
        DEBATES.c.outcome: wanted.outcome,
        DEBATES.c.settled: wanted.settled,
        DEBATES.c.ended: wanted.ended,
        DEBATES.c.item_group: wanted.group,
        DEBATES.c.system: wanted.system,
    }
    found = [DEBATES.c.run == run, *(column == value for column, value in same.items() if value is not None)]
    found += _within(DEBATES.c.rounds, wanted.rounds)
    if wanted.model is not None:
        name = plain_json(wanted.model).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        found.append(DEBATES.c.row.like(f'%"models":[%{name}%', escape="\\"))
    if wanted.tie:
        found.append(DEBATES.c.row.like(_TIE))
    if wanted.changed:
        found.append(DEBATES.c.changed == sa.true())
    if wanted.find:
        found.append(_found(wanted.find, run))
    if wanted.numbers is not None:
        found.append(among(DEBATES.c.number, wanted.numbers, dialect))
    if wanted.about_scores:
        found.append(DEBATES.c.number.in_(_with_scores(wanted, run)))
    return found


def among(column: "sa.Column[int]", numbers: Collection[int], dialect: str) -> "sa.ColumnElement[bool]":
    """That a column has one of these numbers, which may be very many."""
    if dialect == "sqlite":
        listed = sa.func.json_each(f"[{','.join(map(str, numbers))}]").table_valued("value")
        return column.in_(sa.select(listed.c.value))
    if dialect == "postgresql":
        return column == sa.any_(sa.cast(list(numbers), sa.ARRAY(sa.BigInteger)))
    return column.in_(numbers)


def _with_scores(wanted: DebateFilter, run: int) -> "sa.Select[tuple[int]]":
    """The debates that have a score as it is wanted."""
    found = [SCORES.c.run == run, *_within(SCORES.c.score, wanted.score)]
    if wanted.aspect is not None:
        found.append(SCORES.c.name == wanted.aspect)
    if wanted.apart is not None:
        found.append(sa.func.abs(SCORES.c.score - SCORES.c.human) >= wanted.apart)
    return sa.select(SCORES.c.debate).where(*found)


def _within(column: "sa.Column[float]", bounds: Range) -> list["sa.ColumnElement[bool]"]:
    least, most = bounds
    return [
        *([] if least is None else [column >= least]),
        *([] if most is None else [column <= most]),
    ]


def _found(words: str, run: int) -> "sa.ColumnElement[bool]":
    """That words stand in the id, or in why a debate failed.

    The failures are a question of their own, so that the ids of all are read from the table's key, and the rows of failures alone
    from the table.
    """
    one = DEBATES.alias("one")
    failed = sa.select(one.c.id).where(one.c.run == run, one.c.outcome == FAILURE.name)
    in_row = failed.where(one.c.row.icontains(words, autoescape=True))
    return sa.or_(DEBATES.c.id.icontains(words, autoescape=True), DEBATES.c.id.in_(in_row))


BY_ID = DebateOrder()
_FEWEST = 3
"""Pairs from which on a correlation says anything."""
_HAIR = 1e-12
"""What is left of a spread that is none, by the rounding of sums."""
_FEW = 5_000
"""Debates that are sorted here, where an index of SQLite finds them and would not give them in order."""
_MANY = 200
"""Values of a column that are offered to choose from."""


@dataclass(frozen=True)
class ScoreMeans:
    """The means of one score and of people's, how many there are of each, and how far the two agree."""

    name: str
    scores: int
    mean: float | None
    people: int
    people_mean: float | None
    both: int = 0
    """Debates that have both."""
    correlation: float | None = None
    """Pearson's r over them; None where it is not defined."""
    lowest: float | None = None
    highest: float | None = None


class DebateList:
    """Lists the debates of one run that have ended. Every method raises StoreError."""

    def __init__(self, reader: Reader, run: str) -> None:
        self._reader, self._database, self.run = reader, reader.database, run
        self.number, self.damage = reader.number(run), reader.damage

    def __repr__(self) -> str:
        return f"<DebateList of {self.run!r}>"

    def count(self, wanted: DebateFilter = EVERY) -> int:
        """How many debates a filter leaves."""
        query = sa.select(sa.func.count()).select_from(DEBATES)
        return int(self._database.scalar(query.where(*self._where(wanted))))

    def part(
        self, wanted: DebateFilter = EVERY, order: DebateOrder = BY_ID, *, start: int = 0, most: int = 50
    ) -> list[dict[str, Any]]:
        """`most` of the debates that a filter leaves, from `start` on, as Record.row() gave them, with "money" beside them.

        Those without a value to sort by come last.
        """
        names = self._ids(wanted, order, start, most)
        found = {row["debate"]: row for row in self._reader.priced_rows(self.run, DEBATES.c.id.in_(names))}
        return [found[name] for name in names if name in found]

    def items(
        self, wanted: DebateFilter = EVERY, order: DebateOrder = BY_ID, *, start: int = 0, most: int = 50
    ) -> list[str]:
        """The ids of the items that the debates which a filter leaves are about, in order.

        By a score or a column the best of an item's debates counts, or the worst where the order is descending.
        """
        if order.by == "id":
            item, of_run = (
                (ITEMS.c.id, ITEMS.c.run == self.number) if wanted == EVERY else (DEBATES.c.item, None)
            )
            query = sa.select(item).distinct().where(*self._where(wanted) if of_run is None else (of_run,))
            return self._page(query, [order.directed(item)], start, most)
        of_flag = isinstance(order.value.type, sa.Boolean)
        if wanted == EVERY and not of_flag and (found := self._first_items(order, start + most)):
            return found[start:]
        value = sa.cast(order.value, sa.Integer) if of_flag else order.value
        query = sa.select(DEBATES.c.item).where(*self._where(wanted)).group_by(DEBATES.c.item)
        if order.of_scores:
            of_name = sa.and_(SCORES.c.debate == DEBATES.c.number, SCORES.c.name == order.name)
            query = query.select_from(DEBATES.outerjoin(SCORES, of_name))
        by = [order.directed(order.best(value)).nulls_last(), DEBATES.c.item]
        return self._page(query, by, start, most)

    def count_items(self, wanted: DebateFilter = EVERY) -> int:
        """How many items the debates are about which a filter leaves."""
        query = sa.select(sa.func.count(DEBATES.c.item.distinct())).where(*self._where(wanted))
        if wanted == EVERY:
            query = sa.select(sa.func.count()).select_from(ITEMS).where(ITEMS.c.run == self.number)
        return int(self._database.scalar(query))

    def of_items(self, items: Sequence[str]) -> list[dict[str, Any]]:
        """The debates about these items."""
        dialect = self._database.dialect
        return [
            row
            for some in batches(items)
            for row in self._reader.priced_rows(self.run, about_items(some, dialect))
        ]

    def values(self, column: str) -> list[str]:
        """The different values of a column that is sorted by, the first so many."""
        return distinct(self._database, DEBATES.c[column], DEBATES.c.run == self.number, most=_MANY)

    def score_names(self) -> list[str]:
        """The names of the scores: the aspects, or aspects of candidates."""
        return distinct(self._database, SCORES.c.name, SCORES.c.run == self.number, most=_MANY)

    def means(self) -> list[ScoreMeans]:
        """The means of all scores by name."""
        return [self._means(name) for name in self.score_names()]

    def sums(self) -> Mapping[str, float | None]:
        """The costs of all debates together: calls, tokens, money, and how many have a known price."""
        found = dict[str, float | None]()
        for name in ("calls", "tokens", "money", "seconds"):  # one by one, each from its index
            of = sa.select(sa.func.sum(DEBATES.c[name])).where(DEBATES.c.run == self.number)
            total = self._database.scalar(of.where(DEBATES.c[name].is_not(None)))
            # A server adds up whole numbers into a decimal, with which no float can be divided.
            found[name] = total if total is None or isinstance(total, float) else int(total)
        priced = sa.select(sa.func.count()).where(DEBATES.c.run == self.number, DEBATES.c.money.is_not(None))
        return found | {"priced": self._database.scalar(priced)}

    def _means(self, name: str) -> ScoreMeans:
        """All of it in one pass over an index in which equal scores are side by side: these are counted, and multiplied once."""
        score, human = SCORES.c.score, SCORES.c.human
        sums = (sa.func.count(), sa.func.count(human), sa.func.sum(human), sa.func.sum(human * human))
        of_name = (SCORES.c.run == self.number, SCORES.c.name == name)
        equal = sa.select(score, *(one.label(str(place)) for place, one in enumerate(sums)))
        x, count, p, sy, syy = equal.where(*of_name).group_by(score).subquery().c
        added = map(sa.func.sum, (count, p, sy, syy, x * count, x * p, x * x * p, x * sy))
        ends = (sa.func.min(x), sa.func.max(x))
        rows = self._database.rows(sa.select(x.is_not(None), *ends, *added).group_by(x.is_not(None)))
        found = {bool(scored): [float(one or 0) for one in row] for scored, _, _, *row in rows}
        lowest, highest = next(((low, high) for scored, low, high, *_ in rows if scored), (None, None))
        n, both, y_both, yy_both, total, *products = found.get(True, [0.0] * 8)
        _, others, y_others, *_ = found.get(False, [0.0] * 8)
        people = both + others
        return ScoreMeans(
            name,
            int(n),
            total / n if n else None,
            int(people),
            (y_both + y_others) / people if people else None,
            int(both),
            _correlation(both, (y_both, yy_both), products),
            lowest,
            highest,
        )

    def _where(self, wanted: DebateFilter) -> list["sa.ColumnElement[bool]"]:
        return conditions(wanted, self.number, self._database.dialect)

    def _ids(self, wanted: DebateFilter, order: DebateOrder, start: int, most: int) -> list[str]:
        """The ids of a part: first of the debates with a value, by the index, and then of those without."""
        where = self._where(wanted)
        if order.by == "id":
            query = sa.select(DEBATES.c.id).where(*where)
            few = self._database.scalars(query.limit(_FEW + 1)) if self._by_index(wanted) else None
            if few is not None and len(few) <= _FEW:
                return sorted(few, reverse=order.descending)[start : start + most]
            return self._page(query, [order.directed(DEBATES.c.id)], start, most)
        valued, unvalued = sa.select(DEBATES.c.id).where(*where), sa.select(DEBATES.c.id).where(*where)
        by = [order.directed(order.value), SCORES.c.debate if order.of_scores else DEBATES.c.number]
        if order.of_scores:
            of_score = self._valued(order)
            same = SCORES.c.debate == DEBATES.c.number
            unvalued = unvalued.where(~sa.exists().where(same, *of_score))
            valued = valued.select_from(SCORES.join(DEBATES, same)).where(*of_score)
            if wanted == EVERY:  # found among the scores alone, before anything else is read of a debate
                first = sa.select(SCORES.c.debate).where(*of_score).order_by(*by).limit(start + most)
                valued = valued.where(SCORES.c.debate.in_(first))
        else:
            valued, unvalued = valued.where(order.value.is_not(None)), unvalued.where(order.value.is_(None))
        found = self._page(valued, by, start, most)
        if len(found) < most:
            count = sa.select(sa.func.count()).select_from(valued.subquery())
            ahead = 0 if found else max(start - int(self._database.scalar(count)), 0)
            found += self._page(unvalued, [DEBATES.c.id.asc()], ahead, most - len(found))
        return found

    def _by_index(self, wanted: DebateFilter) -> bool:
        """Whether few debates may be left, which SQLite would rather find in the order of all ids than sort."""
        words = (wanted.find or None, wanted.outcome, wanted.ended, wanted.group, wanted.system)
        return self._database.dialect == "sqlite" and any(word is not None for word in words)

    def _first_items(self, order: DebateOrder, most: int) -> list[str] | None:
        """The first so many items of all, from the debates alone that come first; None where fewer items have a value."""
        table = SCORES if order.of_scores else DEBATES
        values = (
            sa.select(order.value).where(*self._valued(order)).order_by(order.directed(order.value)).limit(1)
        )
        query = sa.select(DEBATES.c.item).where(*self._valued(order)).group_by(DEBATES.c.item)
        if table is SCORES:
            query = query.select_from(SCORES.join(DEBATES, SCORES.c.debate == DEBATES.c.number))
        query = query.order_by(order.directed(order.best(order.value)), DEBATES.c.item).limit(most)
        debates = most
        while (last := self._database.scalar(values.offset(debates - 1))) is not None:
            reached = order.value >= last if order.descending else order.value <= last
            items = self._database.scalars(query.where(reached))
            if len(items) == most:
                return list(map(str, items))
            debates *= 2
        return None

    def _valued(self, order: DebateOrder) -> tuple["sa.ColumnElement[bool]", ...]:
        """The scores, or the debates, that have a value to sort by."""
        if not order.of_scores:
            return DEBATES.c.run == self.number, order.value.is_not(None)
        return SCORES.c.run == self.number, SCORES.c.name == order.name, order.value.is_not(None)

    def _page(
        self, query: "sa.Select[Any]", order: Sequence["sa.ColumnElement[Any]"], start: int, most: int
    ) -> list[str]:
        return list(map(str, self._database.scalars(query.order_by(*order).offset(start).limit(most))))


def _correlation(n: float, of_y: tuple[float, float], of_x: Sequence[float]) -> float | None:
    """Pearson's r of so many pairs: by the sums of y and its squares, and those of x, its squares and its products with y."""
    (sy, syy), (sx, sxx, sxy) = of_y, of_x
    spread = (n * sxx - sx * sx) * (n * syy - sy * sy)
    if n < _FEWEST or spread <= _HAIR * max(n * sxx, 1.0) * max(n * syy, 1.0):
        return None
    return (n * sxy - sx * sy) / math.sqrt(spread)


_GROUPS = 20
"""Groups that a draw has at least, or items are drawn from all groups."""


@dataclass(frozen=True)
class Drawn:
    """Items of a run, and how they were drawn."""

    items: tuple[str, ...]
    groups: int
    """How many groups were drawn, each with all its items; 0 where items were drawn, whatever their group."""
    of_groups: int


def draw(database: Database, run: str, most: int, *, seed: int = 0) -> Drawn:
    """Items with about so many debates: whole groups where they are small, so that these keep all their systems. Raises StoreError."""
    debates, rng = DebateList(Reader(database), run), random.Random(seed)  # noqa: S311 - nothing secret
    group, of_run = DEBATES.c.item_group, DEBATES.c.run == debates.number
    query = sa.select(group, sa.func.count()).where(of_run, group.is_not(None)).group_by(group)
    sizes = {str(name): int(size) for name, size in database.rows(query.order_by(group))}
    if sizes and sum(sizes.values()) / len(sizes) * _GROUPS <= most:
        names = rng.sample(list(sizes), len(sizes))
        before = accumulate((sizes[name] for name in names), initial=0)
        chosen = [name for name, had in zip(names, before, strict=False) if had < most]
        about = sa.select(DEBATES.c.item).distinct().where(of_run, group.in_(chosen)).order_by(DEBATES.c.item)
        return Drawn(tuple(map(str, database.scalars(about))), len(chosen), len(sizes))
    items = debates.items(most=debates.count_items())
    each = max(debates.count() / max(len(items), 1), 1.0)
    some = rng.sample(items, min(len(items), max(int(most / each), 1)))
    return Drawn(tuple(sorted(some)), 0, len(sizes))


class DrawnReader(Reader):
    """Reads the debates about some items of a run as if the run had no others."""

    def __init__(self, database: Database, run: str, drawn: Drawn) -> None:
        """Reads these debates at once. Raises StoreError."""
        super().__init__(database)
        self._drawn = DebateList(self, run).of_items(drawn.items)

    def rows(self, run: str) -> Iterator[dict[str, Any]]:  # noqa: ARG002 - as every reader has it
        """The debates that were drawn."""
        yield from self._drawn

    def not_ended(self, run: str) -> int:  # noqa: ARG002 - as every reader has it
        """None: what has not ended is not drawn."""
        return 0

    def head(self, head: RunHead) -> RunHead:
        """The run, with the counts of what was drawn."""
        counts = OutcomeCounts(Counter(outcome_of(row).name for row in self._drawn))
        return replace(head, verdicts=counts.verdicts, failures=counts[FAILURE], outcomes=counts.by_name)
