"""What is known of models, as a table."""

from collections.abc import Iterator, Sequence

from agentdebate.models.catalogue import ABILITIES, KnownModel
from agentdebate.report.text_table import Block, TextTable

_HEADS = {"logprobs": "log-probs"}
_WHAT = (
    "-: not known; find out by: agentdebate check MODEL. n: several completions of a request at once. cached from: tokens from "
    "which on prompts are cached. in, cached, out: money for a million tokens; check them before you trust them"
)


def model_blocks(known: Sequence[KnownModel]) -> Iterator[Block]:
    """A line a model: what it can do, what it costs, and since when."""
    words = [_HEADS.get(name, name) for name in ABILITIES]
    head = ["model", *words, "cached from", "in", "cached", "out", "as of"]
    whole = ["model", "log-probs", "temperature"]
    yield TextTable("Models", head, [_cells(one) for one in known], numeric=head[-5:-1], whole=whole)
    yield _WHAT


def _cells(one: KnownModel) -> list[object]:
    can = [_word(getattr(one, name)) for name in ABILITIES]
    price = one.price
    money: list[object] = ["-", "-", "-", "-"]
    if price is not None:
        amounts = (price.input, price.cached_input, price.output)
        money = [*("-" if each is None else f"{each:g}" for each in amounts), price.date or "-"]
    return [one.name, *can, one.cache_floor or "-", *money]


def _word(known: bool | None) -> str:
    return "-" if known is None else "yes" if known else "no"
