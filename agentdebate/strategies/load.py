"""Strategies by name, and the classes that strategy files may use."""

from typing import Any

from agentdebate import plugins
from agentdebate.project.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.strategy_file import GROUP
from agentdebate.strategies.strategy_words import StrategyWords


def strategy(name: str, *, project: Project | None = None, **options: Any) -> Strategy:
    """The strategy in strategies/NAME.toml, with `options` in the place of the file's.

    A wrapper passes options that it does not have itself on to the strategy inside it. `cast` may be among them, roles
    and who plays them, and `models`, cards or roles and what speaks for them; both go before the file's. Raises
    ContentError for what is wrong with the file, and UsageError for what is wrong with the options.

    Who plays a role is an agent card by its name, or several, and "recruit" for readers who are recruited for each text.

    What the files say of addresses, keys and models to be fetched counts only for the project's `allow_endpoints`.
    """
    cast, models = options.pop("cast", {}), options.pop("models", {})
    return StrategyWords(options, cast, models=models).strategy(name, project or Project.here())


def registered() -> dict[str, str]:
    """The registered classes: name to where each comes from."""
    return plugins.places(GROUP)
