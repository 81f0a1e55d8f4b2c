"""Recorded rounds as talks: a table with a row for every ballot, its item, round, agent and value, whatever tool held the debate.

The agents of a round are taken to have heard all others of the round before, and nothing else: a table says no more.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.meta.fields import check_field, choice_of, label_in, score_in, value_in
from agentdebate.meta.talk import Hearing, Stand, Talk, Value, voted

HEARD = "Each agent is taken to have heard all others of the round before, as the table does not say who heard whom."
"""What has to be said beside figures of such talks."""


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

    Raises UsageError for a field that no row has, and DataError for a round that is no number.
    """
    named = {"item": fields.item, "round": fields.round, "agent": fields.agent, "value": fields.value}
    more = {"human": fields.human, "verdict": fields.verdict}
    for option, name in {**named, **{key: one for key, one in more.items() if one}}.items():
        check_field(rows, name, f"{option}=...")
    values = [value_in(row, fields.value) for row in rows]
    scores = all(
        isinstance(one, int | float) and not isinstance(one, bool) for one in values if one is not None
    )
    labels = (
        ()
        if scores
        else tuple(
            sorted({one for row in rows if isinstance(one := _value(row, fields.value, scores=False), str)})
        )
    )
    by_item: dict[str, list[Row]] = {}
    for row in rows:
        by_item.setdefault(label_in(row, fields.item) or "", []).append(row)
    return tuple(_talk(item, some, fields, labels) for item, some in by_item.items())


def _talk(item: str, rows: Sequence[Row], fields: RoundFields, labels: Sequence[str]) -> Talk:
    stands = tuple(_stands(rows, fields, labels))
    about = fields.value
    known = {name: _first(rows, name, scores=not labels) for name in (fields.human, fields.verdict) if name}
    last = {stand.agent: stand for stand in stands}
    verdict = known.get(fields.verdict or "")
    if verdict is None:
        verdict = voted(tuple(last.values()), (about,)).get(about) if last else None
    human = known.get(fields.human or "")
    return Talk(
        debate=item,
        about=(about,),
        candidates=tuple(labels),
        stands=stands,
        hearings=tuple(_hearings(stands)),
        order=tuple(last),
        verdict={} if verdict is None else {about: verdict},
        people={} if human is None else {about: human},
    )


def _stands(rows: Sequence[Row], fields: RoundFields, labels: Sequence[str]) -> Iterator[Stand]:
    """The ballots by their rounds, numbered as messages; each answers what was said before its round."""
    numbered = sorted(((_round(row, fields.round), row) for row in rows), key=lambda one: one[0])
    before, current = 0, None
    for seq, (number, row) in enumerate(numbered, 1):
        if number != current:
            before, current = seq - 1, number
        value = _value(row, fields.value, scores=not labels)
        if value is not None:
            yield Stand(
                agent=label_in(row, fields.agent) or "",
                round=number,
                seq=seq,
                asked=before,
                values={fields.value: value},
                ballot=_ballot(fields.value, value, labels),
                words=0,
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


def _first(rows: Sequence[Row], field: str, *, scores: bool) -> Value | None:
    """What the rows of an item say once."""
    return next((value for row in rows if (value := _value(row, field, scores=scores)) is not None), None)


def _value(row: Row, field: str, *, scores: bool) -> Value | None:
    return score_in(row, field) if scores else choice_of(row, field, value_in(row, field))


def _round(row: Row, field: str) -> int:
    number = score_in(row, field)
    if number is None or not number.is_integer():
        raise row.error("the number of a round is wanted here", field)
    return int(number)


def check_rounds(talks: Sequence[Talk]) -> None:
    """Raise UsageError where no debate has a ballot."""
    if not any(talk.stands for talk in talks):
        raise UsageError("value=...: no row has a score or a choice of an agent")
