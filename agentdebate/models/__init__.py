"""Models: one method that turns a request into a completion. base.py says what a model is; the rest are models.

dialects/ has what endpoints speak, and limits/ what holds calls back.
"""

import sys
from types import ModuleType
from typing import Any


class _Models(ModuleType):
    """The package, which can be called: `agentdebate.models()` is `agentdebate.known_models()`."""

    def __call__(self, provider: str | None = None, **options: Any) -> Any:
        """What is known of the models of every provider, or of one."""
        from agentdebate.models.catalogue import known_models  # which brings the dialects

        return known_models(provider, **options)


sys.modules[__name__].__class__ = _Models
