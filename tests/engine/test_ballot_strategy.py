"""Ballots of other kinds and their confidence, from the option of a strategy to the verdict, scripted and offline."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from engine_cases import ITEM, PAIR, TASKS, hold
from packages import install

import agentdebate as ad
from agentdebate.agents.replies import reply_kind
from agentdebate.agents.reply_kind import check_confidence
from agentdebate.ballots.kinds import ballot_kind
from agentdebate.codec import plain, read
from agentdebate.errors import DebateError, StrategyError, UsageError
from agentdebate.models.base import TokenLogprob
from agentdebate.offline.model import OfflineJudge
from agentdebate.runs.rehearsal import rehearse

RANKED = "-\n\nRanking: Answer B > Answer A"
TALKS: tuple[type[ad.strategies.GroupTalk], ...] = (
    ad.strategies.OneByOne,
    ad.strategies.SimultaneousTalk,
    ad.strategies.SimultaneousTalkWithSummarizer,
)
COMPARING = ("ranking", "approval", "points")


async def judged(
    strategy: ad.strategies.Strategy,
    *replies: str | ad.Completion,
    item: ad.Item = PAIR,
    structured: bool = False,
) -> ad.Record:
    model = ad.Scripted(list(replies), structured=structured)
    return await hold(strategy, model, item=item, aspects="overall" if item is PAIR else "fluency")


def cast(record: ad.Record) -> ad.ballots.Ballot:
    assert record.verdict is not None, record.failure
    return record.verdict.ballots[-1].ballot


async def test_a_panel_that_ranks_chooses_by_places() -> None:
    strategy = ad.strategies.SimultaneousTalk(ballot="ranking", rounds=1)
    record = await judged(strategy, RANKED, "-\n\nRanking: Answer A = Answer B")
    assert record.verdict is not None
    assert (record.verdict.winner, record.scores) == (
        "answer_2",
        {"overall.answer_2": 1.0, "overall.answer_1": 1.5},
    )


async def test_approvals_are_merged_into_shares() -> None:
    record = await judged(
        ad.strategies.OneByOne(ballot="approval", rounds=1),
        "Approved: Answer A, Answer B",
        "Approved: Answer A",
    )
    assert record.verdict is not None
    assert (record.verdict.winner, record.scores) == (
        "answer_1",
        {"overall.answer_1": 1.0, "overall.answer_2": 0.5},
    )


async def test_points_that_do_not_come_to_the_budget_are_asked_for_again() -> None:
    record = await judged(
        ad.strategies.Solo(ballot="points"), "Answer A: 9\nAnswer B: 9", "Answer A: 9\nAnswer B: 1"
    )
    assert record.scores == {"overall.answer_1": 9, "overall.answer_2": 1}
    assert cast(record).reading.problems == ("The points for Overall come to 18; 10 are to be given out.",)


async def test_errors_are_marked_in_the_text_under_judgement() -> None:
    record = await judged(ad.strategies.Solo(ballot="spans"), 'Error: "the mat" | major | fluency', item=ITEM)
    assert record.scores == {"fluency": -5}
    assert cast(record).line() == "fluency -5: 1 major"


async def test_a_ballot_held_to_a_schema_is_heard_under_the_labels_of_the_texts() -> None:
    model = ad.Scripted(['{"reason": "Shorter.", "ranking": [["Answer B"], ["Answer A"]]}'], structured=True)
    record = await hold(ad.strategies.Solo(ballot="ranking"), model, item=PAIR, aspects="overall")
    (score,) = [said for said in record.transcript if isinstance(said, ad.talk.Score)]
    assert score.text == "Shorter.\noverall: Answer B > Answer A"
    assert model.requests[0].schema is not None
    assert cast(record).reading.how == "schema"


async def test_a_ranking_is_filed_under_the_fields_in_whatever_order_texts_are_shown() -> None:
    strategy = ad.strategies.SwappedPositions(around=ad.strategies.Solo(ballot="ranking"))
    record = await judged(strategy, "Ranking: Answer A > Answer B", "Ranking: Answer B > Answer A")
    assert record.verdict is not None
    assert (record.verdict.winner, record.verdict.agreed) == ("answer_1", True)


@pytest.mark.parametrize("purpose", [ad.talk.purposes.RANK, ad.talk.purposes.APPROVE, ad.talk.purposes.ALLOT])
@pytest.mark.parametrize("talk", [None, *TALKS])
async def test_the_offline_judge_casts_every_ballot_that_compares(
    purpose: ad.talk.Purpose[ad.talk.Score], talk: type[ad.strategies.GroupTalk] | None
) -> None:
    made: ad.strategies.Strategy = (talk or ad.strategies.Solo)(ballot=purpose.kind, confidence="asked")
    record = await hold(made, ad.model("offline"), item=PAIR, aspects="overall")
    ballot = cast(record)
    assert ballot.given[0].kind == purpose.kind
    assert ballot.confidence is not None
    assert 0.5 <= ballot.confidence.value <= 1


async def test_the_offline_judge_says_that_it_marks_no_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        UsageError, match="offline casts no ballot of the kind 'spans', which 'solo' as it is"
    ):
        await hold(ad.strategy("solo", ballot="spans"), ad.model("offline"))
    with pytest.raises(UsageError, match='ballot = "ratings", or a language model'):
        await hold(ad.strategies.TieBreaker(around=ad.strategies.Solo(ballot="spans")), ad.model("offline"))
    monkeypatch.setattr(OfflineJudge, "never_casts", frozenset())
    record = await hold(ad.strategies.Solo(ballot="spans"), ad.model("offline"))
    assert record.failure is not None
    assert (record.failure.error, "marks no errors" in record.failure.reason) == ("RequestRefused", True)


async def test_the_offline_judge_may_sit_where_another_model_marks_the_errors() -> None:
    mixed = ad.strategy("debate", ballot="spans", models={"critic": "offline"})
    record = await hold(mixed, ad.Scripted(['Error: "the mat" | major | fluency'] * 9), item=ITEM)
    assert record.verdict is not None


@pytest.mark.parametrize("strategy", [ad.strategies.Solo, *TALKS])
@pytest.mark.parametrize("kind", ["ratings", *COMPARING])
@pytest.mark.parametrize("confidence", [None, "asked", "log-probabilities", "repeats"])
async def test_a_rehearsal_holds_every_combination(strategy: Any, kind: str, confidence: Any) -> None:
    if confidence == "log-probabilities" and kind != "ratings":
        with pytest.raises(DebateError, match="for log-probabilities one with a line an aspect"):
            await rehearse(strategy(ballot=kind, confidence=confidence), TASKS["pair"], item=PAIR)
        return
    record = await rehearse(strategy(ballot=kind, confidence=confidence), TASKS["pair"], item=PAIR)
    assert cast(record).confidence is None or confidence is not None


async def test_a_rehearsal_marks_errors() -> None:
    assert cast(await rehearse(ad.strategies.Solo(ballot="spans"), TASKS["text"])).given[0].kind == "spans"


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


async def test_a_ballot_that_does_not_fit_the_task_fails_before_anything_is_asked() -> None:
    model = ad.Scripted([RANKED])
    record = await hold(ad.strategies.Solo(ballot="ranking"), model)
    assert record.failure is not None
    assert (record.failure.error, model.requests) == ("StrategyError", [])
    assert "about texts that are compared" in record.failure.reason


async def test_a_ranking_of_what_is_no_place_fails_before_anything_is_asked() -> None:
    """Its places would be taken for scores, the highest for the best."""

    class Careless(ad.strategies.Strategy):
        cast: Mapping[str, ad.strategies.Cards] = {"scorer": ("scorer",)}

        async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
            return floor.verdict(
                await floor.ask(floor.one("scorer"), ad.talk.purposes.RANK), settled=True, ended="-"
            )

    model = ad.Scripted([RANKED])
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


@pytest.mark.parametrize(
    ("merge", "score"), [("confidence-weighted", (4 * 0.9 + 2 * 0.7) / 1.6), ("confidence-votes", 4)]
)
async def test_ballots_are_merged_by_how_sure_their_agents_say_that_they_are(
    merge: str, score: float
) -> None:
    model = ad.Scripted(["Fluency: 4\nConfidence: 90%", "Fluency: 2\nConfidence: 0.7"])
    chosen = ad.strategies.OneByOne(rounds=1, confidence="asked", merge=merge)
    record = await hold(chosen, model)
    assert record.verdict is not None, record.failure
    assert record.verdict.score == pytest.approx(score)
    assert record.verdict.merge == merge


async def test_a_confidence_in_a_schema_is_a_key_behind_the_scores() -> None:
    model = ad.Scripted(['{"reason": "-", "fluency": 4, "confidence": 65}'], structured=True)
    record = await hold(ad.strategies.Solo(confidence="asked"), model)
    schema = model.requests[0].schema
    assert schema is not None
    assert list(schema["properties"]) == schema["required"] == ["reason", "fluency", "confidence"]
    confidence = cast(record).confidence
    assert (cast(record).scores, confidence and confidence.value) == ({"fluency": 4}, 0.65)


async def test_who_does_not_say_how_sure_it_is_is_asked_once_and_then_it_stays_missing() -> None:
    model = ad.Scripted(["Fluency: 4"] * 2)
    record = await hold(ad.strategies.Solo(confidence="asked"), model)
    assert (
        "I found no line in the reply that begins with Confidence:" in model.requests[1].messages[-1].content
    )
    assert (len(model.requests), cast(record).scores, cast(record).confidence) == (2, {"fluency": 4}, None)
    assert record.row()["confidences"] == []


def likely(text: str, **logprobs: float) -> ad.Completion:
    """A completion whose tokens are its lines' words; those that are named have these log-probabilities."""
    tokens = [
        TokenLogprob(token=one, logprob=logprobs.get(f"t{one.strip()}", -9.0)) for one in text.split("|")
    ]
    return ad.Completion(text=text.replace("|", ""), model="m", logprobs=tuple(tokens))


async def test_a_confidence_is_told_from_the_tokens_of_the_score_alone() -> None:
    record = await judged(
        ad.strategies.Solo(confidence="log-probabilities"),
        likely("Fine in |4| words.\nFluency: |4|.", t4=0.0),
        item=ITEM,
    )
    confidence = cast(record).confidence
    assert confidence is not None
    assert (confidence.value, confidence.source) == (1.0, "log-probabilities")


async def test_without_log_probabilities_nothing_takes_their_place() -> None:
    record = await judged(ad.strategies.Solo(confidence="log-probabilities"), "Fluency: 4", item=ITEM)
    assert record.failure is not None
    assert record.failure.error == "RequestRefused"
    assert "no log-probabilities" in record.failure.reason


async def test_tokens_that_are_not_those_of_the_reply_leave_the_confidence_missing() -> None:
    strange = ad.Completion(
        text="Fluency: 4", model="m", logprobs=(TokenLogprob(token="other", logprob=0.0),)
    )
    assert (
        cast(await judged(ad.strategies.Solo(confidence="log-probabilities"), strange, item=ITEM)).confidence
        is None
    )


def several(*texts: str) -> ad.Completion:
    return ad.Completion(text=texts[0], model="m", others=texts[1:])


async def test_a_confidence_from_repeats_is_the_share_that_agrees_with_the_most() -> None:
    model = ad.Scripted([several("Fluency: 3", "Fluency: 2", "Fluency: 2", "-", "Fluency: 2")])
    record = await hold(ad.strategies.Solo(confidence="repeats", repeats=5), model)
    assert model.requests[0].sampling.n == 5
    assert cast(record).scores == {"fluency": 2}
    assert cast(record).confidence == ad.ballots.Confidence(value=0.75, source="repeats", repeats=4)


async def test_one_repeat_that_can_be_read_tells_no_confidence() -> None:
    record = await judged(
        ad.strategies.Solo(confidence="repeats", repeats=2), several("-", "Fluency: 2"), item=ITEM
    )
    assert (cast(record).scores, cast(record).confidence) == ({"fluency": 2}, None)


async def test_only_ballots_are_repeated_in_a_talk() -> None:
    model = ad.Scripted(["I see.", several("Fluency: 3", "Fluency: 3")] * 2)
    await hold(
        ad.strategies.SimultaneousTalk(confidence="repeats", repeats=2, cast={"debaters": ("reviewer",)}),
        model,
    )
    assert [one.sampling.n for one in model.requests] == [1, 2]


async def test_a_debate_with_confidences_and_rankings_comes_back_from_a_store(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    strategy = ad.strategies.Solo(ballot="ranking", confidence="asked")
    run = ad.evaluate(
        [PAIR],
        strategy,
        store=store,
        model=ad.Scripted([RANKED + "\nConfidence: 80%"]),
        tasks=TASKS,
        aspects="overall",
    )
    async with run as records:
        (record,) = [one async for one in records]
    from agentdebate.store.reader import read_store

    with read_store(str(store)) as reader:
        head = reader.run("last")
        messages = reader.messages(head.id, record.id)
        (row,) = reader.rows(head.id)
    assert messages == record.transcript
    assert row["confidences"] == [{"agent": "scorer", "value": 0.8, "source": "asked", "repeats": None}]


@pytest.mark.parametrize(("kind", "source"), [("statement", "asked"), ("ranking", "log-probabilities")])
def test_a_confidence_that_cannot_be_told_is_an_error(kind: str, source: Any) -> None:
    with pytest.raises(StrategyError, match=f"no confidence of a '{kind}' can be told: that takes a ballot"):
        check_confidence(reply_kind(kind), source, ad.ballots.ReplySpec())


def test_an_aspect_called_confidence_is_not_mixed_up_with_how_sure_somebody_is() -> None:
    aspect = ad.Aspect(name="confidence", scale=ad.Scale(low=1, high=5), criterion="-")
    from agentdebate.ballots.lineup import ballot_lines

    with pytest.raises(StrategyError, match="no aspect that is called 'confidence'"):
        check_confidence(
            reply_kind("score"), "asked", ad.ballots.ReplySpec(lines=ballot_lines((aspect,), ()))
        )


GRADES = '''
"""A package with a kind of ballot: a letter."""
from dataclasses import dataclass
import agentdebate as ad

@dataclass(frozen=True, slots=True, kw_only=True)
class Grade(ad.ballots.Given):
    kind = "grade"
    letter: str

    @property
    def ratings(self):
        return (ad.ballots.Rating(aspect=self.aspect, score=5 - "ABCDE".index(self.letter)),)

    def line(self, labels=None):
        return f"{self.aspect} {self.letter}"

def read(text, spec, *, structured, cut_off):
    letter = text.rpartition("Grade:")[2].strip()
    if letter not in tuple("ABCDE"):
        return ad.ballots.Problem("missing", "I found no grade from A to E.")
    return ad.ballots.BallotPaper((Grade(aspect=spec.aspects[0].name, letter=letter),), text.strip())

GRADE = ad.ballots.BallotKind(
    name="grade", given=Grade, read=read, form="End with a line:\\nGrade: [A to E]", compares=False, alone=True,
    example=lambda spec, number: "Grade: " + "ABCDE"[number % 5],
)
'''


async def test_a_kind_of_ballot_that_a_package_registers_is_an_option_like_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, "grades", GRADES, {"agentdebate.ballots": {"grade": "grades:GRADE"}})
    model = ad.Scripted(["-\nGrade: F", "-\nGrade: B\nConfidence: 60%"])
    record = await hold(ad.strategies.Solo(ballot="grade", confidence="asked"), model)
    assert "End with a line:\nGrade: [A to E]" in model.requests[0].messages[-1].content
    assert record.scores == {"fluency": 4}
    assert cast(record).line() == "fluency B, confidence 0.60"
    assert read(ad.ballots.Ballot, plain(cast(record))) == cast(record)
    rehearsed = await rehearse(ad.strategies.OneByOne(ballot="grade"), TASKS["text"])
    assert rehearsed.verdict is not None


async def test_without_its_package_a_ballot_keeps_what_it_was_given_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = {"kind": "grade", "aspect": "fluency", "letter": "B"}
    ballot = read(ad.ballots.Ballot, {"ratings": [{"aspect": "fluency", "score": 4}], "given": [data]})
    assert plain(ballot)["given"] == [data]
    with pytest.raises(StrategyError, match="there is no kind of ballot 'grade'"):
        ballot_kind("grade")
    install(
        tmp_path,
        monkeypatch,
        "ours",
        "KIND = 1",
        {"agentdebate.ballots": {"ranking": "ours:KIND", "one": "ours:KIND"}},
    )
    with pytest.raises(StrategyError, match="registers ours:KIND as 'ranking'"):
        ballot_kind("one")


async def test_the_scorer_of_a_devils_advocate_says_how_sure_it_is_of_each_score() -> None:
    strategy = ad.strategies.DevilsAdvocate(confidence="asked", rounds=1)
    model = ad.Scripted(
        {
            "scorer": ["-\n\nFluency: 4\nConfidence: 50%", "-\n\nFluency: 3\nConfidence: 90%"],
            "critic": ["It is worse than that, since it repeats itself."],
        }
    )
    record = await hold(strategy, model, aspects="fluency")
    assert record.verdict is not None, record.failure
    sure = [one.ballot.confidence for one in record.verdict.ballots]
    assert [one.value for one in sure if one] == [0.5, 0.9]
    assert record.scores == {"fluency": 3}
    critic = next(call.request for call in record.calls if call.agent == "critic")
    assert "Confidence:" not in critic.messages[-1].content.rpartition("Review")[2]


async def test_the_scorer_of_a_devils_advocate_ranks_where_texts_are_compared() -> None:
    model = ad.Scripted({"scorer": [RANKED], "critic": ["NO ISSUE"]})
    record = await hold(ad.strategies.DevilsAdvocate(ballot="ranking"), model, item=PAIR, aspects="overall")
    assert record.verdict is not None, record.failure
    assert (record.verdict.winner, record.verdict.ended) == ("answer_2", "agreement")


async def test_repeats_are_asked_of_the_scorer_alone() -> None:
    model = ad.Scripted({"scorer": ["-\n\nFluency: 4"] * 3, "critic": ["NO ISSUE"]})
    record = await hold(
        ad.strategies.DevilsAdvocate(confidence="repeats", repeats=3), model, aspects="fluency"
    )
    assert record.verdict is not None, record.failure
    assert {call.agent: call.request.sampling.n for call in record.calls}["critic"] == 1
