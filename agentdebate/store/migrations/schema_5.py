"""Whether an agent changed its mind in a debate, as a column, and indexes from which all scores of a run can be read."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from alembic import op

from agentdebate.store.damage import UNREADABLE, mapping

revision = "5"
down_revision = "4"

_VERDICTS = (
    "SELECT talks.run, talks.debate, messages.data FROM messages JOIN talks ON talks.number = messages.talk "
    "WHERE messages.kind = 'verdict'"
)
AT_ONCE = 500
"""Rows that are read at a time."""


def upgrade() -> None:
    """Add the column and the indexes, and find out about the debates that are there."""
    op.add_column("debates", sa.Column("changed", sa.Boolean(), nullable=True))
    connection = op.get_bind()
    changed = [{"run": run, "debate": debate} for run, debate in _changed_debates(connection)]
    connection.execute(sa.text("UPDATE debates SET changed = :no"), {"no": False})
    if changed:
        update = sa.text("UPDATE debates SET changed = :yes WHERE run = :run AND id = :debate")
        connection.execute(update, [{"yes": True, **one} for one in changed])
    op.create_index("debates_changed", "debates", ["run", "changed"])
    for name in ("score", "human"):
        op.drop_index(f"scores_{name}", "scores")
    op.create_index("scores_score", "scores", ["run", "name", "score", "talk", "human"])
    op.create_index("scores_human", "scores", ["run", "name", "human", "talk"])


def _changed_debates(connection: sa.Connection) -> Iterator[tuple[int, str]]:
    rows = connection.exec_driver_sql(_VERDICTS, execution_options={"yield_per": AT_ONCE})
    for run, debate, data in rows:
        if _changed(data):
            yield run, debate


def _changed(data: Any) -> bool:
    """Whether an agent gave different scores for one thing in the ballots of a verdict; of what cannot be read, not."""
    with suppress(*UNREADABLE):
        given = dict[tuple[str, str, str | None], float]()
        for cast in mapping(data)["ballots"]:
            for rating in cast["ballot"]["ratings"]:
                key = cast["agent"], rating["aspect"], rating.get("candidate")
                if given.setdefault(key, rating["score"]) != rating["score"]:
                    return True
    return False
