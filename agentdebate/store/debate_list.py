"""The debates of a run, a page at a time: filtered, sorted and counted by the database, which has an index of what is sorted by."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa

from agentdebate.store.damage import DamageLog
from agentdebate.store.database import Database, Unread
from agentdebate.store.debate_filter import EVERY, DebateFilter, conditions
from agentdebate.store.debate_order import DebateOrder
from agentdebate.store.rows import debate_row
from agentdebate.store.schema import DEBATES, ITEMS, RUNS, SCORES, TALKS

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
        of = sa.and_(SCORES.c.talk == DEBATES.c.talk, SCORES.c.name == order.name)
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
            first = valued.where(SCORES.c.talk.in_(self._first_talks(order, start + most)))
            found = list(self._page(first, by, start, most))
        if len(found) < most:  # scores may be there of debates that are to be held again
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

    def _first_talks(self, order: DebateOrder, most: int) -> "sa.Select[tuple[int]]":
        """The talks that come first by a score: found among the scores alone, before anything else is read of a debate."""
        query = sa.select(SCORES.c.talk).where(*self._scored(order))
        return query.order_by(order.directed(order.value), SCORES.c.talk).limit(most)

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
            return [SCORES.c.talk]
        return (
            [sa.literal_column("debates.rowid")] if self._database.dialect == "sqlite" else [DEBATES.c.talk]
        )

    def _valued(self, order: DebateOrder) -> "sa.Select[Any]":
        if not order.of_scores:
            return sa.select(DEBATES.c.id)
        same = sa.and_(DEBATES.c.run == TALKS.c.run, DEBATES.c.id == TALKS.c.debate)
        source = SCORES.join(TALKS, TALKS.c.number == SCORES.c.talk).join(DEBATES, same)
        return (
            sa.select(DEBATES.c.id)
            .select_from(source)
            .where(SCORES.c.run == self.number, SCORES.c.name == order.name)
        )

    def _unvalued(self, order: DebateOrder) -> "sa.Select[Any]":
        if not order.of_scores:
            return sa.select(DEBATES.c.id).where(order.value.is_(None))
        has = sa.exists().where(
            SCORES.c.talk == DEBATES.c.talk, SCORES.c.name == order.name, order.value.is_not(None)
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
