"""How debates end: one list, which records, rows and counts go by; and debates that abstain."""

from collections.abc import Mapping
from typing import Any

import pytest
from engine_cases import ANN, hold, scoring

from agentdebate.debates.outcome import ABSTAINED, CURTAILED, FAILURE, VERDICT, outcome_of
from agentdebate.strategies.base import Cards, Strategy
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.repetition import Repeated
from agentdebate.talk.envelope import message_in, message_line
from agentdebate.talk.messages import Verdict
from agentdebate.talk.purposes import SCORE
from agentdebate.testing import replying

WHY = "the judge is not sure enough"


class Hesitant(Strategy):
    """One judge, whose verdict is given only where its first score is high."""

    at_least: float = 3
    cast: Mapping[str, Cards] = {"scorer": (ANN,)}

    async def debate(self, floor: Floor) -> Verdict:
        score = await floor.ask(floor.one("scorer"), SCORE)
        if score.ballot.ratings[0].score < self.at_least:
            return floor.abstained(WHY)
        return floor.verdict(score, settled=True, ended="one opinion")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"failure": None}, VERDICT),
        ({"failure": None, "curtailed": "fewer rounds"}, CURTAILED),
        ({"failure": {"error": "TurnTimeout"}, "curtailed": ""}, FAILURE),
        ({"failure": None, "outcome": ""}, VERDICT),
        ({"failure": None, "outcome": "abstained"}, ABSTAINED),
        ({"failure": None, "curtailed": "fewer rounds", "outcome": "verdict"}, VERDICT),
    ],
)
def test_a_row_says_how_its_debate_ended_and_one_of_an_earlier_version_is_read_as_it_was(
    row: dict[str, Any], expected: object
) -> None:
    assert outcome_of(row) is expected


async def test_a_verdict_that_abstains_says_why_and_what_it_cost_and_has_no_score() -> None:
    record = await hold(Hesitant(), replying(scoring(1)))
    verdict = record.verdict
    assert verdict is not None
    assert (verdict.abstained, verdict.ratings, verdict.settled, verdict.ended) == (
        WHY,
        (),
        False,
        "abstained",
    )
    assert [cast.ballot.ratings[0].score for cast in verdict.ballots] == [1]
    assert verdict.usage
    assert message_in(message_line(verdict)) == verdict
    with pytest.raises(ValueError, match="rates 0 aspects"):
        _ = verdict.score


async def test_samples_that_abstain_are_missing_and_where_all_do_so_does_the_whole() -> None:
    replies = iter([scoring(4), scoring(1), scoring(5)])
    record = await hold(Repeated(around=Hesitant(), samples=3), replying(lambda _: next(replies)))
    verdict = record.verdict
    assert verdict is not None, record.failure
    assert (verdict.score, verdict.missing, verdict.agreed, verdict.settled) == (4.5, 1, False, False)
    assert (record.outcome, len(verdict.ballots)) == (VERDICT, 3)
    record = await hold(Repeated(around=Hesitant(), samples=3), replying(scoring(1)))
    assert record.verdict is not None, record.failure
    assert (record.outcome, record.verdict.abstained, record.verdict.ratings) == (ABSTAINED, WHY, ())
    assert len(record.verdict.ballots) == 3
