"""The debates of a stored run, or of a table of recorded rounds, as talks; and what they came to round by round.

A table has a row for every ballot, its item, round, agent and value, whatever tool held the debate. The agents of a round are
taken to have heard all others of the round before, and nothing else: a table says no more.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.datasets.row import Row
from agentdebate.debates.outcome import OutcomeCounts, outcome_of
from agentdebate.errors import UsageError
from agentdebate.meta.fields import check_field, choice_of, name_in, score_in, score_of, value_in
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.long_table import PEOPLE, Judgement, by_text
from agentdebate.meta.run_rows import judged, people_judged
from agentdebate.meta.talk import Hearing, Stand, Talk, Value, talk_of, voted
from agentdebate.store.reader import Reader, RunHead

HEARD = "Each agent is taken to have heard all others of the round before, as the table does not say who heard whom."
"""Note beside figures of recorded rounds."""
AGENT, VERDICT = "agent", "verdict"
"""Judges of the rows of recorded rounds, beside people."""


@dataclass(frozen=True)
class Talks:
    """The talks of the debates that came to a judgement, and how many did not."""

    talks: tuple[Talk, ...]
    ended: OutcomeCounts
    """Numbers of the ended debates by their ending."""
    not_ended: int


def talks_of(reader: Reader, head: RunHead) -> Talks:
    """Read the debates of a run. Those without a judgement are counted and left out."""
    rows, tasks = {row["debate"]: row for row in reader.rows(head.id)}, head.tasks()
    ranks = {name: frozenset(one.name for one in task.aspects if one.rank) for name, task in tasks.items()}
    talks, begun = [], 0
    for debate, said in groupby(reader.said(head.id), lambda one: one[0]):
        row = rows.get(debate)
        begun += row is None
        if row is not None and outcome_of(row).judged:
            transcript = [message for _, message in said]
            found = talk_of(transcript, debate=debate, human=row["human"], ranks=ranks.get(row["task"], ()))
            talks.append(found)
    ended = Counter(outcome_of(row).name for row in rows.values())
    return Talks(tuple(talks), OutcomeCounts(ended), begun)


def by_round(
    rows: Sequence[Mapping[str, Any]], talks: Sequence[Talk]
) -> Iterator[tuple[int, tuple[Judgements, ...]]]:
    """For each round in which ballots were cast, what the last ballots of all agents come to by then, beside people's scores.

    The ballots are averaged, each with the same weight, whatever the strategy does at its end. A debate that has no ballot by
    then is a row without a score.
    """
    for number in sorted({stand.round for talk in talks for stand in talk.stands}):
        values = {talk.debate: _by(talk, number) for talk in talks}
        yield number, people_judged(judged(rows, f"round {number}", instead=values))


def _by(talk: Talk, number: int) -> Mapping[str, Value]:
    last = {stand.agent: stand for stand in talk.stands if stand.round <= number}
    return voted(tuple(last.values()), talk.about, ranks=talk.ranks) if last else {}


@dataclass(frozen=True)
class RoundFields:
    """The fields of a table of recorded rounds."""

    item: str = "id"
    round: str = "round"
    agent: str = "agent"
    value: str = "value"
    human: str | None = None
    """People's score or choice of the item."""
    verdict: str | None = None
    """The debate's verdict; without it the mean, or the most frequent label, of the last ballots of all agents."""


def talks_in(rows: Sequence[Row], fields: RoundFields = RoundFields()) -> tuple[Talk, ...]:
    """A talk for each item. Values are scores where all of them are numbers, and else labels.

    Raises UsageError for a field that no row has and where no row has a value, DataError for a round that is not a number.
    """
    for option in ("item", "round", "agent", "value", "human", "verdict"):
        if name := getattr(fields, option):
            check_field(rows, name, f"{option}=...")
    values = [value for row in rows if (value := value_in(row, fields.value)) is not None]
    if not values:
        raise UsageError("value=...: no row has a score or a choice of an agent")
    choices = any(isinstance(value, str | bool) for value in values)
    table = sorted(_table(rows, fields, choices=choices), key=lambda row: (row.text, row.round))
    said = {str(row.value) for row in table if row.judge == AGENT and row.value is not None}
    return tuple(_talk(some, sorted(said) if choices else ()) for some in by_text(table))


def _table(rows: Sequence[Row], fields: RoundFields, *, choices: bool) -> Iterator[Judgement]:
    """A row for every ballot, and for people's judgement and the verdict beside it."""
    texts: dict[str, int] = {}
    judges = {PEOPLE: fields.human, VERDICT: fields.verdict, AGENT: fields.value}
    for row in rows:
        item, number = name_in(row, fields.item), score_in(row, fields.round)
        if number is None or not number.is_integer():
            raise row.error("the number of a round is wanted here", fields.round)
        first = Judgement(
            texts.setdefault(item, len(texts)), item, "", "", "", fields.value, None, round=int(number)
        )
        for judge, name in judges.items():
            if name:
                value = (choice_of if choices else score_of)(row, name, value_in(row, name))
                yield first._replace(judge=judge, value=value, rater=name_in(row, fields.agent))


def _talk(rows: Sequence[Judgement], labels: Sequence[str]) -> Talk:
    about = rows[0].aspect
    known = {row.judge: {about: row.value} for row in reversed(rows) if row.value is not None}
    stands = tuple(_stands([row for row in rows if row.judge == AGENT], labels))
    last = {stand.agent: stand for stand in stands}
    averaged = {name: value for name, value in voted(tuple(last.values()), (about,)).items() if name == about}
    return Talk(
        debate=rows[0].item,
        about=(about,),
        candidates=tuple(labels),
        stands=stands,
        hearings=tuple(_hearings(stands)),
        order=tuple(last),
        verdict=known.get(VERDICT) or averaged,
        people=known.get(PEOPLE, {}),
    )


def _stands(rows: Sequence[Judgement], labels: Sequence[str]) -> Iterator[Stand]:
    """The ballots by their rounds, numbered as messages; each answers what was said before its round."""
    before = {row.round: seq for seq, row in reversed([*enumerate(rows)])}
    for seq, row in enumerate(rows, 1):
        if row.value is not None:
            ballot = Ballot(ratings=tuple(_ratings(row.aspect, row.value, labels)))
            yield Stand(row.rater, row.round, seq, before[row.round], {row.aspect: row.value}, ballot)


def _ratings(about: str, value: Value, labels: Sequence[str]) -> Iterator[Rating]:
    """A score as it is; a label as 1 for it and 0 for all others."""
    if isinstance(value, str):
        yield from (Rating(aspect=about, candidate=label, score=float(label == value)) for label in labels)
    else:
        yield Rating(aspect=about, score=value)


def _hearings(stands: Sequence[Stand]) -> Iterator[Hearing]:
    rounds = sorted({stand.round for stand in stands})
    earlier = dict(zip(rounds[1:], rounds, strict=False))
    for stand in stands:
        for other in stands:
            if other.round == earlier.get(stand.round) and other.agent != stand.agent:
                yield Hearing(stand.agent, other.agent, stand.asked, other.seq)
