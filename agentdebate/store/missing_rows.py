"""Rows that are missing from a run: calls and messages that were there, by what the rest of their debate says of them.

Both are numbered from 1. Where the last ones are missing, how the debate ended tells of it: its row says how many calls it took,
and its last message is the verdict. More calls than that may be there, of a process that was killed.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import sqlalchemy as sa

from agentdebate.debates.outcome import FAILURE
from agentdebate.errors import StoreError
from agentdebate.store.damage import Damage
from agentdebate.store.database import Database, Unread
from agentdebate.store.rows import debate_row, spent_on
from agentdebate.store.schema import CALLS, DEBATES, MESSAGES, RUNS, TALKS
from agentdebate.store.statements import batches

_SEVERAL = 200
"""Debates that are looked at together."""

_NOTHING = "[]"
"""What a call was shown that serves other debates as well: these count it, and it is not among theirs."""

Row = dict[str, Any]


class _Said(NamedTuple):
    """The messages of a debate: how many there are, the number of the last, and that of the verdict."""

    there: int
    last: int | None
    verdict: int | None


class MissingRows:
    """Finds what is missing from the debates of a run."""

    def __init__(self, database: Database, run: str) -> None:
        self._database, self._run = database, run
        self._number = database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run))

    def __repr__(self) -> str:
        return f"<MissingRows of {self._run!r}>"

    def problems(self) -> Iterator[str]:
        """What is missing, in words."""
        between = dict(self._calls_between())
        for debate, problem in between.items():
            yield self._told(debate, problem)
        ended = self._ended()
        while some := list(islice(ended, _SEVERAL)):
            yield from self._of_messages([row for row in some if _ends_with_verdict(row)])
            yield from self._of_last_calls([row for row in some if row["debate"] not in between])

    def _calls_between(self) -> Iterator[tuple[str, str]]:
        """The debates with a gap in the numbers of their calls, those that have not ended among them, and none that failed: where
        a call cannot be stored, its debate fails.
        """
        failed = sa.select(DEBATES.c.talk).where(
            DEBATES.c.run == self._number, DEBATES.c.outcome == FAILURE.name
        )
        query = sa.select(TALKS.c.number, TALKS.c.debate).join(CALLS, CALLS.c.talk == TALKS.c.number)
        query = query.where(TALKS.c.run == self._number, TALKS.c.number.not_in(failed), CALLS.c.number >= 1)
        query = query.group_by(TALKS.c.number, TALKS.c.debate)
        for talk, debate in self._database.rows(query.having(sa.func.count() != sa.func.max(CALLS.c.number))):
            yield from ((debate, problem) for problem in self._gap(CALLS.c.number, talk, "call"))

    def _ended(self) -> Iterator[Row]:
        """The debates that have ended, as `Record.row()` gave them, with the number of their talks. Others are read elsewhere."""
        query = sa.select(DEBATES.c.id, DEBATES.c.talk, DEBATES.c.row).where(DEBATES.c.run == self._number)
        for row in self._database.stream(query.order_by(DEBATES.c.id), (DEBATES.c.id,)):
            if isinstance(row, Unread):
                continue
            try:
                yield {**debate_row(self._run, row["id"], row["row"]), "talk": row["talk"]}
            except StoreError:  # which the reader of debates tells
                continue

    def _of_messages(self, rows: Sequence[Row]) -> Iterator[str]:
        said = self._said([row["talk"] for row in rows])
        for row in rows:
            messages = said.get(row["talk"], _Said(0, None, None))
            if messages.verdict is None or messages.verdict != messages.last:
                yield self._told(row["debate"], "its last messages are not there: the verdict is missing")
            elif messages.there != messages.last:
                for problem in self._gap(MESSAGES.c.seq, row["talk"], "message"):
                    yield self._told(row["debate"], problem)

    def _said(self, talks: Sequence[int]) -> dict[int, _Said]:
        verdict = sa.func.max(sa.case((MESSAGES.c.kind == "verdict", MESSAGES.c.seq)))
        query = sa.select(MESSAGES.c.talk, sa.func.count(), sa.func.max(MESSAGES.c.seq), verdict)
        query = query.where(MESSAGES.c.seq >= 1)
        found: dict[int, _Said] = {}
        for some in batches(talks):
            rows = self._database.rows(query.where(MESSAGES.c.talk.in_(some)).group_by(MESSAGES.c.talk))
            found.update({talk: _Said(*values) for talk, *values in rows})
        return found

    def _of_last_calls(self, rows: Sequence[Row]) -> Iterator[str]:
        asked = self._asked([row["talk"] for row in rows])
        for row in rows:
            there = asked.get(row["talk"], 0)
            wanted = row["calls"] + (row.get("cached_calls") or 0)  # which older rows do not say
            if there is not None and there < wanted and not self._has_common_calls:
                yield self._told(row["debate"], f"it took {wanted} calls, and {there} of them are there")

    def _asked(self, talks: Sequence[int]) -> dict[int, int | None]:
        """How many calls are there, by the numbers of their talks; None where one cannot be read."""
        columns = CALLS.c.talk, CALLS.c.number, CALLS.c.agent, CALLS.c.completion, TALKS.c.debate
        query = sa.select(*columns).join(TALKS, TALKS.c.number == CALLS.c.talk)
        key = CALLS.c.talk, CALLS.c.number
        found: dict[int, int | None] = {}
        for some in batches(talks):
            for row in self._database.stream(query.where(CALLS.c.talk.in_(some)).order_by(*key), key):
                talk = row.key[0] if isinstance(row, Unread) else row["talk"]
                found[talk] = self._more(found.get(talk, 0), row)
        return found

    def _more(self, so_far: int | None, row: "sa.RowMapping | Unread") -> int | None:
        if so_far is None or isinstance(row, Unread):
            return None
        try:
            _, _, usage, _ = spent_on(self._run, row)
        except StoreError:  # which the reader of calls tells
            return None
        return so_far + usage.calls

    @cached_property
    def _has_common_calls(self) -> bool:
        query = sa.select(CALLS.c.number).join(TALKS, TALKS.c.number == CALLS.c.talk)
        query = query.where(TALKS.c.run == self._number, CALLS.c.shown == _NOTHING)
        return bool(self._database.rows(query.limit(1)))

    def _gap(self, number: "sa.Column[int]", talk: int, what: str) -> Iterator[str]:
        """What is missing from the numbers of a debate's calls, or messages."""
        query = sa.select(number).where(number.table.c.talk == talk, number >= 1).order_by(number)
        for wanted, there in enumerate(self._database.scalars(query), start=1):
            if there != wanted:
                yield f"{what} {wanted} is not there, and {what} {there} is"
                return

    def _told(self, debate: str, problem: str) -> str:
        return str(Damage(self._run, f"the debate {debate!r}", problem))


def _ends_with_verdict(row: Row) -> bool:
    """Whether a debate's messages can be counted on: where one could not be written, its sender failed, or all of the debate."""
    return row["outcome"] != FAILURE.name and not row.get("lost")
