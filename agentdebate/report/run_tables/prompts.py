"""What a run's prompts took from the caches of endpoints, and what was asked of models and not sent."""

from collections import Counter
from collections.abc import Iterator

from agentdebate.meta.prose import number_of
from agentdebate.models.prices import PriceTable, saved_by_cache
from agentdebate.report.run_tables.places import Place
from agentdebate.report.run_tables.rows import Row
from agentdebate.report.text_table import Block, TextTable
from agentdebate.usage import Usage
from agentdebate.visible import one_line

_SEVERAL = "several models"
_WHAT = "read, written: tokens of the prompts from and into the caches of endpoints; saved: of what they cost without"


class PromptTable:
    """Adds up tokens of prompts by model, and what was not sent by debate."""

    def __init__(self) -> None:
        self._tokens: dict[str, list[int]] = {}
        self._unsent: Counter[str] = Counter()

    def __repr__(self) -> str:
        return f"<PromptTable of {list(self._tokens)}>"

    def take(self, row: Row, _place: Place) -> None:
        """Take in a row."""
        models = row["models"]
        name = models[0] if len(models) == 1 else _SEVERAL
        if name not in self._tokens:
            self._tokens[name] = [0, 0, 0]
        tokens = self._tokens[name]
        tokens[0] += row["prompt_tokens"] or 0
        tokens[1] += row.get("prompt_cached", 0)
        tokens[2] += row.get("prompt_cache_writes", 0)
        if unsent := row.get("unsent"):
            self._unsent.update(unsent)

    def blocks(self, prices: PriceTable) -> Iterator[Block]:
        """A line a model, where a cache was used: how much of the prompts came from it, and what that saved."""
        used = {name: _usage(*tokens) for name, tokens in self._tokens.items() if any(tokens[1:])}
        if used:
            yield ""
            head = ["model", "prompt tokens", "read", "written", "saved"]
            lines = [_line(name, one, prices) for name, one in used.items()]
            yield TextTable("Prompt caching", head, lines, numeric=head[1:])
            yield _WHAT
        for what, debates in self._unsent.items():
            yield one_line(
                f"not sent, since the model does not take it: {what}, in {number_of(debates, 'debate')}"
            )


def _usage(prompt: int, read: int, written: int) -> Usage:
    return Usage(prompt_tokens=prompt, cached_tokens=read, cache_write_tokens=written)


def _line(name: str, usage: Usage, prices: PriceTable) -> list[object]:
    read, written = usage.cached_tokens, usage.cache_write_tokens
    shares = [
        f"{count / usage.prompt_tokens:.0%}" if usage.prompt_tokens else "-" for count in (read, written)
    ]
    price = prices.price_of(name)
    saved = "price not known"
    if price is not None:
        share = saved_by_cache(usage, price) * 1_000_000 / (usage.prompt_tokens * price.input or 1)
        saved = f"{saved_by_cache(usage, price):.4f} {price.currency} ({share:.0%})"
    return [name, usage.prompt_tokens, *shares, saved]
