"""The tables of debates that have ended, of their scores and of what they cost: narrow, so that all of a run are added up at once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import sqlalchemy as sa

from agentdebate.debates.outcome import outcome_of
from agentdebate.models.base import Completion
from agentdebate.store._in_flight import checksum, plain_json
from agentdebate.store.schema import METADATA, NUMBER, batches, run_column
from agentdebate.talk.messages import Verdict
from agentdebate.usage import Usage

DEBATES = sa.Table(
    "debates",
    METADATA,
    sa.Column("number", NUMBER, primary_key=True),  # of all debates that have ended, in any run
    sa.Column("run", NUMBER, nullable=False),
    sa.Column("id", sa.Text, nullable=False),  # the debate's id within its run
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("item_group", sa.Text),  # the item's group, as its data gave it
    sa.Column("system", sa.Text),  # what made the text that was judged
    sa.Column("outcome", sa.Text, nullable=False),  # verdict, curtailed, failure, ... (outcome.py)
    sa.Column("ended", sa.Text),  # what ended it: agreement, round limit, ...
    sa.Column("settled", sa.Boolean),  # whether the agents agreed
    sa.Column("changed", sa.Boolean),  # whether an agent cast two ballots that differ
    sa.Column("rounds", sa.Integer),
    sa.Column("calls", sa.Integer),
    sa.Column("tokens", sa.BigInteger),  # of prompts and completions
    sa.Column("money", sa.Double),  # null where a price is not known
    sa.Column("seconds", sa.Double),
    sa.Column("said", sa.Integer, nullable=False),  # how many messages its documents have
    sa.Column("asked", sa.Integer, nullable=False),  # how many model calls its documents have
    sa.Column(
        "row_sum", sa.BigInteger, nullable=False, server_default="0"
    ),  # of the debate's row here and those of its scores and costs
    sa.Column("row", sa.Text, nullable=False),  # Record.row() as JSON
    sa.UniqueConstraint("run", "id"),
    sqlite_autoincrement=True,
)

SORTED = (
    *("outcome", "item_group", "system", "ended", "settled", "changed"),
    *("rounds", "calls", "tokens", "money", "seconds"),
)
"""The columns that have an index within their run."""

SCORES = sa.Table(
    "scores",
    METADATA,
    sa.Column("debate", NUMBER, primary_key=True, autoincrement=False),  # the debate's number
    sa.Column("name", sa.Text, primary_key=True),  # the aspect, or aspect.candidate
    sa.Column("run", NUMBER, nullable=False),
    sa.Column("score", sa.Double),  # the verdict's
    sa.Column("human", sa.Double),  # people's
    sqlite_with_rowid=False,
)

COUNTS = tuple(one.name for one in fields(Usage))
"""Names of the counts of calls and their tokens."""

COSTS = sa.Table(
    "costs",
    METADATA,
    run_column(),
    sa.Column("agent", sa.Text, primary_key=True),  # without the number of its sitting
    sa.Column(
        "model",
        sa.Text,
        primary_key=True,  # as its replies name it; empty where none was used
    ),
    sa.Column("served", sa.Text, primary_key=True),  # as the endpoint calls it
    sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("cached", sa.Boolean, primary_key=True),  # whether our own cache gave it
    sa.Column("debate", NUMBER, primary_key=True, autoincrement=False),  # the debate's number
    *(sa.Column(name, sa.BigInteger, nullable=False) for name in COUNTS),
    sa.Column("seconds", sa.Double, nullable=False),  # of waiting for the model
    sqlite_with_rowid=False,
)
"""Costs of each debate's calls. Its key leads through a run group by group, so that sums need no sorting."""

for _name in SORTED:
    sa.Index(f"debates_{_name}", DEBATES.c.run, DEBATES.c[_name])
# What is added up and compared over all debates of a run is read from the first of these two, and not from the table.
sa.Index("scores_score", SCORES.c.run, SCORES.c.name, SCORES.c.score, SCORES.c.debate, SCORES.c.human)
sa.Index("scores_human", SCORES.c.run, SCORES.c.name, SCORES.c.human, SCORES.c.debate)

LONGEST = 200
"""Characters of a text by which debates are sorted: databases refuse an index of long ones. The row has all of it."""


_SUMMED = [
    [column.name for column in table.columns if column.name not in {"number", "run", "debate", "row_sum"}]
    for table in (DEBATES, SCORES, COSTS)
]
"""Columns that the checksum of a debate covers: all but what each store gives itself."""


def cost_rows(
    calls: Iterable[tuple[str, int, Completion]], models: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Sum up the costs of calls by agent, round and model; `models` has what the replies call the model of an agent."""
    sums: dict[tuple[str, str, str, int, bool], tuple[Usage, float]] = {}
    for sitting, round_, completion in calls:
        agent = sitting.partition("#")[0]
        texts = _plain(agent), _plain(models.get(agent, "")), _plain(completion.model)
        key = *texts, round_, completion.cached
        usage, seconds = sums.get(key, (Usage(), 0.0))
        sums[key] = usage + completion.usage, seconds + completion.latency
    names = ("agent", "model", "served", "round", "cached")
    return [
        {**dict(zip(names, key, strict=True)), **asdict(usage), "seconds": seconds}
        for key, (usage, seconds) in sums.items()
    ]


def debate_sum(
    debate: Mapping[Any, Any], scores: Iterable[Mapping[Any, Any]], costs: Iterable[Mapping[Any, Any]]
) -> int:
    """The checksum of a debate's rows in these tables, whatever database numbers them."""
    rows = zip(_SUMMED, ([debate], scores, costs), strict=True)
    return checksum(repr([sorted([_told(row, names) for row in of_table]) for names, of_table in rows]))


def _told(row: Mapping[Any, Any], names: Sequence[str]) -> str:
    """A row as a text that is the same before it is entered and afterwards: numbers come back from a database as it likes."""
    values = [row.get(name) for name in names]
    return repr([one if one is None or isinstance(one, str) else float(one) for one in values])


def numbers_of(connection: sa.Connection, run: int, debates: Iterable[str]) -> dict[str, int]:
    """The numbers of debates of a run that have ended, by their ids."""
    query = sa.select(DEBATES.c.id, DEBATES.c.number).where(DEBATES.c.run == run)
    found = (connection.execute(query.where(DEBATES.c.id.in_(some))) for some in batches(debates))
    return {debate: number for rows in found for debate, number in rows}


def debate_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A debate that has ended, by column, from Record.row()."""
    return {
        "item_group": _sortable(row["group"]),
        "system": _sortable(row["system"]),
        "outcome": outcome_of(row).name,
        "ended": _sortable(row["ended"]),
        "settled": row["settled"],
        "changed": None,
        "rounds": row["rounds"],
        "calls": row["calls"],
        "tokens": row["prompt_tokens"] + row["completion_tokens"],
        "money": None,
        "seconds": row["seconds"],
        "row": plain_json(row),
    }


def changed_in_talk(verdict: Verdict | None) -> bool:
    """Tell whether an agent has cast two ballots that give different scores for the same thing."""
    given = dict[tuple[str, str], float]()
    for one in verdict.ballots if verdict else ():
        for name, score in one.ballot.scores.items():
            if given.setdefault((one.agent, name), score) != score:
                return True
    return False


def score_rows(row: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """The verdict's scores beside people's, by the name of the aspect, or of an aspect of a candidate."""
    scores, people = row["scores"], row["human"]
    for name in dict.fromkeys((*scores, *people)):
        if is_plain(name):
            yield {"name": name[:LONGEST], "score": scores.get(name), "human": people.get(name)}


def is_plain(text: str) -> bool:
    """Tell whether every database takes the text as it is: half a character is not UTF-8, and PostgreSQL refuses NUL."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def _plain(text: str) -> str:
    """A text as every database takes it, and an index."""
    return (text if is_plain(text) else ascii(text)[1:-1])[:LONGEST]


def _sortable(text: str | None) -> str | None:
    return text[:LONGEST] if text is not None and is_plain(text) else None
