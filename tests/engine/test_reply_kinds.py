"""Kinds of reply that strategies and packages bring along: their form, reader, schema, and message."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from engine_cases import ITEM, TASKS

import agentdebate as ad
from agentdebate.errors import StrategyError


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


async def held(
    *replies: str, structured: bool = False
) -> tuple[ad.Verdict, list[ad.talk.Message], ad.Scripted]:
    said: list[ad.talk.Message] = []
    score = '{"reason": "-", "coherence": 4}' if structured else "Coherence: 4"
    model = ad.Scripted({"prosecutor": replies, "scorer": [score]}, structured=structured)
    verdict = await ad.debate(
        ITEM, Court(), model=model, aspects="coherence", tasks=TASKS, listeners=[said.append]
    )
    return verdict, said, model


async def test_a_purpose_brings_its_own_kind_of_reply_and_registers_nothing() -> None:
    verdict, said, model = await held("It lies.\nCharges: 2")
    (charge,) = [one for one in said if isinstance(one, Charge)]
    assert (charge.count, charge.text, verdict.score) == (2, "It lies.", 4)
    (ask, _) = [one for one in said if one.kind == "ask"]
    assert getattr(ask, "reply", "") == "charge"
    assert (
        "End with a line about Coherence:\nCharges: [how many]" not in model.requests[1].messages[-1].content
    )


async def test_the_form_of_a_reply_is_filled_in_and_what_was_wrong_is_told() -> None:
    _, said, model = await held("It lies.", "Charges: 1")
    again = model.requests[1].messages[-1].content
    assert "I found no count of charges against" in again
    assert "End with a line about Coherence:\nCharges: [how many]" in again
    assert [one.count for one in said if isinstance(one, Charge)] == [1]


def test_a_purpose_whose_form_gives_another_message_is_an_error() -> None:
    with pytest.raises(StrategyError, match="wants a Score, and its form gives a Charge"):
        ad.talk.Purpose("speak", ad.talk.Score, CHARGES)


async def test_a_kind_that_is_not_there_is_an_error_before_anything_is_asked() -> None:
    class Loud(ad.strategies.Strategy):
        cast: Mapping[str, ad.strategies.Cards] = {"scorer": ("scorer",)}

        async def debate(self, floor: ad.strategies.Floor) -> ad.Verdict:
            await floor.ask(floor.one("scorer"), ad.talk.Purpose("speak", ad.talk.Statement, "loud"))
            return floor.abstained("nobody judges here")

    model = ad.Scripted(["hear, hear"])
    with pytest.raises(StrategyError, match="no agent can be asked for a 'loud'; the kinds are statement"):
        await ad.debate(ITEM, Loud(), model=model, tasks=TASKS)
    assert model.requests == []
