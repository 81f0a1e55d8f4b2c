"""Whole debates against a real server whose model talks nonsense: they end, with a verdict or a typed failure."""

import json
from pathlib import Path

import pytest

import agentdebate as ad
from agentdebate.agents.debate_settings import Form
from agentdebate.cli.app import run
from agentdebate.debates.debate import ready
from agentdebate.models.dialects.chat_completions import open_openai

pytestmark = pytest.mark.server

FIELDS = {
    "source": "The council voted on Tuesday to repair the swing bridge. Work begins in March and takes eleven weeks.",
    "summary": "The swing bridge will be repaired from March.",
}
ITEM = ad.Item(task="summarization", id="bridge", fields=FIELDS)
QUOTE = 5 + ord('"')
"""The token of the quote that ends a JSON string: five control tokens come before the bytes."""

EAGER = {"logit_bias": {str(QUOTE): 4.0}}
"""Random weights would seldom come upon that quote by themselves."""

LENGTH = 96
"""Tokens a reply may have."""


async def hold(address: str, strategy: str, *, form: Form, schema: str = "json_object") -> ad.Record:
    """One debate with the tiny model."""
    model = open_openai("tiny", base_url=address, schema=schema, extra=EAGER)
    sampling = ad.Sampling(max_tokens=LENGTH, seed=1)
    try:
        async with ready(strategy, model=model, project=ad.Project(), sampling=sampling, form=form) as debate:
            return await debate.hold(ITEM, "coherence")
    finally:
        await model.aclose()


@pytest.mark.parametrize("strategy", ["solo", "multiagent", "debate", "debate-tiebreaker"])
async def test_a_debate_with_schema_forced_ballots_ends_in_a_verdict(
    server_address: str, strategy: str
) -> None:
    record = await hold(server_address, strategy, form="schema")
    assert record.verdict is not None, record.failure
    assert record.verdict.score in {1, 2, 3, 4, 5}
    assert {cast.ballot.reading.how for cast in record.verdict.ballots} <= {"schema", "repaired"}
    assert record.usage.prompt_tokens > 0


async def test_solo_with_a_schema_has_a_verdict_read_by_schema(server_address: str) -> None:
    record = await hold(server_address, "solo", form="schema")
    assert record.verdict is not None
    (cast,) = record.verdict.ballots
    assert cast.ballot.reading.how == "schema"


async def test_a_debate_in_free_text_ends_in_a_typed_failure(server_address: str) -> None:
    """Random bytes are no score: the agent is asked three times, and then the debate fails and says why."""
    record = await hold(server_address, "debate", form="text", schema="none")
    assert record.verdict is None
    assert record.failure is not None
    assert (record.failure.error, record.failure.agent) == ("UnreadableReply", "scorer")
    assert [call.attempt for call in record.calls] == [1, 2, 3]


def test_a_run_from_the_command_line_judges_every_item(
    server_address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "items.jsonl"
    data.write_text("".join(json.dumps({"id": str(n), **FIELDS}) + "\n" for n in range(8)))
    words = ["run", "solo", str(data), "--task", "summarization", "--aspects", "coherence,fluency", "--json"]
    words += ["--model", "openai/tiny", "--base-url", server_address, "--form", "schema"]
    words += ["--max-tokens", str(LENGTH), "--extra", f"logit_bias={json.dumps(EAGER['logit_bias'])}"]
    code = run([*words, "--store", str(tmp_path / "run.db")])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == 16
    assert all(bool(row["scores"]) != bool(row["failure"]) for row in rows)
    assert code == (1 if any(row["failure"] for row in rows) else 0)
