"""What a model cannot do is said before anything is paid for, and what was not sent stands in verdict and configuration."""

from typing import Any

import pytest
from dialects.dialect_server import DialectServer

from agentdebate.debates.ready import ready
from agentdebate.errors import UsageError
from agentdebate.models.dialects.generate_content import open_gemini
from agentdebate.models.dialects.messages import open_anthropic
from agentdebate.models.retry import Retrying
from agentdebate.runs.configuration import configuration_of
from agentdebate.runs.settings import USUAL
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.geval import GEval
from agentdebate.strategies.load import strategy
from agentdebate.strategies.role_players import RolePlayers
from agentdebate.strategies.simultaneous_talk import SimultaneousTalk
from agentdebate.tasks import Item

ITEM = Item(task="summarization", id="s-1", fields={"source": "The bridge closes.", "summary": "It closes."})


def claude(**options: Any) -> Retrying:
    """A model of Messages that nobody answers."""
    return Retrying(open_anthropic("claude-opus-5", **{"base_url": "http://127.0.0.1:9", **options}))


async def refused(chosen: Any, **changes: Any) -> str:
    """What is said as a debate is made ready."""
    model = claude()
    with pytest.raises(UsageError) as raised:
        async with ready(chosen, model=model, **changes):
            pass
    await model.aclose()
    return str(raised.value)


@pytest.mark.parametrize(
    ("chosen", "role", "instead"),
    [
        (GEval(mode="expected"), "scorer", 'mode = "sampled" or "single"'),
        (RolePlayers(weights="logprob"), "players", 'weights = "votes"'),
        (
            SimultaneousTalk(confidence="log-probabilities"),
            "debaters",
            'confidence = "asked" or "repeats"',
        ),
    ],
)
async def test_a_model_that_gives_no_log_probabilities_is_refused_with_what_needs_none(
    chosen: Strategy, role: str, instead: str
) -> None:
    said = await refused(chosen)
    assert "anthropic/claude-opus-5 at 127.0.0.1:9 gives no log-probabilities" in said
    assert f"models='{role}=" in said
    assert instead in said


async def test_a_temperature_that_is_not_sent_stands_in_verdict_and_configuration(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with DialectServer() as server:
        model = claude(base_url=server.root)
        async with ready(strategy("debate"), model=model) as debate:
            assert "takes no temperature" in caplog.text
            assert server.requests == 0
            told = configuration_of(debate, USUAL, {}, together=False)
            record = await debate.hold(ITEM, "coherence")
        await model.aclose()
        name = f"anthropic/claude-opus-5 at {server.root.removeprefix('http://')}"
    assert told["unsent"] == {name: ["temperature 0.0"]}
    assert record.verdict is not None
    assert record.verdict.unsent == (f"{name}: temperature 0.0",)


async def test_a_debate_of_two_families_is_held_over_one_server() -> None:
    async with DialectServer() as server:
        scorer, critic = claude(base_url=server.root), Retrying(open_gemini("tiny", base_url=server.root))
        names = {"anthropic/scorer": scorer, "gemini/critic": critic}
        mixed = strategy("debate", models={"scorer": "anthropic/scorer", "critic": "gemini/critic"})
        async with ready(mixed, model=scorer, opener=names.__getitem__) as debate:
            record = await debate.hold(ITEM, "coherence")
        for model in names.values():
            await model.aclose()
        place = server.root.removeprefix("http://")
    assert record.verdict is not None
    name = f"anthropic/claude-opus-5 at {place}"
    assert record.verdict.models == (name, f"gemini/tiny at {place}")
    assert record.verdict.unsent == (f"{name}: temperature 0.0",)
