"""Downloads of models that are named and are not a folder."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

from agentdebate.project.trust import is_folder

Opener = TypeVar("Opener", bound=Callable[..., Any])

_MARK = "fetches_from_hub"

HUGGING_FACE = "huggingface.co"


def hub() -> str:
    """The host of the hub: Hugging Face, or the one that the environment's HF_ENDPOINT names."""
    named = os.environ.get("HF_ENDPOINT", "").strip()
    return named.partition("://")[2].partition("/")[0] or HUGGING_FACE


def from_hub(opener: Opener) -> Opener:
    """Mark what opens an evaluator or embedder whose model is a folder, or else a name on the hub, from which it is fetched.

    A file or a store may then name such a model only where the user allows the hub.
    """
    setattr(opener, _MARK, True)
    return opener


def is_from_hub(opener: object) -> bool:
    """Tell whether an opener is marked so."""
    return getattr(opener, _MARK, False) is True


def is_fetched(model: str) -> bool:
    """Tell whether a model is a name on the hub: there is no folder of that name."""
    return not (model.startswith((".", "/", "~")) or is_folder(model))
