"""Evaluators that a file or a store names: what of them would send or fetch something, before one is opened."""

from collections.abc import Iterable, Iterator

from agentdebate import plugins
from agentdebate.evaluators.registry import GROUP
from agentdebate.evaluators.spec import Spec
from agentdebate.models.hub import hub, is_fetched, is_from_hub
from agentdebate.models.provider_keys import usual_address
from agentdebate.project.trust import Trust

_ASKING = "endpoint-probability"
"""The evaluator that asks an endpoint."""


def check_said(specs: object, trust: Trust) -> None:
    """Raise UserError for an evaluator that reaches where the user has not allowed it. What is no text is left to others."""
    several = (specs,) if isinstance(specs, str) else specs
    for spec in several if isinstance(several, list | tuple) else ():
        if isinstance(spec, str):
            _check(spec, trust)


def addresses(specs: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The evaluators that send texts to an endpoint, each with its address."""
    for spec in map(Spec.parse, specs):
        if spec.head == _ASKING:
            yield f"{spec.head}/{spec.rest}", spec.options.get("base_url") or usual_address()


def _check(text: str, trust: Trust) -> None:
    spec = Spec.parse(text)
    what = f"the evaluator {spec.head}"
    trust.check_options(spec.options, what, usual=usual_address())
    trust.check_model(spec.rest, what)
    point = plugins.registered(GROUP).get(spec.head)
    if point is not None and is_fetched(spec.rest) and is_from_hub(plugins.load(point)):
        trust.check_host(hub(), f"{what}: the model {spec.rest!r} is not a folder here, and")
