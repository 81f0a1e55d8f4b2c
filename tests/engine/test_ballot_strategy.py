"""Ballots of other kinds and their confidence, from the option of a strategy to the verdict. The tutorials bring kinds of their own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from engine_cases import GROUP_TALKS, PAIR, TASKS, hold
from packages import install

import agentdebate as ad
from agentdebate.agents.replies import reply_kind
from agentdebate.agents.reply_kind import check_confidence
from agentdebate.ballots.kinds import ballot_kind
from agentdebate.ballots.lineup import ballot_lines
from agentdebate.codec import plain, read
from agentdebate.errors import DebateError, StrategyError
from agentdebate.runs.rehearsal import rehearse

COMPARING = ("ranking", "approval", "points")


def cast(record: ad.Record) -> ad.ballots.Ballot:
    assert record.verdict is not None, record.failure
    return record.verdict.ballots[-1].ballot


async def test_a_ballot_held_to_a_schema_is_heard_under_the_labels_of_the_texts() -> None:
    model = ad.Scripted(['{"reason": "Shorter.", "ranking": [["Answer B"], ["Answer A"]]}'], structured=True)
    record = await hold(ad.strategies.Solo(ballot="ranking"), model, item=PAIR, aspects="overall")
    (score,) = [said for said in record.transcript if isinstance(said, ad.talk.Score)]
    assert score.text == "Shorter.\noverall: Answer B > Answer A"
    assert model.requests[0].schema is not None
    assert cast(record).reading.how == "schema"


@pytest.mark.parametrize("strategy", [ad.strategies.Solo, ad.strategies.Jury, ad.strategies.D3, *GROUP_TALKS])
@pytest.mark.parametrize("kind", ["ratings", *COMPARING])
@pytest.mark.parametrize("confidence", [None, "asked", "log-probabilities", "repeats"])
async def test_a_rehearsal_holds_every_combination(strategy: Any, kind: str, confidence: Any) -> None:
    if confidence == "log-probabilities" and kind != "ratings":
        with pytest.raises(DebateError, match="for log-probabilities one with a line an aspect"):
            await rehearse(strategy(ballot=kind, confidence=confidence), TASKS["pair"], item=PAIR)
        return
    record = await rehearse(strategy(ballot=kind, confidence=confidence), TASKS["pair"], item=PAIR)
    assert cast(record).confidence is None or confidence is not None


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"ballot": "rankings"}, "ranking"),
        ({"confidence": "guessed"}, "asked"),
        ({"repeats": 1}, "greater than or equal to 2"),
    ],
)
def test_an_option_that_means_nothing_is_an_error(options: Mapping[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ad.strategies.Solo(**options)


async def test_a_ranking_of_what_is_no_place_fails_before_anything_is_asked() -> None:
    """Its places would be taken for scores, the highest for the best."""

    class Careless(ad.strategies.Strategy):
        cast: Mapping[str, ad.strategies.Cards] = {"scorer": ("scorer",)}

        async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
            return floor.verdict(
                await floor.ask(floor.one("scorer"), ad.talk.purposes.RANK), settled=True, ended="-"
            )

    model = ad.Scripted(["-\n\nRanking: Answer B > Answer A"])
    record = await hold(Careless(), model, item=PAIR, aspects="overall")
    assert record.failure is not None
    assert (record.failure.error, model.requests) == ("StrategyError", [])
    assert "asked() return ballot_kind('ranking')" in record.failure.reason


async def test_a_confidence_is_asked_for_read_and_heard_by_the_others() -> None:
    model = ad.Scripted(["Fluency: 4\nConfidence: 70%", "Fluency: 2\nConfidence: 0.9"])
    record = await hold(ad.strategies.OneByOne(rounds=1, confidence="asked"), model)
    assert (
        '"Confidence:" and behind it a whole number from 0 to 100, with % behind it'
        in model.requests[0].messages[-1].content
    )
    assert "Fluency: 4\nConfidence: 70%" in model.requests[1].messages[-1].content
    assert record.verdict is not None
    sure = [one.ballot.confidence for one in record.verdict.ballots]
    assert [(one.value, one.source) for one in sure if one] == [(0.7, "asked"), (0.9, "asked")]
    assert record.row()["confidences"] == [
        {"agent": "general-public", "value": 0.7, "source": "asked", "repeats": None},
        {"agent": "reviewer", "value": 0.9, "source": "asked", "repeats": None},
    ]


async def test_who_does_not_say_how_sure_it_is_is_asked_once_and_then_it_stays_missing() -> None:
    model = ad.Scripted(["Fluency: 4"] * 2)
    record = await hold(ad.strategies.Solo(confidence="asked"), model)
    assert (
        "I found no line in the reply that begins with Confidence:" in model.requests[1].messages[-1].content
    )
    assert (len(model.requests), cast(record).scores, cast(record).confidence) == (2, {"fluency": 4}, None)
    assert record.row()["confidences"] == []


async def test_one_repeat_that_can_be_read_tells_no_confidence() -> None:
    model = ad.Scripted([ad.Completion(text="-", model="m", others=("Fluency: 2",))])
    record = await hold(ad.strategies.Solo(confidence="repeats", repeats=2), model)
    assert (cast(record).scores, cast(record).confidence) == ({"fluency": 2}, None)


@pytest.mark.parametrize(("kind", "source"), [("statement", "asked"), ("ranking", "log-probabilities")])
def test_a_confidence_that_cannot_be_told_is_an_error(kind: str, source: Any) -> None:
    with pytest.raises(StrategyError, match=f"no confidence of a '{kind}' can be told: that takes a ballot"):
        check_confidence(reply_kind(kind), source, ad.ballots.ReplySpec())


def test_an_aspect_called_confidence_is_not_mixed_up_with_how_sure_somebody_is() -> None:
    aspect = ad.Aspect(name="confidence", scale=ad.Scale(low=1, high=5), criterion="-")
    spec = ad.ballots.ReplySpec(lines=ballot_lines((aspect,), ()))
    with pytest.raises(StrategyError, match="no aspect 'confidence'"):
        check_confidence(reply_kind("score"), "asked", spec)


async def test_without_its_package_a_ballot_keeps_what_it_was_given_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = {"kind": "grade", "aspect": "fluency", "letter": "B"}
    ballot = read(ad.ballots.Ballot, {"ratings": [{"aspect": "fluency", "score": 4}], "given": [data]})
    assert plain(ballot)["given"] == [data]
    with pytest.raises(StrategyError, match="there is no kind of ballot 'grade'"):
        ballot_kind("grade")
    points = {"agentdebate.ballots": {"ranking": "ours:KIND", "one": "ours:KIND"}}
    install(tmp_path, monkeypatch, "ours", "KIND = 1", points)
    with pytest.raises(StrategyError, match="registers ours:KIND as 'ranking'"):
        ballot_kind("one")


def test_a_purpose_whose_form_gives_another_message_is_an_error() -> None:
    with pytest.raises(StrategyError, match="wants a Score, and its form gives a Statement"):
        ad.talk.Purpose("speak", ad.talk.Score, reply_kind("statement"))


async def test_a_kind_that_is_not_there_is_an_error_before_anything_is_asked() -> None:
    class Loud(ad.strategies.Strategy):
        cast: Mapping[str, ad.strategies.Cards] = {"scorer": ("scorer",)}

        async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
            await floor.ask(floor.one("scorer"), ad.talk.Purpose("speak", ad.talk.Statement, "loud"))
            return floor.abstained("nobody judges here")

    record = await hold(Loud(), ad.Function("asked", lambda _: pytest.fail("asked")))
    assert isinstance(record.error, StrategyError)
    assert "no agent can be asked for a 'loud'; the kinds are statement" in str(record.error)
