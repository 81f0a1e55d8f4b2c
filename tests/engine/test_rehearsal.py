"""Rehearsals: a debate with made-up words uses every round, and calls nobody."""

import pytest
from engine_cases import TASK

from agentdebate.agents.card import Card
from agentdebate.rehearsal import rehearse
from agentdebate.strategies.load import strategy
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.strategies.tie_breaker import TieBreaker


@pytest.mark.parametrize(("name", "calls"), [("solo", 1), ("debate", 9), ("debate-tiebreaker", 10)])
async def test_every_round_is_used_and_a_tie_breaker_is_needed(name: str, calls: int) -> None:
    record = await rehearse(strategy(name), TASK.model_copy(update={"aspects": TASK.aspects[:1]}))
    assert len(record.calls) == calls


async def test_a_tie_breaker_around_a_panel_is_needed_too() -> None:
    record = await rehearse(
        TieBreaker(around=OneByOne()), TASK.model_copy(update={"aspects": TASK.aspects[:1]})
    )
    assert record.verdict is not None
    assert (record.verdict.ended, len(record.calls)) == ("ruling", 5)


async def test_models_that_cards_and_strategies_name_are_not_opened() -> None:
    paid = Card(name="paid", title="Paid", persona="You cost money.", model="nobody/has-this")
    record = await rehearse(OneByOne(cast={"debaters": (paid, paid)}), TASK)
    assert {call.completion.model for call in record.calls} == {"rehearsal"}
