"""What is known of models, as a table."""

from collections.abc import Iterator, Sequence

from agentdebate.models.catalogue import ABILITIES, KnownModel
from agentdebate.report.text_table import Block, Caption, TextTable

_HEADS = {"logprobs": "log-probs"}
_WHAT = (
    "-: not known; find out by: agentdebate check MODEL. n: several completions of a request at once. cached from: tokens from "
    "which on prompts are cached. in, cached, out: money for a million tokens; check them before you trust them"
)


def model_blocks(known: Sequence[KnownModel]) -> Iterator[Block]:
    """A line a model: what it can do, what it costs, and since when."""
    head = ["model", *(_HEADS.get(name, name) for name in ABILITIES), "cached from"]
    can = [[one.name, *_abilities(one)] for one in known]
    yield TextTable("Models", head, can, numeric=["cached from"], whole=["model", "log-probs", "temperature"])
    yield ""
    prices = [[one.name, *_price(one)] for one in known if one.price is not None]
    yield TextTable("Prices", ["model", *_MONEY, "as of"], prices, numeric=_MONEY, whole=["model"])
    yield Caption(_WHAT)


_MONEY = ("in", "cached", "out")


def _abilities(one: KnownModel) -> list[object]:
    return [*(_word(getattr(one, name)) for name in ABILITIES), one.cache_floor or "-"]


def _price(one: KnownModel) -> list[object]:
    price = one.price
    if price is None:
        return ["-", "-", "-", "-"]
    amounts = (price.input, price.cached_input, price.output)
    return [*("-" if each is None else f"{each:g}" for each in amounts), price.date or "-"]


def _word(known: bool | None) -> str:
    return "-" if known is None else "yes" if known else "no"
