"""What a model was opened with, for the record."""

from collections.abc import Mapping
from typing import Any

from agentdebate.models.base import Model
from agentdebate.models.wrapper import innermost


def settings_of(model: Model) -> Mapping[str, Any]:
    """The `settings` of the model inside all wrappers, where it has any: its options as JSON, without keys."""
    found: Mapping[str, Any] = getattr(innermost(model), "settings", {})
    return found
