"""The narrow rows of a debate that has ended: its own, those of its scores and of its costs, and the checksum of all of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from agentdebate.debates.outcome import outcome_of
from agentdebate.models.base import Completion
from agentdebate.store.documents import checksum, plain_json
from agentdebate.store.schema import COSTS, DEBATES, SCORES
from agentdebate.talk.messages import Verdict
from agentdebate.usage import Usage

LONGEST = 200
"""Characters of a text by which debates are sorted: databases refuse an index of long ones. The row has all of it."""

_SUMMED = [
    [column.name for column in table.columns if column.name not in {"number", "run", "debate", "row_sum"}]
    for table in (DEBATES, SCORES, COSTS)
]
"""Columns that the checksum of a debate covers: all but what each store gives itself."""


def debate_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A debate that has ended, by column, from Record.row()."""
    same = ("settled", "rounds", "calls", "seconds")
    return {
        **{name: row[name] for name in same},
        "item_group": _narrow(row["group"]),
        "system": _narrow(row["system"]),
        "outcome": outcome_of(row).name,
        "ended": _narrow(row["ended"]),
        "changed": None,
        "tokens": row["prompt_tokens"] + row["completion_tokens"],
        "money": None,
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


def score_rows(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The verdict's scores beside people's, by the name of the aspect, or of an aspect of a candidate."""
    scores, people = row["scores"], row["human"]
    names = dict.fromkeys((*scores, *people))
    return [{"name": _narrow(name), "score": scores.get(name), "human": people.get(name)} for name in names]


def cost_rows(
    calls: Iterable[tuple[str, int, Completion]], models: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Sum up the costs of calls by agent, round and model; `models` has what the replies call the model of an agent."""
    sums: dict[tuple[Any, ...], tuple[Usage, float]] = {}
    for sitting, round_, completion in calls:
        agent = sitting.partition("#")[0]
        texts = map(_narrow, (agent, models.get(agent, ""), completion.model))
        key = (*texts, round_, completion.cached)
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


def _narrow(text: str | None) -> str | None:
    """A text as every database and its index take it: half a character is not UTF-8, and PostgreSQL refuses NUL."""
    if text is None:
        return None
    return text.replace("\0", r"\0").encode(errors="backslashreplace").decode()[:LONGEST]
