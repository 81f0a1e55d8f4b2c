"""agentdebate check: a call of each kind to a model, and what came of it."""

import sys
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.console.output import one_line, out, out_json, say
from agentdebate.cli.options.common import Consent, Json, ProjectPath, json_pairs
from agentdebate.models.check import Check, Tried
from agentdebate.models.check import check as check_model
from agentdebate.models.prices import prices
from agentdebate.report.prose import counted


async def check(
    model: Annotated[str, Parameter(name=["--model", "-m"])],
    *,
    base_url: str | None = None,
    api_key_env: str | None = None,
    extra: tuple[str, ...] = (),
    project: ProjectPath = None,
    as_json: Json = False,
) -> int:
    """Ask a model for a reply of each kind, and say what works, how long it took and what it cost.

    Example: agentdebate check openai/gpt-6-luna

    Parameters
    ----------
    model
        The model: openai/NAME, anthropic/NAME, gemini/NAME, ...; options follow a colon: openai/NAME:timeout=30.
    base_url
        The endpoint's address up to /v1 [OPENAI_BASE_URL, or the provider's].
    api_key_env
        The environment variable that holds the key [such as OPENAI_API_KEY].
    extra
        KEY=JSON: a further field of the request's body.

    """
    given = {"base_url": base_url, "api_key_env": api_key_env, "extra": json_pairs(extra, "--extra")}
    options: dict[str, Any] = {name: value for name, value in given.items() if value}
    table = prices(project=Consent(project).found())
    found = await check_model(model, table=table, heard=None if as_json else _print, **options)
    if as_json:
        out_json(found.as_dict())
    else:
        say(_ending(found))
    return 0 if found.reached else 1


def _print(tried: Tried) -> None:
    """Print a line as soon as it is known, so that a check that is stopped has said what it found."""
    works = {True: "works", False: "no", None: "-"}[tried.works]
    took = f"{tried.seconds:.2f} s" if tried.works is not None else ""
    money = f"{tried.money:.6f}" if tried.works is not None and tried.money is not None else ""
    out(f"{tried.kind:<16}{works:<7}{took:>8}{money:>11}  {one_line(tried.note)}".rstrip())
    sys.stdout.flush()


def _ending(found: Check) -> str:
    usage = found.usage
    cost = "price not known" if found.money is None else f"{found.money:.6f} {found.currency}"
    calls = f"{counted(usage.calls, 'call')}, {usage.tokens} tokens"
    return one_line(f"{found.model}: {calls}, {found.seconds:.1f} seconds, {cost}")
