"""Debates whose prompts are kept in the endpoint's cache: what they pay, on a stand-in with the rules of Anthropic's."""

import pytest
from dialects.dialect_server import DialectServer
from dialects.prompt_cache import PromptCache

from agentdebate.agents.debate_settings import DebateSettings, Form
from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.models.registry import model as open_model
from benchmarks.caching import AT_MOST, FLOOR, STRATEGIES, fresh, held, item_of


@pytest.mark.parametrize("strategy", STRATEGIES)
async def test_prompts_cost_at_most_half_of_those_of_the_same_debates_without_marks(strategy: str) -> None:
    marked = await held(strategy, "anthropic", "auto")
    without = await held(strategy, "anthropic", "off", form="text")
    assert (without.calls, without.usage.prompt_tokens) == (marked.calls, marked.usage.prompt_tokens)
    assert marked.money <= AT_MOST * without.money


async def test_marks_change_no_verdict_and_no_request_in_the_store() -> None:
    async with DialectServer(prompt_cache=PromptCache(FLOOR)) as server:

        async def held_with(prompt_cache: str) -> Record:
            model = open_model("anthropic/any", base_url=server.root, prompt_cache=prompt_cache)
            async with ready("debate", model=model, settings=DebateSettings(form="text")) as debate:
                record = await debate.hold(item_of("debate"), "coherence")
            await model.aclose()
            return record

        marked, plain = await held_with("auto"), await held_with("off")
    assert marked.scores == plain.scores
    assert [call.request.key() for call in marked.calls] == [call.request.key() for call in plain.calls]
    assert marked.usage.cached_tokens > 0 == plain.usage.cached_tokens


async def test_agents_who_speak_at_once_write_the_brief_once() -> None:
    marked = await held("chateval-simultaneous", "anthropic", "auto", items=1)
    usage = marked.usage
    brief = usage.prompt_tokens / marked.calls
    assert usage.cache_write_tokens < 1.5 * brief


async def test_replies_are_asked_for_in_words_where_a_schema_would_part_the_cache() -> None:
    async with DialectServer(prompt_cache=PromptCache(FLOOR)) as server:
        cases: list[tuple[Form, bool]] = [("auto", False), ("schema", True)]
        for given, structured in cases:
            model = open_model("anthropic/any", base_url=server.root)
            settings = DebateSettings(form=given)
            async with ready("solo", model=model, settings=settings) as debate:
                record = await debate.hold(item_of("solo"), "coherence")
            await model.aclose()
            assert record.failure is None
            assert {call.completion.structured for call in record.calls} == {structured}


async def test_the_others_begin_with_what_their_cache_has_as_well() -> None:
    for provider, on in (("openai", "on"), ("gemini", "auto")):
        found = await held("debate", provider, on)
        assert found.money < await fresh("debate", provider, found)
