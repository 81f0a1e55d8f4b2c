"""Embedders by name ("tf-idf", "openai/text-embedding-3-small")."""

from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any

from agentdebate import plugins
from agentdebate.embedders.base import Embedder
from agentdebate.models.hub import check_fetched
from agentdebate.project.trust import Trust

GROUP = "agentdebate.embedders"
"""The entry-point group under which embedders are registered, ours included: a function (name, **options) -> Embedder."""


def embedder(name: str, **options: Any) -> Embedder:
    """The embedder of that name: "tf-idf", "sentence-transformers/PATH_OR_NAME", or "openai/MODEL".

    `options` go to the embedder; all take `eps`, the cosine distance up to which two roles count as alike. Raises
    UsageError for an unknown embedder or option.
    """
    opened: Callable[..., Embedder] = plugins.load(check_known(name))
    return opened(name.partition("/")[2], **options)


def check_said(name: object, trust: Trust) -> None:
    """Raise UserError for an embedder of a file or a store that reaches where the user has not allowed it."""
    if not isinstance(name, str):
        return
    kind, _, rest = name.partition("/")
    trust.check_model(name, "the embedder")
    check_fetched(GROUP, kind, rest, trust, "the embedder")


def asks_an_endpoint(name: str) -> bool:
    """Tell whether the embedder of that name sends texts to an endpoint."""
    return name.partition("/")[0] == "openai"


def check_known(name: str) -> EntryPoint:
    """Find the registration of an embedder by name, without loading it. Raises UsageError where there is none."""
    kind = name.partition("/")[0]
    return plugins.find(GROUP, kind, f"there is no embedder {kind!r}")
