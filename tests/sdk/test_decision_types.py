"""Bodies and replies of decision models against the types of the packages of OpenAI and TypeSafe."""

from typing import Any

import httpx
import pytest
from dialects.decision_replies import Decider, answered
from test_bodies import closed_types

import agentdebate as ad
from agentdebate.models.registry import open_bare
from agentdebate.strategies.solo import Solo

pytestmark = pytest.mark.sdk
ITEM = ad.Item(id="a", task="summarization", fields={"source": "It is shut.", "summary": "Shut."})
SCALES = [
    (ad.Scale(low=0, high=1), [0.25, 0.75]),
    (ad.Scale(low=1, high=5), [0.2] * 5),
    (ad.Scale(low=0, high=20), [1 / 21] * 21),
]


async def asked(wire: str, scale: ad.Scale, shares: list[float]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The body of a request, and the reply to it that our tests read."""
    there = Decider(shares)
    model = open_bare(f"{wire}/tiny", base_url="http://127.0.0.1:9/v1", transport=httpx.MockTransport(there))
    await ad.debate(ITEM, Solo(expected=True), model=model, aspects=["fluency"], scales={"fluency": scale})
    await model.aclose()
    return there.bodies[0], answered(wire, there.questions, shares)


@pytest.mark.parametrize(("scale", "shares"), SCALES)
async def test_decisions_are_asked_and_answered_as_the_package_of_openai_types_them(
    scale: ad.Scale, shares: list[float]
) -> None:
    from openai.types.decision import Decision
    from openai.types.decision_create_params import DecisionCreateParams

    body, reply = await asked("decisions", scale, shares)
    (part,) = body["input"][0]["content"]
    part["data"] = [part["data"]]  # an object or a list of some; pydantic takes an object for the latter
    with closed_types(DecisionCreateParams) as known:
        known.validate_python(body)
    (answer,) = Decision.model_validate(reply, strict=True).answers
    assert answer.type == body["questions"][0]["type"]


@pytest.mark.parametrize(("scale", "shares"), SCALES)
async def test_system_one_is_asked_and_answered_as_the_package_of_typesafe_types_it(
    scale: ad.Scale, shares: list[float]
) -> None:
    from typesafe_sdk._schemas.models import SystemOneRequest, SystemOneResponse

    body, reply = await asked("systemone", scale, shares)
    SystemOneRequest.model_validate(body, extra="forbid")
    SystemOneResponse.model_validate(reply, extra="forbid")
