"""Which debates of a run are wanted, as conditions that the database can answer."""

from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa

from agentdebate.debates.outcome import FAILURE
from agentdebate.store.encoding import data_json
from agentdebate.store.schema import DEBATES, SCORES, TALKS

_LOOKED_UP = 10_000
"""Talks up to which their debates are looked up one by one, rather than all debates looked at."""

Range = tuple[float | None, float | None]
"""The least and the most, both included; None where there is no bound."""

ANY: Range = (None, None)

_TIE = '%"winner": null, "winners": ["%'
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
    talks: tuple[int, ...] | None = None
    """The numbers of the talks that are wanted, where something else has found them out."""

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
        found.append(DEBATES.c.row.like(f'%"models": [%{_literal(data_json(wanted.model))}%', escape="\\"))
    if wanted.tie:
        found.append(DEBATES.c.row.like(_TIE))
    if wanted.changed:
        found.append(DEBATES.c.changed == sa.true())
    if wanted.find:
        found.append(_found(wanted.find, run))
    if wanted.talks is not None:
        found.append(_of_talks(wanted.talks, run, dialect))
    if wanted.about_scores:
        found.append(DEBATES.c.id.in_(_with_scores(wanted, run)))
    return found


def _of_talks(talks: Collection[int], run: int, dialect: str) -> "sa.ColumnElement[bool]":
    """That a debate has one of these talks: of a part of all they are looked up, as there is no index by the number of the talk."""
    if not talks:
        return sa.false()
    if len(talks) > _LOOKED_UP:
        return among(DEBATES.c.talk, talks, dialect)
    named = sa.select(TALKS.c.debate).where(TALKS.c.run == run, among(TALKS.c.number, talks, dialect))
    return DEBATES.c.id.in_(named)


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
    return sa.select(TALKS.c.debate).join(SCORES, SCORES.c.talk == TALKS.c.number).where(*found)


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
