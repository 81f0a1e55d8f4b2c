"""Options of a strategy from a file or a store, checked before they become one: where it would reach, write and read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agentdebate.embedders.registry import check_said as check_embedder
from agentdebate.evaluators.registry import check_said as check_evaluators
from agentdebate.models.provider_keys import usual_address
from agentdebate.project.trust import Trust
from agentdebate.strategies import steps
from agentdebate.strategies.plans import NONE, WRITE

FILES = {
    "plan": frozenset((NONE, WRITE)),
    "steps": frozenset((steps.TASK, steps.WRITE)),
}
"""Options that name a file, with the words in the place of one."""


def checked(options: Mapping[str, Any], trust: Trust, base: Path) -> dict[str, Any]:
    """The options of a strategy, where `trust` says whose they are; files that they name begin at `base`.

    Raises UserError for an address, a key's variable, a model to be fetched or a file elsewhere that only the user may
    name. What the user says is passed on as it is.
    """
    found = dict(options)
    if trust.said_in is None:
        return found
    check_evaluators(found.get("evaluators", ()), trust)
    check_embedder(found.get("embedder"), trust)
    for role, model in _table(found.get("models")).items():
        trust.check_model(model, f"the model of {role!r}")
    rest = {name: value for name, value in found.items() if name not in ("evaluators", "embedder", "cast")}
    trust.check_options(rest, "the strategy", usual=usual_address())
    for name, words in FILES.items():
        written = found.get(name)
        if isinstance(written, str) and written not in words:
            path = trust.path(written, base, f"the file in the option {name!r}")
            found[name] = written if base == Path.cwd() else str(path)
    return found


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
