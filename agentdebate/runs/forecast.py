"""What a run will cost, before it is paid for: some of its debates, rehearsed with made-up words, times all of them.

Nobody is called, nothing is written and nothing is measured. A rehearsal uses every round, so calls are the most that
debates take as long as no reply has to be asked for again; the assumptions say what else cannot be known.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Literal, Unpack

from agentdebate.debates.ready import ready
from agentdebate.debates.record import OFFLINE
from agentdebate.errors import UsageError
from agentdebate.models.prices import Price, PriceTable, built_in, highest_cost, how_to_price, price_of
from agentdebate.models.tokens import TokenCount, count, using, vocabulary_of
from agentdebate.project.model_spec import addressed, bare_name
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import task as task_named
from agentdebate.runs.agenda import check_kind
from agentdebate.runs.rehearsal import (
    WORDS,
    Held,
    Rehearsal,
    Stage,
    most_times,
    rehearsal,
    spread,
)
from agentdebate.runs.settings import USUAL, Settings, SettingsChanges
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy as named
from agentdebate.strategies.wrapper import inside
from agentdebate.tasks import Item, Task
from agentdebate.usage import Usage, total

SAMPLED = 10
"""How many items are rehearsed."""

Counted = Literal["exact", "estimate"]


@dataclass(frozen=True, slots=True)
class Share:
    """What one model will do. Prompts are taken to be written into an endpoint's cache where that costs more, and never read from it."""

    model: str
    usage: Usage
    price: Price | None
    """None where it is unknown."""

    @property
    def money(self) -> float | None:
        """What it will cost, in the price's currency; None, unknown, without a price."""
        return None if self.price is None else highest_cost(self.usage, self.price)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run will cost: calls at the most, tokens and money as far as the assumptions hold."""

    items: int
    debates: int
    shares: tuple[Share, ...]
    """By model, in the order in which they first speak."""
    counted: Counted
    """Whether tokens were counted with a vocabulary, or estimated."""
    assumptions: tuple[str, ...]

    @property
    def usage(self) -> Usage:
        """What all models do together."""
        return total(share.usage for share in self.shares)

    @property
    def money(self) -> float | None:
        """What all of it will cost; None where a price is unknown, or in another currency than the others."""
        amounts = [share.money for share in self.shares]
        known = [amount for amount in amounts if amount is not None]
        alike = self.currency is not None or not any(known)
        return fsum(known) if alike and len(known) == len(amounts) else None

    @property
    def currency(self) -> str | None:
        """What the money is; None where nothing costs any, or some another one than the others."""
        found = {share.price.currency for share in self.shares if share.price and share.money}
        return found.pop() if len(found) == 1 else None

    def __str__(self) -> str:
        usage = self.usage
        money = "unknown" if self.money is None else f"{self.money:.4f} {self.currency or 'USD'}"
        what = (
            f"at the most {usage.calls} calls, {usage.prompt_tokens} prompt and {usage.completion_tokens} completion tokens "
            f"({self.counted}), money: {money}, for {self.items} items in {self.debates} debates"
        )
        return "\n".join([what, *self.assumptions])

    def rows(self) -> list[dict[str, Any]]:
        """A record for each model: its calls, tokens, money and price."""
        return [dict(one) for one in self.row()["models"]]

    def row(self) -> dict[str, Any]:
        """The forecast as JSON has it; what is unknown is null."""
        models = [
            {
                "model": share.model,
                **_counts(share.usage),
                "money": share.money,
                "price": share.price.model_dump(mode="json") if share.price else None,
            }
            for share in self.shares
        ]
        return {
            "items": self.items,
            "debates": self.debates,
            **_counts(self.usage),
            "counted": self.counted,
            "money": self.money,
            "currency": self.currency,
            "models": models,
            "assumptions": list(self.assumptions),
        }


async def forecast(
    items: Sequence[Item],
    strategy: Strategy | str,
    task: Task | str | None = None,
    *,
    prices: PriceTable | None = None,
    sampled: int = SAMPLED,
    of: int | None = None,
    settings: Settings | None = None,
    **changes: Unpack[SettingsChanges],
) -> Forecast:
    """Say what it will cost to judge items by a strategy; nothing is asked of any model.

        told = await ad.forecast(items, "debate", model="openai/gpt-6-luna", aspects="coherence")
        print(told)

    Strategy and task may be named; a task None is that of the items. The model goes by its name. `of` is how many items there are, where these are
    only some of them; `sampled` of them are rehearsed, short and long ones. `prices` None are the built-in ones; all else
    is as in `evaluate`. Tokens are counted by the tokenizer that is set, and else by tiktoken's. Raises UserError
    for what would end the run at once, or every debate that was rehearsed, and DebateError where the strategy fails even with made-up words.
    """
    if sampled < 1:
        raise UsageError(f"a forecast rehearses at least 1 item, not {sampled}")
    check_kind(items)
    given = (settings or USUAL).but(**changes)
    if not isinstance(given.model, str):
        raise UsageError(f"a forecast takes the model by its name, and not {given.model!r:.80}")
    strategy = named(strategy, project=given.project) if isinstance(strategy, str) else strategy
    task = task if isinstance(task, Task) else _task(items, task, given.project)
    model = addressed(given.model, given.model_options.get("base_url"))
    how = given.but(tasks={**given.tasks, task.name: task}, rehearsal=True)
    stage = Stage()
    made = ready(strategy, model=stage.open(model), opener=stage.open, project=given.project, settings=how)
    with using(given.vocabularies()):
        await _learn(WORDS, given.model)
        async with made as debate:
            names = tuple(aspect.name for aspect in task.choose(given.aspects))
            sets = [names] if given.at_once(strategy) else [(name,) for name in names]
            chosen = [item.model_copy(update={"task": task.name}) for item in spread(items, sampled)]
            rehearsals = [await rehearsal(debate, chosen, one) for one in sets]
        amount = len(items) if of is None else of
        usages = _all_of(rehearsals, amount)
        table = built_in() if prices is None else prices
        shares = tuple(Share(name, usage, price_of(name, table)) for name, usage in usages.items())
        said = (*_assumed(rehearsals, amount), *_left_out(strategy), *_priced(shares))
        return Forecast(amount, amount * len(sets), shares, _method(usages), said)


def _task(items: Sequence[Item], name: str | None, project: Project | None) -> Task:
    """The task of that name, or the one that all items are of. Raises UsageError and ContentError."""
    names = [name] if name else list(dict.fromkeys(item.task for item in items))
    if len(names) != 1:
        raise UsageError(
            f"a forecast is for items of one task; these are of {', '.join(names) or 'none'}: task= names it"
        )
    return task_named(names[0], project=project)


def _all_of(rehearsals: Sequence[Rehearsal], items: int) -> dict[str, Usage]:
    """What every model does in all debates over so many items."""
    held = [one for rehearsal in rehearsals for one in (rehearsal.once, *rehearsal.each)]
    models = dict.fromkeys(name for one in held for name in one.usage) if items else {}
    return {name: total(one.usage(name, items) for one in rehearsals) for name in models}


async def _learn(text: str, model: str) -> None:
    """Have the vocabulary that was named for a model find out about a text, which also shows that it can."""
    vocabulary = vocabulary_of(model)
    if vocabulary is not None:
        await vocabulary.learn(frozenset({text}))


def _method(models: Iterable[str]) -> Counted:
    """Whether the tokens of all models were counted as each counts."""
    ways = {found.method for _, found in _counted_by(models)}
    return "exact" if ways == {"exact"} else "estimate"


def _counted_by(models: Iterable[str]) -> Iterator[tuple[str, TokenCount]]:
    """How a text of each model is counted; a made-up reply is one that its vocabulary has been asked for."""
    for name in models:
        if name != OFFLINE:
            yield name, count(WORDS, name)


def _assumed(rehearsals: Sequence[Rehearsal], items: int) -> Iterator[str]:
    """What the figures rest upon, a line each."""
    held = [one for rehearsal in rehearsals for one in (rehearsal.once, *rehearsal.each)]
    number = len(rehearsals[0].each)
    every = "the one item was" if items == 1 else f"all {items} items were"
    whom = every if number == items else f"{number} of {items} items, short and long ones, were"
    yield f"{whom} rehearsed with made-up replies, and every round was used"
    failed = [one.failed for one in rehearsals[0].each if one.failed is not None]
    if failed:
        yield f"{len(failed)} of {number} items that were rehearsed cannot be judged: {failed[0]}"
    yield from _of_tokens(held)
    if any(one.beside for one in held):
        more = sum(most_times([one.beside for one in r.each], items) + r.once.beside for r in rehearsals)
        yield f"samples come together in one call; an endpoint that gives one at a time takes up to {more} calls more"
    yield "replies that have to be asked for again and calls that are tried again are not in it"
    yield "no prompt is taken to come from an endpoint's cache, which makes it cheaper"


def _of_tokens(held: Sequence[Held]) -> Iterator[str]:
    for name, found in _counted_by(dict.fromkeys(name for one in held for name in one.usage)):
        if found.method == "exact":
            yield f"tokens of {name} are counted as it counts them: {found.by}"
        else:
            yield f"tokens of {name} are an estimate, {found.by}: its own vocabulary is not at hand"
    if any(one.unlimited for one in held):
        yield "replies are as long as made-up ones, without hidden reasoning, wherever max_tokens does not limit them"
    if any(one.limited for one in held):
        yield "replies that max_tokens limits are as long as it allows"


def _left_out(strategy: Strategy) -> Iterator[str]:
    names = ("evaluators", "embedder")
    if any(getattr(one, name, ()) for one in inside(strategy) for name in names):
        yield "what evaluators and embedders behind an endpoint take is not in it"


def _priced(shares: Sequence[Share]) -> Iterator[str]:
    """What is known of the prices, and of models that end."""
    for share in shares:
        if share.price is None:
            yield f"the price of {bare_name(share.model)} is unknown: {how_to_price(share.model)}"
        elif share.usage.tokens:
            yield f"{share.model} costs {share.price}: check it"
            if (share.price.cache_write or 0) > share.price.input:
                yield f"prompts of {share.model} are taken to be written into its endpoint's cache, which costs more"


def _counts(usage: Usage) -> dict[str, int]:
    return {
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
    }
