"""DRPE against a real server: crowds that are recruited and vote, and weights out of real log-probabilities."""

import json
import re
import time
from itertools import accumulate
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from tiny_server import TinyServer

import agentdebate as ad
from agentdebate.agents.debate_settings import Form
from agentdebate.cli.app import run
from agentdebate.models.base import Completion
from agentdebate.store.reader import read_store
from agentdebate.talk.messages import Verdict

pytestmark = pytest.mark.server

PAIR = ad.Item(
    task="summarization-pair",
    id="bridge",
    fields={
        "source": "The council voted on Tuesday to repair the swing bridge. Work begins in March.",
        "summary_1": "The swing bridge will be repaired from March.",
        "summary_2": "There was a vote on Tuesday.",
    },
)
VOTE = re.compile(r'"reason"[^{}]*"')
"""A reader's part of a reply in JSON, from the key of the reason to the quote that ends the vote; no brace is in it."""
STATIC = ("General public", "Critic", "News author")
HABIT = {"A": log(0.2), "B": log(0.1)}
"""The model's habits behind a blank (see habit_gguf.py)."""


def by_hand(completion: Completion) -> list[float]:
    """The weight of every vote in a reply: exp of the mean log-probability of the tokens that it is made of."""
    assert completion.logprobs is not None
    assert "".join(one.token for one in completion.logprobs) == completion.text
    ends = list(accumulate(len(one.token) for one in completion.logprobs))
    return [
        exp(
            fmean(
                one.logprob
                for one, end in zip(completion.logprobs, ends, strict=True)
                if part.start() < end <= part.end()
            )
        )
        for part in VOTE.finditer(completion.text)
    ]


def of_every_player(record: ad.Record) -> dict[str, float]:
    """The weights by hand of all the readers who voted."""
    found: dict[str, float] = {}
    for call in record.calls:
        if call.request.context is not None and call.request.context.reply == "poll":
            titles = [player.title for player in call.request.context.players] or [call.agent]
            found |= dict(zip(titles, by_hand(call.completion), strict=True))
    return found


def share(verdict: Verdict, candidate: str) -> float:
    """A text's part of the weights of all votes."""
    voted = {id(cast): cast.ballot.scores[f"overall.{candidate}"] for cast in verdict.ballots}
    every = sum(cast.weight for cast in verdict.ballots)
    return sum(cast.weight * voted[id(cast)] for cast in verdict.ballots) / every


@pytest.mark.parametrize(
    ("strategy", "options", "voters", "polls"),
    [
        ("drpe", {"k": 2}, 5, 1),
        ("drpe", {"k": 2, "at_once": 2}, 5, 3),
        ("drpe-static", {}, 3, 1),
        ("drpe-static", {"batch": False}, 3, 3),
        ("mdrpe", {}, 6, 1),
        ("llmscore", {}, 1, 1),
    ],
)
async def test_every_vote_weighs_what_its_own_tokens_come_to(
    habit_server: TinyServer, strategy: str, options: dict[str, Any], voters: int, polls: int
) -> None:
    record = await habit_server.hold(strategy, PAIR, weights="logprob", **options)
    assert record.verdict is not None, record.failure
    expected = of_every_player(record)
    weights = {cast.agent: cast.weight for cast in record.verdict.ballots}
    assert weights == pytest.approx(expected, rel=1e-9)
    assert all(0 < weight <= 1 for weight in weights.values())
    assert len(weights) == voters
    assert record.verdict.merge == "weighted"
    assert len(record.calls) == polls + (strategy == "drpe")
    for candidate in ("summary_1", "summary_2"):
        score = record.scores[f"overall.{candidate}"]
        assert score == pytest.approx(share(record.verdict, candidate))


async def test_the_log_probabilities_are_those_of_the_tokens_they_stand_at(habit_server: TinyServer) -> None:
    """The letter of a vote stands behind a blank, where the model says A and B with probabilities that are known."""
    record = await habit_server.hold("mdrpe", PAIR, weights="logprob")
    (call,) = record.calls
    assert call.completion.logprobs is not None
    spots = [found.end() - 1 for found in re.finditer(r"Summary [AB]", call.completion.text)]
    assert len(spots) == 6
    for spot in spots:
        letter = call.completion.logprobs[spot]
        assert letter.logprob == pytest.approx(HABIT[letter.token], abs=1e-2)


async def test_recruits_of_a_real_model_vote_beside_those_written_by_hand(habit_server: TinyServer) -> None:
    record = await habit_server.hold("drpe", PAIR, k=2, weights="logprob")
    (selection,) = [said for said in record.transcript if said.kind == "selection"]
    recruited = [role["type"] for role in selection.model_dump()["kept"]]
    assert record.verdict is not None
    assert len(recruited) == 2
    assert [cast.agent for cast in record.verdict.ballots] == [*STATIC, *recruited]
    assert [call.completion.logprobs is None for call in record.calls] == [True, False]


async def test_votes_that_weigh_the_same_are_had_without_log_probabilities(silent_server: TinyServer) -> None:
    record = await silent_server.hold("drpe", PAIR, k=2)
    assert record.verdict is not None
    assert {cast.weight for cast in record.verdict.ballots} == {1.0}
    assert sum(record.scores.values()) == pytest.approx(1)


@pytest.mark.parametrize("strategy", ["drpe-static", "llmscore"])
async def test_a_server_without_log_probabilities_leaves_no_verdict_and_says_why(
    silent_server: TinyServer, strategy: str
) -> None:
    record = await silent_server.hold(strategy, PAIR, weights="logprob")
    assert record.verdict is None
    assert record.failure is not None
    assert record.failure.error == "StrategyError"
    assert "logprobs is not supported" in record.failure.reason
    assert 'weights = "votes"' in record.failure.reason


async def test_log_probabilities_that_do_not_come_leave_no_verdict(habit_server: TinyServer) -> None:
    """A server that passes over the wish answers all the same; that is no vote of weight 1."""
    record = await habit_server.hold("drpe-static", PAIR, weights="logprob", extra={"logprobs": False})
    assert record.verdict is None
    assert record.failure is not None
    assert "the endpoint gave no log-probabilities" in record.failure.reason


@pytest.mark.parametrize("form", ["text", "schema"])
async def test_recruits_of_random_weights_are_a_typed_failure(server_address: str, form: Form) -> None:
    """In free text they are no roles, and in JSON random bytes seldom come upon the quote that ends a type."""
    record = await TinyServer(server_address).hold("drpe", PAIR, form=form, longest=96, k=2)
    assert record.verdict is None
    assert record.failure is not None
    assert (record.failure.error, record.failure.agent) == ("UnreadableReply", "recruiter")
    assert [call.attempt for call in record.calls] == [1, 2, 3]


@pytest.mark.shared
def test_published_pairs_are_judged_from_the_command_line(
    habit_server: TinyServer, shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five articles as they were published, each a text of some thousand tokens, in two calls an item."""
    data, store = shared / "goyal2022" / "cnn.jsonl", tmp_path / "run.db"
    words = ["run", "drpe", str(data), "--as", "goyal2022", "--limit", "5", "--set", "weights=logprob"]
    words += ["--model", "openai/tiny", "--base-url", habit_server.address, "--temperature", "1"]
    started = time.perf_counter()
    code = run([*words, "--max-tokens", "2048", "--json", "--store", str(store)])
    seconds = time.perf_counter() - started
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 0
    assert [row["calls"] for row in rows] == [2] * 5
    assert all(row["prompt_tokens"] > 4000 for row in rows)
    assert all(sum(row["scores"].values()) == pytest.approx(1) for row in rows)
    with read_store(store) as reader:
        name = reader.run("last").id
        for debate in reader.debates(name):
            verdict = reader.messages(name, debate)[-1]
            assert isinstance(verdict, Verdict)
            weights = [cast.weight for cast in verdict.ballots]
            assert weights == pytest.approx(by_hand(reader.calls(name, debate)[-1].completion))
            assert 4 <= len(weights) <= 8
    print(f"5 pairs in {seconds:.1f} s")  # noqa: T201 - a figure for whoever runs it with -s
