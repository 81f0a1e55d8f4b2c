"""A check of a model: a call of each kind, against the stand-ins, and against what goes wrong."""

import pytest
from dialects.dialect_server import DialectServer
from dialects.prompt_cache import PromptCache

from agentdebate.errors import UsageError
from agentdebate.models.check import Check, check
from agentdebate.models.prices import Entry, Price, PriceTable

KINDS = ["text", "schema", "logprobs", "prompt caching"]
TABLE = PriceTable((Entry(("tiny",), Price(input=1, cached_input=0.1, cache_write=1.25, output=2)),))


def words(found: Check) -> dict[str, bool | None]:
    return {one.kind: one.works for one in found.tried}


@pytest.mark.parametrize(
    ("provider", "lacks"), [("openai", set()), ("gemini", set()), ("anthropic", {"logprobs"})]
)
async def test_each_dialect_says_what_works_and_what_it_cost(provider: str, lacks: set[str]) -> None:
    async with DialectServer(prompt_cache=PromptCache(256)) as server:
        address = server.base_url if provider == "openai" else server.root
        found = await check(f"{provider}/tiny", base_url=address, table=TABLE)
        assert words(found) == {kind: kind not in lacks for kind in KINDS}
        assert found.reached
        assert found.usage.calls <= server.requests
        assert found.usage.prompt_tokens == server.prompt_tokens
    assert found.money is not None
    assert found.money > 0
    assert found.currency == "USD"
    assert found.seconds > 0


async def test_a_missing_key_an_unknown_provider_and_the_offline_judge_are_usage_errors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    for name, complaint in (
        ("anthropic/x", "ANTHROPIC_API_KEY"),
        ("nobody/x", "nobody"),
        ("offline", "offline"),
    ):
        with pytest.raises(UsageError, match=complaint):
            await check(name)
