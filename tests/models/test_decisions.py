"""Decision models: questions out of ballots, and ballots with distributions out of answers, in both protocols."""

from typing import Any

import httpx
import pytest
from dialects.decision_replies import Decider, answered
from endpoint_double import ask

import agentdebate as ad
from agentdebate.errors import ContentFiltered, MalformedReply, RequestRefused, StrategyError
from agentdebate.evaluators.base import Pair
from agentdebate.evaluators.registry import evaluator
from agentdebate.models.dialects.endpoint_model import EndpointModel
from agentdebate.models.registry import open_bare
from agentdebate.strategies.cascade import Cascade, Stage
from agentdebate.strategies.solo import Solo

BOTH = pytest.mark.parametrize("wire", ["decisions", "systemone"])
ASPECTS = ("coherence", "consistency", "fluency", "relevance")
ITEM = ad.Item(
    id="a", task="summarization", fields={"source": "The bridge closes in March.", "summary": "It closes."}
)
SHARES = [0.1, 0.1, 0.2, 0.5, 0.1]


def opened(wire: str, there: Decider, **options: Any) -> EndpointModel:
    given = {"base_url": "http://127.0.0.1:9/v1", "transport": httpx.MockTransport(there), **options}
    model = open_bare(f"{wire}/tiny", **given)
    assert isinstance(model, EndpointModel)
    return model


def decision(**options: Any) -> Solo:
    return Solo(name="decision", expected=True, confidence="log-probabilities", **options)


@BOTH
async def test_four_aspects_are_one_request_and_each_has_its_distribution_and_expectation(wire: str) -> None:
    there = Decider(SHARES)
    verdict = await ad.debate(ITEM, decision(), model=opened(wire, there), aspects=ASPECTS)
    (cast,) = verdict.ballots
    assert len(there.bodies) == 1
    assert {name: round(score, 9) for name, score in verdict.scores.items()} == dict.fromkeys(ASPECTS, 3.4)
    for rating in cast.ballot.ratings:
        assert [(score, round(share, 9)) for score, share in rating.probabilities] == [*enumerate(SHARES, 1)]
    sure, reading = cast.ballot.confidence, cast.ballot.reading
    assert sure is not None
    assert (sure.source, round(sure.value, 9)) == ("log-probabilities", 0.5)
    assert (reading.how, round(reading.mass or 0, 9)) == ("expected", 1)
    (spent,) = verdict.usage
    assert (spent.usage.prompt_tokens, spent.usage.calls) == (120, 1)


@BOTH
@pytest.mark.parametrize(
    ("scale", "shares", "kind", "expected"),
    [
        ({"low": 0, "high": 1}, [0.25, 0.75], {"predicate", "noul"}, 0.75),
        ({"grades": ["bad", "good"]}, [0.25, 0.75], {"predicate", "noul"}, 1.75),
        ({"low": 1, "high": 10}, [0.0] * 8 + [0.5, 0.5], {"score"}, 9.5),
        ({"low": 0, "high": 20}, [0.5, *[0.0] * 19, 0.5], {"choice"}, 10.0),
    ],
)
async def test_scales_become_predicates_scores_and_choices(
    wire: str, scale: Any, shares: list[float], kind: set[str], expected: float
) -> None:
    there, how = Decider(shares), {"coherence": ad.Scale.model_validate(scale)}
    verdict = await ad.debate(ITEM, decision(), model=opened(wire, there), aspects=["coherence"], scales=how)
    assert {one["type"] for one in there.questions} <= kind
    assert verdict.scores["coherence"] == pytest.approx(expected)


@BOTH
async def test_a_declined_question_is_a_lost_ballot_that_is_not_asked_for_again(wire: str) -> None:
    there = Decider(SHARES, declines=("fluency",))
    decider = opened(wire, there)
    with pytest.raises(ContentFiltered, match="declined to answer: Fluency"):
        await ad.debate(ITEM, decision(), model=decider, aspects=ASPECTS)
    assert len(there.bodies) == 1
    panel = ad.strategy("jury", models={"judge-2": decider})
    verdict = await ad.debate(ITEM, panel, model="offline", aspects=ASPECTS)
    assert "judge-2" not in {cast.agent for cast in verdict.ballots}


@BOTH
@pytest.mark.parametrize("shares", [[0.5, 0.5], [2.0, 0, 0, 0, 0], [True, 0, 0, 0, 0], [0.0] * 5])
async def test_answers_without_a_probability_for_every_level_are_malformed(
    wire: str, shares: list[float]
) -> None:
    with pytest.raises(MalformedReply, match="not a probability"):
        await ad.debate(ITEM, decision(), model=opened(wire, Decider(shares)), aspects=["fluency"])


async def test_a_decision_model_sits_beside_others_and_hears_them() -> None:
    there = Decider(SHARES)
    seated = ad.strategy("debate", models={"scorer": opened("systemone", there)})
    verdict = await ad.debate(ITEM, seated, model="offline", aspects=["coherence"])
    assert verdict.scores["coherence"] == 4
    assert len(there.bodies[-1]["state"]["discussion of the judges"]) > len(
        there.bodies[0]["state"]["discussion of the judges"]
    )


@pytest.mark.parametrize("sure", [0.9, 0.4])
async def test_a_decision_model_is_the_first_stage_of_a_cascade(sure: float) -> None:
    there = Decider([0.0, 0.0, 0.0, sure, 1 - sure])
    first = decision(models={"scorer": opened("decisions", there)})
    stages = (
        Stage(strategy=first, confidence="log-probabilities"),
        Stage(strategy=ad.strategy("jury"), confidence="votes"),
    )
    cascade = Cascade(name="cascade", cast={}, stages=stages, thresholds={"decision": 0.8, "jury": 0.0})
    verdict = await ad.debate(ITEM, cascade, model="offline", aspects=["fluency"])
    assert (len(verdict.ballots) == 1) is (sure > 0.8)


async def test_a_decision_model_writes_no_text() -> None:
    there = Decider(SHARES)
    with pytest.raises(RequestRefused, match="it gives ballots of ratings"):
        await opened("decisions", there).complete(ask())
    assert there.bodies == []


@pytest.mark.parametrize("scale", ["1-5 any", "0-300"])
async def test_scales_of_too_many_values_are_refused(scale: str) -> None:
    how = {"coherence": ad.Scale.parse(scale)}
    with pytest.raises((StrategyError, RequestRefused), match=r"can be (any number|rated 0 to 300)"):
        await ad.debate(
            ITEM, decision(), model=opened("decisions", Decider(SHARES)), aspects=["coherence"], scales=how
        )


@BOTH
async def test_an_evaluator_gives_the_probability_of_a_statement(wire: str) -> None:
    there = Decider([0.25, 0.75])
    told = {"base_url": "http://127.0.0.1:9/v1", "transport": httpx.MockTransport(there)}
    judge = evaluator(f"{wire}/tiny", statement="It is short.", **told)
    assert await judge.score([Pair(("The bridge closes.",), "It closes.")]) == [0.75]
    assert "It is short." in str(there.questions[0])
    there.declines = ("statement",)
    with pytest.raises(ContentFiltered):
        await judge.score([Pair(("The bridge closes.",), "It closes.")])
    await judge.aclose()


@pytest.mark.parametrize(
    ("wire", "answers"),
    [
        ("decisions", None),
        ("systemone", None),
        ("decisions", []),
        ("decisions", [{"name": [], "type": "predicate", "probability": 0.5}]),
    ],
)
async def test_a_reply_without_answers_is_malformed(wire: str, answers: Any) -> None:
    body = {**answered(wire, [], []), "answers": answers}
    there = httpx.MockTransport(lambda _: httpx.Response(200, json=body))
    judge = evaluator(f"{wire}/tiny", statement="Yes.", base_url="http://127.0.0.1:9/v1", transport=there)
    with pytest.raises(MalformedReply):
        await judge.score([Pair(("One.",), "Two.")])
    await judge.aclose()
