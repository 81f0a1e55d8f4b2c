"""Ballots of other kinds, their confidence, and kinds of reply that strategies and packages bring along: from the option to the verdict."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
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


@pytest.mark.parametrize("strategy", [ad.strategies.Solo, *GROUP_TALKS])
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
    with pytest.raises(StrategyError, match="no aspect that is called 'confidence'"):
        check_confidence(reply_kind("score"), "asked", spec)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge(ad.talk.Reply):
    """What somebody is charged with."""

    kind = "charge"
    count: int


def read_charge(
    completion: ad.Completion, spec: ad.ballots.ReplySpec
) -> Mapping[str, object] | ad.ballots.Problem:
    """The number of the charges, behind their word."""
    if completion.structured:
        return {"count": json.loads(completion.text)["count"], "text": completion.text}
    head, _, count = completion.text.rpartition("Charges:")
    if not count.strip().isdigit():
        return ad.ballots.Problem("missing", f"I found no count of charges against {spec.text!r}.")
    return {"count": int(count), "text": head.strip()}


def schema(_: ad.ballots.ReplySpec) -> dict[str, object]:
    return {"type": "object", "properties": {"count": {"type": "integer"}}}


CHARGES = ad.agents.ReplyKind(
    Charge,
    read_charge,
    form="End with a line about {{ aspects[0].title }}:\nCharges: [how many]",
    structured="Answer with an object that has a count.",
    schema=schema,
    example=lambda _, number: f"Charges: {number}",
)


class Court(ad.strategies.Strategy):
    """Somebody is charged, and the scorer scores."""

    cast: Mapping[str, ad.strategies.Cards] = {"prosecutor": ("reviewer",), "scorer": ("scorer",)}

    async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
        charge = await floor.ask(floor.one("prosecutor"), ad.talk.Purpose("speak", Charge, CHARGES))
        assert charge.count >= 0
        score = await floor.ask(floor.one("scorer"), ad.talk.purposes.SCORE, hearing=[charge])
        return floor.verdict(score, settled=True, ended="one opinion")


async def held(*replies: str) -> tuple[ad.Record, ad.Scripted]:
    model = ad.Scripted({"prosecutor": replies, "scorer": ["Fluency: 4"]})
    return await hold(Court(), model), model


async def test_a_purpose_brings_its_own_kind_of_reply_whose_form_is_filled_in_and_says_what_was_wrong() -> (
    None
):
    record, model = await held("It lies.", "It lies.\nCharges: 2")
    (charge,) = [one for one in record.transcript if isinstance(one, Charge)]
    assert (charge.count, charge.text, record.scores) == (2, "It lies.", {"fluency": 4})
    (ask, _) = [one for one in record.transcript if one.kind == "ask"]
    assert getattr(ask, "reply", "") == "charge"
    _, again, score = (request.messages[-1].content for request in model.requests)
    form = "End with a line about Fluency:\nCharges: [how many]"
    assert (form in again, form in score) == (True, False)
    assert "I found no count of charges against" in again


def test_a_purpose_whose_form_gives_another_message_is_an_error() -> None:
    with pytest.raises(StrategyError, match="wants a Score, and its form gives a Charge"):
        ad.talk.Purpose("speak", ad.talk.Score, CHARGES)


async def test_a_kind_that_is_not_there_is_an_error_before_anything_is_asked() -> None:
    class Loud(ad.strategies.Strategy):
        cast: Mapping[str, ad.strategies.Cards] = {"scorer": ("scorer",)}

        async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
            await floor.ask(floor.one("scorer"), ad.talk.Purpose("speak", ad.talk.Statement, "loud"))
            return floor.abstained("nobody judges here")

    record = await hold(Loud(), ad.Function("asked", lambda _: pytest.fail("asked")))
    assert isinstance(record.error, StrategyError)
    assert "no agent can be asked for a 'loud'; the kinds are statement" in str(record.error)
