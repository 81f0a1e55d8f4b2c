"""What prompts cost with prompt caching, of what they cost without, on a stand-in that has the rules of the provider's cache.

The item has about 3,000 tokens, the cache keeps beginnings of 1,024 tokens and more, and a token that is written into it costs
1.25 of a fresh one, one that is read 0.1. The debates are the same both times: what marks a prompt changes no reply. Messages is
asked in words both times, as it is by default where a brief is long enough for its cache.
"""

import asyncio
from dataclasses import dataclass

from dialects.dialect_server import DialectServer
from dialects.prompt_cache import PromptCache

from agentdebate.agents.debate_settings import DebateSettings, Form
from agentdebate.debates.ready import ready
from agentdebate.models.prices import MILLION, Price, cost
from agentdebate.models.registry import model as open_model
from agentdebate.tasks import Item
from agentdebate.usage import Usage
from benchmarks.aim import Aim, aims_table

FLOOR = 1024
AT_MOST = 0.5
"""Of what prompts cost without marks."""
PRICE = Price(input=1.0, cached_input=0.1, cache_write=1.25, output=0.0)
"""Of prompts alone, by the tokens of a fresh one."""
STRATEGIES = ("chateval", "chateval-one-by-one", "chateval-simultaneous", "debate")
PROVIDERS = {"anthropic": ("anthropic", "auto"), "openai": ("openai", "on")}
"""The providers, and what turns their caching on at an address that is not their own."""
ITEMS = 4

_SENTENCE = (
    "On day {} the council of Kelby spoke about the swing bridge over its harbour, and put the repairs off. "
)


@dataclass(frozen=True)
class Paid:
    """What the prompts of some debates took."""

    usage: Usage
    calls: int

    @property
    def money(self) -> float:
        """By the price of a fresh token, in millions."""
        return cost(self.usage, PRICE)

    @property
    def share_read(self) -> float:
        """The share of the prompts that was read from the cache."""
        return self.usage.cached_tokens / self.usage.prompt_tokens


def item_of(strategy: str, number: int = 1) -> Item:
    """An item of about 3,000 tokens of four characters each: two answers for ChatEval, a summary for the others."""
    long = "".join(_SENTENCE.format(100 * number + day) for day in range(112))
    if strategy == "chateval":  # it compares texts
        half = len(long) // 2
        fields = {"question": "What of the bridge?", "answer_1": long[:half], "answer_2": long[half:]}
        return Item(id=f"item-{number}", task="comparison", fields=fields)
    fields = {"source": long, "summary": "Kelby repairs its bridge. " * 8}
    return Item(id=f"item-{number}", task="summarization", fields=fields)


async def held(
    strategy: str, provider: str, prompt_cache: str, *, form: Form = "auto", items: int = ITEMS
) -> Paid:
    """Return what debates about some items paid for prompts, as the provider's stand-in counts it."""
    settings = DebateSettings(form=form)
    cache = PromptCache(FLOOR)
    async with DialectServer(prompt_cache=cache) as server:
        address = server.base_url if provider == "openai" else server.root
        model = open_model(f"{provider}/stand-in", base_url=address, prompt_cache=prompt_cache)
        async with ready(strategy, model=model, settings=settings) as debate:
            for number in range(items):
                record = await debate.hold(item_of(strategy, number))
                if record.failure is not None:
                    raise RuntimeError(f"a debate of {strategy} failed: {record.failure.reason}")
        await model.aclose()
        ledger = server
    written, read = ledger.cache_write_tokens, ledger.cached_tokens
    usage = Usage(prompt_tokens=ledger.prompt_tokens, cached_tokens=read, cache_write_tokens=written)
    return Paid(usage, ledger.requests)


async def fresh(strategy: str, provider: str, marked: Paid) -> float:
    """Return what the same debates pay where nothing is cached: Messages without marks; the others cache as they like."""
    if provider != "anthropic":
        return marked.usage.prompt_tokens / MILLION
    without = await held(strategy, provider, "off", form="text")
    if without.usage.prompt_tokens != marked.usage.prompt_tokens or without.usage.cached_tokens:
        raise RuntimeError(f"{strategy}: the debates without marks are not the same")
    return without.money


async def measure() -> list[Aim]:
    """Print a row a provider and strategy; what Messages pays is held against the aim."""
    print(f"{'provider':<11}{'strategy':<24}{'calls':>6}{'tokens':>9}{'read':>7}{'cost of that without':>22}")
    aims = []
    for provider, (name, on) in PROVIDERS.items():
        for strategy in STRATEGIES:
            marked = await held(strategy, name, on)
            share = marked.money / await fresh(strategy, name, marked)
            print(
                f"{provider:<11}{strategy:<24}{marked.calls:>6}{marked.usage.prompt_tokens:>9}"
                f"{marked.share_read:>7.0%}{share:>22.0%}"
            )
            if provider == "anthropic":
                aims.append(
                    Aim(f"{strategy}: prompts, weighted by price, of those without marks", share, AT_MOST)
                )
    return aims


def main() -> int:
    """Print the figures and the aims; 1 where one is missed."""
    aims = asyncio.run(measure())
    print("\n".join(aims_table(aims)))
    return int(any(one.word == "not met" for one in aims))
