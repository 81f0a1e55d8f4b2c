"""GPT-6 behind its endpoint: no request is spent on learning what its names say, and without thinking it samples as others do."""

import json
import logging

import httpx
import pytest
from endpoint_double import ADDRESS, ask, failed, refusal, reply

from agentdebate.debates.ready import ready
from agentdebate.errors import RequestRefused, UsageError
from agentdebate.models.dialects.chat_completions import open_openai
from agentdebate.models.dialects.endpoint_model import EndpointModel
from agentdebate.strategies.load import strategy


class Gpt6:
    """An endpoint that refuses what GPT-6 refuses, and the bodies that it was sent."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, object]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        self.bodies.append(body)
        named = [] if body.get("reasoning_effort") == "none" else ["temperature", "top_p", "logprobs"]
        for name in ["max_tokens", *named]:
            if name in body:
                said = f"Unsupported parameter: '{name}' is not supported with this model."
                return failed(400, refusal(said, param=name, code="unsupported_parameter"))
        token = {"token": "fine", "logprob": -0.1, "top_logprobs": []}
        given = {"logprobs": {"content": [token]}} if "logprobs" in body else {}
        return httpx.Response(200, json=reply(**given))

    def model(self, name: str, **options: object) -> EndpointModel:
        return open_openai(name, **{"base_url": ADDRESS, "transport": httpx.MockTransport(self), **options})


async def test_what_is_left_out_or_refused_says_at_which_effort_it_would_not_be(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    model = Gpt6().model("gpt-6-luna")
    await model.complete(ask(temperature=0))
    with pytest.raises(
        RequestRefused, match=r"'logprobs' \(with the extra field reasoning_effort=none it does\)"
    ):
        await model.complete(ask(logprobs=1))
    assert "takes no temperature (with the extra field reasoning_effort=none it does)" in caplog.text
    with pytest.raises(RequestRefused, match="'logprobs': do not ask"):
        await Gpt6().model("gpt-6.1-sol").complete(ask(logprobs=1))


async def test_a_strategy_that_needs_log_probabilities_is_refused_with_the_way_out() -> None:
    endpoint = Gpt6()
    with pytest.raises(
        UsageError, match=r"no log-probabilities \(with the extra field reasoning_effort=none"
    ):
        async with ready(strategy("geval", mode="expected"), model=endpoint.model("gpt-6-luna")) as debate:
            assert debate
    assert endpoint.bodies == []
