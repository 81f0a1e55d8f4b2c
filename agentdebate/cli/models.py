"""agentdebate models: what is known of providers and their models, before anything is asked of them."""

from agentdebate.cli.console.output import out, out_json, table
from agentdebate.cli.options.common import Json, ProjectPath, project_at
from agentdebate.models.catalogue import ABILITIES, KnownModel, known_models
from agentdebate.report.text_table import TextTable

_HEADS = {"logprobs": "log-probs"}
_WHAT = (
    "-: not known; find out by: agentdebate check MODEL. n: several completions of a request at once. cached from: tokens from "
    "which on prompts are cached. in, cached, out: money for a million tokens; check them before you trust them"
)


def models(provider: str | None = None, /, *, project: ProjectPath = None, as_json: Json = False) -> int:
    """List what each provider and model can do and costs, as far as it is known. Nothing is asked of anybody.

    Parameters
    ----------
    provider
        The provider [all that are registered].

    """
    known = known_models(provider, project=project_at(project))
    if as_json:
        for one in known:
            out_json(one.as_dict())
        return 0
    head = [
        "model",
        *(_HEADS.get(name, name) for name in ABILITIES),
        "cached from",
        "in",
        "cached",
        "out",
        "as of",
    ]
    drawn = TextTable(
        "Models",
        head,
        [_cells(one) for one in known],
        numeric=["cached from", "in", "cached", "out"],
        whole=["model", "log-probs", "temperature"],
    )
    table(drawn)
    out(_WHAT)
    return 0


def _cells(one: KnownModel) -> list[object]:
    can = [_word(getattr(one, name)) for name in ABILITIES]
    price = one.price
    money: list[object] = ["-"] * 4
    if price is not None:
        amounts = (price.input, price.cached_input, price.output)
        money = [*("-" if each is None else f"{each:g}" for each in amounts), price.date or "-"]
    return [one.name, *can, one.cache_floor or "-", *money]


def _word(known: bool | None) -> str:
    return "-" if known is None else "yes" if known else "no"
