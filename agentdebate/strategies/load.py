"""From the name of a strategy to the strategy: its files as plain data, what the caller says laid over them, made once."""

from collections.abc import Mapping
from typing import Any

from agentdebate import plugins
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.layer import AROUND
from agentdebate.strategies.layers import Layers
from agentdebate.strategies.overrides import Overrides
from agentdebate.strategies.strategy_file import GROUP


def strategy(name: str, *, project: Project | None = None, **options: Any) -> Strategy:
    """The strategy in strategies/NAME.toml, with `options` in the place of the file's.

    A wrapper passes options that it does not have itself on to the strategy inside it. `cast` may be among them, roles
    and who plays them, and `models`, cards or roles and what speaks for them; both go before the file's. Raises
    ContentError for what is wrong with the file, and UsageError for what is wrong with the options.

    Who plays a role is an agent card by its name, or several, and "recruit" for readers who are recruited for each text.

    What the files say of addresses, keys and models to be fetched counts only for the project's `allow_endpoints`.
    """
    return load(name, project or Project.here(), options, USER)


def load(name: str, found: Project, said: Mapping[str, Any], trust: Trust) -> Strategy:
    """Load a strategy as `strategy` does, with options that `trust` marks as the user's or a store's."""
    layers = Layers.read(name, found, around=said.get(AROUND))
    return layers.laid(Overrides.of(name, said, trust)).build()


def registered() -> dict[str, str]:
    """The registered classes: name to where each comes from."""
    return plugins.places(GROUP)
