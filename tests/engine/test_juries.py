"""Juries: members who vote alone, their reserves and quorum, and D3's advocates, judge, budget and vote."""

from collections.abc import Mapping
from typing import Any

import pytest
from engine_cases import PAIR, UNREADABLE, breaking, compared, hold, overall, scoring, verdict_of

from agentdebate.errors import StrategyError, UsageError
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.models.script import Scripted
from agentdebate.strategies.load import strategy
from agentdebate.testing import Words, replying
from agentdebate.usage import Usage

JURORS = {"judge": 5, "judge-2": 4, "judge-3": 1, "reserves": 2}


@pytest.mark.parametrize(
    ("lost", "options", "score", "missing"),
    [
        ([], {}, 10 / 3, 0),
        (["judge-2"], {}, 8 / 3, 0),
        (["judge", "judge-2"], {}, 1.5, 1),
        (["judge", "judge-2"], {"cast": {"reserves": ("scorer", "judge", "referee")}}, 7 / 3, 0),
        (["judge", "judge-2"], {"quorum": 3}, None, 0),
        (["judge", "judge-2", "reserves"], {}, None, 0),
        (["judge-3"], {"merge": "majority"}, 4, 0),
    ],
)
@pytest.mark.parametrize("how", [UNREADABLE, breaking])
async def test_a_reserve_votes_for_each_juror_that_is_lost_and_too_few_votes_are_a_failure(
    lost: list[str], options: Mapping[str, Any], score: float | None, missing: int, how: Words
) -> None:
    words: dict[str, Words] = {name: scoring(given) for name, given in JURORS.items()}
    others = {"scorer": breaking, "judge-4": scoring(2), "referee": scoring(4)}
    record = await hold(strategy("jury", **options), replying({**words, **others, **dict.fromkeys(lost, how)}))
    assert {one.context.heard for call in record.calls if (one := call.request).context} == {()}
    if score is None:
        assert record.failure is not None
        assert record.failure.error == "TooFewBallots"
        return
    verdict = verdict_of(record)
    assert (verdict.score, verdict.missing) == (pytest.approx(score), missing)
    assert {one.agent for one in verdict.lost} >= {*lost}


async def test_each_juror_may_have_a_model_of_its_own_by_its_address() -> None:
    """Inside another strategy too; the first of one card has the address that is the card's name, which is for all of them."""
    models = {
        name: Scripted([overall(score, 5)] * 2, name=name)
        for name, score in (("judge", 9), ("judge-3", 2), ("reserves", 1))
    }
    for name, times in (("jury", 1), ("swapped-jury", 2)):
        made = strategy("faireval", around="jury", models=models) if times == 2 else strategy(name, models=models)
        record = await hold(made, replying({}), item=PAIR, aspects="overall")
        said = [call.request.context.agent.partition("#")[0] for call in record.calls if call.request.context]
        assert sorted(said) == sorted(["judge", "judge-2", "judge-3"] * times)
        assert {cast.model for cast in verdict_of(record).ballots} == {"judge", "judge-3"}
        for model in models.values():
            model.__init__([overall(5, 5)] * 2, name=model.name)  # type: ignore[misc]
    with pytest.raises(UsageError, match="models names 'judge-4', which is neither a role nor a card"):
        strategy("jury", models={"judge-4": "offline"})
