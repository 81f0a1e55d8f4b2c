"""What the ballots of a run come to round by round: how far the verdicts would agree with people if the talk had ended there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agentdebate.meta.judged_rows import judged, people_judged
from agentdebate.meta.judgements import Choices, Judgements
from agentdebate.meta.openings import voted
from agentdebate.meta.talk import Stand, Talk, Value


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
