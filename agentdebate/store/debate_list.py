"""The debates of a run, a page at a time: filtered, sorted and counted by the database, which has an index of what is sorted by."""

import json
import math
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

import sqlalchemy as sa

from agentdebate.debates.outcome import FAILURE, OutcomeCounts, outcome_of
from agentdebate.errors import UsageError, nearest
from agentdebate.store._debates import DEBATES, SCORES, SORTED
from agentdebate.store._in_flight import plain_json
from agentdebate.store._runs import ITEMS, RUNS
from agentdebate.store.damage import DamageLog
from agentdebate.store.database import Database, Unread
from agentdebate.store.reader import Reader, RunHead
from agentdebate.store.rows import debate_row

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
    def by_index(self) -> bool:
        """Whether it asks for a value that an index may find few debates by, or for words."""
        return bool(self.find) or any(
            value is not None for value in (self.outcome, self.ended, self.group, self.system)
        )

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
        found.append(DEBATES.c.row.like(f'%"models":[%{_literal(plain_json(wanted.model))}%', escape="\\"))
    if wanted.tie:
        found.append(DEBATES.c.row.like(_TIE))
    if wanted.changed:
        found.append(DEBATES.c.changed == sa.true())
    if wanted.find:
        found.append(_found(wanted.find, run))
    if wanted.numbers is not None:
        found.append(among(DEBATES.c.number, wanted.numbers, dialect))
    if wanted.about_scores:
        found.append(DEBATES.c.id.in_(_with_scores(wanted, run)))
    return found


def among(column: "sa.Column[int]", numbers: Collection[int], dialect: str) -> "sa.ColumnElement[bool]":
    """That a column has one of these numbers, which may be very many."""
    if dialect == "sqlite":
        listed = sa.func.json_each(f"[{','.join(map(str, numbers))}]").table_valued("value")
        return column.in_(sa.select(listed.c.value))
    if dialect == "postgresql":
        return column == sa.any_(sa.cast(list(numbers), sa.ARRAY(sa.BigInteger)))
    return column.in_(numbers)


def _with_scores(wanted: DebateFilter, run: int) -> "sa.Select[tuple[str]]":
    """The debates that have a score as it is wanted."""
    found = [SCORES.c.run == run, *_within(SCORES.c.score, wanted.score)]
    if wanted.aspect is not None:
        found.append(SCORES.c.name == wanted.aspect)
    if wanted.apart is not None:
        found.append(sa.func.abs(SCORES.c.score - SCORES.c.human) >= wanted.apart)
    return sa.select(DEBATES.c.id).join(SCORES, SCORES.c.debate == DEBATES.c.number).where(*found)


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
    pattern, one = f"%{_literal(words)}%", DEBATES.alias("one")
    failed = sa.select(one.c.id).where(one.c.run == run, one.c.outcome == FAILURE.name)
    return sa.or_(_holds(DEBATES.c.id, pattern), DEBATES.c.id.in_(failed.where(_holds(one.c.row, pattern))))


def _holds(column: "sa.Column[str]", pattern: str) -> "sa.ColumnElement[bool]":
    return column.ilike(pattern, escape="\\")


def _literal(words: str) -> str:
    """Words as part of a pattern in which they mean themselves."""
    return words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


_BY_ID = DebateOrder()
_FEWEST = 3
"""Pairs from which on a correlation says anything."""
_HAIR = 1e-12
"""What is left of a spread that is none, by the rounding of sums."""
_FEW = 5_000
"""Debates that are sorted here, where an index of SQLite finds them and would not give them in order."""
_MANY = 200
"""Values of a column that are offered to choose from."""


@dataclass(frozen=True)
class DebatePart:
    """Some of the debates that a filter leaves, in order."""

    rows: Sequence[Mapping[str, Any]]
    """As Record.row() gave them, with "money" beside them."""
    start: int
    """The place of the first one among those that are left, from 0."""
    found: int | None = None
    """How many are left; None where listing some of them does not tell."""


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


class DebateList:
    """Lists the debates of one run that have ended. Every method raises StoreError."""

    def __init__(self, database: Database, run: str) -> None:
        self._database, self.run = database, run
        number = database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run))
        self.number: int = -1 if number is None else number
        self.damage = DamageLog(database.place)

    def __repr__(self) -> str:
        return f"<DebateList of {self.run!r}>"

    def count(self, wanted: DebateFilter = EVERY) -> int:
        """How many debates a filter leaves."""
        return int(
            self._database.scalar(sa.select(sa.func.count()).select_from(DEBATES).where(*self._where(wanted)))
        )

    def part(
        self, wanted: DebateFilter = EVERY, order: DebateOrder = _BY_ID, *, start: int = 0, most: int = 50
    ) -> DebatePart:
        """`most` of the debates that a filter leaves, from `start` on. What has no value to sort by comes last."""
        names, found = self._ids(wanted, order, start, most)
        return DebatePart(self._rows(names), start, found)

    def items(
        self, wanted: DebateFilter = EVERY, *, start: int = 0, most: int = 50, descending: bool = False
    ) -> list[str]:
        """The ids of the items that the debates which a filter leaves are about, in order."""
        if wanted == EVERY:
            column, query = ITEMS.c.id, sa.select(ITEMS.c.id).where(ITEMS.c.run == self.number)
        else:
            column, query = DEBATES.c.item, sa.select(DEBATES.c.item).distinct().where(*self._where(wanted))
        ordered = query.order_by(column.desc() if descending else column.asc()).offset(start).limit(most)
        return [str(item) for item in self._database.scalars(ordered)]

    def items_left(
        self, wanted: DebateFilter, *, start: int = 0, most: int = 50, descending: bool = False
    ) -> tuple[list[str], int]:
        """The same for a filter, with how many there are in all: the filter is gone through once for both."""
        left = sa.select(DEBATES.c.item).distinct().where(*self._where(wanted)).subquery().c.item
        query = sa.select(left, sa.func.count().over()).order_by(left.desc() if descending else left.asc())
        rows = self._database.rows(query.offset(start).limit(most))
        return [str(item) for item, _ in rows], int(rows[0][1]) if rows else self.count_items(wanted)

    def items_by(
        self, wanted: DebateFilter, order: DebateOrder, *, start: int = 0, most: int = 50
    ) -> list[str]:
        """The same by a score or a column: the best of an item's debates counts, or the worst where it is descending."""
        plain = wanted == EVERY and not isinstance(order.value.type, sa.Boolean)
        found = self._first_items(order, start + most) if plain else None
        if found is not None:
            return found[start:]
        of_one = sa.cast(order.value, sa.Integer) if isinstance(order.value.type, sa.Boolean) else order.value
        value = sa.func.max(of_one) if order.descending else sa.func.min(of_one)
        query = sa.select(DEBATES.c.item).select_from(self._source(order)).where(*self._where(wanted))
        query = query.group_by(DEBATES.c.item).order_by(order.directed(value).nulls_last(), DEBATES.c.item)
        return [str(item) for item in self._database.scalars(query.offset(start).limit(most))]

    def count_items(self, wanted: DebateFilter = EVERY) -> int:
        """How many items the debates are about which a filter leaves."""
        if wanted == EVERY:
            query = sa.select(sa.func.count()).select_from(ITEMS).where(ITEMS.c.run == self.number)
        else:
            query = sa.select(sa.func.count(DEBATES.c.item.distinct())).where(*self._where(wanted))
        return int(self._database.scalar(query))

    def of_items(self, items: Sequence[str]) -> list[dict[str, Any]]:
        """The debates about these items."""
        if not items:
            return []
        query = sa.select(DEBATES.c.id, DEBATES.c.money, DEBATES.c.row)
        where = [DEBATES.c.run == self.number, DEBATES.c.item.in_(items)]
        if (
            self._database.dialect == "sqlite"
        ):  # compares bytes, so that the table's key leads there, item by item
            listed = sa.func.json_each(json.dumps(list(items))).table_valued("value")
            query = query.select_from(listed)
            where += [DEBATES.c.id >= listed.c.value + "/", DEBATES.c.id < listed.c.value + "0"]
        return list(self._read(query.where(*where).order_by(DEBATES.c.id)))

    def values(self, column: str) -> list[str]:
        """The distinct values of a column that is sorted by, the first so many."""
        found = list[str]()
        of = DEBATES.c[column]
        query = sa.select(sa.func.min(of)).where(DEBATES.c.run == self.number, of > sa.bindparam("last"))
        last = ""
        while (
            len(found) < _MANY
        ):  # from one to the next by the index, without looking at those that are alike
            following = self._database.scalar(query, {"last": last})
            if following is None:
                break
            last = str(following)
            found.append(last)
        return found

    def score_names(self) -> list[str]:
        """The names of the scores: the aspects, or aspects of candidates."""
        found = list[str]()
        query = sa.select(sa.func.min(SCORES.c.name)).where(
            SCORES.c.run == self.number, SCORES.c.name > sa.bindparam("last")
        )
        while len(found) < _MANY:
            following = self._database.scalar(query, {"last": found[-1] if found else ""})
            if following is None:
                break
            found.append(str(following))
        return found

    def means(self) -> list[ScoreMeans]:
        """The means of all scores by name."""
        return [self._means(name) for name in self.score_names()]

    def sums(self) -> Mapping[str, float | None]:
        """What all debates cost together: calls, tokens, money, and how many have no known price."""
        found = dict[str, float | None]()
        for name in ("calls", "tokens", "money", "seconds"):
            of = sa.select(sa.func.sum(DEBATES.c[name])).where(DEBATES.c.run == self.number)
            total = self._database.scalar(of.where(DEBATES.c[name].is_not(None)))
            # A server adds up whole numbers into a decimal, with which no float can be divided.
            found[name] = total if total is None or isinstance(total, float) else int(total)
        found["priced"] = self._database.scalar(
            sa.select(sa.func.count()).where(DEBATES.c.run == self.number, DEBATES.c.money.is_not(None))
        )
        return found

    def _means(self, name: str) -> ScoreMeans:
        """All of it in one pass over an index in which equal scores are side by side: these are counted, and multiplied once."""
        score, human = SCORES.c.score, SCORES.c.human
        sums = (sa.func.count(), sa.func.count(human), sa.func.sum(human), sa.func.sum(human * human))
        of_name = (SCORES.c.run == self.number, SCORES.c.name == name)
        equal = sa.select(score, *(one.label(str(place)) for place, one in enumerate(sums)))
        x, count, p, sy, syy = equal.where(*of_name).group_by(score).subquery().c
        added = map(sa.func.sum, (count, p, sy, syy, x * count, x * p, x * x * p, x * sy))
        rows = self._database.rows(sa.select(x.is_not(None), *added).group_by(x.is_not(None)))
        found = {bool(scored): [float(one or 0) for one in row] for scored, *row in rows}
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
        )

    def _where(self, wanted: DebateFilter) -> list["sa.ColumnElement[bool]"]:
        return conditions(wanted, self.number, self._database.dialect)

    def _source(self, order: DebateOrder) -> "sa.FromClause":
        """The debates, with the score that they are sorted by."""
        if not order.of_scores:
            return DEBATES
        of = sa.and_(SCORES.c.debate == DEBATES.c.number, SCORES.c.name == order.name)
        return DEBATES.outerjoin(SCORES, of)

    def _ids(
        self, wanted: DebateFilter, order: DebateOrder, start: int, most: int
    ) -> tuple[list[str], int | None]:
        """The ids of a part, and how many there are in all, where that is known then."""
        few = self._few(wanted) if order.by == "id" else None
        if few is None:
            return list(self._ordered(wanted, order, start, most)), None
        return sorted(few, reverse=order.descending)[start : start + most], len(few)

    def _ordered(self, wanted: DebateFilter, order: DebateOrder, start: int, most: int) -> Iterator[str]:
        """The ids of a part: first of the debates with a value, by the index, and then of those without."""
        where = self._where(wanted)
        if order.by == "id":
            yield from self._page(
                sa.select(DEBATES.c.id).where(*where), [order.directed(DEBATES.c.id)], start, most
            )
            return
        valued = self._valued(order).where(*where, order.value.is_not(None))
        by = [order.directed(order.value), *self._ties(order)]
        found: list[str] = []
        if wanted == EVERY and order.of_scores:
            first = valued.where(SCORES.c.debate.in_(self._first_numbers(order, start + most)))
            found = list(self._page(first, by, start, most))
        if len(found) < most:
            found = list(self._page(valued, by, start, most))
        yield from found
        if len(found) < most:
            count = sa.select(sa.func.count()).select_from(valued.subquery())
            ahead = 0 if found else start - int(self._database.scalar(count))
            yield from self._page(
                self._unvalued(order).where(*where), [DEBATES.c.id.asc()], max(ahead, 0), most - len(found)
            )

    def _first_items(self, order: DebateOrder, most: int) -> list[str] | None:
        """The first so many items of all, from the debates alone that come first; None where fewer items have a value."""
        debates = most
        while (last := self._value_at(order, debates - 1)) is not None:
            reached = order.value >= last if order.descending else order.value <= last
            best = (sa.func.max if order.descending else sa.func.min)(order.value)
            query = self._valued(order).with_only_columns(DEBATES.c.item, maintain_column_froms=True)
            query = query.where(DEBATES.c.run == self.number, reached).group_by(DEBATES.c.item)
            items = self._database.scalars(query.order_by(order.directed(best), DEBATES.c.item).limit(most))
            if len(items) == most:
                return [str(item) for item in items]
            debates *= 2
        return None

    def _first_numbers(self, order: DebateOrder, most: int) -> "sa.Select[tuple[int]]":
        """The debates that come first by a score: found among the scores alone, before anything else is read of a debate."""
        query = sa.select(SCORES.c.debate).where(*self._scored(order))
        return query.order_by(order.directed(order.value), SCORES.c.debate).limit(most)

    def _scored(self, order: DebateOrder) -> tuple["sa.ColumnElement[bool]", ...]:
        """What holds of the scores that are sorted by."""
        return SCORES.c.run == self.number, SCORES.c.name == order.name, order.value.is_not(None)

    def _value_at(self, order: DebateOrder, place: int) -> Any:
        """The value of the debate that comes at that place; None where fewer have one."""
        of_debates = (DEBATES.c.run == self.number, order.value.is_not(None))
        query = sa.select(order.value).where(*(self._scored(order) if order.of_scores else of_debates))
        return self._database.scalar(query.order_by(order.directed(order.value)).offset(place).limit(1))

    def _few(self, wanted: DebateFilter) -> list[str] | None:
        """The debates that a filter leaves, in any order, where they are few; None where that is not known.

        SQLite would go through all debates in the order of their ids, rather than sort a few that it finds by an index.
        """
        if self._database.dialect != "sqlite" or not wanted.by_index:
            return None
        query = sa.select(DEBATES.c.id).where(*self._where(wanted)).limit(_FEW + 1)
        found = [str(name) for name in self._database.scalars(query)]
        return found if len(found) <= _FEW else None

    def _ties(self, order: DebateOrder) -> list["sa.ColumnElement[Any]"]:
        """What orders debates that are alike, as the index has it, or nothing would be gained by it."""
        if order.of_scores:
            return [SCORES.c.debate]
        return [DEBATES.c.number]

    def _valued(self, order: DebateOrder) -> "sa.Select[Any]":
        if not order.of_scores:
            return sa.select(DEBATES.c.id)
        source = SCORES.join(DEBATES, DEBATES.c.number == SCORES.c.debate)
        return (
            sa.select(DEBATES.c.id)
            .select_from(source)
            .where(SCORES.c.run == self.number, SCORES.c.name == order.name)
        )

    def _unvalued(self, order: DebateOrder) -> "sa.Select[Any]":
        if not order.of_scores:
            return sa.select(DEBATES.c.id).where(order.value.is_(None))
        has = sa.exists().where(
            SCORES.c.debate == DEBATES.c.number, SCORES.c.name == order.name, order.value.is_not(None)
        )
        return sa.select(DEBATES.c.id).where(~has)

    def _page(
        self, query: "sa.Select[Any]", order: Sequence["sa.ColumnElement[Any]"], start: int, most: int
    ) -> Iterator[str]:
        return iter(list(map(str, self._database.scalars(query.order_by(*order).offset(start).limit(most)))))

    def _rows(self, names: Sequence[str]) -> list[Mapping[str, Any]]:
        """The rows of debates, in this order."""
        query = sa.select(DEBATES.c.id, DEBATES.c.money, DEBATES.c.row).where(
            DEBATES.c.run == self.number, DEBATES.c.id.in_(names)
        )
        found = {row["debate"]: row for row in self._read(query.order_by(DEBATES.c.id))} if names else {}
        return [found[name] for name in names if name in found]

    def _read(self, query: "sa.Select[Any]") -> Iterator[dict[str, Any]]:
        for row in self._database.stream(query, (DEBATES.c.id,)):
            if isinstance(row, Unread):
                self.damage.note(f"run {self.run}: the debate {row.key[0]!r} is damaged: {row.problem}")
                continue
            for said in self.damage.kept(partial(debate_row, self.run, row["id"], row["row"])):
                yield {**said, "money": row["money"]}


def _correlation(n: float, of_y: tuple[float, float], of_x: Sequence[float]) -> float | None:
    """Pearson's r of so many pairs: by the sums of y and its squares, and those of x, its squares and its products with y."""
    (sy, syy), (sx, sxx, sxy) = of_y, of_x
    spread = (n * sxx - sx * sx) * (n * syy - sy * sy)
    if n < _FEWEST or spread <= _HAIR * max(n * sxx, 1.0) * max(n * syy, 1.0):
        return None
    return (n * sxy - sx * sy) / math.sqrt(spread)


_GROUPS = 20
"""Groups that a draw has at least, or items are drawn from all groups."""
_BATCH = 500


@dataclass(frozen=True)
class Drawn:
    """Items of a run, and how they were drawn."""

    items: tuple[str, ...]
    groups: int
    """How many groups were drawn, each with all its items; 0 where items were drawn, whatever their group."""
    of_groups: int


class DrawnReader(Reader):
    """Reads the debates about some items of a run as if the run had no others."""

    def __init__(self, database: Database, rows: Sequence[dict[str, Any]]) -> None:
        super().__init__(database)
        self._drawn = rows

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


def draw(database: Database, run: str, most: int, *, seed: int = 0) -> Drawn:
    """Items with about so many debates: whole groups where they are small, so that these keep all their systems. Raises StoreError."""
    debates, rng = DebateList(database, run), random.Random(seed)  # noqa: S311 - nothing secret
    of_run = DEBATES.c.run == debates.number
    group = DEBATES.c.item_group
    query = sa.select(group, sa.func.count()).where(of_run, group.is_not(None)).group_by(group)
    sizes = {str(name): int(size) for name, size in database.rows(query.order_by(group))}
    whole = sum(sizes.values())
    if sizes and whole / len(sizes) * _GROUPS <= most:
        names = rng.sample(list(sizes), len(sizes))
        chosen = list(_until(names, sizes, most))
        about = sa.select(DEBATES.c.item).distinct().where(of_run, group.in_(chosen)).order_by(DEBATES.c.item)
        return Drawn(tuple(map(str, database.scalars(about))), len(chosen), len(sizes))
    items = debates.items(most=debates.count_items())
    each = max(debates.count() / max(len(items), 1), 1.0)
    some = rng.sample(items, min(len(items), max(int(most / each), 1)))
    return Drawn(tuple(sorted(some)), 0, len(sizes))


def _until(names: Iterable[str], sizes: dict[str, int], most: int) -> Iterator[str]:
    """The first groups that have so many debates together."""
    had = 0
    for name in names:
        if had >= most:
            return
        had += sizes[name]
        yield name


def drawn_reader(database: Database, run: str, drawn: Drawn) -> DrawnReader:
    """A reader of the debates about the items that were drawn. Raises StoreError."""
    debates, items = DebateList(database, run), iter(drawn.items)
    rows = list[dict[str, Any]]()
    while some := list(islice(items, _BATCH)):
        rows += debates.of_items(some)
    return DrawnReader(database, rows)
