"""Forecast of a run's cost, before it is paid for: some of its debates, rehearsed with made-up words, times all of them.

No model is called, nothing is written and nothing is measured. A rehearsal uses every round, so calls are the most that
debates take as long as no reply has to be asked for again; the assumptions say what else cannot be known.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, fsum
from typing import Any, Literal, Unpack

from agentdebate.debates.ready import ReadyStrategy, ready
from agentdebate.debates.record import OFFLINE
from agentdebate.errors import DataError, UsageError
from agentdebate.models.prices import Price, highest_cost, how_to_price
from agentdebate.models.registry import check_provider, open_bare
from agentdebate.models.tokens import TokenCount, count, using
from agentdebate.project.model_spec import ModelSpec, bare_name
from agentdebate.runs.agenda import Data, aspect_sets, at_hand
from agentdebate.runs.configuration import own_models
from agentdebate.runs.rehearsal import WORDS, Stage
from agentdebate.runs.settings import Settings, SettingsChanges
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Item
from agentdebate.usage import Usage, total

SAMPLED = 10
"""Number of items to rehearse, short and long ones."""

_LEFT_OUT = (
    "replies are as long as max_tokens allows, or else as made-up ones, with as much thinking as an effort is taken to allow, and none where no effort is set",
    "replies that are asked for again, calls that are tried again, and evaluators and embedders behind endpoints are not in it",
    "no prompt is taken to come from an endpoint's cache, which makes it cheaper",
)
Usages = Mapping[str, Usage]
"""Usage by the model's name."""


@dataclass(frozen=True, slots=True)
class Share:
    """Forecast of one model's usage. What of prompts may be written into an endpoint's cache is taken to be, where that costs more, and none to
    be read from it.
    """

    model: str
    usage: Usage
    price: Price | None
    """Price of the model; None where it is unknown."""

    @property
    def money(self) -> float | None:
        """Cost in the price's currency; None without a price."""
        return None if self.price is None else highest_cost(self.usage, self.price)

    def row(self) -> dict[str, Any]:
        """The share as JSON has it; what is unknown is null."""
        price = self.price.model_dump(mode="json") if self.price else None
        return {"model": self.model, **_counts(self.usage), "money": self.money, "price": price}


@dataclass(frozen=True, slots=True)
class Forecast:
    """Forecast of a run's cost: highest number of calls, tokens and money as far as the assumptions hold."""

    items: int
    debates: int
    shares: tuple[Share, ...]
    """Shares of the models, in the order in which they first speak."""
    counted: Literal["exact", "estimate"]
    """Method of counting tokens: with a vocabulary, or by an estimate."""
    assumptions: tuple[str, ...]

    @property
    def usage(self) -> Usage:
        """Usage of all models together."""
        return total(share.usage for share in self.shares)

    @property
    def money(self) -> float | None:
        """Cost of all models; None if a price is unknown, or in another currency than the others."""
        known = [share.money for share in self.shares if share.money is not None]
        alike = self.currency is not None or not any(known)
        return fsum(known) if alike and len(known) == len(self.shares) else None

    @property
    def currency(self) -> str | None:
        """Currency of the money; None if nothing costs any, or if currencies differ."""
        found = {share.price.currency for share in self.shares if share.price and share.money}
        return found.pop() if len(found) == 1 else None

    def __str__(self) -> str:
        usage = self.usage
        money = "unknown" if self.money is None else f"{self.money:.4f} {self.currency or 'USD'}"
        what = (
            f"at most {usage.calls} calls, {usage.prompt_tokens} prompt and {usage.completion_tokens} completion tokens "
            f"({self.counted}), money: {money}, for {self.items} items in {self.debates} debates"
        )
        return "\n".join([what, *self.assumptions])

    def row(self) -> dict[str, Any]:
        """The forecast as JSON has it; what is unknown is null."""
        return {
            "items": self.items,
            "debates": self.debates,
            **_counts(self.usage),
            "counted": self.counted,
            "money": self.money,
            "currency": self.currency,
            "models": [share.row() for share in self.shares],
            "assumptions": list(self.assumptions),
        }


async def forecast(
    items: Data,
    strategy: Strategy | str,
    *,
    settings: Settings | None = None,
    **changes: Unpack[SettingsChanges],
) -> Forecast:
    """Say what it will cost to judge items by a strategy; nothing is asked of any model.

        told = await ad.forecast(items, "debate", model="openai/gpt-6-luna", aspects="coherence")
        print(told)

    The items are of one task. The model goes by its name. Ten of the items are rehearsed, short and long ones. All else is as in `evaluate`. Tokens are counted by the tokenizer that is set, and else by tiktoken's. Raises UserError
    for what would end the run at once, or every debate that was rehearsed, and DebateError where the strategy fails even with made-up words.
    """
    given = Settings.given(settings, changes, to=forecast)
    items, given = await at_hand(items, given)
    if not isinstance(given.model, str):
        raise UsageError(f"a forecast takes the model by its name, and not {given.model!r:.80}")
    strategy = given.strategy(strategy)
    for one in (given.model, *own_models(strategy)):
        check_provider(one)
    task = given.task(_task(items))
    stage, how = Stage(), given.but(tasks={**given.tasks, task.name: task}, rehearsal=True)
    spec = ModelSpec.parse(given.model)
    spec = ModelSpec(spec.name, {**spec.options, **given.model_options})
    if spec.name == OFFLINE:
        open_bare(given.model, **given.model_options)  # which takes none
    sets = aspect_sets(task, how.aspects, together=how.at_once(strategy))
    chosen, number = _spread(items), len(items)
    with using(given.vocabularies()):
        async with ready(
            strategy,
            model=str(spec),
            opener=stage.open,
            project=given.project,
            settings=how,
        ) as debate:
            usages = _sum([await _usages(stage, debate, chosen, aspects, number) for aspects in sets])
        counts = {name: count(WORDS, name) for name in usages if name != OFFLINE}
    prices = given.price_table
    found = {name: prices.price_of(name) for name in usages}
    shares = tuple(Share(name, usage, found[name]) for name, usage in usages.items())
    exact = {one.method for one in counts.values()} == {"exact"}
    said = (*_assumed(len(chosen), number, counts), *_LEFT_OUT, *_priced(shares))
    return Forecast(number, number * len(sets), shares, "exact" if exact else "estimate", said)


def _task(items: Sequence[Item]) -> str:
    """The task that all items are of. Raises UsageError."""
    names = list(dict.fromkeys(item.task for item in items))
    if len(names) != 1:
        raise UsageError(f"a forecast is for items of one task; these are of {', '.join(names) or 'none'}")
    return names[0]


def _spread(items: Sequence[Item]) -> list[Item]:
    """Some of the items, as short and as long as all of them are."""
    if len(items) <= SAMPLED:
        return list(items)
    ordered = sorted(items, key=lambda item: sum(map(len, item.fields.values())))
    return [ordered[(2 * place + 1) * len(ordered) // (2 * SAMPLED)] for place in range(SAMPLED)]


async def _usages(
    stage: Stage, debate: ReadyStrategy, items: Sequence[Item], aspects: Sequence[str], number: int
) -> Usages:
    """Estimate the usage of all debates on these aspects, over so many items, by a rehearsal of some. Raises DataError and DebateError.

    What is found out once for all debates, the first one takes beside its own.
    """
    each: list[Usages] = []
    problem: DataError | None = None
    for item in items:
        try:
            each.append(await stage.usage(debate, item, aspects))
        except DataError as error:  # of this item alone
            problem = error
    if problem is not None and not each:
        raise DataError(
            f"none of {len(items)} items that were rehearsed can be judged: {problem}"
        ) from problem
    first, others = each[:1], each[1:] or each
    names = dict.fromkeys(name for one in each for name in one)
    rest = {name: _times([one.get(name, Usage()) for one in others], number - 1) for name in names}
    return _sum([*first, rest])


def _times(each: Sequence[Usage], number: int) -> Usage:
    """Extrapolate the usage of these debates to so many: calls as the largest, tokens as they do on average."""
    return Usage(
        calls=number * max(one.calls for one in each),
        prompt_tokens=ceil(number * sum(one.prompt_tokens for one in each) / len(each)),
        completion_tokens=ceil(number * sum(one.completion_tokens for one in each) / len(each)),
        cache_write_tokens=ceil(number * sum(one.cache_write_tokens for one in each) / len(each)),
    )


def _sum(usages: Iterable[Usages]) -> dict[str, Usage]:
    found: dict[str, Usage] = {}
    for one in usages:
        for name, usage in one.items():
            found[name] = found.get(name, Usage()) + usage
    return found


def _assumed(sampled: int, number: int, counts: Mapping[str, TokenCount]) -> Iterator[str]:
    """List the assumptions, a line each."""
    some = f"{sampled} of {number} items, short and long ones" if sampled < number else f"all {number} items"
    yield f"rehearsed with made-up replies, in which every round is used: {some}"
    for name, found in counts.items():
        how = "counted as it counts them" if found.method == "exact" else "an estimate"
        yield f"tokens of {name} are {how}: {found.by}"


def _priced(shares: Sequence[Share]) -> Iterator[str]:
    """Say what is known of the prices."""
    for share in shares:
        if share.price is None:
            yield f"the price of {bare_name(share.model)} is unknown: {how_to_price(share.model)}"
        elif share.usage.tokens:
            yield f"{share.model} costs {share.price}: check it"


def _counts(usage: Usage) -> dict[str, int]:
    names = ("calls", "prompt_tokens", "completion_tokens")
    return {name: getattr(usage, name) for name in names}
