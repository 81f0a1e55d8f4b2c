"""Juries: members who vote alone, their reserves and quorum, and D3's advocates, judge, budget and vote."""

from collections.abc import Mapping
from typing import Any

import pytest
from engine_cases import PAIR, UNREADABLE, breaking, compared, hold, overall, scoring, verdict_of

from agentdebate.errors import StrategyError, UsageError
from agentdebate.meta.talk import openings, talk_of
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.strategies.load import strategy
from agentdebate.talk.messages import Ask, of_kind
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
    others: dict[str, Words] = {"scorer": breaking, "judge-4": scoring(2), "referee": scoring(4)}
    record = await hold(
        strategy("jury", **options), replying({**words, **others, **dict.fromkeys(lost, how)})
    )
    assert {one.context.heard for call in record.calls if (one := call.request).context} == {()}
    if score is None:
        assert record.failure is not None
        assert record.failure.error == "TooFewBallots"
        return
    verdict = verdict_of(record)
    assert verdict.score == pytest.approx(score)
    assert verdict.missing == missing
    assert {one.agent for one in verdict.lost} >= {*lost}


@pytest.mark.parametrize(("name", "options"), [("jury", {}), ("faireval", {"around": "jury"})])
async def test_each_juror_may_have_a_model_of_its_own_by_its_address(
    name: str, options: dict[str, Any]
) -> None:
    """Inside another strategy too. The address of the first juror is the name of the card, and its model everyone's of that card."""
    models = {who: Function(f"model of {who}", lambda _: overall(5, 5)) for who in ("judge", "judge-3")}
    made = strategy(name, models=models, **options)
    verdict = verdict_of(await hold(made, Function("unused", breaking), item=PAIR, aspects="overall"))
    spoke = {(cast.agent.partition("#")[0], cast.model) for cast in verdict.ballots}
    assert spoke == {
        ("judge", "model of judge"),
        ("judge-2", "model of judge"),
        ("judge-3", "model of judge-3"),
    }
    with pytest.raises(UsageError, match="models names 'judge-4', which is neither"):
        strategy(name, models={"judge-4": "offline"}, **options)


def trial(
    scores: list[tuple[float, float]], votes: Mapping[str, Words] = {}, tokens: int = 0
) -> tuple[Function, list[ModelRequest]]:
    """A model that gives the judge's scores round by round, and the jurors' votes, by default for the first text."""
    requests: list[ModelRequest] = []

    def reply(request: ModelRequest) -> Completion:
        requests.append(request)
        assert request.context
        agent, at = request.context.agent.partition("#")[0], request.context.round - 1
        words = {"plead": f"{agent} pleads.", "weigh": overall(*scores[min(at, len(scores) - 1)])}
        said = votes.get(agent) or words.get(request.context.purpose, overall(7, 5))
        text = said if isinstance(said, str) else str(said(request))
        return Completion(text=text, model="m", usage=Usage(calls=1, prompt_tokens=tokens))

    return Function("m", reply), requests


@pytest.mark.parametrize(
    ("scores", "options", "tokens", "ended", "rounds"),
    [
        ([(5, 5), (5, 6)], {}, 0, "steady lead", 2),
        ([(5, 5), (5, 8), (6, 8)], {}, 0, "steady lead", 3),
        ([(1, 9), (9, 1), (1, 9), (9, 1)], {}, 0, "round limit", 4),
        ([(1, 9), (9, 1)], {"rounds": 2}, 0, "round limit", 2),
        ([(1, 9), (9, 1), (1, 9), (9, 1)], {"budget": 600}, 100, "token budget", 2),
        ([(1, 9), (9, 1), (1, 9), (9, 1)], {"budget": 300}, 100, "token budget", 1),
        ([(1, 9), (9, 1)], {"rounds": 2, "budget": 1000}, 100, "round limit", 2),
        ([(5, 5), (4, 6), (3, 6)], {"stop": "stable"}, 0, "stability", 3),
    ],
)
async def test_arguments_end_when_the_lead_is_steady_or_the_budget_is_used_and_then_the_jury_votes(
    scores: list[tuple[float, float]], options: dict[str, Any], tokens: int, ended: str, rounds: int
) -> None:
    model, requests = trial(scores, tokens=tokens)
    verdict = verdict_of(await hold(strategy("d3", **options), model, item=PAIR, aspects="overall"))
    assert (verdict.ended, verdict.rounds, len(requests)) == (ended, rounds, 3 * rounds + 4)
    means = [sum(one) / rounds for one in zip(*scores[:rounds], strict=True)]
    assert list(verdict.scores.values()) == pytest.approx(means)


async def test_each_order_has_a_budget_of_its_own() -> None:
    model, requests = trial([(1, 9), (9, 1)], tokens=100)
    await hold(strategy("faireval", around="d3", budget=600), model, item=PAIR, aspects="overall")
    assert len(requests) == 2 * (3 * 2 + 4)


async def test_an_advocate_is_told_for_whom_it_speaks_and_answers_only_those_who_have_spoken() -> None:
    model, requests = trial([(1, 9), (9, 1)])
    await hold(strategy("d3", rounds=2), model, item=PAIR, aspects="overall")
    pleas = [one.messages[-1].content for one in requests if one.context and one.context.purpose == "plead"]
    assert ["You speak for Answer A" in plea for plea in pleas] == [True, False] * 2
    assert ["and the judge have said last" in plea for plea in pleas] == [False, False, True, True]
    assert "You speak for Answer B. Say why" not in pleas[1]


async def test_a_jury_that_votes_before_it_hears_anybody_changes_nothing_but_the_calls() -> None:
    scores = [(5.0, 5.0), (5.0, 8.0), (6.0, 8.0)]
    plain, openly = [
        await hold(strategy("d3", ballots=ballots), trial(scores)[0], item=PAIR, aspects="overall")
        for ballots in ("last", "every")
    ]
    ends, whole = verdict_of(plain), verdict_of(openly)
    assert (ends.ended, ends.scores, ends.winners) == (whole.ended, whole.scores, whole.winners)
    first = openings(talk_of(openly.transcript))
    assert [cast.agent for cast in first] == [cast.agent for cast in ends.ballots if cast.agent != "judge"]
    assert not openings(talk_of(plain.transcript))
    asked = [
        said.hearing
        for one in (plain, openly)
        for said in of_kind(one.transcript, Ask)
        if said.to == ("reviewer",)
    ]
    assert [len(one) for one in asked] == [9, 0, 9]


@pytest.mark.parametrize(
    ("votes", "winners"),
    [((), ("answer_1",)), (("reviewer", "psychologist"), ("answer_1",)),
     (("reviewer", "psychologist", "news-author"), ("answer_2",))],
)  # fmt: skip
async def test_most_votes_win_the_judges_among_them_whatever_the_scores(
    votes: tuple[str, ...], winners: tuple[str, ...]
) -> None:
    model, _ = trial([(6, 5)], dict.fromkeys(votes, overall(1, 10)))
    verdict = verdict_of(await hold(strategy("d3"), model, item=PAIR, aspects="overall"))
    assert (verdict.winners, verdict.by, list(verdict.scores.values())) == (winners, "votes", [6, 5])


async def test_an_advocate_is_needed_for_each_text_and_no_reply_is_paid_for_without() -> None:
    model, requests = trial([(6, 5)])
    three = compared("Because of rust.", "Because of rain.", "No idea.")
    record = await hold(strategy("d3"), model, item=three, aspects="overall")
    assert isinstance(record.error, StrategyError)
    assert "3 texts need as many advocates, and there are 2" in str(record.error)
    assert requests == []
    with pytest.raises(UsageError, match="one agent gives all scores"):
        strategy("d3", stop="unanimous")
    single = await hold(strategy("d3"), model)
    assert "task 'text' judges a single one" in str(single.error)
