"""G-Eval and Fusion-Eval against a real server: samples that it has to be asked for singly, and expected scores."""

import json
import re
import urllib.request
from math import exp
from statistics import fmean
from typing import Any

import pytest
from tiny_server import TinyServer

import agentdebate as ad
from agentdebate.agents.debate_settings import Form
from agentdebate.models.base import Call
from agentdebate.prompts.prompts import Prompts
from agentdebate.tasks import Scale

pytestmark = pytest.mark.server

ITEM = ad.Item(
    task="summarization",
    id="bridge",
    fields={
        "source": "The council voted on Tuesday to repair the swing bridge. Work begins in March.",
        "summary": "The swing bridge will be repaired from March.",
        "reference": "The council has the swing bridge repaired.",
    },
)
ALTERNATIVES = 20
EAGER = {"logit_bias": {str(5 + ord(digit)): 4.0 for digit in "10"}}
"""Has tens sampled, which the model seldom says; five control tokens come before the bytes. Log-probabilities stay."""

ON_SCALE = {1: 0.05, 2: 0.1, 3: 0.25, 4: 0.35, 5: 0.15}
"""The model's habits behind a line break (see habit_gguf.py); ten in a hundred go to what is no score."""


def asked_again(server: TinyServer, call: Call, **more: Any) -> dict[str, Any]:
    """The choice in the server's raw reply to what a call asked for, alone."""
    sampling = call.request.sampling
    body = {
        "model": "tiny",
        "messages": [{"role": said.role, "content": said.content} for said in call.request.messages],
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "seed": sampling.seed,
        "max_tokens": sampling.max_tokens,
        **more,
    }
    if call.request.schema is not None:
        body["response_format"] = {"type": "json_object", "schema": call.request.schema}
    sent = json.dumps({name: value for name, value in body.items() if value is not None}).encode()
    request = urllib.request.Request(
        f"{server.address}/chat/completions", sent, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as reply:
        choice: dict[str, Any] = json.loads(reply.read())["choices"][0]
    return choice


def of(record: ad.Record, agent: str) -> list[Call]:
    """The calls of one agent, in the order of their samples."""
    return sorted(
        (call for call in record.calls if call.agent == agent), key=lambda call: call.request.sample
    )


def alternatives(token: dict[str, Any]) -> dict[str, float]:
    """The probability of each token that could have stood here."""
    return {one["token"]: exp(one["logprob"]) for one in (*token["top_logprobs"], token)}


@pytest.mark.parametrize("form", ["text", "schema"])
async def test_samples_that_the_server_passes_over_are_asked_for_singly(
    habit_server: TinyServer, form: Form
) -> None:
    """It gives one sample whatever n says; the others are requests of their own, each with another seed."""
    record = await habit_server.hold("geval", ITEM, "coherence", form=form, samples=4)
    calls = of(record, "scorer")
    assert record.verdict is not None, record.failure
    assert (record.verdict.merge, record.verdict.missing) == ("mean of 4 samples", 0)
    assert [call.request.sampling.n for call in calls] == [4, 1, 1, 1]
    assert [(call.request.sample, call.request.sampling.seed) for call in calls] == [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
    ]
    texts = [call.completion.text for call in calls]
    assert texts == [asked_again(habit_server, call)["message"]["content"] for call in calls]
    assert len(set(texts)) > 1
    given = [json.loads(text)["coherence"] if form == "schema" else int(text) for text in texts]
    assert record.verdict.score == pytest.approx(fmean(given))
    assert [cast.ballot.scores["coherence"] for cast in record.verdict.ballots] == given
    assert record.usage.calls == 5


async def test_fusion_takes_the_mean_of_samples_asked_for_singly(habit_server: TinyServer) -> None:
    """A number off the scale is missing in its sample, and no zero."""
    aspects, asked = ("coherence", "fluency"), 6
    record = await habit_server.hold(
        "fusion-noplan", ITEM, aspects, evaluators=["rouge-l", "chrf"], samples=asked
    )
    calls = of(record, "judge")
    assert record.verdict is not None, record.failure
    assert record.verdict.merge == "mean of 6 samples"
    assert [call.request.sampling.n for call in calls] == [asked, *[1] * (asked - 1)]
    assert len({call.request.sampling.seed for call in calls}) == asked
    replies = [json.loads(call.completion.text) for call in calls]
    for name in (*aspects, "overall"):
        on_scale = [reply[name] for reply in replies if 1 <= reply[name] <= 5]
        assert record.scores[name] == pytest.approx(fmean(on_scale))
    assert "rouge-l" in calls[0].request.messages[-1].content


@pytest.mark.parametrize("steps", ["write", "task"])
@pytest.mark.parametrize("seed", [1, 3, 7])
async def test_the_expected_score_is_what_the_raw_reply_comes_to(
    habit_server: TinyServer, seed: int, steps: str
) -> None:
    """Whichever score was sampled, the expectation over what could have been is the same."""
    record = await habit_server.hold("geval", ITEM, "coherence", seed=seed, mode="expected", steps=steps)
    assert record.verdict is not None, record.failure
    assert record.verdict.merge == "expected score"
    (call,) = of(record, "scorer")
    assert call.request.schema is None
    raw = asked_again(habit_server, call, logprobs=True, top_logprobs=ALTERNATIVES)
    assert raw["message"]["content"] == call.completion.text
    first = alternatives(raw["logprobs"]["content"][0])
    mass = sum(first[str(score)] for score in ON_SCALE)
    mean = sum(score * first[str(score)] for score in ON_SCALE) / mass
    (cast,) = record.verdict.ballots
    assert cast.ballot.reading.how == "expected"
    assert record.verdict.score == pytest.approx(mean, rel=1e-6)
    assert cast.ballot.reading.mass == pytest.approx(mass, rel=1e-6)
    assert (mean, mass) == pytest.approx((3.5, sum(ON_SCALE.values())), abs=5e-3)


async def test_a_score_of_two_tokens_weighs_what_both_come_to(habit_server: TinyServer) -> None:
    """On a scale from 1 to 10, a ten is a one that goes on; the other tokens behind that one make it a one."""
    task = Prompts(ad.Project()).task("summarization").rescaled({"coherence": Scale.parse("1-10")})
    for seed in range(1, 40):
        record = await habit_server.hold(
            "geval",
            ITEM,
            "coherence",
            seed=seed,
            mode="expected",
            steps="task",
            tasks={"summarization": task},
            extra=EAGER,
        )
        if record.calls[0].completion.text == "10":
            break
    else:
        pytest.fail("no seed gave a ten")
    raw = asked_again(
        habit_server,
        record.calls[0],
        logprobs=True,
        top_logprobs=ALTERNATIVES,
        **EAGER,
    )
    one, more = (alternatives(token) for token in raw["logprobs"]["content"])
    chances = {score: one[str(score)] for score in range(2, 10)}
    chances[10] = one["1"] * more["0"]
    chances[1] = one["1"] * sum(chance for token, chance in more.items() if not token[:1].isdigit())
    mass = sum(chances.values())
    assert record.verdict is not None
    assert record.verdict.score == pytest.approx(
        sum(score * chance for score, chance in chances.items()) / mass, rel=1e-6
    )
    assert record.verdict.ballots[0].ballot.reading.mass == pytest.approx(mass, rel=1e-6)
    assert chances[10] == pytest.approx(0.05 * 0.04, rel=2e-2)


async def test_an_expected_score_of_random_weights_is_a_typed_failure(server_address: str) -> None:
    record = await TinyServer(server_address).hold(
        "geval", ITEM, "coherence", mode="expected", steps="task", longest=32
    )
    assert record.verdict is None
    assert record.failure is not None
    assert (record.failure.error, record.failure.agent) == ("UnreadableReply", "scorer")
    assert [call.attempt for call in record.calls] == [1, 2, 3]


async def test_an_expected_score_takes_a_server_with_log_probabilities(silent_server: TinyServer) -> None:
    record = await silent_server.hold("geval", ITEM, "coherence", mode="expected", steps="task")
    assert record.verdict is None
    assert record.failure is not None
    assert re.search(r"logprobs is not supported", record.failure.reason)
    assert record.calls == ()


async def test_an_expected_score_is_never_a_single_one(habit_server: TinyServer) -> None:
    """The server answers without the log-probabilities that were asked for."""
    record = await habit_server.hold(
        "geval", ITEM, "coherence", mode="expected", steps="task", extra={"logprobs": False}
    )
    assert record.verdict is None
    assert record.failure is not None
    assert record.failure.error == "RequestRefused"
    assert "gave no log-probabilities" in record.failure.reason
