"""Recorded rounds as talks: a table with a row for every ballot, its item, round, agent and value, whatever tool held the debate.

The agents of a round are taken to have heard all others of the round before, and nothing else: a table says no more.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.fields import check_field, choice_of, name_in, score_of, value_in
from agentdebate.meta.long_table import Judgement, by_text
from agentdebate.meta.talk import Hearing, Stand, Talk, Value, voted

HEARD = "Each agent is taken to have heard all others of the round before, as the table does not say who heard whom."
"""Note beside figures of recorded rounds."""


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

    Raises UsageError for a field that no row has, and DataError for a round that is not a number.
    """
    named = {"item": fields.item, "round": fields.round, "agent": fields.agent, "value": fields.value}
    more = {"human": fields.human, "verdict": fields.verdict}
    for option, name in {**named, **{key: one for key, one in more.items() if one}}.items():
        check_field(rows, name, f"{option}=...")
    values = [one for row in rows if (one := value_in(row, fields.value)) is not None]
    scores = all(isinstance(one, int | float) and not isinstance(one, bool) for one in values)
    read: Callable[[Row, str, Any], Value | None] = score_of if scores else choice_of
    table = sorted(_table(rows, fields, read), key=lambda row: (row.text, row.round))
    labels = (
        ()
        if scores
        else sorted({str(row.value) for row in table if row.judge not in _ASIDE and row.value is not None})
    )
    return tuple(_talk(some, fields.value, labels) for some in by_text(table))


_PEOPLE, _VERDICT = "", "verdict"
_ASIDE = (_PEOPLE, _VERDICT)
"""The judges of rows that are not ballots."""


def _table(
    rows: Sequence[Row], fields: RoundFields, read: Callable[[Row, str, Any], Value | None]
) -> Iterator[Judgement]:
    """A row for every ballot, and for people's judgement and the verdict beside it."""
    texts: dict[str, int] = {}
    for row in rows:
        item = name_in(row, fields.item)
        text, number = texts.setdefault(item, len(texts) + 1), _round(row, fields.round)
        for judge, field in ((_PEOPLE, fields.human), (_VERDICT, fields.verdict), ("agent", fields.value)):
            if field:
                rater = name_in(row, fields.agent) if judge == "agent" else ""
                value = read(row, field, value_in(row, field))
                yield Judgement(text, item, "", "", judge, fields.value, value, rater, round=number)


def _talk(rows: Sequence[Judgement], about: str, labels: Sequence[str]) -> Talk:
    known = {
        judge: next((row.value for row in rows if row.judge == judge and row.value is not None), None)
        for judge in _ASIDE
    }
    stands = tuple(_stands([row for row in rows if row.judge not in _ASIDE], labels))
    last = {stand.agent: stand for stand in stands}
    verdict = known[_VERDICT]
    if verdict is None and last:
        verdict = voted(tuple(last.values()), (about,)).get(about)
    people = known[_PEOPLE]
    return Talk(
        debate=rows[0].item,
        about=(about,),
        candidates=tuple(labels),
        stands=stands,
        hearings=tuple(_hearings(stands)),
        order=tuple(last),
        verdict={} if verdict is None else {about: verdict},
        people={} if people is None else {about: people},
    )


def _stands(rows: Sequence[Judgement], labels: Sequence[str]) -> Iterator[Stand]:
    """The ballots by their rounds, numbered as messages; each answers what was said before its round."""
    before, current = 0, None
    for seq, row in enumerate(rows, 1):
        if row.round != current:
            before, current = seq - 1, row.round
        if row.value is not None:
            yield Stand(
                agent=row.rater,
                round=row.round,
                seq=seq,
                asked=before,
                values={row.aspect: row.value},
                ballot=_ballot(row.aspect, row.value, labels),
            )


def _ballot(about: str, value: Value, labels: Sequence[str]) -> Ballot:
    """A score as it is; a label as 1 for it and 0 for all others."""
    if not isinstance(value, str):
        return Ballot(ratings=(Rating(aspect=about, score=value),))
    ratings = (Rating(aspect=about, candidate=label, score=float(label == value)) for label in labels)
    return Ballot(ratings=tuple(ratings))


def _hearings(stands: Sequence[Stand]) -> Iterator[Hearing]:
    rounds = sorted({stand.round for stand in stands})
    earlier: Mapping[int, int] = dict(zip(rounds[1:], rounds, strict=False))
    for stand in stands:
        for other in stands:
            if other.round == earlier.get(stand.round) and other.agent != stand.agent:
                yield Hearing(stand.agent, other.agent, stand.asked, other.seq)


def _round(row: Row, field: str) -> int:
    number = score_of(row, field, value_in(row, field))
    if number is None or not number.is_integer():
        raise row.error("the number of a round is wanted here", field)
    return int(number)


def check_rounds(talks: Sequence[Talk]) -> None:
    """Raise UsageError where no debate has a ballot."""
    if not any(talk.stands for talk in talks):
        raise UsageError("value=...: no row has a score or a choice of an agent")
