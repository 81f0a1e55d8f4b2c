"""The debates of a stored run, or of a table of recorded rounds, as talks; and what they came to round by round."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from agentdebate.debates.outcome import OutcomeCounts, outcome_of
from agentdebate.meta.judgements import Choices, Judgements
from agentdebate.meta.run_rows import judged, people_judged
from agentdebate.meta.talk import Stand, Talk, Value, talk_of, voted
from agentdebate.store.reader import Reader, RunHead
from agentdebate.tasks import Task


@dataclass(frozen=True)
class Talks:
    """The talks of the debates that came to a judgement, and how many did not."""

    talks: tuple[Talk, ...]
    ended: OutcomeCounts
    """Numbers of the ended debates by their ending."""
    not_ended: int


def talks_of(reader: Reader, head: RunHead) -> Talks:
    """Read the debates of a run. Those without a judgement are counted and left out."""
    rows = {row["debate"]: row for row in reader.rows(head.id)}
    tasks = head.tasks()
    talks, begun = [], 0
    for debate, said in groupby(reader.said(head.id), lambda one: one[0]):
        begun += debate not in rows
        row = rows.get(debate)
        if row is not None and outcome_of(row).judged:
            transcript = [message for _, message in said]
            talks.append(
                talk_of(
                    transcript,
                    debate=debate,
                    human=row["human"],
                    ranks=_ranks(tasks.get(row["task"])),
                )
            )
    ended = Counter(outcome_of(row).name for row in rows.values())
    return Talks(tuple(talks), OutcomeCounts(ended), begun)


def _ranks(task: Task | None) -> frozenset[str]:
    return frozenset(aspect.name for aspect in task.aspects if aspect.rank) if task else frozenset()


def by_round(
    rows: Sequence[Mapping[str, Any]], talks: Sequence[Talk]
) -> Iterator[tuple[int, tuple[Judgements | Choices, ...]]]:
    """For each round in which ballots were cast, what the last ballots of all agents come to by then, beside people's scores.

    The ballots are averaged, each with the same weight, whatever the strategy does at its end. A debate that has no ballot by
    then is a row without a score.
    """
    for number in sorted({stand.round for talk in talks for stand in talk.stands}):
        values = {talk.debate: _by(talk, number) for talk in talks}
        yield number, people_judged(judged(rows, f"round {number}", instead=values))


def _by(talk: Talk, number: int) -> Mapping[str, Value]:
    last: dict[str, Stand] = {stand.agent: stand for stand in talk.stands if stand.round <= number}
    return voted(tuple(last.values()), talk.about, ranks=talk.ranks) if last else {}
