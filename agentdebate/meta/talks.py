"""The debates of a stored run, or of a table of recorded rounds, as talks; and what they came to round by round.

A table has a row for every ballot, its item, round, agent and value, whatever tool held the debate. The agents of a round are
taken to have heard all others of the round before, and nothing else: a table says no more.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import Any

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.datasets.row import Row
from agentdebate.debates.outcome import ABSTAINED, OutcomeCounts, outcome_of
from agentdebate.meta.fields import check_field, choice_of, name_in, score_in, score_of, value_in
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.long_table import PEOPLE, Judgement, by_text
from agentdebate.meta.run_rows import Debate, judged, people_judged
from agentdebate.meta.talk import Hearing, Stand, Talk, Value, grouped, talk_of, voted
from agentdebate.store.reader import Reader
from agentdebate.store.run_head import RunHead

HEARD = "Each agent is taken to have heard all others of the round before, as the table does not say who heard whom."
"""Note beside figures of recorded rounds."""
AGENT, VERDICT = "agent", "verdict"
"""Judges of the rows of recorded rounds, beside people."""
MOST = 1_000
"""Debates of a run by which its talk is summed up: more of them say little more."""


@dataclass(frozen=True)
class Talks:
    """The talks of debates, and how many there are by their ending."""

    talks: tuple[Talk, ...]
    ended: OutcomeCounts
    """Numbers of the ended debates by their ending."""
    not_ended: int
    part: str = ""
    """The part of the run that they are; empty where they are all of it."""


def first_talks(reader: Reader, head: RunHead, records: Iterable[Debate] | None = None) -> Talks:
    """Read the talks of a run's first thousand debates, those that abstained too; `records` are those of the run, where they are at hand."""
    known = None if records is None else sorted(records, key=itemgetter("debate"))[:MOST]
    rows = reader.rows(head.id, first=MOST) if known is None else known
    found = talks_of(reader, head, rows, most=MOST, abstained=True)
    cut = head.ended_debates > MOST
    return replace(found, part=f"the first {MOST:,} of {head.ended_debates:,} debates") if cut else found


def talks_of(
    reader: Reader,
    head: RunHead,
    records: Iterable[Debate] | None = None,
    *,
    most: int | None = None,
    abstained: bool = False,
) -> Talks:
    """Read the debates of a run, the first ones where `most` says how many. Those without a judgement are counted and left out.

    `records` are those of the run, where they are at hand; with `abstained`, debates that abstained are read too.
    """
    rows = {row["debate"]: row for row in (reader.rows(head.id) if records is None else records)}
    ranks = {name: [one.name for one in task.aspects if one.rank] for name, task in head.tasks().items()}
    talks, begun = [], 0
    for debate, said in islice(groupby(reader.said(head.id), itemgetter(0)), most):
        row = rows.get(debate)
        begun += row is None
        if row is not None and (outcome_of(row).judged or (abstained and outcome_of(row) is ABSTAINED)):
            of_task = ranks.get(row["task"], ())
            transcript = [message for _, message in said]
            source = row["group"] or row["id"]
            talks.append(talk_of(transcript, debate=debate, human=row["human"], ranks=of_task, source=source))
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
        values = {}
        for talk in talks:
            last = {stand.agent: stand for stand in talk.stands if stand.round <= number}
            values[talk.debate] = voted(tuple(last.values()), talk.about, ranks=talk.ranks)
        yield number, people_judged(judged(rows, f"round {number}", instead=values))


@dataclass(frozen=True)
class RoundFields:
    """The fields of a table of recorded rounds."""

    item: str = "id"
    """The field of the item."""
    round: str = "round"
    """The field of the round's number."""
    agent: str = "agent"
    """The field of the agent."""
    value: str = "value"
    """The field of the score or choice."""
    human: str | None = None
    """The field of people's score or choice."""
    verdict: str | None = None
    """The field of the verdict [the mean, or the most frequent label, of the last ballots]."""


def talks_in(rows: Sequence[Row], fields: RoundFields = RoundFields()) -> tuple[Talk, ...]:
    """A talk for each item. Values are scores where all of them are numbers, and else labels.

    Raises UsageError for a field that no row has, DataError for a round that is not a number.
    """
    for option, name in vars(fields).items():
        if name:
            check_field(rows, name, f"{option}=...")
    choices = any(isinstance(value_in(row, fields.value), str | bool) for row in rows)
    table = sorted(_table(rows, fields, choices=choices), key=attrgetter("text", "round"))
    labels = sorted({row.value for row in table if row.judge == AGENT and isinstance(row.value, str)})
    return tuple(_recorded(some, labels) for some in by_text(table))


def _table(rows: Sequence[Row], fields: RoundFields, *, choices: bool) -> Iterator[Judgement]:
    """A row for every ballot, and for people's judgement and the verdict beside it."""
    texts: dict[str, int] = {}
    judges = {PEOPLE: fields.human, VERDICT: fields.verdict, AGENT: fields.value}
    read = choice_of if choices else score_of
    for row in rows:
        item, number = name_in(row, fields.item), score_in(row, fields.round)
        if number is None or number % 1:
            raise row.error("the number of a round is wanted here", fields.round)
        text, rater = texts.setdefault(item, len(texts)), name_in(row, fields.agent)
        for judge, name in judges.items():
            if name:
                value = read(row, name, value_in(row, name))
                yield Judgement(
                    text, item, "", "", judge, fields.value, value, rater=rater, round=int(number)
                )


def _recorded(rows: Sequence[Judgement], labels: Sequence[str]) -> Talk:
    """The debate of an item. Its ballots are numbered as messages, and each answers what was said before its round."""
    about, stands, hearings = rows[0].aspect, list[Stand](), list[Hearing]()
    known = {row.judge: {about: row.value} for row in reversed(rows) if row.value is not None}
    before: list[Stand] = []
    for number, some in grouped(rows, attrgetter("round")).items():
        ballots = [(row, row.value) for row in some if row.judge == AGENT and row.value is not None]
        asked = len(stands)
        now = [
            Stand(row.rater, number, seq, asked, {about: value}, _ballot(about, value, labels))
            for seq, (row, value) in enumerate(ballots, asked + 1)
        ]
        pairs = ((one.agent, other) for one in now for other in before if other.agent != one.agent)
        hearings += [Hearing(agent, other.agent, asked, other.seq) for agent, other in pairs]
        stands, before = [*stands, *now], now or before
    last = {stand.agent: stand for stand in stands}
    averaged = voted(tuple(last.values()), (about,))
    return Talk(
        debate=rows[0].item,
        about=(about,),
        candidates=tuple(labels),
        stands=tuple(stands),
        hearings=tuple(hearings),
        order=tuple(last),
        verdict=known.get(VERDICT) or {name: averaged[name] for name in averaged if name == about},
        people=known.get(PEOPLE, {}),
    )


def _ballot(about: str, value: Value, labels: Sequence[str]) -> Ballot:
    """A score as it is; a label as 1 for it and 0 for all others."""
    if not isinstance(value, str):
        return Ballot(ratings=(Rating(aspect=about, score=value),))
    shares = {label: float(label == value) for label in labels}
    return Ballot(ratings=tuple(Rating(aspect=about, candidate=one, score=shares[one]) for one in shares))
